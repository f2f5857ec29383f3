"""Quantiles of bootstrap distributions: of a sum on a lattice, and of a ratio of two sums."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable

import numpy as np

from pairedperm.convolution.characteristic import residues
from pairedperm.convolution.draws.law import ResampledLaw
from pairedperm.convolution.draws.tail import fast_window, on_unit_lattice, surviving_terms
from pairedperm.convolution.integers import exact_dot, largest_entry
from pairedperm.convolution.law import FloatArray, IntArray, distinct_rows
from pairedperm.errors import BudgetError
from pairedperm.options import Budget

_LEFT_OUT = 2.0**-50  # proof: mass beyond the window, and error of all dropped frequencies
_POINTS_PER_TERM = 16  # tuned: points of the transform back that cost as much as a term
_TIED = 1e-12  # proof: probabilities that differ by less are taken for the same
_MAX_RATIO_POINTS = 2**20  # tuned: most points of both sums of a ratio that are laid out
_POINT_NOISE = 1e-17  # proof: mass of a point that rounding may have put there

_Pair = tuple[IntArray, IntArray]  # numerators and denominators


def sum_quantiles(
    values: IntArray, counts: IntArray, level: float, budget: Budget
) -> tuple[int, int]:
    """Return the least s with P(S ≤ s) ≥ level, and the greatest s with P(S ≥ s) ≥ level.

    S is the sum of n = Σ counts draws. `values` are ascending and distinct; level is at most one
    half. P(S ≤ s) is a sum over the few frequencies at which the characteristic function has not
    died away. They are the same for all s, and each quantile is found by bisection.

    Raises
    ------
    BudgetError
        If a transform would be too long.
    """
    n, lowest = int(counts.sum()), int(counts.sum()) * int(values[0])
    if values.size == 1:
        return lowest, lowest
    # the law of S without tilt, in a window that holds all but 2^-50
    lattice, unit = on_unit_lattice(values)
    law, total = ResampledLaw(lattice, counts, 0.0), n * int(lattice[-1])
    centre = exact_dot(counts, lattice)
    window = fast_window(law, centre, total, _LEFT_OUT)
    length, first = window.length, centre - window.n_tail + 1
    terms = surviving_terms(law, first, length, math.log(_LEFT_OUT / length), budget)
    ends = first - 1, min(first + length - 1, total)
    if _POINTS_PER_TERM * terms.frequencies.size > length:  # then all masses at once cost less
        spectrum = np.zeros(length // 2 + 1, dtype=np.complex128)
        # the transform back multiplies the conjugate by e^{-iω (s - first)}
        spectrum[terms.frequencies] = terms.modulus * np.exp(-1j * terms.phase)
        cumulated = np.cumsum(np.fft.irfft(spectrum, length)[: ends[1] - first + 1])
        low, high = _places(cumulated, level)
        return lowest + unit * (first + low), lowest + unit * (first + high)
    # P(S ≤ s) is a geometric series at each frequency, for any s
    frequencies = terms.frequencies[1:]  # the first is 0
    weight = np.where(2 * frequencies == length, 1.0, 2.0) / length
    phi = weight * terms.modulus[1:] * np.exp(1j * terms.phase[1:])
    phi /= 1.0 - np.exp(frequencies * (-2j * math.pi / length))

    def below(s: int) -> float:
        """Return P(S ≤ s)."""
        m = s - first + 1
        turned = np.exp(residues(frequencies, m % length, length) * (-2j * math.pi / length))
        return m / length + math.fsum((phi * (1.0 - turned)).real.tolist())

    # bisection; a probability that ties with the level but for rounding counts as equal
    tied = min(_TIED, level / 2.0)
    low = _first(ends, lambda s: below(s) >= level - tied)
    high = _first(ends, lambda s: below(s) > 1.0 - level + tied)
    return lowest + unit * low, lowest + unit * high


def _first(ends: tuple[int, int], holds: Callable[[int], bool]) -> int:
    """Return the first number after `ends[0]` for which `holds` is true, at most `ends[1]`."""
    after = range(ends[0] + 1, ends[1])
    return after.start + bisect_left(after, True, key=holds)


def ratio_quantiles(
    pair: _Pair, counts: IntArray, level: float, if_none: float, budget: Budget
) -> tuple[float, float]:
    """Return the `level` and 1 - `level` quantiles of a ratio of sums over n = Σ counts draws.

    Denominators are not negative, and some are positive. If they sum to 0, the ratio is `if_none`.
    The law of both sums is laid out.

    Raises
    ------
    BudgetError
        If it has more than a million points, or a sum exceeds int64.
    """
    (tops, bottoms), masses = _both_sums(pair, counts, budget)
    # each point of the law has a ratio: sort them, and add their masses
    is_none = bottoms == 0
    ratios = np.where(is_none, if_none, tops[:, None] / np.where(is_none, 1, bottoms))
    is_there = masses > _POINT_NOISE
    values, masses = ratios[is_there], masses[is_there]
    order = np.argsort(values, kind="stable")
    values, cumulated = values[order], np.cumsum(masses[order])
    low, high = _places(cumulated, level)
    return float(values[low]), float(values[high])


def _both_sums(pair: _Pair, counts: IntArray, budget: Budget) -> tuple[list[IntArray], FloatArray]:
    """Return the law of all pairs of sums: both axes and the masses.

    Raises
    ------
    BudgetError
        If it has too many points, or a sum exceeds int64.
    """
    n, lengths, axes, places = int(counts.sum()), [], [], []
    most = min(_MAX_RATIO_POINTS, budget.max_points)
    for column in pair:
        if n * largest_entry(column) >= 2**62:
            raise BudgetError("the percentiles of a ratio need sums beyond int64")
        where, how_often = distinct_rows([column], counts)
        first = column[where]
        lattice, unit = on_unit_lattice(first)
        place = (column - first[0]) // unit
        start, length = 0, 1
        if first.size > 1:
            law, centre = ResampledLaw(lattice, how_often, 0.0), exact_dot(how_often, lattice)
            window = fast_window(law, centre, n * int(lattice[-1]), _LEFT_OUT)
            start, length = centre - window.n_tail + 1, window.length
        lengths.append(length)
        if math.prod(lengths) > most:
            raise BudgetError(
                f"the percentiles of a ratio need the law of two sums, of more than {most:,} points"
            )
        sums = start + (np.arange(length) - start) % length  # sums at the points, in their order
        axes.append(n * int(first[0]) + unit * sums)
        places.append(place % length)
    # the law of one draw on both axes; to the n-th power, its transform is that of n draws
    one = np.zeros(lengths)
    np.add.at(one, tuple(places), counts / n)
    return axes, np.fft.irfft2(np.fft.rfft2(one) ** n, lengths)


def _places(cumulated: FloatArray, level: float) -> tuple[int, int]:
    """Return where cumulated masses first reach `level`, and where they exceed 1 - `level`."""
    tied = min(_TIED, level / 2.0)
    exceeds = cumulated > 1.0 - level + tied
    last = int(exceeds.argmax()) if exceeds.any() else cumulated.size - 1
    return int((cumulated >= level - tied).argmax()), last
