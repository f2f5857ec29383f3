"""Read several things with names, such as systems or tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairedperm.errors import InputError
from pairedperm.shown import shown
from pairedperm.wording import Name, describe


def read_named(argument: str, given: Any, what: str, least: int) -> dict[str, Any]:
    """Return the things by their names, in which white space is one space.

    Parameters
    ----------
    argument : str
        The argument's name, for messages.
    given : mapping, or list or tuple of pairs
        The names and things. A table of pandas is a mapping from names to columns.
    what : str
        The word for the things, such as "predictions", for messages.
    least : int
        The least number of things.

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
    found: dict[str, Any] = {}
    for label, value in pairs:
        if not isinstance(label, str) or not label.strip():
            raise InputError(Name(argument), must="have names, as text", got=describe(label))
        name = " ".join(label.split())
        if name in found:
            what = f" holds {shown(name)} twice"
            raise InputError(Name(argument), what, remedy="give each a name of its own")
        found[name] = value
    if len(found) < least:
        got = "".join((f"{len(found)}", *(f": {shown(name)}" for name in found)))
        raise InputError(Name(argument), must=f"hold at least {least}", got=got)
    return found


def _is_pair(x: Any) -> bool:
    return isinstance(x, tuple) and len(x) == 2
