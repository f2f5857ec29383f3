"""Sampling by "auto" that goes on where few samples are as extreme, against its law in fractions.

With u the chance of an extreme sample, an outcome is one of: k ≥ 100 among the first samples; the
100th of them at sample L; k < 100 among as many as there may be. Here they are 4, not 100.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from pairedperm.nulls import solve
from pairedperm.nulls.solve import sampled_pvalue

FIRST, HITS, MOST = 12, 4, 40
OUTCOMES = [
    *(("first", k) for k in range(FIRST, HITS - 1, -1)),
    *(("hit", n) for n in range(FIRST + 1, MOST + 1)),
    *(("end", k) for k in range(HITS - 1, -1, -1)),
]  # of a large u first, and of a small one last
ERROR = 0.005  # of each end of an interval of 99 %


def ways(outcome):
    """In how many it comes about, and how many samples of it are extreme and not."""
    kind, number = outcome
    if kind == "first":
        return math.comb(FIRST, number), number, FIRST - number
    if kind == "hit":
        return math.comb(number - 1, HITS - 1), HITS, number - HITS
    return math.comb(MOST, number), number, MOST - number


def chance(outcome, u):
    n, k, others = ways(outcome)
    return n * u**k * (1 - u) ** others


def chance_of_null(outcome):
    """Its integral over u from 0 to 1: of a p-value that is uniform."""
    n, k, others = ways(outcome)
    return Fraction(n, (k + others + 1) * math.comb(k + others, k))


def drawn(outcome):
    """Samples that lead to it: what could follow would change it."""
    kind, number = outcome
    if kind == "first":
        found = [True] * number + [False] * (FIRST - number)
    elif kind == "hit":
        found = [True] * (HITS - 1) + [False] * (number - HITS) + [True]
    else:
        found = [False] * (MOST - number) + [True] * number
    return found + [True] * (MOST - len(found))


def in_blocks(samples, size, first=FIRST):
    """Blocks of a size, one of which ends with the first samples."""
    for part in (samples[:first], samples[first:]):
        for start in range(0, len(part), size):
            yield np.array(part[start : start + size])


def found(outcome, size=MOST):
    return sampled_pvalue(in_blocks(drawn(outcome), size), FIRST, MOST, 1e-6, 7)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(solve, "ENOUGH", HITS)


@pytest.mark.parametrize("size", [1, 3, 7])
def test_the_last_sample_is_cut_exactly(size):
    for outcome in OUTCOMES:
        kind, number = outcome
        p = found(outcome, size)
        assert p == found(outcome)
        assert p.seed == 7
        assert p.n == {"first": FIRST, "hit": number, "end": MOST}[kind]
        share = Fraction(HITS, number) if kind == "hit" else Fraction(number + 1, p.n + 1)
        assert p.value == float(share)
        assert p.log == math.log(p.value)


def test_the_test_is_valid():
    """P(p ≤ α) is α at every p that there is, where the true p is uniform."""
    below = Fraction(0)
    assert sum(chance(outcome, Fraction(1, 7)) for outcome in OUTCOMES) == 1
    for outcome in reversed(OUTCOMES):
        below += chance_of_null(outcome)
        assert float(below) == pytest.approx(found(outcome).value, rel=1e-15)


def test_the_interval_is_exact():
    """At each end the outcomes from there on have the chance of an error, and the interval p."""
    found_of = [(outcome, found(outcome)) for outcome in OUTCOMES]
    for place, (_, p) in enumerate(found_of):
        more, less = OUTCOMES[: place + 1], OUTCOMES[place:]
        if p.low > 0.0:
            assert sum(chance(x, p.low) for x in more) == pytest.approx(ERROR, rel=1e-9)
        if p.high < 1.0:
            assert sum(chance(x, p.high) for x in less) == pytest.approx(ERROR, rel=1e-9)
        assert p.low <= p.value <= p.high
        logs = math.log(p.low) if p.low else -math.inf, math.log(p.high)
        assert (p.log_low, p.log_high) == logs
        for u in (max(p.low - 1e-9, 0.0), min(p.high + 1e-9, 1.0)):
            assert sum(chance(x, u) for x, y in found_of if y.low > u) <= ERROR * (1 + 1e-6)
            assert sum(chance(x, u) for x, y in found_of if y.high < u) <= ERROR * (1 + 1e-6)


def test_all_that_was_asked_for_is_drawn():
    """Also where more samples than enough are extreme, or hardly any."""
    for k in (0, HITS, MOST):
        samples = [True] * k + [False] * (MOST - k)
        p = sampled_pvalue(in_blocks(samples, 5, MOST), MOST, MOST, 1e-6, 0)
        assert (p.n, p.value) == (MOST, (k + 1) / (MOST + 1))
