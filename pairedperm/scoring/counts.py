"""Paired counts: the distinct pairs of rows and how often each occurs, held and stored."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError, describe, printable, shown
from pairedperm.inputs.lattice import MAX_DECIMALS, on_lattice
from pairedperm.inputs.numbers import read_pair
from pairedperm.options import Constraint, Interval, OneOf, Text, Whole, YesNo
from pairedperm.scoring.merging import sum_of_parts
from pairedperm.scoring.metric import Metric, as_arguments, read_metric
from pairedperm.scoring.rows import (
    FIELDS,
    OLD_PICKLE,
    Provenance,
    Rows,
    check_total,
    read_multiplicities,
)
from pairedperm.scoring.vocabulary import LabelsToCheck, ordered

FORMAT, VERSIONS = "pairedperm counts", (1, 2)  # of integers; of floats, since release 2
_ANEW = "Write them anew"
TABLE = ("rows1", "rows2", "multiplicities", "sizes")
HEADER = (
    *("metric", "metric_options", "unit", "classes", "is_labelled", "n_ignored"),
    *("paired_by", "kind", "decimals"),
)
_KEYS = ("format", "version", *HEADER, "occurring", *TABLE)
_COUNT = Whole(0, 2**63 - 1, is_name=True, words="an integer from 0, below 2^63", remedy=_ANEW)
_ENTRIES: dict[str, Constraint] = {
    "decimals": Whole(0, MAX_DECIMALS, is_name=True, remedy=_ANEW),
    "unit": replace(_COUNT, least=1, words="an integer from 1, below 2^63"),
    "n_ignored": _COUNT,
    "metric": Text(may_be_blank=True, words="a name", remedy=_ANEW, or_none=True),
    "is_labelled": YesNo(words="true or false", remedy=_ANEW),
    "kind": OneOf(("integers", "strings"), remedy=_ANEW, or_none=True),
    "paired_by": OneOf(("position", "id"), remedy=_ANEW),
}
_ENTRIES_OF_FLOATS: dict[str, Constraint] = {
    "no_lattice": Text(words="a text, why the numbers are no integers", remedy=_ANEW),
    # proof: the least rounding is that of Decimals, the largest that of float16
    "rounding": Interval(2**-53, 2**-9, words="a number from 2^-53 to 2^-9", remedy=_ANEW),
}
_BESIDE_FLOATS = {"multiplicities": None, "sizes": None, "unit": 1, "decimals": 0}


def rows_of_stored(stored: Any) -> Rows:
    """Return the rows that `PairedCounts.to_dict` wrote.

    Raises
    ------
    InputError
        If these are no such counts, have another version, or are damaged.
    """
    if not isinstance(stored, Mapping) or stored.get("format") != FORMAT:
        must = f"be what `PairedCounts.to_dict` gave, with the format {FORMAT!r}"
        raise InputError("counts", must=must, got=describe(stored))
    if stored.get("version") not in VERSIONS:
        version, known = shown(stored.get("version")), " and ".join(map(str, VERSIONS))
        raise InputError(
            "counts",
            f"have the version {version}, and this release reads {known}",
            remedy="Install the release of pairedperm that wrote them",
        )
    _check_digest(stored)
    are_floats = stored["version"] == VERSIONS[1]
    rows1, rows2 = (_column(stored, x, True, are_floats) for x in ("rows1", "rows2"))
    how_often, sizes = (
        None if are_floats or (x == "sizes" and stored.get(x) is None) else _column(stored, x)
        for x in ("multiplicities", "sizes")
    )
    n = len(rows1) if how_often is None else how_often.size
    if not (len(rows1) == len(rows2) == n and rows1.shape == rows2.shape):
        raise damaged("rows1", must="be as many, and as wide, as `rows2` and `multiplicities`")
    if sizes is not None and sizes.size != n:
        raise damaged("sizes", must="be as many as `multiplicities`")
    for name, column in (("multiplicities", how_often), ("sizes", sizes)):
        if column is not None and n and column.min() < 1:
            raise damaged(name, must="be numbers of examples, from 1 on")
    unit, provenance = _read_header(stored, rows1)
    if provenance.classes and sizes is None:  # small types, as counting gives
        small = np.result_type(
            *(np.min_scalar_type(-int(abs(x).max(initial=1))) for x in (rows1, rows2))
        )
        rows1, rows2 = rows1.astype(small), rows2.astype(small)
    rows = Rows(rows1, rows2, how_often, unit, None, sizes, provenance)
    if how_often is not None:
        each = how_often.astype(object)
        check_total((each if sizes is None else each * sizes).tolist())
        rows = rows.in_least_unit().distinct()
    return rows


def damaged(entry: str, what: str = "", **facts: Any) -> InputError:
    """Return the error for an entry of stored counts, such as a column."""
    return InputError("counts", f"are damaged: `{entry}`{what}", **facts, remedy=_ANEW)


def read_json(text: str) -> Any:
    """Return what a text of JSON says; NaN and infinities, which Python takes, are refused.

    Raises
    ------
    ValueError, RecursionError
        If the text is not valid JSON.
    """
    return json.loads(text, parse_constant=_no_number)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def digest_of_counts(stored: Mapping[str, Any]) -> str:
    """Return the SHA-256 of stored counts as JSON, whatever other entries there are.

    Raises
    ------
    TypeError, ValueError, RecursionError
        If the entries are not valid JSON.
    """
    import hashlib  # takes milliseconds, and few counts are stored

    names = *_KEYS, *(x for x in _ENTRIES_OF_FLOATS if x in stored)
    known = {name: stored.get(name) for name in names}
    text = json.dumps(known, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _check_digest(stored: Mapping[str, Any]) -> None:
    """Raise InputError if the counts state a digest that is not theirs."""
    stated = stored.get("sha256")
    try:
        digest = digest_of_counts(stored)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError("counts", f"are damaged: {error}", remedy=_ANEW) from error
    if stated not in (None, digest):
        what = f" were altered: the SHA-256 of the table is {digest}, and it states "
        anew = "Ask for the counts anew"
        raise InputError(f"`counts`{what}{describe(stated)}", remedy=anew)


def _column(
    stored: Mapping[str, Any], name: str, rows: bool = False, are_floats: bool = False
) -> NDArray[Any]:
    """Return a column of numbers, or of rows of numbers: integers, or finite floats."""
    given = stored.get(name)
    kind, type_ = ("floats", np.float64) if are_floats else ("integers", np.int64)
    try:
        array = np.array(given) if isinstance(given, list) else None
    except ValueError:  # rows of different lengths
        array = None
    if array is not None and are_floats and _largest_integer(given) > 2**53:
        raise damaged(name, must="hold floats; an integer is one only up to 2^53")
    is_whole = are_floats and array is not None and array.dtype == np.int64
    if array is not None and (not array.size or is_whole):
        array = array.astype(type_)  # the width of no rows is lost
    has_shape = array is not None and array.ndim in (1, 2 if rows else 1)
    if array is None or not has_shape or array.dtype != type_ or not np.isfinite(array).all():
        must = f"be a list of {kind}{', or rows of them,' if rows else ''}"
        within = "" if are_floats else " within int64"
        raise damaged(name, must=f"{must}{within}", got=describe(given))
    return array


def _largest_integer(given: Any) -> int:
    """Return the largest size of an integer in a column, or in rows, of numbers."""
    flat = np.array(given, dtype=object).ravel().tolist()
    return max((abs(x) for x in flat if type(x) is int), default=0)


def _read_header(stored: Mapping[str, Any], rows1: NDArray[Any]) -> tuple[int, Provenance]:
    """Return the unit and the provenance."""
    are_floats = stored["version"] == VERSIONS[1]
    declared = _ENTRIES | (_ENTRIES_OF_FLOATS if are_floats else {})
    facts: Any = {x: y.read("counts", stored.get(x), (x,)) for x, y in declared.items()}
    metric, options = facts.pop("metric"), stored.get("metric_options")
    if not (options is None or (isinstance(options, dict) and metric is not None)):
        raise damaged("metric_options", must="be a dict or null", got=describe(options))
    classes = _classes(stored.get("classes"))
    if classes and (rows1.ndim != 2 or rows1.shape[1] != 3 * len(classes)):
        raise damaged("classes", must="be a third as many as the numbers of a row")
    if are_floats:
        for name, only in _BESIDE_FLOATS.items():
            if stored.get(name) != only:
                must = f"be {json.dumps(only)} beside floats"
                raise damaged(name, must=must, got=describe(stored.get(name)))
        facts |= {"no_lattice": printable(facts["no_lattice"]), "float_limit": math.inf}
    unit = facts.pop("unit") * 10 ** facts.pop("decimals")
    to_check = _to_check(stored.get("occurring"))
    return unit, Provenance(metric, copy.deepcopy(options), classes, to_check=to_check, **facts)


def _classes(given: Any) -> tuple[Any, ...]:
    """Return the classes: labels, or pairs of labels."""
    if not isinstance(given, list):
        raise damaged("classes", must="be a list of labels", got=describe(given))
    named = tuple(tuple(x) if isinstance(x, list) else x for x in given)
    flat = [y for x in named for y in (x if isinstance(x, tuple) else (x,))]
    are_alike = len({*map(type, named)}) < 2
    if not (_are_labels(flat) and are_alike) or len({*named}) < len(named):
        raise damaged("classes", must="be distinct labels, all integers or all strings")
    return named


def _are_labels(given: Any) -> bool:
    """Tell whether it is a list of integers, or of strings."""
    return isinstance(given, list) and {*map(type, given)} in (set(), {int}, {str})


def _to_check(given: Any) -> LabelsToCheck | None:
    if given is None:
        return None
    try:
        absent, labels, mapped, one_hot, has_descending = given
        one, two, three = labels
    except (TypeError, ValueError):
        raise damaged("occurring", must="be null or a list of 5", got=describe(given)) from None
    is_one = isinstance(mapped, str) and (type(one_hot), type(has_descending)) == (int, bool)
    if not is_one or not all(map(_are_labels, (absent, one, two, three))):
        raise damaged("occurring", must="hold lists of labels", got=describe(given))
    sets = frozenset(one), frozenset(two), frozenset(three)
    return LabelsToCheck(frozenset(absent), sets, mapped, one_hot, has_descending)


@dataclass(frozen=True)
class UnknownMetric:
    """A metric of which only name and options are known: that of another version's result."""

    name: str
    options: dict[str, Any] | None = None
    lower_is_better: ClassVar[bool] = False

    @property
    def in_words(self) -> str:
        """The name and the options, as they stand."""
        options = f" ({as_arguments(self.options)})" if self.options else ""
        return self.name.replace("_", " ") + options


def stored_metric(
    name: str | None, options: dict[str, Any] | None
) -> Metric | UnknownMetric | None:
    """Return the metric of a stored result, which another version may have written."""
    if name is None:
        return None
    try:
        return read_metric(name, **(options or {}))
    except (InputError, TypeError):
        return UnknownMetric(name, options)


class PairedCounts(Rows):
    """The distinct pairs of two systems' counts per example, and how often each pair occurs.

    A test needs nothing else: a few dozen to a few thousand entries for a million examples. Counts
    of parts of a corpus (shards, batches, processes) can be added. ``a + b`` or ``sum(parts)`` are
    the counts of the whole, with the same bits in any order of adding. Pass counts to
    `paired_permutation_test`. `from_rows` counts numbers. `pairedperm.paired_counts` counts
    predictions; these counts know their metric. `to_json` stores counts.

    Parameters
    ----------
    rows1, rows2 : array_like of int, float or Fraction, shape (k,) or (k, m)
        The numbers of system 1 and system 2, in the same order: one number, or a row of m numbers,
        for each pair. Pairs may repeat. Counts without rows can be added, not tested.
    multiplicities : array_like of int, shape (k,)
        How many examples have this pair; not negative.

    Attributes
    ----------
    rows1, rows2 : int64 array, shape (k,) or (k, m)
        The distinct pairs, in ascending order, in units of 1 / `unit`.
    multiplicities : int64 array, shape (k,)
        How many examples, or groups, have each pair; positive.
    unit : int
        The common denominator, as small as possible: 10^`decimals`, or that of fractions.
    decimals : int
        Digits after the point, as few as possible; 0 for integers, and for other fractions.
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

    def __init__(self, rows1: Any, rows2: Any, multiplicities: Any) -> None:
        rows1, rows2 = read_pair("rows1", rows1, "rows2", rows2, rows=True, least=0)
        how_often = read_multiplicities(multiplicities, len(rows1))
        occurs = how_often > 0
        rows1, rows2, unit = on_lattice("rows1", rows1[occurs], "rows2", rows2[occurs])
        self._set(Rows(rows1, rows2, how_often[occurs], unit).distinct())

    @classmethod
    def of(cls, rows: Rows) -> PairedCounts:
        """Return rows without group numbers as counts of their distinct pairs."""
        return cls.__new__(cls)._set(rows.counted())

    @classmethod
    def from_rows(cls, counts1: Any, counts2: Any) -> PairedCounts:
        """Count the pairs of two columns with an entry per example.

        Parameters
        ----------
        counts1, counts2 : array_like of int, float or Fraction, shape (n,) or (n, m)
            Lists, arrays, tensors, Series, dataset columns; n may be 0.

        Raises
        ------
        InputError
            If the constructor would refuse the columns.

        Notes
        -----
        Cost: O(n m) if few distinct values occur, otherwise O(n m log n).
        """
        rows1, rows2 = read_pair("counts1", counts1, "counts2", counts2, rows=True, least=0)
        rows1, rows2, unit = on_lattice("counts1", rows1, "counts2", rows2)
        return cls.of(Rows(rows1, rows2, unit=unit))

    def _set(self, rows: Rows) -> PairedCounts:
        """Take over the attributes, and make arrays read-only."""
        for name in FIELDS:
            value = getattr(rows, name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)
        return self

    @property
    def metric(self) -> str | None:
        """The name of the metric; None for bare numbers."""
        return self.provenance.metric

    @property
    def metric_options(self) -> dict[str, Any] | None:
        """The metric's options as keyword arguments; None if there are none."""
        return copy.deepcopy(self.provenance.metric_options)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to {name!r} of counts")

    def __add__(self, other: Any) -> PairedCounts:
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
        if not isinstance(other, PairedCounts):
            return NotImplemented
        return self.of(sum_of_parts([self, other]))

    def __radd__(self, other: object) -> PairedCounts:
        """Add to 0, since ``sum(parts)`` begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Compare the pairs, how often each occurs, and the metric."""
        if not isinstance(other, PairedCounts):
            return NotImplemented
        return all(np.array_equal(getattr(self, x), getattr(other, x)) for x in FIELDS[:-1]) and (
            self.provenance == other.provenance
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        metric = "" if self.metric is None else f", metric={self.metric!r}"
        groups = "" if self.n_groups is None else f", n_groups={self.n_groups}"
        return (
            f"{type(self).__name__}(n={self.n}{groups}, n_distinct={len(self.rows1)}, "
            f"shape={self.shape}{metric})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return self._remade, tuple(getattr(self, name) for name in FIELDS)

    @classmethod
    def _remade(cls, *values: Any) -> PairedCounts:
        """Return counts that were pickled."""
        return cls.of(Rows(*values))

    def to_dict(self, *, labels: bool = True) -> dict[str, Any]:
        """Return the counts in builtins, ready for JSON; the keys are the names of the attributes.

        Parameters
        ----------
        labels : bool
            True: the names of classes are included, and labels that show whether predictions and
            references match. Counts of parts need them to be added. False: classes are numbered, so
            that others may see the table. Labels that an option of the metric names stay.

        Returns
        -------
        dict
            Header and table, with their digest under "sha256".
        """
        header = self._header() if labels else self._unlabelled()
        columns = {name: getattr(self, name) for name in TABLE}
        stored = header | {k: x if x is None else x.tolist() for k, x in columns.items()}
        return stored | {"sha256": digest_of_counts(stored)}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> PairedCounts:
        """Return the counts that `to_dict` wrote.

        Raises
        ------
        InputError
            If these are no such counts, have another version, or are damaged.

        Notes
        -----
        The digest shows damage. It is no signature: who alters counts can alter the digest too.
        """
        return cls.of(rows_of_stored(found))

    def to_json(self, *, labels: bool = True) -> str:
        """Return `to_dict` as one line of text; without labels, equal counts give the same text."""
        return json.dumps(self.to_dict(labels=labels), allow_nan=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> PairedCounts:
        """Return the counts that `to_json` wrote.

        Raises
        ------
        InputError
            If the text is not JSON, or `from_dict` refuses it.
        """
        try:
            stored = read_json(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError("counts", f"must be the text of `to_json`: {error}") from error
        return cls.from_dict(stored)

    @property
    def sha256(self) -> str:
        """The digest, in hexadecimal, of ``to_dict(labels=False)``, which others may see."""
        digest: str = self.to_dict(labels=False)["sha256"]
        return digest

    def _header(self) -> dict[str, Any]:
        facts = self.provenance
        header: dict[str, Any] = {name: getattr(facts, name, None) for name in HEADER}
        header |= {"unit": self.unit // 10**self.decimals, "decimals": self.decimals}
        header["occurring"] = None
        header["metric_options"] = copy.deepcopy(facts.metric_options)
        header["classes"] = [[*x] if isinstance(x, tuple) else x for x in facts.classes]
        if facts.to_check is not None:
            absent, labels, *others = facts.to_check
            columns = [ordered(column) for column in labels]
            header["occurring"] = [ordered(absent), columns, *others]
        if not self.no_lattice:
            return {"format": FORMAT, "version": VERSIONS[0], **header}
        of_floats = {"no_lattice": str(self.no_lattice), "rounding": facts.rounding}
        return {"format": FORMAT, "version": VERSIONS[1], **header, **of_floats}

    def _unlabelled(self) -> dict[str, Any]:
        """Return the header, with numbers in place of the names of classes, in the same order."""
        header = self._header() | {"occurring": None, "kind": None, "paired_by": "position"}
        if self.no_lattice:  # the fact may tell whose score it is
            header["no_lattice"] = "the table holds other numbers than decimals of few digits"
        if header["classes"] and (self.provenance.metric_options or {}).get("labels") is None:
            header["is_labelled"] = False
            flat = {x for y in header["classes"] for x in (y if isinstance(y, list) else [y])}
            number = {x: k for k, x in enumerate(sorted(flat))}
            header["classes"] = [
                [number[x] for x in y] if isinstance(y, list) else number[y]
                for y in header["classes"]
            ]
        return header


def __getattr__(name: str) -> Any:
    if name == "in_one_form":  # of pickles
        raise InputError(OLD_PICKLE)
    raise AttributeError(name)
