"""Paired counts: the distinct pairs of rows with their multiplicities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.counting import few_rows
from pairedperm.convolution.integers import distinct_rows, exact_sum
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError, describe
from pairedperm.inputs.decimals import on_one_lattice, scaled
from pairedperm.inputs.indexes import warn_of_indexes
from pairedperm.inputs.numbers import read_scores

_INT64_MAX = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairedCounts:
    """Of two systems' counts per example, the distinct pairs and how often each occurs.

    This is all that a test depends on: a few dozen to a few thousand entries for a million
    examples. Counts of parts of a corpus (shards, batches, processes) are added: ``a + b``, or
    ``sum(parts)``, are the counts of the whole, the same bits in whatever order. Pass them to
    `paired_permutation_test`. Mostly made by `from_rows`.

    Parameters
    ----------
    rows1, rows2 : array_like of int or decimal float, shape (k,) or (k, m)
        What system 1 and system 2 score, in the same order: a number, or a row of m of them.
        Pairs may repeat.
    multiplicities : array_like of int, shape (k,)
        How many examples have this pair; not negative.

    Attributes
    ----------
    rows1, rows2 : int64 array, shape (k,) or (k, m)
        The distinct pairs, in ascending order, in units of 10^-`decimals`.
    multiplicities : int64 array, shape (k,)
        How many examples have each; positive.
    decimals : int
        Digits after the point, as few as will do; 0 for integers.

    Raises
    ------
    InputError
        For numbers that `paired_permutation_test` would not take; for columns of different
        shapes; for multiplicities that are negative, fractional, not one a row, or more than
        2^63 - 1 in all. There may be no rows: such counts can be added, not tested.

    Examples
    --------
    >>> from pairedperm import PairedCounts, paired_permutation_test
    >>> monday = PairedCounts.from_rows([1, 1, 1, 0], [0, 0, 0, 0])
    >>> tuesday = PairedCounts([1], [0], multiplicities=[2])
    >>> monday + tuesday
    PairedCounts(n=6, n_distinct=2, shape=(n,))
    >>> paired_permutation_test(monday + tuesday).pvalue
    0.0625
    """

    rows1: IntArray
    rows2: IntArray
    multiplicities: IntArray
    decimals: int = field(init=False)

    if TYPE_CHECKING:  # lists are taken too; the attributes are tuples or arrays

        def __init__(self, rows1: Any, rows2: Any, multiplicities: Any) -> None: ...

    def __post_init__(self) -> None:
        rows1, rows2 = _read_pair("rows1", self.rows1, "rows2", self.rows2)
        multiplicities = _read_multiplicities(self.multiplicities, len(rows1))
        occurs = multiplicities > 0
        rows1, rows2, decimals = on_one_lattice("rows1", rows1[occurs], "rows2", rows2[occurs])
        self._set(*_one_form(rows1, rows2, multiplicities[occurs]), decimals)

    @classmethod
    def from_rows(cls, counts1: Any, counts2: Any) -> PairedCounts:
        """Count the pairs of two columns with an entry per example.

        Parameters
        ----------
        counts1, counts2 : array_like of int or decimal float, shape (n,) or (n, m)
            Lists, arrays, tensors, Series, dataset columns; n may be 0.

        Raises
        ------
        InputError
            As the constructor.

        Notes
        -----
        Cost: O(n m) where few distinct values occur, otherwise O(n m log n).
        """
        return count_pairs("counts1", counts1, "counts2", counts2)

    def _set(
        self, rows1: IntArray, rows2: IntArray, multiplicities: IntArray, decimals: int
    ) -> PairedCounts:
        """These pairs, which are in their one form."""
        pairs = {"rows1": rows1, "rows2": rows2, "multiplicities": multiplicities}
        for value in pairs.values():
            value.setflags(write=False)
        for name, field_value in {**pairs, "decimals": decimals}.items():
            object.__setattr__(self, name, field_value)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """As what copies and pickles are made of: their arrays are read-only too."""
        return in_one_form, (self.rows1, self.rows2, self.multiplicities, self.decimals)

    @property
    def n(self) -> int:
        """Number of examples."""
        return int(self.multiplicities.sum())

    @property
    def shape(self) -> str:
        """Of the columns that are counted: "(n,)", or "(n, 3)" for rows of three."""
        return f"(n, {self.rows1.shape[1]})" if self.rows1.ndim == 2 else "(n,)"

    def __add__(self, other: PairedCounts) -> PairedCounts:
        """The counts of both parts together.

        Raises
        ------
        InputError
            If their rows differ in shape, or common units or the sums exceed int64.
        """
        if not isinstance(other, PairedCounts):
            return NotImplemented
        return merged([self, other])

    def __radd__(self, other: object) -> PairedCounts:
        """For ``sum(parts)``, which begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """The same pairs as often."""
        if not isinstance(other, PairedCounts):
            return NotImplemented
        return self.decimals == other.decimals and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("rows1", "rows2", "multiplicities")
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(n={self.n}, n_distinct={self.multiplicities.size}, "
            f"shape={self.shape})"
        )


def merged(parts: Sequence[PairedCounts]) -> PairedCounts:
    """The counts of all parts together, of at least one."""
    shaped = [part for part in parts if part.n or part.rows1.ndim == 2]  # not from empty lists
    first = shaped[0] if shaped else parts[0]
    other = next((part for part in shaped if part.rows1.shape[1:] != first.rows1.shape[1:]), None)
    if other is not None:
        raise InputError(
            f"cannot add paired counts of different shapes: one was made of columns of shape "
            f"{first.shape}, the other of {other.shape}. Count the same numbers of every example "
            "in all parts."
        )
    if len(shaped) < 2:
        return first
    decimals = max(part.decimals for part in shaped)
    rows1, rows2 = (
        np.concatenate(
            [scaled(name, getattr(part, name), 10 ** (decimals - part.decimals)) for part in shaped]
        )
        for name in ("rows1", "rows2")
    )
    multiplicities = np.concatenate([part.multiplicities for part in shaped])
    _check_total(multiplicities)
    return of_units(rows1, rows2, multiplicities, decimals)


def few_pairs(rows1: IntArray, rows2: IntArray) -> tuple[IntArray, IntArray, IntArray] | None:
    """The distinct pairs, ascending, and how often each occurs; None if they may be many."""
    found = few_rows([*np.atleast_2d(rows1.T), *np.atleast_2d(rows2.T)])
    if found is None:
        return None
    columns, how_often = found
    one, two = np.array(columns, dtype=rows1.dtype).reshape(2, -1, how_often.size)
    if rows1.ndim == 1:
        return one[0], two[0], how_often
    return one.T.copy(), two.T.copy(), how_often


def of_units(
    rows1: IntArray, rows2: IntArray, multiplicities: IntArray | None, decimals: int
) -> PairedCounts:
    """Rows in units of 10^-decimals, as few decimals as will do, as counts; unchecked."""
    pairs = _one_form(rows1, rows2, multiplicities)
    return PairedCounts.__new__(PairedCounts)._set(*pairs, decimals)


def in_one_form(
    rows1: IntArray, rows2: IntArray, multiplicities: IntArray, decimals: int
) -> PairedCounts:
    """Rows that are distinct and ascending already, as counts; unchecked."""
    return PairedCounts.__new__(PairedCounts)._set(rows1, rows2, multiplicities, decimals)


def _one_form(
    rows1: IntArray, rows2: IntArray, multiplicities: IntArray | None
) -> tuple[IntArray, IntArray, IntArray]:
    """These pairs, each with an example, distinct and ascending, and how often each occurs."""
    few = few_pairs(rows1, rows2) if multiplicities is None else None
    if few is not None:
        return few
    columns = [*np.atleast_2d(rows1.T), *np.atleast_2d(rows2.T)]
    first, multiplicities = distinct_rows(columns, multiplicities)
    return rows1[first], rows2[first], multiplicities


def count_pairs(name1: str, column1: Any, name2: str, column2: Any, start: int = 0) -> PairedCounts:
    """The pairs of two columns of numbers, or of rows, under these names.

    `start` is the first example's number in error messages.
    """
    scores1, scores2 = _read_pair(name1, column1, name2, column2, start)
    rows1, rows2, decimals = on_one_lattice(name1, scores1, name2, scores2, start)
    return of_units(rows1, rows2, None, decimals)


def _read_pair(
    name1: str, column1: Any, name2: str, column2: Any, start: int = 0
) -> tuple[NDArray[Any], NDArray[Any]]:
    warn_of_indexes({name1: column1, name2: column2})
    scores1 = read_scores(name1, column1, rows=True, start=start, exact=True)
    scores2 = read_scores(name2, column2, rows=True, start=start, exact=True)
    if scores1.shape != scores2.shape:
        raise InputError(
            f"`{name1}` and `{name2}` must have the same shape, got {scores1.shape} and "
            f"{scores2.shape}. Pair the examples by id first."
        )
    return scores1, scores2


def _read_multiplicities(column: Any, n_rows: int) -> IntArray:
    array = read_scores("multiplicities", column)
    if array.shape != (n_rows,):
        raise InputError(
            f"`multiplicities` must be one a row, shape ({n_rows},), got shape {array.shape}."
        )
    bad = (array < 0) | (array != np.rint(array)) if array.dtype.kind == "f" else array < 0
    if bad.any():
        index = int(bad.argmax())
        raise InputError(
            "`multiplicities` must be numbers of examples, integers from 0: "
            f"`multiplicities`[{index}] is {array[index]}."
        )
    if array.dtype.kind == "f" and array.size and float(array.max()) >= 2.0**53:
        raise InputError(
            f"`multiplicities` has {describe(float(array.max()))}, a float that may have been "
            "rounded. Give integers."
        )
    multiplicities = array.astype(np.int64)
    _check_total(multiplicities)
    return multiplicities


def _check_total(multiplicities: IntArray) -> None:
    n = exact_sum(multiplicities)
    if n > _INT64_MAX:
        raise InputError(
            f"`multiplicities` must add up to at most 2^63 - 1 examples, got {n:.3g}. "
            "Were shards added more than once?"
        )
