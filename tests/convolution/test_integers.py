"""Exact integers, and sums and assignments that are listed, against Python's and brute force."""

import itertools
import math
from collections import Counter
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oracles import reals as real_oracle
from oracles import vectors as vector_oracle
from oracles.vectors import ALTERNATIVES
from pairedperm.convolution import integers, law
from pairedperm.convolution.integers import (
    TOO_MANY,
    column_sums,
    enumerate_lower_tail,
    exact_dot,
    exact_sum,
    listed_sums,
    n_sums,
)
from pairedperm.convolution.law import distinct_differences, distinct_rows
from pairedperm.convolution.polynomials import attainable_sums, count_lower_tail, count_resamples
from properties import cases, generators, one_in

int64 = st.integers(-(2**63), 2**63 - 1) | st.just(-(2**63)) | st.integers(-3, 3)


@cases(2)
@given(st.lists(st.tuples(st.integers(1, 2**31 - 1) | st.integers(1, 2**62), int64), max_size=5))
@example([(2**31 - 1, 2**63 - 1)] * 3)
@example([(2**31 - 1, -(2**63))] * 3)
@example([(2**31, -(2**63)), (1, 1)])
def test_sums_that_leave_int64(pairs):
    counts, values = np.array([*pairs], dtype=np.int64).reshape(-1, 2).T
    assert exact_sum(values) == sum(values.tolist())
    expected = sum(m * v for m, v in pairs)
    assert exact_dot(counts, values) == expected
    if pairs:
        table = np.stack([values, np.ones_like(values)], axis=1)
        assert column_sums(table, None) == [sum(values.tolist()), len(pairs)]
        assert column_sums(table, counts) == [expected, sum(counts.tolist())]


def counted(rows, multiplicities):
    found = Counter()
    for row, m in zip(rows, multiplicities, strict=False):
        found[tuple(row)] += m
    return found


@one_in(2)
@cases(2)
@pytest.mark.parametrize("dense", [0, 2**16], ids=["sorted", "in an array"])
@given(
    rows=st.lists(st.tuples(int64, st.integers(-2, 2), int64), max_size=8),
    is_counted=st.booleans(),
)
def test_distinct_rows(dense, rows, is_counted):
    """Also of numbers so far apart that a row's number must be made smaller."""
    columns = list(np.array(rows, dtype=np.int64).reshape(-1, 3).T)
    multiplicities = np.arange(1, len(rows) + 1) if is_counted else None
    with mock.patch.object(law, "DENSE_CODES", dense):
        where, how_often = distinct_rows(columns, multiplicities)
    found = [rows[k] for k in where.tolist()]
    assert found == sorted(set(rows))
    each = [1] * len(rows) if multiplicities is None else multiplicities.tolist()
    assert dict(zip(found, how_often.tolist(), strict=True)) == counted(rows, each)


@cases(1)
@given(st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), max_size=12))
def test_distinct_differences(rows):
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    vectors, how_often = distinct_differences(table[:, :2], table[:, 2:], None)
    turned = [max((a - c, b - d), (c - a, d - b)) for a, b, c, d in rows]
    expected = counted([x for x in turned if any(x)], itertools.repeat(1))
    found = [tuple(x) for x in vectors.tolist()]
    assert found == sorted(expected)
    assert how_often.tolist() == [expected[x] for x in found]


@one_in(3)
@pytest.mark.parametrize("together", [1, 3, 16, 2**18])
@given(rng=generators)
def test_every_sum_is_listed(together, rng):
    """In blocks of any size, whatever they hold."""
    k, m = rng.integers(1, 6), rng.integers(1, 4)
    vectors, counts = rng.integers(-9, 10, (k, m)), rng.integers(1, 4, k)
    with mock.patch.object(integers, "BLOCK_LISTED", together):
        blocks = list(listed_sums(vectors, counts))
    found: Counter = Counter()
    for sums, ways in blocks:
        assert len(sums) == len(ways) <= max(together, 1)
        for point, n in zip(sums.tolist(), ways.tolist(), strict=True):
            found[tuple(point)] += n
    assert found == vector_oracle.law(vectors.tolist(), counts.tolist())
    assert sum(len(sums) for sums, _ in blocks) == n_sums(counts)


def test_many_assignments_are_counted_in_python_integers():
    ((_, ways),) = listed_sums(np.array([[1]]), np.array([100]))
    assert sum(ways.tolist()) == 2**100
    assert n_sums(np.ones(62, dtype=np.int64)) == TOO_MANY


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=8))
@example([3, -1, -2])
@example([2, -1])
def test_the_oracles(steps):
    """±3 ±1 ±2 sums to 0 twice: of 8 sums 5 are at least 0. ±2 ±1: of 4 two are at least 1."""
    by_hand = {3: (Fraction(1), *[Fraction(5, 8)] * 2), 2: (1, Fraction(1, 2), Fraction(3, 4))}
    found = [real_oracle.brute_force(steps, a) for a in ALTERNATIVES]
    assert found == [real_oracle.of_integers(steps, a) for a in ALTERNATIVES]
    if steps in ([3, -1, -2], [2, -1]):
        assert tuple(found) == by_hand[steps[0]]


# All assignments, in halves and in one integer


def by_brute_force(values, counts, bounds):
    copies = [v for v, c in zip(values, counts, strict=True) for _ in range(c)]
    sums, cumulated = real_oracle.subset_sums(copies)
    return [cumulated[sum(s <= b for s in sums)] for b in bounds]


@one_in(3)
@cases(0.3)
@given(rng=generators)
@pytest.mark.parametrize("n_bits", [3, 20, 52, 55, 56, 57, 61, 62, 63, 64, 111, 113, 168, 400])
def test_core_on_integers_of_any_size(rng, n_bits):
    """Within int64 and beyond, with values of all sizes up to these bits."""
    k = int(rng.integers(1, 8))
    sizes = [n_bits] * k if rng.random() < 0.5 else rng.integers(1, n_bits + 1, k).tolist()
    values = [int.from_bytes(rng.bytes(50), "big") >> 400 - b | 1 for b in sizes]
    counts = [1] * k if rng.random() < 0.7 else rng.integers(1, 4, k).tolist()
    copies = [v for v, c in zip(values, counts, strict=True) for _ in range(c)]
    sums, _ = real_oracle.subset_sums(copies)
    chosen = [sums[0], sums[-1], *(sums[k] for k in rng.integers(0, len(sums), 4))]
    bounds = [s + step for s in chosen for step in (-1, 0, 1)]
    expected = by_brute_force(values, counts, bounds)
    assert enumerate_lower_tail(values, counts, bounds) == expected


def around(*numbers):
    return [x + step for x in numbers for step in range(-5, 6)]


HARD = [  # values, counts, bounds: around a power, whose leading bits are the same
    *(
        ([1, 2**p - 1, 2**p, 2**p + 1, 2**56 - 1, 3], [2, 3, 1, 2, 2, 1], around(0, 2**56, 2**p))
        for p in (56, 112)
    ),
    *(  # where int64 ends
        ([n // 2, n - n // 2 - 5, 2, 3], [1] * 4, around(n // 2, n - 5, n))
        for n in (2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1, 2**63, 2**64)
    ),
    *(  # beyond all sums, as the slack of rounded scores may be by far
        (x, [1] * 3, [-1, -(2**100), -(2**300), 2**300])
        for x in ([1, 2, 4], [2**61, 2**61 - 1, 1], [2**200, 2**90, 1])
    ),
]


@pytest.mark.parametrize(("values", "counts", "bounds"), HARD, ids=range(len(HARD)))
def test_hard_integers(values, counts, bounds):
    expected = by_brute_force(values, counts, bounds)
    assert enumerate_lower_tail(values, counts, bounds) == expected


@pytest.mark.parametrize("unit", [1, 2**70])
@pytest.mark.parametrize("counts", [(62, 38), (88, 1)])
def test_more_assignments_than_int64_holds(unit, counts):
    """Of two distinct values there are few sums, however many examples; by binomial ways."""
    ways = [[math.comb(n, k) for k in range(n + 1)] for n in counts]
    bounds = [unit * b for b in (0, 3, 100, 274, 275, 548)]
    expected = [
        sum(
            x * y
            for (i, x), (j, y) in itertools.product(*map(enumerate, ways))
            if unit * (7 * i + 3 * j) <= bound
        )
        for bound in bounds
    ]
    assert enumerate_lower_tail([7 * unit, 3 * unit], [*counts], bounds) == expected


few = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 3)), min_size=1, max_size=4)


@given(few, st.integers(0, 40))
@example([(1, 2), (2, 1)], 3)  # sums 0, 1, 1, 2, 2, 3, 3, 4
def test_counting_in_one_integer(pairs, bound):
    """Assignments; and of the n^n resamples of up to four numbers those of at most the bound."""
    values, counts = zip(*pairs, strict=True)
    each = [value for value, count in pairs for _ in range(count)]
    found = [count_lower_tail(values, counts, b) for b in range(sum(each) + 1)]
    assert found == by_brute_force(values, counts, range(sum(each) + 1))
    attained = np.flatnonzero(np.diff(found, prepend=0)).tolist()
    assert np.flatnonzero(attainable_sums(values, counts)).tolist() == attained
    each = each[:4]
    sums = [sum(x) for x in itertools.product(each, repeat=len(each))]
    width = (len(each) ** len(each)).bit_length() + 1
    n_tail = count_resamples(*np.unique(each, return_counts=True), bound, width)
    assert n_tail == sum(s <= bound for s in sums)
