"""Pilots and numbers that power, numbers of examples and detectable differences refuse."""

import math
import re

import numpy as np
import pytest

from corpora.pilots import f1_pilot
from pairedperm import (
    InputError,
    PairedCounts,
    compare,
    examples_needed,
    minimum_detectable_difference,
    power,
    structured_permutation_test,
)

ANY = ((0.1, 0.05), 100)
ALMOST_1 = np.nextafter(np.longdouble(1), 0)  # which is 1 as a float


@pytest.mark.parametrize(
    ("pilot", "message"),
    [
        ((0.6, 0.5), "`pilot` must be two shares of at least 0 and together at most 1"),
        ((-0.1, 0.5), "`pilot` must be two shares of at least 0"),
        ((math.nan, 0.5), "`pilot` must be two shares of at least 0"),
        ((0.0, 0.0), "`pilot` has no difference: both of its shares are 0"),
        ((0.1,), "`pilot` must be a result of `compare`"),
        (0.1, "`pilot` must be a result of `compare`"),
        ("ab", "`pilot` must be a result of `compare`"),
        (([1, 0], [0, 0]), "`pilot` must be a result of `compare`"),
        ((True, 0.1), "`pilot` must be a result of `compare`"),
        (compare([1, 1], [1, 1], [1, 0]), "on all of its 2 examples both systems score the same"),
        (compare([1], [0], [1]), "`pilot` has only one of the examples"),
        (compare([1, 1], [0, 1], [1, 1], groups=[3, 3]), "`pilot` has only one of the groups"),
        (PairedCounts([[1, 2]], [[2, 2]], [3]), "`pilot` must count one number per example"),
        (
            structured_permutation_test([1, 2], [2, 1], lambda sums: sums),
            "`pilot` must be a comparison of scores",
        ),
    ],
    ids=lambda x: "" if isinstance(x, str) else type(x).__name__,
)
def test_refused_pilots(pilot, message):
    with pytest.raises(InputError, match=re.escape(message)):
        power(pilot, 100)
    with pytest.raises(InputError, match=re.escape(message)):
        examples_needed(pilot)


def test_no_direction():
    with pytest.raises(InputError, match="as many examples speak for either system"):
        examples_needed((0.1, 0.1))
    assert power((0.1, 0.1), 100).wrong_sign is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: power((0.1, 0.05), 0), "`n_examples` must be a positive integer"),
        (lambda: power((0.1, 0.05), 1.5), "`n_examples` must be a positive integer"),
        (lambda: power((0.1, 0.05), 10**10), "`n_examples` must be at most 100,000,000 here"),
        (lambda: power(f1_pilot(), 10**6 + 1), "`n_examples` must be at most 1,000,000 here"),
        (lambda: power(*ANY, n_simulations=2**70), "`n_simulations` must be at most 1,000,000"),
        (lambda: power(*ANY, alpha=0), "`alpha` must be between 0 and 1"),
        (lambda: power(*ANY, alpha=1), "`alpha` must be between 0 and 1"),
        (lambda: power(*ANY, n_simulations=0), "`n_simulations` must be a positive integer"),
        (lambda: power(*ANY, rng="a"), "`rng` must be a seed"),
        (lambda: examples_needed((0.1, 0.05), 0.05), "`power` must be above `alpha`, 0.05, and"),
        (lambda: examples_needed((0.1, 0.05), 1), "`power` must be above `alpha`, 0.05, and"),
        (lambda: examples_needed((0.1, 0.05), math.nan), "`power` must be above `alpha`"),
        (lambda: examples_needed((0.1, 0.05), ALMOST_1), "`power` must be above `alpha`"),
        (lambda: minimum_detectable_difference(*ANY, power="0.8"), "`power` must be above"),
    ],
)
def test_refused_numbers(call, message):
    with pytest.raises(InputError, match=re.escape(message)):
        call()
