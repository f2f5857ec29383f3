"""Assignments counted in one integer, against brute force."""

import itertools
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pairedperm.convolution.polynomials import attainable_sums, count_lower_tail, count_resamples

few = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 3)), min_size=1, max_size=4)


def test_counting_by_hand():
    values, counts = [1, 2], [2, 1]  # sums 0, 1, 1, 2, 2, 3, 3, 4
    assert [count_lower_tail(values, counts, b) for b in range(5)] == [1, 3, 5, 7, 8]


@given(few)
def test_counting(pairs):
    values, counts = zip(*pairs, strict=True)
    each = [value for value, count in pairs for _ in range(count)]
    sums = Counter(sum(x) for x in itertools.product(*((0, value) for value in each)))
    for bound in range(sum(each) + 1):
        expected = sum(ways for s, ways in sums.items() if s <= bound)
        assert count_lower_tail(values, counts, bound) == expected
    assert np.flatnonzero(attainable_sums(values, counts)).tolist() == sorted(sums)


@given(few, st.integers(0, 40))
def test_counting_resamples(pairs, bound):
    """Of the n^n resamples of up to four numbers, those with a sum of at most the bound."""
    each = [value for value, count in pairs for _ in range(count)][:4]
    values, counts = np.unique(each, return_counts=True)
    sums = [sum(x) for x in itertools.product(each, repeat=len(each))]
    width = (len(each) ** len(each)).bit_length() + 1
    expected = sum(s <= bound for s in sums)
    assert count_resamples(values, counts, bound, width) == expected
