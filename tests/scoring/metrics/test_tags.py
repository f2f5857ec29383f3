"""Columns of tags, as names or ids."""

from dataclasses import replace

import numpy as np
import pytest

from pairedperm import InputError
from pairedperm.inputs.labels import Labels, read_labels
from pairedperm.scoring.metrics.span_scores import read_label_names
from pairedperm.scoring.metrics.tags import read_tags


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
