"""Strings as numbers of the distinct ones: the same answers and refusals as one by one."""

from enum import Enum
from itertools import product

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pairedperm import InputError, compare
from pairedperm.inputs import label_numbers
from pairedperm.inputs.label_numbers import numbers_in_arrow, numbers_of, numbers_of_few
from pairedperm.inputs.labels import read_labels
from properties import one_in, some

MACRO = {"metric": "f1", "average": "macro"}
FORMS = ({}, {"metric": "exact_match"}, {"metric": "f1", "average": "micro"})


class Tag(str, Enum):
    YES = "a"
    NO = "b"


def test_numbers_follow_those_that_there_are():
    numbers = {"b": 0}
    assert numbers_of(["a", "b", "c", "a"], numbers).tolist() == [1, 0, 2, 1]
    assert numbers == {"b": 0, "a": 1, "c": 2}
    names = ["b"]
    found = numbers_of_few(["a", "b", "c", "a"], names)
    assert found.tolist() == [1, 0, 2, 1]
    assert found.dtype == np.int64
    assert names == ["b", "a", "c"]


@pytest.mark.parametrize("last", [None, float("nan"), 1, ["b"], b"a", ("a",)])
def test_names_do_not_grow_by_what_is_no_string(last):
    names = ["b"]
    assert numbers_of_few(["a", last], names) is None
    assert names == ["b"]


@one_in(7)
@pytest.mark.parametrize(
    ("options", "n_names"),
    [
        *product(FORMS, (1, 2, 256, 257)),
        *product([MACRO], (1, 2, 257)),
        *(
            pytest.param(*case, marks=pytest.mark.thorough)
            for case in [(MACRO, 256), *product((*FORMS, MACRO), (255, 1000))]
        ),
    ],
    ids=str,
)
def test_as_many_names_as_there_are(n_names, options):
    rng = np.random.default_rng(n_names)
    gold = np.concatenate((np.arange(n_names), rng.integers(0, n_names, 500)))
    ids = [np.where(rng.random(gold.size) < 0.8, gold, rng.integers(0, n_names, gold.size))]
    ids += [np.where(rng.random(gold.size) < 0.7, gold, rng.integers(0, n_names, gold.size)), gold]
    if options.get("average") == "macro" and n_names > 2:
        options = {**options, "method": "monte_carlo", "n_resamples": 99, "rng": 0}
    spelled = compare(*([f"{k:04}" for k in column] for column in ids), **options)
    assert spelled.to_dict() == compare(*ids, **options).to_dict()


@pytest.mark.parametrize("options", FORMS, ids=str)
@pytest.mark.parametrize("of_many", [0, 1, 2])
def test_one_column_of_many_names_beside_two_of_few(of_many, options):
    columns = [["a", "b", "a", "a"] * 100, ["a", "a", "b", "b"] * 100, ["b", "b", "a", "b"] * 100]
    columns[of_many] = columns[of_many][:10] + [f"{k}" for k in range(390)]
    ids = {name: k for k, name in enumerate({x for column in columns for x in column})}
    expected = compare(*([ids[x] for x in column] for column in columns), **options)
    assert compare(*columns, **options).to_dict() == expected.to_dict()


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_strings_that_are_equal_are_one_label(options):
    gold = ["a", "b", "a", "b"]
    forms = ["a", Tag.YES, np.str_("a"), np.array("a")], [Tag.NO, "b", np.str_("b"), "b"]
    expected = compare(["a"] * 4, ["b"] * 4, gold, **options)
    assert compare(*forms, gold, **options).to_dict() == expected.to_dict()
    assert compare(*map(np.array, (["a"] * 4, ["b"] * 4)), gold, **options).pvalue == 1.0


@pytest.mark.parametrize("options", FORMS, ids=str)
@pytest.mark.parametrize("bad", [None, float("nan"), 1, True, 1.0, ["a"], {"a"}, b"a", np.int64(1)])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_what_is_no_string_is_refused_as_ever(which, bad, options):
    """Also after 300 strings, some of them the same: the message is that of one by one."""
    for before in (["a"], ["a", "b"] * 150, [f"{k}" for k in range(300)]):
        name = ("predictions1", "predictions2", "references")[which]
        columns = [["a"] * (len(before) + 1)] * 3
        columns[which] = [*before, bad]
        with pytest.raises(InputError) as told:
            compare(*columns, **options)
        with pytest.raises(InputError) as expected:
            read_labels(name, columns[which])
        assert str(told.value) == str(expected.value)
        assert f"`{name}`" in str(told.value)


def in_arrow(column):
    """The column as pyarrow holds it, for itself, pandas and `datasets`."""
    array = pa.array(column)
    half = len(column) // 2
    yield array
    yield array.cast(pa.large_string())
    yield array[1:]
    yield pa.chunked_array([array[:half], array[:0], array[half:]])
    yield datasets.Dataset.from_dict({"a": column})["a"]
    for kind in ("string[pyarrow]", pd.ArrowDtype(pa.string())):
        series = pd.Series(column, dtype=kind)
        yield series
        yield series[::-1]
        yield series.array


@pytest.mark.parametrize(
    "n_names", [1, 257, 5000, *(pytest.param(n, marks=pytest.mark.thorough) for n in (2, 256))]
)
@pytest.mark.parametrize("options", FORMS, ids=str)
@pytest.mark.thorough
def test_columns_in_arrow_are_read_as_lists_are(n_names, options):
    rng = np.random.default_rng(n_names)
    columns = [[f"{k}" for k in rng.integers(0, n_names, 6000)] for _ in range(3)]
    for arrows in zip(*map(in_arrow, columns), strict=True):
        expected = compare(*map(list, map(spelled, arrows)), **options)
        assert compare(*arrows, **options).to_dict() == expected.to_dict()
        beside = compare(arrows[0], spelled(arrows[1]), arrows[2], **options)
        assert beside.to_dict() == expected.to_dict()


def spelled(column):
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)


def test_arrow_is_left_alone_where_it_holds_others():
    numbers = pd.Series([1, 2], dtype=pd.ArrowDtype(pa.int64()))
    for column in (pa.array(["a", None]), pa.array([1]), pa.array([b"a"]), pa.array([["a"]])):
        assert numbers_in_arrow(column, []) is None
    for column in (
        pa.table({"a": ["a"]}),
        pa.scalar("a"),
        pa.string(),
        numbers,
        ["a"],
        np.array(["a"]),
        pd.Series(["a"], dtype=object),
        None,
    ):
        assert numbers_in_arrow(column, []) is None


@one_in(7)
@pytest.mark.parametrize("n_names", [1, 2, 256, 257, 5000])
@pytest.mark.parametrize("bits", [20, 1])
def test_long_arrays_of_strings_are_read_as_lists_are(monkeypatch, n_names, bits):
    """Also where strings have the same hash, and from another machine's or another array's."""
    monkeypatch.setattr(label_numbers, "_BITS", bits)
    names = np.array([f"{k:o}\0{'x' * (k % 5)}" for k in range(n_names)])
    numbers = np.random.default_rng(n_names).integers(0, n_names, (3, 2**16 + 5))
    columns = names[numbers]
    lists = columns.tolist()
    expected = compare(*lists).to_dict()
    assert compare(*columns).to_dict() == expected
    assert compare(columns[0], lists[1], columns[2]).to_dict() == expected
    swapped = columns.astype(names.dtype.newbyteorder())
    every_other = np.repeat(columns[1], 2)[::2]
    assert compare(swapped[0], every_other, columns[2].astype("U70")).to_dict() == expected
    is_read = numbers_of_few(columns[0], []) is not None
    assert is_read is (n_names <= (256 if bits == 20 else 2))


@pytest.mark.thorough
def test_rows_of_a_long_array_of_strings():
    columns = np.array(["B-PER", "I-PER", "O"])[
        np.random.default_rng(0).integers(0, 3, (3, 2**15, 3))
    ]
    lists = columns.tolist()
    kinds = ({}, {"metric": "f1", "average": "micro"}, {"metric": "span_f1"})
    for options in some(kinds, every=2):
        expected = compare(*lists, **options).to_dict()
        assert compare(*columns, **options).to_dict() == expected


def test_long_arrays_of_empty_strings_and_of_numbers():
    for dtype in ("U1", "U0"):
        empty = np.zeros(2**16, dtype=dtype)
        assert compare(empty, empty.tolist(), empty).score1 == 1.0
    assert numbers_of_few(np.zeros(2**16), []) is None
