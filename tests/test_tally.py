"""Tallies: parts of a corpus, with whatever classes, add up to the whole."""

import itertools
import json

import numpy as np
import pytest

from pairedperm.hf.streaming import tally_as_json, tally_from_json
from pairedperm.inputs.labels import read_labels
from pairedperm.scoring.class_counts import count_classes
from pairedperm.scoring.contributions import contributions, tallied
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.tally import NOTHING, Tally, added
from pairedperm.scoring.text_counts import count_texts

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


def counted(rows, spec):
    columns = (
        read_labels(name, list(column), sets=spec.multilabel)
        for name, column in zip(COLUMNS, zip(*rows, strict=True), strict=True)
    )
    return count_classes(*columns, spec)


SPECS = {
    "single": read_metric("f1", average="macro"),
    "sequences": read_metric("matthews_correlation"),
    "sets": read_metric("jaccard", average="macro", multilabel=True),
}


@pytest.mark.parametrize("kind", SPECS)
def test_parts_with_other_classes(kind):
    """In any order and grouping; also where a part has none that another has."""
    rng = np.random.default_rng(list(SPECS).index(kind))
    rows, spec = corpus(rng, 60, kind), SPECS[kind]
    whole = counted(rows, spec)
    assert whole.classes == (0, 1, 2, 3, 4)
    parts = [counted(rows[start : start + 15], spec) for start in range(0, 60, 15)]
    assert len({part.classes for part in parts}) > 1
    for order in itertools.permutations(parts):
        a, b, c, d = order
        assert added(order) == whole
        assert added([added([a, b]), added([c, d])]) == whole
        assert added([added([added([a, b]), c]), d]) == whole
        assert added([a, added([b, added([c, d])])]) == whole
    assert added([parts[0], parts[0]]) != added([parts[0], parts[1]])


def test_what_is_counted():
    """By hand: two parts, of the classes 'a' and 'b', and of 'b' and 'c'."""
    spec = SPECS["single"]
    first = counted([("a", "b", "a"), ("a", "b", "a"), ("b", "b", "b")], spec)
    second = counted([("c", "b", "b")], spec)
    assert (first.classes, second.classes) == (("a", "b"), ("b", "c"))
    whole = added([second, first])
    # of 'a', 'b' and 'c': correct labels, then predicted ones, then right ones
    a, b, c, none = [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]
    rows1 = [[*none, *c, *b], [*b, *b, *b], [*a, *a, *a]]
    rows2 = [[*b, *b, *b], [*b, *b, *b], [*none, *b, *a]]
    counts = PairedCounts(rows1, rows2, [1, 1, 2])
    assert whole == Tally(counts, frozenset(), ("a", "b", "c"))
    assert whole.counts.multiplicities.sum() == 4


def test_named_classes_stay():
    """Those that a metric selects are the same in all parts; which occur is joined."""
    spec = read_metric("f1", average="macro", labels=["b", "c", "x"])
    first = counted([("a", "b", "a")], spec)
    second = counted([("a", "a", "c")], spec)
    assert first.classes == second.classes == ("b", "c", "x")
    assert (first.seen, second.seen) == ({"b"}, {"c"})
    whole = added([first, second])
    assert whole == counted([("a", "b", "a"), ("a", "a", "c")], spec)
    assert whole.seen == {"b", "c"}
    assert (whole.counts.multiplicities @ whole.counts.rows1).tolist()[6:] == [0, 1, 0]


def test_empty_parts():
    spec = SPECS["single"]
    part = counted([("a", "b", "a")], spec)
    assert added([part, NOTHING]) == added([NOTHING, part, NOTHING]) == added([part]) == part
    assert added([NOTHING]) == added([NOTHING, NOTHING]) == NOTHING
    assert added([NOTHING]).counts.n == 0
    other = counted([("d", "c", "c")], spec)
    assert added([NOTHING, other, part, NOTHING]) == added([part, other])
    assert added([part, other]).classes == ("a", "b", "c", "d")


def test_other_metrics():
    """Without classes rows are added, each with its whole denominator."""
    rng = np.random.default_rng(7)
    rows = corpus(rng, 40, "sequences")
    for spec in (
        read_metric("accuracy"),
        read_metric("precision", average="micro", labels=[1, 4]),
        read_metric("recall", pos_label=3),
    ):

        def of(part, spec=spec):
            columns = zip(COLUMNS, zip(*part, strict=True), strict=True)
            columns = (read_labels(name, list(column)) for name, column in columns)
            return tallied(contributions(spec, *columns))

        parts = [of(rows[:20]), of(rows[20:30]), of(rows[30:])]
        assert added(parts) == added(parts[::-1]) == of(rows)
        counts = added(parts).counts
        assert counts.rows1.shape[1] == 2
        assert counts.n == 40
    spec = read_metric("squad_f1")
    texts = {name: ["a b", "c d e", "f"] for name in COLUMNS} | {"references": ["b", "c", "g"]}
    parts = [count_texts(spec, {name: x[k : k + 1] for name, x in texts.items()}) for k in range(3)]
    assert added([parts[2], added(parts[:2])]) == count_texts(spec, texts)


@pytest.mark.parametrize("kind", SPECS)
def test_as_json(kind):
    rows = corpus(np.random.default_rng(8), 30, kind)
    parts = [counted(rows[:15], SPECS[kind]), counted(rows[15:], SPECS[kind])]
    for tally in (*parts, NOTHING):
        assert tally_from_json(json.loads(json.dumps(tally_as_json(tally)))) == tally
    read = [tally_from_json(json.loads(json.dumps(tally_as_json(tally)))) for tally in parts]
    assert added([*read, NOTHING]) == added(parts)
