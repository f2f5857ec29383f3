"""Known answers and named hard cases on a lattice: a call, and the p that it must have."""

from fractions import Fraction

import numpy as np
import pytest

from campaigns.exact.lowered import lowered
from corpora.ratio_rows import FAR_APART, RATIO
from oracles import ratios, reals, swaps
from pairedperm import (
    PairedCounts,
    Ratio,
    paired_permutation_test,
)

GREATER, LESS = {"alternative": "greater"}, {"alternative": "less"}
F1, SHARE = {"score": Ratio([2, 0, 0], [0, 1, 1])}, {"score": RATIO}
BASIS = [[1.0, 0.0], [1e14, 323.0]], [[96.9, 735.0], [0.667, 1.0]]  # of a lattice beyond int64
NONE = [[0, 0]], [[1, 2]]
NEVER_BETTER = (PairedCounts([[0, 0]] * 2, [[3, 3], [1, 2]], [88, 264]),)
NEARLY_LEAST = (PairedCounts([[1, 2], [0, 0]], [[0, 0], [1, 1]], [1000, 270]),)
THREE = np.repeat(np.eye(3, dtype=int), 40, axis=0)
ANY = np.random.default_rng(0)


def means(*parts):
    """Differences, each so many times: the wins of both systems."""
    d = np.repeat(*zip(*parts, strict=True))
    return np.maximum(d, 0), np.maximum(-d, 0)


def half(n):
    return Fraction(1, 2**n)


def zero(otherwise):
    return {"score": Ratio([1, 0], [0, 1], zero_division=otherwise)}


def of_rows(rows):
    """Rows of numerator and denominator of both systems."""
    return np.asarray(rows)[:, :2], np.asarray(rows)[:, 2:]


def of_few(rows, alternative="two-sided"):
    """Ratios of few examples, whose true p all swaps give."""
    p = ratios.brute_force(np.asarray(rows).tolist(), alternative)
    return p, of_rows(rows), SHARE | {"alternative": alternative}


def of_scores(*parts, **options):
    """Means whose true p is that of two lists of sums."""
    one, two = means(*parts)
    return reals.of_integers((one - two).tolist()), (one, two), options


@pytest.mark.parametrize(
    ("p", "columns", "options"),
    [
        # by hand: 2 of 2^5 swaps reach 5; McNemar of 10 and 2; (-6, -3, 9) reach 0 in 5 of 8
        (half(4), means((1, 5)), {}),
        (Fraction(2 * (1 + 12 + 66), 2**12), means((1, 10), (-1, 2)), {}),
        (Fraction(5, 8), means((-6, 1), (-3, 1), (9, 1)), GREATER),
        *((half(87), means((1, 88), (0, 12)), {"method": x}) for x in ("exact", "dp", "bracket")),
        # the limits of intervals and of logarithms
        (half(4999), means((1, 5000)), {}),
        (half(1080), means((1, 1080)), GREATER),
        *(
            (1 - half(60), means((1, 59), (-1, 1)), LESS | x)
            for x in ({}, {"method": "enumeration"})
        ),
        # a huge value among small ones
        of_scores((10**7, 1), (1, 700), (-1, 300)),
        of_scores((2**60 + 1, 1), (1 - 2**60, 1)),
        of_scores((2**62, 1), (-(2**61), 2), (7, 1)),
        of_scores((100000003, 1), (-10000001, 1), (9999991, 1), (1234567, 1), (-7654321, 1)),
        # where the masses of Algorithm 3 are scaled
        of_scores((3, 500), (1, 280), (-2, 320), method="dp"),
        # system 1 predicts nothing: z against 1/2, or 1/2 against z
        (half(1), NONE, zero(1.0) | GREATER),
        (1, NONE, zero(0.5) | GREATER),
        (1, ([[0, 0], [1, 0]], [[0, 0], [0, 0]]), zero(0.5)),
        # rows far apart in size, in different ways
        *((1, FAR_APART, SHARE | {"method": x}) for x in ("auto", "exact", "enumeration")),
        (Fraction(3, 4), FAR_APART, SHARE | GREATER),
        (half(1), FAR_APART, SHARE | LESS),
        (half(1), BASIS, SHARE),
        of_few(ANY.integers(0, 2**55, (5, 4))),
        of_few(np.add(ANY.integers(0, 4, (6, 4)), [10**14, 0, 10**14, 0]), "less"),
        # all the mass in one row, or nearly the least p
        (half(351), NEVER_BETTER, SHARE),
        (half(1270), NEARLY_LEAST, zero(1.0) | LESS),
        # three independent columns, each binomial
        (half(119), (THREE, 0 * THREE), {"score": lambda sums: sums.min(axis=-1)}),
    ],
)
def test_p_is_the_true_one(p, columns, options):
    result = paired_permutation_test(*columns, **options)
    assert swaps.is_certified(result, Fraction(p))
    assert swaps.relative_error(result, Fraction(p)) <= 1e-11


@pytest.mark.parametrize(("method", "n"), [("fft", 88), ("dp", 2600)])
def test_what_a_method_cannot_tell(method, n):
    """2 of 2^n swaps are far below the noise of a Fourier transform, or the least float."""
    result = paired_permutation_test(*means((1, n), (0, 12)), method=method)
    assert half(n - 1) < result.pvalue < 2e-15
    assert swaps.is_certified(result, half(n - 1))


@pytest.mark.parametrize("method", ["exact", "dp", "fft", "enumeration", "bracket", "monte_carlo"])
def test_identical_systems(method):
    """P = 1: the authors' own FFT recursed for ever there."""
    for scores, options in (([1, 2, 3], {}), ([0.5], GREATER)):
        result = paired_permutation_test(scores, scores, method=method, **options)
        assert (result.pvalue, result.log_pvalue, result.n_differing) == (1.0, 0.0, 0)
        assert result.pvalue_interval[1] == 1.0


@pytest.mark.thorough
def test_no_tilt_is_worse_than_none():
    rows = [[29, 0, 650, 147], [115, 0, 550, 92], [9, 0, 70, 116]]
    p, (one, two), _ = of_few(np.multiply(rows, [1, 1, -1, 1]))
    one, two = np.insert(one, 1, 0, axis=1), np.insert(two * [-1, 1], 0, 0, axis=1)
    names = ("COUNTED", "ENUMERATED", "MANY_BITS", "MANY_SUMS")
    with lowered({f"plane.tail.{name}": 0 for name in names}):
        result = paired_permutation_test(one, two, score=Ratio([1, -1, 0], [0, 0, 1]))
    assert swaps.is_certified(result, p)


def test_the_law_of_sizes_far_apart():
    """The values of four swaps, though the basis of their lattice exceeds int64."""
    result = paired_permutation_test(*BASIS, **SHARE, **GREATER)
    null = result.null_distribution()
    assert null.pmf.tolist() == [0.25] * 4
    assert result.statistic in null.support


def test_millions_of_few_kinds():
    """P is far below 1e-300, by the exponent at a Gaussian's accuracy."""
    rows = [[1, 1, 1], [0, 1, 1], [1, 2, 1]], [[0, 1, 1], [1, 1, 1], [1, 1, 1]]
    counts = PairedCounts(*rows, [6 * 10**6, 599 * 10**4, 3 * 10**6])
    result = paired_permutation_test(counts, **F1, method="exact")
    low, high = result.log_pvalue_interval
    assert low <= result.log_pvalue <= high < low * (1 - 1e-9)
