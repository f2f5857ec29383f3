"""Counts that others may see: no label that an option does not name, and no order of examples."""

import json
import random
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import paired_counts
from properties import cases, one_in

NAMES = ("wombat-Ω7", "quokka kÄ", "numbat\\9")


def corpus(n=24, labels=NAMES, seed=1):
    """Two systems' labels, and the right ones."""
    rng = random.Random(seed)
    right = [rng.choice(labels) for _ in range(n)]
    noisy = [[x if rng.random() < p else rng.choice(labels) for x in right] for p in (0.8, 0.5)]
    return [*noisy, right]


def tagged(column):
    """Sequences of tags of one to three words, of entities that are named as the labels."""
    return [[f"B-{x}", "O", f"B-{x}"][: k % 3 + 1] for k, x in enumerate(column)]


def sets(column):
    return [[x] if k % 3 else sorted({x, NAMES[0]}) for k, x in enumerate(column)]


def table(*columns, **options):
    """Of counts; it is the file of `pairedperm compare --counts`."""
    return paired_counts(*columns, **options).to_dict(labels=False)


@pytest.mark.parametrize(
    ("columns", "metric", "options"),
    [
        (corpus(), "accuracy", {}),
        (corpus(), "f1", {"average": "macro"}),
        (corpus(), "f1", {"average": "weighted"}),
        (corpus(), "balanced_accuracy", {}),
        (corpus(), "cohen_kappa", {"weights": "linear"}),
        (corpus(), "matthews_correlation", {}),
        ([*map(tagged, corpus())], "span_f1", {}),
        ([*map(tagged, corpus())], "f1", {"average": "macro"}),
        ([*map(sets, corpus())], "f1", {"average": "macro", "multilabel": True}),
        ([*map(sets, corpus())], "f1", {"average": "samples", "multilabel": True}),
        (corpus(), "squad_exact_match", {}),
    ],
    ids=lambda x: str(x) if isinstance(x, (str, dict)) else "",
)
def test_no_label_is_named(columns, metric, options):
    found = table(*columns, metric, **options)
    for ascii_ in (True, False):
        text = json.dumps(found, ensure_ascii=ascii_).lower()
        for name in NAMES:
            for part in re.split(r"[^a-z]+", name.lower()):
                assert len(part) < 5 or part not in text
            assert json.dumps(name, ensure_ascii=ascii_)[1:-1].lower() not in text
    flat = {y for x in found["classes"] for y in (x if isinstance(x, list) else [x])}
    assert flat == {*range(len(flat))}
    assert found["occurring"] is None


@pytest.mark.parametrize(
    ("options", "named"),
    [({"pos_label": NAMES[1]}, NAMES[1:2]), ({"average": "macro", "labels": NAMES[:2]}, NAMES[:2])],
    ids=["pos_label", "labels"],
)
def test_labels_of_options_are_named(options, named):
    text = json.dumps(table(*corpus(), "f1", **options), ensure_ascii=False)
    for name in NAMES:
        assert (json.dumps(name, ensure_ascii=False) in text) == (name in named)


def test_no_option_names_what_the_labels_are():
    """Classes are numbered in their order, so other names give the same table."""
    renamed = [[string.ascii_letters[NAMES.index(x)] for x in column] for column in corpus()]
    ordered = [[sorted(NAMES)["abc".index(x)] for x in column] for column in renamed]
    options = {"metric": "f1", "average": "macro"}
    one, other = (table(*x, **options) for x in (renamed, ordered))
    assert one == other


SHUFFLED = [
    ("accuracy", {}, False),
    ("f1", {"pos_label": NAMES[0]}, False),
    ("f1", {"average": "macro"}, False),
    ("cohen_kappa", {}, False),
    ("accuracy", {}, True),
    ("f1", {"average": "macro"}, True),
]


@one_in(5)
@pytest.mark.parametrize(("metric", "options", "grouped"), SHUFFLED, ids=str)
@cases(0.3)
@given(st.permutations(range(24)))
def test_the_order_of_examples_cannot_be_read_off(metric, options, grouped, places):
    """Nor that of groups; the pairs ascend, and each is there once."""
    groups = [k // 3 for k in range(24)]
    shuffled = [[column[k] for k in places] for column in (*corpus(), groups)]
    with_groups = {"groups": groups} if grouped else {}
    found = table(*corpus(), metric, **with_groups, **options)
    with_groups = {"groups": shuffled[3]} if grouped else {}
    assert found == table(*shuffled[:3], metric, **with_groups, **options)
    rows = list(zip(found["rows1"], found["rows2"], found["sizes"] or [0] * 99, strict=False))
    assert rows == sorted(rows)
    assert all(rows.count(x) == 1 for x in rows)


def test_other_tables_have_other_sums():
    """The metric and its options are a part of them."""
    columns = corpus()
    sums = {
        key: table(*columns, **options)["sha256"]
        for key, options in {
            "accuracy": {},
            "kappa": {"metric": "cohen_kappa"},
            "weighted": {"metric": "cohen_kappa", "weights": "linear"},
            "groups": {"groups": range(24)},
            "squad": {"metric": "squad_exact_match"},
        }.items()
    }
    assert len({*sums.values()}) == 5
    swapped = table(columns[1], columns[0], columns[2])
    assert swapped["sha256"] != sums["accuracy"]
