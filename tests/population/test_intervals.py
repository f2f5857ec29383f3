"""The interval of a difference of any score: which one it is, its units, its ends."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pairedperm import InputError, PairedCounts, Ratio, paired_bootstrap_test
from pairedperm.population.intervals import Sample
from pairedperm.population.shares import exact_interval
from pairedperm.scoring.arguments import read_arguments
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean
from properties import one_in

F1 = Ratio([2, 0, 0], [0, 1, 1])
SHARE_OF_RIGHT = Ratio([1, 0], [0, 1])
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
    shares = zip((0.7, 0.65), random, strict=True)
    return [*(np.where(rng.random(n) < x, right, y) for x, y in shares), right]


def label_counts(n, seed=0):
    """Rows (true positives, predicted, gold) of examples of several labels."""
    rng = np.random.default_rng(seed)
    gold, *predicted = rng.integers(1, 9, (3, n))
    shares = zip(predicted, (0.7, 0.6), strict=True)
    right = [rng.binomial(np.minimum(gold, x), y) for x, y in shares]
    return [np.stack((x, y, gold), axis=1) for x, y in zip(right, predicted, strict=True)]


def test_accuracy_and_recall_have_the_exact_interval():
    """Of recall the size is 1 where the reference has the label, and 0 elsewhere."""
    first, second, right = labels(200, 2)
    one, two = first == right, second == right
    wins, losses = int((one & ~two).sum()), int((two & ~one).sum())
    expected = exact_interval(wins, losses, 200, 0.9)
    words = [[f"label {k}" for k in x] for x in (first, second, right)]
    for name, columns in (("accuracy", [first, second, right]), ("exact_match", words)):
        found = of_metric(name, columns, level=0.9)
        assert (*found, found.method) == (*expected, EXACT)
    assert by_name(one.astype(int), two.astype(int), level=0.9, seed=5) == expected
    counted = PairedCounts.from_rows(one.astype(int), two.astype(int))
    assert by_name(counted, level=0.9) == expected
    low, high = expected
    assert repr(found) == f"ConfidenceInterval(low={low}, high={high}, method='exact')"
    is_there = right == 1
    wins, losses = (int((x & is_there).sum()) for x in (one & ~two, two & ~one))
    found = of_metric("recall", [first, second, right])
    assert (*found, found.method) == (
        *exact_interval(wins, losses, int(is_there.sum()), 0.95),
        EXACT,
    )


@pytest.mark.parametrize(("n_runs", "expected"), [(1, EXACT), (2, BOOTSTRAP)])
def test_one_run_of_an_item_is_right_or_wrong(n_runs, expected):
    """Several runs are not, also where all runs of an item agree; nor are sequences."""
    one, two = [[[x] * n_runs for x in y] for y in ([1, 1, 0, 1], [0, 1, 0, 1])]
    assert of_metric("pass_at_k", [one, two, None]).method == expected
    columns = [[1, 2], [3, 4]], [[1, 0], [0, 0]], [[1, 2], [3, 4]]
    assert of_metric("accuracy", columns).method == BOOTSTRAP


ROOT = 2**0.5


@pytest.mark.parametrize(
    ("columns", "table", "unit"),
    [  # wins, losses and all examples, and the size of a win
        (([4, 4, 4, 2, 0, 3, 3], [3, 3, 3, 3, 0, 3, 3]), (3, 1, 7), 1.0),
        (([Fraction(4, 3), Fraction(1, 3)], [Fraction(1, 3)] * 2), (1, 0, 2), 1.0),
        (([ROOT, 3 * ROOT, 0.1, 2 * ROOT], [0.0, 2 * ROOT, 0.1, 3 * ROOT]), (2, 1, 4), ROOT),
        (([2**62, -(2**62), 5], [-(2**62), 2**62, 5]), (1, 1, 3), 2.0**63),
        (
            (
                [[2, 2], [2, 2], [0, 2], [0, 0], [1, 2]],  # Σ x / Σ y with 2 as y, or 0
                [[0, 2], [0, 2], [2, 2], [0, 0], [1, 2]],
                SHARE_OF_RIGHT,
            ),
            (2, 1, 4),
            1.0,
        ),
    ],
)
def test_differences_of_one_size(columns, table, unit):
    low, high = exact_interval(*table, 0.95)
    assert by_name(*columns) == pytest.approx((low * unit, high * unit))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([ROOT, 3 * ROOT, 0.1], [0.0, ROOT, 0.1]), "one of 'auto', 'studentised bootstrap' for"),
        (([[2, 3], [2, 2]], [[0, 3], [0, 2]], SHARE_OF_RIGHT), "wins, losses and ties of one size"),
    ],
)
def test_other_sizes_have_no_exact_interval(columns, message):
    with pytest.raises(InputError, match=message):
        by_name(*columns)


SCORES = {
    "real scores": (lambda rng: rng.normal(size=(2, 150)), None),
    "F1": (lambda rng: label_counts(150, rng), F1),
    "function": (
        lambda rng: label_counts(150, rng),
        lambda sums: np.sqrt(sums[..., 0] / sums[..., 1]) * sums[..., 0] / sums[..., 2],
    ),
    "real rows": (lambda rng: rng.uniform(1, 2, (2, 150, 2)), SHARE_OF_RIGHT),
    "function of one column": (lambda rng: rng.uniform(1, 2, (2, 150)), np.sqrt),
}


@one_in(2)
@pytest.mark.parametrize("kind", SCORES)
def test_every_score_has_an_interval_near_the_percentiles(kind):
    """Of 150 examples; and systems swapped turn it over, but for the order of rounding."""
    draw, score = SCORES[kind]
    one, two = draw(np.random.default_rng(0))
    found = interval(one, two, score, seed=1)
    drawn = paired_bootstrap_test(
        one, two, score=score, method="monte_carlo", rng=1, n_resamples=999
    ).confidence_interval()
    width = drawn.high - drawn.low
    assert found[:2] == pytest.approx(tuple(drawn), abs=0.3 * width)
    low, high = turned = interval(two, one, score, seed=1)
    assert turned.method == BOOTSTRAP
    assert (-high, -low) == pytest.approx(found[:2], abs=0.1 * width)


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
    found = interval(rows, rows, SHARE_OF_RIGHT, bound=1.0)
    assert (found.low, found.method) == (-found.high, SHARE)
    assert found.high == pytest.approx(exact_interval(0, 0, 20, 0.95)[1], rel=0.2)
    one, _ = label_counts(1000)
    assert 0.0038 < interval(one, one, F1, bound=1.0).high < 0.03
    columns = [[0] * 98 + [1, 1]] * 3
    assert 0.3 < of_metric("f1", columns, average="macro").high <= 1.0
    assert interval([[0, 1]] * 9, [[0, 1]] * 9, lambda sums: sums[..., 0]).high == math.inf


def test_ends_are_within_the_bound():
    """Few differences do not reach it: of 3 of 1000 the share is at most 0.0087."""
    one, two = [0.9, 1.0, 0.7], [0.1, 0.7, 0.1]
    low, high = interval(one, two, bound=1.0)
    assert low < 0.5 < high == 1.0
    assert interval([2] * 9 + [1], [1] * 10, bound=0.5).high == 0.5
    one = np.tile([0.25, 0.5], 500)
    two = one - np.pad([0.1, 0.2, 0.3], (0, 997))
    _, share = exact_interval(3, 0, 1000, 0.95)
    low, high = interval(one, two, bound=1.0)
    assert -share < low < one.mean() - two.mean()
    assert high == share  # also where e^-3 of resamples have none of the three
    assert interval(one, two).high == math.inf


def test_a_share_of_resamples_may_have_no_size():
    """As of recall where no reference of a resample has the label: the difference is 0 there."""
    rows = Rows(np.array([3, 1, 0]), np.array([0, 2, 0]), np.array([1, 1, 2]))
    found = _sample(rows, Mean(sizes=np.array([3, 2, 0])), 1.0).interval(0.5)
    assert found.method == BOOTSTRAP
    assert -1.0 <= found.low < found.high <= 1.0
