"""All data that two numbers of right answers allow, and their p of the sign test in fractions."""

from fractions import Fraction
from functools import cache
from math import comb


@cache
def sign_test(wins, losses, alternative="two-sided"):
    """The p-value of wins and losses under fair coins."""
    m = wins + losses
    if alternative == "two-sided":
        return min(2 * sign_test(max(wins, losses), min(wins, losses), "greater"), Fraction(1))
    least = wins if alternative == "greater" else losses
    return Fraction(sum(comb(m, k) for k in range(least, m + 1)), 2**m)


def all_data(right1, right2, n):
    """Wins and losses of system 1 for each number of examples that both have right.

    `right1` and `right2` are the numbers that are possible.
    """
    for one in right1:
        for two in right2:
            for both in range(max(0, one + two - n), min(one, two) + 1):
                wins, losses = one - both, two - both
                yield wins, losses


def rounding_to(text, n):
    """The numbers k such that k / n may be printed so, whichever way halves are rounded."""
    value, digits = Fraction(text), len(text.partition(".")[2])
    return [k for k in range(n + 1) if abs(Fraction(k, n) - value) <= Fraction(1, 2 * 10**digits)]
