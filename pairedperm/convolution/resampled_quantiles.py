"""Quantiles of a bootstrap distribution: of a sum on a lattice, and of a ratio of two sums."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.resampled import fast_window, on_unit_lattice, surviving_terms
from pairedperm.convolution.resampled_law import ResampledLaw
from pairedperm.errors import BudgetError

__all__ = ["ratio_quantiles", "sum_quantiles"]

_LEFT_OUT = 2.0**-50  # of the law: what the window and the frequencies that are dropped may have
_EVALUATED = 16  # terms that cost as much as a point of the transform back
_TIED = 1e-12  # probabilities that are taken for the same
_SMOOTHED = 1.0 / 64.0  # standard deviations of the normal variable that is added to a ratio's sum
_REACH = 9.0  # standard deviations that a sum hardly leaves
_DAMPED = 7.0  # standard deviations that the normal variable's characteristic function leaves
_CELLS = 2**18  # frequencies times rows that are looked at together
_WIDER = 60  # times that an interval is doubled
_POINTS = 2**20  # of both sums of a ratio, that are laid out
_NOISE = 1e-17  # mass of a point that rounding may have put there
_PRECISE = 1e-6  # of the standard error


def sum_quantiles(
    values: IntArray, counts: IntArray, level: float, budget: Budget
) -> tuple[int, int]:
    """The least s with P(S ≤ s) ≥ level, and the greatest with P(S ≥ s) ≥ level.

    S is the sum of n = Σ counts draws, `values` ascending and distinct; level is at most one half.
    P(S ≤ s) is a sum over the few frequencies where the characteristic function has not died
    away, the same for all s, and each quantile is found by bisection.

    Raises
    ------
    BudgetError
        If a transform would be too long.
    """
    n, lowest = int(counts.sum()), int(counts.sum()) * int(values[0])
    if values.size == 1:
        return lowest, lowest
    lattice, _ = on_unit_lattice(values, counts, 0)
    unit = int(values[1] - values[0]) // int(lattice[1])
    law, total = ResampledLaw(lattice, counts, 0.0), n * int(lattice[-1])
    centre = exact_dot(counts, lattice)
    window = fast_window(law, centre, total, _LEFT_OUT, budget)
    length, first = window.length, centre - window.n_tail + 1
    terms = surviving_terms(law, first, length, math.log(_LEFT_OUT / length))
    ends = first - 1, min(first + length - 1, total)
    if _EVALUATED * terms.frequencies.size > length:  # as dear as all masses at once
        spectrum = np.zeros(length // 2 + 1, dtype=np.complex128)
        # e^{-iω (s - first)} is what the transform back has of the conjugate
        spectrum[terms.frequencies] = terms.modulus * np.exp(-1j * terms.phase)
        cumulated = np.cumsum(np.fft.irfft(spectrum, length)[: ends[1] - first + 1])
        low = first + int(np.argmax(cumulated >= level - _TIED))
        high = first + int(np.argmax(cumulated > 1.0 - level + _TIED))
        return lowest + unit * low, lowest + unit * high
    frequencies = terms.frequencies[1:]  # the first is 0
    weight = np.where(2 * frequencies == length, 1.0, 2.0) / length
    phi = weight * terms.modulus[1:] * np.exp(1j * terms.phase[1:])
    phi /= 1.0 - np.exp(frequencies * (-2j * math.pi / length))

    def below(s: int) -> float:
        """P(S ≤ s)."""
        m = s - first + 1
        turned = np.exp((frequencies * m % length) * (-2j * math.pi / length))
        return m / length + math.fsum((phi * (1.0 - turned)).real.tolist())

    low = _first(ends, lambda s: below(s) >= level - _TIED)
    high = _first(ends, lambda s: below(s) > 1.0 - level + _TIED)
    return lowest + unit * low, lowest + unit * high


def _first(ends: tuple[int, int], holds: Callable[[int], bool]) -> int:
    """The first number after the first end where it holds, as it does at the last."""
    low, high = ends
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def ratio_quantiles(
    numerators: IntArray,
    denominators: IntArray,
    counts: IntArray,
    level: float,
    if_none: float,
    budget: Budget,
) -> tuple[float, float]:
    """The `level` and 1 - `level` quantiles of a ratio of sums over n = Σ counts draws.

    Denominators are not negative, and some are positive; where they sum to 0 it is `if_none`.
    Up to some hundred thousand points of both sums their law is laid out; otherwise the ratio takes
    so many values that it is smoothed (`_smoothed`).
    """
    try:
        return _of_points(numerators, denominators, counts, level, if_none, budget)
    except BudgetError:
        return _smoothed(numerators, denominators, counts, level, if_none)


def _of_points(
    numerators: IntArray,
    denominators: IntArray,
    counts: IntArray,
    level: float,
    if_none: float,
    budget: Budget,
) -> tuple[float, float]:
    """By the masses of all pairs of sums; BudgetError if there are too many."""
    n, lengths, axes, places = int(counts.sum()), [], [], []
    for column in (numerators, denominators):
        first, how_often = _distinct(column, counts)
        lattice, _ = on_unit_lattice(first, how_often, 0)
        unit = int(first[1] - first[0]) // int(lattice[1]) if first.size > 1 else 1
        place = (column - first[0]) // unit
        start, length = 0, 1
        if first.size > 1:
            law, centre = ResampledLaw(lattice, how_often, 0.0), exact_dot(how_often, lattice)
            allowed = Budget(min(_POINTS, budget.max_frequencies), budget.max_bytes)
            window = fast_window(law, centre, n * int(lattice[-1]), _LEFT_OUT, allowed)
            start, length = centre - window.n_tail + 1, window.length
        sums = start + (np.arange(length) - start) % length  # of the points, in their order
        axes.append(n * int(first[0]) + unit * sums)
        lengths.append(length)
        places.append(place % length)
    if lengths[0] * lengths[1] > _POINTS:
        raise BudgetError("there are too many points")
    one = np.zeros(lengths)
    np.add.at(one, tuple(places), counts / n)
    masses = np.fft.irfft2(np.fft.rfft2(one) ** n, lengths)
    is_none = axes[1] == 0
    ratios = np.where(is_none, if_none, axes[0][:, None] / np.where(is_none, 1, axes[1]))
    is_there = masses > _NOISE
    values, masses = ratios[is_there], masses[is_there]
    order = np.argsort(values, kind="stable")
    values, cumulated = values[order], np.cumsum(masses[order])
    low = values[int(np.argmax(cumulated >= level - _TIED))]
    high = values[int(np.argmax(cumulated > 1.0 - level + _TIED))]
    return float(low), float(high)


def _smoothed(
    numerators: IntArray, denominators: IntArray, counts: IntArray, level: float, if_none: float
) -> tuple[float, float]:
    """About the same, of a ratio that takes many values.

    P(ratio ≤ q) = P(V ≤ 0), V = Σ (numerator - q denominator). To V is added a normal variable with
    a 64th of its standard deviation, which moves a quantile by some ten-thousandths of it. Then few
    frequencies do, on no lattice: for |V| < L, sgn V = 4/π Σ_j sin(t V) / (2j + 1),
    t = (2j + 1) π / L, and so

        P(V ≤ 0) = 1/2 - 2/π Σ_j Im E e^{itV} / (2j + 1).

    Where all denominators are 0, so is V, and the ratio is to be `if_none`.
    """
    n, share = int(counts.sum()), counts / counts.sum()
    a, z = numerators.astype(np.float64), denominators.astype(np.float64)
    ratio = float((share * a).sum() / (share * z).sum())
    there = z > 0.0
    empty = float(share[~there].sum()) ** n

    def spread(q: float) -> tuple[FloatArray, float, float]:
        """Numerator - q denominator, and the mean and the standard deviation of V."""
        v = a - q * z
        mean = float((share * v).sum())
        return v, n * mean, math.sqrt(n * float((share * (v - mean) ** 2).sum()))

    def below(q: float) -> float:
        v, mean, deviation = spread(q)
        if deviation == 0.0:
            return 0.5 - 0.5 * math.copysign(1.0, mean)
        reach = abs(mean) + _REACH * deviation
        last = _DAMPED * reach / (math.pi * _SMOOTHED * deviation)
        odd = np.arange(1.0, max(last, 3.0), 2.0)
        t = odd * (math.pi / reach)
        step = max(_CELLS // v.size, 1)
        centred = 1j * (v - mean / n)
        one = np.concatenate(
            [np.exp(t[k : k + step, None] * centred) @ share for k in range(0, t.size, step)]
        )
        with np.errstate(divide="ignore"):
            phi = np.exp(n * np.log(one) + 1j * mean * t - (_SMOOTHED * deviation * t) ** 2 / 2.0)
        found = 0.5 - 2.0 / math.pi * float((phi.imag / odd).sum())
        return found + empty * (0.5 if q >= if_none else -0.5)

    error = spread(ratio)[2] / float((counts * z).sum())
    if error <= 1e-14 * abs(ratio):
        return ratio, ratio
    ends = a[there] / z[there]
    least, most = float(ends.min()), float(ends.max())
    if empty:
        least, most = min(least, if_none), max(most, if_none)
    low, high = (_solved(below, p, ratio, error) for p in (level, 1.0 - level))
    return max(low, least), min(high, most)


def _solved(below: Callable[[float], float], p: float, start: float, step: float) -> float:
    """Where a function that grows from 0 to 1 is p."""
    from scipy.optimize import brentq  # slow to import

    low, high, width = start - 2.0 * step, start + 2.0 * step, 2.0 * step
    for _ in range(_WIDER):
        if below(low) <= p:
            break
        low, high, width = low - 2.0 * width, low, 2.0 * width
    for _ in range(_WIDER):
        if below(high) >= p:
            break
        low, high, width = high, high + 2.0 * width, 2.0 * width
    return float(brentq(lambda q: below(q) - p, low, high, xtol=_PRECISE * step))


def _distinct(column: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """Ascending, and how often each occurs."""
    values, place = np.unique(column, return_inverse=True)
    how_often = np.zeros(values.size, dtype=np.int64)
    np.add.at(how_often, place, counts)
    return values, how_often
