"""The interval of a difference of any score: which one it is, its units, its ends."""

import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from pairedperm import InputError, PairedCounts, Ratio, paired_bootstrap_test
from pairedperm.population.intervals import Sample
from pairedperm.population.paired_shares import exact_interval
from pairedperm.scoring.arguments import read_arguments
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean
from properties import cases, generators, one_in

F1 = Ratio([2, 0, 0], [0, 1, 1])
EXACT, SHARE = "exact", "differing share"
BOOTSTRAP = "studentised bootstrap"


def _sample(rows, score, *others):
    """Of examples."""
    return Sample(*score.simplify(rows.counted(), "draws"), *others)


def interval(counts1, counts2=None, score=None, *, level=0.95, seed=0, bound=math.inf, kind="auto"):
    return _sample(*read_arguments(counts1, counts2, score)[:2], bound).interval(level, seed, kind)


def of_metric(name, columns, bound=1.0, level=0.95, **options):
    metric = read_metric(name, **options)
    rows = metric.rows(*metric.read(columns))
    is_known = metric.is_right_or_wrong(rows)
    return _sample(rows, metric.checked_score(rows), bound, True, is_known).interval(level)


def by_name(*columns, **options):
    """The ends of the exact interval; for means it is there by name alone."""
    assert interval(*columns, **options).method in (BOOTSTRAP, SHARE)
    found = interval(*columns, kind=EXACT, **options)
    assert found.method == EXACT
    return tuple(found)


def labels(n, n_classes, seed=0):
    """Predictions of two systems, right 0.7 and 0.65 of the time, and references."""
    rng = np.random.default_rng(seed)
    right, *random = rng.integers(0, n_classes, (3, n))
    predictions = [
        np.where(rng.random(n) < x, right, y) for x, y in zip((0.7, 0.65), random, strict=True)
    ]
    return [*predictions, right]


def label_counts(n, seed=0):
    """Rows (true positives, predicted, gold) of examples of several labels."""
    rng = np.random.default_rng(seed)
    gold, *predicted = rng.integers(1, 9, (3, n))
    right = [
        rng.binomial(np.minimum(gold, x), y) for x, y in zip(predicted, (0.7, 0.6), strict=True)
    ]
    return [np.stack((x, y, gold), axis=1) for x, y in zip(right, predicted, strict=True)]


def test_accuracy_has_the_exact_interval():
    first, second, right = labels(200, 3)
    one, two = first == right, second == right
    wins, losses = int((one & ~two).sum()), int((two & ~one).sum())
    expected = exact_interval(wins, losses, 200, 0.9)
    words = [[f"label {k}" for k in x] for x in (first, second, right)]
    for name, columns in (
        ("accuracy", [first, second, right]),
        ("accuracy", [x.tolist() for x in (first, second, right)]),
        ("exact_match", words),
    ):
        found = of_metric(name, columns, level=0.9)
        assert (*found, found.method) == (*expected, EXACT)
    assert by_name(one.astype(int), two.astype(int), level=0.9, seed=5) == expected
    counted = PairedCounts.from_rows(one.astype(int), two.astype(int))
    assert by_name(counted, level=0.9) == expected


def scores_of(*columns, **options):
    """The method of the interval of a mean of given scores."""
    of_scores = read_metric("mean_score", **options)
    rows = of_scores.rows(*of_scores.read((*columns, None)))
    known = of_scores.is_right_or_wrong(rows)
    return _sample(rows, of_scores.score(rows), of_scores.largest_difference, True, known).own_kind


def test_what_is_known_of_scores_decides_not_how_they_happen_to_be():
    one, two = [1, 1, 0, 1, 0], [0, 1, 1, 1, 0]
    assert scores_of(one, two) == BOOTSTRAP
    assert scores_of(one, two, score_range=(0, 1)) == EXACT
    assert scores_of(one, two, score_range=(0, 2)) == BOOTSTRAP
    assert scores_of([1, 0.5], [0, 0], score_range=(0, 1)) == BOOTSTRAP
    assert scores_of([100.0, 0.0], [0, 0], score_range=(0, 100)) == EXACT
    assert scores_of([0.1, 0.9], [0.9, 0.9], score_range=(0.1, 0.9)) == EXACT
    assert scores_of([0.1, 0.3], [0.3, 0.3], score_range=(0.1, 0.3)) == EXACT
    assert scores_of([2**0.5, 1.0], [1.0, 1.0], score_range=(1, 2**0.5)) == EXACT
    assert scores_of(one, one, score_range=(0, 1)) == EXACT
    assert scores_of(one, one) == SHARE
    columns = [[1, 2], [3, 4]], [[1, 0], [0, 0]], [[1, 2], [3, 4]]
    assert of_metric("accuracy", columns).method == BOOTSTRAP  # of sequences


@pytest.mark.parametrize(("n_runs", "expected"), [(1, EXACT), (2, BOOTSTRAP)])
def test_one_run_of_an_item_is_right_or_wrong(n_runs, expected):
    """Several runs are not, also where all runs of an item agree."""
    one, two = [[[x] * n_runs for x in y] for y in ([1, 1, 0, 1], [0, 1, 0, 1])]
    assert of_metric("pass_at_k", [one, two, None]).method == expected


def test_recall_has_the_exact_interval_of_what_is_right():
    """Its size is 1 where the reference has the label, and 0 elsewhere."""
    columns = labels(300, 2, seed=1)
    first, second, right = (x == 1 for x in columns)
    wins = int((right & first & ~second).sum())
    losses = int((right & second & ~first).sum())
    found = of_metric("recall", columns)
    assert tuple(found) == exact_interval(wins, losses, int(right.sum()), 0.95)
    assert found.method == EXACT


@pytest.mark.parametrize(("size", "scale"), [(1, 1), (3, 1), (3, Fraction(1, 7)), (1, 0.25)])
def test_differences_of_one_size(size, scale):
    one, two = np.array([4, 4, 4, 2, 0, 3, 3]), np.array([3, 3, 3, 3, 0, 3, 3])
    unit = size * float(scale)
    low, high = exact_interval(3, 1, 7, 0.95)
    found = by_name((size * one * float(scale)).tolist(), (size * two * float(scale)).tolist())
    assert found == pytest.approx((low * unit, high * unit))


def test_real_scores_that_differ_by_one_size_up_to_rounding():
    root = 2**0.5
    one, two = [root, 3 * root, 0.1, 2 * root], [0.0, 2 * root, 0.1, 3 * root]
    low, high = exact_interval(2, 1, 4, 0.95)
    assert by_name(one, two) == pytest.approx((root * low, root * high))
    with pytest.raises(
        InputError, match="must be one of 'auto', 'studentised bootstrap' for this score"
    ):
        by_name([root, 3 * root, 0.1], [0.0, root, 0.1])


def test_sizes_of_one_ratio():
    """Σ x / Σ y with 2 as y, or 0; of other sizes, or x without y, no exact interval."""
    share = Ratio([1, 0], [0, 1])
    one = [[2, 2], [2, 2], [0, 2], [0, 0], [1, 2]]
    two = [[0, 2], [0, 2], [2, 2], [0, 0], [1, 2]]
    assert by_name(one, two, share) == pytest.approx(exact_interval(2, 1, 4, 0.95))
    for one[4], two[4] in (([2, 3], [0, 3]), ([2, 0], [0, 0])):
        with pytest.raises(InputError, match="is of wins, losses and ties of one size"):
            by_name(one, two, share)


def test_differences_beyond_int64():
    one, two = [2**62, -(2**62), 5], [-(2**62), 2**62, 5]
    low, high = exact_interval(1, 1, 3, 0.95)
    assert by_name(one, two) == pytest.approx((2.0**63 * low, 2.0**63 * high))


def test_means_of_several_sizes_are_resampled():
    rng = np.random.default_rng(2)
    one, two = rng.integers(0, 9, (2, 400))
    found = interval(one, two, seed=3)
    differences = one - two
    error = stats.sem(differences)
    expected = stats.t.interval(0.95, 399, differences.mean(), error)
    assert found[:2] == pytest.approx(expected, abs=0.1 * error)
    assert found == interval(one, two, seed=3) != interval(one, two, seed=4)
    tenths = interval(one / 10, two / 10, seed=3)
    assert tenths[:2] == pytest.approx((found.low / 10, found.high / 10))
    assert found.method == tenths.method == BOOTSTRAP


SCORES = {
    "integers": (lambda rng: rng.integers(0, 9, (2, 150)), None),
    "decimals": (lambda rng: rng.integers(0, 99, (2, 150)) / 100, None),
    "real scores": (lambda rng: rng.normal(size=(2, 150)), None),
    "fractions": (lambda rng: rng.integers(0, 7, (2, 150)) / 7, None),
    "F1": (lambda rng: label_counts(150, rng), F1),
    "recall of several": (lambda rng: label_counts(150, rng), Ratio([1, 0, 0], [0, 0, 1])),
    "function": (
        lambda rng: label_counts(150, rng),
        lambda sums: np.sqrt(sums[..., 0] / sums[..., 1]) * sums[..., 0] / sums[..., 2],
    ),
    "real rows": (lambda rng: rng.uniform(1, 2, (2, 150, 2)), Ratio([1, 0], [0, 1])),
    "function of one column": (lambda rng: rng.uniform(1, 2, (2, 150)), np.sqrt),
}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", SCORES)
@cases(0.2)
@given(rng=generators)
def test_every_score_has_an_interval_near_the_percentiles(kind, rng):
    """Of 150 examples; and systems swapped turn it over, but for the order of rounding."""
    draw, score = SCORES[kind]
    one, two = draw(rng)
    found = interval(one, two, score, seed=1)
    percentiles = paired_bootstrap_test(
        one, two, score=score, method="monte_carlo", rng=1
    ).confidence_interval()
    width = percentiles[1] - percentiles[0]
    assert found[:2] == pytest.approx(tuple(percentiles), abs=0.3 * width)
    low, high = turned = interval(two, one, score, seed=1)
    assert turned.method == BOOTSTRAP
    assert (-high, -low) == pytest.approx(found[:2], abs=0.1 * width)


@one_in(2)
@pytest.mark.parametrize(
    "name",
    [
        *("f1", "matthews_correlation"),
        *(pytest.param(x, marks=pytest.mark.thorough) for x in ("precision", "balanced_accuracy")),
    ],
)
def test_metrics_of_classes(name):
    options = {"average": "macro"} if name in ("f1", "precision") else {}
    columns = labels(400, 3, seed=3)
    low, high = found = of_metric(name, columns, bound=2.0, **options)
    assert found.method == BOOTSTRAP
    assert 0.03 < high - low < 0.3
    more = [np.tile(x, 100) for x in columns]
    assert of_metric(name, more, bound=2.0, **options)[:2] == pytest.approx(
        ((low + high) / 2 - (high - low) / 20, (low + high) / 2 + (high - low) / 20), abs=0.01
    )


def test_words_have_an_interval():
    """The token F1 of answers is a mean of fractions, on a lattice or not."""
    right = ["a b c", "a b", "b c d e f", "a", "a c", "b d"] * 5
    one = ["a b", "a b", "b c d e", "a b", "c", "b"] * 5
    two = ["a", "b", "b c", "a b c", "d", "b d"] * 5
    found = of_metric("squad_f1", [one, two, right])
    assert found.method == BOOTSTRAP
    assert -1.0 < found.low < found.high < 1.0
    with mock.patch("pairedperm.scoring.scores.FINEST", 1):
        real = of_metric("squad_f1", [one, two, right])
    assert real[:2] == pytest.approx(found[:2], abs=1e-9)


@pytest.mark.parametrize("n", [2, 10, 1000])
def test_no_difference_at_all(n):
    """A share of 1 - 0.025^(1/n) may differ, by the bound, or by the largest score."""
    share = 1.0 - 0.025 ** (1.0 / n)
    for correct in ([1, 0] * (n // 2), [1] * n):
        for bound in (1.0, math.inf):
            found = interval(correct, correct, bound=bound)
            assert tuple(found) == pytest.approx((-share, share))
            assert found.method == SHARE
    scores = [-0.25, 0.5] * (n // 2)
    assert interval(scores, scores).high == pytest.approx(share / 2)
    assert interval(scores, scores, bound=1.0).high == pytest.approx(share)
    assert tuple(interval([0] * n, [0] * n)) == (-math.inf, math.inf)


def test_no_difference_of_a_ratio():
    """Of recall that is 1 on n of 100 n examples, and of F1 of labels of which one is rare."""
    rows = [[1, 1]] * 20 + [[0, 0]] * 1980
    found = interval(rows, rows, Ratio([1, 0], [0, 1]), bound=1.0)
    assert (found.low, found.method) == (-found.high, SHARE)
    assert found.high == pytest.approx(exact_interval(0, 0, 20, 0.95)[1], rel=0.2)
    one, _ = label_counts(1000)
    assert 0.0038 < interval(one, one, F1, bound=1.0).high < 0.03
    columns = [[0] * 98 + [1, 1]] * 3
    assert 0.3 < of_metric("f1", columns, average="macro").high <= 1.0
    assert interval([[0, 1]] * 9, [[0, 1]] * 9, lambda sums: sums[..., 0]).high == math.inf


@pytest.mark.thorough
def test_few_differences_do_not_reach_the_bound():
    """Of 3 of 1000 examples that differ the share is at most 0.0087, also where e^-3 have none."""
    one = np.tile([0.25, 0.5], 500)
    two = one.copy()
    two[:3] -= 0.1, 0.2, 0.3
    _, share = exact_interval(3, 0, 1000, 0.95)
    low, high = interval(one, two, bound=1.0)
    assert -share < low < one.mean() - two.mean()
    assert high == share
    assert interval(one, two).high == math.inf


def test_ends_are_within_the_bound():
    one, two = [0.9, 1.0, 0.7], [0.1, 0.7, 0.1]
    low, high = interval(one, two, bound=1.0)
    assert low < 0.5 < high == 1.0
    assert interval(one, two).high == math.inf
    assert interval([2] * 9 + [1], [1] * 10, bound=0.5).high == 0.5


def test_a_share_of_resamples_may_have_no_size():
    """As of recall where no reference of a resample has the label: the difference is 0 there."""
    rows = Rows(np.array([3, 1, 0]), np.array([0, 2, 0]), np.array([1, 1, 2]))
    found = _sample(rows, Mean(sizes=np.array([3, 2, 0])), 1.0).interval(0.5)
    assert found.method == BOOTSTRAP
    assert -1.0 <= found.low < found.high <= 1.0


@one_in(3)
@pytest.mark.parametrize(
    "kind", ["means", "F1", "real scores", pytest.param("classes", marks=pytest.mark.thorough)]
)
def test_many_examples(kind):
    """A second or two each; the interval is that of the normal law."""
    n = 10**6 if kind == "means" else 10**5
    rng = np.random.default_rng(4)
    if kind == "classes":
        low, high = of_metric("f1", labels(n, 20), average="macro")
        assert 0.03 < low < high < 0.06
        assert 0.007 < high - low < 0.011
        return
    if kind == "F1":
        low, high = interval(*label_counts(n), F1, bound=1.0)
        assert 0.002 < high - low < 0.01
        return
    draws = rng.integers(0, 5, (2, n)) if kind == "means" else rng.normal(size=(2, n))
    low, high = found = interval(*draws)
    differences = draws[0] - draws[1]
    half = stats.norm.isf(0.025) * stats.sem(differences)
    assert found.method == BOOTSTRAP
    assert (low + high) / 2 == pytest.approx(differences.mean(), abs=0.05 * half)
    assert (high - low) / 2 == pytest.approx(half, rel=0.04)
