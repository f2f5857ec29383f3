"""Scores that average over classes: of sizes without a common multiple, and too many classes."""

from fractions import Fraction

import pytest

from oracles.texts import brute_force
from pairedperm import InputError, compare
from pairedperm.scoring import classes


def test_sizes_without_a_common_multiple_in_int64():
    """Recall of classes of prime sizes: p is that of the fractions that examples contribute."""
    sizes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]
    right = [f"c{size}" for size in sizes for _ in range(size)]
    columns, shares = ([*right], [*right]), ([], [])
    for k, size in enumerate(sizes[-9:]):
        is_right = k % 3 > 0
        columns[is_right][right.index(f"c{size}")] = "c2"
        shares[0].append(Fraction(is_right, size))
        shares[1].append(Fraction(not is_right, size))
    result = compare(*columns, right, "recall", average="macro")
    low, high = result.pvalue_interval
    assert low <= brute_force(*shares, "two-sided") <= high
    assert result.pvalue_kind == "certified"


@pytest.mark.parametrize("nest", [lambda x: x, lambda x: [x]], ids=["single", "sequences"])
def test_too_many_classes(monkeypatch, nest):
    monkeypatch.setattr(classes, "MAX_CELLS", 6 * 32 * 3 - 1)
    columns = [[nest(x) for x in column] for column in ("abc", "acb", "abc")]
    with pytest.raises(InputError, match=r"3 classes in 3 distinct examples are too many.*'micro'"):
        compare(*columns, "f1", average="macro")
    with pytest.raises(InputError, match=r"allowed: give rare ones one name in all columns\.$"):
        compare(*columns, "matthews_correlation")
    monkeypatch.setattr(classes, "MAX_CELLS", 6 * 32 * 3)
    assert compare(*columns, "f1", average="macro").n == 3
