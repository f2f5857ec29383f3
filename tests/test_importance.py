"""Small p-values by importance sampling, against exact ones."""

import math

import numpy as np
import pytest
from importance_runs import SAMPLED, UNSURE, f1_columns, mean_of_ratios, relative_error, within
from ratio_rows import RATIO, sentences

from pairedperm import compare, paired_permutation_test, structured_permutation_test

ALTERNATIVES = ("two-sided", "greater", "less")


def test_f1_of_a_small_pvalue():
    columns = f1_columns()
    exact = paired_permutation_test(*columns, score=RATIO)
    assert 1e-12 < exact.pvalue < 1e-11
    result = paired_permutation_test(*columns, score=RATIO, n_resamples=10**5, rng=0, **SAMPLED)
    low, high = result.pvalue_interval
    assert low < exact.pvalue < high
    assert 0.0 < relative_error(result) <= 0.05
    assert result.pvalue == pytest.approx(exact.pvalue, rel=0.2)
    assert (result.statistic, result.score1) == (exact.statistic, exact.score1)
    assert (result.n, result.n_differing) == (exact.n, exact.n_differing)


def f1_difference(sums):
    """Of sums (x1, y1, x2, y2)."""
    return mean_of_ratios(sums[..., :2]) - mean_of_ratios(sums[..., 2:])


def squares(sums):
    return (sums**2).sum(axis=-1)


def of_means(rng):
    """A mean, at a p-value that the shift decides."""
    differences = rng.integers(-4, 5, 60)
    turned = rng.random(60) < rng.choice([0.0, 0.5, 0.8])
    differences = np.where(turned, abs(differences), differences)
    sign = rng.choice([-1, 1])
    return paired_permutation_test, (sign * differences, np.zeros(60, dtype=int)), {}


def of_ratios(rng):
    n = int(rng.choice([20, 100, 300]))
    rows = sentences(rng, n, rng.choice([0.0, 0.1, 0.2]), 0.9)
    order = rng.permutation([slice(0, 2), slice(2, 4)])
    return paired_permutation_test, tuple(rows[:, part] for part in order), {"score": RATIO}


def of_functions(rng):
    """A mean over two groups of examples, of which one system is better in both, or in one."""
    groups = [sentences(rng, 40, rng.choice([0.1, 0.2]), 0.9) for _ in range(2)]
    rows = np.zeros((80, 8), dtype=int)
    rows[:40, :4], rows[40:, 4:] = groups
    columns = rows[:, [0, 1, 4, 5]], rows[:, [2, 3, 6, 7]]
    return paired_permutation_test, columns, {"score": mean_of_ratios}


def of_absolute_differences(rng):
    rows = sentences(rng, 150, rng.choice([-0.2, 0.1, 0.2]), 0.9)
    statistic = {"statistic": lambda sums: abs(f1_difference(sums))}
    return structured_permutation_test, (rows, rows[:, [2, 3, 0, 1]]), statistic


def of_largest(rng):
    """The maximum over two columns: two places, or one, in which it is large."""
    differences = rng.integers(-2, 3, (50, 2))
    differences[:, rng.integers(2)] += rng.integers(0, 3, 50)
    return (
        structured_permutation_test,
        (differences, -differences),
        {"statistic": lambda sums: sums.max(axis=-1)},
    )


def of_squares(rng):
    """Large on both sides."""
    differences = rng.integers(-2, 3, (50, 2)) + rng.integers(0, 3, (50, 1))
    return structured_permutation_test, (differences, -differences), {"statistic": squares}


def of_wins(rng):
    """All wins: one assignment is as extreme, or two."""
    n = int(rng.integers(20, 101))
    wins = np.stack((np.ones(n, dtype=int), np.zeros(n, dtype=int)))
    if rng.random() < 0.5:
        return paired_permutation_test, tuple(wins[:: rng.choice([-1, 1])]), {}
    columns = np.stack((wins, np.ones_like(wins)), axis=-1)
    return paired_permutation_test, tuple(columns), {"score": RATIO}


KINDS = (
    of_means,
    of_ratios,
    of_functions,
    of_absolute_differences,
    of_largest,
    of_squares,
    of_wins,
)


@pytest.mark.thorough
def test_intervals_contain_the_truth_as_often_as_they_say():
    pvalues, missed = [], []
    for seed in range(15):
        for k, kind in enumerate(KINDS):
            rng = np.random.default_rng([seed, k])
            test, arguments, options = kind(rng)
            if test is paired_permutation_test:
                options["alternative"] = str(rng.choice(ALTERNATIVES))
            exact = test(*arguments, **options, method="exact")
            result = test(*arguments, **options, n_resamples=10_000, rng=seed, **SAMPLED)
            log_low, log_high = result.log_pvalue_interval
            assert log_low <= result.log_pvalue <= log_high <= 0.0
            assert log_high - log_low < 1.0
            assert result.statistic == exact.statistic
            pvalues.append(exact.pvalue)
            if not log_low <= exact.log_pvalue <= log_high:
                missed.append((kind.__name__, seed, exact.pvalue, result.pvalue_interval))
    assert min(pvalues) < 1e-28
    assert sum(p < 1e-4 for p in pvalues) > 40
    assert sum(p > 0.05 for p in pvalues) > 10
    assert len(missed) <= 0.04 * len(pvalues), missed


@pytest.mark.parametrize("kind", KINDS)
def test_estimates_are_near(kind):
    """Also where the interval misses, p is not far off: no place of extreme sums is missed."""
    for seed in range(100, 104):
        test, arguments, options = kind(np.random.default_rng(seed))
        exact = test(*arguments, **options, method="exact")
        result = test(*arguments, **options, n_resamples=10_000, rng=seed, **SAMPLED)
        assert within(result, exact)


def unbiased_problems():
    differences = np.array([3, 2, 2, 1, 1, 1, 1, 1, 1, 2, 3, 1, 2, 1, 1, 1, -1, 1, 2, 1, 3, 2])
    yield paired_permutation_test, (differences, 0 * differences), {}
    rows = sentences(np.random.default_rng(1), 80, 0.2, 0.9)
    yield paired_permutation_test, (rows[:, :2], rows[:, 2:]), {"score": RATIO}
    vectors = np.random.default_rng(6).integers(-1, 3, (24, 2))
    statistic = {"statistic": lambda sums: sums.max(axis=-1)}
    yield structured_permutation_test, (vectors, -vectors), statistic


@pytest.mark.thorough
@UNSURE
@pytest.mark.parametrize(("test", "arguments", "options"), list(unbiased_problems()))
def test_estimates_are_unbiased(test, arguments, options):
    n_seeds = 200 if not options else 60
    exact = test(*arguments, **options, method="exact").pvalue
    assert 1e-10 < exact < 1e-3
    estimates = [
        test(*arguments, **options, n_resamples=500, rng=seed, **SAMPLED).pvalue
        for seed in range(n_seeds)
    ]
    assert np.std(estimates) < exact  # or the next would say little
    error = np.std(estimates, ddof=1) / math.sqrt(n_seeds)
    assert abs(np.mean(estimates) - exact) <= 5 * error


@pytest.mark.thorough
@pytest.mark.parametrize(("shift", "alternative"), [(24, "two-sided"), (27, "greater")])
def test_weights_of_overlapping_tilts(shift, alternative):
    """At p of a few per cent fair samples and tilted ones meet: each weight is of them all."""
    differences = np.repeat([1, -1, 2, -2], [15 + shift, 15, 10, 10])
    arguments = differences, np.zeros_like(differences)
    exact = paired_permutation_test(*arguments, alternative=alternative)
    assert 0.01 < exact.pvalue < 0.05
    result = paired_permutation_test(
        *arguments, alternative=alternative, n_resamples=2_000_000, rng=0, **SAMPLED
    )
    assert relative_error(result) < 0.002
    assert within(result, exact)


def test_more_columns_than_could_be_laid_out():
    """A linear function of ten columns, whose p-value the mean's test knows."""
    rng = np.random.default_rng(7)
    rows1, rows2 = rng.integers(0, 30, (2, 300, 10))
    rows1[:, :5] += rng.integers(0, 7, (300, 5))
    exact = paired_permutation_test(rows1.sum(axis=1), rows2.sum(axis=1))
    assert exact.pvalue < 1e-6
    result = paired_permutation_test(
        rows1, rows2, score=lambda sums: sums.sum(axis=-1), n_resamples=20_000, rng=0, **SAMPLED
    )
    assert within(result, exact)
    assert relative_error(result) < 0.1


def test_many_examples_of_few_kinds():
    """Binomial variables, of tilted chances."""
    differences = np.repeat([1, 2, -1, 5], [5000, 3000, 4700, 40])
    exact = paired_permutation_test(differences, np.zeros_like(differences))
    assert exact.pvalue < 1e-30
    result = paired_permutation_test(
        differences, np.zeros_like(differences), n_resamples=20_000, rng=0, **SAMPLED
    )
    assert within(result, exact)
    assert relative_error(result) < 0.1


def test_differences_beyond_int64():
    scores = np.array([2**61] * 12 + [2**60, -(2**60)] + [2**59] * 6), np.zeros(20, dtype=int)
    exact = paired_permutation_test(*scores)
    assert exact.pvalue < 0.01
    result = paired_permutation_test(*scores, n_resamples=20_000, rng=0, **SAMPLED)
    assert within(result, exact)


@pytest.mark.parametrize("metric", ["accuracy", "f1", "matthews_correlation"])
def test_compare(metric):
    rng = np.random.default_rng(8)
    gold = rng.integers(0, 2, 400)
    one, two = (np.where(rng.random(400) < share, gold, 1 - gold) for share in (0.9, 0.7))
    exact = compare(one, two, gold, metric)
    assert exact.pvalue < 1e-6
    result = compare(one, two, gold, metric, n_resamples=20_000, rng=0, **SAMPLED)
    assert within(result, exact)
    assert (result.metric, result.score1) == (metric, exact.score1)
