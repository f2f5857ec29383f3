"""What a sign-flip test needs of two columns: the distinct differences and how many of each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import exact_dot, exact_sum
from pairedperm.errors import InputError
from pairedperm.scoring.counts import PairedCounts

__all__ = ["DifferenceCounts"]

IntArray = NDArray[np.int64]
_INT64 = np.iinfo(np.int64)
_BLOCK = 2**15  # examples whose differences stay in the processor's cache
_DENSE = 2**16  # differences up to which the examples of a block are counted in an array
_SAFE = 2**46  # a block of scores below it is summed in int64, also if _DENSE is added


@dataclass(frozen=True)
class DifferenceCounts:
    """The multiset of |d_n| = |score1_n - score2_n| > 0, in units of their common divisor.

    Under the null hypothesis each d_n has a random sign, so this and the two sums are all
    that a test of the sums depends on.
    """

    values: IntArray  # distinct |d| / unit, ascending
    multiplicities: IntArray
    unit: int
    sum1: int | Fraction  # Σ score1
    sum2: int | Fraction
    n: int  # examples, those without a difference included

    @cached_property
    def observed(self) -> int:
        """Σ d / unit."""
        return (self.sum1 - self.sum2) // self.unit

    @cached_property
    def total(self) -> int:
        """Σ |d| / unit."""
        return exact_dot(self.multiplicities, self.values)

    @property
    def n_differing(self) -> int:
        """Number of examples with a difference."""
        return int(self.multiplicities.sum())

    @classmethod
    def from_scores(cls, scores1: IntArray, scores2: IntArray) -> DifferenceCounts:
        """Count the differences of two int64 arrays of the same length, at least 1.

        Cost: O(n), or O(n log n) where the differences are far apart. A block of examples
        goes through all steps while it is in the cache: reading the scores costs the most.

        Raises
        ------
        InputError
            If a difference leaves int64.
        """
        frequency = np.zeros(1, dtype=np.int64)
        rest: list[IntArray] = []  # blocks with differences too large to count in an array
        sum1 = sum2 = 0
        buffer = np.empty(min(_BLOCK, scores1.size), dtype=np.int64)
        for start in range(0, scores1.size, _BLOCK):
            block1, block2 = scores1[start : start + _BLOCK], scores2[start : start + _BLOCK]
            differences = np.subtract(block1, block2, out=buffer[: block1.size])
            magnitudes = np.abs(differences, out=differences).view(np.uint64)
            # If these and the first scores are small, so are the second: nothing has wrapped.
            if magnitudes.max() < _DENSE and block1.min() > -_SAFE and block1.max() < _SAFE:
                sum1 += int(block1.sum())
                sum2 += int(block2.sum())
                counted = np.bincount(differences)
                if counted.size > frequency.size:
                    frequency, counted = counted, frequency
                frequency[: counted.size] += counted
            else:
                sum1 += exact_sum(block1)
                sum2 += exact_sum(block2)
                _check_differences(block1, block2, block1 - block2, start)
                rest.append(differences.copy())
        values = np.flatnonzero(frequency)
        multiplicities = frequency[values]
        if rest:
            more, more_multiplicities = _distinct(np.concatenate(rest))
            values, multiplicities = _folded(
                np.concatenate((values, more)),
                np.concatenate((multiplicities, more_multiplicities)),
            )
        return cls._of(values, multiplicities, sum1, sum2, scores1.size)

    @classmethod
    def from_counts(cls, counts: PairedCounts) -> DifferenceCounts:
        """The differences of paired counts of one column, not empty.

        Raises
        ------
        InputError
            If a difference leaves int64.
        """
        differences = counts.rows1 - counts.rows2
        _check_differences(counts.rows1, counts.rows2, differences, None)
        values, multiplicities = _folded(np.abs(differences), counts.multiplicities)
        sum1 = exact_dot(counts.multiplicities, counts.rows1)
        sum2 = exact_dot(counts.multiplicities, counts.rows2)
        return cls._of(values, multiplicities, sum1, sum2, counts.n)

    @classmethod
    def from_sizes(
        cls, sizes: IntArray, multiplicities: IntArray, sum1: Fraction, sum2: Fraction
    ) -> DifferenceCounts:
        """Of |differences| and how often each occurs; the sums may be fractions of their unit."""
        values, counts = _folded(sizes, multiplicities)
        return cls._of(values, counts, sum1, sum2, exact_sum(multiplicities))

    @classmethod
    def _of(
        cls,
        values: IntArray,
        multiplicities: IntArray,
        sum1: int | Fraction,
        sum2: int | Fraction,
        n: int,
    ) -> DifferenceCounts:
        """Without the zeros, in units of the common divisor."""
        if values.size and values[0] == 0:
            values, multiplicities = values[1:], multiplicities[1:]
        unit = int(np.gcd.reduce(values)) if values.size else 1
        return cls(values if unit == 1 else values // unit, multiplicities, unit, sum1, sum2, n)


def _folded(magnitudes: IntArray, multiplicities: IntArray) -> tuple[IntArray, IntArray]:
    """Equal magnitudes taken together, ascending."""
    values, position = np.unique(magnitudes, return_inverse=True)
    folded = np.zeros(values.size, dtype=np.int64)
    np.add.at(folded, position, multiplicities)
    return values, folded


def _distinct(magnitudes: IntArray) -> tuple[IntArray, IntArray]:
    """Distinct values and how many of each; in an array if that is no longer than the input."""
    if int(magnitudes.max()) <= magnitudes.size:
        frequency = np.bincount(magnitudes)
        values = np.flatnonzero(frequency)
        return values, frequency[values]
    return np.unique(magnitudes, return_counts=True)


def _check_differences(
    scores1: IntArray, scores2: IntArray, differences: IntArray, start: int | None
) -> None:
    """A difference wraps around if the scores' signs differ and its sign is not the first's."""
    wrapped = ((scores1 ^ scores2) & (scores1 ^ differences)) < 0
    wrapped |= differences == _INT64.min
    if wrapped.any():
        index = int(wrapped.argmax())
        where = "a row" if start is None else f"entry {start + index}"
        raise InputError(
            f"`counts1` and `counts2` differ by more than int64 holds: {where} is "
            f"{scores1[index]} and {scores2[index]}. Divide the scores by a common unit first."
        )
