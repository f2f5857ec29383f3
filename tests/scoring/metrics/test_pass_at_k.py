"""Pass@k and pass^k, against all choices of runs; denominators beyond int64."""

from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb

import numpy as np
import pytest

from oracles.texts import brute_force
from pairedperm import compare
from scoring.contract import Contract, check_metric

METRIC = "pass_at_k"


def items(rng, n):
    """As lists of 0, 1 or bools."""
    k = int(rng.integers(1, 4))
    sizes = rng.integers(k, 8, n)
    one, two = (
        [(rng.random(size) < rng.choice([0.0, 0.2, 0.5, 0.9, 1.0])).tolist() for size in sizes]
        for _ in range(2)
    )
    columns = one, two, None
    if rng.random() < 0.5:
        columns = *([[*map(int, x)] for x in y] for y in (one, two)), None
    return columns, {"k": k} if k > 1 or rng.random() < 0.5 else {}


def share(passes, predictions, references, k=1):
    """The mean share of all ways to choose k of the runs, in which one passes, or all."""
    chosen = [[passes(some) for some in combinations(x, k)] for x in predictions]
    return sum(Fraction(sum(x), len(x)) for x in chosen) / len(chosen)


def as_printed(predictions, references, k=1):
    """By Chen et al. 2021, figure 3."""
    found = []
    for x in predictions:
        c, n = sum(x), len(x)
        found.append(1.0 if n - c < k else 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))
    return np.mean(found)


test_contract = check_metric(
    Contract(METRIC, items, partial(share, any), library=as_printed, few=6, share=0.3),
    Contract("pass_hat_k", items, partial(share, all), few=6),
)


@pytest.mark.parametrize("method", ["auto", "enumeration", "bracket", "monte_carlo"])
def test_denominators_beyond_int64(method):
    """Of C(200, 100) ways to choose: p still is that of the fractions."""
    rng = np.random.default_rng(8)
    one, two = rng.integers(0, 60, (2, 9))
    two[:3] = one[:3]
    runs_passed = one.tolist(), two.tolist()
    shares = [[1 - Fraction(comb(200 - c, 100), comb(200, 100)) for c in x] for x in runs_passed]
    p = float(brute_force(*shares, "two-sided"))
    runs = [[[1] * c + [0] * (200 - c) for c in x] for x in runs_passed]
    result = compare(*runs, None, METRIC, k=100, method=method, rng=1)
    assert result.score1 == pytest.approx(float(sum(shares[0]) / 9), rel=1e-15)
    low, high = result.pvalue_interval
    assert low <= p <= high
    assert result.pvalue_kind == ("confidence" if method == "monte_carlo" else "certified")
