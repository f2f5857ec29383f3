"""The null distribution of a difference of scores, point by point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pairedperm.errors import InputError, describe
from pairedperm.inputs.shaped import read_shaped

FloatArray = NDArray[np.float64]
_ROUNDING = 1e-15  # proof: of a sum of masses
_SAME = 1e-12  # proof: of the largest score, by which two values may differ


@dataclass(frozen=True, slots=True, eq=False)
class NullDistribution:
    """The law of a test's statistic when a fair coin swaps the two systems on each example.

    Made by `PairedPermutationResult.null_distribution`, for plots, critical values and power.

    Attributes
    ----------
    support : float64 array, shape (k,)
        The values that some swaps give, strictly ascending, in the units of the statistic; of a
        difference of two systems' scores, symmetric about 0. Values that are one float are one
        point, and of a function those that differ by at most 1e-12 of the largest score.
    pmf : float64 array, shape (k,)
        Their probabilities, within 1e-15 absolutely; they sum to 1. For p-values far below
        that use the test: its relative accuracy does not end there.

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
        """P(D ≤ x), of the shape of `x`; compare with `support`, whose points count.

        Raises
        ------
        InputError
            If `x` holds anything but real numbers, or NaN.
        """
        points = read_shaped("x", x)
        if np.isnan(points).any():
            raise InputError("`x` must be numbers, got NaN.")
        below = np.concatenate(([0.0], self._cumulated()))
        return np.asarray(below[np.searchsorted(self.support, points, side="right")])

    def quantile(self, q: ArrayLike) -> FloatArray:
        """The smallest x of the support with P(D ≤ x) ≥ q, of the shape of `q`.

        Sums of masses are compared with `q` up to their rounding, 1e-15. An observed difference
        above ``quantile(1 - alpha)`` has a one-sided p-value of at most alpha.

        Raises
        ------
        InputError
            If `q` holds anything but numbers from 0 to 1.
        """
        levels = read_shaped("q", q)
        if not ((levels >= 0.0) & (levels <= 1.0)).all():
            raise InputError(
                f"`q` must be probabilities from 0 to 1, got {describe(levels.tolist())}."
            )
        positions = np.searchsorted(self._cumulated(), levels - _ROUNDING, side="left")
        last = self.support.size - 1
        return np.asarray(self.support[np.where(levels == 1.0, last, np.minimum(positions, last))])

    def _cumulated(self) -> FloatArray:
        """P(D ≤ x) for x in the support; the upper half from above, where it is exact near 1."""
        below = np.cumsum(self.pmf)
        above = np.cumsum(self.pmf[::-1])[::-1] - self.pmf  # P(D > x)
        return np.where(below < 0.5, below, 1.0 - above)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.support.size} values from {self.support[0]:.6g} "
            f"to {self.support[-1]:.6g})"
        )


def frozen(support: FloatArray, pmf: FloatArray) -> NullDistribution:
    """The distribution of these, ascending; points that are one float are one."""
    is_new = np.concatenate(([True], support[1:] > support[:-1]))
    if not is_new.all():
        pmf = np.bincount(np.cumsum(is_new) - 1, weights=pmf).astype(np.float64)
        support = support[is_new]
    for array in (support, pmf):
        array.setflags(write=False)
    return NullDistribution(support, pmf)


def law_of(values: FloatArray, masses: FloatArray, size: float) -> NullDistribution:
    """Of values with these masses; those that differ by 1e-12 of a size are the same."""
    gap = _SAME * size
    values = np.where(np.abs(values) <= gap, 0.0, values)
    order = np.argsort(values, kind="stable")
    values = values[order]
    is_new = np.concatenate(([True], np.diff(values) > gap))
    pmf = np.bincount(np.cumsum(is_new) - 1, weights=masses[order])
    return frozen(values[is_new], pmf / pmf.sum())
