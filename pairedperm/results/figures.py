"""Two scores, their difference and its interval as they are printed: in one unit, and agreeing."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.results.table import Number
from pairedperm.scoring.metric import METRICS

_MAX_DECIMALS = 12  # tuned: of a score
_MAX_DIGITS = 15  # tuned: before the point, beyond which a float has no more of its own
_MORE = range(15)  # proof: digits beyond two; together a float has 17
_NOTHING = 1e-9  # proof: relative to an interval's width; less is mere rounding


def layout(size: float, more: int = 0) -> str:
    """Return the format with so many decimals that this size shows two digits, and some more."""
    digits = 1 - math.floor(math.log10(abs(size))) if size else 0
    if not -_MAX_DIGITS < digits <= _MAX_DECIMALS:
        return f".{3 + more}g"
    return f",.{max(digits, 2) + more}f"


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


_SEEN = 10.0 + 1e-9  # proof: times which two digits of a size are one, but for its rounding


class Unit(NamedTuple):
    """The factor by which scores are shown, their mark, and the unit of their differences."""

    factor: float
    mark: str
    of_differences: str

    @property
    def name(self) -> str:
        """The unit of differences: "percentage points", or "" if there is none."""
        return self.of_differences.strip()

    @property
    def points(self) -> str:
        """The unit of differences in short: "points", or ""."""
        return self.of_differences.rpartition(" ")[2]

    def amount(self, amount: float) -> str:
        """Return a chosen amount of the score, in all its digits."""
        number, unit = f"{self.factor * amount:,.12g}", self.of_differences
        return f"{number}{unit.removesuffix('s') if number == '1' else unit}"

    def about(self, amount: float) -> str:
        """Return a roughly known amount of the score, in two digits."""
        return f"{float(f'{self.factor * amount:.2g}'):,g}{self.of_differences}"

    def ends(
        self, ends: tuple[float, float], margin: float = 0.0, stat: float | None = None
    ) -> str:
        """Return an interval without its unit, with the digits that its width needs.

        As printed its ends are on the right side of 0 and of a margin, and it holds `stat`.
        """
        bounds = [0.0, self.factor * margin, -self.factor * margin]
        return " to ".join(fitting([self.factor * x for x in ends], bounds, stat))

    def values(
        self,
        values: Sequence[float],
        size: float,
        differences: Sequence[tuple[int, int, str]] = (),
    ) -> list[str]:
        """Return scores with enough decimals to show a difference of this size; see `agreeing`."""
        factor = self.factor
        texts = agreeing([factor * x for x in values], _SEEN * factor * size, differences)
        return [f"{x}{self.mark}" for x in texts]


_UNITS = {
    "share": Unit(100.0, "%", " percentage points"),
    "percent": Unit(1.0, "", " points"),
    "number": Unit(1.0, "", ""),
}


def unit_of(metric: str | None) -> Unit:
    """Return the unit of a metric; an unknown one may be no share, and has none."""
    return _UNITS[METRICS[metric].unit if metric in METRICS else "number"]


@dataclass(frozen=True)
class Figures:
    """Two scores, their difference and its interval, which agree as printed.

    Attributes
    ----------
    unit : Unit
    score1, score2 : float or None
        The scores; None for a statistic without them.
    statistic : float
        The difference.
    interval : ConfidenceInterval or None
        The interval of the difference; its method may be "". One that excludes no difference up to
        `bound` is None.
    level : float or None
        The confidence level of the interval.
    margin : float
        The margin beside which the interval is read.
    bound : float
        The largest difference that there can be.
    """

    unit: Unit
    score1: float | None
    score2: float | None
    statistic: float
    interval: ConfidenceInterval | None = None
    level: float | None = None
    margin: float = 0.0
    bound: float = math.inf

    def __post_init__(self) -> None:
        bound = self.bound * (1.0 - _NOTHING)
        if self.interval and self.interval.low <= -bound and bound <= self.interval.high:
            object.__setattr__(self, "interval", None)

    @cached_property
    def in_words(self) -> tuple[Number, Number, Number]:
        """Both scores and their difference."""
        (score1, score2, _), mark, difference = self._numbers, self.unit.mark, self.difference
        return (
            Number(f"{score1}{mark}", self.score1),
            Number(f"{score2}{mark}", self.score2),
            Number(f"{difference}{self.unit.of_differences}", difference.value),
        )

    @property
    def alone(self) -> Figures:
        """The same without the interval."""
        return replace(self, interval=None)

    @property
    def row(self) -> list[Number]:
        """Both scores and their difference for a table without intervals, all marked alike."""
        values = self.score1, self.score2, self.statistic
        texts = (f"{x}{self.unit.mark}" for x in self.alone._numbers)
        return [*map(Number, texts, values)]

    @property
    def difference(self) -> Number:
        """The difference as beside the scores, without its unit."""
        return Number(self._numbers[2], self.unit.factor * self.statistic)

    @cached_property
    def _numbers(self) -> list[str]:
        """Both scores and their difference without a mark or a unit."""
        given = self.score1 or 0.0, self.score2 or 0.0, self.statistic
        one, two, stat = (self.unit.factor * x for x in given)
        return with_difference(one, two, stat, self._size)

    @property
    def _size(self) -> float:
        """The size of the difference, or of its interval if that is narrower."""
        width = math.inf if self.interval is None else self.interval.high - self.interval.low
        size = abs(self.statistic or self.score1 or 0.0)
        return self.unit.factor * min(size, width or math.inf)

    @property
    def level_in_words(self) -> str:
        """The confidence level of the interval, in percent."""
        return f"{100.0 * (self.level or 0.0):.12g}%"

    @cached_property
    def ends(self) -> Number:
        """The interval without its unit; as printed it holds the difference."""
        assert self.interval is not None
        stat = float(self.difference.replace(",", ""))
        text = self.unit.ends(self.interval[:2], self.margin, stat)
        return Number(text, tuple(self.unit.factor * x for x in self.interval[:2]))

    @property
    def interval_in_words(self) -> Number:
        """The interval with its unit."""
        return Number(f"{self.ends}{self.unit.of_differences}", self.ends.value)
