"""Any score of two whole columns: all swaps in fractions, what is swapped, and what is refused."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given

from pairedperm import compare, paired_permutation_test, score_interval
from properties import cases, generators
from refusals import refuses

LEVELS = {"two-sided": abs, "greater": lambda x: x, "less": lambda x: -x}


def auc(predictions, references):
    """The share of pairs in the right order; a tie is half a pair."""
    right = [x for x, y in zip(predictions, references, strict=True) if y]
    wrong = [x for x, y in zip(predictions, references, strict=True) if not y]
    wins = sum((x > y) + (x == y) / 2 for x in right for y in wrong)
    return wins / (len(right) * len(wrong))


def median(predictions, _):
    return float(np.median(predictions))


def pearson(predictions, references):
    return float(np.corrcoef(predictions, references)[0, 1])


def share_of_swaps(one, two, references, score, groups, alternative):
    """The share of all swaps of groups that are as extreme, in fractions."""
    value, ids = LEVELS[alternative], sorted({*groups})
    differences = []
    for swaps in product((False, True), repeat=len(ids)):
        swapped = dict(zip(ids, swaps, strict=True))
        rows = [(y, x) if swapped[g] else (x, y) for x, y, g in zip(one, two, groups, strict=True)]
        first, second = (score([*x], references) for x in zip(*rows, strict=True))
        differences.append(value(first - second))
    return Fraction(sum(x >= differences[0] for x in differences), len(differences))


def exact_auc(predictions, references):
    pairs = [*zip(predictions, references, strict=True)]
    right, wrong = ([x for x, y in pairs if y == z] for z in (1, 0))
    wins = sum(2 * (x > y) + (x == y) for x in right for y in wrong)
    return Fraction(wins, 2 * len(right) * len(wrong))


@given(generators)
@cases(0.5)
def test_all_swaps(rng):
    """Of integers, which are swapped as they are; with groups, and on each side."""
    n = int(rng.integers(2, 10))
    one, two = rng.integers(0, 5, (2, n)).tolist()
    references = [0, 1, *rng.integers(0, 2, n - 2).tolist()]
    groups = rng.integers(0, 4, n).tolist() if rng.random() < 0.5 else [*range(n)]
    alternative = str(rng.choice([*LEVELS]))
    found = compare(one, two, references, auc, groups=groups, alternative=alternative)
    given_ = one, two, references, exact_auc, groups, alternative
    assert found.fraction == share_of_swaps(*given_)
    assert (found.score1, found.metric_options) == (auc(one, references), {"swapped": "outputs"})


def test_a_mean_is_the_same_test():
    rng = np.random.default_rng(3)
    one, two, groups = rng.random(40), rng.random(40), rng.integers(0, 11, 40).tolist()
    mean = compare(one, two, None, lambda x, _: x.mean(), groups=groups, lower_is_better=True)
    same = paired_permutation_test(one, two, groups=groups)
    assert mean.pvalue == pytest.approx(same.pvalue, rel=1e-12)
    assert (mean.n, mean.n_groups, mean.n_differing) == (40, 11, same.n_differing)
    assert "Lower is better" in str(mean)


def test_of_many_p_is_sampled():
    rng = np.random.default_rng(4)
    one, two = rng.random((2, 30)) + np.array([[0.2], [0.0]])
    with pytest.warns(UserWarning, match="estimated from 9,999 random swaps"):
        found = compare(one, two, None, lambda x, _: float(x.mean()))
    low, high = found.pvalue_interval
    assert low <= paired_permutation_test(one, two).pvalue <= high
    again = compare(one, two, None, lambda x, _: x.mean(), method="monte_carlo", rng=found.seed)
    assert (again.pvalue, again.n_resamples) == (found.pvalue, 9999)
    listed = compare(one[:14], two[:14], None, median, budget={"max_points": 2**14})
    assert listed.method == "enumeration"
    assert listed.pvalue == float(listed.fraction)


@pytest.mark.parametrize(
    ("score", "swapped"),
    [(auc, "mid-ranks"), (pearson, "standardised outputs"), (median, "outputs")],
)
def test_what_is_swapped(score, swapped):
    """Outputs on two scales are compared by their ranks, or where they stand in their column."""
    rng = np.random.default_rng(5)
    references = rng.integers(0, 2, 12)
    one, two = rng.normal(size=(2, 12)) + references
    found = compare(one, two, references, score)
    assert found.metric_options == {"swapped": swapped}
    assert f"swaps of the systems' {swapped}" in found.summary()
    scaled = compare(one, 100.0 * two + 7.0, references, score)
    assert (scaled.pvalue == pytest.approx(found.pvalue)) is (swapped != "outputs")


def test_texts_and_rows():
    """Lists where entries are no numbers, arrays of rows where they are."""
    texts = [["a b", "c", "d"], ["a", "c", "e"], ["a b", "c d", "d"]]
    found = compare(*texts, lambda x, y: sum(map(str.__eq__, x, y)) / len(x))
    assert (found.score1, found.score2, found.n_differing) == (2 / 3, 0.0, 2)
    rows = np.random.default_rng(6).random((2, 8, 3))
    found = compare(*rows, [0, 1, 2, 0, 1, 2, 0, 1], lambda x, y: -np.log(x[range(8), y]).mean())
    assert (found.n, found.metric_words) == (8, "score")
    assert compare([1.0, 2.0], [1.0, 2.0], None, median).pvalue == 1.0
    assert compare([0.5, 0.5, 0.5], [0.1, 0.2, 0.7], None, median).pvalue == 0.5  # and no warning
    assert math.isclose(found.statistic, found.score1 - found.score2)


@refuses
def test_refusals():
    compare([1, 2], [2, 1], [1, 0], auc, method="dp")
    # -> `method` must be 'auto', 'exact', 'enumeration', 'monte_carlo' for a metric that is a
    #    function, got 'dp'
    compare([1, 2], [2, 1], [1, 0], auc, test="bootstrap")
    # -> `test` is not for a metric that is a function. Leave it out.
    compare([1, 2], [2, 1], [1, 0], auc, lower_is_better=1)
    # -> `lower_is_better` must be True or False, got 1 (int).
    compare([1, 2], [2], [1, 0], auc)
    # -> `predictions2` must have one entry per example, 2 as `predictions1`, got 1.
    compare([1, 2], [2, 1], [1, 0], auc, groups=[1])
    # -> `groups` must have one entry per example, 2 as `predictions1`, got 1.
    compare(np.ones((2, 3)), np.ones((2, 4)), None, median)
    # -> `predictions2` must have entries of one shape, (3,) as `predictions1`, got (4,).
    compare([], [], [], auc)
    # -> `predictions1` is empty
    compare(["a", None], ["b", "c"], ["a", "b"], auc)
    # -> `predictions1`[1] is missing
    compare([1.0, math.nan], [1.0, 2.0], None, median)
    # -> `predictions1`[1] is missing
    compare([1, 2], [2, 1], None, lambda x, _: x)
    # -> `metric` must return one finite number of two columns, also where some examples are
    #    swapped, got array([1, 2]) (ndarray).
    compare([*range(20)], [*range(1, 21)], None, median, method="exact")
    # -> BudgetError: all swaps of 20 that differ take 1,048,576 calls of the function;
    #    `max_points` of `budget` allows 4.1e+03. Raise it (it takes about 8.7 minutes). Or
    #    sample: method='monte_carlo'.
    compare([1, 2], [2, 1], [1, 0], "roc_auc")
    # -> Pass `compare` a function of (predictions, references)
    score_interval([1, 2], [1, 0], auc)
    # -> A function of (predictions, references) is for `compare`, of two systems.
    compare([1, 2], [2, 1], [1, 0], auc, average="macro")
    # -> TypeError: unexpected option 'average'. Options of a metric that is a function:
    compare([1, 2], [2, 1], [1, 0], "win_rate")
    # -> Verdicts on pairs of answers are one column: pairedperm.preference(verdicts).
    compare([1, 2], [2, 1], [1, 0], "mean_squared_error")
    # -> It is a mean of scores of the examples
