"""What a ratio of sums does not take: weights, rows, counts."""

import numpy as np
import pytest

from pairedperm import InputError, PairedCounts, Ratio, paired_permutation_test

RATIO = Ratio([1, 0], [0, 1])


@pytest.mark.parametrize(
    ("numerator", "denominator", "message"),
    [
        ([1], [1, 2], "`numerator` and `denominator` must have a weight for each .* got 1 and 2"),
        ([], [], "`numerator` must be a sequence of integers"),
        (1, [1], "`numerator` must be a sequence of integers, .* got 1"),
        ([0.5], [1], r"`numerator` must hold integers below 2\^31, got 0.5 .*common factor"),
        ([1, np.timedelta64(1, "s")], [1, 1], "`numerator` must hold integers below .*timedelta64"),
        ([1, np.ma.masked], [1, 1], "`numerator` must hold integers below .*got masked"),
        ([1], [2**31], r"`denominator` must hold integers below 2\^31, got 2147483648"),
        ([1], ["1"], "`denominator` must hold integers"),
        ([True], [1], "`numerator` must hold integers .* got True"),
        ([1, 2], [0, 0], "`denominator` must have a weight that is not 0"),
    ],
)
def test_bad_weights(numerator, denominator, message):
    with pytest.raises(InputError, match=message):
        Ratio(numerator, denominator)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), "warn", None, True])
def test_bad_zero_division(value):
    with pytest.raises(InputError, match="`zero_division` must be a number from 0 to 1, got"):
        Ratio([1], [1], zero_division=value)


def test_weights_may_be_numpy_integers():
    assert Ratio(np.array([1, 0]), (np.int64(0), 1)) == RATIO


def test_rows_that_do_not_fit():
    rows = [[1, 2], [0, 1]]
    with pytest.raises(InputError, match="`score` has 2 weights and the rows of `counts1` have 3"):
        paired_permutation_test([[1, 2, 3]], [[1, 2, 3]], score=RATIO)
    with pytest.raises(InputError, match=r"rows of the same length, got shapes \(2, 2\) and"):
        paired_permutation_test(rows, [[1], [2]], score=RATIO)
    with pytest.raises(InputError, match="must have the same length, got 2 and 1"):
        paired_permutation_test(rows, rows[:1], score=RATIO)
    with pytest.raises(InputError, match=r"a row of counts for each example.*got shape \(2,\)"):
        paired_permutation_test([1, 2], [1, 2], score=RATIO)
    with pytest.raises(InputError, match=r"a row of counts for each example.*got shape \(n,\)"):
        paired_permutation_test(PairedCounts.from_rows([1], [2]), score=RATIO)
    with pytest.raises(InputError, match="`counts1` is empty"):
        paired_permutation_test([], [], score=RATIO)
    with pytest.raises(InputError, match=r"`score` must be a pairedperm.Ratio, .* got 'f1'"):
        paired_permutation_test(rows, rows, score="f1")


def test_rows_without_a_score():
    rows = [[1, 2], [0, 1]]
    for columns in ((rows, rows), (np.array(rows), np.array(rows))):
        with pytest.raises(InputError, match=r"one number per example.* what the score is: score="):
            paired_permutation_test(*columns)
    with pytest.raises(InputError, match=r"rows have no score of their own. Pass one, score"):
        paired_permutation_test(PairedCounts.from_rows(rows, rows))


def test_negative_counts_and_denominators():
    with pytest.raises(
        InputError, match=r"`counts2` has a negative count: row 1, \[1, -1\].*two c"
    ):
        paired_permutation_test([[1, 1], [1, 1]], [[0, 1], [1, -1]], score=RATIO)
    with pytest.raises(
        InputError,
        match=r"`counts1` has a negative denominator: row 1, \[1, 2\], .*weights \[1, -1\]",
    ):
        paired_permutation_test([[1, 1], [1, 2]], [[0, 0], [1, 1]], score=Ratio([1, 0], [1, -1]))


def test_sums_beyond_int64():
    """Unless both systems have the same denominators: then it is a mean, of any numbers."""
    huge, other = [[2**60, 2**60]] * 4, [[2**60, 2**60 - 1]] * 4
    with pytest.raises(InputError, match=r"numerators or denominators add up to .* larger unit"):
        paired_permutation_test(huge, other, score=RATIO)
    less = [[2**60 - 1, 2**60]] * 4
    assert paired_permutation_test(huge, less, score=RATIO).pvalue == 0.125
    with pytest.raises(InputError, match=r"with the weights \(4, 0\) exceeds int64"):
        paired_permutation_test(huge, huge, score=Ratio([4, 0], [0, 1]))
