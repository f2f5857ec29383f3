"""Columns of tags, as names or ids, and their spans: by hand and against seqeval."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oracles import spans as truth
from oracles.spans import entities
from pairedperm import InputError
from pairedperm.inputs.labels import Labels, read_labels
from pairedperm.scoring.metrics.span_scores import read_label_names
from pairedperm.scoring.metrics.tags import DEFAULT, SCHEMES, read_spans, read_tags, span_counts
from properties import one_in


def test_numbers_of_tags():
    tags = read_tags(read_labels("predictions1", [["O", "B-X"], [], ["O"]]))
    assert (tags.names, tags.flat.tolist()) == (["O", "B-X"], [0, 1, 0])
    assert read_tags(tags) is tags
    assert read_tags(read_labels("predictions1", [[], []])).names == []


NAMES = ("O", "B-X", "I-X")


@pytest.mark.parametrize("coded", [False, True])
def test_names_of_ids(coded):
    """Also of ids that are numbered themselves, as those of a dataset's column."""
    labels = read_labels("predictions1", [[0, 2], [], [1]])
    if coded:
        labels = replace(labels, flat=np.array([1, 0, 2]), kind="strings", names=[2, 0, 1])
    tags = read_tags(labels, label_names=NAMES)
    assert tags.spelled == ["O", "I-X", "B-X"]
    assert (tags.kind, tags.lengths.tolist()) == ("strings", [2, 0, 1])
    assert read_tags(labels, label_names=("O", "B-X", "O")).spelled == ["O", "O", "B-X"]
    assert read_tags(read_labels("predictions1", [[], []]), label_names=NAMES).spelled == []


@pytest.mark.parametrize("scheme", [None, "IOB2"])
def test_tags_are_among_the_names(scheme):
    """Those that occur: others may be names of a dataset's column."""
    labels = read_labels("predictions1", [["O", "I-X"]])
    assert read_tags(labels, scheme, NAMES).spelled == ["O", "I-X"]
    named = Labels("predictions1", np.array([1, 0]), "strings", labels.lengths, ["O", "B-X", "B-Y"])
    assert read_tags(named, scheme, NAMES) is named


def test_ignored_places():
    """They may hold anything, also the id of what is no tag; those after them keep theirs."""
    labels = read_labels("predictions1", [[-100, 1, 9], [3, 2]])
    ignored = np.array([True, False, True, True, False])
    tags = read_tags(labels, "IOB2", (*NAMES, "[PAD]"), ignored)
    assert [tags.spelled[k] for k in (1, 4)] == ["B-X", "I-X"]
    assert read_tags(labels, None, ("", "B-X", "I-X"), ignored).spelled[1] == "B-X"
    for tag, scheme, message in (("", None, "an empty tag"), ("x", "IOB2", "'x', which is no tag")):
        with pytest.raises(InputError, match=rf"`predictions1`\[1\]\[1\] is {message}"):
            read_tags(labels, scheme, ("O", "B-X", tag), ignored)
    with pytest.raises(InputError, match=r"`predictions1`\[1\]\[0\] is 3, which `label_names`"):
        read_tags(labels, None, NAMES, np.array([True, False, True, False, False]))


@pytest.mark.parametrize(
    "names",
    [
        list(NAMES),
        NAMES,
        np.array(NAMES),
        {0: "O", 1: "B-X", 2: "I-X"},
        {2: "I-X", np.int64(0): "O", 1: "B-X"},
        {"2": "I-X", "0": "O", "1": "B-X"},
        {"2": "I-X", 0: "O", "1": "B-X"},
    ],
)
def test_label_names(names):
    found = read_label_names(names)
    assert found == NAMES
    assert {type(name) for name in found} == {str}


# Spans


TAGS = ["O", "O", *(prefix + kind for prefix in "BIES" for kind in ("-X", "-Y"))]
ODD = ["B", "I-", "E", "b-X", "i-X", "X-X", "B-X-Y", "-X", "XY", "B_X", "I--X"]
# Those after which a span may end where none began
STARTLESS = ["X", "b", "-", "x-_", ".", "o", "O-X", ".-X"]


def tagged(name, column, start=0):
    return read_tags(read_labels(name, column, start))


def columns(predictions, references, coded):
    found = tagged("predictions", predictions), tagged("references", references)
    if not coded:
        return found
    names = sorted({tag for labels in found for tag in labels.spelled} | {"", "unused"})
    return tuple(
        replace(
            labels,
            flat=np.array([names.index(tag) for tag in labels.spelled], dtype=np.int64),
            names=names,
        )
        for labels in found
    )


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


def counts_of(predictions, references, selected=None):
    """One system's counts, and the types of both columns; another that is always right."""
    columns = predictions, references, references
    (counts, right), types = span_counts(columns, selected, DEFAULT)
    assert (right == counts[:, 2:]).all()
    assert types[1] == types[2]
    return counts, tuple(types[:2])


def sums(counts):
    """Of the rows (correct, predicted, right)."""
    return tuple(counts[0].sum(axis=0).tolist())


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("O O", []),
        ("B-X I-X O B-Y", [("X", 0, 1), ("Y", 3, 3)]),
        ("B-X B-X", [("X", 0, 0), ("X", 1, 1)]),
        ("I-X I-X O I-X", [("X", 0, 1), ("X", 3, 3)]),
        ("B-X I-Y I-Y", [("X", 0, 0), ("Y", 1, 2)]),
        ("S-X B-X I-X E-X E-X", [("X", 0, 0), ("X", 1, 3), ("X", 4, 4)]),
        ("B I O S", [("_", 0, 1), ("_", 3, 3)]),
        ("PER PER O LOC", [("ER", 0, 1), ("OC", 3, 3)]),
        ("B-X-Y I-X", [("X-Y", 0, 0), ("X", 1, 1)]),
        ("b-X i-X O -X", [("X", 0, 1), ("X", 3, 3)]),
        ("I-X O-X O-Y I-X", [("X", 0, 0), ("X", 3, 3)]),
        ("OX Other", []),
        ("E-X X-X O", [("X", 0, 0), ("X", 0, 1)]),  # two that start at one tag
        ("B-X .-X O", []),  # a point hides the end
        ("B-X .-X I-X O", [("X", 0, 2)]),
        ("x O", []),  # not ended by O, as both have no type
        ("B-X O x B-X", [("X", 0, 0), ("_", 0, 2), ("X", 3, 3)]),
    ],
)
def test_by_hand(tags, expected):
    assert spans_of([tags.split()]) == [expected]
    assert entities([tags.split()]) == expected


def test_spans_end_with_their_example():
    rows = [["B-X", "I-X"], [], ["I-X"], ["x", "B-X"], []]
    expected = [[("X", 0, 1)], [], [("X", 0, 0)], [("_", 0, 0), ("X", 1, 1)], []]
    assert spans_of(rows) == expected
    rows = [["B-X", "I-X"], [], ["I-X", "B-X"], ["I-X"]]
    assert spans_of(rows, "IOB2") == [[("X", 0, 1)], [], [("X", 1, 1)], []]


def sentences(tags):
    """Lists of pairs of tags, which are often the same."""
    tag = st.sampled_from(tags)
    pair = tag.map(lambda x: (x, x)) | st.tuples(tag, tag)
    return st.lists(st.lists(pair, max_size=7), min_size=1, max_size=30)


@one_in(3)
@pytest.mark.parametrize("tags", [TAGS, TAGS + ODD, TAGS + ODD + STARTLESS])
@given(data=st.data(), coded=st.booleans())
def test_as_seqeval_counts(data, tags, coded):
    rows = data.draw(sentences(tags))
    assume(any(rows))  # a ClassLabel column without a label has no names either
    references, predictions = ([[pair[k] for pair in row] for row in rows] for k in (0, 1))
    both = columns(predictions, references, coded)
    counts = counts_of(*both)
    numbers, types = counts
    found, gold = ([set(entities([row])) for row in rows] for rows in (predictions, references))
    assert numbers.dtype == np.int64
    assert numbers[:, 0].tolist() == [len(a & b) for a, b in zip(found, gold, strict=True)]
    assert numbers[:, 1].tolist() == list(map(len, found))
    assert numbers[:, 2].tolist() == list(map(len, gold))
    assert types == tuple({x[0] for spans in rows for x in spans} for rows in (found, gold))
    found, gold = set(entities(predictions)), set(entities(references))
    assert sums(counts)[1:] == (len(found), len(gold))
    # Where nothing began, seqeval takes the last start in the sentences before: not so here
    as_corpus = "o" not in tags
    if as_corpus:
        assert sums(counts)[0] == len(found & gold)
    for kind in frozenset.union(*types):
        of_kind = [{span for span in spans if span[0] == kind} for spans in (found, gold)]
        chosen = sums(counts_of(*both, selected=[kind]))
        assert chosen[1:] == tuple(map(len, of_kind))
        if as_corpus:
            assert chosen[0] == len(of_kind[0] & of_kind[1])


def test_where_seqeval_looks_into_the_sentence_before():
    # Alone, both second rows have "_" at 0 and X at 1; seqeval lets "_" start in the first row
    references = [["B-X", "B-X"], ["x", "B-X"]]
    predictions = [["B-X", "O"], ["x", "B-X"]]
    assert ("_", 1, 3) in entities(references)
    assert ("_", 0, 3) in entities(predictions)
    numbers, _ = counts_of(*columns(predictions, references, False))
    assert numbers[:, 0].tolist() == [1, 2]


def test_selected_types():
    both = columns([["B-X", "B-Y", "B-Z"]], [["B-X", "B-Z", "B-Z"]], True)
    assert sums(counts_of(*both)) == (2, 3, 3)
    assert sums(counts_of(*both, selected={"X", "Y"})) == (1, 2, 1)
    assert sums(counts_of(*both, selected=["X", "X", "absent"])) == (1, 1, 1)
    assert sums(counts_of(*both, selected=())) == (0, 0, 0)
    assert counts_of(*both, selected=["absent"])[1] == ({"X", "Y", "Z"}, {"X", "Z"})


def test_types_are_those_of_spans():
    assert counts_of(*columns([["O-X"]], [["O"]], True))[1] == (frozenset(), frozenset())


def test_shared_numbers_of_types():
    types = {}
    first = read_spans(tagged("references", [["B-X", "B-Y"]]), types)
    second = read_spans(tagged("references", [["B-Y", "B-X", "B-Z"]]), types)
    assert first.types.tolist() == [types["X"], types["Y"]]
    assert second.types.tolist() == [types["Y"], types["X"], types["Z"]]


def test_nothing_but_empty_rows():
    numbers, types = counts_of(*columns([[], []], [[], []], False))
    assert numbers.tolist() == [[0, 0, 0]] * 2
    assert types == (frozenset(), frozenset())
    mixed, _ = counts_of(tagged("predictions", [[], ["B-X"]]), tagged("r", [[], ["O"]]))
    assert mixed[:, 1].tolist() == [0, 1]


def test_a_million_tags_of_known_names():
    names = ["O", "B-X", "I-X"]
    flat = np.tile(np.array([0, 1, 2, 2, 0]), 200_000)
    labels = Labels("references", flat, "strings", np.full(200_000, 5), names)
    numbers, _ = counts_of(labels, labels)
    assert (numbers == 1).all()


# Spans of strict schemes, also of malformed tags


TYPES = ("-X", "-Y", "-X-Y", "", "-", "X", "--X", "-X-")
each = pytest.mark.parametrize("name", SCHEMES)


def test_schemes_are_seqevals():
    assert set(SCHEMES) == set(truth.SCHEMES)


@one_in(5)
@each
@pytest.mark.parametrize("types", [TYPES[:2], TYPES])
@given(data=st.data())
def test_spans_of_schemes_are_seqevals(name, types, data):
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
def test_schemes_by_hand(name, tags, expected):
    assert spans_of([tags.split()], name) == [expected]
    assert truth.strict_entities(tags.split(), name) == expected


def test_names_of_other_schemes_that_do_not_occur():
    labels = Labels("tags", np.array([0, 2]), "strings", np.array([2]), ["B-X", "E-X", "O"])
    assert len(read_spans(read_tags(labels, "IOB2"), {}, SCHEMES["IOB2"]).ends) == 1
    with pytest.raises(InputError, match="'B-X', which is no tag of scheme"):
        read_tags(labels, "IOE2")
