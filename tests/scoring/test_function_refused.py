"""Functions of the sums that are refused, and how."""

import enum
import math
import warnings
from decimal import Decimal

import numpy as np
import pytest

from corpora.sum_functions import STAY, SWAP, TESTS, Share, called, raising, run, share
from pairedperm import InputError, paired_permutation_test, plan, structured_permutation_test
from properties import one_in


class WithArguments:
    def __init__(self, beta):
        self.beta = beta


def of_one_row_only(row):
    """As one would write it at first."""
    tp, fp, fn = row
    return tp / (tp + fp + fn)


def with_if(sums):
    if sums[..., 0] > 20:
        return sums[..., 0]
    return sums[..., 1]


def with_math(sums):
    return math.sqrt(sums[..., 0])


_SHAPE = r"must return a score for each row of sums: for shape \(\d+, 3\) it returned "
_REMEDY = r".* wrap a function of one row: np\.vectorize\(f, otypes=\[float\], signature='\(m\)->"
_FINITE = "must return finite numbers, got "


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("function", "message"),
    [
        # another shape
        (lambda s: s, rf"{_SHAPE}shape \(\d+, 3\), not shape \(\d+,\){_REMEDY}"),
        (lambda s: share(s)[:-1], rf"{_SHAPE}shape \(\d+,\), not shape "),
        (lambda s: s.sum(axis=0), rf"{_SHAPE}shape \(3,\), not "),
        (lambda s: s[0] / s[1], rf"{_SHAPE}shape \(3,\), not {_REMEDY}"),
        # a single value
        (lambda s: s.mean(), rf"{_SHAPE}one value, .*\(float\), not shape{_REMEDY}"),
        (lambda s: None, rf"{_SHAPE}None \(is a `return` missing\?\), not"),
        (lambda s: "0.5", rf"{_SHAPE}one value, '0.5' \(str\), not"),
        (lambda s: share, rf"{_SHAPE}one value, <function"),
        # no real numbers
        (lambda s: share(s) + 0j, r"must return real numbers, got .*j\) \(complex\) of dtype com"),
        (lambda s: share(s).astype(str), r"must return real numbers, got '0.* \(str\) of dtype <U"),
        (lambda s: [None] * len(s), f"{_FINITE}nan for"),
        (lambda s: ["high"] * len(s), r"must return real numbers, got 'high' \(str\)"),
        (lambda s: np.array([{}] * len(s)), r"must return real numbers, got {} \(dict\) of dtype"),
        (
            lambda s: np.full(len(s), np.datetime64("2022-07-10")),
            r"must return real numbers, got .* of dtype datetime64",
        ),
        # not finite
        (lambda s: np.full(len(s), np.nan), rf"{_FINITE}nan for the sums \[\d+, \d+, \d+\], which"),
        (lambda s: s[:, 0] / (s[:, 0] - s[:, 0]), f"{_FINITE}inf for the .*where a denominator is"),
        (lambda s: np.log(s[:, 0] - 1e4), f"{_FINITE}nan .*Say what the score is .*np.where"),
        (lambda s: np.log(0 * s[:, 0]), f"{_FINITE}-inf for"),
        (lambda s: [float("inf")] * len(s), f"{_FINITE}inf for"),
        (lambda s: [Decimal("nan")] * len(s), f"{_FINITE}nan for"),
        # exceptions
        (raising(KeyError("f1")), rf"failed on \d+ sums at once, .*KeyError: 'f1'\..*{_REMEDY}"),
        (raising(RuntimeError("no GPU")), r"failed on .*: RuntimeError: no GPU\. It must be vect"),
        (raising(StopIteration()), "failed on .*StopIteration"),
        (
            raising(ZeroDivisionError("division by zero")),
            "failed on .*ZeroDivisionError: division by zero. Say what the score is where a den",
        ),
        (lambda s: warnings.warn("odd"), "failed on .*UserWarning: odd"),  # noqa: B028
        (lambda: 1.0, r"failed on .*TypeError: .*takes 0 positional arguments"),
        (lambda tp, fp: tp / fp, r"failed on .*TypeError: .*missing 1 required positional"),
        # of one row
        (of_one_row_only, rf"failed on \d+ sums at once, .*too many values to unpack{_REMEDY}"),
        (with_if, rf"failed on .*ValueError: The truth value of an array {_REMEDY}"),
        (with_math, rf"failed on .*TypeError: .* scalar{_REMEDY}"),
        # rows that are not by themselves
        (
            lambda s: share(s) - share(s).mean(),
            rf"must score each row of sums by itself, .*{_REMEDY}",
        ),
        (
            lambda s: share(s)[::-1],
            r"must score each row of sums by itself, and always the same, but sc",
        ),
        (lambda s: np.arange(len(s)), r".*scored \[\d+, \d+, \d+\] 0 alone and \d+ among others"),
        (lambda s: s[:, 0] / s.max(), "must score each row of sums by itself"),
    ],
)
def test_refused(test, function, message):
    with pytest.raises(InputError, match=f"`{test}` {message}") as raised:
        run(test, function)
    assert "pairedperm" not in str(raised.value)


@pytest.mark.parametrize("test", TESTS)
def test_random_functions(test):
    rng = np.random.default_rng(2)
    with pytest.raises(InputError, match=f"`{test}` must score .* always the same, but scored"):
        run(test, lambda sums: rng.random(len(sums)))
    with pytest.raises(InputError, match=f"`{test}` must score .* always the same, but scored"):
        run(test, lambda sums: share(sums) * (1 + 1e-6 * rng.random(len(sums))))


@pytest.mark.parametrize("test", TESTS)
def test_functions_that_remember(test):
    calls = []

    def function(sums):
        calls.append(len(sums))
        return share(sums) + len(calls)

    with pytest.raises(InputError, match="always the same"):
        run(test, function)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("given", [Share, WithArguments, dict, float, np.float64, enum.Enum])
def test_classes(test, given):
    message = f"`{test}` is the class {given.__name__}: pass a function, or an instance that can be"
    with pytest.raises(InputError, match=message):
        run(test, given)


@pytest.mark.parametrize("given", ["f1", 0.5, 1, [share], {}, None])
def test_no_functions(given):
    with pytest.raises(InputError, match=r"`statistic` must be a function of the sums, .* got "):
        run("statistic", given)
    if given is not None:
        with pytest.raises(
            InputError,
            match=r"`score` must be a pairedperm\.Ratio, a function of column sums .*, got ",
        ):
            run("score", given)


@pytest.mark.parametrize("test", TESTS)
def test_the_exception_is_the_cause(test):
    error = KeyError("f1")
    with pytest.raises(InputError) as raised:
        run(test, raising(error))
    assert raised.value.__cause__ is error


@pytest.mark.parametrize("test", TESTS)
def test_what_is_no_exception_passes(test):
    """Ctrl-C, and an end of the program, are no fault of the function."""
    with pytest.raises(KeyboardInterrupt):
        run(test, raising(KeyboardInterrupt()))
    with pytest.raises(SystemExit):
        run(test, raising(SystemExit(1)))


@one_in(3)
@pytest.mark.parametrize("n_columns", range(1, 5))
@pytest.mark.parametrize("test", TESTS)
def test_columns_that_are_taken_for_rows(test, n_columns):
    """c[0] is the first row of sums, and not the first column: never silently another score."""
    rng = np.random.default_rng(3)
    for n in range(1, 9):
        stay, swap = rng.integers(1, 5, (2, n, n_columns))
        last = n_columns - 1
        for function in (
            lambda c, last=last: c[0] / (c[0] + c[last]),
            lambda c, last=last: c[0] - c[last],
            lambda c: c[0] ** 2,
            lambda c: c.sum(axis=0),
            lambda c: c.max(axis=0),
        ):
            with pytest.raises(InputError, match=r"np\.vectorize\(f, otypes=\[float\], signature="):
                called(test, stay, swap, function)


def test_with_as_many_rows_as_columns():
    """Of 66 columns: the sums that a function is tried on are as many."""
    rng = np.random.default_rng(4)
    stay, swap = rng.integers(0, 2, (2, 3, 66))
    for n_columns in (64, 65, 66):
        columns = stay[:, :n_columns], swap[:, :n_columns]
        for function in (lambda c: c.sum(axis=0), lambda c: c[0]):
            with pytest.raises(InputError, match="must return a score for each row of sums"):
                structured_permutation_test(*columns, function)
        expected = structured_permutation_test(*(x.sum(axis=1) for x in columns), lambda c: c)
        result = structured_permutation_test(*columns, lambda c: c.sum(axis=-1))
        assert result.pvalue == expected.pvalue


def test_one_column():
    """The messages are of numbers, and not of rows."""
    stay, swap = STAY[:, 0], SWAP[:, 0]
    remedy = r"It gets an array of sums, \(…\).*np\.vectorize\(f, otypes=\[float\]\)\.$"
    for function, message in (
        (lambda s: s.sum(), rf"for shape \(\d+,\) it returned one value, .*{remedy}"),
        (lambda s: math.sqrt(s), rf"failed on \d+ sums at once, .* of shape \(\d+,\): .*{remedy}"),
        (lambda s: s if s > 3 else -s, f"The truth value .*{remedy}"),
        (lambda s: s - s.mean(), rf"scored \d+ 0 alone and \S+ among others.*{remedy}"),
        (lambda s: s / 0.0, r"got inf for the sums \d+, which some swaps give"),
    ):
        with pytest.raises(InputError, match=f"`statistic` .*{message}"):
            structured_permutation_test(stay, swap, function)
        with pytest.raises(InputError, match=f"`score` .*{message}"):
            paired_permutation_test(stay, swap, score=function)


def test_sums_in_messages_are_the_user_s():
    """Decimals as they came."""
    with pytest.raises(InputError, match=r"got nan for the sums \[0\.3, 1\.25\], which some swaps"):
        structured_permutation_test(
            [[0.1, 0.5], [0.2, 0.75]], [[0, 0], [0, 0]], lambda s: np.log(s[..., 0] - 9)
        )


def test_what_only_some_swaps_give():
    """The denominator is 0 in one of 2^12 swaps only."""
    ones, zeros = np.ones((12, 2), dtype=int), np.zeros((12, 2), dtype=int)
    with pytest.raises(
        InputError, match=r"got (nan|inf) for the sums \[\d+, \d+\], which some swa"
    ):
        structured_permutation_test(ones, zeros, lambda s: s[..., 0] / (s[..., 1] - 5))
    with pytest.raises(InputError, match=r"got nan for the sums \[0, 0\], which some swaps give"):
        structured_permutation_test(ones, zeros, lambda s: s[..., 0] / s[..., 1])


def test_plan_refuses_the_same():
    with pytest.raises(InputError, match=r"`score` failed on .*KeyError"):
        plan(STAY, SWAP, score=raising(KeyError("f1")))
    with pytest.raises(InputError, match="`statistic` must return finite numbers"):
        plan(STAY, SWAP, lambda sums: sums[..., 0] / 0.0)
