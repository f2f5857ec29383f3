"""How much an exact computation may cost before it is refused."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Budget"]


@dataclass(frozen=True)
class Budget:
    """Upper limits; what would exceed them raises BudgetError, before it has begun.

    Attributes
    ----------
    max_frequencies : int
        Frequencies of a characteristic function that may have to be looked at. A million takes
        a tenth of a second to a second.
    max_bytes : int
        Memory for the arrays of one computation.
    """

    max_frequencies: int = 2**25
    max_bytes: int = 2**30
