"""Counts as JSON and back: what was altered or damaged is refused."""

import base64
import json
import math
import pickle
import re
import zlib
from dataclasses import FrozenInstanceError, astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import InputError, PairedCounts, paired_counts, paired_permutation_test
from pairedperm.scoring.arguments import read_arguments
from scoring.counted import COUNTS, SIX, TESTS

of_all = pytest.mark.parametrize("kind", COUNTS)


def through(counts, way):
    """Stored and read again."""
    if way == "json":
        return PairedCounts.from_json(counts.to_json())
    return PairedCounts.from_dict(counts.to_dict())


def vars_of(counts):
    """All facts, whether or not they make counts differ; whether numbers were floats is lost."""
    return astuple(counts.noting(float_limit=0.0).provenance)


@of_all
@pytest.mark.parametrize("way", ["json", "dict"])
def test_there_and_back(kind, way):
    counts = COUNTS[kind]
    found = through(counts, way)
    assert found == counts
    assert vars_of(found) == vars_of(counts)
    assert found.to_json(labels=False) == counts.to_json(labels=False)
    assert found.rows1.dtype == counts.rows1.dtype
    assert not any(x.flags.writeable for x in (found.rows1, found.rows2, found.multiplicities))
    assert found + counts == counts + counts


decimals = st.integers(-500, 500).map(lambda k: k / 100)


@given(st.lists(st.tuples(decimals, decimals, st.integers(0, 9)), max_size=12), st.randoms())
def test_the_same_bits_in_any_order(pairs, random):
    """Of equal counts the texts and their digests are equal, of others they differ."""
    one, two, how_often = ([x[k] for x in pairs] for k in range(3))
    whole = PairedCounts(one, two, how_often)
    random.shuffle(pairs)
    parts = [PairedCounts([a], [b], [n]) for a, b, n in pairs]
    found = sum((PairedCounts.from_json(part.to_json()) for part in parts), start=0) or whole
    assert found == whole == PairedCounts.from_json(whole.to_json())
    assert (found.to_json(), found.sha256) == (whole.to_json(), whole.sha256)
    more = whole + PairedCounts([7], [0], [1])
    assert more != whole
    assert more.sha256 != whole.sha256


def test_the_same_bits_of_labels_that_occur():
    """In sets 0 and 8 come in the order in which they were added."""
    stored = COUNTS["named"].to_dict() | {"sha256": None}
    texts = []
    for labels in ([0, 8], [8, 0]):
        stored["occurring"][1][0] = labels
        texts.append(PairedCounts.from_dict(stored).to_json())
    assert texts[0] == texts[1]


def test_the_same_bits_of_parts_that_lack_a_label():
    """Of each part a selected label is absent, of both none is."""
    options = {"metric": "f1", "average": "macro", "labels": ["x", "y"]}
    found = sum(paired_counts([x], [x], [x], **options) for x in "xy")
    whole = paired_counts(*[["x", "y"]] * 3, **options)
    assert found == whole
    assert found.to_json(labels=False) == whole.to_json(labels=False)


def test_parts_that_are_one_hot():
    """Alone a part may be a few sequences of 0 and 1; of all together it is told."""
    columns = [[[1, 0]] * 3] * 3, [[[0, 1]] * 2] * 3
    parts = [{**paired_counts(*x).to_dict(), "sha256": None} for x in columns]
    counts = sum((PairedCounts.from_dict(part) for part in parts), start=0)
    with pytest.raises(InputError, match="look one-hot: rows of 2 numbers"):
        paired_permutation_test(PairedCounts.from_json(counts.to_json()))
    more = counts + paired_counts([[0, 1]], [[0, 1]], [[1, 1]])
    assert paired_permutation_test(more).score1 == pytest.approx(11 / 12)


def test_a_digest_for_each():
    digests = {kind: counts.sha256 for kind, counts in COUNTS.items()}
    assert len({*digests.values()}) == len(digests)
    assert all(re.fullmatch("[0-9a-f]{64}", x) for x in digests.values())


@pytest.mark.parametrize("kind", ["macro", "kappa", "weighted", "f1"])
def test_without_labels(kind):
    """Classes are numbered in their order: the test says the same of them, and names none."""
    names = {"x": "Müller", "y": "Weiß", "z": "Zhao"}
    columns = [[names[x] for x in column] for column in SIX]
    options = COUNTS[kind].metric_options or {}
    options = {k: names.get(x, x) if isinstance(x, str) else x for k, x in options.items()}
    counts = paired_counts(*columns, COUNTS[kind].metric, **options)
    text = json.dumps(json.loads(counts.to_json(labels=False)), ensure_ascii=False)
    there = {name for name in names.values() if name in text}
    assert there == {*options.values()} & {*names.values()}
    found = PairedCounts.from_json(text)
    assert found.sha256 == counts.sha256
    for test in TESTS:
        chosen = {"n_resamples": 99, "rng": 0, "method": "monte_carlo"}
        assert test(found, **chosen).to_dict() == test(counts, **chosen).to_dict()


def test_without_labels_that_occur():
    """What warns of labels of which none is right is left out too."""
    counts = paired_counts(["Müller", "Weiß"], ["Weiß", "Weiß"], ["Zhao", "Li"])
    assert counts.to_dict()["occurring"] is not None
    assert counts.to_dict(labels=False)["occurring"] is None
    assert PairedCounts.from_dict(counts.to_dict(labels=False)) == counts


def test_options_of_what_was_read_are_copies():
    stored = COUNTS["f1"].to_dict()
    counts = PairedCounts.from_dict(stored)
    stored["metric_options"]["pos_label"] = counts.to_dict()["metric_options"]["pos_label"] = "z"
    assert counts.metric_options == {"pos_label": "x"}


N = 6  # distinct pairs of three classes
ROW = [1] * 9
WRONG = {
    "kind": ["texts", 1],
    "is_labelled": [None, 1, "yes"],
    "format": [None, "counts", 3, ["pairedperm counts"]],
    "version": [None, 0, 3, "1", [1]],
    "metric": [3, True, ["f1"], {}],
    "metric_options": [3, "average", ["x"], True],
    "decimals": [None, -1, 23, 0.0, True, "0", 2**63, [0]],
    "unit": [None, 0, -1, 1.0, True, "1", 2**63],
    "n_ignored": [None, -1, 0.0, False, "0", 2**70],
    "paired_by": [None, "name", 1, ["id"]],
    "classes": [None, "xyz", {}, ["x"], ["x", "y"], ["x", "y", "y"], ["x", "y", 3]],
    "classes ": [[1.0, 2.0, 3.0], ["x", "y", None], [True, False, 2], [["x", "y"], "y", "z"]],
    "classes  ": [[[["x"]], ["y"], ["z"]], [{}, "x", "y"]],
    "occurring": [3, True, "abcde", [], {}, [[], [[], []], "", 2, True]],
    "occurring ": [[[], [[], [], []], 3, 2, True], [[], [[], [], []], "", "2", True]],
    "occurring  ": [
        [[0.5], [[], [], []], "", True, True],
        [["x", 1], [[], [], []], "", True, True],
    ],
    "multiplicities": [None, 3, "12", {}, [], [1], [1] * 5 + [0], [1] * 5 + [-1], [1.0] * N],
    "multiplicities ": [[x] * N for x in (True, "1", None, [1], 2**63, 2**62)] + [[1] * 7],
    "sizes": [3, "x", {}, [], [1] * 5, *([x] * N for x in (0, -1, 1.5, [1], 2**62, True))],
    "rows1": [None, 3, "x", {}, [], [ROW] * 5, [ROW] * 7, [[1] * 8] * N, [1] * N, [[ROW]] * N],
    "rows1 ": [[[x] * 9] * N for x in (1.0, True, "1", None, 2**63, {})],
    "rows1  ": [[ROW] * 5 + [[1] * 8], [ROW] * 5 + [1]],
}
DAMAGES = [(key.strip(), value) for key, values in WRONG.items() for value in values]


@pytest.mark.parametrize(("key", "value"), DAMAGES, ids=repr)
def test_a_damaged_entry(key, value):
    """Each refusal names the entry, or one that it does not fit."""
    stored = COUNTS["macro"].to_dict() | {"sha256": None, key: value}
    with pytest.raises(InputError, match=r"`counts`|`multiplicities` must add up") as caught:
        PairedCounts.from_dict(stored)
    others = {
        "rows1": "classes|multiplicities",
        "multiplicities": "rows1",
        "format": "counts",
        "sizes": "multipl",
    }
    assert re.search(f"{key}|{others.get(key, key)}", str(caught.value))
    assert re.search("anew|Install the release|to_dict|added more than once", str(caught.value))


@pytest.mark.parametrize("key", COUNTS["macro"].to_dict())
def test_a_missing_entry(key):
    """Those that may be null may be missing too."""
    stored = COUNTS["macro"].to_dict() | {"sha256": None}
    del stored[key]
    if key in ("sizes", "occurring", "sha256", "kind"):
        assert PairedCounts.from_dict(stored) == COUNTS["macro"]
        return
    if key == "metric_options":
        assert PairedCounts.from_dict(stored).metric_options is None
        return
    with pytest.raises(InputError, match=key):
        PairedCounts.from_dict(stored)


@pytest.mark.parametrize("entries", [{"decimals": 1}, {"unit": 10}])
def test_numbers_in_another_form(entries):
    """10 tenths are 1: equal counts have one form, or are refused."""
    stored = PairedCounts.from_rows([1, 2], [0, 1]).to_dict() | {"sha256": None} | entries
    stored |= {"rows1": [10, 20], "rows2": [0, 10]}
    try:
        found = PairedCounts.from_dict(stored)
    except InputError:
        return
    assert found == PairedCounts.from_rows([1, 2], [0, 1])


@pytest.mark.parametrize("kind", [kind for kind, counts in COUNTS.items() if counts.n])
def test_the_sum_of_what_is_stored(kind):
    """One multiplicity more, as a hand or a disk may make it, shows."""
    stored = COUNTS[kind].to_dict()
    stored["multiplicities"][0] += 1
    with pytest.raises(InputError, match="were altered"):
        PairedCounts.from_dict(stored)


# What other releases wrote


OLD_COUNTS = (
    "c-oDSJxc^J6h)JrT@|zz{Rgv6Y74vV3`Ce-!hFP?fb$YEnPNIEmfeNdCH`IwK}2K)Z*gyPIK_QkzDr7S@YdGasm>"
    "}lu(35x!<MyX0zcxV25CUaXXA!Y;x$ZzotaFKV#D;}b?sa|<CS!(H86TNwLU~#WiH}5bQuVdlih|kabK03@?zIhT"
    "y=i7D&Ruj9S{2|mb^fEFNApbNXf;CZ;qQA@)i1PebbYEk<5MZ?Op!h$v=7er=JsX@}1OM4S4pLH>}^DN+H(CnD`5"
    "8M(wqMgHVmH*e9hLXoL"
)


def test_old_pickles_are_refused():
    """They had other attributes. The message says what to do."""
    with pytest.raises(InputError, match=r"pickled by an older release.*make it anew.*`to_json`"):
        pickle.loads(zlib.decompress(base64.b85decode(OLD_COUNTS)))
    of_rows = b"cbuiltins\ngetattr\n(cpairedperm.scoring.rows\nRows\nV_remade\ntR(tR."
    with pytest.raises(InputError, match="pickled by an older release"):
        pickle.loads(of_rows)


ROOTS = [2**0.5, 3**0.5, 0.25], [1.0, 2**0.5, 0.5]


def of_floats(**changes):
    """The stored form of scores on no lattice, of version 2."""
    rows = read_arguments(*ROOTS, None)[0]
    return PairedCounts.of(rows).to_dict() | {"sha256": None} | changes


@pytest.mark.parametrize("way", ["json", "dict"])
def test_floats_there_and_back(way):
    counts = PairedCounts.from_dict(of_floats())
    found = through(counts, way)
    assert (found.rows1.tolist(), found.rows2.tolist(), found.multiplicities) == (*ROOTS, None)
    assert (found.n, found.provenance.rounding, found.to_dict()["version"]) == (3, 2.0**-51, 2)
    assert paired_permutation_test(found) == paired_permutation_test(*ROOTS)
    assert found == counts
    assert "no decimal" in counts.to_json()
    assert "no decimal" not in counts.to_json(labels=False)  # it would tell an example's score


DAMAGED_FLOATS = {
    "rows1": [[1.5, math.nan, 0.0], [1.5, math.inf, 0.0], ["1", 2, 3], [True] * 3, [0.5], None],
    "rounding": [None, "0", True, 2.0**-54, 0.5],
    "no_lattice": [None, "", 3],
    "rows2": [[2**53 + 1, 0.5, 1.0]],
    "multiplicities": [[1, 1, 1]],
    "sizes": [[1, 1, 1]],
    "unit": [10],
    "decimals": [1],
}


@pytest.mark.parametrize(
    ("key", "value"), [(x, y) for x, several in DAMAGED_FLOATS.items() for y in several], ids=repr
)
def test_damaged_floats(key, value):
    with pytest.raises(InputError, match=r"`counts`.*Write them anew"):
        PairedCounts.from_dict(of_floats(**{key: value}))


def test_floats_are_not_added():
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
