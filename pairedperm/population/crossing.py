"""Where a rising function crosses 0."""

from __future__ import annotations

import math
from collections.abc import Callable

_CLOSE = 1e-9  # tuned: a value is near enough if it is that far below 0 at most
_SECANTS = 24  # tuned: so many points are looked for along a line, the others in the middle


def crossing(
    rising: Callable[[float], float], low: float, high: float, start: float, slope: float
) -> float:
    """Return an x with -1e-9 ≤ rising(x) ≤ 0, or the last float before rising is above 0.

    It is between `low` and `high`, or `low`. Neither is asked: rising is at most 0 at the one, and
    above 0 at the other, but for rounding. Values may be infinite. The first x is `start`. The line
    through the last two values says where to look next; the first line has the given slope.
    """
    at, last, n_points = start, None, 0
    while True:
        if n_points >= _SECANTS or not low < at < high:
            at = low + (high - low) / 2.0
            if not low < at < high:
                return low
        value = rising(at)
        n_points += 1
        if -_CLOSE <= value <= 0.0:
            return at
        low, high = (low, at) if value > 0.0 else (at, high)
        if last is not None:
            secant = (value - last[1]) / (at - last[0])
            slope = secant if 0.0 < secant < math.inf else slope
        last = at, value
        step = -(value + _CLOSE / 2.0) / slope
        at = at + step if at + step != at else math.nextafter(at, math.copysign(math.inf, step))
