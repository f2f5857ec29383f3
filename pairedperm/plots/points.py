"""The points of a null distribution that can be seen in a picture, evenly spaced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError, Name, describe
from pairedperm.options import BudgetLike
from pairedperm.results.figures import unit_of
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.sentence import p_in_words

DRAWN = 10**6  # tuned: most sampled swaps that are drawn once more
_STEMS = 60  # tuned: points that are seen one by one
_BINS = 160  # tuned: most bins
_IN_A_BIN = 40  # tuned: points in a bin on average, if they lie on no lattice
_FEWEST = 20  # tuned: least bins
_HOLES = 1.5  # tuned: points of a lattice for each value that some swaps gave
_FAINT = 1e-5  # tuned: share of the largest mass, below which nothing is seen
_SAME = 1e-9  # tuned: share of the observed difference by which a point may differ from it
_FAR = {  # what the differences of a tail are
    "two-sided": "at least as\nfar from 0",
    "greater": "at least as\nhigh",
    "less": "at most as\nhigh",
}


@dataclass(frozen=True, slots=True)
class VisiblePoints:
    """The visible part of a null distribution, in the unit of printed differences.

    Attributes
    ----------
    values, masses : float64 array, shape (k,)
        The differences, ascending, and their probabilities.
    is_tail : bool array, shape (k,)
        Which values are at least as extreme as the observed one.
    edges : float64 array, shape (k + 1,), or None
        The edges of bins around the values; None if each value is a point of the distribution.
    observed : float
        The observed difference.
    share : str
        What the masses are: "probability", or "share of the samples".
    """

    values: FloatArray
    masses: FloatArray
    is_tail: NDArray[np.bool_]
    edges: FloatArray | None
    observed: float
    share: str


def visible_points(result: Any, budget: BudgetLike = None) -> VisiblePoints:
    """Return up to 60 points one by one, and more points in bins; of the samples if p is sampled.

    Raises
    ------
    InputError
        If it is no result of a permutation test, or was pickled without its score function.
    BudgetError
        If the null distribution of an exact p has more points than the budget allows.
    """
    if not isinstance(result, PairedPermutationResult):
        must = "be that of a paired-permutation test"
        raise InputError(Name("result"), must=must, got=describe(result))
    if result.n_resamples is None:
        null = result.null_distribution(budget)
    else:
        null = result._sampled_distribution(min(result.n_resamples, DRAWN), budget)
    factor, edges = unit_of(result.metric).factor, None
    observed = factor * result.statistic
    values, masses = _seen(factor * null.support, null.pmf)
    if values.size > _STEMS:
        values, masses = _even(values, masses, observed)
        half = (values[1] - values[0]) / 2.0
        edges = np.append(values - half, values[-1] + half)
    is_tail = _is_extreme(values, observed, result.alternative)
    share = "probability" if result.n_resamples is None else "share of the samples"
    return VisiblePoints(values, masses, is_tail, edges, observed, share)


def swaps_in_words(result: PairedPermutationResult) -> str:
    """Return the label of the axis: "difference by 9,999 random swaps (percentage points)"."""
    what, unit = "statistic" if result.score1 is None else "difference", unit_of(result.metric).name
    n = result.n_resamples or 0
    first = f"the first {DRAWN:,} of " if n > DRAWN else ""
    swaps = f"{first}{n:,} random swaps" if n else "random swaps"
    return f"{what} by {swaps}{f' ({unit})' if unit else ''}"


def tail_in_words(result: PairedPermutationResult) -> str:
    """Return p and a description of the tail, in three lines."""
    return f"{p_in_words(result).partition(' (')[0]}:\n{_FAR[result.alternative]}"


def _seen(values: FloatArray, masses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the values between the outermost ones whose mass can be seen."""
    visible = np.flatnonzero(masses >= _FAINT * masses.max())
    span = slice(visible[0], visible[-1] + 1)
    return values[span], masses[span]


def _even(values: FloatArray, masses: FloatArray, observed: float) -> tuple[FloatArray, FloatArray]:
    """Return as many evenly spaced values as an eye can tell, and the mass at each."""
    above, gaps = values - values[0], np.diff(values)
    n_gaps = np.rint(gaps / gaps.min())
    unit = above[-1] / n_gaps.sum()
    if n_gaps.sum() > _HOLES * gaps.size or np.abs(gaps - unit * n_gaps).max() > unit / 4.0:
        return _binned(values, masses, observed)
    places = np.rint(above / unit).astype(np.int64)
    lattice = np.linspace(values[0], values[-1], places[-1] + 1)
    every = np.zeros(lattice.size)
    lattice[places], every[places] = values, masses
    return _smoothed(lattice, every)


def _is_extreme(values: FloatArray, observed: float, alternative: str) -> NDArray[np.bool_]:
    """Tell which values are at least as extreme as the observed one, apart from rounding."""
    margin = _SAME * abs(observed)
    if alternative == "greater":
        return values >= observed - margin
    if alternative == "less":
        return values <= observed + margin
    return np.abs(values) >= abs(observed) - margin


def _smoothed(values: FloatArray, masses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return some of the values, each with the mass of its neighbours."""
    n_each = -(-values.size // _BINS)
    return values[::n_each], np.convolve(masses, np.ones(n_each), "same")[::n_each]


def _binned(
    values: FloatArray, masses: FloatArray, observed: float
) -> tuple[FloatArray, FloatArray]:
    """Return bins of one width; no bin is partly in a tail."""
    edge = abs(observed) * (1.0 - _SAME)
    width = float(values[-1] - values[0]) / min(_BINS, max(_FEWEST, values.size // _IN_A_BIN))
    if edge > width:
        width = edge / round(edge / width)
    numbers = np.floor(np.abs(values) / width) + 0.5
    last = int(numbers.max())
    places = (np.copysign(numbers, values) + last + 0.5).astype(np.int64)
    heights = np.zeros(2 * last + 2)
    np.add.at(heights, places, masses)
    centres = np.asarray((np.arange(heights.size) - last - 0.5) * width, np.float64)
    return centres, heights
