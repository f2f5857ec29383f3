"""How many digits a printed number needs, so that numbers beside each other agree."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

_MAX_DECIMALS = 12  # tuned: of a score
_MORE = range(15)  # proof: digits beyond two; together a float has 17
_NOTHING = 1e-9  # proof: relative to an interval's width; less is mere rounding


def layout(size: float, more: int = 0) -> str:
    """Return the format with so many decimals that this size shows two digits, and some more."""
    digits = 1 - math.floor(math.log10(abs(size))) if size else 0
    return f".{3 + more}g" if digits > _MAX_DECIMALS else f",.{max(digits, 2) + more}f"


def text_of(value: float, layout: str) -> str:
    """Format a number; 0 has no sign."""
    text = format(value, layout).replace("inf", "∞")
    return text if re.search(r"[1-9∞]", text) else text.removeprefix("-")


def beside(bound: float, value: float, digits: int) -> str:
    """Return a number in `digits` digits, or as many as show whether it exceeds a bound.

    >>> [beside(0.05, x, 3) for x in (0.0500011, 0.05, 0.0499996, 0.0127)]
    ['0.050001', '0.05', '0.05', '0.0127']
    """
    texts = (f"{value:.{k}g}" for k in range(digits, 18))
    return next(x for x in texts if (float(x) <= bound) is (value <= bound))


def agreeing(
    values: Sequence[float], size: float, differences: Sequence[tuple[int, int, str]] = ()
) -> list[str]:
    """Return values with digits for this size, and more if printed differences need them.

    A difference (i, j, text) is that of values i and j.
    """
    layouts = [layout(size, more) for more in _MORE]
    rows = ([text_of(x, each) for x in values] for each in layouts)
    for row in rows:
        if all(_is_difference(row[i], row[j], text) for i, j, text in differences):
            return row
    return [text_of(x, layouts[0]) for x in values]


def with_difference(score1: float, score2: float, stat: float, size: float) -> list[str]:
    """Return two scores and their difference; as printed they agree.

    One more digit of all may do. Otherwise, as for 0.66667 - 0.33333 = 0.3333, scores get more.
    """
    for more in range(2):
        row = [text_of(x, layout(size, more)) for x in (score1, score2, stat)]
        if not _excess(*row):
            return row
    text = text_of(stat, layout(size))
    return [*agreeing([score1, score2], size, [(0, 1, text)]), text]


def _excess(score1: str, score2: str, difference: str) -> Decimal:
    """Return by how much the difference of two printed scores exceeds the printed difference."""
    one, two, stat = (Decimal(x.replace(",", "")) for x in (score1, score2, difference))
    return abs(one - two - stat)


def _is_difference(score1: str, score2: str, difference: str) -> bool:
    """Return whether the difference of two printed scores rounds to the printed difference."""
    exponent = int(Decimal(difference.replace(",", "")).as_tuple().exponent)
    return _excess(score1, score2, difference) <= Decimal(5).scaleb(exponent - 1)


def fitting(ends: Sequence[float], bounds: Sequence[float], stat: float | None) -> list[str]:
    """Return both ends of an interval; it holds the printed `stat`, and bounds keep their side."""
    numbers = [x for x in ends if math.isfinite(x)]
    size = ends[1] - ends[0] if len(numbers) == 2 else 0.0
    size = size or max(map(abs, numbers), default=0.0)
    layouts = [layout(size, more) for more in _MORE]
    rows = ([text_of(x, each) for x in ends] for each in layouts)
    fits = (x for x in rows if _fits(x, ends, bounds, stat, size))
    return next(fits, None) or [text_of(x, layouts[0]) for x in ends]


def _fits(
    texts: Sequence[str],
    ends: Sequence[float],
    bounds: Iterable[float],
    stat: float | None,
    size: float,
) -> bool:
    """Return whether the printed ends hold the printed difference, on their side of each bound."""
    low, high = shown = [float(x.replace(",", "").replace("∞", "inf")) for x in texts]
    holds = stat is None or low <= stat <= high or not ends[0] <= stat <= ends[1]
    near = _NOTHING * size
    return holds and all(
        abs(end - bound) <= near or (x > bound) - (x < bound) == (end > bound) - (end < bound)
        for bound in bounds
        for x, end in zip(shown, ends, strict=True)
    )
