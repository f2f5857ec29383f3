"""A file that is one JSON object, as many tools write, and what is nested in it."""

from __future__ import annotations

import re
from typing import Any

from pairedperm.errors.wording import describe
from pairedperm.readers.named_file import AS_WRITTEN
from pairedperm.readers.text_file import JSON, Object, TextFile, value_at

_KINDS: dict[type, str] = {dict: "objects", str: "texts"}


def is_object(file: TextFile, start: str) -> bool:
    """Tell whether a file is called JSON, and is an object of which this pattern is the start."""
    return file.ending == JSON and re.match(rf"\ufeff?\s*\{{\s*{start}", file.start) is not None


def list_at(file: TextFile, whole: Object, *keys: str, of: type = dict) -> list[Any]:
    """Return the list of objects, or of others, under nested keys of a file's object.

    Raises
    ------
    InputError
        If there is no such list.
    """
    found = value_at(whole, *keys)
    if isinstance(found, list) and {*map(type, found)} <= {of}:
        return found
    what = f"has no list of {_KINDS[of]} under {'.'.join(keys)}, but ", describe(found)
    raise file.error(*what, remedy=AS_WRITTEN)


def list_in(value: Any, *keys: str) -> list[Any]:
    """Return the list under nested keys; an empty one if there is none."""
    found = value_at(value, *keys)
    return found if isinstance(found, list) else []


def items_in(value: Any, *keys: str) -> list[tuple[str, Any]]:
    """Return the entries of the object under nested keys; none if there is no object."""
    found = value_at(value, *keys)
    return [*found.items()] if isinstance(found, dict) else []
