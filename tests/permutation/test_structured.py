"""Any statistic of sums: brute force, equation (16), ties, sampling, and what the result says."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from choices import plan
from corpora.cards import unmarked
from corpora.equation_16 import columns_of_equation_16, f1_difference
from corpora.ratio_rows import RATIO, sentences
from corpora.sum_scores import SCORES, small_rows
from oracles import swaps as oracle
from oracles.statistics import all_sums, brute_force, exact_f1_difference
from pairedperm import paired_permutation_test, structured_permutation_test
from properties import cases, generators, one_in

STATISTICS = {
    **SCORES,
    "equation 16": (exact_f1_difference, f1_difference),
    "absolute": (lambda row: abs(exact_f1_difference(row)), lambda s: abs(f1_difference(s))),
    "spread": (
        lambda row: Fraction(sum(x**2 for x in row) * len(row) - sum(row) ** 2, len(row) ** 2),
        lambda sums: sums.var(axis=-1),
    ),
}


@one_in(2)
@pytest.mark.parametrize("name", STATISTICS)
@cases(0.4)
@given(rng=generators)
def test_all_swaps_of_small_corpora(name, rng):
    exact, statistic = STATISTICS[name]
    stay, swap = small_rows(rng)
    truth = brute_force(stay, swap, exact)
    result = structured_permutation_test(stay, swap, statistic)
    assert oracle.is_certified(result, truth), (stay, swap, result)
    assert oracle.relative_error(result, truth) <= 1e-12
    expected = float(exact(stay.sum(axis=0).tolist()))
    assert result.statistic == pytest.approx(expected, rel=1e-14, abs=1e-14)
    assert (result.n, result.n_differing) == (len(stay), (stay != swap).any(axis=1).sum())


@given(rng=generators)
def test_sums_may_be_negative_and_decimal(rng):
    stay, swap = rng.integers(-3, 4, (2, 6, 2))
    truth = brute_force(stay, swap, lambda row: Fraction(row[0] * row[1] - 2 * row[0]))
    result = structured_permutation_test(
        stay, swap, lambda sums: sums[..., 0] * sums[..., 1] - 2 * sums[..., 0]
    )
    assert oracle.is_certified(result, truth)
    tenths = structured_permutation_test(
        stay / 10, swap / 10, lambda sums: sums[..., 0] * sums[..., 1] - sums[..., 0] / 5
    )
    assert tenths.pvalue == result.pvalue
    assert tenths.statistic == pytest.approx(result.statistic / 100, abs=1e-13)


# Equation (16)


@pytest.mark.parametrize(("n", "advantage"), [(12, 0.0), (30, 0.1), (150, 0.0), (200, 0.15)])
def test_equation_16(n, advantage):
    rows = sentences(np.random.default_rng(n), n, advantage)
    stay, swap = columns_of_equation_16(rows)
    assert plan(stay, swap, f1_difference).rank == 2  # of four columns
    one_sided, two_sided = (
        paired_permutation_test(rows[:, :2], rows[:, 2:], score=RATIO, alternative=alternative)
        for alternative in ("greater", "two-sided")
    )
    result = structured_permutation_test(stay, swap, f1_difference)
    assert result.pvalue == pytest.approx(one_sided.pvalue, rel=1e-11)
    assert result.statistic == pytest.approx(one_sided.statistic, rel=1e-12)
    assert result.n_differing == one_sided.n_differing
    absolute = structured_permutation_test(stay, swap, lambda sums: abs(f1_difference(sums)))
    assert absolute.pvalue == pytest.approx(two_sided.pvalue, rel=1e-11)
    low, high = result.pvalue_interval
    assert low <= one_sided.pvalue_interval[1]
    assert high >= one_sided.pvalue_interval[0]
    assert high - low <= 1e-10 * result.pvalue


def test_a_score_s_difference():
    """Both systems' columns side by side give the p of `paired_permutation_test`."""
    rng = np.random.default_rng(1)
    for name in ("macro", "brevity", "largest"):
        _, score = SCORES[name]
        rows1, rows2 = rng.integers(0, 5, (2, 15, 3))
        stay, swap = np.hstack((rows1, rows2)), np.hstack((rows2, rows1))

        def difference(sums, score=score):
            return score(sums[..., :3]) - score(sums[..., 3:])

        result = structured_permutation_test(stay, swap, difference)
        expected = paired_permutation_test(rows1, rows2, score=score, alternative="greater")
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
        assert result.statistic == expected.statistic
        absolute = structured_permutation_test(stay, swap, lambda s, f=difference: abs(f(s)))
        expected = paired_permutation_test(rows1, rows2, score=score)
        assert absolute.pvalue == pytest.approx(expected.pvalue, rel=1e-12)


# One side


def test_never_doubled():
    """One of 2^5 sums is 5, and one is -5."""
    ones = [1] * 5
    minus = [-1] * 5
    assert structured_permutation_test(ones, minus, lambda s: s).pvalue == 1 / 32
    assert structured_permutation_test(ones, minus, lambda s: -s).pvalue == 1.0
    assert structured_permutation_test(ones, minus, np.abs).pvalue == 2 / 32
    assert structured_permutation_test(ones, minus, np.square).pvalue == 2 / 32
    assert structured_permutation_test(minus, ones, lambda s: s).pvalue == 1.0


def test_a_statistic_need_not_be_symmetric():
    """Sums 0 … 3 of three coins give 4, 5, 4 and 1: the least is observed, then the largest."""
    result = structured_permutation_test([1, 1, 1], [0, 0, 0], lambda s: 4 - 2 * s - s * (s - 4))
    assert (result.statistic, result.pvalue) == (1.0, 1.0)
    result = structured_permutation_test([1, 0, 0], [0, 1, 1], lambda s: 4 - 2 * s - s * (s - 4))
    assert (result.statistic, result.pvalue) == (5.0, 3 / 8)


@pytest.mark.parametrize("n_lost", [0, 3])
def test_small_pvalues(n_lost):
    differences = np.random.default_rng(2).integers(1, 4, 140)
    differences[:n_lost] *= -1
    truth = oracle.pvalue(differences, "greater")
    assert truth < Fraction(1, 10**30)
    result = structured_permutation_test(differences, -differences, lambda s: s**3)
    assert oracle.is_certified(result, truth)
    assert oracle.relative_error(result, truth) <= 1e-11


@pytest.mark.parametrize(("gap", "p"), [(0.0, 0.5), (0.9e-12, 0.5), (1.1e-12, 0.25)])
@pytest.mark.parametrize("scale", [1.0, -1000.0])
def test_what_ties(gap, p, scale):
    """Sum 3 as observed; 2 is below it by a part of the larger of both values."""
    size = abs(scale)
    lower = size * (-2.0 if scale < 0 else 0.0)
    top = scale if scale > 0 else -size
    values = np.array([lower, lower, top - gap * size, top])
    result = structured_permutation_test([1, 2], [0, 0], lambda s: values[s.astype(int)])
    assert result.pvalue == p


@pytest.mark.parametrize(("gap", "p"), [(0.9e-14, 0.5), (1.1e-14, 0.25)])
def test_roundings_of_zero_tie(gap, p):
    """0 is observed, and the largest value of some swaps is 1 in size."""
    values = np.array([-1.0, -1.0, -gap, 0.0])
    result = structured_permutation_test([1, 2], [0, 0], lambda s: values[s.astype(int)])
    assert result.pvalue == p


@pytest.mark.parametrize("shape", [(4,), (4, 3)])
def test_identical_rows(shape):
    rows = np.arange(np.prod(shape)).reshape(shape)
    result = structured_permutation_test(rows, rows, lambda s: s if len(shape) == 1 else s[..., 0])
    assert (result.pvalue, result.log_pvalue, result.n, result.n_differing) == (1.0, 0.0, 4, 0)
    assert result.pvalue_interval == (1.0, 1.0)
    assert result.statistic == (6.0 if len(shape) == 1 else 18.0)
    null = result.null_distribution()
    assert (null.support.tolist(), null.pmf.tolist()) == ([result.statistic], [1.0])


def test_a_constant_statistic():
    result = structured_permutation_test([1, 2], [0, 0], lambda s: np.zeros(s.shape))
    assert (result.pvalue, result.n_differing) == (1.0, 2)


# Sampling and budgets


def test_sampling():
    stay, swap = columns_of_equation_16(sentences(np.random.default_rng(9), 60, 0.05))
    exact = structured_permutation_test(stay, swap, f1_difference)
    sampled = structured_permutation_test(
        stay, swap, f1_difference, method="monte_carlo", n_resamples=20_000, rng=0
    )
    assert (sampled.method, sampled.n_resamples) == ("monte_carlo", 20_000)
    error = np.sqrt(exact.pvalue * (1 - exact.pvalue) / 20_000)
    assert abs(sampled.pvalue - exact.pvalue) <= 5 * error
    assert sampled.statistic == exact.statistic


def test_budget():
    rng = np.random.default_rng(10)
    stay, swap = rng.integers(0, 30, (2, 300, 8))

    def statistic(sums):
        return sums.max(axis=-1)

    with pytest.warns(
        UserWarning, match="p is estimated .*, because the exact .* null distribution"
    ) as warned:
        result = structured_permutation_test(stay, swap, statistic, rng=0)
    assert warned[0].filename == __file__
    assert result == structured_permutation_test(stay, swap, statistic, method="monte_carlo", rng=0)


def test_one_sum():
    rng = np.random.default_rng(5)
    stay, swap = rng.integers(0, 5, (2, 8))
    expected = structured_permutation_test(stay[:, None], swap[:, None], lambda s: s[..., 0] ** 2)
    truth = brute_force(stay[:, None], swap[:, None], lambda row: Fraction(row[0] ** 2))
    assert oracle.is_certified(expected, truth)
    shapes = set()

    def of_numbers(sums):
        shapes.add(sums.ndim)
        return sums**2

    assert structured_permutation_test(stay, swap, of_numbers) == expected
    assert shapes == {1}
    # a function that was written for rows of one entry
    assert structured_permutation_test(stay, swap, lambda s: s[..., 0] ** 2) == expected
    assert structured_permutation_test(stay, swap, lambda s: s[:, 0] ** 2) == expected
    assert structured_permutation_test(stay, swap, lambda s: (s**2).sum(axis=-1)) == expected


def test_lists_and_arrays():
    expected = structured_permutation_test([[1, 2], [3, 0]], [[0, 2], [1, 1]], f1_difference)
    for kind in (np.array, tuple, lambda rows: np.array(rows, dtype=np.float32)):
        result = structured_permutation_test(
            kind([[1, 2], [3, 0]]), kind([[0, 2], [1, 1]]), f1_difference
        )
        assert result == expected
    assert (
        structured_permutation_test(
            stay=[[1, 2], [3, 0]], swap=[[0, 2], [1, 1]], statistic=f1_difference
        )
        == expected
    )


@pytest.fixture
def result():
    stay, swap = columns_of_equation_16(sentences(np.random.default_rng(6), 40, 0.2, 0.5))
    return structured_permutation_test(stay, swap, f1_difference)


def test_the_result(result):
    assert (result.score1, result.score2, result.metric) == (None, None, None)
    assert (result.alternative, result.method, result.interval) == ("greater", "exact", "certified")
    assert (result.n_resamples, result.confidence_level, result.metric_options) == (None,) * 3
    assert 0.0 < result.pvalue < 1.0
    assert result.log_pvalue == pytest.approx(np.log(result.pvalue))


def test_to_dict(result):
    found = result.to_dict()
    assert (found["stat"], found["p"]) == (result.statistic, result.pvalue)
    assert found["score1"] is found["score2"] is found["metric"] is None
    assert found["alternative"] == "greater"
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert all(type(value) in (int, float, str, type(None)) for value in found.values())


def test_repr(result):
    assert repr(result).startswith(f"PairedPermutationResult(statistic={result.statistic:.6g}, pv")
    assert "alternative='greater', score1=None, score2=None, metric=None, method=" in repr(result)
    assert repr(result).endswith(f"n=40, n_differing={result.n_differing})")


def test_null_distribution(result):
    null = result.null_distribution()
    at_least = null.pmf[null.support >= result.statistic - 1e-12].sum()
    assert at_least == pytest.approx(result.pvalue, abs=1e-13)
    stay, swap = np.random.default_rng(7).integers(0, 4, (2, 8, 3))
    values = (all_sums(stay, swap) ** 2).sum(axis=1)
    support, how_often = np.unique(values, return_counts=True)
    null = structured_permutation_test(
        stay, swap, lambda sums: (sums**2).sum(axis=-1)
    ).null_distribution()
    assert null.support.tolist() == support.tolist()
    assert null.pmf == pytest.approx(how_often / 2**8, abs=1e-15)


@pytest.mark.parametrize("as_dict", [False, True])
def test_model_card_section(result, as_dict):
    section = unmarked(
        result.to_dict() if as_dict else result, name1="large", name2="small", dataset="dev"
    )
    p = f"{result.pvalue:.3g}"
    assert section.splitlines()[4] == (
        f"On dev, the test statistic of large against small is {result.statistic:.3f}, which is "
        "not significant. The exact one-sided (greater) paired-permutation test gives "
        f"p = {p} (n = 40, α = 0.05)."
    )
    assert f"| statistic | {result.statistic:.3f} |\n| p | {p} |" in section
    assert "mean score" not in section
    assert "None" not in section
    assert section.endswith(
        "swap them, p is the share whose statistic is at least as large. Ties count."
    )


def test_model_card_section_of_samples():
    stay, swap = np.random.default_rng(8).integers(0, 4, (2, 30, 3))
    sampled = structured_permutation_test(
        stay, swap, lambda sums: sums.max(axis=-1), method="monte_carlo", n_resamples=999, rng=0
    )
    section = unmarked(sampled)
    assert (
        " Monte Carlo one-sided (greater) paired-permutation test with 999 samples gives" in section
    )
    assert "| 99% interval of p | " in section
    assert section.endswith("it is (k + 1) / (samples + 1), where k of them are as extreme.")
