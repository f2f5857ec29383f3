"""The errors that the package raises on purpose, each with a standard parent."""

from __future__ import annotations

__all__ = ["BudgetError", "InputError"]


class InputError(ValueError):
    """An argument cannot be used: the message says what arrived and what is accepted."""


class BudgetError(RuntimeError):
    """The exact answer would cost more than is allowed: the message says how much."""
