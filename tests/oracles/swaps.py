"""The true p-values of a mean of integers: sign vectors counted by a polynomial of big integers."""

import decimal
from fractions import Fraction
from functools import lru_cache

import flint

from oracles.vectors import EXTREME

flint.ctx.prec = 256


def signed_sum_counts(differences):
    """Of the 2^n sign vectors, how many give each Σ ±d: a dict from the sum to the count."""
    return _signed_sum_counts(tuple(sorted(abs(int(d)) for d in differences)))


@lru_cache(maxsize=8)  # for several alternatives, one after the other
def _signed_sum_counts(magnitudes):
    total = sum(magnitudes)
    polynomial = flint.fmpz_poly([1])
    for magnitude in set(magnitudes):
        factor = flint.fmpz_poly([1] + [0] * (magnitude - 1) + [1] if magnitude else [2])
        polynomial *= factor ** magnitudes.count(magnitude)
    return {2 * k - total: int(c) for k, c in enumerate(polynomial.coeffs()) if c}


def pvalue(differences, alternative="two-sided"):
    """The share of sign vectors with a sum at least as extreme as Σ d."""
    observed = sum(int(d) for d in differences)
    counts = signed_sum_counts(differences)
    extreme = EXTREME[alternative]
    n_extreme = sum(c for s, c in counts.items() if extreme(s, observed))
    return Fraction(n_extreme, 2 ** len(differences))


def log(p):
    """The natural logarithm of a Fraction, as a ball of 256 bits."""
    if 2 * p > 1:
        return (-flint.arb(flint.fmpq(p.denominator - p.numerator, p.denominator))).log1p()
    return flint.arb(flint.fmpq(p.numerator, p.denominator)).log()


def nearest_log(p):
    """The float nearest to the natural logarithm of a Fraction, by 60 digits that count."""
    to_one = 1 - p if 2 * p > 1 else Fraction(1)
    zeros = (to_one.denominator.bit_length() - to_one.numerator.bit_length()) * 302 // 1000
    digits = 60 + max(zeros, 0)
    exact = decimal.Context(digits, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[])
    ratio = exact.divide(decimal.Decimal(p.numerator), decimal.Decimal(p.denominator))
    return float(exact.ln(ratio))


def relative_error(result, p):
    """Of the p-value; of its logarithm where the p-value is below 1e-300."""
    if p >= Fraction(1, 10**300):
        return float(abs(Fraction(result.pvalue) / p - 1))
    return float(abs(flint.arb(result.log_pvalue) / log(p) - 1))


def is_certified(result, p):
    """Both intervals contain the true value."""
    low, high = result.pvalue_interval
    log_low, log_high = result.log_pvalue_interval
    return (
        Fraction(low) <= p <= Fraction(high)
        and low <= result.pvalue <= high
        and (p == 1 or (flint.arb(log_low) <= log(p) and log(p) <= flint.arb(log_high)))
        and log_low <= result.log_pvalue <= log_high <= 0.0
    )


class AsResult:
    """A certified probability under the names that the oracle's checks read."""

    def __init__(self, p):
        self.pvalue, self.log_pvalue = p.value, p.log
        self.pvalue_interval, self.log_pvalue_interval = (p.low, p.high), (p.log_low, p.log_high)
