"""Every container that holds a column says what a list of its entries says."""

from array import array
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from datasets import Dataset, Features, Value

from extras import needs
from pairedperm import Ratio, compare, paired_permutation_test
from pairedperm.inputs.columns import read_ids
from pairedperm.scoring.metrics.texts import read_sentences

pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")

COLUMNS = {
    "labels": [*"babca"],
    "numbers": [1, 0, 2, 1, -3],
    "bools": [True, False, True, True, False],
    "scores": [3, 1, 2, 0, 1],
    "decimals": [0.1, 0.7, 0.2, 0.4, 1.25],
    "ids": [7, 3, 5, 1, 4],
    "texts": ["a b", "", " c", "ä", "a b"],
    "groups": [2, 1, 2, 0, 1],
}
LABELS, NUMBERS = {"labels", "numbers", "bools", "groups"}, {*COLUMNS} - {"labels", "texts"}


def answer(kind, column):
    """What is found of a column of this kind."""
    if kind == "ids":
        return read_ids("ids", column, "")
    if kind == "texts":
        return read_sentences("predictions1", column)
    if kind == "groups":
        return compare([1, 0, 1, 1, 1], [0, 0, 0, 0, 1], [1] * 5, groups=column)
    if kind in ("scores", "decimals"):
        return paired_permutation_test(column, [0.5, 1, 0.25, 0, 1])
    right = COLUMNS[kind][:3] + COLUMNS[kind][:2]
    return compare(column, right[::-1], right, "f1", average="macro")


class MakesAnArray:
    def __init__(self, column):
        self.column = column

    def __len__(self):
        return len(self.column)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.column)


def other_bytes(column):
    found = np.array(column)
    return found.astype(found.dtype.newbyteorder())


def tensor(column):
    return needs("torch", "dev").tensor(column)


def in_format(form):
    return lambda x: Dataset.from_dict({"x": x}).with_format(form)["x"]


CONTAINERS = {  # what makes it of a list, and of which columns
    "tuple": (tuple, {*COLUMNS}),
    "array": (np.array, {*COLUMNS}),
    "objects": (lambda x: np.array(x, dtype=object), {*COLUMNS}),
    "other bytes": (other_bytes, {*COLUMNS}),
    "masked array": (np.ma.array, {*COLUMNS}),
    "memory": (lambda x: memoryview(np.array(x)), NUMBERS),
    "what makes an array": (MakesAnArray, {*COLUMNS}),
    "Series": (lambda x: pd.Series(x, index=[*range(9, 4, -1)]), {*COLUMNS}),
    "nullable": (lambda x: pd.Series(x).convert_dtypes(), {*COLUMNS}),
    "Series of Arrow": (lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.array(x).type)), {*COLUMNS}),
    "Categorical": (pd.Categorical, LABELS),
    "other categories": (lambda x: pd.Categorical(x, [*{*x}, *x[:0], *"xy"][::-1]), {"labels"}),
    "Arrow": (pa.array, {*COLUMNS}),
    "part of Arrow": (lambda x: pa.array([*x[:1], *x])[1:], {*COLUMNS}),
    "chunks": (lambda x: pa.chunked_array([x[:2], x[:0], x[2:]]), {*COLUMNS}),
    "large strings": (lambda x: pa.array(x).cast(pa.large_string()), {"labels", "texts"}),
    "dictionary": (lambda x: pa.array(x).dictionary_encode(), LABELS),
    "chunks of dictionaries": (
        lambda x: pa.chunked_array([pa.array(y).dictionary_encode() for y in (x[:2], x[2:])]),
        LABELS,
    ),
    "dataset": (in_format(None), {*COLUMNS}),
    "dataset in NumPy": (in_format("numpy"), {*COLUMNS}),
    "reversed dataset": (
        lambda x: Dataset.from_dict({"x": x[::-1]}).select([*range(4, -1, -1)])["x"],
        {*COLUMNS},
    ),
    "tensor": (tensor, NUMBERS),
    "tensors": (lambda x: [*map(tensor, x)], {"numbers", "bools", "scores", "decimals"}),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_columns(container):
    make, kinds = CONTAINERS[container]
    for kind in kinds:
        assert answer(kind, make(COLUMNS[kind])) == of_list(kind), kind


@cache
def of_list(kind):
    return answer(kind, COLUMNS[kind])


FLOATS = [0.1, 0.7, 0.2]


@pytest.mark.parametrize(
    "column",
    [
        np.float32(FLOATS),
        pd.Series(FLOATS, dtype="float32[pyarrow]"),
        pa.array(FLOATS, pa.float32()),
        pa.chunked_array([np.float32(FLOATS[:1]), np.float32(FLOATS[1:])]),
        memoryview(array("f", FLOATS)),
        np.longdouble(FLOATS),
        [np.float32(0.1), 0.7, np.float32(0.2)],
        [Fraction(1, 10), Decimal("0.7"), 0.2],
        pa.array([*map(Decimal, ("0.1", "0.7", "0.2"))], pa.decimal128(10, 4)),
        pd.Series([*map(Decimal, ("0.1", "0.7", "0.2"))]),
        Dataset.from_dict(
            {"x": [*map(Decimal, ("0.1", "0.7", "0.2"))]},
            features=Features({"x": Value("decimal128(10, 4)")}),
        )["x"],
    ],
)
def test_decimals_of_other_types(column):
    """A float32 holds the decimal that it prints as, in whatever container."""
    expected = paired_permutation_test(FLOATS, [0.3, 0.1, 0.1])
    assert paired_permutation_test(column, [0.3, 0.1, 0.1]) == expected


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "uint64", "float16"])
def test_integers_of_any_type(dtype):
    one, two = np.array([[1, 1, 1, 0, 1, 1], [0, 0, 1, 0, 0, 1]], dtype=dtype)
    result = paired_permutation_test(one, two)
    assert (result.pvalue, result.statistic) == (0.25, 0.5)


# Rows of an example each


BITS = [[0, 1, 0], [1, 1, 0], [0, 0, 0], [1, 0, 0]]
ROWS = {
    "counts": [[1, 2], [2, 2], [0, 1], [1, 4]],
    "decimals": [[0.1, 0.7], [0.2, 0.5], [0.3, 0.4], [0.5, 0.6]],
    "runs": BITS,
    "indicators": BITS,
    "texts": [["a", " b "], ["c", ""], ["", "d"], ["e", "e"]],
}
OF_NUMBERS = {*ROWS} - {"texts"}
OTHER = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 0]])


def answer_of_rows(kind, rows):
    if kind == "texts":
        return read_sentences("references", rows)
    if kind == "runs":
        return compare(rows, OTHER.tolist(), None, "pass_at_k", k=2)
    if kind == "indicators":
        return compare(rows, OTHER, OTHER[::-1], "f1", average="macro", multilabel=True)
    score = Ratio([1, 0], [0, 1]) if kind == "counts" else lambda sums: sums[..., 0] / sums[..., 1]
    return paired_permutation_test(rows, [[1, 1]] * 4, score=score)


TABLES = {
    "array": (np.array, {*ROWS}),
    "arrays": (lambda x: [*map(np.array, x)], {*ROWS} - {"indicators"}),
    "tuples": (lambda x: (*map(tuple, x),), {*ROWS} - {"indicators"}),
    "objects": (lambda x: np.array(x, dtype=object), {*ROWS}),
    "memory": (lambda x: memoryview(np.array(x)), OF_NUMBERS),
    "masked": (np.ma.array, OF_NUMBERS),
    "Series of lists": (pd.Series, {*ROWS} - {"indicators"}),
    "float32": (lambda x: np.array(x, np.float32), {"counts", "decimals", "indicators"}),
    "dataset": (lambda x: Dataset.from_dict({"x": x})["x"], {*ROWS} - {"indicators"}),
    "tensor": (tensor, OF_NUMBERS - {"decimals"}),
    "bools": (lambda x: np.array(x, bool), {"runs", "indicators"}),
    "table": (pd.DataFrame, {"counts", "decimals"}),
    "rows of a nullable table": (
        lambda x: pd.DataFrame(x).convert_dtypes().to_numpy(),
        {"indicators"},
    ),
}


@pytest.mark.parametrize("container", TABLES)
def test_rows(container):
    make, kinds = TABLES[container]
    for kind in kinds:
        assert answer_of_rows(kind, make(ROWS[kind])) == of_lists(kind), kind


@cache
def of_lists(kind):
    return answer_of_rows(kind, np.array(BITS) if kind == "indicators" else ROWS[kind])


def test_a_category_twice_is_one_label():
    twice = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1, 0]), pa.array(["b", "a", "b"]))
    assert answer("labels", twice) == answer("labels", [*"babab"])
