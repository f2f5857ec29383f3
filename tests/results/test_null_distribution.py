"""The null distribution against the oracle's counts, and its quantiles."""

import math
from decimal import Decimal
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oracles import swaps as oracle
from pairedperm import paired_permutation_test
from pairedperm.convolution.line import masses as pmf_module
from properties import cases, generators


def null_of(differences, **options):
    scores = np.asarray(differences)
    return paired_permutation_test(scores, np.zeros_like(scores)).null_distribution(**options)


def check(differences, tolerance=1e-15):
    null, n = null_of(differences), len(differences)
    truth = oracle.signed_sum_counts(differences)
    sums = sorted(truth)
    assert null.support.tolist() == [s / n for s in sums]
    exact = np.array([float(Fraction(truth[s], 2**n)) for s in sums])
    assert np.abs(null.pmf - exact).max() <= tolerance
    assert abs(math.fsum(null.pmf.tolist()) - 1.0) <= 1e-15
    assert null.pmf.min() >= 0.0
    assert (null.pmf == null.pmf[::-1]).all()
    return null, exact


@cases(1)
@given(st.lists(st.integers(-40, 40), min_size=1, max_size=30))
def test_small_laws_are_relatively_accurate(differences):
    """Convolved, and by transform."""
    null, exact = check(differences)
    assert null.pmf == pytest.approx(exact, rel=1e-13, abs=0)
    if any(differences):
        with mock.patch.object(pmf_module, "CONVOLVED_POINTS", 0):
            check(differences)


@pytest.mark.parametrize(
    ("scores", "support", "pmf"),
    [
        ([0, 0], [0.0], [1.0]),
        ([2**62] * 5, [k * 2.0**62 / 5 for k in (-5, -3, -1, 1, 3, 5)], None),
        # ± 2^62 ± 1 ± 3, over 3, of which some are one float
        ([2**62, 2**62 + 1, 3], None, [0.25, 0.125, 0.125, 0.125, 0.125, 0.25]),
        ([0.123456789012, 0.5, -0.25], None, [0.125] * 8),
        # in units of 2^-52 of all differences
        ([2**0.5, 1e16, 3**0.5], None, [0.5, 0.5]),
    ],
)
def test_the_statistic_is_in_the_support(scores, support, pmf):
    """Almost, of sums beyond floats; points that are one float are one point."""
    found = paired_permutation_test(scores, [0] * len(scores))
    null = found.null_distribution()
    assert (null.support.dtype, null.pmf.dtype) == (np.float64, np.float64)
    assert np.isclose(null.support, found.statistic, rtol=1e-15, atol=0.0).any()
    assert (np.diff(null.support) > 0.0).all()
    assert support in (None, null.support.tolist())
    assert pmf in (None, null.pmf.tolist())


@cases(1)
@given(rng=generators)
def test_it_is_rounded_as_the_support_is(rng):
    unit = int(rng.integers(1, 10 ** int(rng.integers(1, 18))))
    differences = unit * rng.integers(-5, 6, int(rng.integers(1, 12)))
    found = paired_permutation_test(differences, np.zeros_like(differences))
    assert found.statistic in found.null_distribution().support


def test_values_that_differ_by_rounding_are_one():
    """Sums of tenths in floats, in many orders; what is apart by more than 1e-12 stays apart."""
    one, two = [[3 * k, 0] for k in range(1, 8)], [[0, k] for k in range(1, 8)]
    for rows in ((one, two), (np.array(one) / 3, np.array(two) / 3)):
        found = paired_permutation_test(*rows, score=lambda s: s @ [0.1, 0.3])  # always 0
        null = found.null_distribution()
        assert (null.support.tolist(), null.pmf.tolist(), found.pvalue) == ([0.0], [1.0], 1.0)
    one, two = [[k, 0, 0] for k in (1, 2, 3, 4)], [[0, 1, 2 * k] for k in (1, 2, 3, 4)]
    sizes = [
        paired_permutation_test(one, two, score=score).null_distribution().support.size
        for score in (lambda s: s @ [1, 3, 7], lambda s: 1e3 + 1e-8 * (s @ [1, 3, 7]))
    ]
    assert sizes[0] == sizes[1]


def test_cdf_and_quantiles_are_those_of_a_binomial():
    null, k = null_of([1] * 40), np.arange(41)
    assert null.support == pytest.approx((2 * k - 40) / 40)
    assert null.cdf(null.support) == pytest.approx(stats.binom.cdf(k, 40, 0.5), rel=1e-12)
    assert null.cdf([-2.0, 2.0]).tolist() == [0.0, 1.0]
    levels = [1e-9, 0.025, 0.1, 0.5, 0.9, 0.975, 1.0]
    expected = (2 * stats.binom.ppf(levels, 40, 0.5) - 40) / 40
    assert null.quantile(levels) == pytest.approx(expected)
    assert null.quantile(0.0) == -1.0
    # at a level that is attained, and that sums of masses may miss by a rounding
    for x, below in zip(null.support[:-1], stats.binom.cdf(k, 40, 0.5), strict=False):
        assert null.cdf(null.quantile(below)) >= below - 1e-15
        assert null.quantile(below) <= x


@pytest.mark.parametrize(
    "values",
    [
        *(1, True, Fraction(1, 2), Decimal("0.5"), np.float32(0.5), np.array(0.5), [], [[]]),
        *([0, 1], [[0.0, 1.0], [0.5, 0.25]], np.zeros((2, 0, 3)), [np.array([0.5, 1.0]), [0, 1]]),
    ],
    ids=repr,
)
def test_the_shape_of_the_argument(values):
    null = null_of([1, 2])
    assert null.cdf(values).shape == null.quantile(values).shape == np.shape(values)


def test_nobody_writes_into_it():
    null = null_of([1, 2])
    assert repr(null) == "NullDistribution(4 values from -1.5 to 1.5)"
    with pytest.raises(ValueError, match="read-only"):
        null.pmf[0] = 1.0
    with pytest.raises(AttributeError):
        null.pmf = null.support
