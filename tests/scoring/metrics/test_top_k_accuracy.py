"""Top-k accuracy, against scikit-learn's, and the tests against all swaps and 40,000 of its own."""

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import given
from sklearn.metrics import top_k_accuracy_score

import pairedperm
from oracles.swaps import pvalue
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset
from properties import cases, generators

METRIC = "top_k_accuracy"
OF_SCORES = r"For scores of classes .*np\.argsort\(-scores, axis=1\)"
NAMES = np.array(["cat", "dog", "cow", "fly", "elk", "emu"])


def scores(rng, n, n_classes):
    right = rng.integers(0, n_classes, n)
    found = rng.random((2, n, n_classes))
    found[0, np.arange(n), right] += 0.3
    return *found, right


def ranked(scores):
    return np.argsort(-scores, axis=1)


@cases(0.3)
@given(rng=generators)
def test_ranks_of_scores(rng):
    """Of integers and strings, arrays and lists, of k or more labels, some of them twice."""
    n_classes = int(rng.integers(3, 7))
    one, two, right = scores(rng, int(rng.integers(1, 40)), n_classes)
    k = int(rng.integers(1, n_classes))
    labels = range(n_classes)
    wanted = [top_k_accuracy_score(right, x, k=k, labels=labels) for x in (one, two)]
    hits = [(ranked(x)[:, :k] == right[:, None]).any(axis=1) for x in (one, two)]
    for alternative in ALTERNATIVES:
        options = {"metric": METRIC, "k": k, "alternative": alternative}
        result = compare(ranked(one), ranked(two), right, **options)
        assert (result.score1, result.score2) == pytest.approx(wanted, rel=1e-12)
        differences = hits[0].astype(int) - hits[1]
        assert result.pvalue == pytest.approx(float(pvalue(differences, alternative)), rel=1e-12)
        lists = [
            NAMES[ranked(x)[:, : int(rng.integers(k, n_classes + 1))]].tolist() for x in (one, two)
        ]
        lists[0][0] = [*lists[0][0], *lists[0][0]]
        assert compare(*lists, NAMES[right], **options) == result


def test_swaps_of_scikit_learns_own_score():
    rng = np.random.default_rng(22)
    one, two, right = scores(rng, 250, 5)
    two[::3] = one[::3]
    hits = np.array(
        [
            [
                top_k_accuracy_score([r], [x], k=2, labels=range(5))
                for r, x in zip(right, y, strict=True)
            ]
            for y in (one, two)
        ]
    )
    difference = hits[0] - hits[1]
    signs = rng.integers(0, 2, (40_000, 250)) * 2 - 1
    share = np.mean(np.abs(signs @ difference) >= abs(difference.sum()))
    p = compare(ranked(one), ranked(two), right, METRIC).pvalue  # k=2
    assert abs(share - p) <= 4 * np.sqrt(p * (1 - p) / 40_000)


def test_doors():
    one, two, right = scores(np.random.default_rng(4), 50, 6)
    columns = {
        "predictions1": NAMES[ranked(one)].tolist(),
        "predictions2": NAMES[ranked(two)].tolist(),
        "references": NAMES[right].tolist(),
    }
    result = compare(**columns, metric=METRIC, k=3)
    wanted = result.to_dict()
    assert wanted["metric_options"] == {"k": 3}
    assert "top-3 accuracy of system 1" in result.summary()
    module = pairedperm.load("paired_perm", METRIC, k=3)
    for start in range(0, 50, 20):
        module.add_batch(**{name: x[start : start + 20] for name, x in columns.items()})
    assert module.compute() == wanted
    dataset = Dataset.from_dict(columns)
    assert compare_dataset(dataset, metric=METRIC, k=3).to_dict() == wanted


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
    one, two, right = scores(np.random.default_rng(5), 9, 4)
    with pytest.raises(InputError, match=OF_SCORES):
        compare(one, two, right, METRIC)
    assert compare(np.argsort(-one, axis=1), np.argsort(-two, axis=1), right, METRIC).n == 9
