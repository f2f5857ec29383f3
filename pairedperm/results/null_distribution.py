"""The null distribution of a difference of scores, point by point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pairedperm.convolution import Budget, GridLaw, central_pmf, grid_pmf, spanned
from pairedperm.errors import InputError
from pairedperm.inputs.columns import describe
from pairedperm.permutation.means import DifferenceCounts
from pairedperm.permutation.ratio_differences import RatioDifferences

__all__ = ["NullDistribution", "frozen", "null_distribution", "ratio_null_distribution"]

FloatArray = NDArray[np.float64]
_ROUNDING = 1e-15  # of a sum of masses


@dataclass(frozen=True, slots=True, eq=False)
class NullDistribution:
    """The law of a test's statistic when a fair coin swaps the two systems on each example.

    Made by `PairedPermutationResult.null_distribution`, for plots, critical values and power.

    Attributes
    ----------
    support : float64 array, shape (k,)
        The values that some swaps give, ascending, in the units of the statistic; of a
        difference of two systems' scores, symmetric about 0.
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
        """P(D ≤ x), of the shape of `x`; compare with `support`, whose points count."""
        x = np.asarray(x, dtype=np.float64)
        if np.isnan(x).any():
            raise InputError("`x` must be numbers, got NaN.")
        below = np.concatenate(([0.0], self._cumulated()))
        return np.asarray(below[np.searchsorted(self.support, x, side="right")])

    def quantile(self, q: ArrayLike) -> FloatArray:
        """The smallest x of the support with P(D ≤ x) ≥ q, of the shape of `q`.

        Sums of masses are compared with `q` up to their rounding, 1e-15. An observed difference
        above ``quantile(1 - alpha)`` has a one-sided p-value of at most alpha.

        Raises
        ------
        InputError
            If `q` is not from 0 to 1.
        """
        q = np.asarray(q, dtype=np.float64)
        if not ((q >= 0.0) & (q <= 1.0)).all():
            raise InputError(f"`q` must be probabilities from 0 to 1, got {describe(q.tolist())}.")
        positions = np.searchsorted(self._cumulated(), q - _ROUNDING, side="left")
        last = self.support.size - 1
        return np.asarray(self.support[np.where(q == 1.0, last, np.minimum(positions, last))])

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


def null_distribution(
    differences: DifferenceCounts, denominator: int, budget: Budget
) -> NullDistribution:
    """The law of unit (W - 2B) / denominator, B the sum of a random half of W = Σ |d|."""
    total = differences.total
    support, pmf = central_pmf(differences.values, differences.multiplicities, total, budget)
    signed = 2 * support - total
    if max(total * differences.unit, denominator) <= 2**53:  # both floats, divided and rounded once
        points = signed * differences.unit / denominator
    else:
        exact = (int(s) * differences.unit / denominator for s in signed)
        points = np.fromiter(exact, dtype=np.float64, count=signed.size)
    return frozen(points, pmf)


def ratio_null_distribution(differences: RatioDifferences, budget: Budget) -> NullDistribution:
    """The law of the difference of two ratios, over the sums S = W - 2B of their differences."""
    vectors, counts = differences.vectors, differences.multiplicities
    lattice = spanned(vectors, counts)
    if lattice.rank == 0:
        return frozen(np.zeros(1), np.ones(1))
    total = np.array(differences.total)
    if lattice.rank == 1:
        sizes = lattice.multiples(vectors)
        order = np.argsort(sizes)
        n_steps = int((counts * sizes).sum())
        places, pmf = central_pmf(sizes[order], counts[order], n_steps, budget)
        sums = total - 2 * places[:, None] * np.array(lattice.direction)
    else:
        points, pmf = grid_pmf(GridLaw(lattice.coordinates(vectors), counts), budget)
        x = points[:, 0] * lattice.step + points[:, 1] * lattice.shear
        sums = total - 2 * np.stack((x, points[:, 1] * lattice.rise), axis=1)
    support, position = np.unique(differences.rounded(sums), return_inverse=True)
    return frozen(support, np.bincount(position, weights=pmf).astype(np.float64))


def frozen(*arrays: FloatArray) -> NullDistribution:
    """The distribution of these arrays, which stay as they are."""
    for array in arrays:
        array.setflags(write=False)
    return NullDistribution(*arrays)
