"""Functions of the sums that are accepted, at once or wrapped as a message says."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from corpora.sum_functions import EXPECTED, STAY, SWAP, TESTS, Share, called, run, share
from pairedperm import InputError, structured_permutation_test


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    "function",
    [
        Share(),
        Share().__call__,
        lambda sums: share(sums).tolist(),
        lambda sums: tuple(share(sums)),
        lambda sums: share(sums).astype(np.longdouble),
        lambda sums: share(sums.copy()),
        lambda sums: np.ma.array(share(sums)),
        lambda sums: pd.Series(share(sums)),
        lambda sums: np.array([share(row) for row in sums]),
        lambda sums: [Fraction(int(x), int(x + y)) for x, y, _ in sums],
        lambda sums: np.array([Decimal(float(share(row))) for row in sums], dtype=object),
        lambda sums, *rest, beta=1.0: beta * share(sums),
    ],
)
def test_accepted(test, function):
    result = run(test, function)
    assert result.pvalue == pytest.approx(EXPECTED[test].pvalue, rel=1e-13)
    assert result.statistic == pytest.approx(EXPECTED[test].statistic, rel=1e-14)


@pytest.mark.parametrize("test", TESTS)
def test_other_numbers(test):
    """Bools, integers and half floats are numbers."""
    bools = run(test, lambda sums: sums[..., 0] > sums[..., 1])
    expected = run(test, lambda sums: np.where(sums[..., 0] > sums[..., 1], 1.0, 0.0))
    assert bools == expected
    for kind in (int, np.int8, np.uint8, np.float16, np.float32):
        assert run(test, lambda s, kind=kind: (s[..., 0] > s[..., 1]).astype(kind)) == expected
    unsigned = run(test, lambda sums: sums[..., 0].astype(np.uint8))  # differences may be negative
    assert unsigned == run(test, lambda sums: sums[..., 0])


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("method", ["exact", "monte_carlo"])
def test_functions_that_write_to_their_input(test, method):
    def function(sums):
        found = share(sums)
        sums += 1000
        sums[...] = np.nan
        return found

    options = {"method": method, "n_resamples": 500, "rng": 0}
    stay, swap = STAY.copy(), SWAP.copy()
    assert run(test, function, **options) == run(test, share, **options)
    assert np.array_equal(stay, STAY)
    assert np.array_equal(swap, SWAP)
    assert run(test, function).null_distribution().pmf.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("test", TESTS)
def test_functions_that_return_their_input(test):
    """A view of a column, or the array itself."""
    assert run(test, lambda s: s[..., 0]) == run(test, lambda s: s[..., 0].copy())
    of_numbers = structured_permutation_test(STAY[:, 0], SWAP[:, 0], lambda s: s)
    assert of_numbers == structured_permutation_test(STAY[:, 0], SWAP[:, 0], lambda s: s.copy())


@pytest.mark.parametrize("test", TESTS)
def test_no_warning_of_numpy_leaks(test):
    """Warnings are errors here: of the branches that np.where does not take there is none."""

    def function(sums):
        x, y = sums[..., 0], sums[..., 0] - sums[..., 0]
        ignored = x / y + np.log(y - 1.0) + np.exp(1e4 * x) + 1e-300 * np.float64(1e-300)
        return np.where(y == 0, share(sums), ignored)

    assert run(test, function) == EXPECTED[test]
    with np.errstate(all="raise"):  # nor does the caller's state matter
        assert run(test, function) == EXPECTED[test]
    before = np.geterr()
    run(test, function)
    assert np.geterr() == before


@pytest.mark.parametrize("test", TESTS)
def test_roundings_are_no_mixture_of_rows(test):
    """Products of matrices round by the number of rows."""
    weights = np.random.default_rng(5).random(3)
    result = run(test, lambda sums: np.round(sums @ weights, 9))
    expected = run(test, lambda sums: np.round((sums * weights).sum(axis=-1), 9))
    assert result.pvalue == expected.pvalue


def test_data_frames():
    frames = [pd.DataFrame(rows, columns=["tp", "fp", "fn"]) for rows in (STAY, SWAP)]
    for test in TESTS:
        assert called(test, *frames, share) == EXPECTED[test]
    series = [frame["tp"] for frame in frames]
    assert structured_permutation_test(*series, np.square) == structured_permutation_test(
        STAY[:, 0], SWAP[:, 0], np.square
    )


# The remedies


def of_row(row):
    """Of one row, with `if`, `math` and unpacking."""
    tp, fp, _ = row
    if tp + fp == 0:
        return 0
    return math.exp(math.log(tp) - math.log(tp + fp))


@pytest.mark.parametrize("test", TESTS)
def test_the_remedy_of_rows_works(test):
    with pytest.raises(InputError, match="signature=") as raised:
        run(test, of_row)
    remedy = str(raised.value).rpartition("wrap a function of one row: ")[2].rstrip(".")
    assert remedy == "np.vectorize(f, otypes=[float], signature='(m)->()')"
    f = eval(remedy, {"np": np, "f": of_row})  # as it is told
    result = run(test, f)
    assert result.pvalue == EXPECTED[test].pvalue
    assert result.statistic == pytest.approx(EXPECTED[test].statistic, rel=1e-12)


@pytest.mark.parametrize("test", TESTS)
def test_the_remedy_of_numbers_works(test):
    def of_number(x):
        return math.sqrt(x) if x > 3 else 0

    def call(f):
        return called(test, STAY[:, 0], SWAP[:, 0], f)

    with pytest.raises(InputError, match="vectorize") as raised:
        call(of_number)
    remedy = str(raised.value).rpartition("wrap a function of one number: ")[2].rstrip(".")
    assert remedy == "np.vectorize(f, otypes=[float])"
    result = call(eval(remedy, {"np": np, "f": of_number}))
    assert result == call(lambda sums: np.where(sums > 3, np.sqrt(sums), 0.0))


@pytest.mark.parametrize("test", TESTS)
def test_the_remedy_of_zeros_works(test):
    stay, swap = np.array([[1, 1], [0, 0], [2, 3]]), np.array([[0, 0], [0, 1], [0, 0]])

    def call(f):
        return called(test, stay, swap, f)

    with pytest.raises(InputError, match=r"with np\.where"):
        call(lambda sums: sums[..., 0] / sums[..., 1])
    with pytest.raises(InputError, match=r"ZeroDivisionError: .* with np\.where"):
        call(lambda sums: [int(x) / int(y) for x, y in sums])
    # no NumPy warning of the branch that is not taken
    result = call(lambda sums: np.where(sums[..., 1] == 0, 0.0, sums[..., 0] / sums[..., 1]))
    assert 0.0 < result.pvalue <= 1.0
