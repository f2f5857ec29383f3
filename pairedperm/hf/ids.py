"""Put columns into one order by the ids of their entries, or check the ids for copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, counted, first_of, shown
from pairedperm.inputs.columns import IntArray, materialise
from pairedperm.inputs.ids import Aligned, align, read_ids

_ONCE = "Give each example one id."
_COPIES = "A sampler over several processes repeats some to fill the last batch: drop the copies."


def in_order(
    given: dict[str, Any], ids: Any, groups: Any, n_added: int
) -> tuple[dict[str, Any], Any]:
    """Return the columns and the groups, with the entries of one id in the same place.

    With one sequence of ids, the columns stay as they are. With ids by column, they are sorted by
    id.

    Parameters
    ----------
    given : dict from str to sequence
        The columns.
    ids : sequence of int or str, or dict from str to such
        The examples' ids, or the ids of each column, also of "groups" if there are any.
    groups : sequence or None
        The group of each example.
    n_added : int
        The number of examples added before, whose ids are not known.

    Raises
    ------
    InputError
        If examples were added before; if a column's ids differ from those of the others, repeat,
        or are more or fewer than its entries.
    """
    if n_added:
        what = " needs all columns in one call of compute, and examples were added before"
        raise InputError(Name("ids"), what, remedy="Their ids are not known: reset() discards them")
    columns = given if groups is None else {**given, "groups": groups}
    if not isinstance(ids, Mapping):
        found_ids = read_ids("ids", ids, _ONCE)
        _aligned({"ids": found_ids})
        for name, column in columns.items():
            _check_length(name, len(materialise(name, column)), "ids", len(found_ids))
        return given, groups
    if {*ids} != {*columns}:
        raise InputError(
            Name("ids"),
            must=f"have the ids of {', '.join(columns)}",
            got=f"those of {', '.join(map(shown, ids)) or 'nothing'}",
            remedy="Or give one column of ids for all",
        )
    words = {name: f"ids[{name!r}]" for name in columns}
    read = {words[name]: read_ids(words[name], ids[name], _ONCE) for name in columns}
    places = _aligned(read).places
    found = {
        name: _placed(name, column, words[name], place)
        for (name, column), place in zip(columns.items(), places, strict=True)
    }
    groups = found.pop("groups", None)
    return found, groups


def _aligned(columns: Mapping[str, Any]) -> Aligned:
    """Align the columns of ids.

    Raises
    ------
    InputError
        If an id occurs twice in a column, or is lacking in one.
    """
    found = align([*map(Name, columns)], [*columns.values()])
    for name, repeated in zip(columns, found.repeated, strict=True):
        if repeated:
            listed = first_of([*map(shown, repeated)], 10)
            what = f" holds {counted(len(repeated), 'id')} more than once: {listed}"
            raise InputError(Name(name), what, remedy=_COPIES)
    for name, lacking in zip(columns, found.lacking, strict=True):
        if lacking:
            listed = first_of([*map(shown, lacking)], 10)
            what = f" lacks {counted(len(lacking), 'id')} that others have: {listed}"
            raise InputError(Name(name), what, remedy="Compare the same examples")
    return found


def _placed(name: str, column: Any, ids: str, place: IntArray) -> Any:
    entries = materialise(name, column)
    _check_length(name, len(entries), ids, len(place))
    return [entries[k] for k in place.tolist()] if isinstance(entries, list) else entries[place]


def _check_length(name: str, n: int, ids: str, n_ids: int) -> None:
    """Raise InputError unless each entry has an id."""
    if n != n_ids:
        each = Parts("have an id for each entry of ", Name(name))
        raise InputError(Name(ids), must=each, remedy=f"it has {n_ids:,} for {n:,}")
