"""Where a function passes 0: the root of a continuous one, and what is next to it.

`find_root` is Brent's method. It makes the steps of `scipy.optimize.brentq`, in the same
arithmetic: roots are the same bits. Importing scipy's takes longer than most calls.

References
----------
.. [1] R. P. Brent, "Algorithms for Minimization Without Derivatives", 1973, chapter 4.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable

_NEXT = 4.0 * 2.0**-52  # proof: a root this near is next to itself
_CLOSE = 1e-9  # tuned: a value is near enough if it is that far below 0 at most
_SECANTS = 24  # tuned: so many points are looked for along a line, the others in the middle


def find_root(
    function: Callable[[float], float],
    low: float,
    high: float,
    *,
    xtol: float = 2e-12,
    rtol: float = _NEXT,
    most_steps: int = 100,
) -> float:
    """Return x with function(x) = 0 between two ends where the function has different signs.

    The exact root lies within xtol + rtol · |x|.

    Raises
    ------
    ValueError
        If the function has one sign at both ends.
    RuntimeError
        If so many steps do not suffice.
    """
    before, now = float(low), float(high)
    f_before, f_now = float(function(before)), float(function(now))
    if f_before == 0.0:
        return before
    if f_now == 0.0:
        return now
    if (f_before < 0.0) == (f_now < 0.0):
        raise ValueError("the function has the same sign at both ends")
    other = f_other = last = step = 0.0
    for _ in range(most_steps):
        if f_before != 0.0 and f_now != 0.0 and (f_before < 0.0) != (f_now < 0.0):
            other, f_other = before, f_before  # the root lies between `now` and `other`
            last = step = now - before
        if abs(f_other) < abs(f_now):
            before, now, other = now, other, now
            f_before, f_now, f_other = f_now, f_other, f_now
        least, half = (xtol + rtol * abs(now)) / 2.0, (other - now) / 2.0
        if f_now == 0.0 or abs(half) < least:
            return now
        trial = math.inf
        if abs(last) > least and abs(f_now) < abs(f_before):
            if before == other:  # a secant
                rise, run = -f_now * (now - before), f_now - f_before
            else:  # an inverse parabola
                one, two = (f_before - f_now) / (before - now), (f_other - f_now) / (other - now)
                rise = -f_now * (f_other * two - f_before * one)
                run = two * one * (f_other - f_before)
            trial = rise / run if run else math.inf
        is_short = 2.0 * abs(trial) < min(abs(last), 3.0 * abs(half) - least)
        last, step = (step, trial) if is_short else (half, half)
        before, f_before = now, f_now
        now += step if abs(step) > least else math.copysign(least, half)
        f_now = float(function(now))
    raise RuntimeError(f"no root was found in {most_steps} steps")


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


def least_integer(holds: Callable[[int], bool], most: int) -> int | None:
    """Return the least integer from 1 to `most` for which a monotone `holds` is true, or None.

    The search doubles first, because large integers take longer.
    """
    low, high = 0, 1
    while not holds(high):
        if high == most:
            return None
        low, high = high, min(2 * high, most)
    return bisect_left(range(high), True, low + 1, key=holds)
