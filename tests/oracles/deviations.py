"""The true p-values of differences of standard deviations: signs of sums of roots, by squares."""

import itertools
from fractions import Fraction


def sign(x):
    return (x > 0) - (x < 0)


def sign_with_root(x, y, z):
    """Of x + y √z, z ≥ 0."""
    one, other = sign(x), sign(y) if z else 0
    return one * sign(x * x - y * y * z) if one * other < 0 else one or other


def sign_of_difference(a, b, c, d):
    """Of (√a - √b) - (√c - √d), by squares: √a + √d beside √b + √c."""
    p = a + d - b - c
    if sign_with_root(p, 2, a * d) < 0:
        return -1
    return sign_with_root(p * p + 4 * (a * d - b * c), 4 * p, a * d)


def deviations_by_brute_force(rows1, rows2):
    """The p-value of the difference of standard deviations by alternative, ties exactly."""
    n, pairs = len(rows1), []
    for signs in itertools.product((1, -1), repeat=n):
        chosen = [x[::s] for x, s in zip(zip(rows1, rows2, strict=True), signs, strict=True)]
        variances = []
        for rows in zip(*chosen, strict=True):
            x, y = (sum(map(Fraction, column)) / n for column in zip(*rows, strict=True))
            variances.append(max(y - x * x, Fraction(0)))
        pairs.append(variances)
    compared = [sign_of_difference(*pair, *pairs[0]) for pair in pairs]
    sizes = [sorted(pair, reverse=True) for pair in pairs]
    found = {
        "two-sided": [sign_of_difference(*size, *sizes[0]) >= 0 for size in sizes],
        "greater": [sign >= 0 for sign in compared],
        "less": [sign <= 0 for sign in compared],
    }
    return {name: Fraction(sum(flags), 2**n) for name, flags in found.items()}
