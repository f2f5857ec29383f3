"""Paired counts: the distinct pairs of rows with their multiplicities."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.inputs.decimals import common_unit, on_one_lattice, scaled
from pairedperm.scoring.origin import Origin, of_all
from pairedperm.scoring.pairs import (
    check_total,
    distinct_pairs,
    in_least_units,
    read_multiplicities,
    read_pair,
    spread_rows,
)
from pairedperm.scoring.stored_counts import StoredCounts

_BARE = Origin()
_FIELDS = ("rows1", "rows2", "multiplicities", "decimals", "sizes", "origin")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairedCounts(StoredCounts):
    """Of two systems' counts per example, the distinct pairs and how often each occurs.

    This is all that a test depends on: a few dozen to a few thousand entries for a million
    examples. Counts of parts of a corpus (shards, batches, processes) are added: ``a + b``, or
    ``sum(parts)``, are the counts of the whole, the same bits in whatever order. Pass them to
    `paired_permutation_test`. `from_rows` counts numbers, and `pairedperm.paired_counts`
    predictions: those counts know their metric. `to_json` and `to_arrow` store them.

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
    sizes : int64 array, shape (k,), or None
        Of sums over groups: how many examples a group with this pair has. Pairs with other sizes
        are others. None: each pair is of one example.
    metric : str or None
        The name of the metric that gave the rows; None of bare numbers.
    metric_options : dict or None
        Its options as keyword arguments; None without any.

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
    sizes: IntArray | None = field(init=False)
    origin: Origin = field(init=False)

    if TYPE_CHECKING:  # lists are taken too; the attributes are tuples or arrays

        def __init__(self, rows1: Any, rows2: Any, multiplicities: Any) -> None: ...

    def __post_init__(self) -> None:
        rows1, rows2 = read_pair("rows1", self.rows1, "rows2", self.rows2)
        multiplicities = read_multiplicities(self.multiplicities, len(rows1))
        occurs = multiplicities > 0
        rows1, rows2, decimals = on_one_lattice("rows1", rows1[occurs], "rows2", rows2[occurs])
        rows1, rows2, multiplicities, _ = distinct_pairs(rows1, rows2, multiplicities[occurs])
        self._set(rows1, rows2, multiplicities, decimals)

    @classmethod
    def _restored(cls, rows1: Any, rows2: Any, multiplicities: Any, **others: Any) -> PairedCounts:
        """See `StoredCounts`."""
        sizes = others["sizes"]
        each = multiplicities.astype(object)
        check_total((each if sizes is None else each * sizes).tolist())
        pairs = distinct_pairs(rows1, rows2, multiplicities, others.pop("sizes"))
        return cls.__new__(cls)._set(*pairs[:3], sizes=pairs[3], **others)

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
        self,
        rows1: IntArray,
        rows2: IntArray,
        multiplicities: IntArray,
        decimals: int = 0,
        sizes: IntArray | None = None,
        origin: Origin = _BARE,
    ) -> PairedCounts:
        """These pairs, which are in their one form."""
        values = rows1, rows2, multiplicities, decimals, sizes, origin
        for name, value in zip(_FIELDS, values, strict=True):
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """As what copies and pickles are made of: their arrays are read-only too."""
        return in_one_form, tuple(getattr(self, name) for name in _FIELDS)

    @property
    def metric(self) -> str | None:
        """The metric's name."""
        return self.origin.metric

    @property
    def metric_options(self) -> dict[str, Any] | None:
        """Its options."""
        return copy.deepcopy(self.origin.metric_options)

    @property
    def n(self) -> int:
        """Number of examples."""
        if self.sizes is None:
            return int(self.multiplicities.sum())
        return int(self.multiplicities @ self.sizes)

    @property
    def n_groups(self) -> int | None:
        """Number of groups; None if each pair is of one example."""
        return None if self.sizes is None else int(self.multiplicities.sum())

    @property
    def shape(self) -> str:
        """Of the columns that are counted: "(n,)", or "(n, 3)" for rows of three."""
        return f"(n, {self.rows1.shape[1]})" if self.rows1.ndim == 2 else "(n,)"

    def __add__(self, other: PairedCounts) -> PairedCounts:
        """The counts of both parts together.

        Raises
        ------
        InputError
            If they are of different metrics, or their rows differ in shape; if one is of groups
            and the other is not; if common units or the sums exceed int64.

        Notes
        -----
        Each group must be in one part: those in several would be counted as several.
        """
        if not isinstance(other, PairedCounts):
            return NotImplemented
        return merged([self, other])

    def __radd__(self, other: object) -> PairedCounts:
        """For ``sum(parts)``, which begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """The same pairs as often, of the same metric."""
        if not isinstance(other, PairedCounts):
            return NotImplemented
        one, two = (
            replace(x.origin, occurring=None, paired_by="position", kind=None)
            for x in (self, other)
        )
        return one == two and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in _FIELDS[:-1]
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        metric = "" if self.metric is None else f", metric={self.metric!r}"
        groups = "" if self.n_groups is None else f", n_groups={self.n_groups}"
        return (
            f"{type(self).__name__}(n={self.n}{groups}, n_distinct={self.multiplicities.size}, "
            f"shape={self.shape}{metric})"
        )


def merged(parts: Sequence[PairedCounts]) -> PairedCounts:
    """The counts of all parts together, of at least one.

    Raises
    ------
    InputError
        See `PairedCounts.__add__`.
    """
    shaped = [x for x in parts if x.n or x.rows1.ndim == 2 or x.metric]  # not from empty lists
    first = shaped[0] if shaped else parts[0]
    if len(shaped) < 2:
        return first
    origin = of_all([part.origin for part in shaped])
    spread = [_spread(part, origin.classes) for part in shaped]
    other = next((x for x in spread if x[0].shape[1:] != spread[0][0].shape[1:]), None)
    if other is not None:
        shapes = (f"(n, {x.shape[1]})" if x.ndim == 2 else "(n,)" for x in (spread[0][0], other[0]))
        raise InputError(
            f"cannot add paired counts of different shapes: one was made of columns of shape "
            f"{next(shapes)}, the other of {next(shapes)}. Count the same numbers of every example "
            "in all parts."
        )
    if len({part.sizes is None for part in shaped}) > 1:
        raise InputError(
            "cannot add paired counts of which some are of groups and others are not. Give the "
            "groups of all parts, or of none."
        )
    units = [part.origin.unit * 10**part.decimals for part in shaped]
    decimals = max(part.decimals for part in shaped)
    if any(part.origin.unit > 1 for part in shaped):
        decimals, origin = 0, replace(origin, unit=common_unit("the parts", units))
    unit = origin.unit * 10**decimals
    pairs = zip(spread, units, strict=True)
    tables = [[scaled(f"rows{k + 1}", x[k], unit // each) for k in (0, 1)] for x, each in pairs]
    rows1, rows2 = (np.concatenate(column) for column in zip(*tables, strict=True))
    multiplicities = np.concatenate([part.multiplicities for part in shaped])
    sizes = None
    if first.sizes is not None:
        sizes = np.concatenate([x.sizes for x in shaped if x.sizes is not None])
    check_total([part.n for part in shaped])
    if origin.unit > 1:
        rows1, rows2, _, unit = in_least_units(rows1, rows2, 0, origin.unit)
        origin = replace(origin, unit=unit)
    return of_units(rows1, rows2, multiplicities, decimals, sizes, origin)


def _spread(part: PairedCounts, classes: tuple[Hashable, ...]) -> tuple[IntArray, IntArray]:
    """The rows of both systems, with columns for all of these classes."""
    if part.origin.classes == classes:
        return part.rows1, part.rows2
    own = part.origin.classes
    return spread_rows(part.rows1, own, classes), spread_rows(part.rows2, own, classes)


def of_units(
    rows1: IntArray,
    rows2: IntArray,
    multiplicities: IntArray | None,
    decimals: int,
    sizes: IntArray | None = None,
    origin: Origin = _BARE,
) -> PairedCounts:
    """Rows in units of 10^-decimals, as few decimals as will do, as counts; unchecked."""
    rows1, rows2, multiplicities, sizes = distinct_pairs(rows1, rows2, multiplicities, sizes)
    return in_one_form(rows1, rows2, multiplicities, decimals, sizes, origin)


def in_one_form(
    rows1: IntArray,
    rows2: IntArray,
    multiplicities: IntArray,
    decimals: int = 0,
    sizes: IntArray | None = None,
    origin: Origin = _BARE,
) -> PairedCounts:
    """Rows that are distinct and ascending already, as counts; unchecked."""
    counts = PairedCounts.__new__(PairedCounts)
    return counts._set(rows1, rows2, multiplicities, decimals, sizes, origin)


def of_origin(counts: PairedCounts, **said: Any) -> PairedCounts:
    """The same numbers, of which something else is said; see `Origin`."""
    pairs = counts.rows1, counts.rows2, counts.multiplicities
    return in_one_form(*pairs, counts.decimals, counts.sizes, replace(counts.origin, **said))


def count_pairs(name1: str, column1: Any, name2: str, column2: Any, start: int = 0) -> PairedCounts:
    """The pairs of two columns of numbers, or of rows, under these names.

    `start` is the first example's number in error messages.
    """
    scores1, scores2 = read_pair(name1, column1, name2, column2, start)
    rows1, rows2, decimals = on_one_lattice(name1, scores1, name2, scores2, start)
    return of_units(rows1, rows2, None, decimals)
