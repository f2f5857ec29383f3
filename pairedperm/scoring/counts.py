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
    """The distinct pairs of two systems' counts per example, and how often each pair occurs.

    A test needs nothing else: a few dozen to a few thousand entries for a million examples. Counts
    of parts of a corpus (shards, batches, processes) can be added. ``a + b`` or ``sum(parts)`` are
    the counts of the whole, with the same bits in any order of adding. Pass counts to
    `paired_permutation_test`. `from_rows` counts numbers. `pairedperm.paired_counts` counts
    predictions; these counts know their metric. `to_json` and `to_arrow` store counts.

    Parameters
    ----------
    rows1, rows2 : array_like of int or decimal float, shape (k,) or (k, m)
        The numbers of system 1 and system 2, in the same order: one number, or a row of m numbers,
        for each pair. Pairs may repeat. Counts without rows can be added, not tested.
    multiplicities : array_like of int, shape (k,)
        How many examples have this pair; not negative.

    Attributes
    ----------
    rows1, rows2 : int64 array, shape (k,) or (k, m)
        The distinct pairs, in ascending order, in units of 10^-`decimals`.
    multiplicities : int64 array, shape (k,)
        How many examples, or groups, have each pair; positive.
    decimals : int
        Digits after the point, as few as possible; 0 for integers.
    sizes : int64 array, shape (k,), or None
        The number of examples of a group, if pairs are sums over groups. Pairs with different sizes
        are distinct. None: each pair is of one example.
    metric : str or None
        The name of the metric that gave the rows; None for bare numbers.
    metric_options : dict or None
        The metric's options as keyword arguments; None if there are none.

    Raises
    ------
    InputError
        If `paired_permutation_test` would refuse the numbers, or the shapes of the columns differ.
        If multiplicities are negative, fractional, not one per row, or above 2^63 - 1 in all.

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
            If the constructor would refuse the columns.

        Notes
        -----
        Cost: O(n m) if few distinct values occur, otherwise O(n m log n).
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
        """Set the attributes to values in canonical form, and make arrays read-only."""
        values = rows1, rows2, multiplicities, decimals, sizes, origin
        for name, value in zip(_FIELDS, values, strict=True):
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make copies and unpickle, so that their arrays are read-only too."""
        return in_one_form, tuple(getattr(self, name) for name in _FIELDS)

    @property
    def metric(self) -> str | None:
        """The name of the metric; None for bare numbers."""
        return self.origin.metric

    @property
    def metric_options(self) -> dict[str, Any] | None:
        """The metric's options as keyword arguments; None if there are none."""
        return copy.deepcopy(self.origin.metric_options)

    @property
    def n(self) -> int:
        """The number of examples."""
        if self.sizes is None:
            return int(self.multiplicities.sum())
        return int(self.multiplicities @ self.sizes)

    @property
    def n_groups(self) -> int | None:
        """The number of groups; None if each pair is of one example."""
        return None if self.sizes is None else int(self.multiplicities.sum())

    @property
    def shape(self) -> str:
        """The shape of the counted columns: "(n,)", or "(n, 3)" for rows of three."""
        return f"(n, {self.rows1.shape[1]})" if self.rows1.ndim == 2 else "(n,)"

    def __add__(self, other: PairedCounts) -> PairedCounts:
        """Return the counts of both parts together.

        Raises
        ------
        InputError
            If the metrics or the shapes of the rows differ. If only one part has groups. If numbers
            in a common unit, or the sums of multiplicities, exceed int64.

        Notes
        -----
        Each group must be in one part: a group in several parts would be counted several times.
        """
        if not isinstance(other, PairedCounts):
            return NotImplemented
        return merged([self, other])

    def __radd__(self, other: object) -> PairedCounts:
        """Add to 0, since ``sum(parts)`` begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Compare the pairs, how often each occurs, and the metric."""
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
    """Return the counts of all parts together; there must be at least one part.

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
            "cannot add paired counts of different shapes: one was made of columns of shape "
            f"{next(shapes)}, the other of {next(shapes)}",
            remedy="Count the same numbers of every example in all parts",
        )
    if len({part.sizes is None for part in shaped}) > 1:
        raise InputError(
            "cannot add counts of groups to counts without groups",
            remedy="Give the groups of all parts, or of none",
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
    """Return the rows of both systems, with columns for all of these classes."""
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
    """Count rows in units of 10^-decimals, with as few decimals as possible; nothing is checked."""
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
    """Make counts of rows that are distinct and ascending already; nothing is checked."""
    counts = PairedCounts.__new__(PairedCounts)
    return counts._set(rows1, rows2, multiplicities, decimals, sizes, origin)


def of_origin(counts: PairedCounts, **said: Any) -> PairedCounts:
    """Return the same numbers with another origin; `said` are its new attributes."""
    pairs = counts.rows1, counts.rows2, counts.multiplicities
    return in_one_form(*pairs, counts.decimals, counts.sizes, replace(counts.origin, **said))


def count_pairs(name1: str, column1: Any, name2: str, column2: Any, start: int = 0) -> PairedCounts:
    """Count the pairs of two columns of numbers, or of rows, under these names.

    `start` is the first example's number in error messages.
    """
    scores1, scores2 = read_pair(name1, column1, name2, column2, start)
    rows1, rows2, decimals = on_one_lattice(name1, scores1, name2, scores2, start)
    return of_units(rows1, rows2, None, decimals)
