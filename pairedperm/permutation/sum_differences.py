"""What a test of any function of column sums needs of two columns of rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import ProductLaw, exact_dot, exact_sum, product_law
from pairedperm.convolution.sampling import sampled_sums
from pairedperm.errors import NoLatticeError
from pairedperm.scoring.counts import distinct_rows

__all__ = ["SumDifferences"]

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
_SOME = 64  # random assignments
_LARGEST = 2**53  # integers up to which all are floats


@dataclass(frozen=True)
class SumDifferences:
    """The multiset of the differences of two columns of rows, up to sign, and their sums.

    A fair coin decides for each example whether its first row is counted or its second. The sum
    is then C = start - B, B = Σ_k vectors[k] · Binomial(multiplicities[k], 1/2), and the sum of
    the rows that are not counted is total - C.
    """

    vectors: IntArray  # shape (k, m): distinct, not 0, the first entry that is not 0 positive
    multiplicities: IntArray
    sum1: IntArray  # of the first rows, shape (m,)
    sum2: IntArray
    n: int  # examples, those without a difference included

    @classmethod
    def from_rows(
        cls, rows1: IntArray, rows2: IntArray, multiplicities: IntArray | None
    ) -> SumDifferences:
        """Of rows of shape (k, m); `multiplicities` says how often each occurs, None once.

        Raises
        ------
        NoLatticeError
            If a sum exceeds 2^52.
        """
        largest, n = 0, len(rows1)
        sums: list[list[int]] = []
        for rows in (rows1, rows2):
            if multiplicities is None:
                sums.append([exact_sum(column) for column in rows.T])
                largest += n * int(np.abs(rows).max(initial=0))
            else:
                n = exact_sum(multiplicities)
                sums.append([exact_dot(multiplicities, column) for column in rows.T])
                sizes = (exact_dot(multiplicities, np.abs(column)) for column in rows.T)
                largest += max(sizes, default=0)
        if 2 * largest > _LARGEST:
            fact = f"the counts add up to {largest:.3g}, and beyond 2^52 sums are no floats"
            raise NoLatticeError(f"{fact}. Give the counts in a larger unit.", fact)
        return cls.from_small_rows(rows1, rows2, multiplicities, np.array(sums), n)

    @classmethod
    def from_small_rows(
        cls,
        rows1: IntArray,
        rows2: IntArray,
        multiplicities: IntArray | None,
        sums: IntArray,
        n: int,
    ) -> SumDifferences:
        """Of rows with these sums of both columns, shape (2, m), none of which exceeds 2^52."""
        differences = rows1 - rows2
        first = (differences != 0).argmax(axis=1)
        is_turned = differences[np.arange(len(differences)), first] < 0
        differences[is_turned] *= -1
        where, how_often = distinct_rows(list(differences.T), multiplicities)
        vectors = differences[where]
        matters = vectors.any(axis=1) & (how_often > 0)
        return cls(vectors[matters], how_often[matters], sums[0], sums[1], n)

    @property
    def n_differing(self) -> int:
        """Number of examples with a difference."""
        return int(self.multiplicities.sum())

    @cached_property
    def total(self) -> IntArray:
        """What no swap changes: the sum of all rows."""
        return np.asarray(self.sum1 + self.sum2)

    @cached_property
    def start(self) -> IntArray:
        """The sum of the counted rows where B = 0."""
        reach = self.multiplicities @ self.vectors
        return np.asarray((self.total + reach) // 2)

    @cached_property
    def law(self) -> ProductLaw:
        """Of B, not yet computed."""
        return product_law(self.vectors, self.multiplicities)

    @cached_property
    def some(self) -> FloatArray:
        """C of the observed assignment, of its mirror image, and of some random ones."""
        rng = np.random.default_rng(0)
        found = sampled_sums(self.vectors, self.multiplicities, _SOME, rng)
        return np.concatenate((self.sum1[None], self.sum2[None], *map(self.counted, found)))

    def counted(self, sums: FloatArray) -> FloatArray:
        """C of B."""
        return np.asarray(self.start - sums, dtype=np.float64)

    def counted_of_signed(self, signed: NDArray[Any]) -> FloatArray:
        """C of S = Σ ± vectors."""
        return np.asarray((self.total + signed) / 2.0, dtype=np.float64)
