"""Counts as JSON and Arrow; reading checks them."""

from __future__ import annotations

import copy
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pairedperm.constraints import is_whole
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.scoring.digest import digest_of
from pairedperm.scoring.origin import Origin
from pairedperm.scoring.pairs import in_least_units
from pairedperm.scoring.vocabulary import Occurring
from pairedperm.shown import shown
from pairedperm.wording import Name, describe

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Self

FORMAT, VERSION = "pairedperm counts", 1
_MOST_DECIMALS = 18  # proof: 10^18 fits int64
_ANEW = "Write them anew"
_TABLE = ("rows1", "rows2", "multiplicities", "sizes")
_HEADER = (
    *("metric", "metric_options", "decimals", "unit", "classes", "is_labelled", "n_ignored"),
    *("paired_by", "kind"),
)
_KEYS = ("format", "version", *_HEADER, "occurring", *_TABLE)


class StoredCounts(ABC):
    """The stored form of counts: a header, and a table of the distinct pairs."""

    __slots__ = ()

    rows1: IntArray
    rows2: IntArray
    multiplicities: IntArray
    sizes: IntArray | None
    decimals: int
    origin: Origin

    @classmethod
    @abstractmethod
    def _restored(cls, rows1: Any, rows2: Any, multiplicities: Any, **others: Any) -> Self:
        """Make counts of checked arrays; `others` are sizes, decimals and origin."""

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
        columns = {name: getattr(self, name) for name in _TABLE}
        found = header | {k: x if x is None else x.tolist() for k, x in columns.items()}
        return found | {"sha256": digest_of(found, _KEYS)}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Self:
        """Return the counts that `to_dict` wrote.

        Raises
        ------
        InputError
            If these are no such counts, have another version, or are damaged.

        Notes
        -----
        The digest shows damage. It is no signature: who alters counts can alter the digest too.
        """
        if not isinstance(found, Mapping) or found.get("format") != FORMAT:
            must = f"be what `PairedCounts.to_dict` gave, with the format {FORMAT!r}"
            raise InputError(Name("counts"), must=must, got=describe(found))
        if found.get("version") != VERSION:
            version = shown(found.get("version"))
            raise InputError(
                Name("counts"),
                f" have the version {version}, and this release reads {VERSION}",
                remedy="Install the release of pairedperm that wrote them",
            )
        _check_digest(found)
        multiplicities = _column(found, "multiplicities")
        sizes = None if found.get("sizes") is None else _column(found, "sizes")
        rows1, rows2 = _column(found, "rows1", rows=True), _column(found, "rows2", rows=True)
        n = multiplicities.size
        if not (len(rows1) == len(rows2) == n and rows1.shape == rows2.shape):
            raise _damaged("rows1", must="be as many, and as wide, as `rows2` and `multiplicities`")
        if sizes is not None and sizes.size != n:
            raise _damaged("sizes", must="be as many as `multiplicities`")
        for name, column in (("multiplicities", multiplicities), ("sizes", sizes)):
            if column is not None and n and column.min() < 1:
                raise _damaged(name, must="be numbers of examples, from 1 on")
        header = _read_header(found, rows1)
        units = header["decimals"], header["origin"].unit
        if in_least_units(rows1, rows2, *units)[2:] != units and n:
            what = " has a common divisor with its unit, and is not in its one form"
            raise _damaged("rows1", what)
        if header["origin"].classes and sizes is None:  # small types, as counting gives
            small = np.result_type(
                *(np.min_scalar_type(-int(abs(x).max(initial=1))) for x in (rows1, rows2))
            )
            rows1, rows2 = rows1.astype(small), rows2.astype(small)
        return cls._restored(rows1, rows2, multiplicities, sizes=sizes, **header)

    def to_json(self, *, labels: bool = True) -> str:
        """Return `to_dict` as one line of text; without labels, equal counts give the same text."""
        return json.dumps(self.to_dict(labels=labels), allow_nan=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the counts that `to_json` wrote.

        Raises
        ------
        InputError
            If the text is not JSON, or `from_dict` refuses it.
        """
        try:
            found = read_json(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(Name("counts"), f" must be the text of `to_json`: {error}") from error
        return cls.from_dict(found)

    @property
    def sha256(self) -> str:
        """The digest, in hexadecimal, of ``to_dict(labels=False)``, which others may see."""
        digest: str = self.to_dict(labels=False)["sha256"]
        return digest

    def to_arrow(self) -> pa.Table:
        """Return a `pyarrow.Table` with a row per distinct pair, and the header in its metadata."""
        import pyarrow as pa

        arrays = {}
        for name in _TABLE:
            column = getattr(self, name)
            if column is not None and column.ndim == 2:
                flat = pa.array(column.reshape(-1).astype(np.int64))
                arrays[name] = pa.FixedSizeListArray.from_arrays(flat, column.shape[1])
            elif column is not None:
                arrays[name] = pa.array(column.astype(np.int64))
        digest = self.to_dict()["sha256"]
        header = json.dumps(self._header() | {"sha256": digest})
        return pa.table(arrays).replace_schema_metadata({FORMAT: header})

    @classmethod
    def from_arrow(cls, table: pa.Table) -> Self:
        """Return the counts that `to_arrow` wrote, also as read from a Parquet or an Arrow file.

        Raises
        ------
        InputError
            If the table lacks the metadata of `to_arrow`, or `from_dict` refuses its content.
        """
        metadata = getattr(getattr(table, "schema", None), "metadata", None) or {}
        if (header := metadata.get(FORMAT.encode())) is None:
            must = "be a table of `PairedCounts.to_arrow`, with its metadata"
            raise InputError(Name("counts"), must=must, got=describe(table))
        try:
            found = json.loads(header)
        except ValueError as error:
            raise _damaged("metadata", must=f"be JSON: {error}") from error
        names = table.column_names
        columns = {x: table[x].to_pylist() if x in names else None for x in _TABLE}
        return cls.from_dict({**found, **columns} if isinstance(found, dict) else found)

    def _header(self) -> dict[str, Any]:
        origin, found = self.origin, self.origin.occurring
        header = {name: getattr(origin, name) for name in _HEADER if name != "decimals"}
        header["metric_options"] = copy.deepcopy(origin.metric_options)
        header["classes"] = [[*x] if isinstance(x, tuple) else x for x in origin.classes]
        header |= {"decimals": self.decimals, "occurring": None}
        if found is not None:
            absent, labels, *others = found
            columns = [_ordered(column) for column in labels]
            header["occurring"] = [_ordered(absent), columns, *others]
        return {"format": FORMAT, "version": VERSION, **header}

    def _unlabelled(self) -> dict[str, Any]:
        """Return the header, with numbers in place of the names of classes, in the same order."""
        header = self._header() | {"occurring": None, "kind": None, "paired_by": "position"}
        if header["classes"] and (self.origin.metric_options or {}).get("labels") is None:
            header["is_labelled"] = False
            flat = {x for y in header["classes"] for x in (y if isinstance(y, list) else [y])}
            number = {x: k for k, x in enumerate(sorted(flat))}
            header["classes"] = [
                [number[x] for x in y] if isinstance(y, list) else number[y]
                for y in header["classes"]
            ]
        return header


def _ordered(labels: frozenset[Any]) -> list[Any]:
    return sorted(labels, key=lambda x: (isinstance(x, str), x))


def _damaged(entry: str, what: str = "", **facts: Any) -> InputError:
    """Return the error for an entry of stored counts, such as a column."""
    return InputError(Name("counts"), f" are damaged: `{entry}`{what}", **facts, remedy=_ANEW)


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


def _check_digest(found: Mapping[str, Any]) -> None:
    """Raise InputError if the counts state a digest that is not theirs."""
    stated = found.get("sha256")
    try:
        digest = digest_of(found, _KEYS)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(Name("counts"), f" are damaged: {error}", remedy=_ANEW) from error
    if stated not in (None, digest):
        what = f" were altered: the SHA-256 of the table is {digest}, and it states "
        anew = "Ask for the counts anew"
        raise InputError(Name("counts"), what, describe(stated), remedy=anew)


def _column(found: Mapping[str, Any], name: str, *, rows: bool = False) -> IntArray:
    """Return a column of integers, or of rows of integers."""
    given = found.get(name)
    try:
        array = np.array(given) if isinstance(given, list) else None
    except ValueError:  # rows of different lengths
        array = None
    if array is not None and not array.size:  # the width of no rows is lost
        array = array.astype(np.int64)
    if array is None or array.dtype != np.int64 or array.ndim not in ((1, 2) if rows else (1,)):
        kind = "integers, or rows of them," if rows else "integers"
        raise _damaged(name, must=f"be a list of {kind} within int64", got=describe(given))
    return array


def _read_header(found: Mapping[str, Any], rows1: IntArray) -> dict[str, Any]:
    """Return the decimals and the origin."""
    for name, least in (("decimals", 0), ("unit", 1), ("n_ignored", 0)):
        value = found.get(name)
        if not is_whole(value) or not least <= value < 2**63:  # type: ignore[operator]
            raise _damaged(name, must=f"be an integer from {least}", got=describe(value))
    if found["decimals"] > _MOST_DECIMALS:
        must = f"be at most {_MOST_DECIMALS}"
        raise _damaged("decimals", must=must, got=str(found["decimals"]))
    metric, options = found.get("metric"), found.get("metric_options")
    if not (metric is None or isinstance(metric, str)):
        raise _damaged("metric", must="be a name or null", got=describe(metric))
    if not (options is None or (isinstance(options, dict) and metric is not None)):
        raise _damaged("metric_options", must="be a dict or null", got=describe(options))
    classes = _classes(found.get("classes"))
    if classes and (rows1.ndim != 2 or rows1.shape[1] != 3 * len(classes)):
        raise _damaged("classes", must="be a third as many as the numbers of a row")
    is_labelled = found.get("is_labelled")
    if not isinstance(is_labelled, bool):
        raise _damaged("is_labelled", must="be true or false", got=describe(is_labelled))
    if found.get("kind") not in (None, "integers", "strings"):
        raise _damaged("kind", must="be 'integers', 'strings' or null")
    if found.get("paired_by") not in ("position", "id"):
        raise _damaged("paired_by", must="be 'position' or 'id'")
    origin = Origin(
        metric=metric,
        metric_options=copy.deepcopy(options),
        classes=classes,
        unit=found["unit"],
        n_ignored=found["n_ignored"],
        occurring=_occurring(found.get("occurring")),
        paired_by=found["paired_by"],
        is_labelled=is_labelled,
        kind=found.get("kind"),
    )
    return {"decimals": found["decimals"], "origin": origin}


def _classes(given: Any) -> tuple[Any, ...]:
    """Return the classes: labels, or pairs of labels."""
    if not isinstance(given, list):
        raise _damaged("classes", must="be a list of labels", got=describe(given))
    found = tuple(tuple(x) if isinstance(x, list) else x for x in given)
    flat = [y for x in found for y in (x if isinstance(x, tuple) else (x,))]
    are_alike = len({*map(type, found)}) < 2
    if not (_are_labels(flat) and are_alike) or len({*found}) < len(found):
        raise _damaged("classes", must="be distinct labels, all integers or all strings")
    return found


def _are_labels(given: Any) -> bool:
    """Tell whether it is a list of integers, or of strings."""
    return isinstance(given, list) and {*map(type, given)} in (set(), {int}, {str})


def _occurring(given: Any) -> Occurring | None:
    if given is None:
        return None
    try:
        absent, labels, mapped, one_hot, has_descending = given
        one, two, three = labels
    except (TypeError, ValueError):
        raise _damaged("occurring", must="be null or a list of 5", got=describe(given)) from None
    if isinstance(one_hot, bool):  # of an older version: whether all rows are 0 and 1
        one_hot = 2 * one_hot
    is_one = isinstance(mapped, str) and (type(one_hot), type(has_descending)) == (int, bool)
    if not is_one or not all(map(_are_labels, (absent, one, two, three))):
        raise _damaged("occurring", must="hold lists of labels", got=describe(given))
    sets = frozenset(one), frozenset(two), frozenset(three)
    return Occurring(frozenset(absent), sets, mapped, one_hot, has_descending)
