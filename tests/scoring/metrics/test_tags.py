"""Columns of tags, as names or ids, and their spans: by hand and against seqeval."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import spans as truth
from pairedperm.inputs.labels import Labels, read_labels
from pairedperm.scoring.metrics.spans import (
    DEFAULT,
    SCHEMES,
    read_label_names,
    read_spans,
    read_tags,
    span_counts,
)
from properties import cases

NAMES = ("O", "B-X", "I-X")
IDS = read_labels("predictions1", [[0, 2], [], [1]])
NUMBERED = replace(IDS, flat=np.array([1, 0, 2]), kind="strings", names=[2, 0, 1])
"""As of a dataset's column."""
IGNORED = np.array([True, False, True, True, False])
PADDED = read_labels("predictions1", [[-100, 1, 9], [3, 2]])
OF_A_COLUMN = Labels("tags", np.array([0, 2]), "strings", np.array([2]), ["B-X", "E-X", "O"])


@pytest.mark.parametrize(
    ("labels", "arguments", "spelled"),
    [
        (IDS, (None, NAMES), ["O", "I-X", "B-X"]),
        (NUMBERED, (None, NAMES), ["O", "I-X", "B-X"]),
        (read_labels("predictions1", [[], []]), (None, NAMES), []),
        (read_labels("predictions1", [["O", "I-X"]]), ("IOB2", NAMES), ["O", "I-X"]),
        (OF_A_COLUMN, ("IOB2",), ["B-X", "O"]),  # of its names E-X does not occur
    ],
)
def test_names_of_tags(labels, arguments, spelled):
    assert read_tags(labels, *arguments).spelled == spelled


def test_ignored_places():
    """They may hold anything, also the id of what is no tag; those after them keep theirs."""
    tags = read_tags(PADDED, "IOB2", (*NAMES, "[PAD]"), IGNORED)
    assert [tags.spelled[k] for k in (1, 4)] == ["B-X", "I-X"]
    assert read_tags(PADDED, None, ("", "B-X", "I-X"), IGNORED).spelled[1] == "B-X"


@pytest.mark.parametrize(
    "names",
    [
        np.array(NAMES),
        {2: "I-X", np.int64(0): "O", 1: "B-X"},
        {"2": "I-X", 0: "O", "1": "B-X"},
    ],
)
def test_label_names(names):
    found = read_label_names(names)
    assert found == NAMES
    assert {type(name) for name in found} == {str}


# Spans


KINDS = ("-X", "-Y", "-X-Y", "", "-", "X", "--X", "-X-")
ODD = ["B", "I-", "E", "b-X", "i-X", "X-X", "B-X-Y", "-X", "XY", "B_X", "I--X"]
STARTLESS = ["X", "b", "-", "x-_", ".", "o", "O-X", ".-X"]  # a span may end that did not begin
TAGS = {
    None: ["O", "O", *(prefix + kind for prefix in "BIES" for kind in KINDS[:2]), *ODD, *STARTLESS],
    **{
        name: ["O", *(prefix + kind for prefix in scheme.prefixes for kind in KINDS)]
        for name, scheme in SCHEMES.items()
    },
}


def spans_of(rows, scheme=None):
    """(type, first tag, last tag) of each row's spans, as seqeval writes them."""
    labels, types = read_tags(read_labels("tags", rows), scheme), {}
    spans = read_spans(labels, types, SCHEMES.get(scheme, DEFAULT))
    names = {number: name for name, number in types.items()}
    offsets = np.cumsum(labels.lengths + 1) - labels.lengths - 1
    found = [[] for _ in rows]
    for example, start, end, kind in zip(*(column.tolist() for column in spans), strict=True):
        found[example].append((names[kind], start - offsets[example], end - offsets[example]))
    return found


def of_seqeval(row, scheme):
    return truth.strict_entities(row, scheme) if scheme else truth.entities([row])


@pytest.mark.parametrize("scheme", TAGS)
@cases(0.5)
@given(data=st.data())
def test_spans_are_seqevals(scheme, data):
    """Of each sentence alone: where nothing began, seqeval looks into the one before."""
    row = st.lists(st.sampled_from(TAGS[scheme]), max_size=9)
    rows = data.draw(st.lists(row, min_size=1, max_size=30))
    found, expected = spans_of(rows, scheme), [of_seqeval(row, scheme) for row in rows]
    assert [*map(set, found)] == [*map(set, expected)]
    assert [*map(len, found)] == [len(set(x)) for x in expected]


HARD = [  # where tags begin or end nothing, two spans start at one tag, a point hides the end
    *("S-X B-X I-X E-X E-X", "B I O S", "E-X X-X O", "B-X .-X O", "x O", "B-X O x B-X"),
]


@pytest.mark.parametrize("scheme", TAGS)
def test_all_short_sequences(scheme):
    """All of three tags of two types: each pattern, after each other one."""
    prefixes = SCHEMES[scheme].prefixes if scheme else ()
    tags = [prefix + kind for prefix in prefixes for kind in KINDS[:2]]
    rows = [[a, b, c] for a in tags for b in tags for c in tags] or [x.split() for x in HARD]
    assert spans_of(rows, scheme) == [of_seqeval(row, scheme) for row in rows]


def test_types_are_those_of_spans():
    """Chosen or not; O has none."""
    columns = [["B-X", "B-Y", "B-Z"]], [["B-X", "B-Z", "O-Q"]]
    pair = [read_tags(read_labels(f"predictions{k}", x)) for k, x in enumerate(columns, 1)]
    for chosen, expected in ((None, [1, 3, 2]), (["X", "X", "absent"], [1, 1, 1]), ((), [0] * 3)):
        (found, _), types = span_counts((*pair, pair[1]), chosen, DEFAULT)
        assert found.tolist() == [expected]
        assert [*types] == [{"X", "Y", "Z"}, {"X", "Z"}, {"X", "Z"}]
