"""The SHA-256 digest that identifies a stored table."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pairedperm.errors import InputError
from pairedperm.wording import Name, Parts, Python, describe

_IS_DIGEST = re.compile(r"[0-9a-f]{64}", re.I | re.A)


def digest_of(found: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return the SHA-256 of these entries as JSON, whatever other entries there are.

    Raises
    ------
    TypeError, ValueError, RecursionError
        If the entries are not valid JSON.
    """
    known = {name: found.get(name) for name in names}
    text = json.dumps(known, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_digest(sha256: Any) -> str:
    """Return a SHA-256 digest in lower case.

    Raises
    ------
    InputError
        If it is not 64 hexadecimal digits.
    """
    if not isinstance(sha256, str) or not _IS_DIGEST.fullmatch(sha256):
        source = Python('publish(result)["sha256"]', "as a model card states")
        must = Parts("be 64 hexadecimal digits, ", source)
        raise InputError(Name("sha256"), must=must, got=describe(sha256))
    return sha256.lower()
