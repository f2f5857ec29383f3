"""The papers' engines, dp and fft: p-values as by all the others."""

import math
import re
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from choices import plan
from corpora.sum_scores import SCORES
from oracles import statistics
from oracles import swaps as oracle
from oracles import vectors as sum_oracle
from oracles.reals import contains
from oracles.sums import brute_force
from oracles.vectors import ALTERNATIVES
from pairedperm import BudgetError, Ratio, paired_permutation_test, structured_permutation_test
from properties import cases, generators, one_in

ENGINES = ("dp", "fft")
F1 = Ratio([2, 0, 0], [0, 1, 1])


def exact_f1(row):
    return Fraction(2 * row[0], row[1] + row[2]) if row[1] + row[2] else Fraction(0)


def check(test, *arguments, truth, **options):
    """Every engine says the truth, as exactly as it may."""
    for method in (*ENGINES, "exact"):
        result = test(*arguments, method=method, **options)
        assert (result.method, result.interval) == (method, "certified")
        assert contains(result.pvalue_interval, truth), (result, float(truth))
        if method == "fft":
            assert abs(result.pvalue - truth) <= 1e-13
        else:
            assert abs(Fraction(result.pvalue) / truth - 1) <= 1e-11, (result, float(truth))
        low, high = result.log_pvalue_interval
        assert low <= result.log_pvalue <= high
        assert result.fraction is None


@pytest.mark.thorough
@cases(1.5)
@given(rng=generators)
def test_scores(rng):
    """Integers and tenths, small and larger, with many ties and with few."""
    n, largest = int(rng.integers(1, 40)), int(rng.choice([2, 5, 30, 300]))
    whole = rng.integers(0, largest, (2, n))
    whole[0] += rng.random(n) < rng.choice([0.0, 0.5])
    columns = whole if rng.random() < 0.5 else whole / 10
    for alternative in ALTERNATIVES:
        truth = oracle.pvalue((whole[0] - whole[1]).tolist(), alternative)
        check(paired_permutation_test, *columns, alternative=alternative, truth=truth)


@cases(0.75)
@given(rng=generators)
def test_ratios(rng):
    """F1 from rows of true positives, predicted and right ones."""
    tp = rng.integers(0, 3, (2, int(rng.integers(1, 9)), 1))
    rows = np.concatenate((tp, tp + rng.integers(0, 3, (*tp.shape[:2], 2))), axis=2)
    for alternative in ALTERNATIVES:
        truth = brute_force(*rows, exact_f1, alternative)
        check(paired_permutation_test, *rows, score=F1, alternative=alternative, truth=truth)


@one_in(5)
@cases(0.1)
@given(rng=generators)
@pytest.mark.parametrize("score", SCORES)
def test_functions_of_three_columns(rng, score):
    """Scores of sums, and the same as statistics, which are not symmetric."""
    exact, function = SCORES[score]
    rows = rng.integers(0, rng.choice([2, 4]), (2, int(rng.integers(1, 9)), 3))
    for alternative in ALTERNATIVES:
        truth = brute_force(*rows, exact, alternative)
        check(paired_permutation_test, *rows, score=function, alternative=alternative, truth=truth)
    truth = statistics.brute_force(*rows, exact)
    check(structured_permutation_test, *rows, function, truth=truth)


@cases(0.1)
@given(rng=generators)
def test_the_oracles_are_the_same(rng):
    """The oracle with all sums at once agrees with the one that goes swap by swap."""
    rows = rng.integers(0, 4, (2, int(rng.integers(1, 7)), 3))
    for exact, _ in SCORES.values():
        for alternative in ALTERNATIVES:
            truth = sum_oracle.brute_force(*rows, exact, alternative)
            assert brute_force(*rows, exact, alternative) == truth


@one_in(3)
@pytest.mark.parametrize("n", [600, 1100, 1500, 2600])
def test_dp_where_masses_are_scaled(n):
    """Below 1e-100, also where 2^-n is no float: relatively accurate, until p is none either."""
    rng = np.random.default_rng(n)
    ps = []
    for share in (0.62, 0.8, 0.97):
        whole = rng.integers(1, 4, n) * np.where(rng.random(n) < share, 1, -1)
        truth = oracle.pvalue(whole)
        result = paired_permutation_test(whole, np.zeros(n, dtype=int), method="dp")
        assert contains(result.pvalue_interval, truth)
        if truth > Fraction(1, 10**290):
            assert abs(Fraction(result.pvalue) / truth - 1) <= 1e-11
            assert result.log_pvalue == pytest.approx(float(oracle.log(truth)), rel=1e-12)
        else:
            assert result.pvalue >= truth * (1 - Fraction(1, 10**11))
        ps.append(truth)
    assert any(Fraction(1, 10**290) < p < Fraction(1, 10**100) for p in ps) or n == 600
    assert min(ps) < Fraction(1, 10**100)


# Corners


@pytest.mark.parametrize("method", [*ENGINES, "exact", "enumeration", "bracket"])
def test_identical_systems(method):
    """P = 1: the authors' own FFT recursed for ever there."""
    for scores in ([1, 2, 3], [0.5], [2**0.5, 1 / 3]):
        if scores[0] == 2**0.5 and method in (*ENGINES, "exact"):
            continue
        result = paired_permutation_test(scores, scores, method=method)
        assert (result.pvalue, result.log_pvalue, result.n_differing) == (1.0, 0.0, 0)
        assert result.pvalue_interval == (1.0, 1.0)
        assert result.fraction == (1 if method == "enumeration" else None)
    if method != "bracket":
        rows = [[1, 2, 2], [0, 1, 3]]
        for score in (F1, lambda sums: sums[..., 0]):
            assert paired_permutation_test(rows, rows, score=score, method=method).pvalue == 1.0


def test_88_wins_to_none():
    """88 of 100 examples differ, all in one direction: 2 · 2^-88, which the FFT cannot tell."""
    wins, none, truth = np.repeat([1, 0], [88, 12]), np.zeros(100, dtype=int), Fraction(2, 2**88)
    for method in ("exact", "dp", "bracket"):
        assert paired_permutation_test(wins, none, method=method).pvalue == float(truth)
    assert float(truth) == pytest.approx(6.46e-27, rel=1e-3)
    result = paired_permutation_test(wins, none, method="fft")
    assert truth < result.pvalue < 2e-15
    assert contains(result.pvalue_interval, truth)
    assert result.log_pvalue == pytest.approx(math.log(result.pvalue))


RNG = np.random.default_rng(0)
FINE = RNG.integers(0, 10**6, (2, 200))


@pytest.mark.thorough
def test_what_the_message_asks_for_is_enough():
    columns = FINE[:, :60] // 100
    for method in ENGINES:
        with pytest.raises(BudgetError) as caught:
            plan(*columns, method=method, budget={"max_points": 1000})
        taken = float(re.search(r"Raise it to (\S+) \(", str(caught.value)).group(1))
        found = plan(*columns, method=method, budget={"max_points": math.ceil(taken * 1.01)})
        assert (found.method, found.rank) == (method, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            paired_permutation_test(*columns, method=method)


@pytest.mark.parametrize(
    ("method", "n"),
    [("enumeration", 3), ("enumeration", 60)] + [("exact", n) for n in (3, 60, 1080)],
)
def test_wins_alone(method, n):
    """One, two, or all swaps but one are extreme: intervals and logarithms at their limits."""
    wins = [1] * n, [0] * n
    few = {
        "greater": Fraction(1, 2**n),
        "two-sided": Fraction(1, 2 ** (n - 1)),
        "less": Fraction(1),
    }
    for alternative, truth in few.items():
        result = paired_permutation_test(*wins, method=method, alternative=alternative)
        assert result.log_pvalue == oracle.nearest_log(truth)
        assert oracle.is_certified(result, truth)
    mixed = [1] * (n - 1) + [0], [0] * (n - 1) + [1]
    truth = 1 - Fraction(1, 2**n)  # only n wins are further than n - 1 wins and a loss
    result = paired_permutation_test(*mixed, method=method, alternative="less")
    assert oracle.is_certified(result, truth)
    assert result.pvalue_interval[1] <= 1.0
    assert result.log_pvalue == oracle.nearest_log(truth)
