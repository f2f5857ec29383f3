"""Functions of the sums that fail, remember, or take rows for columns."""

import numpy as np
import pytest

from corpora.sum_functions import TESTS, called, raising, run, share
from pairedperm import InputError, structured_permutation_test
from properties import one_in


@pytest.mark.parametrize("test", TESTS)
def test_functions_that_remember(test):
    calls = []

    def function(sums):
        calls.append(len(sums))
        return share(sums) + len(calls)

    with pytest.raises(InputError, match="always the same"):
        run(test, function)


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
