"""The true p-values of differences of ratios, by a polynomial of big integers and by all swaps.

A row is (numerator1, denominator1, numerator2, denominator2).
"""

from collections import Counter
from fractions import Fraction

import flint

from oracles import vectors
from oracles.vectors import EXTREME


def score(numerator, denominator, zero_division=0):
    return Fraction(numerator, denominator) if denominator else Fraction(zero_division)


def brute_force(rows, alternative="two-sided", zero_division=0):
    """All 2^n ways of swapping, one by one."""
    tables = [row[:2] for row in rows], [row[2:] for row in rows]
    return vectors.brute_force(*tables, lambda x: score(x[0], x[1], zero_division), alternative)


def pvalue(rows, alternative="two-sided", zero_division=0):
    """By a polynomial Π (x^-δ + x^δ), both coordinates of δ packed into one exponent."""
    u, v = sum(r[0] + r[2] for r in rows), sum(r[1] + r[3] for r in rows)
    moves: Counter[tuple[int, int]] = Counter()
    for n1, d1, n2, d2 in rows:
        move = (n1 - n2, d1 - d2)
        moves[move if move > (0, 0) else (-move[0], -move[1])] += 1
    n_constant = moves.pop((0, 0), 0)
    spread_x = sum(abs(x) * c for (x, _), c in moves.items())
    spread_y = sum(abs(y) * c for (_, y), c in moves.items())
    width = 2 * spread_x + 1
    polynomial = flint.fmpz_poly([1])
    for (x, y), c in sorted(moves.items(), key=lambda item: item[1]):
        first, second = sorted((0, x + width * y))
        factor = flint.fmpz_poly([1] + [0] * (second - first - 1) + [1])
        polynomial *= factor**c
    # where every move with a positive packed exponent is against
    x0 = -sum(c * (x if x + width * y > 0 else -x) for (x, y), c in moves.items())
    y0 = -sum(c * (y if x + width * y > 0 else -y) for (x, y), c in moves.items())
    observed_x = sum(r[0] - r[2] for r in rows)
    observed_y = sum(r[1] - r[3] for r in rows)

    def difference(x, y):
        return score(u + x, v + y, zero_division) - score(u - x, v - y, zero_division)

    observed = difference(observed_x, observed_y)
    p, q = observed.numerator, observed.denominator
    n_extreme = 0
    for index, ways in enumerate(polynomial.coeffs()):
        if not ways:
            continue
        # each step of the exponent is half of a move: S = start + 2 (dx, dy)
        step_y = (index + spread_x + width * spread_y) // width - spread_y
        step_x = index - width * step_y
        x, y = x0 + 2 * step_x, y0 + 2 * step_y
        if abs(y) == v:
            is_extreme = EXTREME[alternative](difference(x, y), observed)
        else:  # the same in integers
            left, right = 2 * q * (x * v - u * y), p * (v * v - y * y)
            if alternative == "two-sided":
                is_extreme = abs(left) >= abs(right)
            else:
                is_extreme = left >= right if alternative == "greater" else left <= right
        n_extreme += int(ways) if is_extreme else 0
    return Fraction(n_extreme, 2 ** (len(rows) - n_constant))
