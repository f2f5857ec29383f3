"""Pass^k, against all choices of runs: its contract."""

from fractions import Fraction
from itertools import combinations

import pytest

from pairedperm import InputError, compare
from scoring.contract import Contract, check_metric

METRIC = "pass_hat_k"


def items(rng, n):
    """As runs, or as numbers of them."""
    k = int(rng.integers(1, 4))
    sizes = rng.integers(k, 8, n)
    one, two = (rng.binomial(sizes, rng.choice([0.5, 0.9, 1.0], n)).tolist() for _ in range(2))
    sizes = sizes.tolist()
    columns = one, two, sizes
    if rng.random() < 0.5:
        columns = *(runs_of(column, sizes) for column in (one, two)), None
    return columns, {"k": k}


def runs_of(numbers, sizes):
    return [[1] * c + [0] * (n - c) for c, n in zip(numbers, sizes, strict=True)]


def share(predictions, references, k):
    """The mean share of all ways to choose k of the runs, in which all pass."""
    rows = predictions if references is None else runs_of(predictions, references)
    chosen = [[all(some) for some in combinations(x, k)] for x in rows]
    return sum(Fraction(sum(x), len(x)) for x in chosen) / len(chosen)


test_contract = check_metric(Contract(METRIC, items, share, few=6))


def test_once_is_the_mean():
    runs = [[1, 0, 1], [0, 0, 1]], [[0, 0, 1], [0, 1, 1]]
    found = [compare(*runs, None, metric) for metric in (METRIC, "pass_at_k")]  # k=1
    assert found[0].score1 == found[1].score1 == 0.5
    assert found[0].pvalue == found[1].pvalue
    with pytest.raises(InputError, match=r"must be one of .*Did you mean metric='pass_hat_k'\?"):
        compare(*runs, None, "pass^k")
