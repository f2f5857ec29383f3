"""The exact interval keeps its level: all outcomes of n examples, at all lower limits.

A test of a margin errs as often as the lower limit. The share that differs runs from the difference
to 1, both included; there the error is that of Clopper and Pearson's interval.
"""

import pytest

from pairedperm.population.paired_shares import exact_interval
from properties import one_in
from scripts import loaded


@pytest.fixture(scope="module")
def greatest_errors():
    return loaded("interval_tables").greatest_errors


@one_in(5)
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize(
    ("n", "n_shares"),
    [
        *((5, 41), (10, 21), (20, 11)),
        *(pytest.param(*x, marks=pytest.mark.thorough) for x in ((30, 11), (50, 11), (100, 9))),
    ],
)
def test_errs_at_most_as_often_as_said(greatest_errors, n, n_shares, level):
    errors = greatest_errors(exact_interval, n, level, n_shares)
    assert errors.low <= (1.0 - level) / 2.0 + 1e-9
    assert errors.both <= 1.0 - level + 1e-9
