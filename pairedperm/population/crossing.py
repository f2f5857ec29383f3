"""Where a monotone function crosses 0, between two numbers of which one is on the safe side."""

from __future__ import annotations

import math
from collections.abc import Callable

_CLOSE = 2.0**-36  # tuned: both ends are as near as that, relative to the larger
_PATIENCE = 3  # tuned: steps in which the ends must come half as near, or the middle is asked
_LEAST = 1e-300  # proof: absolute; the middle of two such numbers is told from both


def crossing(rising: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """Return low and high next to each other, with rising(low) ≤ 0 < rising(high).

    `low` and `high` are such numbers already, but for rounding: neither is asked. Values may be
    infinite. The line through the values at both ends says where to look; the value of an end that
    stays is halved (the Illinois method). If the ends come near too slowly, the middle is asked, so
    that the number of steps is bounded.
    """
    below, above = -math.inf, math.inf
    width, n_steps = high - low, 0
    while (tolerance := _CLOSE * max(abs(low), abs(high)) + _LEAST) < high - low:
        middle = low + (high - low) / 2.0
        is_slow = n_steps % _PATIENCE == 0 and high - low > width / 2.0
        if n_steps % _PATIENCE == 0:
            width = high - low
        at = middle
        if not is_slow and math.isfinite(below) and math.isfinite(above):
            at = low + (high - low) * (below / (below - above))
            at = min(max(at, low + tolerance / 2.0), high - tolerance / 2.0)
        if not low < at < high:
            break
        value = rising(at)
        if value > 0.0:
            high, above, below = at, value, below / 2.0
        else:
            low, below, above = at, value, above / 2.0
        n_steps += 1
    return low, high
