"""Any statistic of additive parts: brute force, the paper's equation (16), what a result says."""

import json
from fractions import Fraction

import numpy as np
import oracle
import pytest
from test_ratio import RATIO, sentences
from test_sum_score import SCORES, small_rows

from pairedperm import (
    BudgetError,
    InputError,
    paired_permutation_test,
    plan,
    structured_permutation_test,
)
from pairedperm.model_card import significance_section


def all_sums(stay, swap):
    """Of all 2^n ways of swapping, shape (2^n, m)."""
    n = len(stay)
    stays = np.arange(2**n)[:, None] >> np.arange(n) & 1
    return stays @ np.asarray(stay) + (1 - stays) @ np.asarray(swap)


def brute_force(stay, swap, exact):
    """The share of all 2^n ways of swapping in which the statistic is as large as observed."""
    sums, how_often = np.unique(all_sums(stay, swap), axis=0, return_counts=True)
    observed = exact(np.sum(stay, axis=0).tolist())
    n_extreme = sum(
        int(ways)
        for row, ways in zip(sums.tolist(), how_often, strict=True)
        if exact(row) >= observed
    )
    return Fraction(n_extreme, 2 ** len(stay))


# Statistics that a sum may be negative in, twice: of a row without rounding, and in floats


def exact_f1_difference(row):
    """Equation (16) of the first four columns, 0 where a denominator is."""
    tp1, in1, tp2, in2 = (*row, 0, 0, 0)[:4]
    f1 = [Fraction(2 * tp, 2 * tp + x) if 2 * tp + x else 0 for tp, x in ((tp1, in1), (tp2, in2))]
    return Fraction(f1[0] - f1[1])


def f1_difference(sums):
    """Equation (16): h(x) = x1 / (x1 + x2 / 2) - x3 / (x3 + x4 / 2)."""
    columns = [sums[..., k] if k < sums.shape[-1] else 0.0 * sums[..., 0] for k in range(4)]
    denominators = [columns[k] + columns[k + 1] / 2 for k in (0, 2)]
    f1 = [
        np.where(y == 0, 0.0, x / np.where(y == 0, 1.0, y))
        for x, y in zip(columns[::2], denominators, strict=True)
    ]
    return f1[0] - f1[1]


STATISTICS = {
    **SCORES,
    "equation 16": (exact_f1_difference, f1_difference),
    "absolute": (lambda row: abs(exact_f1_difference(row)), lambda s: abs(f1_difference(s))),
    "spread": (
        lambda row: Fraction(sum(x**2 for x in row) * len(row) - sum(row) ** 2, len(row) ** 2),
        lambda sums: sums.var(axis=-1),
    ),
}


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("seed", range(3))
def test_all_swaps_of_small_corpora(name, seed):
    exact, statistic = STATISTICS[name]
    rng = np.random.default_rng([seed, len(name), 1])
    for _ in range(80):
        stay, swap = small_rows(rng)
        truth = brute_force(stay, swap, exact)
        result = structured_permutation_test(stay, swap, statistic)
        assert oracle.is_certified(result, truth), (stay, swap, result)
        assert oracle.relative_error(result, truth) <= 1e-12
        expected = float(exact(stay.sum(axis=0).tolist()))
        assert result.statistic == pytest.approx(expected, rel=1e-14, abs=1e-14)
        assert (result.n, result.n_differing) == (len(stay), (stay != swap).any(axis=1).sum())


def test_sums_may_be_negative_and_decimal():
    rng = np.random.default_rng(0)
    for _ in range(40):
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


def columns_of_equation_16(rows):
    """(tp1, in1, tp2, in2) of rows (2 tp, predicted + gold) of both systems."""
    columns = np.stack(
        (rows[:, 0] // 2, rows[:, 1] - rows[:, 0], rows[:, 2] // 2, rows[:, 3] - rows[:, 2]),
        axis=1,
    )
    return columns, columns[:, [2, 3, 0, 1]]


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
    """What `paired_permutation_test` does of one score, of both systems' columns side by side."""
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
    """Of 2^5 sums one is 5, and one is -5."""
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


# What the statistic is called with


@pytest.mark.parametrize("method", ["exact", "monte_carlo", "importance_sampling"])
@pytest.mark.parametrize("test", ["structured", "score"])
def test_called_with_attainable_sums_only(method, test):
    rng = np.random.default_rng(3)
    for _ in range(60):
        stay, swap = small_rows(rng)
        if rng.random() < 0.3:  # a lattice with holes
            stay *= rng.choice([1, 2, 3, 5], stay.shape)
        recorded = []

        def statistic(sums, recorded=recorded):
            assert sums.dtype == np.float64
            recorded.append(sums.copy())
            return sums @ np.arange(1, sums.shape[-1] + 1)

        options = {"method": method, "n_resamples": 300, "rng": 0}
        if test == "structured":
            structured_permutation_test(stay, swap, statistic, **options)
        else:
            paired_permutation_test(stay, swap, score=statistic, alternative="greater", **options)
        called = {tuple(row) for row in np.concatenate(recorded).tolist()}
        attainable = {tuple(row) for row in all_sums(stay, swap).astype(float).tolist()}
        assert called <= attainable
        if method == "exact" and (stay != swap).any():
            assert called == attainable


def test_called_with_all_sums_a_few_times_only():
    """About a third more than there are points of the grid, and some to try it."""
    stay, swap = columns_of_equation_16(sentences(np.random.default_rng(4), 150))
    n_rows = 0

    def statistic(sums):
        nonlocal n_rows
        n_rows += len(sums)
        return f1_difference(sums)

    result = structured_permutation_test(stay, swap, statistic)
    assert result.method == "exact"
    n_points = plan(stay, swap, f1_difference).n_points
    assert n_points > 500
    assert n_rows < 2.5 * n_points + 2000


# Shapes


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
    # sums of shape (n, 1) always have that axis
    with pytest.raises(InputError, match=r"of shape \(\d+, 1\) it returned shape \(\d+, 1\)"):
        structured_permutation_test(stay[:, None], swap[:, None], of_numbers)


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


# What the result says


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
    section = significance_section(
        result.to_dict() if as_dict else result, name1="large", name2="small", dataset="dev"
    )
    p = f"{result.pvalue:.3g}"
    assert section.splitlines()[2] == (
        f"On dev, the test statistic of large against small is {result.statistic:.3f} (exact "
        f"one-sided (greater) paired-permutation test, n = 40, p = {p})."
    )
    assert f"| statistic | {result.statistic:.3f} |\n| p | {p} |" in section
    assert "mean score" not in section
    assert "None" not in section
    assert section.endswith("swapping them, of a statistic at least as large; ties count.")


def test_model_card_section_of_samples():
    stay, swap = np.random.default_rng(8).integers(0, 4, (2, 30, 3))
    sampled = structured_permutation_test(
        stay, swap, lambda sums: sums.max(axis=-1), method="monte_carlo", n_resamples=999, rng=0
    )
    section = significance_section(sampled)
    assert "(Monte Carlo one-sided (greater) paired-permutation test with 999 samples, n" in section
    assert "| 99% confidence interval of p | " in section
    assert section.endswith("random ways: (k + 1) / (samples + 1) for the k as extreme.")


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

    with pytest.raises(
        BudgetError, match=r"null distribution .* on a grid of .*Or sample: method='monte_carlo'"
    ):
        structured_permutation_test(stay, swap, statistic, method="exact")
    with pytest.warns(
        UserWarning, match="p is sampled, for the exact .* null distribution"
    ) as warned:
        result = structured_permutation_test(stay, swap, statistic, rng=0)
    assert warned[0].filename == __file__
    assert result == structured_permutation_test(stay, swap, statistic, method="monte_carlo", rng=0)


def test_options():
    with pytest.raises(TypeError, match="alternative"):
        structured_permutation_test([1], [0], np.abs, alternative="greater")
    with pytest.raises(InputError, match=r"`method` must be one of 'auto', .* got 'fast'"):
        structured_permutation_test([1], [0], np.abs, method="fast")
