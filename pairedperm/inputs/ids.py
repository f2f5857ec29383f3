"""Read the ids of examples, and put the columns that they belong to into one order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby, islice
from operator import eq
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np

from pairedperm.errors import (
    PYTHON,
    InputError,
    Name,
    Parts,
    Setting,
    Words,
    describe,
    printable,
    shown,
    warn,
)
from pairedperm.inputs.columns import (
    IntArray,
    entries_of,
    entry,
    is_integer,
    is_missing,
    some_entries,
)

_MANY = 2**15  # tuned: texts that are sorted faster by pyarrow, its import included
Id = int | str
_Sorted = tuple[list[Id], list[IntArray]]  # the ids in order, and their places in each column


class Aligned(NamedTuple):
    """The common ids of several columns, and the ids that are not common.

    `ids` are the ids that each column holds once, sorted; `places` are their positions in each
    column. For each column, `lacking` lists the ids that only others hold, and `repeated` the ids
    that it holds more than once.
    """

    ids: list[Any]
    places: list[IntArray]
    lacking: list[list[Any]]
    repeated: list[list[Any]]


def read_ids(name: str | Name, column: Any, remedy: Words) -> list[Id]:
    """Return the id of each example.

    Raises
    ------
    InputError
        If an id is missing, or is no integer or string.
    """
    entries = some_entries(name, column, "one id")
    ids = entries_of(entries) if isinstance(entries, np.ndarray) else entries
    if {*map(type, ids)} <= {int, str}:
        return [*ids]
    for number, value in enumerate(ids):
        if is_missing(value) or not (isinstance(value, str) or is_integer(value)):
            raise InputError(
                entry(name),
                must="hold an id for each example, an integer or string",
                at=entry(name, (number,)),
                got=describe(value),
                remedy=remedy,
            )
    return [*ids]


def align(names: Sequence[Words], columns: Sequence[Sequence[Id]]) -> Aligned:
    """Find the ids that all columns hold once, and for each column those it lacks or repeats.

    Messages call the columns by `names`.

    Raises
    ------
    InputError
        If some ids are texts and others integers.
    """
    check_one_type(names, columns)
    if (same := _sorted_if_same(columns)) is not None:
        return Aligned(*same, [[] for _ in columns], [[] for _ in columns])
    places = [dict(zip(ids, range(len(ids)), strict=True)) for ids in columns]
    repeated = [
        sorted(x for x, n in Counter(ids).items() if n > 1) if len(ids) > len(place) else []
        for ids, place in zip(columns, places, strict=True)
    ]
    lacking: list[list[Any]] = [[] for _ in places]
    common: Any = places[0]
    if any(place.keys() != places[0].keys() for place in places):
        common = set.intersection(*map(set, places))
        every = set[Any]().union(*places)
        lacking = [sorted(every.difference(place)) for place in places]
    ids = sorted(set(common).difference(*repeated) if any(repeated) else common)
    positions = [np.fromiter(map(place.__getitem__, ids), np.int64, len(ids)) for place in places]
    return Aligned(ids, positions, lacking, repeated)


def _sorted_if_same(columns: Sequence[Sequence[Id]]) -> _Sorted | None:
    """Return the sorted ids and their places if all columns hold the same ids, each once.

    This is ordinary, and quicker than looking each id up.
    """
    groups = [[*same] for _, same in groupby(columns)]  # mostly one: all in one order
    distinct = [same[0] for same in groups]
    if len({*map(len, distinct)}) > 1:
        return None
    are_many = len(distinct[0]) >= _MANY and isinstance(next(iter(distinct[0]), None), str)
    if (in_order := (_sorted_texts if are_many else _sorted_columns)(distinct)) is None:
        return None
    ids, places = in_order
    return ids, [place for place, same in zip(places, groups, strict=True) for _ in same]


def _sorted_columns(columns: Sequence[Sequence[Id]]) -> _Sorted | None:
    orders = [sorted(range(len(ids)), key=ids.__getitem__) for ids in columns]
    first, *others = [[ids[k] for k in order] for ids, order in zip(columns, orders, strict=True)]
    if any(map(eq, first, islice(first, 1, None))) or any(other != first for other in others):
        return None
    return first, [np.array(order, dtype=np.int64) for order in orders]


def _sorted_texts(columns: Sequence[Sequence[Id]]) -> _Sorted | None:
    """Do it by pyarrow, for many texts: their order by bytes of UTF-8 is that in Python."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        first, *others = [pa.array(column, pa.large_string()) for column in columns]
    except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8
        return _sorted_columns(columns)
    order = pc.sort_indices(first)
    ids = first.take(order)
    # as many ids in each column as distinct ones in the first: if these are there, no others are
    places = [order, *(pc.index_in(ids, value_set=other) for other in others)]
    if pc.any(pc.equal(ids[1:], ids[:-1])).as_py() or any(place.null_count for place in places):
        return None
    return ids.to_pylist(), [np.array(place, dtype=np.int64) for place in places]


def check_one_type(names: Sequence[Words], columns: Sequence[Sequence[Id]]) -> None:
    """Raise InputError unless all ids are texts, or all integers."""
    first: tuple[Words, Id] | None = None
    for name, ids in zip(names, columns, strict=True):
        if first is None and len(ids):
            first = name, ids[0]
        for kind in {*map(type, ids)}:
            if first is not None and issubclass(kind, str) != isinstance(first[1], str):
                other = next(x for x in ids if type(x) is kind)
                has = "also" if first[0] == name else Parts("and ", first[0], " has")
                raise InputError(
                    *(name, " has the id ", describe(other), ", ", has, " ", describe(first[1])),
                    remedy="a text never equals an integer. Write all ids in one way",
                )


def same_text_in_two_forms(ids: Sequence[Sequence[Any]]) -> str:
    """Say which ids differ only in their Unicode form: é, or e and a mark; "" if none do."""
    texts: dict[str, str] = {}
    for text in (x for column in ids for x in column if isinstance(x, str) and not x.isascii()):
        other = texts.setdefault(normalize("NFC", text), text)
        if other != text:
            pair = " and ".join(printable(ascii(x), 60) for x in (other, text))
            return f"{pair} are one text in two Unicode forms: write all ids in one, such as NFC"
    return ""


_OR_RESET = ", or if they do not belong together, reset_index(drop=True)"


def warn_of_indexes(columns: Mapping[str, Any]) -> None:
    """Warn if pandas would pair the examples of two columns in another way.

    Each column is compared with the last that has an index, which is the references if possible.
    """
    indexed = {name: x for name, x in columns.items() if _has_index(x)}
    if len(indexed) < 2:
        return
    other, right = indexed.popitem()
    for name, column in indexed.items():
        if len(column) == len(right) and not column.index.equals(right.index):
            kinds = dict.fromkeys(type(x).__name__ for x in (column, right))
            what = "DataFrames" if kinds == {"DataFrame": None} else " and ".join(kinds)
            warn(
                *(Name(name), " and ", Name(other)),
                f" are {what} with different indexes",
                remedy="they are paired by position. Align them first "
                f"({name}.loc[{other}.index]), or reset_index(drop=True)",
            )


def warn_of_repeats(name: str | Name, column: Any) -> None:
    """Warn if ids in the index of a column repeat; call it only without groups."""
    if _has_index(column) and not column.index.is_unique:
        known = entry(name)
        groups = Setting("groups", f"{PYTHON.entry(known.argument, known.at)}.index")
        warn(
            "ids in the index of ",
            known,
            f" repeat, {column.index.nunique():,} of {len(column):,} are distinct",
            remedy=(
                "examples that belong together are not independent, and p is too small",
                Parts("Swap them together, ", groups, _OR_RESET),
            ),
        )


def _has_index(column: Any) -> bool:
    """Tell whether a column is a Series or a DataFrame; lists have an `index` method too."""
    return type(column).__module__.partition(".")[0] == "pandas" and hasattr(column, "iloc")


def read_named(argument: str, given: Any, what: str, least: int) -> dict[str, Any]:
    """Return the `given` things by their names, in which white space is one space.

    A table of pandas is a mapping from names to columns. Messages call the things `what`, such as
    "predictions". There must be at least `least`.

    Raises
    ------
    InputError
        If `given` has another type or fewer things; if a name is empty, no text, or there twice.
    """
    is_table = hasattr(given, "columns") and hasattr(given, "items")
    pairs = [*given.items()] if is_table or isinstance(given, Mapping) else given
    if not isinstance(pairs, (list, tuple)) or not all(map(_is_pair, pairs)):
        raise InputError(
            Name(argument),
            must=f"be a dict from names to {what}, or a list of such pairs",
            got=describe(given),
        )
    by_name: dict[str, Any] = {}
    for label, value in pairs:
        if not isinstance(label, str) or not label.strip():
            raise InputError(Name(argument), must="have names, as text", got=describe(label))
        name = " ".join(label.split())
        if name in by_name:
            what = f" holds {shown(name)} twice"
            raise InputError(Name(argument), what, remedy="give each a name of its own")
        by_name[name] = value
    if len(by_name) < least:
        got = "".join((f"{len(by_name)}", *(f": {shown(name)}" for name in by_name)))
        raise InputError(Name(argument), must=f"hold at least {least}", got=got)
    return by_name


def _is_pair(x: Any) -> bool:
    return isinstance(x, tuple) and len(x) == 2
