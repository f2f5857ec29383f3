"""On how many tasks at least: sums of the Erlang law in decimals, and simulated suites."""

from decimal import Context, Decimal
from fractions import Fraction
from math import factorial, inf, log

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import combine_pvalues

from pairedperm.results.correction import adjusted
from pairedperm.results.partial_conjunction import at_least, partial_conjunction
from properties import cases, generators, one_in

CONTEXT = Context(60)


def by_erlang(log_pvalues):
    """P(the sum of r exponential variables ≥ x) = e^-x Σ_{i < r} x^i / i!."""
    descending = sorted(map(Decimal, log_pvalues), reverse=True)
    for k in range(1, len(descending) + 1):
        r = len(descending) - k + 1
        x = -sum(descending[:r], Decimal(0))
        terms = (CONTEXT.divide(CONTEXT.power(x, i), Decimal(factorial(i))) for i in range(1, r))
        yield CONTEXT.multiply(CONTEXT.exp(-x), sum(terms, Decimal(1)))


@given(generators)
@cases(2.0)
def test_erlang(rng):
    logs = np.log(rng.random(int(rng.integers(1, 60)))) * 10.0 ** rng.uniform(-2, 1)
    found = [*partial_conjunction(logs.tolist())]
    assert found == pytest.approx([*map(float, by_erlang(logs.tolist()))], rel=1e-15)
    assert found[-1] == pytest.approx(np.exp(logs.max()), rel=1e-14)
    assert found[0] == pytest.approx(combine_pvalues(np.exp(logs))[1], rel=1e-11)
    assert [*partial_conjunction(rng.permutation(logs).tolist())] == found


def test_ends():
    assert [*partial_conjunction([])] == []
    assert [*partial_conjunction([0.0, 0.0])] == [1.0, 1.0]
    assert [*partial_conjunction([-inf, 0.0, -5e4])] == [0.0, 0.0, 1.0]
    assert at_least([], 0.05) == at_least([], 0.05, are_independent=False) == 0
    assert at_least([-5e4] * 4, 1e-300) == 4


@one_in(4)
@pytest.mark.parametrize("r", [1, 2, 30, 700, 2000])
@pytest.mark.parametrize("size", [1e-9, 0.9, 1.0, 1.2])
def test_the_first_terms_of_a_series_over_all(r, size):
    """Σ_{i < r} x^i / i! over e^x = Σ x^i / i!, in integers."""
    x = r * Fraction(size)
    terms = [10**60]
    while terms[-1]:
        terms.append(terms[-1] * x.numerator // (x.denominator * len(terms)))
    expected = float(Fraction(sum(terms[:r]), sum(terms)))
    assert next(partial_conjunction([-size] * r)) == pytest.approx(expected, rel=1e-15)


def test_it_stops_at_the_first_that_fails():
    """Two of three at most: p^{1/3} exceeds α although p^{2/3} does not."""
    logs = [log(0.04), log(0.04), log(0.04)]
    assert at_least(logs, 0.05) == 3
    one, two, three = partial_conjunction([log(x) for x in (0.9, 0.2, 0.2)])
    assert one < two < three
    assert at_least([log(x) for x in (0.9, 0.2, 0.2)], (one + two) / 2) == 1


@given(generators)
@cases(1.0)
def test_with_shared_groups_it_is_the_count_of_holm(rng):
    p, alpha = rng.random(int(rng.integers(1, 20))) ** 4, rng.uniform(0.01, 0.3)
    expected = sum(x <= alpha for x in adjusted(p, "holm"))
    assert at_least(np.log(p).tolist(), alpha, are_independent=False) == expected


@one_in(3)
@pytest.mark.parametrize("n_false", [0, 3, 10])
def test_the_bound_is_too_large_in_at_most_alpha(n_false):
    """Of 4,000 suites of 10 tasks; the limit is four standard errors above 5 %."""
    rng = np.random.default_rng(n_false)
    p = rng.random((4000, 10))
    p[:, :n_false] **= 40.0
    bounds = np.array([at_least(row.tolist(), 0.05) for row in np.log(p)])
    assert (bounds > n_false).mean() <= 0.05 + 4 * (0.05 * 0.95 / 4000) ** 0.5
    if n_false > 0:
        assert bounds.mean() > 0.8 * n_false
