"""Sampled p-values: what they are, their interval, and that they agree with exact ones."""

import json
import math

import datasets
import numpy as np
import pytest
from hypothesis import given

from corpora.ratio_rows import RATIO, sentences
from oracles.vectors import ALTERNATIVES
from pairedperm import compare, paired_bootstrap_test, paired_permutation_test
from properties import cases, generators


def within(result, p, n_errors=5.0):
    """The sampled p-value is no further than so many standard errors from p."""
    error = math.sqrt(p * (1.0 - p) / result.n_resamples) + 1.0 / result.n_resamples
    return abs(result.pvalue - p) <= n_errors * error


@cases(0.2)
@given(rng=generators)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_agrees_with_the_exact_pvalue(alternative, rng):
    rows = sentences(rng, 300, rng.choice([-0.05, 0.0, 0.05]))
    scores = rng.integers(-3, 4, 40), np.zeros(40, dtype=int)
    ratio = (rows[:, :2], rows[:, 2:])
    for columns, score in ((scores, None), (ratio, RATIO)):
        options = {"score": score, "alternative": alternative}
        exact = paired_permutation_test(*columns, **options)
        sampled = paired_permutation_test(
            *columns, **options, method="monte_carlo", n_resamples=20_000, rng=0
        )
        assert within(sampled, exact.pvalue)
        assert (sampled.statistic, sampled.score1) == (exact.statistic, exact.score1)
        assert sampled.n_differing == exact.n_differing


@pytest.mark.thorough
def test_intervals_contain_the_truth_as_often_as_they_say():
    columns = (
        sentences(np.random.default_rng(1), 60)[:, :2],
        sentences(np.random.default_rng(2), 60)[:, :2],
    )
    truth = paired_permutation_test(*columns, score=RATIO).pvalue
    n_hits = 0
    for seed in range(400):
        low, high = paired_permutation_test(
            *columns,
            score=RATIO,
            method="monte_carlo",
            n_resamples=99,
            rng=seed,
        ).pvalue_interval
        n_hits += low <= truth <= high
    assert n_hits >= 336  # 360 expected at least; 4 standard deviations are 24


def test_ties_are_counted():
    """5 wins: 2 of the 32 swaps are as large, and only through ties."""
    result = paired_permutation_test(
        [1] * 5, [0] * 5, method="monte_carlo", n_resamples=50_000, rng=0
    )
    assert within(result, 0.0625)
    rows = [[1, 1]] * 5, [[0, 1]] * 5
    same = paired_permutation_test(
        *rows, score=RATIO, method="monte_carlo", n_resamples=50_000, rng=0
    )
    assert same.pvalue == result.pvalue  # the same binomial draws


def test_the_result_says_what_ran():
    columns = sentences(np.random.default_rng(3), 200, 0.2)
    result = paired_permutation_test(
        columns[:, :2], columns[:, 2:], score=RATIO, method="monte_carlo", rng=7
    )
    assert (result.method, result.interval, result.n_resamples) == (
        "monte_carlo",
        "confidence",
        9999,
    )
    assert result.pvalue * 10_000 == pytest.approx(round(result.pvalue * 10_000))
    assert "method='monte_carlo'" in repr(result)
    assert repr(result).endswith("n_resamples=9999, seed=7)")
    found = result.to_dict()
    assert (found["n_resamples"], found["interval"]) == (9999, "confidence")
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    exact = paired_permutation_test([1], [0]).to_dict()
    assert exact["n_resamples"] is exact["seed"] is None


def test_never_zero():
    result = paired_permutation_test(
        [1] * 200, [0] * 200, method="monte_carlo", n_resamples=99, rng=0
    )
    assert result.pvalue == 0.01
    low, high = result.pvalue_interval
    assert low == 2.0**-200
    assert result.log_pvalue_interval[0] == -200 * math.log(2.0)
    assert high == pytest.approx(1.0 - 0.005 ** (1 / 99))  # Clopper and Pearson's for 0 of 99
    json.dumps(result.to_dict(), allow_nan=False)


@pytest.mark.thorough
def test_the_interval_contains_its_pvalue():
    for n_resamples in (1, 2, 5, 99):
        for n in (1, 2, 3):
            for seed in range(20):
                result = paired_permutation_test(
                    [[1, 2]] * n,
                    [[0, 1]] * n,
                    score=RATIO,
                    alternative="greater",
                    method="monte_carlo",
                    n_resamples=n_resamples,
                    rng=seed,
                )
                low, high = result.pvalue_interval
                assert low <= result.pvalue <= high
                log_low, log_high = result.log_pvalue_interval
                assert log_low <= result.log_pvalue <= log_high
                assert result.seed == seed


def test_identical_systems():
    for columns, score in ((([1, 2], [1, 2]), None), (([[1, 2]], [[1, 2]]), RATIO)):
        for alternative in ALTERNATIVES:
            result = paired_permutation_test(
                *columns, score=score, alternative=alternative, method="monte_carlo"
            )
            assert result.pvalue == result.pvalue_interval[1] == 1.0


def test_rng():
    columns = sentences(np.random.default_rng(4), 100)
    arguments = columns[:, :2], columns[:, 2:]

    def run(rng):
        return paired_permutation_test(*arguments, score=RATIO, method="monte_carlo", rng=rng)

    def drawn(rng):
        return run(rng).pvalue

    assert drawn(5) == drawn(np.int64(5)) != drawn(6)
    for kind in (np.random.default_rng, np.random.SeedSequence, np.random.PCG64):
        assert drawn(kind(5)) == drawn(kind(5)) != drawn(kind(6))
    assert drawn([1, 2]) == drawn((1, 2)) != drawn([2, 1])
    generator = np.random.default_rng(5)
    assert len({drawn(generator) for _ in range(5)}) > 1
    assert drawn(None) == drawn(None)
    for rng in (None, generator, [1, 2], 2**100, np.int8(3)):
        result = run(rng)
        assert type(result.seed) is int
        assert run(result.seed) == result


def test_blocks_do_not_matter(monkeypatch):
    def run():
        return paired_permutation_test(
            np.arange(50) % 7, np.arange(50) % 5, method="monte_carlo", n_resamples=12_345, rng=0
        ).pvalue

    whole = run()
    assert whole > 1e-3
    monkeypatch.setattr("pairedperm.convolution.sampling.DRAWN_AT_ONCE", 1000)
    assert run() == whole


def test_differences_beyond_int64():
    scores = np.array([2**61, -(2**61), 2**61, 5, 2**60]), np.zeros(5, dtype=int)
    exact = paired_permutation_test(*scores)
    sampled = paired_permutation_test(*scores, method="monte_carlo", n_resamples=20_000, rng=0)
    assert within(sampled, exact.pvalue)


def test_auto_samples_what_exceeds_the_budget():
    rng = np.random.default_rng(6)
    counts1, counts2 = rng.integers(0, 10**7, (2, 80, 2))
    counts1[:, 1] += counts1[:, 0]
    counts2[:, 1] += counts2[:, 0]
    with pytest.warns(
        UserWarning, match="p is estimated .*, because the exact p-value needs"
    ) as warned:
        result = paired_permutation_test(counts1, counts2, score=RATIO, rng=0)
    assert warned[0].filename == __file__
    assert (result.method, result.n_resamples) == ("monte_carlo", 9999)
    expected = paired_permutation_test(counts1, counts2, score=RATIO, rng=0, method="monte_carlo")
    assert result == expected


@pytest.mark.parametrize("test", [paired_permutation_test, paired_bootstrap_test])
@pytest.mark.parametrize("options", [{}, {"score": lambda sums: sums[..., 0] ** 3}])
@pytest.mark.parametrize("kind", ["integers", "reals"])
def test_the_seed_follows_from_the_data(test, options, kind):
    """The same data in any order have the same p; `rng` draws other samples, or the same again."""
    rng = np.random.default_rng(0)
    one, two = rng.integers(0, 9, (2, 60, 2)) * (1.0 if kind == "integers" else 1.0 / 3.0)
    if not options:
        one, two = one[:, 0], two[:, 0]
    options = options | {"method": "monte_carlo", "n_resamples": 999}
    result, order = test(one, two, **options), rng.permutation(60)
    for again in (
        test(one[order], two[order], **options),
        test(one, two, rng=result.seed, **options),
    ):
        assert (again.seed, again.pvalue) == (result.seed, result.pvalue)
    assert test(one + 1.0, two, **options).seed != result.seed
    assert test(one, two, rng=1, **options).seed == 1 != result.seed


def test_auto_says_that_no_sample_was_as_extreme():
    """System 1 is better on every example, by far: p is below what 99 samples can tell."""
    counts1, counts2 = np.random.default_rng(6).integers(0, 1000, (2, 300, 15))
    counts1[:, 0] = counts2[:, 0] + 10**4
    with pytest.warns(UserWarning, match="p is estimated") as warned:
        result = paired_permutation_test(
            counts1, counts2, score=lambda sums: sums.max(axis=-1), n_resamples=99
        )
    assert result.pvalue == 0.01
    (text,) = (str(warning.message) for warning in warned)
    assert text.startswith(
        "p is estimated from 99 random swaps (99% interval 4.91e-91 to 0.0521), "
    )
    assert text.endswith(
        f" no budget allows. No swap was as extreme: p may be much smaller. Set `rng` for "
        f"other samples (here rng={result.seed}), `n_resamples` for more."
    )


def test_more_columns_than_could_be_laid_out():
    """A linear function of ten columns, whose p-value the mean's test knows."""
    rows1, rows2 = np.random.default_rng(7).integers(0, 30, (2, 300, 10))
    exact = paired_permutation_test(rows1.sum(axis=1), rows2.sum(axis=1))
    assert 0.01 < exact.pvalue < 0.99
    sampled = paired_permutation_test(
        rows1,
        rows2,
        score=lambda sums: sums.sum(axis=-1),
        method="monte_carlo",
        n_resamples=20_000,
        rng=0,
    )
    assert within(sampled, exact.pvalue)


def test_many_examples_of_few_kinds():
    """Binomial variables, and not a bit for each example."""
    differences = np.repeat([1, 2, -1, 5], [5000, 3000, 10_900, 40])
    exact = paired_permutation_test(differences, np.zeros_like(differences))
    assert 0.01 < exact.pvalue < 0.99
    sampled = paired_permutation_test(
        differences, np.zeros_like(differences), method="monte_carlo", n_resamples=20_000, rng=0
    )
    assert within(sampled, exact.pvalue)


def test_compare_samples_too():
    columns = np.random.default_rng(7).integers(0, 2, (3, 400))
    for metric in ("accuracy", "f1"):
        exact = compare(*columns, metric)
        sampled = compare(*columns, metric, method="monte_carlo", n_resamples=20_000, rng=0)
        assert within(sampled, exact.pvalue)


def test_progress(capsys, monkeypatch, terminal):
    monkeypatch.setattr("pairedperm.results.sampled.PATIENCE", 0.0)
    for switch in (datasets.enable_progress_bars, datasets.disable_progress_bars):
        switch()
        try:
            paired_permutation_test([1, 2], [0, 0], method="monte_carlo", n_resamples=10)
        finally:
            datasets.enable_progress_bars()
        printed = capsys.readouterr()
        assert printed.out == ""
        assert ("Sampling" in printed.err) is (switch is datasets.enable_progress_bars)
