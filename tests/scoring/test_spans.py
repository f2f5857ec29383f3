"""Spans: hand-checked tag sequences, seqeval as the oracle, selected types, errors."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oracles.spans import entities
from pairedperm.inputs.labels import Labels, read_labels
from pairedperm.scoring.metrics.tags import read_spans, read_tags, span_counts
from properties import one_in

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


def spans_of(*rows):
    """(type, first tag, last tag) of each row's spans, as seqeval writes them."""
    labels, types = tagged("tags", list(rows)), {}
    spans = read_spans(labels, types)
    names = {number: name for name, number in types.items()}
    offsets = np.cumsum(labels.lengths + 1) - labels.lengths - 1
    found = [[] for _ in rows]
    for example, start, end, kind in zip(*(column.tolist() for column in spans), strict=True):
        found[example].append((names[kind], start - offsets[example], end - offsets[example]))
    return found


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
    assert spans_of(tags.split()) == [expected]
    assert entities([tags.split()]) == expected


def test_spans_end_with_their_example():
    rows = ["B-X", "I-X"], [], ["I-X"], ["x", "B-X"], []
    expected = [[("X", 0, 1)], [], [("X", 0, 0)], [("_", 0, 0), ("X", 1, 1)], []]
    assert spans_of(*rows) == expected


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
    counts = span_counts(*both)
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
        chosen = sums(span_counts(*both, selected=[kind]))
        assert chosen[1:] == tuple(map(len, of_kind))
        if as_corpus:
            assert chosen[0] == len(of_kind[0] & of_kind[1])


def test_where_seqeval_looks_into_the_sentence_before():
    # Alone, both second rows have "_" at 0 and X at 1; seqeval lets "_" start in the first row
    references = [["B-X", "B-X"], ["x", "B-X"]]
    predictions = [["B-X", "O"], ["x", "B-X"]]
    assert ("_", 1, 3) in entities(references)
    assert ("_", 0, 3) in entities(predictions)
    numbers, _ = span_counts(*columns(predictions, references, False))
    assert numbers[:, 0].tolist() == [1, 2]


def test_selected_types():
    both = columns([["B-X", "B-Y", "B-Z"]], [["B-X", "B-Z", "B-Z"]], True)
    assert sums(span_counts(*both)) == (2, 3, 3)
    assert sums(span_counts(*both, selected={"X", "Y"})) == (1, 2, 1)
    assert sums(span_counts(*both, selected=["X", "X", "absent"])) == (1, 1, 1)
    assert sums(span_counts(*both, selected=())) == (0, 0, 0)
    assert span_counts(*both, selected=["absent"])[1] == ({"X", "Y", "Z"}, {"X", "Z"})


def test_types_are_those_of_spans():
    assert span_counts(*columns([["O-X"]], [["O"]], True))[1] == (frozenset(), frozenset())


def test_shared_numbers_of_types():
    types = {}
    first = read_spans(tagged("references", [["B-X", "B-Y"]]), types)
    second = read_spans(tagged("references", [["B-Y", "B-X", "B-Z"]]), types)
    assert first.types.tolist() == [types["X"], types["Y"]]
    assert second.types.tolist() == [types["Y"], types["X"], types["Z"]]


def test_nothing_but_empty_rows():
    numbers, types = span_counts(*columns([[], []], [[], []], False))
    assert numbers.tolist() == [[0, 0, 0]] * 2
    assert types == (frozenset(), frozenset())
    mixed, _ = span_counts(tagged("predictions", [[], ["B-X"]]), tagged("r", [[], ["O"]]))
    assert mixed[:, 1].tolist() == [0, 1]


def test_a_million_tags_of_known_names():
    names = ["O", "B-X", "I-X"]
    flat = np.tile(np.array([0, 1, 2, 2, 0]), 200_000)
    labels = Labels("references", flat, "strings", np.full(200_000, 5), names)
    numbers, _ = span_counts(labels, labels)
    assert (numbers == 1).all()
