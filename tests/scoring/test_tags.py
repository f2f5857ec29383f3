"""Columns of tags: what is none, and where."""

from dataclasses import replace

import numpy as np
import pytest

from oracles.spans import entities
from pairedperm import InputError
from pairedperm.inputs.labels import Labels, read_labels
from pairedperm.scoring.tags import read_label_names, read_tags


def test_numbers_of_tags():
    tags = read_tags(read_labels("predictions1", [["O", "B-X"], [], ["O"]]))
    assert (tags.names, tags.flat.tolist()) == (["O", "B-X"], [0, 1, 0])
    assert read_tags(tags) is tags
    assert read_tags(read_labels("predictions1", [[], []])).names == []


def test_single_labels():
    message = r"`predictions1` has single labels \('B-X'\).* a list of"
    with pytest.raises(InputError, match=message):
        read_tags(read_labels("predictions1", ["B-X"]))


def test_integers_without_names():
    message = r"`predictions1` holds integers \(1\).* label_names=\['O', .*int2str"
    with pytest.raises(InputError, match=message):
        read_tags(read_labels("predictions1", [[1]]))
    ones, names = np.ones(2, np.int64), ("O", "B-X")
    for some in ([0, 1], ["O", 1]):
        numbered = Labels("predictions1", ones, "strings", ones, some)
        with pytest.raises(InputError, match=message):
            read_tags(numbered, label_names=names if "O" in some else None)


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
    message = (
        r"`references`\[5\]\[1\] is 'I-Y', which `label_names` lacks, got 'O', 'B-X', 'I-X'\. "
        "`label_names` gives the tags of ids: leave it out if columns hold tags"
    )
    with pytest.raises(InputError, match=message):
        read_tags(read_labels("references", [["O"], ["O", "I-Y"]], 4), scheme, NAMES)


@pytest.mark.parametrize("beyond", [3, -1, -100, 2**40])
def test_ids_beyond_the_names(beyond):
    labels = read_labels("references", [[0], [1, beyond, 5]], 7)
    message = rf"`references`\[8\]\[1\] is {beyond}, which `label_names` lacks: .* are 0 to 2"
    with pytest.raises(InputError, match=message):
        read_tags(labels, label_names=NAMES)


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


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("O", "must be a list of tags, each at its id, .* got 'O'"),
        ([], r"must be a list of tags, .* got \[\]"),
        ({}, r"must be a list of tags, .* got {}"),
        ({"O", "B-X"}, "must be a list of tags"),
        (3, "must be a list of tags, .* got 3"),
        (iter(NAMES), "must be a list of tags"),
        ({"O": 0, "B-X": 1}, "must have the ids from 0, without gaps, as its keys, .*id2label"),
        ({1: "O", 2: "B-X"}, "must have the ids from 0"),
        ({0: "O", 2: "B-X"}, "must have the ids from 0"),
        ({"0": "O", 0: "B-X"}, "must have the ids from 0"),
        ({"0": "O", "01": "B-X"}, "must have the ids from 0"),
        ({0: "O", None: "B-X"}, "must have the ids from 0"),
        ({False: "O", True: "B-X"}, "must have the ids from 0"),
        (["O", 1], r"`label_names`\[1\] must be a tag, such as 'B-PER', got 1"),
        ({0: None}, r"`label_names`\[0\] must be a tag, .* got None"),
        (np.zeros((2, 2)), r"`label_names`\[0\] must be a tag"),
    ],
)
def test_what_is_no_list_of_names(names, message):
    with pytest.raises(InputError, match=message):
        read_label_names(names)


@pytest.mark.parametrize("coded", [False, True])
def test_empty_tag(coded):
    # seqeval fails at it with an IndexError
    with pytest.raises(IndexError):
        entities([["O", ""]])
    labels = read_labels("predictions1", [["O"], ["O", ""]])
    if coded:
        labels = Labels("predictions1", np.array([1, 1, 0]), "strings", labels.lengths, ["", "O"])
    with pytest.raises(InputError, match=r"`predictions1`\[1\]\[1\] is an empty tag: write 'O'"):
        read_tags(labels)
