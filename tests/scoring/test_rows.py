"""What counts are counts of: said in messages, joined, and held against the rows of a test."""

import json
import pickle
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import InputError, PairedCounts, paired_permutation_test
from pairedperm.scoring.call_options import METRICS
from pairedperm.scoring.merging import of_all
from pairedperm.scoring.rows import Provenance
from pairedperm.scoring.vocabulary import LabelsToCheck
from properties import cases
from scoring.counted import COUNTS, TESTS


def test_of_parts():
    """Classes of all, in order; a label is absent if it is of every part."""
    said = LabelsToCheck(absent=frozenset("xq"), labels=(frozenset("y"),) * 3)
    one = Provenance("f1", {"average": "macro"}, ("a", "c"), n_ignored=2, to_check=said)
    two = Provenance("f1", {"average": "macro"}, ("b", "c"), n_ignored=3)
    also = Provenance("f1", {"average": "macro"}, (), to_check=LabelsToCheck(absent=frozenset("q")))
    assert of_all([one]) == one
    assert of_all([one, two]) == Provenance(
        "f1", {"average": "macro"}, ("a", "b", "c"), n_ignored=5
    )
    assert of_all([two, one]) == of_all([one, two])
    joined = of_all([also, one])
    assert (joined.to_check.absent, joined.classes) == ({"q"}, ("a", "c"))
    pairs = [Provenance("cohen_kappa", classes=((x, 1),)) for x in (2, 0)]
    assert of_all(pairs).classes == ((0, 1), (2, 1))
    assert pickle.loads(pickle.dumps(joined)) == joined


def test_empty_parts():
    """Bare counts of nothing are neutral; nothing of a metric stays of that metric."""
    nothing, other = (
        PairedCounts.from_rows([], []),
        PairedCounts.from_dict(
            COUNTS["accuracy"].to_dict()
            | {"sha256": None, "rows1": [], "rows2": [], "multiplicities": []}
        ),
    )
    for counts in COUNTS.values():
        assert nothing + counts == counts + nothing == sum([counts]) == counts
    assert other.metric == "accuracy"
    assert other + COUNTS["accuracy"] == COUNTS["accuracy"]
    with pytest.raises(InputError, match="different metrics"):
        other + COUNTS["f1"]


def test_what_is_printed():
    assert repr(COUNTS["macro"]) == "PairedCounts(n=6, n_distinct=6, shape=(n, 9), metric='f1')"
    assert repr(COUNTS["groups"]).startswith("PairedCounts(n=6, n_groups=3, n_distinct=3, shape")


def altered(kind, **entries):
    return PairedCounts.from_dict(COUNTS[kind].to_dict() | {"sha256": None} | entries)


def with_rows(kind, row):
    """The first system's rows are all this one."""
    return {"rows1": [row] * len(COUNTS[kind].rows1)}


def with_columns(kind, columns):
    return {x: getattr(COUNTS[kind], x)[:, columns].tolist() for x in ("rows1", "rows2")}


@pytest.mark.parametrize(
    ("kind", "entries"),
    [
        # rows of another metric
        ("f1", {"metric": "accuracy", "metric_options": None}),
        ("macro", {"metric": "accuracy", "metric_options": None}),
        ("accuracy", {"metric": "f1", "metric_options": {"average": "macro"}}),
        ("accuracy", {"metric": "cohen_kappa"}),
        ("accuracy", {"metric": "bleu"}),
        ("kappa", {"metric_options": {"weights": "linear"}}),
        ("f1", {"metric_options": {"average": "macro"}}),
        # of another width
        ("f1", with_columns("f1", [0])),
        ("f1", with_columns("f1", [0, 1, 2, 2])),
        # accuracy of 7, below 0, or of a third of an example
        ("accuracy", {"rows1": [7, 7, 7]}),
        ("accuracy", {"rows1": [-7, 0, 1]}),
        ("accuracy", {"unit": 3}),
        # fewer labels than none, or more that are correct than are predicted
        ("f1", with_rows("f1", [-1] * 3)),
        ("macro", with_rows("macro", [-1] * 9)),
        ("macro", with_rows("macro", [1, 1, 1, 0, 0, 0, 1, 1, 1])),
    ],
)
def test_rows_that_the_metric_cannot_have(kind, entries):
    for test in TESTS:
        with pytest.raises(InputError, match=r"`counts1` is of .* Was it altered\?"):
            test(altered(kind, **entries))


def test_rows_too_large_for_classes():
    rows = COUNTS["macro"].rows1.tolist()
    rows[0][-1] = 2**63 - 1
    with pytest.raises(InputError):
        paired_permutation_test(altered("macro", rows1=rows))


names = st.sampled_from(["", "x", "id", *METRICS])
scalars = st.none() | st.booleans() | st.integers(-3, 4) | st.floats() | names
values = st.recursive(
    scalars | st.sampled_from([2**31, 2**62, -(2**63), 2**63 - 1, 2**63]),
    lambda x: (
        st.lists(x, max_size=4)
        | st.dictionaries(st.sampled_from(["average", "labels", "of", "weights", "k"]), x)
    ),
    max_leaves=4,
)


def entries(stored):
    """Where a value stands: its holder and its key there."""
    pairs = stored.items() if isinstance(stored, dict) else enumerate(stored)
    for key, value in [*pairs]:
        yield stored, key
        if isinstance(value, (dict, list)):
            yield from entries(value)


def check_read(stored):
    """It is refused, or read; then tests answer, or refuse it."""
    try:
        counts = PairedCounts.from_dict(stored)
    except InputError:
        return
    assert PairedCounts.from_json(counts.to_json()) == counts
    for test in TESTS if counts.n < 10**4 else ():
        with suppress(InputError):
            assert 0 <= test(counts, n_resamples=99, rng=0).pvalue <= 1


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::UserWarning")
@given(st.data())
@cases(5)
def test_any_entry_altered(data):
    """No other error than InputError, whatever a file says."""
    stored = json.loads(COUNTS[data.draw(st.sampled_from([*COUNTS]))].to_json())
    stored["sha256"] = None
    holder, key = data.draw(st.sampled_from([*entries(stored)]))
    if data.draw(st.booleans()):
        holder, key = stored, data.draw(st.sampled_from(["metric", "metric_options", "classes"]))
    holder[key] = data.draw(values)
    check_read(stored)


def test_how_parts_were_paired():
    """By id if all were, in whatever order they are added."""
    parts = [
        PairedCounts.from_dict(COUNTS["accuracy"].to_dict() | {"paired_by": x, "sha256": None})
        for x in ("id", "position", "id")
    ]
    assert sum(parts).provenance.paired_by == sum(parts[::-1]).provenance.paired_by == "position"
    assert sum(parts).to_json() == sum(parts[::-1]).to_json()
    assert (parts[0] + parts[2]).provenance.paired_by == "id"
