"""What a computation in two dimensions has cost so far."""

from __future__ import annotations

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
        self._budget.check(
            "the exact p-value needs a Fourier transform in two dimensions that takes at least "
            f"as long as {n:.3g} frequencies",
            n_points=n,
            remedy="Raise it (a million take 0.6 s).",
        )

    def check_bytes(self, n_bytes: int) -> None:
        """Raise BudgetError if arrays would not fit."""
        self._budget.check(
            f"the exact p-value needs {n_bytes:.3g} bytes for a Fourier transform in two "
            "dimensions",
            n_bytes=n_bytes,
        )
