"""Adjusted p-values: as others and by definition; true errors by all swaps together."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import false_discovery_control

from oracles.discrete import discrete_holm as by_definition
from oracles.discrete import holm, law_of_pvalue, tarone
from oracles.discrete import holm_of_some as by_hand
from pairedperm.results.correction import (
    AttainablePvalues,
    adjusted,
    discrete_holm,
    holm_of_some,
    law_from,
    unknown_law,
)
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


def test_discrete_takes_laws():
    """Tests of 3 and 9 differing examples, whose least p are 1/4 and 1/256; without laws: Holm."""
    p = [0.25, 2.0**-8]
    assert adjusted(p, "discrete", [*map(law_from, p)]) == p
    assert adjusted(p, "discrete") == adjusted(p, "holm")


def test_none():
    assert adjusted([0.5, 0.01], None) == [0.5, 0.01]
    assert adjusted([], "holm") == []


def as_law(law):
    """The package's form of a law in fractions, whose values are floats here."""
    values = np.array(sorted(map(float, law)))
    return AttainablePvalues(values, values)


def some_sizes(rng, most):
    return rng.integers(1, rng.choice([2, 4]), int(rng.integers(1, most))).tolist()


@given(generators)
@cases(2.0)
def test_by_definition(rng):
    laws = [law_of_pvalue(some_sizes(rng, 8)) for _ in range(int(rng.integers(1, 6)))]
    pvalues = [sorted(law)[int(rng.integers(len(law)) ** 0.5)] for law in laws]
    found = discrete_holm([*map(float, pvalues)], [*map(as_law, laws)])
    expected = by_definition(pvalues, laws)
    assert found == [*map(float, expected)]
    assert all(x <= y for x, y in zip(expected, holm(pvalues), strict=True))
    order = rng.permutation(len(laws))
    turned = discrete_holm([float(pvalues[j]) for j in order], [as_law(laws[j]) for j in order])
    assert turned == [found[j] for j in order]


@given(generators)
@cases(1.0)
def test_between_the_others(rng):
    """Without laws it is Holm's; with least values only, it is at most Tarone's, and Holm's."""
    m = int(rng.integers(1, 20))
    least = 2.0 ** -rng.integers(0, 12, m)
    p = np.maximum(rng.random(m) ** 4, least)
    ours = np.array(discrete_holm(p, [unknown_law] * m))
    assert ours == pytest.approx(adjusted(p, "holm"), rel=1e-15)
    ours = np.array(discrete_holm(p, [*map(law_from, least.tolist())]))
    assert (p <= ours).all()
    for other in (adjusted(p, "holm"), tarone(p.tolist(), least.tolist())):
        assert (ours <= np.array(other) * (1.0 + 1e-15)).all()


@given(generators)
@cases(1.0)
def test_holm_of_some(rng):
    laws = [law_of_pvalue(some_sizes(rng, 8)) for _ in range(int(rng.integers(1, 6)))]
    pvalues = [sorted(law)[int(rng.integers(len(law)) ** 0.5)] for law in laws]
    least, alpha = [min(law) for law in laws], float(rng.choice([0.0, 0.05, 0.25, 0.5, 1.0]))
    found = holm_of_some([*map(float, pvalues)], [*map(float, least)], alpha)
    expected = by_hand(pvalues, least, alpha)
    assert found == [*map(float, expected)]
    for p, one, of_all in zip(pvalues, expected, holm(pvalues), strict=True):
        assert p <= one <= of_all or one == 1
        assert (one <= alpha) >= (of_all <= alpha)  # it finds at least as much as Holm's


@given(generators)
@cases(0.3)
def test_the_family_wise_error_of_holm_of_some(rng):
    """At each level, whatever level says which of two or three independent tasks count."""
    laws = [law_of_pvalue(some_sizes(rng, 7)) for _ in range(int(rng.integers(2, 4)))]
    least = [float(min(law)) for law in laws]
    for alpha in (0.05, 0.125, 0.3, 0.5):
        errors: dict[float, Fraction] = {}
        for each in product(*(law.items() for law in laws)):
            found = min(holm_of_some([float(p) for p, _ in each], least, alpha))
            errors[found] = errors.get(found, Fraction(0)) + np.prod([mass for _, mass in each])
        total = Fraction(0)
        for level in sorted(errors):
            total += errors[level]
            assert total <= Fraction(level)


def family_wise(laws, outcomes):
    """P(any is rejected at α), for each α that matters; all null hypotheses are true."""
    errors = {}
    for pvalues, mass in outcomes:
        least = min(discrete_holm([*map(float, pvalues)], [*map(as_law, laws)]))
        errors[least] = errors.get(least, 0) + mass
    total = Fraction(0)
    for alpha in sorted(errors):
        total += errors[alpha]
        yield alpha, total


@given(generators)
@cases(0.3)
def test_the_family_wise_error(rng):
    """At each level, of two or three independent tasks: never above it."""
    laws = [law_of_pvalue(some_sizes(rng, 7)) for _ in range(int(rng.integers(2, 4)))]
    outcomes = (
        ([p for p, _ in each], np.prod([mass for _, mass in each]))
        for each in product(*(law.items() for law in laws))
    )
    for alpha, error in family_wise(laws, outcomes):
        assert error <= Fraction(alpha)


@given(generators)
@cases(0.3)
def test_the_family_wise_error_of_shared_groups(rng):
    """The same swaps in all tasks: the p-values depend on each other."""
    n = int(rng.integers(2, 8))
    tasks = rng.integers(0, 4, (int(rng.integers(2, 4)), n))
    tasks[:, 0] = 1
    laws = [law_of_pvalue(sizes) for sizes in tasks.tolist()]
    signs = np.array([*product((-1, 1), repeat=n)])
    sums = np.abs(signs @ tasks.T)
    columns = [
        [Fraction(int((column >= x).sum()), len(signs)) for x in column] for column in sums.T
    ]
    mass = Fraction(1, len(signs))
    outcomes = ((pvalues, mass) for pvalues in zip(*columns, strict=True))
    for alpha, error in family_wise(laws, outcomes):
        assert error <= Fraction(alpha)


def test_by_hand():
    """Tasks with 3, 6 and 9 wins and no loss, and a tie whose order does not matter."""
    laws = [as_law(law_of_pvalue([1] * n)) for n in (3, 6, 9)]
    # F_1 = F_2 = 0 at 2^-8; at 2^-5, F_1 = 0; then p = 1/4 stands alone
    assert discrete_holm([0.25, 2.0**-5, 2.0**-8], laws) == [0.25, 2.0**-5, 2.0**-8]
    # 7/32 is a value of the second, and 46/256 the largest of the third below it
    assert discrete_holm([1.0, 0.21875, 1.0], laws)[1] == 0.21875 + 46 / 256
    assert discrete_holm([0.25, 0.25], [laws[0], unknown_law]) == [0.5, 0.5]
    assert discrete_holm([], []) == []
