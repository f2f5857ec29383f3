"""Small p-values by importance sampling: against exact ones, unbiased, never 0."""

import dataclasses
import json
import math

import numpy as np
import pytest
from test_ratio import RATIO, sentences

from pairedperm import compare, paired_permutation_test, structured_permutation_test
from pairedperm.model_card import significance_section

ALTERNATIVES = ("two-sided", "greater", "less")
SAMPLED = {"method": "importance_sampling", "progress": False}
UNSURE = pytest.mark.filterwarnings("ignore:the weights of the samples vary so much")
Z99 = 2.5758293035489004  # of the normal law, for an interval of 99 %


def within(result, exact, n_errors=5.0):
    """The estimate is no further than so many standard errors from the exact p-value."""
    reach = n_errors * relative_error(result) + 1e-9
    return abs(result.log_pvalue - exact.log_pvalue) <= reach


def relative_error(result):
    """The relative standard error that the interval says."""
    low, high = result.log_pvalue_interval
    return (high - low) / (2 * Z99)


def f1_columns():
    """Of a p-value near 1e-12."""
    rows = sentences(np.random.default_rng(1), 370, 0.2, 0.9)
    return rows[:, :2], rows[:, 2:]


# Against exact p-values


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


def mean_of_ratios(sums):
    x, y = sums[..., 0::2], sums[..., 1::2]
    return np.where(y == 0, 0.0, x / np.where(y == 0, 1.0, y)).mean(axis=-1)


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


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("shift", [24, 27])
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


# What it is where sampling is easy, or hopeless


def test_moderate_pvalues_are_those_of_monte_carlo():
    """If 5 % of fair samples are extreme."""
    rng = np.random.default_rng(9)
    differences = np.repeat([3, -2, -1], [14, 15, 11])
    rows = sentences(rng, 50)
    for arguments, options in (
        ((differences, np.zeros(40, dtype=int)), {}),
        ((rows[:, :2], rows[:, 2:]), {"score": RATIO}),
        ((rows[:, :2], rows[:, 2:]), {"score": mean_of_ratios}),
        (([1] * 90, [0] * 90), {"alternative": "less"}),
        (([1, 2], [1, 2]), {}),
    ):
        options |= {"rng": 4, "n_resamples": 2000}
        result = paired_permutation_test(*arguments, **options, **SAMPLED)
        assert result.pvalue > 0.05
        expected = paired_permutation_test(*arguments, **options, method="monte_carlo")
        assert result == dataclasses.replace(expected, method="importance_sampling")


@pytest.mark.parametrize("n", [30, 200, 900])
def test_never_zero(n):
    """All wins; with few samples too, of which none or a few are extreme."""
    for n_resamples, alternative in ((1, "two-sided"), (5, "greater"), (1000, "two-sided")):
        options = {"n_resamples": n_resamples, "alternative": alternative, "rng": 0, **SAMPLED}
        if n_resamples < 10:
            with pytest.warns(UserWarning, match="samples were extreme, too few to know p"):
                result = paired_permutation_test([1] * n, [0] * n, **options)
        else:
            result = paired_permutation_test([1] * n, [0] * n, **options)
        log_low, log_high = result.log_pvalue_interval
        least = -n * math.log(2.0)
        assert result.pvalue >= 2.0**-n * (1 - 1e-12) > 0.0
        assert least <= log_low <= result.log_pvalue <= log_high <= 0.0
        low, high = result.pvalue_interval
        assert 0.0 < low <= result.pvalue <= high <= 1.0
        json.dumps(result.to_dict(), allow_nan=False)


def test_finite_below_underflow():
    result = paired_permutation_test([1] * 3000, [0] * 3000, n_resamples=2000, rng=0, **SAMPLED)
    assert result.pvalue == result.pvalue_interval[0] == 0.0
    expected = -2999 * math.log(2.0)
    low, high = result.log_pvalue_interval
    assert low <= expected <= high
    assert result.log_pvalue == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("n_resamples", [1, 3, 8])
def test_too_few_extreme_samples(n_resamples):
    columns = f1_columns()
    message = rf"only \d of {n_resamples} samples were extreme, too few to know p: raise `n_resamp"
    with pytest.warns(UserWarning, match=message) as warned:
        paired_permutation_test(*columns, score=RATIO, n_resamples=n_resamples, rng=0, **SAMPLED)
    assert warned[0].filename == __file__
    assert len(warned) == 1


def test_weights_that_vary():
    """A standard error above 20 % is said, in words that hold for a factor."""
    columns = f1_columns()
    message = (
        r"vary so much that p is hardly known, to a factor of 1\.\d as a standard error: raise"
    )
    with pytest.warns(UserWarning, match=message) as warned:
        result = paired_permutation_test(*columns, score=RATIO, n_resamples=100, rng=0, **SAMPLED)
    assert warned[0].filename == __file__
    assert relative_error(result) > 0.2
    result = paired_permutation_test(*columns, score=RATIO, n_resamples=10_000, rng=0, **SAMPLED)
    assert relative_error(result) < 0.2  # and nothing is said


def test_no_extreme_sample():
    """The upper end of what fair samples without an extreme one leave possible: α^(1/n)."""
    with pytest.warns(UserWarning, match="only 0 of 1 samples were extreme"):
        result = paired_permutation_test([1] * 50, [0] * 50, n_resamples=1, rng=0, **SAMPLED)
    assert result.pvalue == result.pvalue_interval[1] == pytest.approx(0.99)
    assert result.pvalue_interval[0] == 2.0**-50


def test_no_tilt_is_found():
    """The statistic singles out one sum, which swaps under no tilt have often."""
    differences = np.random.default_rng(10).integers(1, 1000, 40) * np.tile([1, 1, 1, -1], 10)
    observed = differences.sum()
    arguments = (differences, -differences, lambda sums: sums == observed)
    exact = structured_permutation_test(*arguments)
    assert exact.pvalue < 1e-3
    message = "no swaps were found towards which to sample: p is that of plain sampling"
    with pytest.warns(UserWarning, match=message) as warned:
        result = structured_permutation_test(*arguments, n_resamples=1000, rng=0, **SAMPLED)
    assert warned[0].filename == __file__
    expected = structured_permutation_test(
        *arguments, n_resamples=1000, rng=0, method="monte_carlo"
    )
    assert result == dataclasses.replace(expected, method="importance_sampling")
    low, high = result.pvalue_interval
    assert low <= exact.pvalue <= high


# The result


def test_the_result_says_what_ran():
    result = paired_permutation_test(*f1_columns(), score=RATIO, n_resamples=3000, rng=0, **SAMPLED)
    assert (result.method, result.interval) == ("importance_sampling", "confidence")
    assert (result.n_resamples, result.confidence_level) == (3000, 0.99)
    assert "method='importance_sampling'" in repr(result)
    assert repr(result).endswith("n_resamples=3000)")
    found = result.to_dict()
    assert (found["method"], found["interval"]) == ("importance_sampling", "confidence")
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert result.pvalue == pytest.approx(math.exp(result.log_pvalue), rel=1e-12)


@UNSURE
def test_same_seed_same_bits():
    columns = f1_columns()

    def run(rng):
        return paired_permutation_test(*columns, score=RATIO, n_resamples=500, rng=rng, **SAMPLED)

    assert run(5) == run(5) == run(np.random.default_rng(5))
    assert run(5).pvalue != run(6).pvalue
    generator = np.random.default_rng(5)
    assert run(generator).pvalue != run(generator).pvalue
    assert run(None).pvalue != run(None).pvalue


def test_blocks_do_not_matter(monkeypatch):
    def run():
        return paired_permutation_test(
            *f1_columns(), score=RATIO, n_resamples=2000, rng=0, **SAMPLED
        ).pvalue

    whole = run()
    monkeypatch.setattr("pairedperm.sampling._CELLS", 5000)
    assert run() == pytest.approx(whole, rel=1e-12)


def test_confidence_levels():
    """Wider where it is higher, and around the same p."""
    columns = f1_columns()
    found = [
        paired_permutation_test(
            *columns, score=RATIO, n_resamples=2000, rng=0, confidence_level=level, **SAMPLED
        )
        for level in (0.5, 0.9, 0.99)
    ]
    assert len({result.pvalue for result in found}) == 1
    widths = [np.diff(result.log_pvalue_interval)[0] for result in found]
    # quantiles of the normal law
    assert widths[1] / widths[0] == pytest.approx(1.6448536 / 0.6744898, rel=1e-6)
    assert widths[2] / widths[0] == pytest.approx(Z99 / 0.6744898, rel=1e-6)


def test_more_samples_are_better():
    columns = f1_columns()
    errors = [
        relative_error(
            paired_permutation_test(
                *columns, score=RATIO, n_resamples=n_resamples, rng=0, **SAMPLED
            )
        )
        for n_resamples in (1000, 16_000)
    ]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_systems_may_be_swapped(alternative):
    one, two = f1_columns()
    other = {"greater": "less", "less": "greater"}.get(alternative, alternative)
    options = {"score": RATIO, "n_resamples": 5000, "rng": 0, **SAMPLED}
    result = paired_permutation_test(one, two, alternative=alternative, **options)
    swapped = paired_permutation_test(two, one, alternative=other, **options)
    assert swapped.statistic == -result.statistic
    assert swapped.log_pvalue == pytest.approx(result.log_pvalue, abs=0.5)


def test_progress(capsys, monkeypatch):
    monkeypatch.setattr("pairedperm.montecarlo._PATIENCE", 0.0)
    for progress in (True, False):
        paired_permutation_test(
            *f1_columns(),
            score=RATIO,
            method="importance_sampling",
            n_resamples=3000,
            rng=0,
            progress=progress,
        )
        printed = capsys.readouterr()
        assert printed.out == ""
        assert ("Sampling" in printed.err) is progress


def test_model_card_section():
    result = paired_permutation_test(
        *f1_columns(), score=RATIO, n_resamples=20_000, rng=0, **SAMPLED
    )
    for given in (result, result.to_dict()):
        section = significance_section(given, name1="large", name2="small", dataset="dev")
        assert (
            "; importance-sampling two-sided paired-permutation test with 20,000 samples, "
            f"n = 370, p = {result.pvalue:.3g})."
        ) in section.splitlines()[2]
        low, high = result.pvalue_interval
        assert f"| 99% confidence interval of p | {low:.3g} to {high:.3g} |" in section
        assert (
            "| method | importance-sampling two-sided paired-permutation test with 20," in section
        )
        assert section.endswith(
            "It was estimated from random ways: drawn towards extreme ones, and weighted."
        )
