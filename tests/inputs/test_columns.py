"""Columns and rows in the containers that people have: read alike, or refused."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from extras import needs
from pairedperm import InputError, Ratio, compare, paired_permutation_test


def characters(*letters):
    """An array of a class that newer numpy warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.char.array(letters)


@pytest.mark.parametrize(
    ("column", "other", "message"),
    [
        (
            characters("a", "b"),
            [1, 2],
            r"must hold numbers, got 'a' \(str\) in an array of <U1",
        ),
        ([np.timedelta64(1, "D"), 1], [1, 2], r"`counts1`\[0\] is not a number, .*timedelta64"),
        (
            [0.5, np.timedelta64("NaT", "s")],
            [1, 2],
            r"`counts1`\[1\] is not a number, .*timedelta64",
        ),
        ([np.array(np.timedelta64(1, "ns"))], [1], r"is not a number, .*timedelta64\(1"),
        (np.array([1, 2], dtype="m8[ns]"), [1, 2], r"must hold numbers, got .*timedelta64\(1"),
        (np.dtype("f8"), [1, 2], r"must be a sequence.*got dtype\('float64'\)"),
        (list, [1, 2], "must be a sequence.*got <class 'list'>"),
        (np.void(b"ab"), [1, 2], r"must be a sequence.*\(void\)"),
        (memoryview(np.array(1)), [1, 2], "got the single value 1"),
        (memoryview(b"ab").cast("c"), [1, 2], r"must hold numbers, got b'a' \(bytes\)"),
    ],
)
def test_no_columns_of_numbers(column, other, message):
    with pytest.raises(InputError, match=message):
        paired_permutation_test(column, other)


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="NumPy 2 has it")
def test_texts_of_variable_length():
    column = np.array(["1", "2"]).astype(np.dtypes.StringDType())
    with pytest.raises(InputError, match=r"must hold numbers, got '1' \(str\) in an array of Str"):
        paired_permutation_test(column, [1, 2])
    if np.__version__ >= "2.5":  # it refuses these itself
        return
    column = np.array([b"\xff", 0.5]).astype(np.dtypes.StringDType())
    with pytest.raises(InputError, match=r"a text in a column is not UTF-8, 'utf-8' codec"):
        paired_permutation_test([1, 2], column)


def _ratio(sums):
    return sums[..., 0] / sums[..., 1]


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("score", [Ratio([1, 0], [0, 1]), _ratio], ids=["ratio", "function"])
@pytest.mark.parametrize("dtype", [int, float])
def test_a_matrix_is_read_as_an_array(score, dtype):
    rows, other = np.array([[1, 2], [2, 2]], dtype), [[0, 1], [2, 3]]
    expected = paired_permutation_test(rows, other, score=score)
    assert paired_permutation_test(np.asmatrix(rows), other, score=score) == expected
    assert paired_permutation_test(memoryview(rows), other, score=score) == expected


def test_columns_in_memory():
    expected = paired_permutation_test([0.1, 0.7], [0.5, 0.25])
    for dtype in (np.float64, np.float32, np.longdouble):
        column = np.array([0.1, 0.7]).astype(dtype)
        assert paired_permutation_test(memoryview(column), [0.5, 0.25]) == expected


@pytest.mark.parametrize("dtype", [int, float, np.float32])
def test_masked_arrays_of_scores(dtype):
    scores = np.array([3, 1], dtype)
    expected = paired_permutation_test(scores, [1, 1])
    assert paired_permutation_test(np.ma.array(scores), [1, 1]) == expected
    assert paired_permutation_test(np.ma.array(scores, mask=[0, 0]), [1, 1]) == expected
    missing = r"`counts1`\[1\] is missing"
    masked = np.ma.array(scores, mask=[0, 1])
    for column in (masked, list(masked), [3, np.ma.array(scores[1], mask=True)]):
        with pytest.raises(InputError, match=missing):
            paired_permutation_test(column, [1, 1])
    with pytest.raises(InputError, match="got the single value None"):
        paired_permutation_test(np.ma.masked, [1, 1])


def test_masked_float32_are_decimals():
    column = np.ma.array([0.1, 0.7], dtype=np.float32)
    assert paired_permutation_test(column, [0.3, 0.1]).score1 == 0.4


@pytest.mark.parametrize("dtype", [int, float])
def test_masked_rows(dtype):
    rows = np.ma.array([[1, 2], [2, 2]], dtype, mask=[[0, 0], [0, 1]])
    last = [[1, 2], rows[1]]
    for column in (rows, list(rows), last, [[1, 2], [2, np.ma.masked]]):
        with pytest.raises(InputError, match=r"`counts1`\[1\]\[1\] is missing"):
            paired_permutation_test(column, [[0, 1], [2, 3]], score=_ratio)
    whole = paired_permutation_test(list(rows.data), [[0, 1], [2, 3]], score=_ratio)
    columns = list(np.ma.array(rows.data)), [[0, 1], [2, 3]]
    assert paired_permutation_test(*columns, score=_ratio) == whole


@pytest.mark.parametrize("row", [{3, 4}, frozenset({3, 4}), {3: 1, 4: 1}, b"ab", np.dtype("f8")])
def test_rows_have_an_order(row):
    other = [[1, 2], [1, 2]]
    with pytest.raises(
        InputError, match=r"`counts1`(\[1\] is|\[1\]` must be a sequence)|counts1\[1"
    ):
        paired_permutation_test([[1, 2], row], other, score=_ratio)
    with pytest.raises(InputError, match=r"`counts1`\[0\] is not a number|`counts1\[0\]` must be"):
        paired_permutation_test([row, row], other, score=_ratio)


def test_rows_are_read_as_columns_are():
    """A row of float32 holds the decimals that it prints as, in whatever container."""
    from array import array

    rows = [[0.1, 0.7], [0.2, 0.5]]
    expected = paired_permutation_test(rows, [[0, 1], [0, 1]], score=_ratio)
    for kind in (
        lambda row: np.array(row, np.float32),
        lambda row: array("f", row),
        lambda row: memoryview(array("f", row)),
        lambda row: pd.Series(row, dtype="float32"),
    ):
        column = [kind(row) for row in rows]
        assert paired_permutation_test(column, [[0, 1], [0, 1]], score=_ratio) == expected


def test_sparse_tensors():
    torch = needs("torch", "transformers")
    sparse = torch.tensor([1, 2]).to_sparse()
    for column, score in ((sparse, None), ([sparse, sparse], _ratio)):
        with pytest.raises(InputError, match=r"is a tensor that numpy cannot hold: .*\.to_dense"):
            paired_permutation_test(column, [[1, 2], [1, 2]], score=score)


@pytest.mark.parametrize(
    ("table", "remedy"),
    [
        (
            pd.DataFrame([[1, 0], [0, 1]]),
            r"table\[0\], or, if its rows are lists, table\.to_numpy\(\), or, if they are one-hot, "
            r"table\.idxmax\(axis=1\)\.$",
        ),
        (pd.DataFrame({"a": [1]}), r"table\['a'\], or"),
        (pd.DataFrame({("a", 1): [1]}), r"table\[\('a', 1\)\], or"),
        (pd.DataFrame(), r"table\['name'\], or"),
        (pa.table({"a": [1]}), r"table\['a'\]\.$"),
    ],
)
def test_columns_of_tables_by_their_names(table, remedy):
    """As they can be copied from the message."""
    for metric in ("accuracy", "top_k_accuracy", "pass_at_k"):
        with pytest.raises(InputError, match=rf"is a table .*for instance {remedy}"):
            compare(table, table, None if metric == "pass_at_k" else [1, 0], metric)


def test_rows_of_a_table():
    table = pd.DataFrame([["a", "b"], ["b", "a"]])
    assert compare(table.to_numpy(), table.to_numpy(), ["a", "b"], "top_k_accuracy").score1 == 1.0
