"""A probability together with an interval that must contain it."""

from __future__ import annotations

import math
import sys
from dataclasses import astuple, dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from typing import Literal

UNIT = 2.0**-53  # proof: the rounding unit of a float64
MOST_ERROR = 1e-9  # tuned: largest relative error of p, of log p if p is far below 1e-300
UP = 1.001  # proof: covers the rounding of error bounds themselves
_SLACK = 16 * UNIT  # proof: covers the few operations of each method, every one within 4 ulp
_TINY = math.ulp(0.0)  # proof: the least float above 0
_MAX_BITS = 2**20  # tuned: bits of the largest integers that are calculated with
_DIGITS = 60  # proof: beside logarithms up to 178, one of 1e-20 keeps 37 significant digits
_LEADING = 256  # proof: leading bits that stand for an integer, within 2^-255 of it
_NEAR = 64  # proof: within 2^-64 of 1, each term of the series is below 1e-19 of the one before

Sides = Literal["all", "one", "both", "but one"]
# with this context, the caller's own context and its traps do not matter
_CONTEXT = Context(_DIGITS, ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_FAR = Context(40, ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_LOG_2 = _CONTEXT.ln(Decimal(2))


@dataclass(frozen=True, slots=True)
class CertifiedProbability:
    """A probability and its natural logarithm, each with a rigorous interval.

    The logarithms stay finite if the probability itself underflows. If the probability is known as
    a `ratio` of integers, value and log are the floats nearest to it and to its logarithm.
    """

    value: float
    low: float
    high: float
    log: float
    log_low: float
    log_high: float
    ratio: tuple[int, int] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def exactly(cls, value: float) -> CertifiedProbability:
        """Return the probability in (0, 1] that equals this float."""
        return cls.from_ratio(*value.as_integer_ratio())

    @classmethod
    def from_ratio(cls, numerator: int, denominator: int) -> CertifiedProbability:
        """Return the ratio of two integers, from 0 to 1."""
        ratio = numerator, denominator
        if numerator == 0:
            return cls(0.0, 0.0, 0.0, -math.inf, -math.inf, -math.inf, ratio)
        if numerator == denominator:
            return cls(1.0, 1.0, 1.0, 0.0, 0.0, 0.0, ratio)
        value, log = numerator / denominator, log_of_ratio(*ratio)  # both correctly rounded
        top, bottom = value.as_integer_ratio()
        is_float = numerator * bottom == denominator * top
        return cls(
            value=value,
            low=value if is_float else max(math.nextafter(value, -1.0), 0.0),
            high=value if is_float else min(math.nextafter(value, 2.0), 1.0),
            log=log,
            log_low=math.nextafter(log, -math.inf),
            log_high=min(math.nextafter(log, math.inf), 0.0),
            ratio=ratio,
        )

    @classmethod
    def power_of_half(cls, n: int) -> CertifiedProbability:
        """Return 2^-n, also if it underflows."""
        if n <= _MAX_BITS:
            return cls.from_ratio(1, 1 << n)
        log = log_of_ratio(1, 2, n)
        return cls(0.0, 0.0, _TINY, log, math.nextafter(log, -math.inf), math.nextafter(log, 0.0))

    @classmethod
    def near(cls, value: float, error: float = 0.0) -> CertifiedProbability:
        """Return a probability, perhaps 0, within an absolute error: enough if 1 - p is wanted."""
        value = min(max(value, 0.0), 1.0)
        low, high = max(value - error, 0.0), min(value + error, 1.0)
        return cls(value, low, high, _log(value), _log(low), _log(high))

    @classmethod
    def spanning(
        cls, low: CertifiedProbability, high: CertifiedProbability
    ) -> CertifiedProbability:
        """Return the interval from the lower end of one to the upper end of another, its value."""
        return cls(high.high, low.low, high.high, high.log_high, low.log_low, high.log_high)

    @property
    def relative_width(self) -> float:
        """The width of the interval as a share of its upper end, also if that underflows."""
        return -math.expm1(self.log_low - self.log_high)

    @classmethod
    def within(
        cls, value: float, relative: float, error: float, lost: float, n: int
    ) -> CertifiedProbability:
        """Return a sum of masses within a relative and an absolute error, at most `lost` missing.

        At least one of 2^n equally likely assignments belongs to the sum.
        """
        log_floor = -n * math.log(2.0)
        error = (value * (relative + _SLACK) + error) * (1.0 + _SLACK)
        low = min(max(value - error, math.ldexp(1.0, -n)), 1.0)
        high = min(value + error + lost * (1.0 + _SLACK) + _TINY, 1.0)
        value = min(max(value, low), high)
        log = math.log(value) if value > 0.0 else log_floor
        log_low = math.log(low) if low > 0.0 else log_floor
        return cls(
            value=value,
            low=low,
            high=high,
            log=log,
            log_low=log_low - _SLACK * (1.0 + abs(log_low)),
            log_high=min(math.log(high) * (1.0 - _SLACK) + _SLACK, 0.0),
        )

    @classmethod
    def from_product(cls, exponent: float, factor: float, log_error: float) -> CertifiedProbability:
        """Return e^exponent · factor, whose logarithm is known within `log_error`."""
        log = exponent + math.log(factor)
        margin = log_error + _SLACK * (1.0 + abs(exponent) + abs(log))
        value = math.exp(exponent) * factor
        relative = math.expm1(min(margin, 1.0))  # more only far below underflow, where value is 0
        return cls(
            value=min(value, 1.0),
            low=min(max(value * (1.0 - relative) - 8 * _TINY, 0.0), 1.0),
            high=min(value * (1.0 + relative) + 8 * _TINY, 1.0),
            log=min(log, 0.0),
            log_low=min(log - margin, 0.0),
            log_high=min(log + margin, 0.0),
        )

    @classmethod
    def from_tilted(
        cls, exponent: float, exponent_error: float, tail: float, tail_error: float
    ) -> CertifiedProbability:
        """Return e^exponent · tail, each within its error; the tail exceeds its own."""
        log_error = UP * exponent_error - math.log1p(-tail_error / tail)
        return cls.from_product(exponent, tail, log_error)

    def doubled(self) -> CertifiedProbability:
        """Return 2p, for p at most one half: both tails of a symmetric law."""
        if self.ratio:
            numerator, denominator = self.ratio
            return CertifiedProbability.from_ratio(2 * numerator, denominator)
        margin = _SLACK * (1.0 + abs(self.log))
        return CertifiedProbability(
            value=min(2.0 * self.value, 1.0),
            low=2.0 * self.low,
            high=min(2.0 * self.high, 1.0),
            log=min(self.log + math.log(2.0), 0.0),
            log_low=self.log_low + math.log(2.0) - margin,
            log_high=min(self.log_high + math.log(2.0) + margin, 0.0),
        )

    def on_sides(self, sides: Sides) -> CertifiedProbability:
        """Return p for sides "one", 2p for "both" or 1 - p for "but one", with p ≤ 1/2."""
        if sides == "both":
            return self.doubled()
        return self.complement() if sides == "but one" else self

    def plus(self, other: CertifiedProbability) -> CertifiedProbability:
        """Return p + q for events that exclude each other; either may be 0."""
        if self.ratio and other.ratio and self.ratio[1] == other.ratio[1]:
            numerator = self.ratio[0] + other.ratio[0]
            return CertifiedProbability.from_ratio(numerator, self.ratio[1])
        if 0.0 in (self.high, other.high):
            return other if self.high == 0.0 else self
        log_low = _log_sum(self.log_low, other.log_low)
        margin = _SLACK * (1.0 + abs(log_low))
        return CertifiedProbability(
            value=min(self.value + other.value, 1.0),
            low=min(max(math.nextafter(self.low + other.low, -1.0), 0.0), 1.0),
            high=min(math.nextafter(self.high + other.high, 2.0), 1.0),
            log=min(_log_sum(self.log, other.log), 0.0),
            log_low=min(log_low - margin, 0.0),
            log_high=min(_log_sum(self.log_high, other.log_high) + margin, 0.0),
        )

    def minus(self, other: CertifiedProbability) -> CertifiedProbability:
        """Return p - q for an event and a part of it; digits are lost if they are nearly equal."""
        if self.ratio and other.ratio and self.ratio[1] == other.ratio[1]:
            numerator = self.ratio[0] - other.ratio[0]
            return CertifiedProbability.from_ratio(numerator, self.ratio[1])
        low = max(math.nextafter(self.low - other.high, -1.0), 0.0)
        high = max(math.nextafter(self.high - other.low, 1.0), _TINY)
        value = min(max(self.value - other.value, low), high)
        log_low, log_high = _log(low) * (1.0 + _SLACK), _log(high) * (1.0 - _SLACK)
        return CertifiedProbability(value, low, high, _log(value), log_low, min(log_high, 0.0))

    def times_power_of_half(self, n: int) -> CertifiedProbability:
        """Return p 2^-n, also if it underflows."""
        shift = n * math.log(2.0)
        margin = _SLACK * (1.0 + shift + abs(self.log_high))
        low, high = math.ldexp(self.low, -n), math.ldexp(self.high, -n)
        rounding = _TINY if high < sys.float_info.min and self.high else 0.0
        return CertifiedProbability(
            value=math.ldexp(self.value, -n),
            low=max(low - rounding, 0.0),
            high=high + rounding,
            log=self.log - shift,
            log_low=self.log_low - shift - margin,
            log_high=min(self.log_high - shift + margin, 0.0),
        )

    def among(self, n: int, k: int) -> CertifiedProbability:
        """Return P(X < k) + P(X = k) p for a binomial X of n fair coins; n is not large."""
        at, below = math.comb(n, k), sum(math.comb(n, j) for j in range(k))
        if self.ratio or self.high == 0.0:
            numerator, denominator = self.ratio or (0, 1)
            return CertifiedProbability.from_ratio(
                below * denominator + at * numerator, denominator << n
            )
        share = CertifiedProbability.from_ratio(at, 1 << n)
        log_low, log_high = share.log_low + self.log_low, share.log_high + self.log_high
        product = CertifiedProbability(
            value=share.value * self.value,
            low=max(share.low * self.low * (1.0 - _SLACK) - _TINY, 0.0),
            high=min(share.high * self.high * (1.0 + _SLACK) + _TINY, 1.0),
            log=share.log + self.log,
            log_low=log_low * (1.0 + _SLACK),
            log_high=log_high * (1.0 - _SLACK),
        )
        return product.plus(CertifiedProbability.from_ratio(below, 1 << n))

    def at_most_half(self) -> CertifiedProbability:
        """Cut the probability and its interval at one half, the most that is possible."""
        if self.high <= 0.5:
            return self
        half = CertifiedProbability.exactly(0.5)
        pairs = zip(astuple(self)[:6], astuple(half)[:6], strict=True)
        return CertifiedProbability(*map(min, pairs))

    def with_powers_of_half(self, k: int, n: int) -> CertifiedProbability:
        """Return p + k 2^-n for k from -1 to 1 and p at least 2 · 2^-n; no digit is lost."""
        if k == 0:
            return self
        if self.ratio and n <= _MAX_BITS:
            numerator, denominator = self.ratio
            return CertifiedProbability.from_ratio(
                (numerator << n) + k * denominator, denominator << n
            )
        share = k * math.exp(-n * math.log(2.0) - self.log)
        width = self.log_high - self.log_low
        # a share of at most one half at most doubles the relative error
        error = 3.0 * (width + _SLACK * (1.0 + n))
        return CertifiedProbability.from_product(self.log, 1.0 + share, error)

    def complement(self) -> CertifiedProbability:
        """Return 1 - p; no digit is lost for p at most one half."""
        if self.ratio:
            numerator, denominator = self.ratio
            return CertifiedProbability.from_ratio(denominator - numerator, denominator)
        return CertifiedProbability(
            value=1.0 - self.value,
            low=max(math.nextafter(1.0 - self.high, -1.0), 0.0),
            high=min(math.nextafter(1.0 - self.low, 2.0), 1.0),
            log=_log1p(-self.value),
            log_low=_log1p(-self.high) * (1.0 + _SLACK) - _TINY,
            log_high=min(_log1p(-self.low) * (1.0 - _SLACK) + _TINY, 0.0),
        )


def sides_of(sign: int, alternative: str) -> Sides:
    """Return how p follows from the lower tail, given the sign of the observed difference."""
    if alternative == "two-sided":
        return "both" if sign else "all"
    return "one" if sign == (1 if alternative == "greater" else -1) else "but one"


def log_of_ratio(numerator: int, denominator: int, power: int = 1) -> float:
    """Return log((numerator / denominator)^power) of a ratio above 0 and up to 1.

    The result is the nearest float, except perhaps for a share of 1e-20 of all ratios. Those have
    logarithms very near to the middle of two floats. Far from 1 the leading digits are used, to 57
    decimals; 20 of them may cancel near 1, and up to one half, where log ≤ -0.69, 40 do. Nearer to
    1, with d = 1 - ratio, the logarithm is -d - d² / 2. That is a ratio of integers,
    which Python rounds correctly.
    """
    missing = denominator - numerator
    if power == 1 and missing << _NEAR <= denominator:
        return -missing * (2 * denominator + missing) / (2 * denominator * denominator) + 0.0
    (top, shift), (bottom, other) = _leading(numerator), _leading(denominator)
    context = _FAR if 2 * numerator <= denominator else _CONTEXT
    of_leading = context.ln(context.divide(top, bottom))
    log = context.fma(Decimal(shift - other), _LOG_2, of_leading)
    return float(context.multiply(log, Decimal(power)))


def _leading(number: int) -> tuple[Decimal, int]:
    """Return a and s such that the number is nearly a 2^s."""
    shift = max(number.bit_length() - _LEADING, 0)
    return Decimal(number >> shift), shift


def _log(x: float) -> float:
    """Return log x for x from 0 on."""
    return math.log(x) if x > 0.0 else -math.inf


def _log1p(x: float) -> float:
    """Return log(1 + x) for x from -1 on."""
    return math.log1p(x) if x > -1.0 else -math.inf


def _log_sum(x: float, y: float) -> float:
    """Return log(e^x + e^y)."""
    high, low = max(x, y), min(x, y)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
