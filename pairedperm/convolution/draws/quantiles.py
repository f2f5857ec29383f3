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
from pairedperm.convolution.root import find_root
from pairedperm.errors import BudgetError
from pairedperm.options import Budget

_LEFT_OUT = 2.0**-50  # proof: mass beyond the window, and error of all dropped frequencies
_POINTS_PER_TERM = 16  # tuned: points of the transform back that cost as much as a term
_TIED = 1e-12  # proof: probabilities that differ by less are taken for the same
_REACH = 8.0  # proof: standard deviations that a sum hardly leaves
_FINE, _SHORT, _LONG = 2**11, 12, 20  # proof: points of a rounded sum over √n; range of their log2
_MANY, _SKEWED = 2**20, 0.1  # proof: examples, and skewness, of a sum that is nearly normal
_WIDER = 60  # tuned: times that an interval is doubled
_MAX_RATIO_POINTS = 2**20  # tuned: most points of both sums of a ratio that are laid out
_POINT_NOISE = 1e-17  # proof: mass of a point that rounding may have put there
_PRECISE = 1e-5  # proof: accuracy of a quantile, in standard errors

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
    Up to a million points of both sums, their law is laid out. Otherwise the ratio takes so many
    values that they are rounded (`_rounded`).

    Raises
    ------
    BudgetError
        If the numbers differ too much in size to be rounded.
    """
    try:
        (tops, bottoms), masses = _both_sums(pair, counts, budget)
    except BudgetError:
        return _rounded(pair, counts, level, if_none)
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
        If it has too many points.
    """
    n, lengths, axes, places = int(counts.sum()), [], [], []
    for column in pair:
        if n * largest_entry(column) >= 2**62:
            raise BudgetError("the sums exceed int64")
        where, how_often = distinct_rows([column], counts)
        first = column[where]
        lattice, unit = on_unit_lattice(first)
        place = (column - first[0]) // unit
        start, length = 0, 1
        if first.size > 1:
            law, centre = ResampledLaw(lattice, how_often, 0.0), exact_dot(how_often, lattice)
            window = fast_window(law, centre, n * int(lattice[-1]), _LEFT_OUT)
            if window.length > min(_MAX_RATIO_POINTS, budget.max_points):
                raise BudgetError("the law is too long")
            start, length = centre - window.n_tail + 1, window.length
        sums = start + (np.arange(length) - start) % length  # sums at the points, in their order
        axes.append(n * int(first[0]) + unit * sums)
        lengths.append(length)
        places.append(place % length)
    if lengths[0] * lengths[1] > _MAX_RATIO_POINTS:
        raise BudgetError("there are too many points")
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


def _rounded(pair: _Pair, counts: IntArray, level: float, if_none: float) -> tuple[float, float]:
    """Return nearly the same quantiles, for a ratio that takes many values.

    P(ratio ≤ q) = P(V ≤ 0) for V = Σ (numerator - q denominator). The numbers are rounded to
    multiples of some h, and their mean is kept. The sum of what is rounded off is a few thousandths
    of V's standard deviation. A mass between two multiples is spread evenly.
    """
    numerators, denominators = pair
    n, share = int(counts.sum()), counts / counts.sum()
    scale = float(max(int(numerators.max()), -int(numerators.min()), 1))
    a, z = numerators.astype(np.float64) / scale, denominators.astype(np.float64)
    if_none, there = if_none / scale, z > 0.0
    ratio = float((share * a).sum() / (share * z).sum())
    is_free = bool(a[~there].any())  # the ratio may leave the range of single examples' ratios
    empty = 0.0 if is_free else float(share[~there].sum()) ** n
    length = 2 ** min(max(math.ceil(math.log2(_FINE * math.sqrt(n))), _SHORT), _LONG)

    def spread(q: float) -> tuple[FloatArray, float, float]:
        """Return numerator - q denominator, its mean, and the standard deviation of V."""
        v = a - q * z
        mean = float((share * v).sum())
        return v, mean, math.sqrt(n * float((share * (v - mean) ** 2).sum()))

    def below(q: float) -> float:
        """Return P(ratio ≤ q)."""
        v, mean, deviation = spread(q)
        if deviation == 0.0:  # pragma: no cover: a search hardly ever meets this q
            return 0.5 - 0.5 * math.copysign(1.0, mean)
        skewness = n * float((share * (v - mean) ** 3).sum()) / deviation**3
        if n >= _MANY and abs(skewness) < _SKEWED:  # Edgeworth's series
            x = -n * mean / deviation
            normal = math.exp(-x * x / 2.0) / math.sqrt(2.0 * math.pi)
            return 0.5 * math.erfc(-x / math.sqrt(2.0)) - normal * skewness * (x * x - 1.0) / 6.0
        # the law of V on a grid whose period holds nearly all of it
        h = 2.0 * _REACH * deviation / length
        centred = (v - mean) / h
        grid = np.rint(centred)
        rest = n * float((share * (centred - grid)).sum())
        one = np.bincount(grid.astype(np.int64) % length, weights=share, minlength=length)
        masses = np.roll(np.fft.irfft(np.fft.rfft(one) ** n, length), length // 2)
        if empty:  # here the ratio is `if_none`
            masses[(n * round(-mean / h) + length // 2) % length] -= empty
        x = -(n * mean / h + rest) + length // 2 + 0.5  # places are from k to k + 1
        k = min(max(math.floor(x), 0), length - 1)
        at_most: float = float(masses[:k].sum()) + min(max(x - k, 0.0), 1.0) * float(masses[k])
        return at_most + (empty if q >= if_none else 0.0)

    # search from the observed ratio, in steps of its standard error
    error = spread(ratio)[2] / float((counts * z).sum())
    if error <= 1e-14 * abs(ratio):  # all examples with a positive denominator have this ratio
        values, masses = zip(*sorted([(ratio, 1.0 - empty), (if_none, empty)]), strict=True)
        first, last = _places(np.cumsum(masses), level)
        return values[first] * scale, values[last] * scale
    low, high = (_solved(below, p, ratio, error) for p in (level, 1.0 - level))
    if not is_free:
        ends = [*(a[there] / z[there]).tolist(), *([if_none] if empty else [])]
        low, high = max(low, min(ends)), min(high, max(ends))
    return low * scale, high * scale


def _solved(below: Callable[[float], float], p: float, start: float, step: float) -> float:
    """Return where a function that grows from 0 to 1 is p; BudgetError if rounding prevents it."""
    low, high, width = start - 2.0 * step, start + 2.0 * step, 2.0 * step
    for _ in range(_WIDER):
        if below(low) > p:
            low, high = low - 2.0 * width, low
        elif below(high) < p:
            low, high = high, high + 2.0 * width
        else:
            break
        width *= 2.0
    else:
        raise BudgetError(
            "the percentiles of a ratio need its numbers rounded. A few numbers are so much larger "
            "than the others that nothing is left of the others."
        )
    return find_root(lambda q: below(q) - p, low, high, xtol=_PRECISE * step)
