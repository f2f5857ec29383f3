"""The version of what `to_dict` of every result returns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

SCHEMA_VERSION = 1  # proof: of schema.json


def versioned(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result's keys, ready for JSON, with the version of the schema as the last one."""
    stored = {key: _plain(x) for key, x in nested(found).items()}
    return stored | {"schema_version": SCHEMA_VERSION}


def nested(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result's keys for another result, which says the version for both."""
    return {key: x for key, x in found.items() if key != "schema_version"}


def _plain(value: Any) -> Any:
    """Return lists for tuples, and None for an infinite number."""
    if isinstance(value, (list, tuple)):
        return [*map(_plain, value)]
    return None if isinstance(value, float) and math.isinf(value) else value
