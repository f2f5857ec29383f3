"""Read the ids of examples, and align the columns that hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors import InputError
from pairedperm.inputs.columns import IntArray, entry, is_integer, is_missing, listed, some_entries
from pairedperm.wording import Name, Parts, Words, describe

Id = int | str


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
    ids = listed(entries) if isinstance(entries, np.ndarray) else entries
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
    _check_types(names, columns)
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
    found = [np.fromiter(map(place.__getitem__, ids), np.int64, len(ids)) for place in places]
    return Aligned(ids, found, lacking, repeated)


def _check_types(names: Sequence[Words], columns: Sequence[Sequence[Id]]) -> None:
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
