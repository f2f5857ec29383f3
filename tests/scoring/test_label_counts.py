"""Codes of several columns in few numbers."""

import numpy as np
import pytest

from pairedperm.scoring.label_counts import compact

INT64 = np.iinfo(np.int64)


@pytest.mark.parametrize(
    "columns",
    [
        [[], [], []],
        [[3], [], [3, 5]],
        [[0, 1, 0], [1, 1, 1], [4, 0, 0]],
        [[-100, 2], [7, -100], [-3]],
        [[INT64.min, 0], [INT64.max], [0, 5]],
        [[INT64.max - 1], [INT64.max], [INT64.max - 2]],
        [[INT64.min, INT64.min + 1], [INT64.min], []],
    ],
    ids=str,
)
def test_numbers_among_the_distinct_codes_give_them_back(columns):
    codes = [np.array(column, dtype=np.int64) for column in columns]
    distinct, numbers = compact(codes)
    assert distinct.tolist() == sorted({x for column in columns for x in column})
    assert [distinct[number].tolist() for number in numbers] == columns
