"""Any function of the column sums as a score: brute force, small p-values."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from corpora.ratio_rows import sentences
from corpora.sum_scores import (
    SCORES,
    exact_macro,
    exact_polynomial,
    polynomial,
    precision,
    ratio_as_function,
    small_rows,
)
from oracles import ratios as ratio_oracle
from oracles import swaps as oracle
from oracles.sums import brute_force, differences_of_all_swaps
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, PairedCounts, paired_permutation_test
from properties import cases, generators, one_in


@one_in(5)
@pytest.mark.parametrize("name", SCORES)
@cases(0.5)
@given(rng=generators)
def test_all_swaps_of_small_corpora(name, rng):
    exact, score = SCORES[name]
    rows1, rows2 = small_rows(rng)
    alternative = str(rng.choice(ALTERNATIVES))
    truth = brute_force(rows1, rows2, exact, alternative)
    result = paired_permutation_test(rows1, rows2, score=score, alternative=alternative)
    assert result.method == "exact"
    assert oracle.is_certified(result, truth), (rows1, rows2, alternative, result)
    assert oracle.relative_error(result, truth) <= 1e-12
    assert result.score1 == pytest.approx(float(exact(rows1.sum(axis=0).tolist())), rel=1e-14)
    assert result.score2 == pytest.approx(float(exact(rows2.sum(axis=0).tolist())), rel=1e-14)
    assert result.statistic == result.score1 - result.score2
    assert (result.n, result.n_differing) == (len(rows1), (rows1 != rows2).any(axis=1).sum())


def test_the_cases_are_of_all_kinds():
    """The random cases have many p-values and sizes, so that brute force shows much."""
    pvalues, sizes = set(), set()
    rng = np.random.default_rng(0)
    for _ in range(100):
        rows = small_rows(rng)
        pvalues.add(brute_force(*rows, exact_macro, "two-sided"))
        sizes.add(rows.shape[1:])
    assert (min(pvalues), max(pvalues)) == (Fraction(1, 32), 1)
    assert len(pvalues) > 20
    assert len(sizes) > 20


@given(rng=generators)
def test_decimals(rng):
    """The function gets the sums as they came, 0.3 and not 3."""
    rows = small_rows(rng)
    for unit in (10, 1000):

        def exact(row, unit=unit):
            return exact_polynomial([Fraction(x, unit) for x in row])

        alternative = str(rng.choice(ALTERNATIVES))
        truth = brute_force(*rows, exact, alternative)
        result = paired_permutation_test(*(rows / unit), score=polynomial, alternative=alternative)
        assert oracle.is_certified(result, truth)
        expected = float(exact(rows[0].sum(axis=0).tolist()))
        assert result.score1 == pytest.approx(expected, rel=1e-13, abs=1e-13)


@pytest.mark.thorough
@cases(0.5)
@given(rng=generators)
def test_a_single_column(rng):
    """Counts of shape (n,) reach the function without an axis of their own."""
    rows1, rows2 = rng.integers(0, 6, (2, 7, 1))
    for alternative in ALTERNATIVES:
        truth = brute_force(rows1, rows2, lambda row: Fraction(row[0] ** 2), alternative)
        result = paired_permutation_test(
            rows1[:, 0], rows2[:, 0], score=np.square, alternative=alternative
        )
        assert oracle.is_certified(result, truth)
        with_axis = paired_permutation_test(
            rows1, rows2, score=lambda sums: sums[..., 0] ** 2, alternative=alternative
        )
        assert with_axis == result


@pytest.mark.parametrize("name", SCORES)
def test_paired_counts(name):
    _, score = SCORES[name]
    rng = np.random.default_rng(1)
    rows1, rows2 = rng.integers(0, 4, (2, 6, 3))
    multiplicities = rng.integers(0, 7, 6)
    counts = PairedCounts(rows1, rows2, multiplicities)
    expanded = (np.repeat(rows, multiplicities, axis=0) for rows in (rows1, rows2))
    result = paired_permutation_test(counts, score=score)
    assert result.n == multiplicities.sum()
    assert result == paired_permutation_test(*expanded, score=score)
    counts = PairedCounts(rows1 / 10, rows2 / 10, multiplicities)
    tenths = (np.repeat(rows, multiplicities, axis=0) / 10 for rows in (rows1, rows2))
    assert paired_permutation_test(counts, score=score) == paired_permutation_test(
        *tenths, score=score
    )


# Small p-values


@pytest.mark.parametrize("n_lost", [0, 2, 5])
@pytest.mark.parametrize("score", [np.sqrt, np.log1p, lambda sums: sums**3])
def test_small_pvalues_of_a_score_that_grows(score, n_lost):
    """D grows with the sum of system 1, so that p is that of the mean."""
    differences = np.random.default_rng(8).integers(1, 4, 160)
    differences[:n_lost] *= -1
    base = np.full(160, 3)
    for alternative in ("two-sided", "greater"):
        truth = oracle.pvalue(differences, alternative)
        assert truth < Fraction(1, 10**30)
        result = paired_permutation_test(
            base + differences, base, score=score, alternative=alternative
        )
        assert oracle.is_certified(result, truth)
        assert oracle.relative_error(result, truth) <= 1e-11
        low, high = result.pvalue_interval
        assert high - low <= 1e-10 * result.pvalue


def test_small_pvalues_of_two_columns():
    rng = np.random.default_rng(9)
    n = 150
    rows = np.stack((np.full(n, 2), np.full(n, 2), np.zeros(n), rng.integers(1, 3, n)), axis=1)
    rows[:4, 2] = 2
    rows = rows.astype(int)
    truth = ratio_oracle.pvalue(rows.tolist())
    assert truth < Fraction(1, 10**30)
    result = paired_permutation_test(rows[:, :2], rows[:, 2:], score=ratio_as_function)
    assert oracle.is_certified(result, truth)
    assert oracle.relative_error(result, truth) <= 1e-11


def test_independent_columns():
    """Each example moves one of three columns, so the laws are binomial."""
    rows1 = np.repeat(np.eye(3, dtype=int), 40, axis=0)
    rows2 = np.zeros_like(rows1)
    result = paired_permutation_test(rows1, rows2, score=lambda sums: sums.min(axis=-1))
    # min(C) - min(T - C) = 40 only if all stay, or all are swapped
    assert result.pvalue == pytest.approx(2.0**-119, rel=1e-13)
    rows1[0], rows2[0] = rows2[0], rows1[0].copy()
    result = paired_permutation_test(
        rows1, rows2, score=lambda sums: sums.sum(axis=-1), alternative="greater"
    )
    assert result.pvalue == pytest.approx(121 * 2.0**-120, rel=1e-13)


# Errors


def test_the_same_bits_every_time():
    rows = sentences(np.random.default_rng(12), 300)
    columns = rows[:, :2], rows[:, 2:]
    found = {paired_permutation_test(*columns, score=ratio_as_function).pvalue for _ in range(3)}
    assert len(found) == 1


@pytest.mark.parametrize("name", SCORES)
def test_null_distribution(name):
    exact, score = SCORES[name]
    rng = np.random.default_rng(6)
    for n in (1, 4, 8):
        rows1, rows2 = rng.integers(0, 4, (2, n, 3))
        _, found = differences_of_all_swaps(rows1, rows2, exact)
        masses = {}
        for d, ways in found:
            masses[d] = masses.get(d, 0) + Fraction(int(ways), 2**n)
        null = paired_permutation_test(rows1, rows2, score=score).null_distribution()
        assert null.support == pytest.approx([float(d) for d in sorted(masses)], abs=1e-12)
        assert null.pmf == pytest.approx([float(masses[d]) for d in sorted(masses)], abs=1e-15)


def test_null_distribution_gives_the_pvalue():
    rows = sentences(np.random.default_rng(7), 120, 0.05)
    result = paired_permutation_test(
        rows[:, :2], rows[:, 2:], score=ratio_as_function, alternative="greater"
    )
    null = result.null_distribution()
    assert null.support == pytest.approx(-null.support[::-1], abs=1e-12)
    at_least = null.pmf[null.support >= result.statistic - 1e-12].sum()
    assert at_least == pytest.approx(result.pvalue, abs=1e-13)


def test_null_distribution_without_a_difference():
    null = paired_permutation_test([[1, 2]], [[1, 2]], score=precision).null_distribution()
    assert (null.support.tolist(), null.pmf.tolist()) == ([0.0], [1.0])


# Pickles


@pytest.mark.parametrize("method", ["exact", "monte_carlo"])
def test_results_pickle(method):
    rows1, rows2 = np.random.default_rng(10).integers(0, 4, (2, 10, 2))
    result = paired_permutation_test(rows1, rows2, score=precision, method=method, rng=0)
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    null = copied.null_distribution()
    assert np.array_equal(null.support, result.null_distribution().support)
    assert np.array_equal(null.pmf, result.null_distribution().pmf)


def test_results_of_a_lambda_pickle_without_the_null_distribution():
    rows1, rows2 = np.random.default_rng(10).integers(0, 4, (2, 10, 2))
    result = paired_permutation_test(rows1, rows2, score=lambda sums: precision(sums))
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    effect = dict.fromkeys(["n_wins", "n_losses", "n_ties", "standard_error"])
    assert copied.to_dict() == result.to_dict() | effect
    with pytest.raises(
        InputError, match=r"without its score function, .*\. Define the function at"
    ):
        copied.null_distribution()
    again = pickle.loads(pickle.dumps(copied))
    with pytest.raises(InputError, match="without its score function"):
        again.null_distribution()
    assert result.null_distribution().pmf.sum() == pytest.approx(1.0)  # the original has it


def of_table(*values):
    """The score of a single column whose sum is 0, 1, …"""
    return lambda sums: np.array(values)[sums.astype(int)]


@pytest.mark.parametrize(
    ("lower", "gap", "p"),
    [
        (0.0, 0.0, 1.0),
        (0.0, 0.9e-12, 1.0),
        (0.0, 1.1e-12, 0.5),
        # of the largest of the four scores, 1001, and not of their difference
        (1000.0, 0.9e-9, 1.0),
        (1000.0, 1.1e-9, 0.5),
    ],
)
def test_what_ties(lower, gap, p):
    """Sums 3 against 0, as observed, or 2 against 1, whose scores differ by as much, or less."""
    score = of_table(lower, lower, lower + 1.0 - gap, lower + 1.0)
    assert paired_permutation_test([1, 2], [0, 0], score=score).pvalue == p
    result = paired_permutation_test([1, 2], [0, 0], score=score, alternative="greater")
    assert result.pvalue == p / 2


@pytest.mark.parametrize(("gap", "p"), [(0.9e-9, 1.0), (1.1e-9, 0.5)])
@pytest.mark.parametrize("is_observed", [True, False])
def test_the_largest_score_may_be_of_either_swap(is_observed, gap, p):
    """1001 against 1000 is observed, and 1 - gap against 0 the other pair; or larger by gap."""
    if is_observed:
        score = of_table(1000.0, 0.0, 1.0 - gap, 1001.0)
    else:
        score = of_table(0.0, 1000.0, 1001.0 - gap, 1.0)
    assert paired_permutation_test([1, 2], [0, 0], score=score).pvalue == p


def test_a_difference_above_the_observed_one_is_no_tie():
    """Observed 2 against 1; 3 against 0 is above by more than the rounding."""
    score = of_table(0.0, 0.0, 1.0 - 1.1e-12, 1.0)
    assert paired_permutation_test([0, 2], [1, 0], score=score).pvalue == 1.0
    for gap, p in ((0.9e-12, 1.0), (1.1e-12, 0.75)):  # one of four is above
        score = of_table(0.0, 0.0, 1.0 - gap, 1.0)
        result = paired_permutation_test([0, 2], [1, 0], score=score, alternative="less")
        assert result.pvalue == p


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scores_that_are_the_same(alternative):
    """Up to the rounding: 0.1 + 0.2 against 0.3."""
    score = of_table(0.5, 0.3, 0.1 + 0.2, 0.9)
    result = paired_permutation_test([0, 2], [1, 0], score=score, alternative=alternative)
    # D is 0.4, 0, 0 and -0.4
    assert result.pvalue == {"two-sided": 1.0, "greater": 0.75, "less": 0.75}[alternative]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_systems(alternative):
    rows = [[1, 2], [0, 3]]
    result = paired_permutation_test(rows, rows, score=precision, alternative=alternative)
    assert (result.pvalue, result.statistic, result.n_differing) == (1.0, 0.0, 0)
    assert result.pvalue_interval == (1.0, 1.0)
    constant = paired_permutation_test(
        rows, rows[::-1], score=lambda sums: np.ones(sums.shape[:-1]), alternative=alternative
    )
    assert (constant.pvalue, constant.n_differing) == (1.0, 2)
