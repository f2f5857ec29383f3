"""The wealth of bets on a mean in fractions, and every path of a short sequence of differences."""

import math
from fractions import Fraction
from itertools import product

# A float is a fraction, here near to tanh λ.
BETS = [Fraction(sign * math.tanh(0.05 * 2.0**k)) for k in range(7) for sign in (1, -1)]


def wealth(differences, mean, size=1, sizes=None):
    """The wealth after each example or group; R is 1, `size` the largest group."""
    looks = []
    products = [Fraction(1)] * len(BETS)
    for d, n in zip(differences, sizes or [1] * len(differences), strict=True):
        for k, bet in enumerate(BETS):
            room = size * (1 + mean if bet > 0 else 1 - mean)
            products[k] *= 1 + bet * (d - mean * n) / room
        looks.append(sum(products) / len(products))
    return looks


def excludes(differences, mean, alpha, size=1, sizes=None):
    """Whether the wealth reached 1 / α after any example or group."""
    return max(wealth(differences, Fraction(mean), size, sizes)) * Fraction(alpha) >= 1


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


def fixed_wealth(groups, largest, delta, half):
    """K(Δ) = mean over c of Π (1 + c (d - Δ n) / (N (R + Δ))) over groups (d, n), in fractions."""
    delta, widest = Fraction(delta), max(n for _, n in groups)
    found = [
        math.prod(1 + c * (d - delta * n) / (widest * (largest + delta)) for d, n in groups)
        for c in fixed_bets(len(groups), half)
    ]
    return sum(found) / len(found)
