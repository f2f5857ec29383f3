"""Top-k accuracy, against its definition and scikit-learn's: its contract."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import top_k_accuracy_score

from pairedperm import InputError, compare
from scoring.contract import Contract, check_metric

METRIC = "top_k_accuracy"
OF_SCORES = r"For scores of classes .*np\.argsort\(-scores, axis=1\)"
NAMES = ["cat", "dog", "cow", "fly", "elk", "emu"]


def ranked(rng, n):
    """Lists of k or more of some labels, rarely twice the same, and right ones."""
    classes = NAMES if rng.random() < 0.5 else [*range(-2, 4)]
    n_classes = int(rng.integers(3, 7))
    k, is_given = int(rng.integers(1, n_classes + 1)), rng.random() < 0.8
    k = k if is_given else 2  # the default
    right = rng.integers(0, n_classes, n)
    columns = []
    for bonus in (0.3, 0.1):
        scores = rng.random((n, n_classes))
        scores[np.arange(n), right] += bonus
        ranks = np.argsort(-scores, axis=1).tolist()
        sizes = rng.integers(k, n_classes + 1, n)
        if rng.random() < 0.3:
            ranks[0][1:] = ranks[0][:-1]
        columns.append([[classes[x] for x in row[:m]] for row, m in zip(ranks, sizes, strict=True)])
    return (*columns, [classes[x] for x in right]), {"k": k} if is_given else {}


def hits(predictions, references, k=2):
    found = [x in row[:k] for row, x in zip(predictions, references, strict=True)]
    return Fraction(sum(found), len(found))


def by_scikit_learn(predictions, references, k=2):
    """Of scores in the order of the labels; it knows no label twice."""
    if any(len({*row}) < len(row) for row in predictions):
        return None
    classes = sorted(NAMES) if isinstance(references[0], str) else [*range(-2, 4)]
    scores = [[-row.index(x) if x in row else -9 for x in classes] for row in predictions]
    return top_k_accuracy_score(references, scores, k=k, labels=classes)


test_contract = check_metric(
    Contract(METRIC, ranked, hits, library=by_scikit_learn, share=0.4),
)


def test_system_without_any_label_of_the_references():
    with pytest.warns(UserWarning, match="`predictions2` holds no label that `references` has"):
        compare([["a", "b"]] * 2, [["A", "B"]] * 2, ["a", "b"], METRIC)


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        pytest.param(([[1]], [[1]], [1]), {"k": 10**5000}, "`k` is a very large integer", id="k"),
        (([[1, 2]], [[1]], [1]), {}, r"`k` is 2, and `predictions2`\[0\] has 1 labels: give at l"),
        (
            ([1], [[1]], [1]),
            {},
            r"`predictions1` must hold a list of labels .* single labels \(1\)",
        ),
        (([[1, 2]], [[1, 2]], [[1]]), {}, "`references` must hold one label per example, got a l"),
        (([[1, 2]], [[1, 2]], [1, 2]), {}, "`predictions1` has 1 examples and `references` has 2"),
        (([["a", "b"]], [[1, 2]], [1]), {}, "`predictions1` holds strings .*no label could match"),
        (([[1, 2]], [[1, 2]], [1]), {"k": 0}, "`k` must be a positive integer, got 0"),
        (([[1, 2]], [[1, 2]], [1]), {"k": "2"}, "`k` must be a positive integer, got '2'"),
        (([[0.1, 0.2]], [[0.2, 0.1]], [1]), {}, rf"got floats, 0\.1 \(float\)\. {OF_SCORES}"),
        ((np.array([[0.1, 0.9]]), np.array([[0.2, 0.8]]), [1]), {"k": 1}, OF_SCORES),
        (([(0, 1)], [np.array([0.5, 0.5], np.float32)], [1]), {}, OF_SCORES),
        ((np.array([0.1, 0.9]), [[1]], [1]), {"k": 1}, OF_SCORES),
        (([[float("nan"), 1]], [[1]], [1]), {}, r"`predictions1`\[0\]\[0\] is missing"),
        (([{"a"}], [["a"]], ["a"]), {}, "a list of labels per example, the best first, got a set"),
        (([], [["a"]], ["a"]), {}, "`predictions1` is empty"),
        ((None, [["a"]], ["a"]), {}, "`predictions1` is missing"),
        (
            (np.eye(3, dtype=int), [[0, 1]] * 3, [0, 1, 2]),
            {"k": 1},
            rf"`predictions1` .*, and looks one-hot: 3 numbers, .*{OF_SCORES}",
        ),
        (
            ([[1, 2]] * 2, [[1, 2]] * 2, [1, -100]),
            {},
            r"`references`\[1\] is -100, which stands for no label: leave such examples out",
        ),
    ],
)
def test_columns_that_are_not_ranked(columns, options, message):
    with pytest.raises(InputError, match=message) as error:
        compare(*columns, METRIC, **options)
    assert "multilabel" not in str(error.value)  # which it has not
    assert "argmax" not in str(error.value)  # of which it could do nothing with the result


def test_scores_as_the_message_says():
    rng = np.random.default_rng(5)
    one, two, right = rng.random((9, 4)), rng.random((9, 4)), rng.integers(0, 4, 9)
    with pytest.raises(InputError, match=OF_SCORES):
        compare(one, two, right, METRIC)
    result = compare(np.argsort(-one, axis=1), np.argsort(-two, axis=1), right, METRIC)  # k=2
    wanted = [top_k_accuracy_score(right, x, k=2, labels=range(4)) for x in (one, two)]
    assert (result.score1, result.score2) == pytest.approx(wanted, rel=1e-12)
