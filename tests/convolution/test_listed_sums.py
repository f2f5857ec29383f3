"""All sums of vectors, listed: each as often as assignments give it."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from oracles import vectors as oracle
from pairedperm.convolution import integers
from pairedperm.convolution.integers import TOO_MANY, listed_sums, n_sums
from properties import generators, one_in


@one_in(3)
@pytest.mark.parametrize("together", [1, 3, 16, 2**18])
@given(rng=generators)
def test_every_sum_is_listed(together, rng):
    """In blocks of any size, whatever they hold."""
    k, m = rng.integers(1, 6), rng.integers(1, 4)
    vectors, counts = rng.integers(-9, 10, (k, m)), rng.integers(1, 4, k)
    before, integers.BLOCK_LISTED = integers.BLOCK_LISTED, together
    try:
        blocks = list(listed_sums(vectors, counts))
    finally:
        integers.BLOCK_LISTED = before
    found: Counter = Counter()
    for sums, ways in blocks:
        assert len(sums) == len(ways) <= max(together, 1)
        for point, n in zip(sums.tolist(), ways.tolist(), strict=True):
            found[tuple(point)] += n
    assert found == oracle.law(vectors.tolist(), counts.tolist())
    assert sum(len(sums) for sums, _ in blocks) == n_sums(counts)


def test_many_assignments_are_counted_in_python_integers():
    ((_, ways),) = listed_sums(np.array([[1]]), np.array([100]))
    assert sum(ways.tolist()) == 2**100
    assert n_sums(np.ones(62, dtype=np.int64)) == TOO_MANY
