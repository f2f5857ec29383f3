"""Enumeration: p-values of real and other scores, as exact fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from choices import plan
from oracles import reals as real_oracle
from oracles import statistics, swaps
from oracles import vectors as sum_oracle
from oracles.reals import contains
from oracles.vectors import ALTERNATIVES
from pairedperm import Ratio, compare, paired_permutation_test, structured_permutation_test
from pairedperm.convolution.integers import enumeration_size
from properties import cases, generators, one_in


def enumerated(scores1, scores2, **options):
    return paired_permutation_test(scores1, scores2, method="enumeration", **options)


def check(result, truth, p=None):
    """The fraction is the truth or the given p, the float its rounding, and it is certified."""
    assert contains(result.pvalue_interval, truth)
    truth = truth if p is None else p
    assert result.fraction == truth
    assert result.pvalue == truth.numerator / truth.denominator
    assert contains(result.pvalue_interval, truth)
    low, high = result.log_pvalue_interval
    assert low <= result.log_pvalue <= high <= 0.0
    assert result.log_pvalue == swaps.nearest_log(truth)
    assert (result.method, result.interval) == ("enumeration", "certified")


def check_reals(scores1, scores2, truth, alternative):
    """The p is the upper end of what rounding of the scores leaves open; the floats are within."""
    p = real_oracle.upper(scores1, scores2, alternative)
    check(enumerated(scores1, scores2, alternative=alternative), truth, p)


# Real scores


@cases(0.4)
@given(rng=generators)
def test_reals_by_brute_force(rng):
    n = int(rng.integers(1, 11))
    scores = rng.normal(size=(2, n)) * 10.0 ** rng.integers(-30, 30)
    scores[1][rng.random(n) < 0.2] = 0.0
    for alternative in ALTERNATIVES:
        truth = real_oracle.brute_force(real_oracle.differences(*scores), alternative)
        check_reals(*scores, truth, alternative)


@pytest.mark.parametrize("n", [14, 23, pytest.param(30, marks=pytest.mark.thorough)])
def test_reals_in_halves(n):
    rng = np.random.default_rng(n)
    for shift, spread in ((0.0, 0.0), (0.4, 1.0), (-0.9, 5.0)):
        scores = rng.normal(size=(2, n)) * np.exp(spread * rng.normal(size=n))
        scores[0] += shift
        for alternative in ALTERNATIVES:
            truth = real_oracle.pvalue(*scores, alternative)
            check_reals(*scores, truth, alternative)


def test_wide_ranges_of_sizes():
    """Integers of up to two thousand bits, down to the least float there is."""
    for scores in (
        [1e-310, 3e-320, -5e-324, 2e-300],
        [1e200, 3e-200, -1e-200, 2e100, 1 / 3],
        [2e-300, 1.0, -1 / 3, 1e-17, -1e-17],
    ):
        zeros = [0.0] * len(scores)
        for alternative in ALTERNATIVES:
            truth = real_oracle.pvalue(scores, zeros, alternative)
            check_reals(scores, zeros, truth, alternative)


@pytest.mark.parametrize(
    ("alternative", "low", "p"),
    [("greater", 0.25, 0.75), ("less", 0.5, 0.75), ("two-sided", 0.5, 1.0)],
)
def test_what_rounding_moved_apart_ties(alternative, low, p):
    """A float and the next one above it: by hand.

    0 is meant, and three of the four sums ±b ±b are at least 0. If the floats are meant, ±a ±b
    with a > b is observed as a - b > 0: a + b and a - b are at least that.
    """
    a, b = math.nextafter(2**-0.5, 1.0), 2**-0.5
    scores, zeros = [a, -b], [0.0, 0.0]
    result = enumerated(scores, zeros, alternative=alternative)
    check(result, real_oracle.pvalue(scores, zeros, alternative), Fraction(p))
    assert result.pvalue_interval == (low, p)
    assert result.statistic == (a - b) / 2


@pytest.mark.parametrize("sign", [-1, 1])
def test_sums_2_to_the_minus_60_apart(sign):
    """Nearer than two units of a score's last bit, they tie: c ± (a - b) with a - b = ±2^-60."""
    a, b, c = 2.0**-8 + sign * 2.0**-60, 2.0**-8, 3**-0.5
    for signs in itertools.product((-1, 1), repeat=3):
        scores = np.array([a, b, c]) * signs
        for alternative in ALTERNATIVES:
            truth = real_oracle.brute_force(real_oracle.differences(scores, [0.0] * 3), alternative)
            check_reals(scores, np.zeros(3), truth, alternative)


def test_exact_ties_of_reals_count():
    """√2, -√2 and √3: Σ = √3 is reached by the two ways of cancelling √2, and 2√2 + √3 is above."""
    scores = np.array([2**0.5, -(2**0.5), 3**0.5])
    expected = {"two-sided": Fraction(3, 4), "greater": Fraction(3, 8), "less": Fraction(7, 8)}
    # greater: ±√2 ±√2 + √3 is √3 twice, √3 + 2√2 once, and 2√2 - √3 = 1.096 < √3
    for alternative, p in expected.items():
        check(enumerated(scores, np.zeros(3), alternative=alternative), p)


@one_in(3)
@cases(0.2)
@given(rng=generators)
@pytest.mark.parametrize("divisor", [3.0, 7.0, 49.0])
def test_multiples_of_a_root_have_the_p_of_their_integers(rng, divisor):
    """Floats are rounded, and their ties broken: p is that of the integers."""
    whole = rng.integers(0, 30, (2, int(rng.integers(2, 11))))
    scores, n_above = whole / (divisor * 2**0.5), 0
    for alternative in ALTERNATIVES:
        meant = real_oracle.brute_force((whole[0] - whole[1]).tolist(), alternative)
        truth = real_oracle.brute_force(real_oracle.differences(*scores), alternative)
        check(enumerated(*scores, alternative=alternative), truth, meant)
        n_above += meant > truth
    assume(n_above)  # only so many without


def test_repeated_values():
    """60 differing examples with three sizes: 21^3 sums, and not 2^60."""
    rng = np.random.default_rng(8)
    sizes = np.array([2**0.5, 3**0.5, math.pi])
    scores = np.repeat(sizes, 20) * rng.choice([-1.0, 1.0], 60, p=[0.3, 0.7])
    for alternative in ALTERNATIVES:
        truth = real_oracle.pvalue(scores, np.zeros(60), alternative)
        check(enumerated(scores, np.zeros(60), alternative=alternative), truth)
    assert plan(scores, np.zeros(60)).method == "enumeration"


def test_narrow_floats_beside_wide_ones():
    """A float32 may have been rounded by more than the differences are: all sums may tie."""
    narrow = np.array([0.1, 0.2, 0.3, 1.1e-15], dtype=np.float32)
    wide = np.nextafter(narrow.astype(str).astype(float), 2.0)
    wide[3] = 1.3e-15
    meant = narrow.astype(str).astype(float)
    for alternative in ALTERNATIVES:
        result = enumerated(narrow, wide, alternative=alternative)
        check(result, real_oracle.pvalue(meant, wide, alternative), Fraction(1))


# Other scores

F1 = Ratio([2, 0, 0], [0, 1, 1])


def exact_f1(sums):
    return Fraction(2 * sums[0], sums[1] + sums[2]) if sums[1] + sums[2] else Fraction(0)


def spread(sums):
    """A score that is not symmetric, and coarse, so that many sums tie."""
    return sums[..., 0] * 3 - sums[..., 1] ** 2 + sums[..., 0] * sums[..., -1]


def exact_spread(sums):
    return Fraction(3 * sums[0] - sums[1] ** 2 + sums[0] * sums[-1])


@cases(0.25)
@given(rng=generators)
def test_functions_of_sums(rng):
    tp = rng.integers(0, 3, (2, int(rng.integers(1, 9)), 1))
    rows = np.concatenate((tp, tp + rng.integers(0, 3, (*tp.shape[:2], 2))), axis=2)
    for score, exact in ((F1, exact_f1), (spread, exact_spread)):
        for alternative in ALTERNATIVES:
            truth = sum_oracle.brute_force(*rows, exact, alternative)
            result = enumerated(*rows, score=score, alternative=alternative)
            assert (result.fraction, result.method) == (truth, "enumeration")
            assert contains(result.pvalue_interval, truth)
    result = structured_permutation_test(*rows, spread, method="enumeration")
    assert result.fraction == statistics.brute_force(*rows, exact_spread)


labels = st.integers(0, 2)


@cases(0.5)
@pytest.mark.filterwarnings("ignore:.*has only labels")
@given(st.lists(st.tuples(labels, labels, labels), min_size=1, max_size=7))
def test_metrics_of_labels(rows):
    """Macro-F1 and accuracy of all ways of swapping the predictions, by their definitions."""

    def macro_f1(predictions, references):
        shares = []
        for label in sorted({*predictions, *references}):
            pairs = [(p == label, r == label) for p, r in zip(predictions, references, strict=True)]
            shares.append(Fraction(2 * sum(p and r for p, r in pairs), sum(map(sum, pairs))))
        return sum(shares) / len(shares)

    def accuracy(predictions, references):
        return Fraction(sum(map(int.__eq__, predictions, references)), len(references))

    options = {macro_f1: {"metric": "f1", "average": "macro"}, accuracy: {"metric": "accuracy"}}
    one, two, right = map(list, zip(*rows, strict=True))
    for metric, named in options.items():
        found = []
        for choice in itertools.product((False, True), repeat=len(rows)):
            swapped = [(b, a) if c else (a, b) for a, b, c in zip(one, two, choice, strict=True)]
            first, second = zip(*swapped, strict=True)
            found.append(metric(first, right) - metric(second, right))
        truth = Fraction(sum(abs(d) >= abs(found[0]) for d in found), len(found))
        assert compare(one, two, right, **named, method="enumeration").fraction == truth


# Limits


def reals(n):
    return np.random.default_rng(n).normal(size=(2, n))


@pytest.mark.parametrize("n", [1, 40, 44])
def test_44_differing_examples_fit(n):
    for options in ({}, {"method": "enumeration"}):
        found = plan(*reals(n), **options)
        assert (found.method, found.n_points) == ("enumeration", 2 ** (-(-n // 2)))
        assert found.n_bytes <= 2**30
    assert enumeration_size([1] * n) == found.n_points
