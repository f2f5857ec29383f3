"""Any function of the column sums as a score: brute force, small p-values."""

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
    ratio_as_function,
    small_rows,
)
from oracles import ratios as ratio_oracle
from oracles import swaps as oracle
from oracles.sums import brute_force
from oracles.vectors import ALTERNATIVES
from pairedperm import PairedCounts, paired_permutation_test
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
