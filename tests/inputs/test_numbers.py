"""Columns of scores: what is accepted, and which lattice they lie on."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extras import needs
from pairedperm import (
    compare,
    paired_permutation_test,
)
from pairedperm.errors import NoLatticeError
from pairedperm.inputs.lattice import on_lattice


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "int32", "uint64", "float16", "float32", "float64"]
)
def test_integers_of_any_type(dtype):
    counts1 = np.array([1, 1, 1, 0, 1, 1], dtype=dtype)
    counts2 = np.array([0, 0, 1, 0, 0, 1], dtype=dtype)
    result = paired_permutation_test(counts1, counts2)
    assert (result.pvalue, result.statistic) == (0.25, 0.5)


def test_other_containers_of_scores():
    class Wrapped:
        def __len__(self):
            return 2

        def __array__(self, dtype=None, copy=None):
            return np.array([3, 1])

    expected = paired_permutation_test([3, 1], [1, 1])
    assert paired_permutation_test(Wrapped(), [1, 1]) == expected
    assert paired_permutation_test([np.int8(3), True], [np.bool_(True), 1]) == expected
    assert paired_permutation_test(np.array([3, 1], dtype=object), [1.0, np.float32(1)]) == expected


def test_tensors():
    torch = needs("torch", "transformers")
    expected = paired_permutation_test([3, 1], [1, 1])
    assert paired_permutation_test([torch.tensor(3), torch.tensor(1)], [1, 1]) == expected
    tensors = [torch.tensor(0.1), torch.tensor(0.7)]
    assert paired_permutation_test(tensors, [0.0, 0.5]).score1 == 0.4


def test_sums_beyond_int64_do_not_wrap():
    big = 2**62
    result = paired_permutation_test([big, big, big, big + 1], [big, big, big, big])
    assert result.score1 == float(big)
    assert (result.n_differing, result.pvalue) == (1, 1.0)
    result = paired_permutation_test([big] * 8, [0] * 8, constant="system")
    assert (result.statistic, result.pvalue) == (float(big), 2.0**-7)


# Decimals


@pytest.mark.parametrize("dtype", [float, np.float32, np.float16])
def test_decimals_tie(dtype):
    """Of ±0.6 ± 0.3 ± 0.9, 5 of 8 sums are at least 0; in floats 0.6 + 0.3 < 0.9."""
    scores = np.array([-0.6, -0.3, 0.9], dtype=dtype)
    for column in (scores, list(scores), pd.Series(scores)):
        result = paired_permutation_test(column, np.zeros(3, int), alternative="greater")
        assert result.pvalue == 0.625
        assert (result.statistic, result.score1) == (0.0, 0.0)


def test_precisions_mix():
    columns = [0.1, np.float32(0.25), 3, np.float16(0.5)], np.array([0, 1, 2, 3], dtype=np.int8)
    scores1, scores2, unit = on_lattice("a", _read(columns[0]), "b", _read(columns[1]))
    assert (scores1.tolist(), scores2.tolist(), unit) == (
        [10, 25, 300, 50],
        [0, 100, 200, 300],
        100,
    )


def _read(column):
    from pairedperm.inputs.numbers import read_scores

    return read_scores("column", column)


@given(
    st.lists(st.integers(-(10**5), 10**5), min_size=1, max_size=9),
    st.integers(0, 9),
    st.sampled_from(["two-sided", "greater", "less"]),
)
def test_decimals_are_integers_in_another_unit(integers, decimals, alternative):
    scores = [float(f"{x}e-{decimals}") for x in integers]
    result = paired_permutation_test(scores, [0] * len(scores), alternative=alternative)
    assert result.pvalue == float(pvalue_of(tuple(integers), alternative))
    assert result.statistic == pytest.approx(np.mean(scores), rel=1e-12, abs=1e-300)


def pvalue_of(integers, alternative):
    """By enumeration: the oracle's polynomials would be long."""
    sums = np.zeros(1, dtype=np.int64)
    for x in integers:
        sums = np.concatenate((sums + x, sums - x))
    t = sum(integers)
    extreme = {"two-sided": abs(sums) >= abs(t), "greater": sums >= t, "less": sums <= t}
    return Fraction(int(extreme[alternative].sum()), sums.size)


@pytest.mark.parametrize("n_digits", [1, 4, 9, 13])
@pytest.mark.parametrize("whole", [0, 7, 123])
def test_every_decimal_of_thirteen_digits_is_recognised(n_digits, whole):
    rng = np.random.default_rng(n_digits)
    decimals = min(n_digits, 13 - len(str(whole)) * (whole > 0))
    fractions = rng.integers(0, 10**decimals, 1000)
    fractions[0] = 1  # the last decimal is there
    texts = [f"{whole}.{x:0{decimals}d}" for x in fractions]
    scores = np.array(texts, dtype=float)
    whole, _, unit = on_lattice("a", scores, "b", np.zeros(1000))
    assert unit == 10**decimals
    assert whole.tolist() == [int(text.replace(".", "")) for text in texts]


def test_float32_decimals():
    texts = [f"{x / 1e4:.4f}" for x in range(1, 10**5, 7)]  # up to five digits
    whole, _, unit = on_lattice("a", np.array(texts, dtype=np.float32), "b", np.zeros(len(texts)))
    assert unit == 10**4
    assert whole.tolist() == [int(text.replace(".", "")) for text in texts]


@pytest.mark.parametrize(
    ("dtype", "scores"),
    [
        (np.float32, [20 / 7, 32 / 7, -52 / 7]),  # 7 digits of it would round to themselves
        (np.float32, [8.1428573, 8.2857141]),
        (np.float64, [64 / 1009, -64 / 1009, 9.0]),
        (np.float64, [0.333, 1 / 3]),
        (np.float64, [5e-324, 1e-323]),
        (np.float64, [1e-23, 3e-23]),
    ],
)
def test_other_numbers_are_not_taken_for_decimals(dtype, scores):
    with pytest.raises(NoLatticeError):
        on_lattice("a", np.array(scores, dtype=dtype), "b", np.zeros(len(scores)))


def test_float32_of_other_containers():
    from array import array

    import datasets
    import pyarrow

    expected = paired_permutation_test([0.1, 0.7, 0.2], [0.3, 0.1, 0.1])
    floats = np.array([0.1, 0.7, 0.2], dtype=np.float32)
    features = datasets.Features({"score": datasets.Value("float32")})
    stored = datasets.Dataset.from_dict({"score": floats}, features=features)["score"]
    for column in (
        pd.Series(floats, dtype="Float32"),
        pd.Series(floats, dtype="float32[pyarrow]"),
        pyarrow.array(floats),
        pyarrow.chunked_array([floats[:1], floats[1:]]),
        array("f", floats),
        *([] if isinstance(stored, list) else [stored]),  # a list of wide floats in datasets 3
    ):
        assert paired_permutation_test(column, [0.3, 0.1, 0.1]) == expected


def test_a_transform_of_a_float32_column():
    import datasets

    features = datasets.Features({"x": datasets.Value("float32")})
    data = datasets.Dataset.from_dict({"x": [1.0, 2.0]}, features=features)
    texts = data.with_transform(lambda rows: {"x": [str(int(x)) for x in rows["x"]]})["x"]
    assert compare(texts, texts, ["1", "2"]).score1 == 1.0
    large = data.with_transform(lambda rows: {"x": [2**24 + 1 for _ in rows["x"]]})["x"]
    assert paired_permutation_test(large, [0, 0]).score1 == 2**24 + 1


def test_decimals_that_are_too_fine_for_the_budget():
    scores = np.random.default_rng(0).uniform(-1, 1, 200).round(12)
    assert paired_permutation_test(scores.round(3), np.zeros(200)).n == 200
    # few examples are enumerated however many digits they have
    few = np.abs(scores[:12])
    assert paired_permutation_test(few, np.zeros(12)).pvalue == 2.0**-11


@pytest.mark.parametrize("dtype", [float, np.float32, np.float16])
def test_a_column_of_few_decimals_beside_one_of_many(dtype):
    """Each is an integer in its own units before it is one in common units."""
    few = np.array([9.9, 12.5], dtype=dtype)
    scores1, scores2, unit = on_lattice("a", few, "b", np.array([9.9, 12.500001]))
    assert (scores1.tolist(), scores2.tolist()) == ([9900000, 12500000], [9900000, 12500001])
    assert unit == 10**6
    result = paired_permutation_test(few, [9.9, 12.500001])
    assert (result.n_differing, result.pvalue) == (1, 1.0)
    # beyond 2^53 units too, where a float times a power of ten is off by one
    scores1, _, _ = on_lattice("a", np.array([69461.6]), "b", np.array([23.96975044115]))
    assert scores1.tolist() == [6946160000000000]
    tied = [69461.6, -69461.5, 0.0], [0.1, 0.0, 1e-11]
    assert paired_permutation_test(*tied, alternative="greater").pvalue == 0.75


# What is refused
