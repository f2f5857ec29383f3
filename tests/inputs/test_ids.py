"""Ids: which entries of several columns belong together."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pairedperm import InputError
from pairedperm.inputs.columns import align, read_ids
from pairedperm.readers import read_runs
from properties import cases

few = st.integers(-3, 6) | st.just(2**70)
texts = st.text(st.characters(exclude_categories=()), max_size=2)
odd = texts | st.sampled_from(["\uffff", "\U0001f600", "\ud800"])


@cases(2)
@given(st.lists(st.lists(few, max_size=9) | st.just([]), min_size=1, max_size=3))
def test_align_as_plainly_said(columns):
    check_aligned(columns)
    check_aligned([[str(x) for x in ids] for ids in columns])


@cases(1)
@given(st.lists(odd, max_size=9), st.lists(odd, max_size=9))
@example(["\ud800", "a"], [])
def test_texts_stand_in_the_order_of_python(one, other):
    """Also for half a surrogate pair."""
    check_aligned([one, one[::-1] + other])


def check_aligned(columns):
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


def test_what_is_read_is_a_copy():
    """The caller may change theirs; NumPy's numbers and truth values are integers."""
    given = ["b"]
    assert read_ids("ids", given, "") is not given
    assert read_ids("ids", [np.int64(3), True], "") == [3, 1]


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
