"""Columns of sentences, with one reference or some each."""

import numpy as np
import pandas as pd
import pytest

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
