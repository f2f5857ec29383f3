"""Decimals and fractions as scores: read as the numbers that they are."""

from decimal import Decimal
from fractions import Fraction

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from datasets import Dataset, Features, Value

from choices import plan
from oracles import reals as oracle
from oracles.vectors import ALTERNATIVES
from pairedperm import PairedCounts, Ratio, compare, paired_bootstrap_test, paired_permutation_test
from pairedperm.hf import compare_dataset
from pairedperm.hf.accumulator import Accumulator
from properties import one_in

THIRDS = [Fraction(1, 3), Fraction(5, 6), Fraction(2, 7), Fraction(-1, 2)]
DECIMALS = [Decimal("0.1"), Decimal("0.30"), Decimal("-1.25"), Decimal(2)]
OTHERS = [0, Fraction(1, 3), Fraction(1, 6), Fraction(2, 3)]
NAMES = ("predictions1", "predictions2")


def exactly(scores):
    """Floats as the decimals that they print as."""
    return [Fraction(str(x)) if isinstance(x, float) else Fraction(x) for x in scores]


def drawn(rng, kind, n):
    """Scores of a kind, often the same ones."""
    of_kind = {
        "fractions": lambda: Fraction(int(rng.integers(-9, 9)), int(rng.choice([1, 2, 3, 7, 12]))),
        "decimals": lambda: Decimal(int(rng.integers(-9, 9))).scaleb(int(rng.integers(-2, 1))),
        "all": lambda: [Fraction(1, 3), Decimal("0.1"), 2, 0.25, True, -0.7][rng.integers(6)],
    }
    return [of_kind[kind]() for _ in range(n)]


def in_a_module(one, two, *, configuration="paired_perm", size=2, **options):
    module = evaluate.load(configuration, "scores")
    for start in range(0, len(one), size):
        part = {
            "predictions1": one[start : start + size],
            "predictions2": two[start : start + size],
        }
        module.add_batch(**part)
    return module.compute(**options)


@pytest.mark.parametrize("kind", ["fractions", "decimals", "all"])
def test_p_is_that_of_all_swaps_of_the_exact_numbers(kind):
    rng = np.random.default_rng(9)
    for n in range(1, 9):
        one, two = drawn(rng, kind, n), drawn(rng, kind, n)
        first, second = exactly(one), exactly(two)
        steps = [a - b for a, b in zip(first, second, strict=True)]
        for alternative in ALTERNATIVES:
            result = paired_permutation_test(one, two, alternative=alternative)
            expected = oracle.brute_force(steps, alternative)
            assert result.pvalue == pytest.approx(float(expected), rel=1e-12)
            assert result.method == "exact"
            assert result.score1 == float(sum(first) / n)
            assert result.statistic == float(sum(steps) / n)


@one_in(2)
@pytest.mark.parametrize("kind", ["fractions", "decimals", "all"])
def test_both_tests_are_those_of_the_integers_in_a_common_unit(kind):
    rng = np.random.default_rng(10)
    one, two = drawn(rng, kind, 30), drawn(rng, kind, 30)
    whole = [[int(x * 84_000) for x in exactly(column)] for column in (one, two)]
    assert [[Fraction(x, 84_000) for x in column] for column in whole] == [
        *map(exactly, (one, two))
    ]
    for test in (paired_permutation_test, paired_bootstrap_test):
        result, expected = test(one, two), test(*whole)
        assert result.pvalue == expected.pvalue
        assert result.score1 == pytest.approx(expected.score1 / 84_000, rel=1e-15)
        found, wanted = result.to_dict(), expected.to_dict()
        for end in {"ci_low", "ci_high", "difference_low", "difference_high"} & {*found}:
            assert found[end] == pytest.approx(wanted[end] / 84_000, rel=1e-12)
    narrow, wide = (
        x.confidence_interval()
        for x in (paired_permutation_test(one, two), paired_permutation_test(*whole))
    )
    assert narrow.low == pytest.approx(wide.low / 84_000, rel=1e-9)
    null = paired_permutation_test(one, two).null_distribution()
    assert null.support[-1] == pytest.approx(
        paired_permutation_test(*whole).null_distribution().support[-1] / 84_000
    )


def test_decimals_are_those_of_floats():
    floats = [0.1, 0.3, -1.25, 2.0]
    others = [0.5, 0.25, 0.0, 1.0]
    for test in (paired_permutation_test, paired_bootstrap_test):
        assert test(DECIMALS, others) == test(floats, others)
        assert test(pd.Series(DECIMALS), np.array(others)) == test(floats, others)
    assert plan(DECIMALS, others) == plan(floats, others)
    assert PairedCounts.from_rows(DECIMALS, others) == PairedCounts.from_rows(floats, others)
    counts = PairedCounts([Decimal("0.5")], [Fraction(1, 4)], [Decimal(3)])
    assert counts == PairedCounts([0.5], [0.25], [3])
    assert PairedCounts([Fraction(1, 2)], [1], [0]).n == 0


def test_decimals_of_more_digits_than_floats_hold():
    one = [Decimal("1234567890.00000001"), Decimal("0.1"), Decimal("3")]
    two = [Decimal("1234567890.00000002"), Decimal("0.10000001"), Decimal("2.99999998")]
    result = paired_permutation_test(one, two)
    assert (result.method, result.pvalue) == ("exact", 1.0)  # 0.00000001 twice against their sum
    assert result.statistic == 0.0
    greater = paired_permutation_test(one, two, alternative="greater")
    assert greater.pvalue == 5 / 8


def test_arrow_and_datasets(registered):
    others = [Decimal("0.5"), Decimal("0.25"), Decimal(0), Decimal(1)]
    expected = paired_permutation_test(DECIMALS, others)
    kind = pa.decimal128(10, 4)
    arrays = [pa.array(x, type=kind) for x in (DECIMALS, others)]
    assert paired_permutation_test(*arrays) == expected
    assert paired_permutation_test(*map(pa.chunked_array, ([x] for x in arrays))) == expected
    of_pandas = [pd.Series(x, dtype=pd.ArrowDtype(kind)) for x in (DECIMALS, others)]
    assert paired_permutation_test(*of_pandas) == expected
    columns = dict(zip(NAMES, (DECIMALS, others), strict=True))
    features = Features(dict.fromkeys(NAMES, Value("decimal128(10, 4)")))
    dataset = Dataset.from_dict(columns, features=features)
    assert compare_dataset(dataset, references=None) == expected
    assert compare_dataset(dataset.to_iterable_dataset(), references=None) == expected
    assert paired_permutation_test(*(dataset[name] for name in NAMES)) == expected


@pytest.mark.parametrize("size", [1, 2, 4])
def test_modules(registered, size):
    for one, two in ((THIRDS, OTHERS), (DECIMALS, OTHERS), (THIRDS, [0.1, 0.25, 2, 0])):
        expected = paired_permutation_test(one, two).to_dict()
        found = in_a_module(one, two, size=size)
        assert found == expected
        assert (
            evaluate.load("paired_perm", "scores").compute(predictions1=one, predictions2=two)
            == expected
        )
        found = in_a_module(one, two, configuration="paired_bootstrap", size=size)
        assert found == paired_bootstrap_test(one, two).to_dict()


def test_parts_of_several_processes():
    streams = [Accumulator(None), Accumulator(None), Accumulator(None)]
    parts = (THIRDS, OTHERS), (DECIMALS, [1, 2, 3, 4]), ([0.5, 1.0], [2, 0])
    for stream, (one, two) in zip(streams, parts, strict=True):
        stream.add({"predictions1": one, "predictions2": two})
    one, two = ([x for part in parts for x in part[k]] for k in (0, 1))
    states = [stream.state(None) for stream in streams]
    assert streams[0].test_states(states, None) == paired_permutation_test(one, two)


MANY_PRIMES = [Fraction(1, p) for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)]


def test_what_has_no_common_denominator_is_read_as_floats(registered):
    zeros = [0] * len(MANY_PRIMES)
    floats = [*map(float, MANY_PRIMES)]
    result = paired_permutation_test(MANY_PRIMES, zeros)
    assert result.method == "enumeration"
    assert result.pvalue == paired_permutation_test(floats, zeros).pvalue
    of_module = in_a_module(MANY_PRIMES, zeros, size=3)
    assert of_module == result.to_dict()
    halves = MANY_PRIMES[:7], MANY_PRIMES[7:]
    result = paired_permutation_test(*halves)
    assert (result.method, result.pvalue) == ("enumeration", 2**-6)
    with_float = [2**0.5, *THIRDS[1:]]
    result = paired_permutation_test(with_float, OTHERS)
    assert result.pvalue == paired_permutation_test([*map(float, with_float)], OTHERS).pvalue
    large = [Decimal(2**61 + 1), Decimal("0.5")], [Decimal(-(2**61)), Decimal("0.25")]
    assert paired_permutation_test(*large).method == "enumeration"
    assert paired_permutation_test([Decimal(10) ** 30, 0], [0, 1]).pvalue == 1.0


def test_streams_of_floats_and_fractions(registered):
    one, two = [*THIRDS, 2**0.5, Decimal(2**60) / 10], [*OTHERS, 0.5, Decimal(1)]
    found = in_a_module(one, two, size=1)
    floats = [float(x) for x in one], [float(x) for x in two]
    assert found["p"] == paired_permutation_test(*floats).pvalue
    assert found["method"] == "enumeration"


def test_rows_of_fractions():
    one, two = [[Fraction(1, 3), Fraction(1, 2)], [1, 2]], [[Fraction(1, 6), 1], [0, 1]]
    whole = [[[int(x * 6) for x in row] for row in rows] for rows in (one, two)]
    ratio = Ratio([1, 0], [0, 1])
    assert paired_permutation_test(one, two, score=ratio) == (
        paired_permutation_test(*whole, score=ratio)
    )

    def ratio_of_sums(sums):
        return sums[..., 0] / sums[..., 1]

    floats = [[[float(x) for x in row] for row in rows] for rows in (one, two)]
    found = paired_permutation_test(one, two, score=ratio_of_sums)
    assert found.pvalue == paired_permutation_test(floats[0], floats[1], score=ratio_of_sums).pvalue
    halves = [[[Decimal(x) / 2 for x in row] for row in rows] for rows in whole]
    found = paired_permutation_test(*halves, score=ratio_of_sums)
    assert (found.method, found.pvalue) == ("exact", 0.5)


def test_other_numbers_are_still_read_as_floats():
    lengths = [Decimal("-4.5"), Fraction(-7, 2)], [Decimal("-5.5"), -4], [Decimal(3), 2]
    floats = [[*map(float, column)] for column in lengths]
    assert compare(*lengths, "log_likelihood") == compare(*floats, "log_likelihood")
