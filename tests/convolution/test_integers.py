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
from properties import cases, generators, one_in

int64 = st.integers(-(2**63), 2**63 - 1) | st.just(-(2**63)) | st.integers(-3, 3)


@cases(5)
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
@cases(5)
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


@cases(2)
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
    assert found == vector_oracle.law(vectors.tolist(), counts.tolist())
    assert sum(len(sums) for sums, _ in blocks) == n_sums(counts)


def test_many_assignments_are_counted_in_python_integers():
    ((_, ways),) = listed_sums(np.array([[1]]), np.array([100]))
    assert sum(ways.tolist()) == 2**100
    assert n_sums(np.ones(62, dtype=np.int64)) == TOO_MANY


def test_hand_counted():
    """±3 ±1 ±2 sums to 0 twice, so that of 8 sums 5 are at least 0, and all in size.

    ±2 ±1 observed as 1: 3 and 1 are at least that, with -1 and -3 four are in size.
    """
    expected = {"two-sided": Fraction(1), "greater": Fraction(5, 8), "less": Fraction(5, 8)}
    for alternative, p in expected.items():
        for oracle in (real_oracle.brute_force, real_oracle.of_integers):
            assert oracle([3, -1, -2], alternative) == p
    for oracle in (real_oracle.brute_force, real_oracle.of_integers):
        assert [oracle([2, -1], a) for a in ALTERNATIVES] == [1, Fraction(1, 2), Fraction(3, 4)]


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=8))
def test_the_oracles_are_the_same(steps):
    for alternative in ALTERNATIVES:
        p = real_oracle.brute_force(steps, alternative)
        assert real_oracle.of_integers(steps, alternative) == p


# The core


def by_brute_force(values, counts, bounds):
    copies = [v for v, c in zip(values, counts, strict=True) for _ in range(c)]
    sums, cumulated = real_oracle.subset_sums(copies)
    return sums, [cumulated[sum(s <= b for s in sums)] for b in bounds]


def edges(sums, rng):
    """Bounds at, just below and just above some sums, and beyond all."""
    chosen = [sums[0], sums[-1], *(sums[k] for k in rng.integers(0, len(sums), 4))]
    return [s + step for s in chosen for step in (-1, 0, 1)]


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
    bounds = edges(sums, rng)
    _, truth = by_brute_force(values, counts, bounds)
    assert enumerate_lower_tail(values, counts, bounds) == truth


@pytest.mark.parametrize("power", [56, 112])
def test_core_around_powers(power):
    """Sums around a power, whose leading bits are the same."""
    values = [1, 2**power - 1, 2**power, 2**power + 1, 2**56 - 1, 3]
    counts = [2, 3, 1, 2, 2, 1]
    bounds = [a + b for a in (0, 2**56, 2**power, 3 * 2**power) for b in range(-5, 6)]
    assert enumerate_lower_tail(values, counts, bounds) == by_brute_force(values, counts, bounds)[1]


@pytest.mark.parametrize("total", [2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1, 2**63, 2**64])
def test_core_where_int64_ends(total):
    values = [total // 2, total - total // 2 - 5, 2, 3]
    bounds = [total // 2 - 1, total // 2, total - 6, total - 3, total - 1, total]
    truth = by_brute_force(values, [1] * 4, bounds)[1]
    assert enumerate_lower_tail(values, [1] * 4, bounds) == truth


def test_core_with_many_of_a_value():
    """62 of one value and 38 of another: 2^100 assignments, by binomial coefficients."""
    counts = 62, 38
    ways = {
        (i, j): math.comb(counts[0], i) * math.comb(counts[1], j)
        for i, j in itertools.product(range(63), range(39))
    }
    for values in ((7, 3), (7 * 2**70, 3 * 2**70)):
        unit = values[0] // 7
        bounds = [unit * b for b in (0, 3, 100, 274, 275, 548)]
        truth = [
            sum(n for (i, j), n in ways.items() if i * values[0] + j * values[1] <= b)
            for b in bounds
        ]
        assert enumerate_lower_tail(values, counts, bounds) == truth


@pytest.mark.parametrize("values", [[1, 2, 4], [2**61, 2**61 - 1, 1], [2**200, 2**90, 1]])
def test_core_with_bounds_beyond_all_sums(values):
    """The slack of rounded scores may exceed the sum of their differences by far."""
    for bound, n in ((-1, 0), (-(2**100), 0), (-(2**300), 0), (2**100 + sum(values), 8)):
        assert enumerate_lower_tail(values, [1, 1, 1], [bound]) == [n]


def test_more_assignments_than_int64_holds():
    """Of few distinct values there are few sums, however many examples there are."""
    k = np.arange(89)
    [n_tail] = enumerate_lower_tail([2**70 + 1], [88], [40 * (2**70 + 1)])
    assert n_tail == sum(math.comb(88, int(j)) for j in k[:41])
    [n_tail] = enumerate_lower_tail([1, 2**70], [60, 40], [20 * 2**70 + 7])
    tail = sum(math.comb(40, j) for j in range(20)) * 2**60
    assert n_tail == tail + math.comb(40, 20) * sum(math.comb(60, j) for j in range(8))
