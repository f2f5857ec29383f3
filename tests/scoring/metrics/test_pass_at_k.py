"""Pass@k and pass^k, against all choices of runs: contracts, forms of runs, and beyond int64."""

from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from datasets import Dataset

import pairedperm
from extras import needs
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


def test_once_is_the_mean():
    runs = [[1, 0, 1], [0, 0, 1]], [[0, 0, 1], [0, 1, 1]]
    found = [compare(*runs, None, metric) for metric in (METRIC, "pass_hat_k")]  # k=1
    assert found[0].score1 == found[1].score1 == 0.5
    assert found[0].pvalue == found[1].pvalue


def test_forms():
    """Lists, arrays and bools say the same."""
    one, two = np.random.default_rng(4).integers(0, 2, (2, 20, 5))
    result = compare(one.tolist(), two.tolist(), None, METRIC, k=3)
    for columns in (
        (one, two.astype(np.int8), None),
        (one.astype(bool), two.astype(bool).tolist(), None),
    ):
        assert compare(*columns, METRIC, k=3) == result
    assert str(result).startswith("pass@3: ")


@pytest.mark.parametrize("method", ["auto", "enumeration", "bracket", "monte_carlo"])
def test_denominators_beyond_int64(method):
    """Of C(200, 100) ways to choose: p still is that of the fractions."""
    rng = np.random.default_rng(8)
    one, two = rng.integers(0, 60, (2, 9))
    two[:3] = one[:3]
    shares = [[1 - Fraction(PASSES[c], PASSES[0]) for c in x] for x in (one, two)]
    p = float(brute_force(*shares, "two-sided"))
    runs = [[[1] * c + [0] * (200 - c) for c in x.tolist()] for x in (one, two)]
    result = compare(*runs, None, METRIC, k=100, method=method, rng=1)
    assert result.score1 == pytest.approx(float(sum(shares[0]) / 9), rel=1e-15)
    low, high = result.pvalue_interval
    assert low <= p <= high
    assert result.interval == ("confidence" if method == "monte_carlo" else "certified")
    drawn = compare(*runs, None, METRIC, k=100, test="bootstrap", rng=1)
    assert drawn.method == "monte_carlo"
    assert drawn.score1 == result.score1


def _passes():
    """By c, how often no one of c runs is among 100 of 200; all are divided by the first."""
    found = [Fraction(1)]
    for c in range(60):
        found.append(found[-1] * Fraction(100 - c, 200 - c))
    return found


PASSES = _passes()


@pytest.mark.parametrize(
    "given",
    [
        np.int8,
        lambda rows: [np.array(row) for row in rows],
        lambda rows: [tuple(row) for row in rows],
        lambda rows: pd.Series(rows.tolist()),
        lambda rows: needs("torch", "dev").tensor(rows),
        lambda rows: Dataset.from_dict({"x": rows})["x"],
    ],
)
def test_containers(given):
    """At once, and in batches."""
    one, two = np.random.default_rng(6).integers(0, 2, (2, 9, 4))
    result = compare(one, two, None, METRIC, k=2)
    assert compare(given(one), given(two), None, METRIC, k=2) == result
    module = pairedperm.load("paired_perm", METRIC, k=2)
    for part in (slice(5), slice(5, None)):
        module.add_batch(predictions1=given(one)[part], predictions2=given(two)[part])
    assert module.compute() == result.to_dict()
