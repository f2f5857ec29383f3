"""Ratios of real rows whose denominators both systems share: means, of any number of examples."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from choices import plan as planned
from oracles.real_rows import brute_force
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, Ratio, compare, paired_bootstrap_test, paired_permutation_test
from properties import cases, generators, one_in

PER_TOKEN = Ratio([1, 0], [0, 1])


def losses(rng, n, n_values=0):
    """Two systems' losses of texts, some of which repeat, and their tokens."""
    tokens = rng.integers(1, 40, n).astype(float)
    found = rng.gamma(2.0, tokens, (2, n)) * (1 + 1e-3 * np.pi)
    if n_values:
        found = (1 + rng.integers(0, n_values, (2, n))) / 3**0.5
    return found, tokens


def exactly(rows):
    return [[Fraction(x) for x in row] for row in rows.tolist()]


def score_of(ratio):
    def score(sums):
        pairs = ((w, x) for w, x in zip(ratio.numerator, sums, strict=True))
        bottom = sum(w * x for w, x in zip(ratio.denominator, sums, strict=True))
        return sum(w * x for w, x in pairs) / bottom

    return score


def one_column(rng, n):
    found, tokens = losses(rng, n)
    return [np.stack((x, tokens), axis=1) for x in found], PER_TOKEN


def ties(rng, n):
    found, tokens = losses(rng, n, 4)
    return [np.stack((x, tokens), axis=1) for x in found], Ratio([-1, 0], [0, 1])


def real_sizes(rng, n):
    found, tokens = losses(rng, n)
    return [np.stack((x, tokens / 3), axis=1) for x in found], Ratio([1, 0], [0, 2])


def either_sign(rng, n):
    """Return numbers of either sign as two columns, as the message for negative counts advises."""
    found, tokens = losses(rng, n)
    parts = found - found.mean()
    tables = [np.stack((np.maximum(x, 0), np.maximum(-x, 0), tokens), axis=1) for x in parts]
    return tables, Ratio([1, -1, 0], [0, 0, 1])


def weighed(rng, n):
    """Numerators that no float holds, of rows that repeat: they tie all the same."""
    values = rng.integers(1, 4, (2, n, 2)) / np.array([18.0, 98.0]) ** 0.5
    sizes = np.broadcast_to(rng.integers(0, 3, (n, 1)) + 1.0, (2, n, 1))
    return [*np.concatenate((values, sizes), axis=2)], Ratio([3, -5, 0], [0, 0, 7])


def other_columns(rng, n):
    """Right and wrong ones, of which both systems have as many together."""
    found, tokens = losses(rng, n)
    right = [rng.integers(0, tokens + 1).astype(float) for _ in range(2)]
    tables = [np.stack((x, r, tokens - r), axis=1) for x, r in zip(found, right, strict=True)]
    return tables, Ratio([1, 2, 0], [0, 1, 1])


def check(result, truth):
    """The p of the floats is in the interval; what rounding broke may tie, so p is its end."""
    low, high = map(Fraction, result.pvalue_interval)
    assert low <= truth <= high == Fraction(result.pvalue)
    assert result.fraction in (None, high)


CORPORA = [one_column, ties, real_sizes, either_sign, weighed, other_columns]


@one_in(5)
@cases(0.2)
@given(rng=generators)
@pytest.mark.parametrize("corpus", CORPORA, ids=lambda x: x.__name__)
def test_by_brute_force(corpus, rng):
    rows, ratio = corpus(rng, int(rng.integers(1, 11)))
    exact = [*map(exactly, rows)]
    score = score_of(ratio)
    truth = brute_force(*exact, score)
    for alternative in ALTERNATIVES:
        options = {"score": ratio, "alternative": alternative}
        result = paired_permutation_test(*rows, **options)
        check(result, truth[alternative])
        assert result.method in ("enumeration", "exact")  # p is known
        bracket = paired_permutation_test(*rows, **options, method="bracket")
        low, high = map(Fraction, bracket.pvalue_interval)
        assert low <= truth[alternative] <= high
    sums = [[sum(column) for column in zip(*x, strict=True)] for x in exact]
    expected1, expected2 = (float(score(x)) for x in sums)
    assert result.score1 == pytest.approx(expected1, rel=1e-14)
    assert result.score2 == pytest.approx(expected2, rel=1e-14)
    assert result.statistic == pytest.approx(float(score(sums[0]) - score(sums[1])), rel=1e-12)


@pytest.mark.thorough
@pytest.mark.parametrize("corpus", CORPORA, ids=lambda x: x.__name__)
def test_of_twelve(corpus):
    rows, ratio = corpus(np.random.default_rng(12), 12)
    truth = brute_force(*map(exactly, rows), score_of(ratio))["two-sided"]
    result = paired_permutation_test(*rows, score=ratio)
    check(result, truth)
    assert result.method == "enumeration"


@one_in(6)
@pytest.mark.parametrize("corpus", CORPORA, ids=lambda x: x.__name__)
def test_of_a_thousand(corpus):
    rows, ratio = corpus(np.random.default_rng(5), 1000)
    result = paired_permutation_test(*rows, score=ratio)
    assert planned(*rows, score=ratio).method == result.method == "bracket"
    low, high = result.pvalue_interval
    assert high <= 1.1 * low  # of ties
    sampled = paired_permutation_test(
        *rows, score=ratio, method="monte_carlo", n_resamples=20_000, rng=0
    )
    error = math.sqrt(high * (1 - high) / 20_000)
    assert abs(sampled.pvalue - result.pvalue) <= 5 * error + 1e-4


@pytest.mark.thorough
def test_a_metric_says_the_same():
    found, tokens = losses(np.random.default_rng(6), 300)
    rows = [np.stack((x, tokens), axis=1) for x in found]
    for alternative in ALTERNATIVES:
        options = {"score": Ratio([-1, 0], [0, 1]), "alternative": alternative}
        result = paired_permutation_test(*rows, **options)
        metric = compare(*-found, tokens, "log_likelihood", alternative=alternative)
        assert result.pvalue_interval == metric.pvalue_interval
        assert (result.score1, result.score2) == (metric.score1, metric.score2)


def test_sums_that_only_rounding_makes_the_same():
    """0.1 + 0.3 and 0.2 + 0.2 are 0.4 in floats, and not in fractions: denominators differ."""
    rows = [[[3**-0.5, 0.1, 0.3]] * 3, [[7**-0.5, 0.2, 0.2]] * 3]
    assert 0.1 + 0.3 == 0.2 + 0.2
    assert Fraction(0.1) + Fraction(0.3) != 2 * Fraction(0.2)
    ratio = Ratio([1, 0, 0], [0, 1, 1])
    truth = brute_force(*(exactly(np.array(x)) for x in rows), score_of(ratio))
    for alternative in ALTERNATIVES:
        options = {"score": ratio, "alternative": alternative}
        assert paired_permutation_test(*rows, **options).fraction == truth[alternative]


def test_denominators_that_rounding_leaves():
    """0.1 + 0.2 - 0.3 counts as 0: only the last example has a size."""
    a, b, c = 3**-0.5, 7**-0.5, 10**-0.5
    rows1 = [[a, 0.1, 0.2, 0.3], [b, 0.1, 0.2, 0.3], [0.5, 4, 0, 0]]
    rows2 = [[2 * a, 0.1, 0.2, 0.3], [c, 0.1, 0.2, 0.3], [0.5, 4, 0, 0]]
    ratio = Ratio([1, 0, 0, 0], [0, 1, 1, -1])
    result = paired_permutation_test(rows1, rows2, score=ratio)
    assert result.score1 == (a + b + 0.5) / 4
    assert result.fraction == 1  # -a + b - c is nearer to 0 than without the last
    none = paired_permutation_test(rows1[:2], rows2[:2], score=ratio)
    assert (none.score1, none.score2, none.pvalue) == (0.0, 0.0, 1.0)


def test_swaps_beyond_floats():
    """Denominators of 2e-200: p does not depend on them, the values that swaps give do."""
    size, third = 1e-200, 1 / 3
    rows1 = [[1e200, third, size], [third, 1e200, size]]
    rows2 = [[third, 1e200, size], [1e200, third, size]]
    options = {"score": Ratio([1, -1, 0], [0, 0, 1]), "alternative": "greater"}
    result = paired_permutation_test(rows1, rows2, **options)
    assert (result.score1, result.fraction) == (0.0, Fraction(3, 4))
    with pytest.raises(InputError, match="some swaps have scores beyond floats"):
        result.null_distribution()


def test_a_bootstrap_draws_the_sizes():
    """Sizes differ from resample to resample, so p is sampled."""
    rows, ratio = one_column(np.random.default_rng(7), 50)
    result = paired_bootstrap_test(*rows, score=ratio, rng=0, n_resamples=99)
    assert (result.method, result.n_resamples) == ("monte_carlo", 99)
