"""Values that a declared option must refuse or take, as its declaration says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from pairedperm.options import Constraint, Interval, OneOf, Text, Whole, YesNo

_OF_OTHER_TYPES = (
    *(b"a", [1], {"a": 1}, 1j, object(), int, pd.NA, pd.NaT, math.nan, np.float64("nan")),
    *(np.timedelta64(1, "s"), np.timedelta64("NaT", "s"), np.array([1, 0]), np.array(1)),
    *(np.array("exact"), np.array(["exact", "auto"]), np.void(b"abc"), np.zeros(2, "i4,i4")),
    *(pd.Series(["exact", "auto"]), np.datetime64("2020-01-01")),
)


def wrong_values(constraint: Constraint) -> Iterator[Any]:
    """Values of other types, misspelt words, and numbers just outside."""
    yield from _OF_OTHER_TYPES
    if not constraint.or_none:
        yield None
    if isinstance(constraint, OneOf):
        words = [x for word in constraint.choices for x in (word.upper(), f"{word} ", word[:-1])]
        yield from (x for x in ("", "x", 1, True, *words) if x not in constraint.choices)
    elif isinstance(constraint, Interval):
        yield from ("0.5", True, np.True_, 10**400, -(10**400), -math.inf)
        is_low, is_high = (constraint.closed in ("both", x) for x in ("left", "right"))
        low, high = constraint.low, constraint.high
        near = [np.nextafter(np.longdouble(x), np.longdouble(0.5)) for x in (0, 1)]
        yield from (x for x in near if not is_low and float(x) in (low, high))  # rounds to an end
        yield math.nextafter(low, -math.inf) if is_low else low
        yield math.nextafter(high, math.inf) if is_high else high
    elif isinstance(constraint, Whole):
        yield from ("1", True, np.True_, constraint.least - 1, max(constraint.least, 0) + 0.5)
        yield math.inf
        if constraint.is_name:
            yield from (1.0, np.float32(2), 2.0**63)
        if constraint.most is not None:
            yield constraint.most + 1
    elif isinstance(constraint, YesNo):
        yield from (0, 1, "True", "yes", "")
    elif isinstance(constraint, Text):
        yield 1
        yield from () if constraint.may_be_blank else ("", " \n")


def right_values(constraint: Constraint) -> Iterator[tuple[Any, Any]]:
    """Values with what is kept of them: choices, numbers at the ends, in several types."""
    if constraint.or_none:
        yield None, None
    if isinstance(constraint, OneOf):
        yield from ((x, x) for x in constraint.choices)
        yield from ((np.str_(x), x) for x in constraint.choices)
    elif isinstance(constraint, Interval):
        is_low, is_high = (constraint.closed in ("both", x) for x in ("left", "right"))
        low, high = constraint.low, min(constraint.high, 1e300)
        low = low if is_low else math.nextafter(low, math.inf)
        high = high if is_high else math.nextafter(high, -math.inf)
        yield from ((x, x) for x in (low, high))
        yield from ((kind(x), x) for kind in (np.float64, Fraction) for x in (low, high))
        if not constraint.is_exact and constraint.low < 0.1 < constraint.high:
            yield np.float32(0.1), 0.1  # as it prints
    elif isinstance(constraint, Whole):
        most = 10**9 if constraint.most is None else constraint.most
        yield from ((constraint.least, constraint.least), (most, most), (np.int64(most), most))
        if not constraint.is_name:
            yield float(max(constraint.least, 0) + 1), max(constraint.least, 0) + 1
    elif isinstance(constraint, YesNo):
        yield from ((x, bool(x)) for x in (True, False, np.True_, np.False_))
    elif isinstance(constraint, Text):
        yield from (("a b", "a b"), (np.str_("a"), "a"))
        if constraint.may_be_blank:
            yield "", ""
