"""Strict schemes: seqeval's spans of random tags, malformed ones included, in one piece."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import spans as truth
from pairedperm import InputError
from pairedperm.inputs.labels import Labels, read_labels
from pairedperm.scoring.metrics.tags import SCHEMES, read_spans, read_tags
from properties import one_in

TYPES = ("-X", "-Y", "-X-Y", "", "-", "X", "--X", "-X-")
each = pytest.mark.parametrize("name", SCHEMES)


def spans_of(rows, name):
    """(type, first tag, last tag) of each row's spans."""
    labels, types = read_tags(read_labels("tags", rows), name), {}
    spans = read_spans(labels, types, SCHEMES[name])
    names = {number: kind for kind, number in types.items()}
    offsets = np.cumsum(labels.lengths + 1) - labels.lengths - 1
    found = [[] for _ in rows]
    for example, start, end, kind in zip(*(column.tolist() for column in spans), strict=True):
        found[example].append((names[kind], start - offsets[example], end - offsets[example]))
    return found


def test_schemes_are_seqevals():
    assert set(SCHEMES) == set(truth.SCHEMES)


@one_in(5)
@each
@pytest.mark.parametrize("types", [TYPES[:2], TYPES])
@given(data=st.data())
def test_spans_are_seqevals(name, types, data):
    tags = ["O", *(prefix + kind for prefix in SCHEMES[name].prefixes for kind in types)]
    rows = data.draw(st.lists(st.lists(st.sampled_from(tags), max_size=9), min_size=1, max_size=30))
    assert spans_of(rows, name) == [truth.strict_entities(row, name) for row in rows]


@each
def test_all_short_sequences(name):
    """All of three tags of two types: each pattern, after each other one."""
    tags = [prefix + kind for prefix in SCHEMES[name].prefixes for kind in TYPES[:2]]
    rows = [[a, b, c] for a in tags for b in tags for c in tags]
    assert spans_of(rows, name) == [truth.strict_entities(row, name) for row in rows]


@pytest.mark.parametrize(
    ("name", "tags", "expected"),
    [
        ("IOB2", "B-X I-X O I-X", [("X", 0, 1)]),
        ("IOB2", "B-X I-Y I-X", [("X", 0, 0)]),
        ("IOB1", "I-X I-X B-X I-Y", [("X", 0, 1), ("X", 2, 2), ("Y", 3, 3)]),
        ("IOB1", "B-X I-X", [("X", 1, 1)]),
        ("IOE2", "I-X E-X E-X I-X O", [("X", 0, 1), ("X", 2, 2)]),
        ("IOE1", "I-X I-X E-X I-X O", [("X", 0, 2), ("X", 3, 3)]),
        ("IOE1", "I-X E-X O", []),  # seqeval has no pattern for it
        ("IOBES", "B-X I-X E-X S-Y B-X I-X O", [("X", 0, 2), ("Y", 3, 3)]),
        ("BILOU", "B-X L-X U-Y L-X", [("X", 0, 1), ("Y", 2, 2)]),
    ],
)
def test_by_hand(name, tags, expected):
    assert spans_of([tags.split()], name) == [expected]
    assert truth.strict_entities(tags.split(), name) == expected


def test_spans_end_with_their_example():
    rows = [["B-X", "I-X"], [], ["I-X", "B-X"], ["I-X"]]
    assert spans_of(rows, "IOB2") == [[("X", 0, 1)], [], [("X", 1, 1)], []]


@pytest.mark.parametrize(
    ("name", "tag"),
    [("IOB1", "E-X"), ("IOB2", "b-X"), ("IOE2", "B"), ("IOBES", "X-X"), ("BILOU", "-X")],
)
def test_tags_that_seqeval_has_not_either(name, tag):
    with pytest.raises((KeyError, ValueError)):
        truth.strict_entities(["O", tag], name)


def test_names_of_other_schemes_that_do_not_occur():
    labels = Labels("tags", np.array([0, 2]), "strings", np.array([2]), ["B-X", "E-X", "O"])
    assert len(read_spans(read_tags(labels, "IOB2"), {}, SCHEMES["IOB2"]).ends) == 1
    with pytest.raises(InputError, match="'B-X', which is no tag of scheme"):
        read_tags(labels, "IOE2")
