"""The wealth of bets on a mean in fractions, and every path of a short sequence of differences."""

import math
from fractions import Fraction
from itertools import product

# A float is a fraction, here near to tanh λ.
BETS = [Fraction(sign * math.tanh(0.05 * 2.0**k)) for k in range(7) for sign in (1, -1)]


def wealth(differences):
    """The wealth after each example: the mean over b of Π (1 + b d)."""
    looks = []
    products = [Fraction(1)] * len(BETS)
    for d in differences:
        products = [x * (1 + bet * d) for x, bet in zip(products, BETS, strict=True)]
        looks.append(sum(products) / len(products))
    return looks


def paths(law, n):
    """All sequences of n differences, and their probabilities; `law` has that of each one."""
    for path in product(law, repeat=n):
        yield path, math.prod((law[x] for x in path), start=Fraction(1))


def fixed_bets(n, half):
    """From √(2 ln(2/α) / n) by factors of 2, below 0.97, and 0.97."""
    found, c = [], math.sqrt(2.0 * math.log(1.0 / half) / n)
    while c < 0.97:
        found.append(Fraction(c))
        c *= 2.0
    return [*found, Fraction(0.97)]


def fixed_wealth(groups, largest, delta, half, widest=None):
    """K(Δ) = mean over c of Π (1 + c (d - Δ n) / (N (R + Δ))) over groups (d, n), in fractions."""
    delta, widest = Fraction(delta), widest or max(n for _, n in groups)
    found = [
        math.prod(1 + c * (d - delta * n) / (widest * (largest + delta)) for d, n in groups)
        for c in fixed_bets(len(groups), half)
    ]
    return sum(found) / len(found)
