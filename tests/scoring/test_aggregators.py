"""Scores under the names of other programs."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

from pairedperm import Ratio
from pairedperm.scoring.aggregators import (
    F1OfRatios,
    average,
    enum_sum_div_by_denom_sum,
    f_1,
    paired_perm_test_f1,
)
from scoring.contract import Contract, check_metric


def f1_of_ratios(a, b, c, d):
    recall = Fraction(a) / Fraction(b) if b else Fraction(0)
    precision = Fraction(c) / Fraction(d) if d else Fraction(0)
    both = recall + precision
    return 2 * recall * precision / both if both else Fraction(0)


def four_columns(rng, n):
    """Numerators may be the same, and the score a ratio then."""
    rows = rng.integers(0, 3, (2, n, 4))
    if rng.random() < 0.5:
        rows[..., 2] = rows[..., 0]
    rows[..., [1, 3]] += rows[..., [0, 2]]
    score = f_1 if rng.random() < 0.5 else f_1.ratio_for(*rows) or f_1
    return [*rows.tolist(), None], {"score": score}


def of_sums(rows, _):
    return f1_of_ratios(*map(sum, zip(*rows, strict=True)))


test_contract = check_metric(
    Contract(None, four_columns, of_sums, name="f_1", tie=1e-12, few=6, is_smooth=False)
)


@pytest.mark.parametrize(
    "row",
    [
        [1, 2, 2, 3],  # numerators differ
        [1, 0, 1, 3],  # f_1 is 0 there, 2 / 3 the ratio
        [1, 3, 1, 0],
        [-1, 3, -1, 3],
        [0, -1, 0, 3],
    ],
)
def test_no_ratio(row):
    fine = np.array([[1, 1, 1, 3], [0, 0, 0, 0]])
    bad = np.array([[1, 2, 1, 3], row])
    assert f_1.ratio_for(fine, fine) is not None
    assert f_1.ratio_for(fine, bad) is f_1.ratio_for(bad, fine) is None
    assert f_1.ratio_for(fine, bad.astype(float)) is None


def test_values():
    assert average is None
    assert enum_sum_div_by_denom_sum == Ratio([1, 0], [0, 1])
    assert paired_perm_test_f1 == Ratio([2, 0], [2, 1])
    assert f_1 == F1OfRatios() == copy.deepcopy(f_1) == pickle.loads(pickle.dumps(f_1))
    assert repr(f_1) == "F1OfRatios()"
