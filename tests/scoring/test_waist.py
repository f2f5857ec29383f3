"""Counted rows: parts of a corpus, with whatever classes, add up to the whole."""

import itertools
import json

import numpy as np
import pytest

from pairedperm import PairedCounts, Ratio, compare
from pairedperm.comparison import compare as comparison
from pairedperm.hf.streaming import rows_as_json, rows_from_json
from pairedperm.options import read_options
from pairedperm.scoring.added import NOTHING, added
from pairedperm.scoring.function import Function
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.waist import Mean, Rows
from properties import one_in

COLUMNS = ("predictions1", "predictions2", "references")


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
    return rows.counts, rows.occurring, rows.classes


def same(*several):
    return all(found(rows) == found(several[0]) for rows in several)


def result_of(metric, rows):
    options = read_options()
    return comparison.TESTS[options.test](rows, metric.checked_score(rows), metric, options)


OPTIONS = {
    "single": {"metric": "f1", "average": "macro"},
    "sequences": {"metric": "matthews_correlation"},
    "sets": {"metric": "jaccard", "average": "macro", "multilabel": True},
}
METRICS = {kind: read_metric(**options) for kind, options in OPTIONS.items()}


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
            added(order),
            added([added([a, b]), added([c, d])]),
            added([added([added([a, b]), c]), d]),
            added([a, added([b, added([c, d])])]),
        )
    assert not same(added([parts[0], parts[0]]), added([parts[0], parts[1]]))


@pytest.mark.parametrize("kind", METRICS)
def test_parts_are_tested_as_the_whole(kind):
    rng = np.random.default_rng(9)
    rows, metric = corpus(rng, 30, kind), METRICS[kind]
    whole = compare(*([*column] for column in zip(*rows, strict=True)), **OPTIONS[kind])
    parts = added([counted(rows[20:], metric), counted(rows[:20], metric)])
    assert result_of(metric, parts) == whole


def test_what_is_counted():
    """By hand: two parts, of the classes 'a' and 'b', and of 'b' and 'c'."""
    metric = METRICS["single"]
    first = counted([("a", "b", "a"), ("a", "b", "a"), ("b", "b", "b")], metric)
    second = counted([("c", "b", "b")], metric)
    assert (first.classes, second.classes) == (("a", "b"), ("b", "c"))
    whole = added([second, first])
    # of 'a', 'b' and 'c': correct labels, then predicted ones, then right ones
    a, b, c, none = [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]
    rows1 = [[*none, *c, *b], [*b, *b, *b], [*a, *a, *a]]
    rows2 = [[*b, *b, *b], [*b, *b, *b], [*none, *b, *a]]
    counts = PairedCounts(rows1, rows2, [1, 1, 2])
    classes = ("a", "b", "c")
    assert found(whole) == (Rows.of(counts, classes=classes).counts, None, classes)
    assert whole.n == 4


def test_named_classes_stay():
    """Those that a metric selects are the same in all parts; which occur is joined."""
    metric = read_metric("f1", average="macro", labels=["b", "c", "x"])
    first = counted([("a", "b", "a")], metric)
    second = counted([("a", "a", "c")], metric)
    assert first.classes == second.classes == ("b", "c", "x")
    assert (first.occurring.absent, second.occurring.absent) == ({"c", "x"}, {"b", "x"})
    whole = added([first, second])
    assert same(whole, counted([("a", "b", "a"), ("a", "a", "c")], metric))
    assert whole.occurring.absent == {"x"}
    assert whole.occurring.labels == ({"a"}, {"a", "b"}, {"a", "c"})
    assert (whole.multiplicities @ whole.rows1).tolist()[6:] == [0, 1, 0]


def test_empty_parts():
    metric = METRICS["single"]
    part = counted([("a", "b", "a")], metric)
    assert same(part, added([part, NOTHING]), added([NOTHING, part, NOTHING]), added([part]))
    assert same(NOTHING, added([NOTHING]), added([NOTHING, NOTHING]))
    assert added([NOTHING]).n == 0
    other = counted([("d", "c", "c")], metric)
    assert same(added([NOTHING, other, part, NOTHING]), added([part, other]))
    assert added([part, other]).classes == ("a", "b", "c", "d")


def test_other_metrics():
    """Without classes rows are added, each with its whole denominator."""
    rng = np.random.default_rng(7)
    rows = corpus(rng, 40, "sequences")
    for metric in (
        read_metric("accuracy"),
        read_metric("precision", average="micro", labels=[1, 4]),
        read_metric("recall", pos_label=3),
    ):
        parts = [counted(x, metric) for x in (rows[:20], rows[20:30], rows[30:])]
        assert same(added(parts), added(parts[::-1]), counted(rows, metric))
        assert added(parts).n == 40
        assert result_of(metric, added(parts)) == result_of(metric, counted(rows, metric))
    metric = read_metric("squad_f1")
    texts = [("a b", "a b", "b"), ("c d e", "c d e", "c"), ("f", "f", "g")]
    parts = [counted([row], metric) for row in texts]
    assert same(added([parts[2], added(parts[:2])]), counted(texts, metric))


@pytest.mark.parametrize("kind", METRICS)
def test_as_json(kind):
    rows = corpus(np.random.default_rng(8), 30, kind)
    parts = [counted(rows[:15], METRICS[kind]), counted(rows[15:], METRICS[kind])]
    for part in (*parts, NOTHING):
        assert same(rows_from_json(json.loads(json.dumps(rows_as_json(part)))), part)
    read = [rows_from_json(json.loads(json.dumps(rows_as_json(part)))) for part in parts]
    assert same(added([*read, NOTHING]), added(parts))


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
