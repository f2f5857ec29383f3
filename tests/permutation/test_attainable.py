"""The law of p under swaps, beside all swaps in fractions."""

import numpy as np
import pytest
from hypothesis import given

from oracles.discrete import law_of_pvalue as law_by_all_swaps
from oracles.discrete import up_to
from pairedperm import compare, paired_permutation_test
from pairedperm.permutation.attainable import law_of_pvalue
from pairedperm.results.correction import unknown_law
from properties import cases, generators

ALTERNATIVES = ("two-sided", "greater", "less")


@given(generators)
@cases(1.0)
def test_all_swaps(rng):
    """F(t) is P(p ≤ t) at each value, below and above it; at the test's own p, it is p."""
    sizes = rng.integers(0, rng.choice([2, 4, 30]), int(rng.integers(1, 11)))
    signed = sizes * rng.choice([-1, 1], sizes.size)
    alternative = str(rng.choice(ALTERNATIVES))
    result = paired_permutation_test(signed, 0 * signed, alternative=alternative)
    law, expected = law_of_pvalue(result), law_by_all_swaps(sizes.tolist(), alternative)
    for p in map(float, expected):
        for t in (p, min(p * (1.0 + 1e-9), 1.0), p * (1.0 - 1e-9)):
            found, truth = law(t), float(up_to(expected, t))
            assert truth - 1e-16 <= found <= min(truth + 1e-12, t)
    assert law(result.pvalue_interval[1]) == pytest.approx(result.pvalue, rel=1e-12)


@pytest.mark.parametrize("n", [40, 3_000])
def test_it_rises_and_is_at_most_t(n):
    rng = np.random.default_rng(n)
    law = law_of_pvalue(paired_permutation_test(rng.integers(0, 9, n), rng.integers(0, 9, n)))
    ts = np.sort(np.concatenate([rng.random(500), 10.0 ** -rng.uniform(0, 30, 500)])).tolist()
    found = [law(t) for t in ts]
    assert found == sorted(found)
    assert all(x <= t for x, t in zip(found, ts, strict=True))


def test_where_only_the_least_is_known():
    """Of F1 it is 2^(1 - m) for m that differ; on a fine lattice it is far below any level."""
    right = [1, 1, 1, 0, 0, 1]
    f1 = compare([1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 0, 0], right, "f1")
    assert f1.n_differing == 3
    assert [law_of_pvalue(f1)(t) for t in (0.24, 0.25, 0.3, 1.0)] == [0.0, 0.25, 0.3, 1.0]
    scores = np.random.default_rng(1).random((2, 50)).round(7)
    fine = law_of_pvalue(paired_permutation_test(*scores))
    assert [fine(t) for t in (2.0**-50, 2.0**-49, 0.3)] == [0.0, 2.0**-49, 0.3]


def test_where_nothing_is_known():
    sampled = paired_permutation_test([1, 2, 3], [0, 0, 0], method="monte_carlo", rng=1)
    assert law_of_pvalue(sampled) is unknown_law
