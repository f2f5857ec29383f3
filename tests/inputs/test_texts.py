"""Columns of sentences, with one reference or some each."""

import numpy as np
import pandas as pd
import pytest

from pairedperm import InputError
from pairedperm.inputs.texts import read_sentences


@pytest.mark.parametrize(
    "column",
    [
        [["a", " b "], ["c", ""]],
        (("a", " b "), ("c", "")),
        np.array([["a", " b "], ["c", ""]]),
        np.array([["a", " b "], ["c", ""]], dtype=object),
        [np.array(["a", " b "]), ["c", ""]],
        pd.Series([["a", " b "], ("c", "")]),
    ],
)
def test_several_references(column):
    assert read_sentences("references", column) == [["a", " b "], ["c", ""]]


@pytest.mark.parametrize("name", ["predictions1", "references"])
@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series])
def test_one_text(name, kind):
    assert read_sentences(name, kind(["a", " b "])) == [["a"], [" b "]]
    assert read_sentences("references", [["a"], " b "]) == [["a"], [" b "]]


@pytest.mark.parametrize(
    ("name", "column", "message"),
    [
        ("predictions1", None, "`predictions1` is missing: pass a text per example"),
        ("references", None, "`references` is missing: pass a text, or a list of texts per exa"),
        ("references", [], "`references` is empty"),
        ("predictions2", "a text", "`predictions2` must be a sequence with one entry per example"),
        ("predictions1", ["a", 5], r"`predictions1`\[8\] must be a text, got 5 \(int\)"),
        ("predictions1", ["a", None], r"`predictions1`\[8\] must be a text, got None"),
        ("predictions1", ["a", np.nan], r"`predictions1`\[8\] must be a text, got nan"),
        ("predictions1", [["a"]], r"`predictions1`\[7\] must be a text, got \['a'\] \(list\)"),
        ("references", ["a", b"b"], r"`references`\[8\] must be a text, or a list of texts, got b"),
        ("references", [["a", None]], r"`references`\[7\] must be .*, got \['a', None\] \(list\)"),
        ("references", [["a"], {"en": "b"}], r"`references`\[8\] must be .*got {'en': 'b'} \(dict"),
        ("references", [["a"], [["b"]]], r"`references`\[8\] must be .*got \[\['b'\]\] \(list\)"),
        ("references", [[]], r"`references`\[7\] has no text\. Give '' for an empty sentence"),
        (
            "references",
            [["a", "b"], ["a", "b"], ["a"]],
            r"`references`\[9\] has 1 texts and `references`\[7\] has 2: give every sentence as",
        ),
    ],
)
def test_no_sentences(name, column, message):
    with pytest.raises(InputError, match=message):
        read_sentences(name, column, 7)
