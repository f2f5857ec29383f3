"""Rows counted in one pass, against Python's Counter."""

from collections import Counter

import numpy as np
import pytest

from pairedperm.scoring.rows import few_rows


@pytest.mark.parametrize(
    ("dtype", "low", "high"), [("bool", 0, 2), ("int8", -128, 0), ("uint8", 156, 256)]
)
def test_types(dtype, low, high):
    """Also where a row's cell is no number of the columns' own type."""
    columns = np.random.default_rng(0).integers(low, high, (2, 20_000)).astype(dtype)
    found, how_often = few_rows([*columns])
    rows = Counter(zip(*columns.tolist(), strict=True))
    assert [*zip(*(x.tolist() for x in found), strict=True)] == sorted(rows)
    assert how_often.tolist() == [rows[x] for x in sorted(rows)]


@pytest.mark.parametrize(
    "rows",
    [
        *([], [(2**63 - 1, -(2**63))], [(2**63 - 1, 0), (-(2**63), 0)], [(0,) * 17]),
        [(0, 0)] * 5000 + [(2**20, 0)],
    ],
    ids=["none", "beyond differences", "far apart", "many columns", "far apart at the end"],
)
def test_others(rows):
    """No table of what is not there, nor of numbers whose differences wrap around."""
    width = len(rows[0]) if rows else 2
    assert few_rows([*np.array(rows * 9, dtype=np.int64).reshape(-1, width).T]) is None
