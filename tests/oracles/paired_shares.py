"""The law behind the exact interval of wins, losses and ties, by polynomials in fractions.

With c = |x| and y = (1 + x / t) / 2, t^m P(Bin(m, y) ≥ W) is a polynomial in t. So the integral
over the density of τ is that of a polynomial, and of one over t if x is positive. Each coefficient
is a fraction; only the logarithm of c is rounded, to 60 digits.
"""

import decimal
import math
from fractions import Fraction

_CONTEXT = decimal.Context(prec=60)


def binomial_tail(wins, m):
    """P(Bin(m, ½) ≥ wins)."""
    total, ways = 0, math.comb(m, wins)
    for k in range(wins, m + 1):
        total += ways
        ways = ways * (m - k) // (k + 1)
    return Fraction(total, 2**m)


def _times(one, two):
    product = [Fraction(0)] * (len(one) + len(two) - 1)
    for i, x in enumerate(one):
        for j, y in enumerate(two):
            product[i + j] += x * y
    return product


def _power(root, k):
    """(t + root)^k, from the constant upwards."""
    return [math.comb(k, j) * root ** (k - j) for j in range(k + 1)]


def chance(wins, losses, n, x, *, is_positive):
    """P((2 θ - 1) τ ≤ x) of θ ~ Beta(W, L + 1), and of τ_low or τ_up."""
    m, x = wins + losses, Fraction(x)
    c, b = abs(x), n - m + is_positive
    if b == 0:  # τ = 1
        y = (1 + x) / 2
        return sum(math.comb(m, k) * y**k * (1 - y) ** (m - k) for k in range(wins, m + 1))
    total = [Fraction(0)] * (m + 1)
    for k in range(wins, m + 1):
        term = _times(_power(x, k), _power(-x, m - k))  # y = (t + x) / 2 t
        total = [s + math.comb(m, k) * v / 2**m for s, v in zip(total, term, strict=True)]
    density = [(-1) ** j * math.comb(b - 1, j) for j in range(b)]  # (1 - t)^(b - 1)
    whole = _times(total, density)
    # τ_low has t^(m - 1), τ_up has t^m beside it, and the polynomial is over t^m
    shift = 0 if is_positive else 1
    logarithm = Fraction(0)
    integral = Fraction(0)
    for power, value in enumerate(whole, shift):
        if power:
            integral += value * (1 - c**power) / power
        elif value:
            logarithm = -value * Fraction(_CONTEXT.ln(_decimal(c)))
    # 1 / B(a, b) = a C(a + b - 1, a)
    a = n - b + 1 if is_positive else m + 1
    scale = a * math.comb(a + b - 1, a)
    below = sum(math.comb(n, k) * c**k * (1 - c) ** (n - k) for k in range(m, n + 1))
    return scale * (integral + logarithm) + (below if is_positive else 0)


def _decimal(x):
    return _CONTEXT.divide(decimal.Decimal(x.numerator), decimal.Decimal(x.denominator))
