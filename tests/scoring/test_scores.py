"""Counted rows: parts of a corpus, with whatever classes, add up to the whole. Their scores."""

import itertools

import numpy as np
import pytest

from pairedperm import PairedCounts, Ratio, paired_permutation_test
from pairedperm.scoring.function import Function
from pairedperm.scoring.merging import NOTHING, merged
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, MeanOfRatios
from properties import one_in


def corpus(rng, n, kind):
    """Rows of (prediction, prediction, reference); later ones have other classes."""
    rows = []
    for k in range(n):
        first = 3 * k // n  # of the three classes there are by now
        length = int(rng.integers(0, 4)) if kind != "single" else 1
        row = rng.integers(first, first + 3, (3, length)).tolist()
        if kind == "sets":
            row = [sorted({*labels}) for labels in row]
        rows.append([labels[0] for labels in row] if kind == "single" else row)
    return rows


def counted(rows, metric):
    """What rows of predictions and references add to the score of a metric."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    read = metric.read(columns)
    return metric.rows(*read).counted()


def found(rows):
    """All that counted rows say."""
    return PairedCounts.of(rows), rows.provenance.to_check, rows.classes


def same(*several):
    return all(found(rows) == found(several[0]) for rows in several)


OPTIONS = {
    "single": {"metric": "f1", "average": "macro"},
    "sequences": {"metric": "matthews_correlation"},
    "sets": {"metric": "jaccard", "average": "macro", "multilabel": True},
}
METRICS = {
    kind: read_metric(x["metric"], **{k: y for k, y in x.items() if k != "metric"})
    for kind, x in OPTIONS.items()
}


@one_in(2)
@pytest.mark.parametrize("kind", METRICS)
def test_parts_with_other_classes(kind):
    """In any order and grouping; also where a part has none that another has."""
    rng = np.random.default_rng(list(METRICS).index(kind))
    rows, metric = corpus(rng, 60, kind), METRICS[kind]
    whole = counted(rows, metric)
    assert whole.classes == (0, 1, 2, 3, 4)
    parts = [counted(rows[start : start + 15], metric) for start in range(0, 60, 15)]
    assert len({part.classes for part in parts}) > 1
    for order in itertools.permutations(parts):
        a, b, c, d = order
        assert same(
            whole,
            merged(order),
            merged([merged([a, b]), merged([c, d])]),
            merged([merged([merged([a, b]), c]), d]),
            merged([a, merged([b, merged([c, d])])]),
        )
    assert not same(merged([parts[0], parts[0]]), merged([parts[0], parts[1]]))


def test_named_classes_stay():
    """Those that a metric selects are the same in all parts; which occur is joined."""
    metric = read_metric("f1", average="macro", labels=["b", "c", "x"])
    first = counted([("a", "b", "a")], metric)
    second = counted([("a", "a", "c")], metric)
    assert first.classes == second.classes == ("b", "c", "x")
    assert (first.provenance.to_check.absent, second.provenance.to_check.absent) == (
        {"c", "x"},
        {"b", "x"},
    )
    whole = merged([first, second])
    assert same(whole, counted([("a", "b", "a"), ("a", "a", "c")], metric))
    assert whole.provenance.to_check.absent == {"x"}
    assert whole.provenance.to_check.labels == ({"a"}, {"a", "b"}, {"a", "c"})
    assert (whole.multiplicities @ whole.rows1).tolist()[6:] == [0, 1, 0]


def test_empty_parts():
    metric = METRICS["single"]
    part = counted([("a", "b", "a")], metric)
    assert same(part, merged([part, NOTHING]), merged([NOTHING, part, NOTHING]), merged([part]))
    assert same(NOTHING, merged([NOTHING]), merged([NOTHING, NOTHING]))
    assert merged([NOTHING]).n == 0
    other = counted([("d", "c", "c")], metric)
    assert same(merged([NOTHING, other, part, NOTHING]), merged([part, other]))
    assert merged([part, other]).classes == ("a", "b", "c", "d")


@pytest.mark.parametrize("null", ["swaps", "draws"])
@pytest.mark.parametrize(
    "score",
    [
        Mean(),
        Ratio([1, 0], [0, 1]),
        Ratio([1, 0], [1, 1]),
        Function(lambda sums: sums[..., 0] ** 2),
    ],
    ids=["mean", "ratio", "of a total", "function"],
)
def test_the_simplest_form_stays_as_it_is(score, null):
    table = np.random.default_rng(0).integers(0, 9, (2, 12, 2))
    rows = Rows(*(table[:, :, 0] if isinstance(score, Mean) else table))
    once = score.simplify(rows, null)
    twice = once[1].simplify(once[0], null)
    assert type(twice[1]) is type(once[1])
    for x in ("rows1", "rows2"):
        assert np.array_equal(getattr(twice[0], x), getattr(once[0], x))


@pytest.mark.parametrize(
    ("n", "digits"), [(50, 22), (10_000, 4349)], ids=["few", "more than Python prints"]
)
def test_how_many_digits_a_common_denominator_has(n, digits):
    """The least common multiple of 1 to n, by the prime number theorem about e^n."""
    sizes = np.arange(1, n + 1)
    rows = (np.stack([hits, sizes], axis=1) for hits in (np.ones_like(sizes), 0 * sizes))
    pairs, _ = MeanOfRatios().simplify(Rows(*rows), "draws")
    assert pairs.no_lattice.endswith(f"shares has {digits} digits")


RATIO = Ratio([1, 0], [0, 1])


def test_weights_may_be_numpy_integers():
    assert Ratio(np.array([1, 0]), (np.int64(0), 1)) == RATIO


def test_sums_beyond_int64():
    """Of the same denominators in both systems: then it is a mean, of any numbers."""
    huge, less = [[2**60, 2**60]] * 4, [[2**60 - 1, 2**60]] * 4
    assert paired_permutation_test(huge, less, score=RATIO).pvalue == 0.125


def test_the_least_weight_of_a_small_type():
    """Its absolute value is beyond the type."""
    assert Ratio([np.int8(-128), 1], [0, 1]).numerator == (-128, 1)
