"""The exact interval keeps its level: all outcomes of n examples, at all lower limits.

A test of a margin errs as often as the lower limit. The share that differs runs from the difference
to 1, both included; there the error is that of Clopper and Pearson's interval.
"""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from oracles.coverage import greatest_errors
from pairedperm.population.paired_shares import exact_interval
from properties import one_in


@one_in(5)
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize(
    ("n", "n_shares"),
    [
        *((5, 41), (10, 21), (20, 11)),
        *(pytest.param(*x, marks=pytest.mark.thorough) for x in ((30, 11), (50, 11), (100, 9))),
    ],
)
def test_errs_at_most_as_often_as_said(n, n_shares, level):
    errors = greatest_errors(exact_interval, n, level, n_shares)
    assert errors.low <= (1.0 - level) / 2.0 + 1e-9
    assert errors.both <= 1.0 - level + 1e-9


def chance(n, difference, share, is_counted):
    """Of the outcomes whose intervals are counted, in fractions."""
    p, q = ((share + side) / 2 for side in (difference, -difference))
    return sum(
        math.comb(n, wins)
        * math.comb(n - wins, losses)
        * p**wins
        * q**losses
        * (1 - p - q) ** (n - wins - losses)
        for (wins, losses), interval in intervals(n).items()
        if is_counted(*interval)
    )


@cache
def intervals(n):
    pairs = [(wins, losses) for wins in range(n + 1) for losses in range(n + 1 - wins)]
    return {pair: exact_interval(*pair, n, 0.8) for pair in pairs}


def test_errors_are_those_of_all_outcomes():
    n, greatest = 3, [0.0] * 2
    for limit in {low for low, _ in intervals(n).values()} - {-1.0}:
        for share in np.linspace(abs(limit), 1.0, 3).tolist():
            at = n, Fraction(limit), Fraction(share)
            low = float(chance(*at, lambda low, _, limit=limit: low >= limit))
            both = low + float(chance(*at, lambda _, high, limit=limit: high <= limit))
            greatest = list(map(max, greatest, (low, both)))
    assert greatest_errors(exact_interval, n, 0.8, 3) == pytest.approx(greatest, rel=1e-12)
