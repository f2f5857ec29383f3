"""Ids: which entries of several columns belong together."""

import re

import numpy as np
import pandas as pd
import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import InputError
from pairedperm.inputs import ids as ids_module
from pairedperm.inputs.ids import align, read_ids
from pairedperm.readers import read_runs


@pytest.fixture(params=[0, ids_module._MANY], ids=["by bytes", "by Python"], autouse=True)
def many(request, monkeypatch):
    """So many texts are sorted by pyarrow."""
    monkeypatch.setattr(ids_module, "_MANY", request.param)


few = st.integers(-3, 6) | st.just(2**70)
columns = st.lists(st.lists(few, max_size=9), min_size=1, max_size=3)


@given(columns, st.booleans())
def test_align_as_plainly_said(columns, are_texts):
    columns = [[str(x) for x in ids] for ids in columns] if are_texts else columns
    found = align([*"abc"][: len(columns)], columns)
    every = sorted({x for ids in columns for x in ids})
    assert found.ids == [x for x in every if all(ids.count(x) == 1 for ids in columns)]
    for ids, place, lacking, repeated in zip(
        columns, found.places, found.lacking, found.repeated, strict=True
    ):
        assert place.dtype == np.int64
        assert [ids[k] for k in place] == found.ids
        assert lacking == [x for x in every if x not in ids]
        assert repeated == [x for x in every if ids.count(x) > 1]


any_texts = st.text(st.characters(exclude_categories=()), max_size=2)


@given(st.lists(any_texts | st.sampled_from(["\uffff", "\U0001f600", "\ud800"]), max_size=9))
def test_texts_stand_in_the_order_of_python(ids):
    """Also where UTF-16 would have another order, and for half a surrogate pair."""
    found = align("ab", [ids, ids[::-1]])
    assert found.ids == sorted(x for x in ids if ids.count(x) == 1)
    assert [
        [x[k] for k in place] for x, place in zip((ids, ids[::-1]), found.places, strict=True)
    ] == [found.ids] * 2


def test_ids_that_agree():
    found = align("ab", [["b", "a"], ["a", "b"]])
    assert (found.ids, [x.tolist() for x in found.places]) == (["a", "b"], [[1, 0], [0, 1]])
    assert (found.lacking, found.repeated) == ([[], []], [[], []])


@pytest.mark.parametrize(
    "column",
    [
        [3, 1],
        (3, 1),
        np.array([3, 1], np.int32),
        pd.Series([3, 1], index=[7, 8]),
        Dataset.from_dict({"id": [3, 1]})["id"],
        [np.int64(3), True],
    ],
)
def test_read_ids(column):
    assert read_ids("ids", column, "") == [3, 1]


def test_read_texts():
    assert read_ids("ids", np.array(["b", "a"]), "") == ["b", "a"]
    given = ["b"]
    assert read_ids("ids", given, "") is not given  # a copy: the caller may change theirs


@pytest.mark.thorough
def test_many():
    rng = np.random.default_rng(5)
    one, two = (rng.permutation(300_000)[:299_990].tolist() for _ in "ab")
    found = align("ab", [one, two])
    assert found.ids == sorted({*one} & {*two})
    assert found.lacking == [sorted({*two} - {*one}), sorted({*one} - {*two})]
    for ids, place in zip((one, two), found.places, strict=True):
        assert np.array_equal(np.array(ids)[place], found.ids)


ONE, TWO = "caf\u00e9", "cafe\u0301"
SAID = r"'caf\\xe9'.*'cafe\\u0301'|'cafe\\u0301'.*'caf\\xe9'"
REMEDY = "are one text in two Unicode forms: write all ids in one, such as NFC"


@pytest.mark.parametrize(("other", "is_said"), [(TWO, True), ("caf\u00e8", False)])
def test_forms_are_told(other, is_said, tmp_path):
    for name, x in (("a", ONE), ("b", other)):
        (tmp_path / f"{name}.csv").write_text(f"id,score\n{x},1\nz,0\n", "utf-8")
    with pytest.raises(InputError) as caught:
        read_runs(tmp_path / "a.csv", tmp_path / "b.csv")
    said = re.search(f"(?s)({SAID}) {REMEDY}", str(caught.value))
    assert bool(said) == is_said
    assert is_said or "Unicode" not in str(caught.value)
