"""Adjusted p-values: as others and by definition; true errors by all swaps together."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import false_discovery_control

from oracles.discrete import holm, law_of_pvalue
from oracles.discrete import holm_of_some as by_definition
from pairedperm.results.correction import adjusted, holm_of_some
from properties import cases, generators

NAMES = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh", "by": "fdr_by"}


def some(rng):
    p = rng.random(int(rng.integers(1, 40))) ** rng.integers(1, 9)
    p[rng.random(p.size) < 0.3] = p[0]
    return p


@pytest.mark.thorough  # which takes seconds to import
@given(generators)
@cases(0.1)
def test_as_statsmodels(rng):
    from statsmodels.stats.multitest import multipletests

    p = some(rng)
    for name, other in NAMES.items():
        assert adjusted(p, name) == pytest.approx(multipletests(p, method=other)[1], rel=1e-12)


@given(generators)
@cases(1.0)
def test_as_scipy_and_by_definition(rng):
    p = some(rng)
    for name in ("bh", "by"):
        found = adjusted(p, name)
        assert found == pytest.approx(false_discovery_control(p, method=name), rel=1e-12)
    assert adjusted(p, "bonferroni") == np.minimum(p.size * p, 1.0).tolist()
    for one, found in zip(p, adjusted(p, "holm"), strict=True):
        steps = [(p >= x).sum() * x for x in p if x <= one]  # a tie goes at its first step
        assert found == pytest.approx(min(max(steps), 1.0), rel=1e-12)


def test_none():
    assert adjusted([0.5, 0.01], None) == [0.5, 0.01]
    assert adjusted([], "holm") == []


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


def family_wise(least, alpha, outcomes):
    """P(any is rejected at a level), for each level that matters; all null hypotheses are true."""
    errors = {}
    for pvalues, mass in outcomes:
        found = min(holm_of_some([*map(float, pvalues)], least, alpha))
        errors[found] = errors.get(found, 0) + mass
    total = Fraction(0)
    for level in sorted(errors):
        total += errors[level]
        yield level, total


LEVELS = (0.05, 0.125, 0.3, 0.5)  # which say what tasks count


@given(generators)
@cases(0.3)
def test_the_family_wise_error(rng):
    """At each level, of two or three independent tasks: never above it."""
    laws = [law_of_pvalue(some_sizes(rng, 7)) for _ in range(int(rng.integers(2, 4)))]
    outcomes = [
        ([p for p, _ in each], np.prod([mass for _, mass in each]))
        for each in product(*(law.items() for law in laws))
    ]
    least = [float(min(law)) for law in laws]
    for alpha in LEVELS:
        assert all(x <= Fraction(level) for level, x in family_wise(least, alpha, outcomes))


@given(generators)
@cases(0.3)
def test_the_family_wise_error_of_shared_groups(rng):
    """The same swaps in all tasks: the p-values depend on each other."""
    n = int(rng.integers(2, 8))
    tasks = rng.integers(0, 4, (int(rng.integers(2, 4)), n))
    tasks[:, 0] = 1
    least = [2.0 ** (1 - np.count_nonzero(sizes)) for sizes in tasks]
    signs = np.array([*product((-1, 1), repeat=n)])
    sums = np.abs(signs @ tasks.T)
    columns = [
        [Fraction(int((column >= x).sum()), len(signs)) for x in column] for column in sums.T
    ]
    mass = Fraction(1, len(signs))
    outcomes = [(pvalues, mass) for pvalues in zip(*columns, strict=True)]
    for alpha in LEVELS:
        assert all(x <= Fraction(level) for level, x in family_wise(least, alpha, outcomes))
