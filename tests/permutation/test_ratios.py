"""Ratios of sums: brute force, big integers, laws."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.ratio_rows import RATIO, run, sentences, small_corpus
from oracles import ratios as ratio_oracle
from oracles import swaps as oracle
from oracles.vectors import ALTERNATIVES
from pairedperm import (
    PairedCounts,
    Ratio,
    paired_permutation_test,
)
from pairedperm.convolution.plane import tail as plane
from properties import cases, generators, one_in


def check(rows, truth, alternative="two-sided", zero_division=0.0):
    result = run(rows, alternative, zero_division)
    assert oracle.is_certified(result, truth), (rows, alternative, zero_division, result)
    assert oracle.relative_error(result, truth) <= 1e-11, (rows, alternative, zero_division)
    assert oracle.is_narrow(result, truth, 1e-9)
    return result


@cases(5)
@given(rng=generators)
def test_all_swaps_of_small_corpora(rng):
    rows, zero_division = small_corpus(rng), float(rng.choice([0.0, 0.3, 0.5, 1.0]))
    alternative = str(rng.choice(ALTERNATIVES))
    exact_zero = Fraction(str(zero_division))
    truth = ratio_oracle.brute_force(rows, alternative, exact_zero)
    assert ratio_oracle.pvalue(rows, alternative, exact_zero) == truth
    check(rows, truth, alternative, zero_division)


@cases(2)
@given(
    st.lists(st.tuples(*[st.integers(0, 6)] * 4), min_size=1, max_size=25),
    st.sampled_from(ALTERNATIVES),
)
def test_any_corpus(rows, alternative):
    check(rows, ratio_oracle.pvalue(rows, alternative), alternative)


@cases(2)
@given(rng=generators)
def test_corpora_of_sentences(rng):
    n = int(rng.choice([2, 5, 12, 30, 80, 200]))
    rows = sentences(rng, n, rng.choice([0.0, 0.1, 0.2]), rng.choice([0.1, 0.4]))
    alternative = str(rng.choice(ALTERNATIVES))
    check(rows, ratio_oracle.pvalue(rows.tolist(), alternative), alternative)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("n", "quality", "disagreement"),
    [(1500, 0.83, 0.15), (1500, 0.95, 0.12), (600, 1.0, 0.5), (300, 0.3, 1.0), (300, 0.8, 0.7)],
)
def test_large_corpora(n, quality, disagreement):
    rng = np.random.default_rng(n)
    rows = sentences(rng, n, quality - 0.8, disagreement)
    check(rows, ratio_oracle.pvalue(rows.tolist()))


@one_in(2)
@pytest.mark.parametrize("n", [60, 420, 250])
def test_far_tails(n):
    """System 1 finds everything, system 2 almost nothing: p down to 1e-120."""
    rng = np.random.default_rng(n)
    rows = np.stack((np.full(n, 2), np.full(n, 2), np.zeros(n), rng.integers(1, 3, n)), axis=1)
    rows[rng.random(n) < 0.03, 2] = 2
    result = check(rows.astype(int), ratio_oracle.pvalue(rows.astype(int).tolist()))
    assert result.pvalue < 10.0 ** -(n / 4)


@pytest.mark.parametrize("method", ["auto", "exact", "enumeration", "monte_carlo"])
def test_rows_far_apart_in_size(method):
    """P of four swaps, by hand; their law has too many points for any grid."""
    rows = [[2.0, 1e6], [7.0, 1e-3]], [[1e10, 1e10], [1e10, 1e6]]
    for alternative, p in (("two-sided", 1.0), ("greater", 0.75), ("less", 0.5)):
        options = {"score": Ratio([1, 0], [0, 1]), "alternative": alternative, "rng": 0}
        result = paired_permutation_test(*rows, method=method, **options)
        assert result.pvalue_interval[0] <= p <= result.pvalue_interval[1]


def test_where_all_of_a_denominator_may_vanish():
    """Disjoint predictions: the region is far from convex."""
    rng = np.random.default_rng(0)
    for n in (20, 50, 120):
        is_first = rng.random(n) < 0.6
        size = rng.integers(1, 3, n)
        right = rng.binomial(size, np.where(is_first, 0.9, 0.2))
        rows = np.zeros((n, 4), dtype=int)
        rows[is_first, 0], rows[is_first, 1] = right[is_first], size[is_first]
        rows[~is_first, 2], rows[~is_first, 3] = right[~is_first], size[~is_first]
        for alternative in ALTERNATIVES:
            check(rows, ratio_oracle.pvalue(rows.tolist(), alternative), alternative)


@given(rng=generators, size=st.integers(10, 55))
def test_counts_whose_cubes_are_beyond_int64(rng, size):
    """The lattice's basis has entries of the size of products of two counts."""
    rows = rng.integers(0, 2**size, (int(rng.integers(2, 6)), 4)).tolist()
    alternative = str(rng.choice(ALTERNATIVES))
    check(rows, ratio_oracle.brute_force(rows, alternative), alternative)


@pytest.mark.parametrize("size", [10**9, 10**11, 10**12, 10**14])
@cases(0.5)
@given(rng=generators)
def test_numerators_far_above_denominators(size, rng):
    """Nanoseconds a token: what decides a tie cancels to the last digit."""
    n = int(rng.integers(1, 7))
    rows = rng.integers(0, 4, (n, 4))
    rows[:, [0, 2]] += size - 2
    for alternative in ALTERNATIVES:
        truth = ratio_oracle.brute_force(rows.tolist(), alternative)
        check(rows, truth, alternative)


@pytest.mark.parametrize(
    "multiplicities", [[6 * 10**5, 3 * 10**5, 3 * 10**5], [6 * 10**6, 599 * 10**4, 3 * 10**6]]
)
def test_millions_of_few_kinds(multiplicities):
    """F1 of rows with four values; p far below 1e-300, by the exponent at a Gaussian's accuracy."""
    rows1, rows2 = [[1, 1, 1], [0, 1, 1], [1, 2, 1]], [[0, 1, 1], [1, 1, 1], [1, 1, 1]]
    counts = PairedCounts(rows1, rows2, multiplicities)
    result = paired_permutation_test(counts, score=Ratio([2, 0, 0], [0, 1, 1]), method="exact")
    low, high = result.log_pvalue_interval
    assert low <= result.log_pvalue <= high
    assert high - low <= 1e-9 * -low


@pytest.mark.parametrize(
    ("rows", "multiplicities"),
    [
        ([[3, 3], [1, 2]], [88, 264]),
        ([[3, 3], [3, 2]], [331, 41]),
        ([[2, 1], [3, 3]], [171, 387]),
    ],
)
def test_all_mass_in_one_row(rows, multiplicities):
    """System 2 is always better: 2 of 2^n swaps. Other rows hold rounding only."""
    counts = PairedCounts([[0, 0]] * 2, rows, multiplicities)
    result = paired_permutation_test(counts, score=RATIO, method="exact")
    n = sum(multiplicities)
    assert result.log_pvalue == pytest.approx((1 - n) * np.log(2.0), rel=1e-13)
    low, high = result.log_pvalue_interval
    assert low <= (1 - n) * np.log(2.0) * (1 - 1e-15)
    assert high >= (1 - n) * np.log(2.0) * (1 + 1e-15)


@pytest.mark.thorough
def test_near_the_least_pvalue():
    """A tilt that is nearly as good as none of the others is not good enough."""
    for multiplicities in ([1000, 270], [10289, 2709]):
        counts = PairedCounts([[1, 2], [0, 0]], [[0, 0], [1, 1]], multiplicities)
        score = Ratio([1, 0], [0, 1], zero_division=1.0)
        result = paired_permutation_test(counts, score=score, alternative="less", method="exact")
        assert result.log_pvalue == pytest.approx(-sum(multiplicities) * np.log(2.0), rel=1e-13)
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 11, (80, 4))
    rows[:, 2], rows[:, 0] = 0, rows[:, 1]
    check(rows, ratio_oracle.pvalue(rows.tolist()))


@pytest.mark.thorough
def test_no_tilt_is_worse_than_none(monkeypatch):
    for name in ("COUNTED", "ENUMERATED", "MANY_BITS", "MANY_SUMS"):
        monkeypatch.setattr(plane, name, 0)
    rows = [[29, 0, -650, 147], [115, 0, -550, 92], [9, 0, -70, 116]]
    for alternative in ALTERNATIVES:
        check(rows, ratio_oracle.brute_force(rows, alternative), alternative)


# Known answers


def test_hand_counted():
    """Precision 2/2 and 1/3 of two examples, (1, 1) against (0, 1) and (1, 1) against (1, 2).

    Swapping the first: 1/2 and 2/3; the second: 2/3 and 1/2; both: the mirror image. So of
    |2/3|, |1/6|, |1/6|, |2/3| two of four are as large.
    """
    rows = [(1, 1, 0, 1), (1, 1, 1, 2)]
    result = check(rows, Fraction(1, 2))
    assert (result.score1, result.score2, result.statistic) == (1.0, 1 / 3, 2 / 3)
    assert (result.n, result.n_differing, result.metric) == (2, 2, None)
    check(rows, Fraction(1, 4), "greater")
    check(rows, Fraction(1), "less")


def test_a_denominator_that_vanishes_scores_zero_division():
    """System 1 predicts nothing. z against 1/2; swapped 1/2 against z."""
    for zero_division, score1 in ((0.0, 0.0), (0.25, 0.25), (1.0, 1.0)):
        result = check([(0, 0, 1, 2)], Fraction(1), zero_division=zero_division)
        assert (result.score1, result.score2) == (score1, 0.5)
    check([(0, 0, 1, 2)], Fraction(1, 2), "less")
    check([(0, 0, 1, 2)], Fraction(1, 2), "greater", 1.0)
    check([(0, 0, 1, 2)], Fraction(1), "greater", 0.5)  # a tie


def test_no_denominator_at_all():
    for zero_division in (0.0, 1.0):
        for alternative in ALTERNATIVES:
            result = run([(0, 0, 0, 0), (1, 0, 0, 0)], alternative, zero_division)
            assert (result.pvalue, result.statistic) == (1.0, 0.0)
            assert result.score1 == result.score2 == zero_division


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_denominators_are_the_test_of_means(alternative):
    rng = np.random.default_rng(1)
    counts1, counts2 = rng.integers(0, 6, (2, 300))
    lengths = np.full(300, 5)
    expected = paired_permutation_test(counts1, counts2, alternative=alternative)
    result = paired_permutation_test(
        np.stack((counts1, lengths), axis=1),
        np.stack((counts2, lengths), axis=1),
        score=RATIO,
        alternative=alternative,
    )
    assert result.pvalue == expected.pvalue
    assert result.pvalue_interval == expected.pvalue_interval
    assert result.score1 == pytest.approx(expected.score1 / 5)


@pytest.mark.parametrize("direction", [(1, 1), (2, 1), (1, 3), (-1, 1), (0, 1), (3, 0)])
def test_differences_on_a_line(direction):
    rng = np.random.default_rng(2)
    steps = rng.integers(-3, 4, 40)
    rows = np.full((40, 4), 15)
    rows[:, :2] += steps[:, None] * np.array(direction)
    for alternative in ALTERNATIVES:
        check(rows, ratio_oracle.pvalue(rows.tolist(), alternative), alternative)


# Laws


def test_the_order_and_the_systems_do_not_matter():
    rows = sentences(np.random.default_rng(3), 400, 0.05)
    result = run(rows)
    assert run(np.random.default_rng(0).permutation(rows)) == result
    swapped = run(rows[:, [2, 3, 0, 1]])
    assert (swapped.pvalue, swapped.statistic) == (result.pvalue, -result.statistic)
    assert run(rows[:, [2, 3, 0, 1]], "less").pvalue == run(rows, "greater").pvalue


def test_one_sided_tails_overlap_in_the_observed_value():
    rows = [(1, 2, 0, 1), (2, 3, 1, 1), (0, 1, 1, 2), (1, 1, 0, 2)]
    p = {alternative: run(rows, alternative).pvalue for alternative in ALTERNATIVES}
    at = sum(
        ratio_oracle.brute_force(rows, alternative) for alternative in ("greater", "less")
    ) - Fraction(1)
    assert p["greater"] + p["less"] == pytest.approx(1.0 + float(at))
    assert p["two-sided"] == 2.0 * min(p["greater"], p["less"])


def test_weights_and_units_do_not_matter():
    rows = sentences(np.random.default_rng(4), 200)
    result = run(rows)
    columns = (
        np.stack((rows[:, 0] // 2, rows[:, 1]), axis=1),
        np.stack((rows[:, 2] // 2, rows[:, 3]), axis=1),
    )
    assert paired_permutation_test(*columns, score=Ratio([2, 0], [0, 1])) == result
    assert run(7 * rows) == result
    thousandths = rows / 1000
    assert run(thousandths) == result


def test_paired_counts():
    rows = sentences(np.random.default_rng(5), 500)
    result = run(rows)
    parts = [PairedCounts.from_rows(part[:, :2], part[:, 2:]) for part in np.split(rows, 5)]
    counts = sum(parts)
    assert repr(counts).endswith("shape=(n, 2))")
    assert paired_permutation_test(counts, score=RATIO) == result
    distinct, multiplicities = np.unique(rows, axis=0, return_counts=True)
    counted = PairedCounts(distinct[:, :2], distinct[:, 2:], multiplicities)
    assert counted == counts


def test_ties_beside_the_differences():
    rows = [(1, 2, 0, 1), (2, 3, 1, 1), (0, 1, 1, 2), (1, 1, 0, 2)]
    more = [*rows, (3, 4, 3, 4)]
    check(more, ratio_oracle.brute_force(more))
    assert run(more).n_differing == 4


def test_the_same_bits_every_time():
    rows = sentences(np.random.default_rng(6), 3000)
    assert len({run(rows).pvalue for _ in range(5)}) == 1
