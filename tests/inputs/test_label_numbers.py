"""Strings as numbers of the distinct ones: the same answers and refusals as one by one."""

import numpy as np
import pyarrow as pa
import pytest

from pairedperm import InputError, compare
from pairedperm.inputs.labels import read_labels
from properties import one_in

FORMS = ({}, {"metric": "exact_match"}, {"metric": "f1", "average": "micro"})
NAMES = ("predictions1", "predictions2", "references")


@one_in(5)
@pytest.mark.parametrize("n_names", [1, 2, 256, 257])
@pytest.mark.parametrize("options", FORMS, ids=str)
def test_as_many_names_as_there_are(n_names, options):
    """In lists, in Arrow, and in some columns only."""
    columns = np.random.default_rng(n_names).integers(0, n_names, (3, 900))
    columns[:, :n_names] = np.arange(n_names)
    columns[:2, 5:9] = 0
    expected = compare(*columns, **options).to_dict()
    spelled = [[f"{k:04}" for k in column] for column in columns]
    assert compare(*spelled, **options).to_dict() == expected
    assert compare(*map(pa.array, spelled), **options).to_dict() == expected
    assert compare(spelled[0], pa.array(spelled[1]), spelled[2], **options).to_dict() == expected


@one_in(5)
@pytest.mark.parametrize("bad", [None, float("nan"), 1, True, 1.0, ["a"], {"a"}, b"a", np.int64(1)])
@pytest.mark.parametrize("before", [["a"], ["a", "b"] * 150, [f"{k}" for k in range(300)]])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_string_is_refused_as_ever(name, before, bad):
    """The message is that of one by one."""
    columns = {x: ["a"] * (len(before) + 1) for x in NAMES} | {name: [*before, bad]}
    with pytest.raises(InputError) as told:
        compare(**columns)
    with pytest.raises(InputError) as expected:
        read_labels(name, columns[name])
    assert str(told.value) == str(expected.value)


def test_long_arrays_of_strings_are_read_as_lists_are():
    """Also from another machine's or another array's."""
    names = np.array([f"{k:o}\0{'x' * (k % 5)}" for k in range(257)])
    columns = names[np.random.default_rng(0).integers(0, 257, (3, 2**16 + 5))]
    expected = compare(*columns.tolist())
    assert compare(*columns) == expected
    swapped = columns[0].astype(names.dtype.newbyteorder())
    every_other = np.repeat(columns[1], 2)[::2]
    assert compare(swapped, every_other, columns[2].astype("U70")) == expected


def test_long_arrays_of_empty_strings_of_rows_and_of_numbers():
    for dtype in ("U1", "U0"):
        empty = np.zeros(2**16, dtype=dtype)
        assert compare(empty, empty.tolist(), empty).score1 == 1.0
    rows = np.array(["B-PER", "I-PER", "O"])[np.random.default_rng(0).integers(0, 3, (3, 2**15, 2))]
    assert compare(*rows, "span_f1") == compare(*rows.tolist(), "span_f1")
