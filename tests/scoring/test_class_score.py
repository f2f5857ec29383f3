"""Scores that average over classes: labels that never occur, and too many classes."""

from fractions import Fraction

import pytest

from oracles.texts import brute_force
from pairedperm import InputError, compare
from pairedperm.scoring import label_counts


def test_labels_that_never_occur():
    """They are averaged over, and warned of where `compare` is called."""
    columns = ["a", "b", "b"], ["a", "a", "b"], ["a", "b", "b"]
    with pytest.warns(UserWarning, match="`labels`: 'x' occurs neither") as warned:
        result = compare(*columns, "f1", average="macro", labels=["a", "b", "x"])
    assert warned[0].filename == __file__
    assert result.score1 == 2 / 3  # (1 + 1 + 0) / 3


def test_a_class_that_is_only_predicted():
    """It is a class of the system that predicts it, with a recall of 0."""
    result = compare([*"abcc"], [*"abbb"], [*"abbb"], "recall", average="macro")
    assert (result.score1, result.score2) == (pytest.approx((1 + 1 / 3) / 3), 1.0)
    # one swap of two: in both systems two of three are right, and "c" is predicted
    assert result.pvalue == 0.5


def test_sizes_without_a_common_multiple_in_int64():
    """Recall of classes of prime sizes: p is that of the fractions that examples contribute."""
    sizes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]
    right = [f"c{size}" for size in sizes for _ in range(size)]
    one, two = [*right], [*right]
    shares: list[list[Fraction]] = [[], []]
    for k, size in enumerate(sizes[-9:]):
        place, is_right = right.index(f"c{size}"), k % 3 > 0
        (two if is_right else one)[place] = "c2"
        for column, x in zip(shares, (is_right, not is_right), strict=True):
            column.append(Fraction(int(x), size))
    result = compare(one, two, right, "recall", average="macro")
    low, high = result.pvalue_interval
    assert low <= brute_force(*shares, "two-sided") <= high
    assert result.interval == "certified"


# Errors


@pytest.mark.parametrize("nest", [lambda x: x, lambda x: [x]], ids=["single", "sequences"])
def test_too_many_classes(monkeypatch, nest):
    monkeypatch.setattr(label_counts, "MAX_CELLS", 6 * 32 * 3 - 1)
    columns = [[nest(x) for x in column] for column in ("abc", "acb", "abc")]
    with pytest.raises(InputError, match=r"3 classes in 3 distinct examples are too many.*'micro'"):
        compare(*columns, "f1", average="macro")
    with pytest.raises(InputError, match=r"allowed: give rare ones one name in all columns\.$"):
        compare(*columns, "matthews_correlation")
    monkeypatch.setattr(label_counts, "MAX_CELLS", 6 * 32 * 3)
    assert compare(*columns, "f1", average="macro").n == 3
