"""What a computation in two dimensions has cost so far."""

from __future__ import annotations

from pairedperm.errors import BudgetError
from pairedperm.options import Budget

__all__ = ["Meter"]

_NANOSECONDS = 600.0  # that a frequency stands for in two dimensions


class Meter:
    """What a computation in two dimensions has cost so far, against its budget."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._spent = 0.0

    def spend(self, nanoseconds: float) -> None:
        """Add to what has been spent."""
        self.check(nanoseconds)
        self._spent += nanoseconds

    def check(self, nanoseconds: float) -> None:
        """Raise BudgetError if that would be too much."""
        n = (self._spent + nanoseconds) / _NANOSECONDS
        if n > self._budget.max_frequencies:
            raise BudgetError(
                "the exact p-value needs a Fourier transform in two dimensions that takes at least "
                f"as long as {n:.3g} frequencies; `max_frequencies` allows "
                f"{self._budget.max_frequencies:.3g}. Raise it (a million take 0.6 s)."
            )

    def check_bytes(self, n_bytes: int) -> None:
        """Raise BudgetError if arrays would not fit."""
        if n_bytes > self._budget.max_bytes:
            raise BudgetError(
                f"the exact p-value needs {n_bytes:.3g} bytes for a Fourier transform in two "
                f"dimensions; `max_bytes` allows {self._budget.max_bytes:.3g}. Raise it."
            )
