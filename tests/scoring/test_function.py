"""Functions of the sums: what is accepted, what they are called with, and the remedies."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from choices import plan
from corpora.sum_functions import STAY, SWAP, TESTS, Share, called, raising, run, share
from corpora.sum_scores import small_rows
from oracles.statistics import all_sums
from pairedperm import InputError
from pairedperm.scoring.function import Checked, Function
from pairedperm.scoring.rows import Rows
from properties import cases, generators

by_test = pytest.mark.parametrize("test", TESTS)
WEIGHTS = np.random.default_rng(5).random(3)


def warns(sums):
    """Of the branches that np.where does not take NumPy would warn."""
    x, y = sums[..., 0], sums[..., 0] - sums[..., 0]
    ignored = x / y + np.log(y - 1.0) + np.exp(1e4 * x) + 1e-300 * np.float64(1e-300)
    return np.where(y == 0, share(sums), ignored)


def writes(sums):
    found = share(sums)
    sums += 1000
    sums[...] = np.nan
    return found


def is_more(sums):
    return np.where(sums[..., 0] > sums[..., 1], 1.0, 0.0)


@by_test
@pytest.mark.parametrize(
    ("function", "meant"),
    [
        (Share(), share),
        (lambda sums: share(sums).tolist(), share),
        (lambda sums: share(sums).astype(np.longdouble), share),
        (lambda sums: pd.Series(share(sums)), share),
        (lambda sums: np.array([share(row) for row in sums]), share),
        (lambda sums: [Fraction(int(x), int(x + y)) for x, y, _ in sums], share),
        (lambda sums: np.array([Decimal(float(share(x))) for x in sums], dtype=object), share),
        (lambda sums, *rest, beta=1.0: beta * share(sums), share),
        (writes, share),
        (warns, share),
        (lambda sums: sums[..., 0], lambda sums: sums[..., 0].copy()),  # a view
        (lambda sums: is_more(sums).astype(np.uint8), is_more),  # differences may be negative
        # products of matrices round by the number of rows
        (lambda sums: (sums @ WEIGHTS).round(9), lambda s: (s * WEIGHTS).sum(axis=-1).round(9)),
    ],
)
def test_accepted(test, function, meant):
    """Whatever the state of NumPy is, which stays."""
    before = np.geterr()
    for options in ({}, {"method": "monte_carlo", "n_resamples": 99, "rng": 0}):
        stay, swap = STAY.copy(), SWAP.copy()
        with np.errstate(all="raise"):
            result, expected = (called(test, stay, swap, x, **options) for x in (function, meant))
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-13)
        assert result.statistic == pytest.approx(expected.statistic, rel=1e-14)
        assert np.array_equal(np.hstack((stay, swap)), np.hstack((STAY, SWAP)))
    assert np.geterr() == before


# The remedies


def of_row(row):
    """Of one row, with `if`, `math` and unpacking."""
    tp, fp, _ = row
    return math.exp(math.log(tp) - math.log(tp + fp)) if tp + fp else 0


@by_test
def test_the_remedy_works(test):
    remedy = "np.vectorize(f, otypes=[float], signature='(m)->()')"
    with pytest.raises(InputError) as raised:
        run(test, of_row)
    assert str(raised.value).endswith(f": {remedy}.")
    result = run(test, eval(remedy, {"np": np, "f": of_row}))  # as it is told
    assert result.pvalue == run(test, share).pvalue


# What they are called with


@pytest.mark.parametrize("method", ["exact", "monte_carlo"])
@by_test
@cases(0.5)
@given(rng=generators)
def test_called_with_attainable_sums_only(method, test, rng):
    """About a third more often than there are, and some to try it."""
    stay, swap = small_rows(rng)
    if rng.random() < 0.3:  # a lattice with holes
        stay *= rng.choice([1, 2, 3, 5], stay.shape)
    recorded = []

    def statistic(sums):
        assert (type(sums), sums.dtype, sums.flags.writeable) == (np.ndarray, np.float64, True)
        recorded.extend(map(tuple, sums.reshape(len(sums), -1).tolist()))
        return sums @ np.arange(1, sums.shape[-1] + 1)

    options = {"alternative": "greater"} if test == "score" else {}  # of two sides half will do
    called(test, stay, swap, statistic, method=method, n_resamples=300, rng=0, **options)
    attainable = {tuple(row) for row in all_sums(stay, swap).astype(float).tolist()}
    assert {*recorded} <= attainable
    if method == "exact" and (stay != swap).any():
        assert {*recorded} == attainable
        assert len(recorded) < 2.5 * plan(stay, swap, statistic).n_points + 2000


def test_next_to_sums_a_function_may_fail():
    """Its scores are NaN there; sums of examples must have one."""
    rows = Rows(np.array([[1, 1], [2, 4]]), np.array([[1, 2], [3, 3]]))

    def root(sums):
        if (sums[..., 0] > sums[..., 1]).any():
            raise ValueError("no root")
        return np.sqrt(sums[..., 1] - sums[..., 0])

    near = np.array([[1.0, 5.0], [3.0, 3.0], [3.0001, 3.0]])
    checked = Checked(Function(root), rows, near[:2], "resamples", 1)
    assert checked.near(near[:2]).tolist() == [2.0, 0.0]
    assert np.isnan(checked.near(near)).all()


# Errors


@by_test
def test_the_exception_is_the_cause(test):
    """What is no exception passes."""
    error = KeyError("f1")
    with pytest.raises(InputError) as raised:
        run(test, raising(error))
    assert raised.value.__cause__ is error
    with pytest.raises(KeyboardInterrupt):
        run(test, raising(KeyboardInterrupt()))


@by_test
@pytest.mark.parametrize(("n", "n_columns"), [(1, 1), (1, 2), (2, 2), (4, 4), (8, 65), (8, 66)])
def test_columns_that_are_taken_for_rows(test, n, n_columns):
    """c[0] is the first row of sums, and not the first column: never silently another score."""
    stay, swap = np.random.default_rng(3).integers(1, 5, (2, n, n_columns))
    for function in (
        lambda c: c[0] / (c[0] + c[n_columns - 1]),
        lambda c: c[0] ** 2,
        lambda c: c.sum(axis=0),
    ):
        with pytest.raises(InputError, match=r"np\.vectorize\(f, otypes=\[float\], signature="):
            called(test, stay, swap, function)
