"""The table of two systems' rows of numbers, which every metric gives and every test takes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import column_sums, exact_dot, exact_sum
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Words
from pairedperm.inputs.fineness import n_decimals
from pairedperm.inputs.lattice import common_unit, in_least_unit, scaled
from pairedperm.scoring.pairs import (
    LEAST,
    check_total,
    distinct_pairs,
    few_pairs,
    spread_rows,
)
from pairedperm.scoring.provenance import Provenance, of_all

if TYPE_CHECKING:
    from typing_extensions import Self

_BARE = Provenance()


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of two systems: every metric gives rows and a score, and every test takes both.

    Rows of parts of a corpus can be added. `PairedCounts` are rows that users make, store and add.

    Attributes
    ----------
    rows1, rows2 : array, shape (k,) or (k, m)
        Integers in units of 1 / `unit`, or floats if the numbers lie on no lattice.
    multiplicities : int64 array, shape (k,), or None
        How often each pair occurs; None: once each, in the order of the examples.
    unit : int
        The common denominator: a power of ten for decimals.
    groups : int64 array, shape (k,), or None
        The group number of each row, if groups are swapped or drawn. There is then one row for each
        example.
    sizes : int64 array, shape (k,), or None
        The number of examples in each row, if rows are sums over groups.
    provenance : Provenance
        The metric, and facts about the examples.
    """

    rows1: NDArray[Any]
    rows2: NDArray[Any]
    multiplicities: IntArray | None = None
    unit: int = 1
    groups: IntArray | None = None
    sizes: IntArray | None = None
    provenance: Provenance = _BARE

    def having(self, **changes: Any) -> Rows:
        """Return rows with other attributes."""
        return Rows(**{name: getattr(self, name) for name in FIELDS} | changes)

    def noting(self, **facts: Any) -> Rows:
        """Return the same numbers with other facts in their provenance."""
        return self.having(provenance=replace(self.provenance, **facts))

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The classes of rows (correct, predicted, right); empty for other rows."""
        return self.provenance.classes

    @property
    def no_lattice(self) -> Words:
        """Why the numbers are floats; "" for integers."""
        return self.provenance.no_lattice

    @property
    def decimals(self) -> int:
        """Digits after the point, if the unit is a power of ten; else 0."""
        digits = n_decimals(self.unit) or 0
        return digits if self.unit == 10**digits else 0

    @property
    def n(self) -> int:
        """The number of examples."""
        if self.sizes is not None:
            return int(self.how_often @ self.sizes)
        if self.multiplicities is None:
            return len(self.rows1)
        return int(self.multiplicities.sum())

    @property
    def n_groups(self) -> int | None:
        """The number of groups; None if single examples are swapped or drawn."""
        if self.sizes is not None:
            return int(self.how_often.sum())
        return None if self.groups is None else int(self.groups.max()) + 1

    @property
    def tables(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The rows of both systems, shape (k, m) each."""
        if self.rows1.ndim == 1:
            return self.rows1[:, None], self.rows2[:, None]
        return self.rows1, self.rows2

    @property
    def shape(self) -> str:
        """The shape of the columns: "(n,)", or "(n, 3)" for rows of three."""
        return f"(n, {self.rows1.shape[1]})" if self.rows1.ndim == 2 else "(n,)"

    @property
    def how_often(self) -> IntArray:
        """The multiplicities, also if each pair occurs once."""
        if self.multiplicities is None:
            return np.ones(len(self.rows1), dtype=np.int64)
        return self.multiplicities

    @property
    def n_differing(self) -> int:
        """The number of examples on which the two systems' rows differ."""
        rows1, rows2 = self.tables
        return int(self.how_often[(rows1 != rows2).any(axis=1)].sum())

    @property
    def side_by_side(self) -> NDArray[Any]:
        """The columns of system 1, then those of system 2: floats, or small integers."""
        is_small = self.tables[0].dtype.itemsize < 8  # rows of many classes stay small
        return np.concatenate(self.tables, axis=1, dtype=None if is_small else np.float64)

    @property
    def sums(self) -> tuple[list[int], list[int]]:
        """The sums of both systems' columns over all examples."""
        rows1, rows2 = self.tables
        return column_sums(rows1, self.multiplicities), column_sums(rows2, self.multiplicities)

    def sum_of(self, column: IntArray) -> int:
        """Return the sum over all examples of a column with an integer for each pair."""
        if self.multiplicities is None:
            return exact_sum(column)
        return exact_dot(self.multiplicities, column)

    @property
    def _stays(self) -> bool:
        """True if the rows are counted already, or cannot be counted."""
        return bool(self.multiplicities is not None or self.no_lattice or self.groups is not None)

    def counted(self) -> Rows:
        """Return the distinct pairs and how often each occurs.

        Rows with groups, and floats on no lattice, stay as they are.
        """
        return self if self._stays else self.distinct()

    def counted_if_few(self) -> Rows:
        """Return counted rows if many have few distinct pairs; that takes no longer than a copy."""
        if self._stays or len(self.rows1) < LEAST:
            return self
        few = few_pairs(self.rows1, self.rows2)
        if few is None:
            return self
        return self.having(rows1=few[0], rows2=few[1], multiplicities=few[2])

    def distinct(self) -> Rows:
        """Return the distinct pairs, ascending, and how often each occurs; some may be counted."""
        pairs = self.rows1, self.rows2, self.multiplicities, self.sizes
        names = "rows1", "rows2", "multiplicities", "sizes"
        return self.having(**dict(zip(names, distinct_pairs(*pairs), strict=True)))

    def owned(self) -> Rows:
        """Return rows with arrays of their own, since the caller may change his."""
        if self.multiplicities is not None:
            return self
        return self.having(rows1=self.rows1.copy(), rows2=self.rows2.copy())

    def in_least_unit(self) -> Rows:
        """Return the same numbers in the least unit; sums may need a coarser one than terms."""
        if self.unit == 1:
            return self
        one, two, unit = in_least_unit(self.rows1, self.rows2, self.unit)
        return self if unit == self.unit else self.having(rows1=one, rows2=two, unit=unit)

    def spread_to(self, classes: tuple[Hashable, ...]) -> Rows:
        """Return the rows with columns for all of these classes."""
        if self.classes == classes:
            return self
        one, two = (spread_rows(x, self.classes, classes) for x in (self.rows1, self.rows2))
        return self.having(rows1=one, rows2=two).noting(classes=classes)

    def __add__(self, other: Any) -> Self:
        """Return the rows of both parts together, counted.

        Raises
        ------
        InputError
            If the metrics or the shapes of the rows differ. If only one part has groups. If numbers
            in a common unit, or the sums of multiplicities, exceed int64.

        Notes
        -----
        Each group must be in one part: a group in several parts would be counted several times.
        """
        return self._made(added([self, other])) if isinstance(other, Rows) else NotImplemented

    def __radd__(self, other: object) -> Self:
        """Add to 0, since ``sum(parts)`` begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    @classmethod
    def _made(cls, rows: Rows) -> Any:
        """Return rows as one of this class."""
        return rows

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._remade, tuple(getattr(self, name) for name in FIELDS)

    @classmethod
    def _remade(cls, *values: Any) -> Any:
        """Return rows that were pickled."""
        return cls._made(Rows(*values))

    def __setstate__(self, state: object) -> None:
        raise InputError(OLD_PICKLE)


def repeated(rows1: IntArray, rows2: IntArray, how_often: IntArray | None) -> Rows:
    """Return rows of pairs, some of which may be alike; without `how_often` each occurs once."""
    rows = Rows(rows1, rows2, how_often)
    return rows if how_often is None else rows.distinct()


FIELDS = tuple(x.name for x in fields(Rows))
OLD_PICKLE = (
    "this was pickled by an older release of pairedperm: make it anew, or store counts with "
    "`to_json`, which all later releases read"
)


def added(parts: Sequence[Rows]) -> Rows:
    """Return the counted rows of all parts together; there must be at least one part.

    Raises
    ------
    InputError
        See `Rows.__add__`.
    """
    shaped = [x for x in parts if x.n or x.rows1.ndim == 2 or x.provenance.metric]  # no empty lists
    first = shaped[0] if shaped else parts[0]
    if len(shaped) < 2:
        return first
    facts = of_all([part.provenance for part in shaped])
    if why_floats(shaped):
        raise InputError(
            "cannot add counts of scores that lie on no lattice",
            remedy="Compare the scores of all parts in one call",
        )
    shaped = [part.spread_to(facts.classes) for part in shaped]
    other = next((x for x in shaped if x.rows1.shape[1:] != shaped[0].rows1.shape[1:]), None)
    if other is not None:
        raise InputError(
            "cannot add paired counts of different shapes: one was made of columns of shape "
            f"{shaped[0].shape}, the other of {other.shape}",
            remedy="Count the same numbers of every example in all parts",
        )
    if len({part.sizes is None for part in shaped}) > 1:
        raise InputError(
            "cannot add counts of groups to counts without groups",
            remedy="Give the groups of all parts, or of none",
        )
    shaped = in_common_unit("the parts", shaped)
    check_total([part.n for part in shaped])
    names = ["rows1", "rows2", *(["sizes"] if first.sizes is not None else [])]
    columns = {x: np.concatenate([getattr(part, x) for part in shaped]) for x in names}
    how_often = np.concatenate([part.how_often for part in shaped])
    rows = Rows(**columns, multiplicities=how_often, unit=shaped[0].unit, provenance=facts)
    return rows.in_least_unit().distinct()


def why_floats(parts: Iterable[Rows]) -> Words:
    """Return why the numbers of some part are floats; "" if no part has any."""
    return next((part.no_lattice for part in parts if part.no_lattice), "")


def in_common_unit(what: Words, parts: Sequence[Rows]) -> list[Rows]:
    """Return parts in one unit; `what` names them in messages.

    Raises
    ------
    NoLatticeError
        If there is none up to 2^40, or numbers in it leave int64.
    """
    unit = common_unit(what, [part.unit for part in parts])
    return [part if part.unit == unit else _in_unit(part, unit) for part in parts]


def _in_unit(part: Rows, unit: int) -> Rows:
    """Return the same numbers in units of 1 / unit; `unit` is a multiple of the part's own."""
    one, two = (scaled(x, getattr(part, x), unit // part.unit) for x in ("rows1", "rows2"))
    return part.having(rows1=one, rows2=two, unit=unit)
