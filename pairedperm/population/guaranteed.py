"""The guaranteed interval of a mean of differences within a known range, from counts.

Each of G examples or groups has a sum of differences d_g over n_g examples. All differences lie in
[-R, R], and Δ is their mean in the population. Somebody bets against Δ that the mean is larger,
with the share c of the capital at each group. No group has more than N examples. The wealth is

    K(Δ) = mean over bets c of Π_g (1 + c (d_g - Δ n_g) / (N (R + Δ))).

Why it is valid. As d_g ≥ -R n_g, a factor is at least 1 - c > 0. Let Δ be the true mean,
Σ E d_g / Σ E n_g. Groups are independent; their laws may differ. The factors' expectations have the
mean 1. By the inequality of means their product is at most 1, so E K(Δ) ≤ 1, and by Markov's
inequality K(Δ) reaches 2 / α with a probability of at most α / 2. The bets depend on G and α alone,
not on the data.

Why N must be known. The expectations are of a factor with this N. The largest size that was drawn
is no such N: it is smaller just where the large groups, which may all be losses, were not drawn.
So N is the size of all groups, where all have one, or a limit that was fixed beforehand. Some may
have the size 0: their factor is 1, and the others are as many as they are.

Why it is an interval. The derivative of (d - Δ n) / (R + Δ) is -(d + R n) / (R + Δ)² ≤ 0. So K
falls in Δ, and K(R) ≤ 1. The Δ with K(Δ) < 2 / α lie above one number, the lower limit. The upper
limit is minus the lower one of -d. No factor depends on the order, so merged counts suffice.

Rounding. A limit is where K is 2 / α plus a bound of its rounding error, on the outer side.
Distinct differences are sorted first, so that any order gives the same bits.

References
----------
.. [1] I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting",
   Journal of the Royal Statistical Society B 86, 2024.
.. [2] J. J. Ryu, A. Bhatt, "On confidence sequences for bounded random processes via universal
   gambling strategies", 2022.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.root import crossing
from pairedperm.options import printed_fraction

_LARGEST_BET = 0.97  # proof: below 1, so that no factor is 0
_INEXACT = 2.0**-46  # proof: 64 of 2^-52: 8 of a factor, 50 of numpy's sum by halves, 6 of weights


def guaranteed_interval(
    differences: NDArray[np.float64],
    counts: NDArray[np.int64],
    largest: float,
    confidence_level: float,
    sizes: NDArray[Any] | None = None,
    largest_size: float | None = None,
) -> tuple[float, float]:
    """Return limits of the mean difference that hold for any law within the range.

    Parameters
    ----------
    differences : float array, shape (k,)
        The differences of examples, or the sums of groups.
    counts : int array, shape (k,)
        How often each occurs.
    largest : float
        R, the largest absolute difference that one example can have.
    confidence_level : float
        Between 0 and 1. It is read as the decimal that it prints as.
    sizes : array, shape (k,), or None
        The number of examples of each group, not all 0; None for single examples. They may have
        weights, and be no integers; see `average_interval`.
    largest_size : float or None
        N, the largest size that a group can have. None: the largest of these, which is fixed.

    Returns
    -------
    tuple of float, length 2
        Both limits, from -largest to largest.
    """
    sizes = np.ones(counts.size, dtype=np.int64) if sizes is None else sizes
    most = float(sizes.max() if largest_size is None else largest_size)
    half = float((1 - printed_fraction(confidence_level)) / 2)
    bets = _bets(float(counts.sum()), half)
    low, high = (
        largest * _lower_mean(*distinct_groups(x, sizes, counts), most, bets, half)
        for x in (differences / largest, -differences / largest)
    )
    low, high = (max(math.nextafter(x, -math.inf), -largest) for x in (low, high))
    return low + 0.0, 0.0 - high  # no -0.0


def distinct_groups(
    sums: FloatArray, sizes: NDArray[Any], counts: NDArray[Any]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the distinct sums of differences with their sizes, sorted, and their counts."""
    keys, where = np.unique(sums + 1j * sizes, return_inverse=True)
    return keys.real, keys.imag, np.bincount(where.ravel(), weights=counts).astype(np.float64)


def _bets(n: float, half: float) -> FloatArray:
    """Return √(-2 log(half) / n) and its doubles below 0.97, and 0.97."""
    least = math.sqrt(-2.0 * math.log(half) / n)
    n_doubles = max(math.ceil(math.log2(_LARGEST_BET / least)), 0)
    return np.append(least * 2.0 ** np.arange(n_doubles), _LARGEST_BET)


def _lower_mean(
    scaled: FloatArray,
    sizes: FloatArray,
    counts: FloatArray,
    most: float,
    bets: FloatArray,
    half: float,
) -> float:
    """Return the root of K(Δ) = 1 / half in units of R, rounded down."""
    target = -math.log(half)

    def lack(mean: float) -> float:
        """Return log(1 / half) - log K, at most, plus its rounding error."""
        room = most * (1.0 + mean)
        steps = np.multiply.outer(bets, (scaled - mean * sizes) / room)
        parts = (np.abs(scaled) + (1.0 + abs(mean)) * sizes) / room
        inexact = np.multiply.outer(bets / (1.0 - bets), parts)
        logs = np.log1p(steps)
        errors = counts * (np.abs(logs) + inexact)
        wealth = (counts * logs).sum(axis=1) - _INEXACT * errors.sum(axis=1)
        top = float(wealth.max())
        log = top + math.log(float(np.exp(wealth - top).mean()))
        return target * (1.0 + _INEXACT) - log + _INEXACT * (1.0 + abs(top))

    n = float(counts.sum())
    size = float(counts @ sizes) / n
    mean = float(counts @ scaled) / n / size
    variance = float(counts @ (scaled - mean * sizes) ** 2) / n
    needed = target + math.log(bets.size)
    distance = (math.sqrt(2.0 * needed * variance / n) + needed * (1.0 + mean) / n) / size
    if not distance > 0.0:
        return -1.0  # all differences are there, and no bet wins
    return crossing(lack, -1.0, 1.0, mean - distance, 2.0 * needed / distance)
