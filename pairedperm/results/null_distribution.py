"""The null distribution of the statistic, point by point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError, Name, describe
from pairedperm.inputs.numbers import read_shaped

_ROUNDING = 1e-15  # proof: rounding error of a sum of masses
_SAME = 1e-12  # proof: relative to the largest score; rounding moves two equal values less apart


@dataclass(frozen=True, slots=True, eq=False)
class NullDistribution:
    """The distribution of the statistic D when a fair coin swaps the systems on each example.

    `PairedPermutationResult.null_distribution` returns it, for plots, critical values and power.

    Attributes
    ----------
    support : float64 array, shape (k,), k ≥ 1, read-only
        The values that D takes under some swaps, strictly ascending, in units of the statistic.
        The values of a difference of two scores are symmetric about 0. Values that round to the
        same float are one point. If the score is a function, values that differ by at most 1e-12
        of the largest score are one point.
    pmf : float64 array, shape (k,), read-only
        The probability of each value of `support`, with an absolute error of at most 1e-15. They
        sum to 1. For smaller p-values use the test, which has a small relative error.

    Examples
    --------
    >>> from pairedperm import paired_permutation_test
    >>> null = paired_permutation_test([2, 1, 0], [0, 0, 1]).null_distribution()
    >>> (3 * null.support).round().astype(int), null.pmf
    (array([-4, -2,  0,  2,  4]), array([0.125, 0.25 , 0.25 , 0.25 , 0.125]))
    >>> float(3 * null.quantile(0.95)), float(null.cdf(0.0))
    (4.0, 0.625)
    """

    support: FloatArray
    pmf: FloatArray

    def cdf(self, x: ArrayLike) -> FloatArray:
        """Return P(D ≤ x), the probability that the statistic is at most x.

        A point of `support` that equals x counts. Take x from `support` itself where equality
        matters: its values are rounded floats.

        Parameters
        ----------
        x : float or array_like of float, any shape
            Values in units of the statistic; infinite ones are allowed.

        Returns
        -------
        float64 array, the shape of `x` (for a number, shape ())
            Probabilities in [0, 1]: 0 below the first point, 1 from the last point on.

        Raises
        ------
        InputError
            If `x` holds NaN or anything but real numbers, or has rows of different lengths.
        """
        points = read_shaped("x", x)
        if np.isnan(points).any():
            raise InputError(Name("x"), must="be numbers", got="NaN")
        below = np.concatenate(([0.0], self._cumulated()))
        return np.asarray(below[np.searchsorted(self.support, points, side="right")])

    def quantile(self, q: ArrayLike) -> FloatArray:
        """Return the smallest x of `support` with P(D ≤ x) ≥ q.

        An observed difference above ``quantile(1 - alpha)`` has a one-sided p-value of at most
        alpha. The comparison allows for rounding, 1e-15.

        Parameters
        ----------
        q : float or array_like of float, any shape
            Probabilities from 0 to 1, both included.

        Returns
        -------
        float64 array, the shape of `q` (for a number, shape ())
            Points of `support`: the first one for q = 0, the last one for q = 1.

        Raises
        ------
        InputError
            If `q` holds NaN, a number outside [0, 1] or anything but real numbers, or has rows of
            different lengths.
        """
        levels = read_shaped("q", q)
        if not ((levels >= 0.0) & (levels <= 1.0)).all():
            must = "be probabilities from 0 to 1"
            raise InputError(Name("q"), must=must, got=describe(levels.tolist()))
        positions = np.searchsorted(self._cumulated(), levels - _ROUNDING, side="left")
        last = self.support.size - 1
        return np.asarray(self.support[np.where(levels == 1.0, last, np.minimum(positions, last))])

    def _cumulated(self) -> FloatArray:
        """Return P(D ≤ x) for x in the support; the upper half as 1 - P(D > x), exact near 1."""
        below = np.cumsum(self.pmf)
        above = np.cumsum(self.pmf[::-1])[::-1] - self.pmf  # P(D > x)
        return np.where(below < 0.5, below, 1.0 - above)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.support.size} values from {self.support[0]:.6g} "
            f"to {self.support[-1]:.6g})"
        )


def frozen(support: FloatArray, pmf: FloatArray) -> NullDistribution:
    """Return the distribution of an ascending support; equal points become one."""
    is_new = np.concatenate(([True], support[1:] > support[:-1]))
    if not is_new.all():
        pmf = np.bincount(np.cumsum(is_new) - 1, weights=pmf).astype(np.float64)
        support = support[is_new]
    for array in (support, pmf):
        array.setflags(write=False)
    return NullDistribution(support, pmf)


def law_of(values: FloatArray, masses: FloatArray, size: float) -> NullDistribution:
    """Return the distribution of values in any order; gaps up to 1e-12 of `size` are no gaps."""
    gap = _SAME * size
    values = np.where(np.abs(values) <= gap, 0.0, values)
    order = np.argsort(values, kind="stable")
    values = values[order]
    is_new = np.concatenate(([True], np.diff(values) > gap))
    pmf = np.bincount(np.cumsum(is_new) - 1, weights=masses[order])
    return frozen(values[is_new], pmf / pmf.sum())
