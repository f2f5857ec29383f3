"""The studentised bootstrap: the ideal one of all resamples, large samples, groups, coverage."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from oracles.studentised import all_pivots, difference_and_error
from pairedperm.population import studentised
from pairedperm.population.difference import SummedRows, Term, linearised
from pairedperm.population.studentised import studentised_interval
from pairedperm.scoring.scores import SumScore
from properties import cases, generators


class Formula(SumScore):
    def __init__(self, function):
        self._function = function

    def __call__(self, sums):
        return self._function(sums)


def ratio(sums):
    return sums[:, 0] / sums[:, 1]


SUM = [Term(Formula(lambda sums: sums[:, 0]), np.s_[:], 1.0)]
RATIOS = [Term(Formula(ratio), np.s_[:2], 1.0), Term(Formula(ratio), np.s_[2:], -1.0)]


def interval(table, terms=RATIOS, level=0.95, seed=0, counts=None):
    counts = np.ones(len(table), dtype=np.int64) if counts is None else counts
    return studentised_interval([SummedRows(table, counts, terms)], level, seed)


def mean_interval(differences, **options):
    return np.array(interval(differences[:, None], SUM, **options)) / differences.size


def ratio_rows(rng, n):
    return rng.uniform(1, 4, (n, 4))


@pytest.mark.parametrize(("level", "sizes"), [(0.5, (5,)), (0.8, (4, 4)), (0.95, (3, 2, 4))])
@cases(0.2)
@given(rng=generators)
def test_all_resamples(level, sizes, rng):
    """Both ends are where those of all resamples are, give or take four standard errors.

    Each stratum of n examples has n^n resamples.
    """
    weights = [1.0] if len(sizes) == 1 else rng.uniform(0.1, 1, len(sizes)).tolist()
    tables = [ratio_rows(rng, n) for n in sizes]
    halves = [np.hsplit(table, 2) for table in tables]
    pivots = all_pivots(*((*x, weight) for x, weight in zip(halves, weights, strict=True)))
    each = np.array([difference_and_error(*x) for x in halves])
    difference, error = weights @ each[:, 0], math.hypot(*(weights * each[:, 1]))
    strata = [
        SummedRows(table, np.ones(len(table), dtype=np.int64), RATIOS, weight)
        for table, weight in zip(tables, weights, strict=True)
    ]
    low, high = studentised_interval(strata, level, int(rng.integers(2**32)))
    tail = (1.0 - level) / 2.0
    wide = 4.0 * math.sqrt(tail * (1.0 - tail) / 9999)
    for share, end, inwards in ((1.0 - tail, low, min), (tail, high, max)):
        near = np.quantile(pivots, [share + wide, share - wide], method="inverted_cdf")
        first, last = (inwards(x, difference) for x in difference - error * near)
        assert first - 1e-7 * (1.0 + abs(first)) <= end
        assert end <= last or end <= last + 1e-7 * (1.0 + abs(last))


def strata_of(rng, sizes, weights):
    ones = [np.ones(n, dtype=np.int64) for n in sizes]
    return [
        SummedRows(ratio_rows(rng, x.size), x, RATIOS, y)
        for x, y in zip(ones, weights, strict=True)
    ]


def test_strata_that_are_alike_and_those_that_vary_little():
    """Of two halves the variances add; a stratum of one row does not move the other."""
    rng = np.random.default_rng(13)
    first, second = strata_of(rng, (200, 200), (0.5, 0.5))
    whole = interval(np.concatenate((first.table, second.table)))
    both = studentised_interval([first, second], 0.95, 0)
    assert both == pytest.approx(whole, abs=0.05 * (whole[1] - whole[0]))
    repeated = np.repeat(first.table[:1], 200, axis=0)
    same = SummedRows(repeated, first.counts, first.terms, first.weight)
    alone = studentised_interval([second], 0.95, 0)
    shift = 0.5 * float(difference_and_error(*np.hsplit(same.table, 2))[0])
    with_it = studentised_interval([second, same], 0.95, 0)
    assert with_it == pytest.approx((alone[0] + shift, alone[1] + shift))


def test_the_time_of_all_strata_limits_the_resamples():
    strata = strata_of(np.random.default_rng(15), [40] * 12, [1 / 12] * 12)
    with mock.patch.object(studentised, "MOST_NANOSECONDS", 1.0):
        few = studentised_interval(strata, 0.95, 0)
        assert studentised_interval(strata, 0.9985, 0)[0] == -math.inf  # of 999 resamples
    assert few == pytest.approx(studentised_interval(strata, 0.95, 0), rel=0.2, abs=0.01)


def test_sums_that_may_be_0_are_moved_by_what_they_are_made_of():
    table = np.array([[1.0, 3.0], [-1.0, 2.0]])
    terms = [Term(Formula(lambda sums: np.exp(sums[:, 0]) * sums[:, 1]), np.s_[:], 1.0)]
    sums, sizes, slopes = linearised(table, np.array([1, 1]), terms)
    assert sums.tolist() == [[0.0, 5.0]]
    assert sizes.tolist() == [2.0, 0.0]
    assert slopes[0] == pytest.approx([5.0, 1.0], rel=1e-8)


def test_next_to_sums_without_a_score_one_side_is_enough():
    """√(1 - share) where the share is 1 in every other column: from below only; or not at all."""

    def score(sums):
        with np.errstate(invalid="ignore"):
            return np.sqrt(sums[:, 1] - sums[:, 0]) + sums[:, 2]

    table = np.array([[1.0, 1.0, 2.0], [2.0, 2.0, 0.0]])
    _, _, slopes = linearised(table, np.array([1, 1]), [Term(Formula(score), np.s_[:], 1.0)])
    assert np.isfinite(slopes).all()
    assert slopes[0, 2] == pytest.approx(1.0)
    nowhere = Formula(lambda sums: np.where(sums[:, 0] == 3.0, 1.0, np.nan))
    _, _, slopes = linearised(table, np.array([1, 1]), [Term(nowhere, np.s_[:], 1.0)])
    assert slopes[0, 0] == 0.0


@cases(0.2)
@given(rng=generators)
def test_units_and_shifts_of_a_mean(rng):
    differences = rng.lognormal(size=int(rng.integers(6, 60)))
    shifted = mean_interval(differences)
    assert mean_interval(3.0 * differences) == pytest.approx(3.0 * shifted)
    assert mean_interval(differences - 5.0) == pytest.approx(shifted - 5.0)
    assert mean_interval(1e250 * differences) == pytest.approx(1e250 * shifted)
    assert mean_interval(1e-250 * differences) == pytest.approx(1e-250 * shifted)


def test_counted_rows_are_the_same_as_rows():
    table = ratio_rows(np.random.default_rng(6), 30)
    counts = np.random.default_rng(7).integers(1, 5, 30)
    one_by_one = interval(np.repeat(table, counts, axis=0))
    bytes_ = np.random.default_rng(8).integers(1, 100, (300, 4)).astype(np.int8)
    assert interval(bytes_) == interval(bytes_.astype(float))  # as numbers of labels come
    counted, many = interval(table, counts=counts), interval(table, counts=100 * counts)
    assert counted == pytest.approx(one_by_one, abs=0.02 * (one_by_one[1] - one_by_one[0]))
    middle, width = np.mean(one_by_one), one_by_one[1] - one_by_one[0]
    assert many == pytest.approx((middle - width / 20, middle + width / 20), abs=0.02 * width)


@pytest.mark.parametrize(
    ("limits", "n", "times"),
    [
        ({"MOST_ROWS": 256}, 301, 1),  # random groups
        ({"MOST_ROWS": 200, "MOST_EXAMPLES": 5000}, 300, 10**6),  # a sample of very many examples
        ({"MOST_COLUMNS": 1}, 400, 1),  # the gradient of the data, of many columns
    ],
    ids=str,
)
def test_what_is_quicker_is_nearly_the_same(limits, n, times):
    table, counts = ratio_rows(np.random.default_rng(n), n), np.full(n, times)
    expected = interval(table, counts=counts)
    with mock.patch.multiple(studentised, **limits):
        found = interval(table, counts=counts)
    assert found != expected
    assert found == pytest.approx(expected, abs=0.08 * (expected[1] - expected[0]))


def test_infinite_ends():
    """Of levels beyond the resamples, and where resamples have no error."""
    differences = np.random.default_rng(11).normal(size=50)
    assert np.isfinite(mean_interval(differences, level=0.9997)).all()
    assert mean_interval(differences, level=0.9999).tolist() == [-math.inf, math.inf]
    few = np.zeros(100)
    few[:2] = 1.0, 2.0  # e^-2 of all resamples have none of them, and a lower difference
    low, high = mean_interval(few)
    assert -0.1 < low < 0.0
    assert high == math.inf
    assert tuple(mean_interval(-few)) == pytest.approx((-math.inf, -low))


def test_no_variance():
    """Rounding is none, as of rows that are proportional but for the last bit."""
    assert mean_interval(np.full(9, 0.1)).tolist() == [-math.inf, math.inf]
    nothing = [Term(Formula(lambda sums: np.zeros(len(sums))), np.s_[:], 1.0)]
    assert interval(np.arange(9.0)[:, None], nothing) == (-math.inf, math.inf)
    size = np.random.default_rng(12).uniform(1, 4, 50)
    table = np.stack((0.1 * size, size, 0.7 * size, size), axis=1)
    assert interval(table) == (-math.inf, math.inf)


@pytest.mark.thorough
def test_coverage_of_f1():
    """By 400 samples of 40 examples, a third of which are positive, and 999 resamples of each."""
    rng, shares = np.random.default_rng(2), (0.8, 0.75)  # of right labels
    truth = np.subtract(*(2 * x / (1 + x + 2 * (1 - x)) for x in shares))
    n_held = 0
    for seed in range(400):
        gold = rng.random(40) < 1 / 3
        guesses = [np.where(rng.random(40) < x, gold, ~gold) for x in shares]
        table = np.stack([y for x in guesses for y in (2.0 * (gold & x), 1.0 * x + gold)], axis=1)
        with mock.patch.object(studentised, "MOST_NANOSECONDS", 1.0):
            low, high = interval(table, seed=seed)
        n_held += low <= truth <= high
    assert 0.92 <= n_held / 400 <= 0.98
