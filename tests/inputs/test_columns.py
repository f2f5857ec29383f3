"""Columns and rows in the containers that people have are read alike."""

import numpy as np
import pandas as pd
import pytest

from pairedperm import Ratio, compare, paired_permutation_test


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


def test_masked_float32_are_decimals():
    column = np.ma.array([0.1, 0.7], dtype=np.float32)
    assert paired_permutation_test(column, [0.3, 0.1]).score1 == 0.4


@pytest.mark.parametrize("dtype", [int, float])
def test_masked_rows(dtype):
    rows = np.array([[1, 2], [2, 2]], dtype)
    whole = paired_permutation_test(list(rows), [[0, 1], [2, 3]], score=_ratio)
    columns = list(np.ma.array(rows)), [[0, 1], [2, 3]]
    assert paired_permutation_test(*columns, score=_ratio) == whole


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


def test_rows_of_a_table():
    table = pd.DataFrame([["a", "b"], ["b", "a"]])
    assert compare(table.to_numpy(), table.to_numpy(), ["a", "b"], "top_k_accuracy").score1 == 1.0
