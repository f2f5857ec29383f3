"""The paired-permutation test on counts: oracle, other exact tests, laws."""

from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oracles import swaps as oracle
from oracles.vectors import ALTERNATIVES, EXTREME
from pairedperm import BudgetError, InputError, paired_permutation_test
from properties import cases, generators, one_in


def run(differences, alternative="two-sided", method="auto"):
    """The test on a pair of columns with these differences."""
    differences = np.asarray(differences, dtype=np.int64)
    base = np.arange(differences.size) % 7
    return paired_permutation_test(base + differences, base, alternative=alternative, method=method)


@lru_cache(maxsize=4)  # of several signs and alternatives, one after the other
def signed_sum_counts(*magnitudes):
    return oracle.signed_sum_counts(magnitudes)


def pvalue(differences, alternative):
    """As the oracle's, by the sums of all signs."""
    differences = [int(d) for d in differences]
    counts, observed = signed_sum_counts(*sorted(map(abs, differences))), sum(differences)
    is_extreme = EXTREME[alternative]
    n_extreme = sum(c for s, c in counts.items() if is_extreme(s, observed))
    return Fraction(n_extreme, 2 ** len(differences))


def check(differences, alternative="two-sided"):
    truth = pvalue(differences, alternative)
    result = run(differences, alternative)
    assert oracle.is_certified(result, truth), (differences, alternative, result)
    tolerance = 1e-12 if truth >= Fraction(1, 10**100) else 1e-11
    assert oracle.relative_error(result, truth) <= tolerance
    assert oracle.is_narrow(result, truth, 1e-10)
    return result


# Against the oracle


@cases(5)
@given(rng=generators)
def test_random_corpora(rng):
    n = int(rng.choice([1, 2, 3, 5, 10, 30, 100, 300]))
    largest = int(rng.choice([1, 2, 5, 20, 60]))
    differences = rng.integers(-largest, largest + 1, n)
    if rng.random() < 0.5:  # one system is better: small p-values
        differences = np.where(rng.random(n) < rng.random(), abs(differences), differences)
    check(differences, str(rng.choice(ALTERNATIVES)))


@one_in(3)
@pytest.mark.parametrize("share", [0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 0.97, 1.0])
@pytest.mark.parametrize("largest", [1, pytest.param(3, marks=pytest.mark.thorough), 12])
def test_from_one_half_to_far_below_underflow(share, largest):
    rng = np.random.default_rng(0)
    magnitudes = rng.integers(1, largest + 1, 1500)
    differences = np.where(rng.random(1500) < share, magnitudes, -magnitudes)
    for alternative in ALTERNATIVES:
        check(differences, alternative)


def test_log_pvalue_is_finite_below_underflow():
    result = check(np.ones(5000, dtype=int))
    assert result.pvalue == 0.0
    low, high = result.pvalue_interval
    assert low == 0.0 < high < 1e-320
    assert result.log_pvalue == pytest.approx(-4999 * np.log(2.0), rel=1e-14)


@cases(5)
@given(st.lists(st.integers(-40, 40), min_size=1, max_size=40), st.sampled_from(ALTERNATIVES))
def test_any_small_corpus(differences, alternative):
    check(differences, alternative)


# Nasty cases


@pytest.mark.parametrize("sum_of_ones", [-1000, -998, -20, 0, 2, 20, 300, 998, 1000])
def test_one_huge_difference_among_a_thousand_ones(sum_of_ones):
    huge = 10**6
    ones = np.repeat([1, -1], [(1000 + sum_of_ones) // 2, (1000 - sum_of_ones) // 2])
    truth = oracle.pvalue_with_one_huge(huge, 1000, huge + sum_of_ones)
    result = run(np.concatenate(([huge], ones)))
    assert oracle.is_certified(result, truth)
    assert oracle.relative_error(result, truth) <= 1e-11


@one_in(5)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 9, 14])
@cases(0.3)
@given(rng=generators)
def test_few_large_differences_near_the_maximum(n, rng):
    differences = np.sort(rng.integers(1, 10**4 + 1, n))
    for n_lost in range(min(n, 3)):
        signed = differences.copy()
        signed[:n_lost] *= -1
        check(signed)
        check(-signed, "less")


@cases(0.5)
@given(rng=generators)
def test_common_divisor(rng):
    differences = rng.integers(-9, 14, 200)
    assert run(2 * differences) == _rescaled(run(differences), 2)
    assert run(10**15 * differences) == _rescaled(run(differences), 10**15)


def _rescaled(result, factor):
    """The result with scores of differences that are `factor` times as large."""
    import dataclasses

    difference = round(result.statistic * result.n) * factor  # int: divided without rounding twice
    score1 = (int((np.arange(result.n) % 7).sum()) + difference) / result.n
    return dataclasses.replace(result, statistic=difference / result.n, score1=score1)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_systems(alternative):
    for column in ([3], [0, 1, 1], list(range(100))):
        result = paired_permutation_test(column, column, alternative=alternative)
        assert (result.pvalue, result.log_pvalue, result.n_differing) == (1.0, 0.0, 0)
        assert result.pvalue_interval == (1.0, 1.0)
        assert result.log_pvalue_interval == (0.0, 0.0)


def test_one_example():
    result = paired_permutation_test([1], [0])
    assert (result.pvalue, result.n, result.n_differing) == (1.0, 1, 1)
    assert paired_permutation_test([1], [0], alternative="greater").pvalue == 0.5
    assert paired_permutation_test([1], [0], alternative="less").pvalue == 1.0


def test_differences_that_cancel():
    assert run([5, -5, 3, -3]).pvalue == 1.0
    assert run([1, -1] * 400).pvalue == 1.0


# Hand derivations and the answers that others get wrong


@pytest.mark.parametrize(
    ("differences", "alternative", "p"),
    [
        # 2 of 2^5 sign vectors reach 5
        ([1] * 5, "two-sided", Fraction(2, 2**5)),
        # mcnemar (2, 10): 2 Σ_{k ≤ 2} C(12, k) / 2^12
        ([1] * 10 + [-1] * 2, "two-sided", Fraction(2 * (1 + 12 + 66), 2**12)),
        # mcnemar's documentation example: one win each
        ([1, -1], "two-sided", Fraction(1)),
        # (-6, -3, 9): sums ≥ 0 are 18, 12, 6, 0, and 0 again: 5 of 8
        ([-6, -3, 9], "greater", Fraction(5, 8)),
        # 88 wins to 0: 2 of 2^88
        ([1] * 88 + [0] * 12, "two-sided", Fraction(2, 2**88)),
        # 200 wins to 0
        ([1] * 200 + [0] * 800, "two-sided", Fraction(2, 2**200)),
    ],
)
def test_known_pvalues(differences, alternative, p):
    result = run(differences, alternative)
    assert result.pvalue == float(p)
    assert oracle.is_certified(result, p)


# Other exact tests


@pytest.mark.parametrize("wins", [0, 1, 40, 180, 199, 350, 400])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_single_labels_are_a_binomial_test(wins, alternative):
    result = run([1] * wins + [-1] * (400 - wins), alternative)
    expected = stats.binomtest(wins, 400, alternative=alternative).pvalue
    assert result.pvalue == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@cases(0.2)
@given(rng=generators)
def test_scipy_permutation_test(alternative, rng):
    counts1, counts2 = rng.integers(0, 9, (2, 12))
    result = paired_permutation_test(counts1, counts2, alternative=alternative)
    expected = stats.permutation_test(
        (counts1, counts2),
        lambda x, y, axis: x.sum(axis=axis) - y.sum(axis=axis),  # integers: no ties by rounding
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative=alternative,
    ).pvalue
    assert result.pvalue == pytest.approx(expected, rel=1e-14)


def test_wilcoxon_signed_rank_is_the_same_sum():
    rng = np.random.default_rng(3)
    ranks = np.arange(1, 41) * rng.choice([1, 1, -1], 40)
    expected = stats.wilcoxon(ranks, method="exact").pvalue
    assert run(ranks).pvalue == pytest.approx(expected, rel=1e-13)


# Laws


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=60))
def test_laws(pairs):
    counts1, counts2 = map(list, zip(*pairs, strict=True))
    result = paired_permutation_test(counts1, counts2)
    swapped = paired_permutation_test(counts2, counts1)
    assert (swapped.pvalue, swapped.statistic) == (result.pvalue, -result.statistic)
    reordered = paired_permutation_test(counts1[::-1], counts2[::-1])
    assert reordered == result
    with_ties = paired_permutation_test([*counts1, 5, 0], [*counts2, 5, 0])
    assert with_ties.log_pvalue_interval == result.log_pvalue_interval
    greater = paired_permutation_test(counts1, counts2, alternative="greater")
    less = paired_permutation_test(counts2, counts1, alternative="less")
    assert greater.pvalue == less.pvalue
    if sum(counts1) != sum(counts2):
        assert result.pvalue == pytest.approx(
            2
            * min(
                greater.pvalue, paired_permutation_test(counts1, counts2, alternative="less").pvalue
            ),
            rel=1e-12,
        )


def test_same_bits_every_time():
    rng = np.random.default_rng(1)
    counts1, counts2 = rng.integers(0, 40, (2, 20_000))
    first = paired_permutation_test(counts1, counts2)
    assert all(paired_permutation_test(counts1, counts2) == first for _ in range(5))


# Errors


def test_lattice_too_fine():
    rng = np.random.default_rng(0)
    differences = rng.integers(-(2**50), 2**50, 200)
    result = run(differences)  # "auto" brackets p
    assert (result.method, result.n_resamples, result.interval) == ("bracket", None, "certified")
    low, high = result.pvalue_interval
    assert high == result.pvalue
    assert low > 0.998 * high


def test_budget_can_be_set():
    rng = np.random.default_rng(0)
    differences = rng.integers(-3000, 3001, 2000)
    base = np.zeros(2000, dtype=int)
    expected = paired_permutation_test(differences, base)
    result = paired_permutation_test(
        differences, base, budget={"max_points": 1e6, "max_bytes": 10**7}
    )
    assert result == expected


def test_few_examples_are_enumerated_if_they_fit():
    differences = np.random.default_rng(0).integers(-(2**56), 2**56, 30)
    assert run(differences).pvalue_interval[0] == run(differences).pvalue  # counted


def test_input_error_is_a_value_error():
    assert issubclass(InputError, ValueError)
    assert issubclass(BudgetError, RuntimeError)
