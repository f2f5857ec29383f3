"""Pairs of rows: read, counted, and spread to the classes of others."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from pairedperm import InputError
from pairedperm.inputs.numbers import read_pair
from pairedperm.scoring.pairs import check_total
from pairedperm.scoring.rows import distinct_pairs, few_pairs, spread_rows
from properties import generators, one_in


def listed(rows1, rows2, how_often, sizes=None):
    """Each pair, and size, with how often it occurs, in the order in which they are."""
    columns = [rows1.tolist(), rows2.tolist(), *([] if sizes is None else [sizes.tolist()])]
    return [*zip(map(str, zip(*columns, strict=True)), how_often.tolist(), strict=True)]


def truth(rows1, rows2, how_often, sizes=None):
    """The same by a dict of tuples of integers."""
    found = {}
    columns = [rows1.tolist(), rows2.tolist(), *([] if sizes is None else [sizes.tolist()])]
    for pair, times in zip(zip(*columns, strict=True), how_often.tolist(), strict=True):
        flat = tuple(np.hstack(pair).tolist())
        found[flat] = str(pair), found.get(flat, ("", 0))[1] + times
    return [found[flat] for flat in sorted(found)]


@pytest.mark.parametrize("shape", [(), (1,), (3,)])
@pytest.mark.parametrize("dtype", [np.int8, np.int64])
@given(generators)
def test_distinct_pairs(shape, dtype, rng):
    n = int(rng.integers(0, 40))
    rows = rng.integers(-2, 2, (2, n, *shape)).astype(dtype)
    ones, how_often = np.ones(n, dtype=np.int64), rng.integers(1, 9, n)
    one, two, times, sizes = distinct_pairs(*rows, None)
    assert sizes is None
    assert one.dtype == two.dtype == dtype
    assert listed(one, two, times) == truth(*rows, ones)
    assert listed(*distinct_pairs(*rows, how_often)[:3]) == truth(*rows, how_often)
    sizes = rng.integers(1, 3, n)
    *found, sorted_sizes = distinct_pairs(*rows, how_often, sizes)
    assert listed(*found, sorted_sizes) == truth(*rows, how_often, sizes)


@one_in(2)
@pytest.mark.parametrize("shape", [(), (2,)])
def test_few_pairs_of_many(shape):
    """Counted without sorting; where they may be many, that is left to others."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, (2, 2**16, *shape))
    found = few_pairs(*rows)
    assert listed(*found) == truth(*rows, np.ones(2**16, dtype=np.int64))
    assert all(x.flags.c_contiguous for x in found)
    assert few_pairs(*rng.integers(0, 2**60, (2, 2**16, *shape))) is None


def test_spread_rows():
    """By hand: columns of correct, predicted and right labels, of 'b' and of 'a', 'b' and 'c'."""
    rows = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.int8)
    spread = spread_rows(rows, ("b",), ("a", "b", "c"))
    assert spread.tolist() == [[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 4, 0, 0, 5, 0, 0, 6, 0]]
    assert spread.dtype == np.int8
    two = spread_rows(np.array([[1, 2, 3, 4, 5, 6]]), ("a", "c"), ("a", "b", "c"))
    assert two.tolist() == [[1, 0, 2, 3, 0, 4, 5, 0, 6]]
    assert spread_rows(np.zeros((2, 3)), (), ("a", "b")).tolist() == [[0] * 6] * 2


def test_series_with_other_indexes():
    one, two = pd.Series([1, 2], index=[0, 1]), pd.Series([3, 4], index=[1, 0])
    with pytest.warns(UserWarning, match="`a` and `b` are Series with different indexes"):
        scores = read_pair("a", one, "b", two, rows=True, least=0)
    assert [x.tolist() for x in scores] == [[1, 2], [3, 4]]


def test_the_largest_total():
    most = 2**63 - 1
    for total in ([most], [most - 1, 1], []):
        check_total(total)
        check_total(np.array(total, dtype=np.int64))
    for total in ([most, 1], [2**62] * 2, [most] * 3):
        for column in (total, np.array(total)):
            with pytest.raises(InputError, match="Were shards added more than once"):
                check_total(column)
