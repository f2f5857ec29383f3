"""SQuAD's exact match and token F1, against plain twins: by hand, and in every form."""

from fractions import Fraction
from functools import partial

import pytest

from corpora.texts import random_answers
from oracles.texts import shares
from pairedperm import compare
from pairedperm.scoring import scores
from scoring.contract import Contract, all_swaps, check_metric


def answers(rng, n):
    """References of one answer may be texts."""
    n_right = int(rng.integers(1, 4))
    one, two, right = random_answers(rng, n, n_right).values()
    return (one, two, [x for (x,) in right] if n_right == 1 and rng.random() < 0.5 else right), {}


def mean_share(metric, predictions, references):
    found = shares(metric, predictions, references)
    return sum(found) / len(found)


EXACT, F1 = (
    Contract(name, answers, partial(mean_share, name), words=words)
    for name, words in (("squad_exact_match", "SQuAD exact match"), ("squad_f1", "SQuAD F1"))
)
test_contract = check_metric(EXACT, F1)


@pytest.mark.parametrize(
    ("answer", "rights", "exact", "f1"),
    [
        ("The Cat.", ["cat"], 1, 1),
        ("the black cat sat", ["a cat", "black cat"], 0, Fraction(4, 5)),  # 2/3 and 1: 2·2 / 5
        ("cat cat", ["cat"], 0, Fraction(2, 3)),  # one in common, not two
        ("", [""], 1, 0),  # of no words none are in common
        ("theatre", ["atre"], 0, 0),  # an article is a word
        ("the-cat", ["thecat"], 1, 1),  # punctuation goes first
        ("Zoë's", ["zoës"], 1, 1),
        ("«cat»", ["cat"], 0, 0),  # not among ASCII's punctuation
        ("x y z", ["x", "x y", "z y x w"], 0, Fraction(6, 7)),  # 2·3 / (3 + 4), after 1/2, 4/5
    ],
)
def test_answers_by_hand(answer, rights, exact, f1):
    for metric, expected in (("squad_exact_match", exact), ("squad_f1", f1)):
        result = compare([answer], ["no such answer"], [rights], metric)
        assert (result.score1, result.score2) == (float(expected), 0.0)
        assert shares(metric, [answer], [rights]) == [expected]


def test_denominators_without_a_common_one(monkeypatch):
    """As a function of the sums of numerators, the same p."""
    monkeypatch.setattr(scores, "FINEST", 1)
    all_swaps(F1)
