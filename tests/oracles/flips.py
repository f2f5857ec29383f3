"""Wins, losses and ties of n examples: the power of the test by listing, in fractions."""

from fractions import Fraction
from math import comb

from oracles.two_scores import sign_test as pvalue


def power(better, worse, n, alpha):
    """P(p <= alpha), and P(that, and there are more losses), of shares that are fractions."""
    rejected = wrong = Fraction(0)
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            if pvalue(wins, losses) <= alpha:
                ways = comb(n, wins) * comb(n - wins, losses)
                ties = (1 - better - worse) ** (n - wins - losses)
                mass = ways * better**wins * worse**losses * ties
                rejected += mass
                wrong += mass if losses > wins else 0
    return rejected, wrong
