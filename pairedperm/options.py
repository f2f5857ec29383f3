"""Options that the tests share, checked once at the edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np

from pairedperm.columns import describe
from pairedperm.convolution import Budget
from pairedperm.errors import InputError

__all__ = [
    "MAX_BYTES",
    "MAX_FREQUENCIES",
    "Alternative",
    "Method",
    "check_option",
    "read_budget",
    "read_options",
]

Alternative = Literal["two-sided", "greater", "less"]
Method = Literal["auto", "exact"]
MAX_FREQUENCIES = Budget.max_frequencies
MAX_BYTES = Budget.max_bytes


def read_options(
    alternative: object, method: object, max_frequencies: Any, max_bytes: Any
) -> tuple[str, Budget]:
    """The alternative and the budget, if all are known; there is one method so far."""
    check_option("method", method, get_args(Method))
    checked = check_option("alternative", alternative, get_args(Alternative))
    return checked, read_budget(max_frequencies, max_bytes)


def check_option(name: str, value: object, accepted: Sequence[str]) -> str:
    """The option's value as a plain string, if it is one of those there are."""
    if not isinstance(value, str) or value not in accepted:
        raise InputError(
            f"`{name}` must be one of {', '.join(map(repr, accepted))}, got {describe(value)}."
        )
    return str(value)


def read_budget(max_frequencies: Any, max_bytes: Any) -> Budget:
    """The budget, if both limits are positive integers; 1e9 is one, infinity is not."""
    limits = {"max_frequencies": max_frequencies, "max_bytes": max_bytes}
    for name, value in limits.items():
        is_number = isinstance(value, (int, float, np.integer, np.floating))
        if not is_number or isinstance(value, bool) or not (value >= 1 and value % 1 == 0):
            raise InputError(f"`{name}` must be a positive integer, got {describe(value)}.")
    return Budget(**{name: int(value) for name, value in limits.items()})
