"""Columns of scores: what is accepted, which lattice they lie on, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from pairedperm import InputError, paired_permutation_test


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "int32", "uint64", "float16", "float32", "float64"]
)
def test_integers_of_any_type(dtype):
    counts1 = np.array([1, 1, 1, 0, 1, 1], dtype=dtype)
    counts2 = np.array([0, 0, 1, 0, 0, 1], dtype=dtype)
    result = paired_permutation_test(counts1, counts2)
    assert (result.pvalue, result.statistic) == (0.25, 0.5)


def test_other_containers_of_scores():
    torch = pytest.importorskip("torch")

    class Wrapped:
        def __len__(self):
            return 2

        def __array__(self, dtype=None, copy=None):
            return np.array([3, 1])

    expected = paired_permutation_test([3, 1], [1, 1])
    assert paired_permutation_test(Wrapped(), [1, 1]) == expected
    assert paired_permutation_test([torch.tensor(3), torch.tensor(1)], [1, 1]) == expected
    assert paired_permutation_test([np.int8(3), True], [np.bool_(True), 1]) == expected
    assert paired_permutation_test(np.array([3, 1], dtype=object), [1.0, np.float32(1)]) == expected


def test_long_values_are_cut_in_messages():
    with pytest.raises(InputError, match=r"'x{10,14}\.\.\.x{10,14}' \(str\)\.$"):
        paired_permutation_test([1, "x" * 1000], [1, 2])


def test_sums_beyond_int64_do_not_wrap():
    big = 2**62
    result = paired_permutation_test([big, big, big, big + 1], [big, big, big, big])
    assert result.score1 == float(big)
    assert (result.n_differing, result.pvalue) == (1, 1.0)
    result = paired_permutation_test([big] * 8, [0] * 8)
    assert (result.statistic, result.pvalue) == (float(big), 2.0**-7)


@pytest.mark.parametrize(
    ("counts1", "counts2", "message"),
    [
        ([], [], "`counts1` is empty"),
        ([1, 2], [1], "same length, got 2 and 1"),
        ([1, None], [1, 2], r"`counts1`\[1\] is missing"),
        ([1, 2], [1, float("nan")], r"`counts2` must be finite: `counts\d`\[1\] is nan"),
        ([1, 2], [float("-inf"), 1], r"`counts2` must be finite: `counts2`\[0\] is -inf"),
        ([1, 0.1 + 0.2], [1, 2], r"`counts1`\[1\] is 0.30000000000000004, no dec.*common denom"),
        (["1", "2"], [1, 2], r"`counts1`\[0\] is not a number, '1' \(str\)"),
        (np.array(["1", "2"]), [1, 2], r"`counts1` must hold numbers, got '1'"),
        ([1, "2"], [1, 2], r"\[1\] is not a number, '2'"),
        (np.array([1, None]), [1, 2], r"`counts1`\[1\] is missing"),
        ([[1], [2]], [1, 2], r"\[0\] is not a number, \[1\]"),
        (np.ones((2, 1), dtype=int), [1, 2], r"shape \(n,\), got shape \(2, 1\)"),
        (np.array(3), [1, 2], "got the single value 3"),
        (3, [1, 2], r"must be a sequence.*got 3 \(int\)"),
        ("12", [1, 2], r"must be a sequence.*got '12' \(str\)"),
        ({1: 2}, [1, 2], "must be a sequence"),
        (iter([1, 2]), [1, 2], "must be a sequence"),
        ([2**63, 1], [1, 2], r"`counts1`\[0\] is an integer beyond int64, 9223372036854775808"),
        ([1, -(2**70)], [1, 2], r"`counts1`\[1\] is an integer beyond int64"),
        (np.array([1, 2**63], dtype=np.uint64), [1, 2], r"\[1\] is an integer beyond int64"),
        ([10**400, 1.0], [1, 2], r"`counts1`\[0\] is an integer beyond int64"),
        ([2**53 + 1, 1.0], [2**53, 1], r"`counts1`\[0\] is 9007199254740992.0: .*exceeds 2\^53"),
        (np.ma.array([1, 2], mask=[0, 1]), [1, 2], r"`counts1`\[1\] is missing"),
        (pd.Series([1, None], dtype="Int64"), [1, 2], r"`counts1`\[1\] is missing, <NA>"),
        (pd.Series([1, None]), [1, 2], r"must be finite: `counts\d`\[1\] is nan"),
        (pd.DataFrame({"score": [1, 2]}), [1, 2], r"is a table.*table\['score'\]"),
        ([1j, 2], [1, 2], r"\[0\] is not a number"),
        (np.array([1j, 2]), [1, 2], "must hold numbers, got 1j"),
    ],
)
def test_bad_counts(counts1, counts2, message):
    with pytest.raises(InputError, match=message):
        paired_permutation_test(counts1, counts2)
