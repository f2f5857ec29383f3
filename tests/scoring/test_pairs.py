"""Pairs of rows: the distinct ones, and how often each occurs."""

import numpy as np
import pytest
from hypothesis import given

from pairedperm import InputError
from pairedperm.scoring.pairs import check_total
from pairedperm.scoring.rows import Rows
from properties import generators


def listed(rows):
    """Each pair, and size, with how often it occurs, in the order in which they are."""
    columns = [x.tolist() for x in (rows.rows1, rows.rows2, rows.sizes) if x is not None]
    return [*zip(map(str, zip(*columns, strict=True)), rows.multiplicities.tolist(), strict=True)]


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
    found = Rows(*rows).distinct()
    assert found.rows1.dtype == found.rows2.dtype == dtype
    assert listed(found) == truth(*rows, ones)
    assert listed(Rows(*rows, how_often).distinct()) == truth(*rows, how_often)
    sizes = rng.integers(1, 3, n)
    of_groups = Rows(*rows, how_often, sizes=sizes).distinct()
    assert listed(of_groups) == truth(*rows, how_often, sizes)


def test_the_largest_total():
    most = 2**63 - 1
    for total in ([most], [most - 1, 1], []):
        check_total(total)
    for total in ([most, 1], [2**62] * 2, [most] * 3):
        with pytest.raises(InputError, match="Were shards added more than once"):
            check_total(total)
