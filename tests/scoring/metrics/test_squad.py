"""SQuAD's exact match and token F1, against plain twins: contracts, forms of answers, ids."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given

from corpora.texts import NAMES, SQUAD, random_answers
from oracles.texts import shares
from pairedperm import compare
from pairedperm.scoring import scores
from properties import cases, generators
from scoring.contract import ALTERNATIVES, Contract, check_metric


def answers(rng, n):
    """References of one answer may be texts."""
    n_right = int(rng.integers(1, 4))
    one, two, right = random_answers(rng, n, n_right).values()
    return (one, two, [x for (x,) in right] if n_right == 1 and rng.random() < 0.5 else right), {}


def mean_share(metric, predictions, references):
    found = shares(metric, predictions, references)
    return sum(found) / len(found)


test_contract = check_metric(
    Contract(
        "squad_exact_match",
        answers,
        partial(mean_share, "squad_exact_match"),
        words="SQuAD exact match",
    ),
    Contract("squad_f1", answers, partial(mean_share, "squad_f1"), words="SQuAD F1"),
)


@pytest.mark.parametrize(
    ("answer", "rights", "exact", "f1"),
    [
        ("The Cat.", ["cat"], 1, 1),
        ("a  cat\n", ["An, CAT!"], 1, 1),
        ("in 1066", ["1066"], 0, Fraction(2, 3)),  # precision 1/2, recall 1
        ("the black cat sat", ["a cat", "black cat"], 0, Fraction(4, 5)),  # 2/3 and 1: 2·2 / 5
        ("cat cat", ["cat"], 0, Fraction(2, 3)),  # one in common, not two
        ("cat dog cat", ["cat cat bird bird"], 0, Fraction(4, 7)),  # 2/3 and 2/4: 2·2 / (3 + 4)
        ("", [""], 1, 0),  # of no words none are in common
        ("the", ["a"], 1, 0),
        ("...", ["dog", "!"], 1, 0),
        ("dog", ["the cat", "a bird"], 0, 0),
        ("theatre", ["atre"], 0, 0),  # an article is a word
        ("the-cat", ["thecat"], 1, 1),  # punctuation goes first
        ("Zoë's", ["zoës"], 1, 1),
        ("«cat»", ["cat"], 0, 0),  # not among ASCII's punctuation
        ("a.b", ["ab"], 1, 1),
        ("a b", ["b"], 1, 1),
        ("x y z", ["x", "x y", "z y x w"], 0, Fraction(6, 7)),  # 2·3 / (3 + 4), after 1/2, 4/5
    ],
)
def test_answers_by_hand(answer, rights, exact, f1):
    for metric, expected in (("squad_exact_match", exact), ("squad_f1", f1)):
        result = compare([answer], ["no such answer"], [rights], metric)
        assert (result.score1, result.score2) == (float(expected), 0.0)
        assert shares(metric, [answer], [rights]) == [expected]


def as_dicts(columns):
    """As `evaluate`'s squad module takes them."""
    found = {
        name: [{"id": str(k), "prediction_text": text} for k, text in enumerate(columns[name])]
        for name in NAMES[:2]
    }
    found["references"] = [
        {"id": str(k), "answers": {"text": texts, "answer_start": [0] * len(texts)}}
        for k, texts in enumerate(columns["references"])
    ]
    return found


@pytest.mark.parametrize("metric", SQUAD)
def test_forms(metric):
    rng = np.random.default_rng(6)
    columns = random_answers(rng, 30)
    expected = compare(**columns, metric=metric)
    dicts = as_dicts(columns)
    assert compare(**dicts, metric=metric) == expected
    for name in NAMES[:2]:  # each in an order of its own
        shuffled = [dicts[name][k] for k in rng.permutation(30)]
        assert compare(**(dicts | {name: shuffled}), metric=metric) == expected
        assert compare(**(columns | {name: dicts[name]}), metric=metric) == expected
    moved = dicts | {"references": [dicts["references"][k] for k in rng.permutation(30)]}
    assert compare(**moved, metric=metric) == expected
    for references in (
        [{"answers": texts} for texts in columns["references"]],
        [{"text": texts} for texts in columns["references"]],
        [{"text": np.array(texts)} for texts in columns["references"]],
        tuple(map(tuple, columns["references"])),
        [np.array(texts) for texts in columns["references"]],
    ):
        assert compare(**(columns | {"references": references}), metric=metric) == expected
    texts = {name: np.array(columns[name]) for name in NAMES[:2]}
    assert compare(**(columns | texts), metric=metric) == expected
    single = columns | {"references": [texts[0] for texts in columns["references"]]}
    answers = [{"id": k, "answers": text} for k, text in enumerate(single["references"])]
    assert compare(**single, metric=metric) == compare(
        **(single | {"references": answers}), metric=metric
    )


def test_ids_are_positions_where_one_column_has_none():
    columns = {"predictions1": ["x", "y"], "predictions2": ["y", "x"]}
    right = [{"id": "b", "answers": ["x"]}, {"id": "a", "answers": ["y"]}]
    assert compare(**columns, references=right, metric="squad_f1").score1 == 1.0
    with_ids = [{"id": "a", "prediction_text": "x"}, {"id": "b", "prediction_text": "y"}]
    found = compare(with_ids, columns["predictions2"], right, "squad_f1")
    assert (found.score1, found.score2) == (0.0, 0.0)


# The mean of ratios


@cases(0.2)
@given(rng=generators)
def test_denominators_without_a_common_one(rng):
    """As a function of the sums of numerators, the same p."""
    columns = random_answers(rng, int(rng.integers(1, 40)), 1)
    for alternative in ALTERNATIVES:
        options = {"metric": "squad_f1", "alternative": alternative, "method": "exact"}
        expected = compare(**columns, **options)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(scores, "FINEST", 1)
            result = compare(**columns, **options)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
        assert result.score1 == pytest.approx(expected.score1, abs=1e-15)
        assert result.statistic == pytest.approx(expected.statistic, abs=1e-15)


def long_answers(n):
    """Of up to 60 words: their F1 have hardly a common denominator."""
    rng = np.random.default_rng(8)

    def text(longest):
        return " ".join(f"w{k}" for k in rng.integers(0, 80, int(rng.integers(1, longest))))

    return {name: [text(60) for _ in range(n)] for name in NAMES}


@pytest.mark.thorough
def test_beyond_the_budget():
    columns = long_answers(100)
    result = compare(**columns, metric="squad_f1")
    assert (result.method, result.interval) == ("bracket", "certified")
    one, two = (shares("squad_f1", columns[name], columns["references"]) for name in NAMES[:2])
    assert result.score1 == pytest.approx(float(sum(one) / 100), rel=1e-13)
    assert result.score2 == pytest.approx(float(sum(two) / 100), rel=1e-13)
    d = np.array([float(a - b) for a, b in zip(one, two, strict=True)])
    signs = np.random.default_rng(2).choice([-1.0, 1.0], (20_000, 100))
    share = np.mean(np.abs(signs @ d) >= abs(d.sum()))
    assert abs(result.pvalue - share) < 5 * np.sqrt(share / 20_000)
