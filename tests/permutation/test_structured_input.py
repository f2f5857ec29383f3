"""The rows and options that the structured test takes, and what it does not."""

from fractions import Fraction

import numpy as np
import pytest

from corpora.equation_16 import f1_difference
from corpora.sum_functions import share
from oracles import swaps as oracle
from oracles.statistics import brute_force
from pairedperm import InputError, PairedCounts, structured_permutation_test


def test_one_sum():
    rng = np.random.default_rng(5)
    stay, swap = rng.integers(0, 5, (2, 8))
    expected = structured_permutation_test(stay[:, None], swap[:, None], lambda s: s[..., 0] ** 2)
    truth = brute_force(stay[:, None], swap[:, None], lambda row: Fraction(row[0] ** 2))
    assert oracle.is_certified(expected, truth)
    shapes = set()

    def of_numbers(sums):
        shapes.add(sums.ndim)
        return sums**2

    assert structured_permutation_test(stay, swap, of_numbers) == expected
    assert shapes == {1}
    # a function that was written for rows of one entry
    assert structured_permutation_test(stay, swap, lambda s: s[..., 0] ** 2) == expected
    assert structured_permutation_test(stay, swap, lambda s: s[:, 0] ** 2) == expected
    assert structured_permutation_test(stay, swap, lambda s: (s**2).sum(axis=-1)) == expected
    # sums of shape (n, 1) always have that axis
    with pytest.raises(InputError, match=r"for shape \(\d+, 1\) it returned shape \(\d+, 1\)"):
        structured_permutation_test(stay[:, None], swap[:, None], of_numbers)


def test_lists_and_arrays():
    expected = structured_permutation_test([[1, 2], [3, 0]], [[0, 2], [1, 1]], f1_difference)
    for kind in (np.array, tuple, lambda rows: np.array(rows, dtype=np.float32)):
        result = structured_permutation_test(
            kind([[1, 2], [3, 0]]), kind([[0, 2], [1, 1]]), f1_difference
        )
        assert result == expected
    assert (
        structured_permutation_test(
            stay=[[1, 2], [3, 0]], swap=[[0, 2], [1, 1]], statistic=f1_difference
        )
        == expected
    )


def test_stay_and_swap_of_different_shapes():
    rows = [[1, 2], [0, 1]]
    with pytest.raises(
        InputError, match=r"`stay` and `swap` must have rows of the same length, .*s"
    ):
        structured_permutation_test(rows, [[1], [2]], share)
    with pytest.raises(InputError, match=r"`stay` and `swap` .* got shapes \(2, 2\) and \(2,\)"):
        structured_permutation_test(rows, [1, 2], share)
    with pytest.raises(
        InputError, match="`stay` and `swap` must have the same length, got 2 and 1"
    ):
        structured_permutation_test(rows, rows[:1], share)
    with pytest.raises(InputError, match="`stay` is empty: at least one example"):
        structured_permutation_test([], [], share)
    with pytest.raises(InputError, match="`swap` is empty"):
        structured_permutation_test([1], [], share)
    with pytest.raises(
        InputError, match=r"`swap` must hold .* shape \(n, m\), got shape \(1, 1, 2"
    ):
        structured_permutation_test([[1, 2]], np.zeros((1, 1, 2)), share)
    with pytest.raises(InputError, match=r"`stay` must be finite: `stay`\[1\]\[0\] is nan"):
        structured_permutation_test([[1, 2], [np.nan, 1]], rows, share)
    with pytest.raises(InputError, match=r"`swap` .*`swap`\[0\]\[1\] is missing, None"):
        structured_permutation_test(rows, [[1, None], [0, 1]], share)


@pytest.mark.parametrize("name", ["stay", "swap"])
def test_paired_counts_are_no_column(name):
    counts = PairedCounts.from_rows([[1, 2]], [[0, 1]])
    arguments = {"stay": [[1, 2]], "swap": [[0, 1]], name: counts}
    with pytest.raises(
        InputError, match=rf"`{name}` must be a column of rows, got PairedCounts\(n"
    ):
        structured_permutation_test(**arguments, statistic=share)


def test_options():
    with pytest.raises(TypeError, match="alternative"):
        structured_permutation_test([1], [0], np.abs, alternative="greater")
    with pytest.raises(InputError, match=r"`method` must be one of 'auto', .* got 'fast'"):
        structured_permutation_test([1], [0], np.abs, method="fast")
