"""Adjusted p-values: as others and by definition; true errors by all swaps together."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import false_discovery_control

from corpora.results import result
from oracles.discrete import holm, law_of_pvalue
from oracles.discrete import holm_of_some as by_definition
from pairedperm import adjust
from pairedperm.results.several import adjusted, holm_of_some
from properties import cases, generators


@given(generators)
@cases(1.0)
def test_as_scipy_and_by_definition(rng):
    p = rng.random(int(rng.integers(1, 40))) ** rng.integers(1, 9)
    p[rng.random(p.size) < 0.3] = p[0]
    for name in ("bh", "by"):
        found = adjusted(p, name)
        assert found == pytest.approx(false_discovery_control(p, method=name), rel=1e-12)
    assert adjusted(p, "bonferroni") == np.minimum(p.size * p, 1.0).tolist()
    assert adjusted(p, "holm") == pytest.approx([*map(float, holm([*map(Fraction, p)]))], rel=1e-12)
    assert adjusted(p, None) == p.tolist()


def test_of_results_that_one_has():
    """Of all kinds of tests."""
    results = [*map(result, ("exact", "bootstrap", "sampled", "groups"))]
    assert [adjust([]), adjust(tuple(results), None)] == [[], [x.pvalue for x in results]]
    for correction in ("holm", "bonferroni", "bh", "by"):
        expected = adjusted([x.pvalue for x in results], correction)
        assert adjust(results, correction) == expected


def some_sizes(rng, most):
    return rng.integers(1, rng.choice([2, 4]), int(rng.integers(1, most))).tolist()


@given(generators)
@cases(1.0)
def test_holm_of_some(rng):
    laws = [law_of_pvalue(some_sizes(rng, 8)) for _ in range(int(rng.integers(1, 6)))]
    pvalues = [sorted(law)[int(rng.integers(len(law)) ** 0.5)] for law in laws]
    least, alpha = [min(law) for law in laws], float(rng.choice([0.0, 0.05, 0.25, 0.5, 1.0]))
    found = holm_of_some([*map(float, pvalues)], [*map(float, least)], alpha)
    expected = by_definition(pvalues, least, alpha)
    assert found == [*map(float, expected)]
    for p, one, of_all in zip(pvalues, expected, holm(pvalues), strict=True):
        assert p <= one <= of_all or one == 1
        assert (one <= alpha) >= (of_all <= alpha)  # it finds at least as much as Holm's


def independent(rng):
    """The least p of two or three tasks, and all their p together, each with its mass."""
    laws = [law_of_pvalue(some_sizes(rng, 7)) for _ in range(int(rng.integers(2, 4)))]
    together = product(*(law.items() for law in laws))
    return [float(min(law)) for law in laws], [
        ([p for p, _ in each], np.prod([mass for _, mass in each])) for each in together
    ]


def of_shared_groups(rng):
    """The same swaps in all tasks: the p-values depend on each other."""
    n = int(rng.integers(2, 8))
    tasks = rng.integers(0, 4, (int(rng.integers(2, 4)), n))
    tasks[:, 0] = 1
    signs = np.array([*product((-1, 1), repeat=n)])
    sums, mass = np.abs(signs @ tasks.T), Fraction(1, len(signs))
    pvalues = [[int((x >= y).sum()) * mass for y in x] for x in sums.T]
    least = [2.0 ** (1 - np.count_nonzero(sizes)) for sizes in tasks]
    return least, [(each, mass) for each in zip(*pvalues, strict=True)]


@pytest.mark.parametrize("outcomes_of", [independent, of_shared_groups])
@given(generators)
@cases(0.3)
def test_the_family_wise_error(outcomes_of, rng):
    """P(any is rejected at a level) is never above it; alpha says which tasks count."""
    least, outcomes = outcomes_of(rng)
    for alpha in (0.05, 0.125, 0.3, 0.5):
        errors = {}
        for pvalues, mass in outcomes:
            found = min(holm_of_some([*map(float, pvalues)], least, alpha))
            errors[found] = errors.get(found, 0) + mass
        for level in errors:
            assert sum(mass for x, mass in errors.items() if x <= level) <= Fraction(level)
