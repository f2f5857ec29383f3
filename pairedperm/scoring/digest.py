"""The SHA-256 by which a stored table is known."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pairedperm.errors import InputError, describe

_IS_DIGEST = re.compile(r"[0-9a-f]{64}", re.I | re.A)


def digest_of(found: Mapping[str, Any], names: Iterable[str]) -> str:
    """The SHA-256 of the JSON of these entries, whatever stands beside them.

    Raises
    ------
    TypeError, ValueError, RecursionError
        If they are no JSON.
    """
    known = {name: found.get(name) for name in names}
    text = json.dumps(known, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_digest(sha256: Any) -> str:
    """A SHA-256 in small letters.

    Raises
    ------
    InputError
        If it is none.
    """
    if not isinstance(sha256, str) or not _IS_DIGEST.fullmatch(sha256):
        raise InputError(
            '`sha256` must be 64 hexadecimal digits, publish(result)["sha256"], got '
            f"{describe(sha256)}."
        )
    return sha256.lower()
