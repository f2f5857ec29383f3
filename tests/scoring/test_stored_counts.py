"""Counts as JSON and back: the same bits, without labels, and what was altered is refused."""

import json
import math
import pickle
import re
from dataclasses import FrozenInstanceError, astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import InputError, PairedCounts, paired_counts, paired_permutation_test
from pairedperm.scoring.arguments import read_arguments
from properties import cases
from scoring.counted import COUNTS, SIX, TESTS, altered


def vars_of(counts):
    """All facts, whether or not they make counts differ; whether numbers were floats is lost."""
    return astuple(counts.noting(float_limit=0.0).provenance)


@pytest.mark.parametrize("kind", COUNTS)
def test_there_and_back(kind):
    counts = COUNTS[kind]
    found = PairedCounts.from_json(counts.to_json())
    assert found == counts == PairedCounts.from_dict(counts.to_dict())
    assert vars_of(found) == vars_of(counts)
    assert found.to_json(labels=False) == counts.to_json(labels=False)
    assert found.rows1.dtype == counts.rows1.dtype
    assert not any(x.flags.writeable for x in (found.rows1, found.rows2, found.multiplicities))
    assert found + counts == counts + counts


decimals = st.integers(-500, 500).map(lambda k: k / 100)


@cases(0.5)
@given(st.lists(st.tuples(decimals, decimals, st.integers(0, 9)), max_size=12), st.randoms())
def test_the_same_bits_in_any_order(pairs, random):
    """Of equal counts the texts and their digests are equal, of others they differ."""
    whole = PairedCounts(*([x[k] for x in pairs] for k in range(3)))
    random.shuffle(pairs)
    parts = [PairedCounts([a], [b], [n]) for a, b, n in pairs]
    found = sum((PairedCounts.from_json(part.to_json()) for part in parts), start=0) or whole
    assert found == whole == PairedCounts.from_json(whole.to_json())
    assert (found.to_json(), found.sha256) == (whole.to_json(), whole.sha256)
    more = whole + PairedCounts([7], [0], [1])
    assert (more == whole, more.sha256 == whole.sha256) == (False, False)


def test_parts():
    """Nothing is neutral, of a metric too; examples are paired by id if those of all parts were."""
    nothing = PairedCounts.from_rows([], [])
    for counts in COUNTS.values():
        assert nothing + counts == counts + nothing == sum([counts]) == counts
    empty = altered("accuracy", rows1=[], rows2=[], multiplicities=[])
    assert empty + COUNTS["accuracy"] == COUNTS["accuracy"]
    with pytest.raises(InputError, match="different metrics"):
        empty + COUNTS["f1"]
    parts = [altered("accuracy", paired_by=x) for x in ("id", "position", "id")]
    assert sum(parts).provenance.paired_by == sum(parts[::-1]).provenance.paired_by == "position"
    assert (parts[0] + parts[2]).provenance.paired_by == "id"


# Without labels


NAMES = {"x": "Müller-Ω7", "y": "Weiß kÄ", "z": "Zhao\\9"}


def renamed(form):
    return [[form(NAMES[x], k) for k, x in enumerate(column)] for column in SIX]


LABELS = renamed(lambda x, k: x)
TAGGED = renamed(lambda x, k: [f"B-{x}", "O", f"B-{x}"][: k % 3 + 1])
SETS = renamed(lambda x, k: [x] if k % 3 else sorted({x, NAMES["x"]}))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("columns", "metric", "options"),
    [
        (LABELS, "accuracy", {}),
        (LABELS, "f1", {"average": "weighted"}),
        (LABELS, "f1", {"pos_label": NAMES["y"]}),
        (LABELS, "f1", {"average": "macro", "labels": [NAMES["x"], NAMES["y"]]}),
        (LABELS, "cohen_kappa", {"weights": "linear"}),
        (LABELS, "matthews_correlation", {}),
        (LABELS, "squad_exact_match", {}),
        (TAGGED, "span_f1", {}),
        (TAGGED, "f1", {"average": "macro"}),
        (SETS, "f1", {"average": "macro", "multilabel": True}),
        (SETS, "f1", {"average": "samples", "multilabel": True}),
    ],
)
def test_no_label_is_named_but_in_options(columns, metric, options):
    """Classes are numbered in their order: the test says the same of them."""
    counts = paired_counts(*columns, metric, **options)
    found = counts.to_dict(labels=False)
    assert found["occurring"] is None
    text = json.dumps(found, ensure_ascii=False)
    there = {name for name in NAMES.values() if json.dumps(name, ensure_ascii=False)[1:-1] in text}
    named = {x for y in options.values() for x in (y if isinstance(y, list) else [y])}
    assert there == named & {*NAMES.values()}
    read = PairedCounts.from_json(json.dumps(found))
    assert read.sha256 == counts.sha256
    for test in TESTS:
        chosen = {"n_resamples": 99, "rng": 0, "method": "monte_carlo"}
        assert test(read, **chosen).to_dict() == test(counts, **chosen).to_dict()


def test_no_option_names_what_the_labels_are():
    """Other names give the same table."""
    macro = {"metric": "f1", "average": "macro"}
    one, other = (paired_counts(*x, **macro).to_dict(labels=False) for x in (LABELS, SIX))
    assert one == other


@pytest.mark.parametrize("metric", ["accuracy", "cohen_kappa"])
@cases(0.3)
@given(st.permutations(range(6)), st.booleans())
def test_the_order_of_examples_cannot_be_read_off(metric, places, is_grouped):
    """Nor that of groups; the pairs ascend, and each is there once."""
    columns = [*SIX, [*"aabbbc"]]
    shuffled = [[column[k] for k in places] for column in columns]
    one, other = (
        paired_counts(*x[:3], metric, groups=x[3] if is_grouped else None).to_dict(labels=False)
        for x in (columns, shuffled)
    )
    assert one == other
    rows = list(zip(one["rows1"], one["rows2"], one["sizes"] or [0] * 6, strict=False))
    assert rows == sorted(rows)
    assert all(rows.count(x) == 1 for x in rows)


# What is damaged


N = 6  # distinct pairs of three classes
ROW = [1] * 9
WRONG = {  # an entry that is declared once, others by what can be wrong with them
    "kind": [1],
    "is_labelled": [None],
    "format": [None, ["pairedperm counts"]],
    "version": [None, [1]],
    "metric": [3],
    "metric_options": ["average"],
    "decimals": [None],
    "unit": [None, 0],
    "n_ignored": [None],
    "paired_by": [None],
    "classes": [None, ["x", "y"], ["x", "y", "y"], ["x", "y", 3], [1.0, 2.0, 3.0]],
    "classes ": [["x", "y", None], [["x", "y"], "y", "z"], [[["x"]], ["y"], "z"]],
    "occurring": [3, [[], [[], []], "", 2, True], [[], [[], [], []], 3, 2, True]],
    "occurring ": [[[], [[], [], []], "", "2", True], [[0.5], [[], [], []], "", True, True]],
    "multiplicities": [None, [], [1] * 5 + [0], [1.0] * N, [True] * N, [[1]] * N, [2**62] * N],
    "sizes": [3, [], [1] * 5, [0] * N, [2**62] * N],
    "rows1": [None, 3, [], [ROW] * 5, [[1] * 8] * N, [1] * N, [[ROW]] * N, [ROW] * 5 + [1]],
    "rows1 ": [[[x] * 9] * N for x in (1.0, True, "1", None, 2**63)],
}
DAMAGES = [(key.strip(), value) for key, values in WRONG.items() for value in values]
NAMED = {
    "rows1": "classes|multiplicities",
    "multiplicities": "rows1",
    "format": "counts",
    "sizes": "multipl",
}


@pytest.mark.parametrize(("key", "value"), DAMAGES, ids=repr)
def test_a_damaged_entry(key, value):
    """Each refusal names the entry, or one that it does not fit."""
    with pytest.raises(InputError, match=r"`counts`|`multiplicities` must add up") as caught:
        altered("macro", **{key: value})
    assert re.search(f"{key}|{NAMED.get(key, key)}", str(caught.value))
    assert re.search("anew|Install the release|to_dict|added more than once", str(caught.value))


@pytest.mark.parametrize(
    ("kind", "entries"),
    [
        ("macro", {"metric": "accuracy", "metric_options": None}),  # rows of another metric
        ("accuracy", {"metric": "f1", "metric_options": {"average": "macro"}}),
        ("f1", {"metric_options": {"average": "macro"}}),
        ("accuracy", {"rows1": [7, 7, 7]}),  # accuracy of 7, below 0, or of a third of an example
        ("accuracy", {"unit": 3}),
        ("f1", {"rows1": [[-1] * 3] * 4}),  # fewer labels than none
        ("macro", {"rows1": [[-1] * 9] * N}),
        ("macro", {"rows1": [[1, 1, 1, 0, 0, 0, 1, 1, 1]] * N}),  # more right than predicted
    ],
)
def test_rows_that_the_metric_cannot_have(kind, entries):
    for test in TESTS:
        with pytest.raises(InputError, match=r"`counts1` is of .* Was it altered\?"):
            test(altered(kind, **entries))


def test_old_pickles_are_refused():
    """They had other attributes. The message says what to do."""
    of_rows = b"cbuiltins\ngetattr\n(cpairedperm.scoring.rows\nRows\nV_remade\ntR(tR."
    for pickled in (of_rows, b"cpairedperm.scoring.counts\nin_one_form\n."):
        with pytest.raises(InputError, match=r"by an older release.*make it anew.*`to_json`"):
            pickle.loads(pickled)


# Scores on no lattice, stored as they are; nothing is added to them


ROOTS = [2**0.5, 3**0.5, 0.25], [1.0, 2**0.5, 0.5]


def of_floats(**changes):
    """The stored form, of version 2."""
    rows = read_arguments(*ROOTS, None)[0]
    return PairedCounts.of(rows).to_dict() | {"sha256": None} | changes


def test_floats_there_and_back():
    counts = PairedCounts.from_dict(of_floats())
    found = PairedCounts.from_json(counts.to_json())
    assert found == counts == PairedCounts.from_dict(counts.to_dict())
    assert (found.rows1.tolist(), found.rows2.tolist(), found.multiplicities) == (*ROOTS, None)
    assert (found.n, found.provenance.rounding, found.to_dict()["version"]) == (3, 2.0**-51, 2)
    assert paired_permutation_test(found) == paired_permutation_test(*ROOTS)
    assert "no decimal" in counts.to_json()
    assert "no decimal" not in counts.to_json(labels=False)  # it would tell an example's score


DAMAGED = {
    "rows1": [[1.5, math.nan, 0.0], ["1", 2, 3], [True] * 3, [0.5], None],
    "rows2": [[2**53 + 1, 0.5, 1.0]],
    "rounding": [0.5],
    "no_lattice": [None],
    "multiplicities": [[1, 1, 1]],
    "sizes": [[1, 1, 1]],
    "unit": [10],
    "decimals": [1],
}


@pytest.mark.parametrize(
    ("key", "value"), [(x, y) for x, several in DAMAGED.items() for y in several], ids=repr
)
def test_damaged_floats(key, value):
    with pytest.raises(InputError, match=r"`counts`.*Write them anew"):
        PairedCounts.from_dict(of_floats(**{key: value}))


def test_nothing_is_added_to_floats():
    """Nor to integers; no number is lost, or rounded, without a word."""
    counts = PairedCounts.from_dict(of_floats())
    for other in (counts, PairedCounts.from_rows([1], [0])):
        with pytest.raises(InputError, match=r"cannot add counts of scores that lie on no lattice"):
            counts + other
    with pytest.raises(FrozenInstanceError):
        counts.metrics = "f1"


def test_floats_count_no_labels():
    """Nor does a table of them say so."""
    counts = PairedCounts.from_dict(of_floats(metric="accuracy"))
    with pytest.raises(InputError, match=r"numbers that cannot count labels\). Was it altered"):
        paired_permutation_test(counts)
