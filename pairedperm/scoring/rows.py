"""The table of two systems' rows of numbers, which every metric gives and every test takes.

Few distinct rows are counted fast.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import column_sums, exact_dot, exact_sum
from pairedperm.convolution.law import IntArray, distinct_rows
from pairedperm.errors import InputError, describe
from pairedperm.inputs.lattice import in_least_unit
from pairedperm.inputs.numbers import read_scores
from pairedperm.scoring.vocabulary import LabelsToCheck

LEAST = 2**12  # tuned: fewer rows are counted later, where they are needed, in little time
CACHED_ROWS = 2**15  # tuned: rows that stay in the cache for all steps
TABLE_CELLS = 2**16  # tuned: cells of the table of all possible rows, which stays in the cache too
_FEW_CELLS = 4  # tuned: cells that are counted one by one faster than by `np.bincount`
_FIRST = 2**12  # tuned: first rows, from which the table's size is estimated
_ROOM = 2  # tuned: 1/_ROOM of a column's range is added to it, for later rows
_MOST_COLUMNS = 16  # proof: columns; if each takes two values, there are TABLE_CELLS cells
_SMALL = 2**46  # proof: differences stay int64, and so does a low plus a number below TABLE_CELLS


def few_rows(columns: Sequence[NDArray[Any]]) -> tuple[list[IntArray], IntArray] | None:
    """Return the distinct rows, ascending, and how often each occurs; None if there may be many.

    There are few if a table has at most TABLE_CELLS cells, and at most as many as there are rows.
    The table spans each column from its least to its largest number. Cost: O(n).
    """
    n = columns[0].size
    if n == 0 or len(columns) > _MOST_COLUMNS:
        return None
    table = _Table(columns, min(TABLE_CELLS, n))
    if not table.widen([column[:_FIRST] for column in columns]):
        return None
    for start in range(0, n, CACHED_ROWS):
        if not table.add([column[start : start + CACHED_ROWS] for column in columns]):
            return None
    return table.rows()


class _Table:
    """A table of how often each row occurs, with one axis for each column, starting at its low."""

    def __init__(self, columns: Sequence[NDArray[Any]], most: int) -> None:
        self._most = most
        self._lows = [int(column[0]) for column in columns]
        self._cells = np.zeros([0] * len(columns), dtype=np.int64)
        self._buffers = np.empty((len(columns), min(CACHED_ROWS, columns[0].size)), dtype=np.int64)

    def add(self, block: Sequence[NDArray[Any]]) -> bool:
        """Count the rows of a block; return False if the table would have too many cells."""
        digits = self._digits(block)
        if digits is None:
            return self.widen(block) and self.add(block)
        numbers = digits[0]
        for column, size in zip(digits[1:], self._cells.shape[1:], strict=True):
            numbers = np.multiply(numbers, size, out=self._buffers[0, : numbers.size])
            numbers += column
        cells = self._cells.reshape(-1)
        if cells.size <= _FEW_CELLS:
            cells += [np.count_nonzero(numbers == number) for number in range(cells.size)]
        else:
            counted = np.bincount(numbers)
            cells[: counted.size] += counted
        return True

    def _digits(self, block: Sequence[NDArray[Any]]) -> list[IntArray] | None:
        """Return the columns less their lows, or None if one of them leaves the table."""
        digits = []
        for k, (column, low, size) in enumerate(
            zip(block, self._lows, self._cells.shape, strict=True)
        ):
            if low or column.dtype != np.int64 or not column.flags.c_contiguous:
                buffer = self._buffers[k, : column.size]
                column = np.subtract(column, low, out=buffer, dtype=np.int64)
            if np.maximum.reduce(column.view(np.uint64)) >= size:  # as uint64, negatives are large
                return None
            digits.append(column)
        return digits

    def widen(self, block: Sequence[NDArray[Any]]) -> bool:
        """Make room for the block's rows and some more; return False if it takes too many cells."""
        counted, how_often = self.rows()
        ends = [np.append(x, (y.min(), y.max())) for x, y in zip(counted, block, strict=True)]
        lows, highs = [int(x.min()) for x in ends], [int(x.max()) for x in ends]
        shape = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
        if math.prod(shape) > self._most or min(lows) < -_SMALL or max(highs) > _SMALL:
            return False
        roomy = [size + (size - 1) // _ROOM for size in shape]
        cells = np.zeros(roomy if math.prod(roomy) <= self._most else shape, dtype=np.int64)
        cells[tuple(x - low for x, low in zip(counted, lows, strict=True))] = how_often
        self._lows, self._cells = lows, cells
        return True

    def rows(self) -> tuple[list[IntArray], IntArray]:
        """Return the rows that occur, ascending, and how often each occurs."""
        how_often = self._cells.reshape(-1)
        cells = np.flatnonzero(how_often)
        places = np.unravel_index(cells, self._cells.shape)
        rows = [place + low for place, low in zip(places, self._lows, strict=True)]
        return rows, how_often[cells]


def read_multiplicities(column: Any, n_rows: int, *, least: int = 0, remedy: str = "") -> IntArray:
    """Read how often each of `n_rows` rows occurs; `remedy` says what to do with wrong numbers."""
    array = read_scores("multiplicities", column)
    if array.shape != (n_rows,):
        must = f"have one number per row, shape ({n_rows},)"
        raise InputError("multiplicities", must=must, got=f"shape {array.shape}")
    bad = array < least
    if array.dtype.kind == "f":
        bad |= array != np.rint(array)
    if bad.any():
        index = int(bad.argmax())
        raise InputError(
            "multiplicities",
            must=f"be numbers of examples, integers from {least}",
            at=f"`multiplicities`[{index}]",
            got=str(array[index]),
            remedy=remedy,
        )
    if array.dtype.kind == "f" and array.size and float(array.max()) >= 2.0**53:
        raise InputError(
            "multiplicities",
            f"has {describe(float(array.max()))}, a float that may have been rounded",
            remedy="Give integers",
        )
    multiplicities = array.astype(np.int64)
    check_total(multiplicities.tolist())
    return multiplicities


def check_total(multiplicities: list[int]) -> None:
    """Raise InputError if the multiplicities add up to more than int64."""
    n = sum(multiplicities)
    if n >= 2**63:
        raise InputError(
            "multiplicities",
            must="add up to at most 2^63 - 1 examples",
            got=f"{n:.3g}",
            remedy="Were shards added more than once?",
        )


@dataclass(frozen=True, slots=True)
class Provenance:
    """The metric that gave rows, and facts about the examples.

    Attributes
    ----------
    metric : str or None
        The name of the metric; None for bare numbers.
    metric_options : dict or None
        The metric's options as keyword arguments; None if there are none.
    classes : tuple
        The classes of rows (correct, predicted, right); empty for other rows.
    n_ignored : int
        The number of labels in references that stand for none, and were left out.
    is_labelled : bool
        Whether classes have their names. Numbered classes cannot be matched with those of others.
    to_check : LabelsToCheck or None
        The labels that occur, if something suggests that others are meant.
    paired_by : str
        "position" or "id": what pairs predictions with references.
    kind : str or None
        "integers" or "strings", the type of the labels; None if it is unknown.
    no_lattice : str or Part
        Why the numbers are floats; "" for integers.
    rounding : float
        The relative error that rounding may have left in a float: two units of its last bit.
    float_limit : float
        How many units of its last decimal a number may be, as the floats have few digits that the
        numbers came as, on a lattice or not; infinite for Decimals and Fractions, 0 for integers.
    """

    metric: str | None = None
    metric_options: dict[str, Any] | None = None
    classes: tuple[Hashable, ...] = ()
    n_ignored: int = 0
    is_labelled: bool = True
    to_check: LabelsToCheck | None = field(default=None, compare=False)
    paired_by: str = field(default="position", compare=False)
    kind: str | None = field(default=None, compare=False)
    no_lattice: str = field(default="", compare=False)
    rounding: float = field(default=0.0, compare=False)
    float_limit: float = field(default=0.0, compare=False)

    @property
    def call(self) -> str:
        """The metric as a call, for messages."""
        if self.metric is None:
            return "bare numbers, of no metric"
        options = (f"{x}={y!r}" for x, y in (self.metric_options or {}).items())
        return f"{self.metric}({', '.join(options)})"


_BARE = Provenance()


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of two systems: every metric gives rows and a score, and every test takes both.

    `PairedCounts` are rows that users make, store and add.

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
    def no_lattice(self) -> str:
        """Why the numbers are floats; "" for integers."""
        return self.provenance.no_lattice

    @property
    def decimals(self) -> int:
        """Digits after the point, if the unit is a power of ten; else 0."""
        digits = len(str(self.unit)) - 1
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
        return self if self._stays or len(self.rows1) < LEAST else self._few() or self

    def distinct(self) -> Rows:
        """Return the distinct pairs, ascending, and how often each occurs; some may be counted."""
        few = self._few() if self.multiplicities is None and self.sizes is None else None
        if few is not None:
            return few
        columns = [*np.atleast_2d(self.rows1.T), *np.atleast_2d(self.rows2.T)]
        columns += [] if self.sizes is None else [self.sizes]
        first, how_often = distinct_rows(columns, self.multiplicities)
        sizes = None if self.sizes is None else self.sizes[first]
        one, two = self.rows1[first], self.rows2[first]
        return self.having(rows1=one, rows2=two, multiplicities=how_often, sizes=sizes)

    def _few(self) -> Rows | None:
        """Return the distinct pairs of rows that are not counted; None if they may be many."""
        few = few_rows([*np.atleast_2d(self.rows1.T), *np.atleast_2d(self.rows2.T)])
        if few is None:
            return None
        columns, how_often = few
        one, two = np.array(columns, dtype=self.rows1.dtype).reshape(2, -1, how_often.size)
        one, two = (one[0], two[0]) if self.rows1.ndim == 1 else (one.T.copy(), two.T.copy())
        return self.having(rows1=one, rows2=two, multiplicities=how_often)

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

    @classmethod
    def _remade(cls, *_: Any) -> Any:
        """Refuse rows that an older release pickled; counts have their own."""
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


def spread_rows(
    rows: NDArray[Any], classes: tuple[Hashable, ...], wider: tuple[Hashable, ...]
) -> NDArray[Any]:
    """Return rows (correct, predicted, right) with columns for all classes in `wider`."""
    place = {label: k for k, label in enumerate(wider)}
    columns = np.array([place[label] for label in classes], dtype=np.int64)
    narrow = rows.reshape(len(rows), 3, -1)  # one column of zeros if there is no class
    wide = np.zeros((len(rows), 3, len(wider)), dtype=rows.dtype)
    wide[:, :, columns] = narrow[:, :, : columns.size]
    return wide.reshape(len(rows), -1)


def check_some_right(rows: Rows) -> None:
    """Raise InputError if the references hold no label."""
    if not rows.rows1[:, 2 * len(rows.classes) :].any():
        why: str = "every sequence is empty"
        if rows.provenance.n_ignored:
            why = f"all {rows.provenance.n_ignored:,} are left out, as `ignore_label` says"
        raise InputError("references", "holds no label", remedy=why)
