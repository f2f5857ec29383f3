"""The published table: what is in it, and what is not."""

import hashlib
import json
import pickle
import random
import re
import string
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import (
    PairedCounts,
    compare,
    paired_permutation_test,
    publish,
    verify,
)
from properties import cases, one_in

NAMES = ("wombat-Ω7", "quokka kÄ", "numbat\\9")
real = pytest.mark.filterwarnings("ignore:the table holds the scores of single examples")


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


def pairs(published):
    """The table as a dict from each pair to how often it occurs."""
    columns = (published[name] for name in ("rows1", "rows2", "multiplicities"))
    return {(str(a), str(b)): m for a, b, m in zip(*columns, strict=True)}


# What is in it


def test_in_full():
    """Of six examples two are won and one is lost; the result is that of `to_dict`."""
    result = compare([1, 1, 0, 1, 0, 1], [0, 0, 1, 1, 0, 1], [1] * 6)
    found = publish(result)
    assert list(found) == [
        *("format", "version", "metric", "metric_options", "unit", "classes", "is_labelled"),
        *("n_ignored", "paired_by", "kind", "decimals", "occurring", "rows1", "rows2"),
        *("multiplicities", "sizes", "sha256", "pairedperm", "result"),
    ]
    assert (found["format"], found["version"]) == ("pairedperm counts", 1)
    assert (found["metric"], found["metric_options"]) == ("accuracy", None)
    assert pairs(found) == {("0", "0"): 1, ("0", "1"): 1, ("1", "0"): 2, ("1", "1"): 2}
    assert found["result"].items() <= result.to_dict().items()
    assert (found["result"]["p"], found["result"]["n_differing"]) == (1.0, 3)
    assert re.fullmatch("[0-9a-f]{64}", found["sha256"])


def test_it_is_what_counts_read():
    found = publish(compare(*corpus(), "f1", average="macro"))
    counts = PairedCounts.from_dict(found)
    assert counts.sha256 == found["sha256"]
    assert paired_permutation_test(counts).pvalue == found["result"]["p"]


@real
def test_real_scores_are_sorted_pairs():
    one, two = [0.3 + 1e-15, 0.1, 2**0.5], [0.5, 1e-17, 0.25]
    found = publish(paired_permutation_test(one, two))
    assert {*found} - {*publish(compare([1], [0], [1]))} == {"no_lattice", "rounding"}
    assert (found["multiplicities"], found["rounding"]) == (None, 2.0**-51)
    assert (found["rows1"], found["rows2"]) == ([0.1, one[0], one[2]], [1e-17, 0.5, 0.25])
    assert (found["format"], found["version"], found["metric"]) == ("pairedperm counts", 2, None)
    mean = publish(compare(one, two, None, "mean_score", of="judge", lower_is_better=True))
    assert (mean["metric"], mean["metric_options"]) == (
        "mean_score",
        {"of": "judge", "lower_is_better": True},
    )
    assert mean["sha256"] != found["sha256"]


@real
@pytest.mark.parametrize(
    ("kind", "rounding"),
    [("f2", 2.0**-9), ("f4", 2.0**-22), ("f4 listed", 2.0**-22), ("f8", 2.0**-51)],
)
def test_rounding_of_real_scores(kind, rounding):
    """It is in the table, and in its digest."""
    scores = (np.array([[1, 2, 0, 3], [0, 1, 2, 2]]) / 7**0.5).astype(kind[:2])
    found = publish(paired_permutation_test(*(scores.tolist() if "listed" in kind else scores)))
    assert found["rounding"] == rounding
    text = {x: found[x] for x in list(found)[:-3]}
    text = json.dumps(text, sort_keys=True, separators=(",", ":"))
    assert found["sha256"] == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("scores", "warns"),
    [
        ([3, 1, 2], False),
        ([3.0, 1.0, 2.0], False),
        ([0.5, 1.0, 0.25], True),
        ([Fraction(1, 3), Fraction(2, 3), Fraction(1)], True),
        ([2**0.5, 3**0.5, 0.1], True),
    ],
    ids=["integers", "floats", "decimals", "fractions", "real"],
)
def test_scores_of_examples_are_warned_of(scores, warns):
    result = paired_permutation_test(scores, [1, 0, 1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        publish(result)
    assert len(caught) == warns
    if warns:
        assert "the scores of single examples, sorted" in str(caught[0].message)
        assert caught[0].filename == __file__


# What is not in it


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
    found = publish(compare(*columns, metric, **options))
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
    text = json.dumps(publish(compare(*corpus(), "f1", **options)), ensure_ascii=False)
    for name in NAMES:
        assert (json.dumps(name, ensure_ascii=False) in text) == (name in named)


def test_no_option_names_what_the_labels_are():
    """Classes are numbered in their order, so other names give the same table."""
    renamed = [[string.ascii_letters[NAMES.index(x)] for x in column] for column in corpus()]
    ordered = [[sorted(NAMES)["abc".index(x)] for x in column] for column in renamed]
    options = {"metric": "f1", "average": "macro"}
    one, other = (publish(compare(*x, **options)) for x in (renamed, ordered))
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
    found = publish(compare(*corpus(), metric, **with_groups, **options))
    with_groups = {"groups": shuffled[3]} if grouped else {}
    assert found == publish(compare(*shuffled[:3], metric, **with_groups, **options))
    rows = list(zip(found["rows1"], found["rows2"], found["sizes"] or [0] * 99, strict=False))
    assert rows == sorted(rows)
    assert all(rows.count(x) == 1 for x in rows)


@real
@cases(0.5)
@given(st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 2), min_size=1, max_size=8), st.randoms())
def test_nor_that_of_scores(scores, rng):
    shuffled = rng.sample(scores, len(scores))
    one, other = (
        publish(paired_permutation_test([x for x, _ in some], [x for _, x in some]))
        for some in (scores, shuffled)
    )
    assert {**one, "result": 0} == {**other, "result": 0}
    assert one["result"]["p"] == other["result"]["p"]


def test_equal_tables_have_equal_sums_and_others_others():
    """The result is no part of the table; the metric and its options are."""
    columns = corpus()
    sums = {
        key: publish(compare(*columns, **options))["sha256"]
        for key, options in {
            "two": {},
            "one": {"alternative": "greater"},
            "dp": {"method": "dp"},
            "kappa": {"metric": "cohen_kappa"},
            "weighted": {"metric": "cohen_kappa", "weights": "linear"},
            "groups": {"groups": range(24)},
            "squad": {"metric": "squad_exact_match"},
        }.items()
    }
    assert sums["two"] == sums["one"] == sums["dp"]
    assert len({*sums.values()}) == 5
    swapped = publish(compare(columns[1], columns[0], columns[2]))
    assert swapped["sha256"] != sums["two"]


def test_groups_of_bare_scores_are_summed():
    result = paired_permutation_test([1, 0, 1, 1], [0, 1, 0, 0], groups=[0, 0, 1, 1])
    table = publish(result)
    assert (table["rows1"], table["rows2"]) == ([1, 2], [1, 0])
    assert verify(table).result.pvalue == result.pvalue == 1.0


def test_pickles_are_published_alike():
    result = compare(*corpus(), "f1", average="macro")
    assert publish(pickle.loads(pickle.dumps(result))) == publish(result)
