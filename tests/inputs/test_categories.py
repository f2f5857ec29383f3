"""Labels as categories of pandas and dictionaries of Arrow."""

from functools import partial

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from datasets import Dataset

from doors import NAMES, in_batches, in_one
from pairedperm import compare
from pairedperm.hf import compare_dataset
from pairedperm.inputs.labels import read_labels
from properties import one_in

TEXTS = (["b", "a", "b", "c", "a"], ["a", "a", "b", "b", "b"], ["b", "a", "c", "c", "b"])
NUMBERS = tuple([ord(x) - 98 for x in column] for column in TEXTS)
BOOLS = tuple([x > 0 for x in column] for column in NUMBERS)
FORMS = {
    "Categorical": pd.Categorical,
    "Series": partial(pd.Series, dtype="category"),
    "Series with an index": lambda x: pd.Series(x, dtype="category", index=[*range(9, 4, -1)]),
    "CategoricalIndex": pd.CategoricalIndex,
    "Arrow": lambda x: pa.array(x).dictionary_encode(),
    "chunks": lambda x: pa.chunked_array([x[:2], x[2:]]).dictionary_encode(),
    "chunks with dictionaries of their own": lambda x: pa.chunked_array(
        [pa.array(x[:2]).dictionary_encode(), pa.array(x[2:]).dictionary_encode()]
    ),
    "Series of Arrow": lambda x: pd.Series(pd.array(pa.array(x).dictionary_encode().to_pandas())),
}


@pytest.fixture(params=[in_one, partial(in_batches, size=2)])
def door(request):
    return request.param


@one_in(7)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("columns", [TEXTS, NUMBERS, BOOLS])
def test_labels_are_the_values_of_the_categories(form, columns, door):
    given = [FORMS[form](column) for column in columns]
    for options in ({}, {"metric": "f1", "average": "macro"}):
        expected = compare(*columns, **options)
        assert door(*given, **options) == expected
        assert door(given[0], columns[1], given[2], **options) == expected


def test_each_column_has_its_own_list_of_categories():
    lists = (["c", "b", "a"], ["a", "b", "unused"], ["x", "c", "a", "b"])
    given = [pd.Categorical(x, categories=y) for x, y in zip(TEXTS, lists, strict=True)]
    for options in ({"metric": "f1", "average": "macro"}, {"metric": "f1", "pos_label": "c"}):
        assert compare(*given, **options) == compare(*TEXTS, **options)
    ordered = [pd.Categorical(x, ordered=True) for x in TEXTS]
    assert compare(*ordered) == compare(*TEXTS)


def test_a_category_twice_is_one_label():
    twice = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1, 0]), pa.array(["b", "a", "b"]))
    assert compare(twice, *TEXTS[1:]) == compare(["b", "a", "b", "a", "b"], *TEXTS[1:])


def test_they_are_read_by_their_numbers():
    column = read_labels("predictions1", pd.Categorical(TEXTS[0]))
    assert isinstance(column.flat, np.ndarray)
    assert column.spelled == TEXTS[0]


def test_modules_and_datasets(registered):
    columns = {name: FORMS["Series"](x) for name, x in zip(NAMES, TEXTS, strict=True)}
    expected = compare(*TEXTS)
    assert evaluate.load("paired_perm").compute(**columns) == expected.to_dict()
    table = pa.table({name: FORMS["Arrow"](x) for name, x in zip(NAMES, TEXTS, strict=True)})
    assert compare_dataset(Dataset(table)) == expected
    assert compare_dataset(Dataset.from_pandas(pd.DataFrame(columns))) == expected
