"""Scores under the names of other programs."""

import copy
import pickle
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import Ratio, paired_permutation_test
from pairedperm.readers import read_conll
from pairedperm.scoring.aggregators import (
    F1OfRatios,
    average,
    enum_sum_div_by_denom_sum,
    f_1,
    paired_perm_test_f1,
)
from properties import cases

DATA = Path(__file__).parents[2] / "examples" / "data" / "conll_coref"


def oracle(a, b, c, d):
    recall = Fraction(a) / Fraction(b) if b else Fraction(0)
    precision = Fraction(c) / Fraction(d) if d else Fraction(0)
    both = recall + precision
    return 2 * recall * precision / both if both else Fraction(0)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([3, 4, 3, 5], Fraction(2, 3)),  # 6 / 9
        ([1, 2, 1, 3], Fraction(2, 5)),
        ([1, 2, 3, 4], Fraction(3, 5)),  # 2 · 1/2 · 3/4 / (5/4)
        ([1, 1, 1, 1], 1),
        ([0, 4, 0, 5], 0),  # P + R = 0
        ([0, 0, 0, 5], 0),
        ([0, 0, 0, 0], 0),
        ([3, 0, 3, 3], 0),  # the ratio over 0 is 0
        ([3, 3, 3, 0], 0),
    ],
)
def test_hand_values(row, expected):
    assert float(f_1(np.array(row))) == pytest.approx(float(expected), rel=1e-15)
    assert oracle(*row) == expected


@given(st.lists(st.tuples(*[st.integers(0, 5)] * 4), min_size=1, max_size=30))
def test_against_fractions(rows):
    expected = np.array([float(oracle(*row)) for row in rows])
    np.testing.assert_allclose(f_1(np.array(rows)), expected, rtol=1e-15)
    stacked = f_1(np.array([rows] * 3, dtype=float))
    np.testing.assert_allclose(stacked, np.tile(expected, (3, 1)), rtol=1e-15)


def test_of_no_rows():
    assert f_1(np.zeros((0, 4))).shape == (0,)


def test_no_warning_and_nothing_written():
    sums = np.array([[1e308, 1e-308, 5e-324, 1e308], [np.nan, 1, 1, 1], [0, 0, 0, 0]])
    before = sums.copy()
    with np.errstate(all="raise"):
        f_1(sums)
    np.testing.assert_array_equal(sums, before)


def enumerated(rows1, rows2):
    """The two-sided p-value, all swaps listed."""
    pairs = list(zip(rows1, rows2, strict=True))

    def difference(swaps):
        chosen = [pair[::-1] if swap else pair for pair, swap in zip(pairs, swaps, strict=True)]
        sums1, sums2 = ([sum(x) for x in zip(*(c[k] for c in chosen), strict=True)] for k in (0, 1))
        return abs(oracle(*sums1) - oracle(*sums2))

    differences = [difference(swaps) for swaps in product([0, 1], repeat=len(pairs))]
    return float(Fraction(sum(d >= differences[0] for d in differences), len(differences)))


def corpora(same):
    """Pairs of rows, whose numerators may be the same."""
    three = st.integers(0, 2)
    row = st.builds(
        lambda a, c, more, rest: [a, a + more, *((a, a + rest) if same else (c, c + rest))],
        *(three, three, st.integers(0, 1), three),
    )
    return st.lists(st.tuples(row, row), min_size=1, max_size=6)


@pytest.mark.parametrize("same", [False, True])
@cases(0.5)
@given(data=st.data())
def test_pvalues(data, same):
    rows1, rows2 = map(list, zip(*data.draw(corpora(same)), strict=True))
    expected = enumerated(rows1, rows2)
    assert paired_permutation_test(rows1, rows2, score=f_1).pvalue == pytest.approx(expected)
    if same:
        ratio = f_1.ratio_for(np.array(rows1), np.array(rows2))
        result = paired_permutation_test(rows1, rows2, score=ratio)
        assert result.pvalue == pytest.approx(expected, rel=1e-11)
        assert result.score1 == pytest.approx(float(f_1(np.sum(rows1, axis=0))))


@pytest.mark.parametrize("metric", ["muc", "ceafm", "ceafe", "bcub"])
def test_ratio_for_real_metrics(metric):
    rows = read_conll(*(DATA / f"{metric}.system{k}.txt" for k in (1, 2)))
    ratio = f_1.ratio_for(*rows)
    if metric == "bcub":
        assert ratio is None
        return
    assert ratio == Ratio([2, 0, 0, 0], [0, 1, 0, 1])
    for system in rows:
        a, b, _, d = system.sum(axis=0)
        assert float(f_1(system.sum(axis=0))) == pytest.approx(2 * a / (b + d), rel=1e-14)


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
    fine = np.array([[1, 2, 1, 3], [0, 0, 0, 0]])
    bad = np.array([[1, 2, 1, 3], row])
    assert f_1.ratio_for(fine, fine) is not None
    assert f_1.ratio_for(fine, bad) is None
    assert f_1.ratio_for(bad, fine) is None
    assert f_1.ratio_for(fine, bad.astype(float)) is None


def test_values():
    assert average is None
    assert enum_sum_div_by_denom_sum == Ratio([1, 0], [0, 1])
    assert paired_perm_test_f1 == Ratio([2, 0], [2, 1])
    assert f_1 == F1OfRatios() == copy.deepcopy(f_1) == pickle.loads(pickle.dumps(f_1))
    assert repr(f_1) == "F1OfRatios()"
