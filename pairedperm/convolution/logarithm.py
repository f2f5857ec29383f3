"""The natural logarithm of a ratio of integers, correctly rounded."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal

_DIGITS = 60  # proof: of logarithms up to 178, so that 1e-20 keeps 37 significant digits
_LEADING = 256  # proof: bits of an integer that are looked at: within 2^-255 of it
_NEAR = 64  # proof: the ratio is 1 up to 2^-64, where three terms of a series are 1e-38 apart

# a caller's own context, with its traps, does not matter here
_CONTEXT = Context(_DIGITS, ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_LOG_2 = _CONTEXT.ln(Decimal(2))


def log_of_ratio(numerator: int, denominator: int, power: int = 1) -> float:
    """log((numerator / denominator)^power) of a ratio above 0 and up to 1.

    The float nearest to it, but for a share of 1e-20 of all ratios that are as near to the middle
    of two floats. Far from 1 it is the difference of two logarithms, each to 57 decimals; near 1
    with d = 1 - ratio it is -d - d² / 2, a ratio of integers, which Python rounds correctly.
    """
    missing = denominator - numerator
    if power == 1 and missing << _NEAR <= denominator:
        return -missing * (2 * denominator + missing) / (2 * denominator * denominator) + 0.0
    (top, shift), (bottom, other) = _leading(numerator), _leading(denominator)
    of_leading = _CONTEXT.subtract(_CONTEXT.ln(top), _CONTEXT.ln(bottom))
    log = _CONTEXT.fma(Decimal(shift - other), _LOG_2, of_leading)
    return float(_CONTEXT.multiply(log, Decimal(power)))


def _leading(number: int) -> tuple[Decimal, int]:
    """A and s, the number being nearly a 2^s."""
    shift = max(number.bit_length() - _LEADING, 0)
    return Decimal(number >> shift), shift
