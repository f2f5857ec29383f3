"""Scores of sums of real rows, which lie on no lattice: listed if they are few, else sampled."""

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from corpora.real_rows import fractional, squared
from corpora.sum_scores import SCORES, deviation, macro, precision, ratio_or
from oracles.real_rows import brute_force, of_floats
from oracles.vectors import ALTERNATIVES
from pairedperm import Ratio, paired_permutation_test
from properties import cases, generators, one_in

SMOOTH = ("precision", "macro", "polynomial", "brevity", "largest")
DATA = Path(__file__).parents[2] / "examples" / "data" / "conll_coref"


def same(row):
    """1 - the share of the last of the sums, for a Ratio."""
    return ratio_or(sum(row[:-1]), sum(row), 1)


# All swaps


@one_in(2)
@cases(0.2)
@given(rng=generators)
@pytest.mark.parametrize("name", SMOOTH)
def test_functions_by_brute_force(name, rng):
    """Floats are rounded, and yet p is that of the fractions: ties are ties."""
    exact_score, score = SCORES[name]
    exact, rows = fractional(rng, int(rng.integers(1, 10)), int(rng.integers(2, 5)))
    truth = brute_force(*exact, exact_score)
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(*rows, score=score, alternative=alternative)
        assert result.fraction in (None, truth[alternative])
        assert result.pvalue == pytest.approx(float(truth[alternative]), rel=1e-11)
        assert result.interval == "certified"
        sums = [[math.fsum(column) for column in x.T.tolist()] for x in rows]
        scores = score(np.array(sums))
        assert (result.score1, result.score2) == pytest.approx(scores.tolist(), rel=1e-14)


def share(row):
    return ratio_or(row[0], row[2], 1)


@one_in(2)
@cases(0.5)
@given(rng=generators)
@pytest.mark.parametrize(
    ("unit", "weights", "score"),
    [
        (21 * 2**0.5, ([1, 0, 0], [0, 0, 1]), share),
        (2.0**60 / (2**40 - 87), ([1, 1, 0], [1, 1, 1]), same),
    ],
    ids=["rounded", "not rounded"],
)
def test_ratios_by_brute_force(unit, weights, score, rng):
    """Ties of fractions tie after rounding too; rows and sums may have a denominator 0."""
    n = int(rng.integers(1, 10))
    exact, rows = fractional(rng, n, 3, unit)
    if n < 5:
        rows[1], exact[1] = 0.0, [[Fraction(0)] * 3] * n
    truth = brute_force(*exact, score)
    sums1, sums2 = ([sum(column) for column in zip(*x, strict=True)] for x in exact)
    ratio = Ratio(*weights, zero_division=1.0)
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(*rows, score=ratio, alternative=alternative)
        assert result.pvalue == truth[alternative]
        assert result.score1 == pytest.approx(float(score(sums1)), rel=1e-14)
        assert result.score2 == pytest.approx(float(score(sums2)), rel=1e-14)


@pytest.mark.parametrize("n", [9, pytest.param(12, marks=pytest.mark.thorough)])
def test_continuous_examples(n):
    rows = np.random.default_rng(3).random((2, n, 4))
    exact = [[[Fraction(x) for x in row] for row in x.tolist()] for x in rows]
    for alternative, truth in brute_force(*exact, SCORES["macro"][0]).items():
        result = paired_permutation_test(*rows, score=macro, alternative=alternative)
        assert result.fraction == truth


def test_zero_denominators_in_floats():
    """0.1 + 0.2 - 0.3 is not 0 in floats, and 0 as a denominator, by hand."""
    ratio = Ratio([1, 0, 0], [1, 1, -1], zero_division=0.25)
    rows2 = [[3**-0.5, 0, 0], [7**-0.5, 0, 0]]
    result = paired_permutation_test([[0.1, 0.2, 0.3]] * 2, rows2, score=ratio)
    assert (result.score1, result.score2, result.method) == (0.25, 1.0, "enumeration")
    # D = ±3/4, or if one is swapped ±(0.1 √3 - 0.1 √7) = ±0.09
    assert result.fraction == Fraction(1, 2)


def test_ties_that_rounding_decides():
    """The scores are 1 - 1e-13 and 1 - 2e-13, which tie; 1 - 1e-11 and 1 - 2e-11 do not."""
    for small, p in ((1e-13, 1.0), (1e-11, 0.5)):
        rows = [[1 / 3, small / 3]], [[1 / 3, 2 * small / 3]]
        result = paired_permutation_test(*rows, score=precision, alternative="greater")
        assert (result.pvalue, result.pvalue_interval, result.fraction) == (p, (p, p), p)


def test_columns_of_any_scale():
    """Columns have units of their own, so a power of two changes no bit."""
    rows = np.random.default_rng(4).random((2, 10, 4))
    expected = paired_permutation_test(*rows, score=macro)
    for exponents in ([900, -900, 900, -900], [-1000] * 4, [0, 3, 0, 3]):
        scales = np.ldexp(1.0, np.array(exponents))
        found = paired_permutation_test(*rows * scales, score=lambda s, x=scales: macro(s / x))
        assert found.fraction == expected.fraction
        assert found.statistic == expected.statistic


def test_columns_and_float32():
    """A column without an axis of its own, and decimals of another precision."""
    scores = np.random.default_rng(5).random((2, 8))
    as_rows = paired_permutation_test(*scores[:, :, None], score=lambda s: np.sqrt(s[..., 0]))
    assert paired_permutation_test(*scores, score=np.sqrt) == as_rows
    narrow = scores.astype(np.float32)
    wide = np.array([[float(str(x)) for x in column] for column in narrow])
    found = paired_permutation_test(*narrow, score=np.sqrt)
    assert (found.method, found.fraction) == ("enumeration", as_rows.fraction)
    assert found.score1 == math.sqrt(math.fsum(wide[0]))


def test_the_same_rows():
    rows = np.random.default_rng(6).random((5, 2))
    for score in (precision, Ratio([1, 0], [1, 1])):
        result = paired_permutation_test(rows, rows, score=score)
        assert (result.pvalue, result.method, result.n_differing) == (1.0, "exact", 0)
        assert result.null_distribution().support.tolist() == [0.0]


def test_the_only_swap_is_no_better():
    """P is 1 for one example, although sums of rounded rows would differ from the observed ones."""
    arguments = [[1 / 3, 1e5 / 3]], [[2 / 3, 1 / 7]]
    result = paired_permutation_test(*arguments, score=Ratio([1, 0], [0, 1]), alternative="greater")
    assert (result.pvalue, result.pvalue_interval) == (1.0, (1.0, 1.0))


def test_ratios_of_floats_as_they_are():
    """Numbers far apart in size; each is the exact number that it is."""
    rows = np.array([[[1 / 3, 1e5 / 3], [1 / 7, 1 / 9]], [[2 / 3, 1 / 7], [1 / 3, 1 / 11]]])
    rows *= 2**0.5
    exact = [[[Fraction(x) for x in row] for row in column] for column in rows.tolist()]
    truth = brute_force(*exact, lambda sums: sums[0] / sums[1])
    assert sorted(truth.values()) == [Fraction(1, 4), Fraction(1, 2), 1]
    for alternative in ALTERNATIVES:
        options = {"score": Ratio([1, 0], [0, 1]), "alternative": alternative}
        result = paired_permutation_test(*rows, **options)
        assert (result.method, result.fraction) == ("enumeration", truth[alternative])
        assert result.pvalue == truth[alternative]


# Samples


@one_in(9)
@pytest.mark.parametrize("seed", range(20))
def test_samples_hold_the_observed_assignment(seed):
    """Two examples differ, so it is one of 4 swaps, or with its mirror image one of 2."""
    rng = np.random.default_rng([7, seed])
    values = 100 + rng.normal(0.0, 1.0, (2, 2)) / 3
    rows = squared(np.concatenate((values, np.full((2, 2), 100.1)), axis=1))
    for score in (deviation(4), Ratio([1, 0], [0, 1])):
        for alternative in ALTERNATIVES:
            options = {"score": score, "alternative": alternative, "rng": seed}
            result = paired_permutation_test(*rows, method="monte_carlo", **options)
            least = 0.5 if alternative == "two-sided" else 0.25
            assert result.pvalue >= least - 6 * math.sqrt(least / result.n_resamples)
        one = paired_permutation_test(*rows[:, 1:], method="monte_carlo", score=score, rng=seed)
        assert one.pvalue == 1.0  # all swaps are the observed one or its mirror image


@pytest.mark.parametrize("score", [precision, Ratio([1, 0], [1, 1])])
def test_samples_agree_with_the_exact_pvalue(score):
    integers = np.random.default_rng(3).integers(0, 9, (2, 40, 2)) * [[[4, 3]], [[3, 3]]]
    p = paired_permutation_test(*integers, score=score, method="exact").pvalue
    assert 0.001 < p < 0.2
    found = paired_permutation_test(
        *integers / 7, score=score, method="monte_carlo", rng=0, n_resamples=40_000
    )
    assert abs(found.pvalue - p) < 5 * math.sqrt(p / 40_000)


@one_in(2)
@pytest.mark.parametrize("n", [3000, 100_000])
def test_ties_of_thousands(n):
    """About one sample in a hundred ties; rounding must separate none of the ties."""
    integers = np.random.default_rng(8).integers(0, 3, (2, n, 2))
    integers[1, :, 1] = integers[0, :, 1]
    options = {"score": precision, "method": "monte_carlo", "rng": 0, "n_resamples": 40_000}
    found = []
    for rows in (integers, integers / 3):
        greater, less = (
            paired_permutation_test(*rows, alternative=alternative, **options).pvalue
            for alternative in ("greater", "less")
        )
        found.append(greater)
        n_ties = round((greater + less) * 40_001) - 2 - 40_000  # the same samples on both sides
        assert abs(n_ties - n_tied(integers[0, :, 0] - integers[1, :, 0])) < 100
    assert abs(found[0] - found[1]) < 0.02


def n_tied(differences):
    """Estimate by a normal law how many of 40,000 random swaps give the observed sum."""
    variance, observed = (differences**2).sum(), differences.sum()
    mass = 2 * math.exp(-(observed**2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)
    return 40_000 * mass


# The CoNLL reference scorer's documents

NUMBERS = re.compile(
    r"^File (.*?):.*?^Recall: \((\S+) / (\S+)\) \S+\s+Precision: \((\S+) / (\S+)\)", re.S | re.M
)


def documents(metric, system):
    text = (DATA / f"{metric}.system{system}.txt").read_text("utf-8")
    return {name: [float(x) for x in rest] for name, *rest in NUMBERS.findall(text)}


@pytest.mark.parametrize("metric", [pytest.param("bcub", marks=pytest.mark.thorough), "ceafe"])
def test_documents(metric):
    """F1 of real rows, by brute force over all swaps in floats."""
    from pairedperm.scoring.aggregators import f_1

    first, second = (documents(metric, system) for system in (1, 2))
    assert first.keys() == second.keys()
    rows1, rows2 = (np.array([x[name] for name in sorted(first)]) for x in (first, second))
    result = paired_permutation_test(rows1, rows2, score=f_1)
    n_differing = (rows1 != rows2).any(axis=1).sum()
    assert (result.n, result.n_differing) == (len(rows1), n_differing)
    assert result.method == "enumeration"
    assert result.pvalue == of_floats(rows1, rows2, f1)
    observed = f1(rows1.sum(axis=0)) - f1(rows2.sum(axis=0))
    assert result.statistic == pytest.approx(observed, rel=1e-13)


def f1(sums):
    recall, precision = sums[..., 0] / sums[..., 1], sums[..., 2] / sums[..., 3]
    return 2 * recall * precision / (recall + precision)
