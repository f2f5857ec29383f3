"""The method that a plan names is the one that runs: of every kind of input, of any size."""

import warnings
from random import Random

import pytest

from corpora.sized import KINDS, sized
from pairedperm import plan, structured_permutation_test

SIDES = ("two-sided", "greater", "less")


def cases(kind):
    """A dozen of one kind."""
    rng = Random(kind)
    for seed in range(12):
        n = int(2 * 200 ** rng.random())
        size = int(2 * 50_000 ** (rng.random() ** 2))
        yield kind, n, size, rng.choice((0.0, 0.05, 0.3)), seed


SLOW = "two scales", "three classes"


@pytest.mark.parametrize(
    "kind",
    [pytest.param(x, marks=[pytest.mark.thorough] if x in SLOW else []) for x in KINDS],
)
@pytest.mark.thorough
def test_what_is_planned_runs(kind):
    methods = set()
    for number, case in enumerate(cases(kind)):
        test, arguments, options = sized(*case)
        options |= {"rng": 0, "n_resamples": 99}
        if number % 4:  # a second at most
            options["budget"] = {"max_points": 2**20}
        if test is not structured_permutation_test:
            options["alternative"] = SIDES[number % 3]
        planned = plan(*arguments, **options)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "p is estimated from ")
            result = test(*arguments, **options)
        assert planned.method == result.method, case
        assert planned == plan(*arguments, **options), case
        assert planned.seconds >= 0.0
        methods.add(result.method)
    assert methods <= {"exact", "enumeration", "bracket", "monte_carlo"}
