"""The method that real rows get, and functions that are ratios."""

import itertools
import math
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from choices import plan
from corpora.real_rows import fractional, squared
from corpora.sum_scores import SCORES, deviation, macro, precision
from oracles.deviations import deviations_by_brute_force, sign, sign_of_difference
from oracles.real_rows import differences, of_floats
from oracles.vectors import ALTERNATIVES
from pairedperm import PairedCounts, Ratio, paired_permutation_test
from properties import cases, generators, one_in

NO_LATTICE = r"the scores lie on no lattice: `counts1`\[0\]\[0\] is 0\.\d+, no decimal of at most"

# What is chosen


@pytest.mark.parametrize("score", [precision, Ratio([1, 0], [1, 1])])
@pytest.mark.parametrize(("n", "method"), [(8, "enumeration"), (22, "enumeration"), (23, "mc")])
def test_auto(score, n, method):
    rows = np.random.default_rng(9).random((2, n, 2))
    found = plan(*rows, score=score)
    assert found.rank == 2
    if method == "enumeration":
        assert (found.method, found.n_points) == (method, 2**n)
        assert re.match("all swaps are listed, because " + NO_LATTICE, found.reason)
        if n == 22:  # seconds
            return
        result = paired_permutation_test(*rows, score=score)
        assert result == paired_permutation_test(*rows, score=score, method=method)
        return
    assert found.method == "monte_carlo"
    with pytest.warns(UserWarning, match="p is estimated .*, because " + NO_LATTICE) as warned:
        result = paired_permutation_test(*rows, score=score, rng=0)
    assert found.reason.removeprefix("p is sampled, ") in str(warned[0].message)
    assert result == paired_permutation_test(*rows, score=score, method="monte_carlo", rng=0)


def share(sums):
    return sums[..., 0] / (sums @ [1.0, 1.0, 2.0, 1.0])


@pytest.mark.parametrize("score", [macro, share])
@pytest.mark.parametrize("run", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_decimals_that_are_too_fine(run, score):
    """Rows whose lattice exceeds the budget are listed, unless there are too many examples."""
    rng = np.random.default_rng(10)
    rows = rng.random((2, 22, 4)).round(11)
    options = {"score": score, "budget": {"max_bytes": 10**8}}
    found = plan(*rows, **options)
    assert (found.method, found.n_points) == ("enumeration", 2**22)
    assert found.reason.startswith("all swaps are listed, because the exact p-value needs ")
    for limits in ({"max_points": 2**21, "max_bytes": 10**8}, {"max_bytes": 10**7}):
        assert plan(*rows, score=score, budget=limits).method == "monte_carlo"
    assert plan(*rng.random((2, 200, 4)).round(12), score=score).method == "monte_carlo"
    if run:  # seconds
        result = paired_permutation_test(*rows, **options)
        assert result.method == "enumeration"
        assert result.pvalue == of_floats(*rows, score)


def test_a_ratio_of_decimals_that_are_too_fine():
    """Few swaps are counted exactly, in the plane."""
    rows = np.random.default_rng(10).random((2, 14, 4)).round(11)
    score = Ratio([1, 0, 0, 0], [1, 1, 2, 1])
    found, result = plan(*rows, score=score), paired_permutation_test(*rows, score=score)
    assert (found.method, found.reason) == ("exact", "all swaps are counted")
    assert (result.method, result.pvalue) == ("exact", of_floats(*rows, share))


def test_decimals_whose_sums_are_no_floats():
    """Sums beyond 2^52 in integers are no reason to refuse: the rows are read as floats."""
    rows = np.random.default_rng(11).uniform(0, 9, (2, 1000, 2)).round(12)
    found = plan(*rows, score=precision)
    assert found.method == "monte_carlo"
    assert "sums are exact floats only up to 2^52" in found.reason


class Simplified:
    """A function that says that it is a ratio."""

    def __init__(self, answer):
        self.answer, self.shapes = answer, []

    def ratio_for(self, rows1, rows2):
        self.shapes.append((rows1.shape, rows2.shape))
        return self.answer

    def __call__(self, sums):
        return precision(sums)


@pytest.mark.parametrize("unit", [1, 21])
def test_a_function_may_be_a_ratio(unit):
    ratio = Ratio([1, 0], [1, 1])
    rows = np.random.default_rng(12).integers(1, 9, (2, 12, 2)) / unit
    score, other = Simplified(ratio), Simplified(None)
    expected = paired_permutation_test(*rows, score=ratio)
    assert paired_permutation_test(*rows, score=score) == expected
    assert score.shapes == [((12, 2), (12, 2))] * len(score.shapes)
    assert plan(*rows, score=score) == plan(*rows, score=ratio)
    assert plan(*rows, score=other) == plan(*rows, score=precision)
    assert paired_permutation_test(*rows, score=other).pvalue == expected.pvalue
    if unit == 1:
        counts = PairedCounts.from_rows(*rows)
        assert paired_permutation_test(counts, score=score).pvalue == expected.pvalue


# Null distributions


def test_null_distribution():
    exact, rows = fractional(np.random.default_rng(13), 8, 2)
    result = paired_permutation_test(*rows, score=precision)
    null = pickle.loads(pickle.dumps(result)).null_distribution()
    found = sorted(differences(*exact, SCORES["precision"][0]))
    values = sorted(set(found))
    assert null.support == pytest.approx([float(d) for d in values], abs=1e-13)
    assert null.pmf == pytest.approx([found.count(d) / 2**8 for d in values], abs=1e-15)


# Errors


def test_signs_of_differences_of_roots():
    for a, b, c, d in itertools.product((0, 1, 2, 4, 8, 9), repeat=4):
        expected = math.sqrt(a) - math.sqrt(b) - (math.sqrt(c) - math.sqrt(d))
        found = sign_of_difference(*map(Fraction, (a, b, c, d)))
        assert found == (sign(expected) if abs(expected) > 1e-9 else 0)


def spread(rng):
    """Numbers about 100 of two systems, some examples twice, which tie."""
    values = rng.normal(100.0, 1.0, (2, int(rng.integers(3, 7))))
    return np.concatenate((values, values[::-1, : int(rng.integers(0, 3))]), axis=1)


@one_in(21)
@pytest.mark.parametrize("seed", range(45))
def test_standard_deviations(seed):
    values = spread(np.random.default_rng(seed))
    rows, n = squared(values), values.shape[1]
    truth = deviations_by_brute_force(*rows.tolist())
    for alternative in ALTERNATIVES:
        options = {"score": deviation(n), "alternative": alternative}
        result = paired_permutation_test(*rows, **options)
        assert (result.method, result.interval) == ("enumeration", "certified")
        low, high = map(Fraction, result.pvalue_interval)
        assert low <= truth[alternative] <= high
        assert result.pvalue == high


@pytest.mark.thorough
@cases(2)
@given(rng=generators)
def test_the_observed_assignment_counts(rng):
    """The observed assignment counts, and with two sides its mirror image, despite rounding."""
    n = int(rng.integers(1, 7))
    values = 100 + rng.integers(0, rng.choice([2, 5, 1000]), (2, n)) / rng.choice([3, 7, 900])
    differing = int((values[0] != values[1]).sum())
    for alternative in ALTERNATIVES:
        options = {"score": deviation(n), "alternative": alternative}
        result = paired_permutation_test(*squared(values), **options)
        least = 2.0**-differing * (1 + (alternative == "two-sided" and differing > 0))
        assert result.pvalue_interval[0] >= least
