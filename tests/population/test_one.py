"""The interval of one score, and its p beside a number, against binomials in integers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pairedperm import NoIntervalError, score_interval
from pairedperm.population.one import pvalues_beside
from properties import one_in

ALPHAS = (0.05, 0.01, 0.2)


def at_least(k: int, m: int, share: Fraction) -> Fraction:
    """P(Bin(m, share) ≥ k)."""
    ways = (math.comb(m, j) * share**j * (1 - share) ** (m - j) for j in range(k, m + 1))
    return sum(ways, Fraction(0))


@one_in(3)
@pytest.mark.parametrize("m", [2, 7, 20])
@pytest.mark.parametrize("alpha", ALPHAS)
def test_right_and_wrong(m, alpha):
    """At its limits the tails are α; p beside a number is a tail."""
    for k in range(m + 1):
        found = score_interval([1] * k + [0] * (m - k), [1] * m, confidence_level=1 - 2 * alpha)
        low, high = found.interval
        assert found.interval.method == "exact"
        assert low == 0 if not k else float(at_least(k, m, Fraction(low))) == pytest.approx(alpha)
        wrong = Fraction(1) - Fraction(high)
        assert high == 1 if k == m else float(at_least(m - k, m, wrong)) == pytest.approx(alpha)
        above, below = pvalues_beside(found.sample, 0.75, alpha)
        assert above == pytest.approx(float(at_least(k, m, Fraction(3, 4))), rel=1e-12)
        assert below == pytest.approx(float(at_least(m - k, m, Fraction(1, 4))), rel=1e-12)
