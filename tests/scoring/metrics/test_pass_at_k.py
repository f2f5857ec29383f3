"""Pass@k, against the estimator as its paper prints it, fractions and all swaps."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from datasets import Dataset
from hypothesis import given

import pairedperm
from extras import needs
from oracles.texts import brute_force
from oracles.vectors import ALTERNATIVES
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset
from properties import cases, generators

METRIC = "pass_at_k"
NO_RUN = "a run has passed, 1, or not, 0"


def as_printed(n, c, k):
    """Chen et al. 2021, figure 3."""
    return 1.0 if n - c < k else 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))


def share(runs, k):
    """Of all ways to choose k of the runs, those in which one passes."""
    chosen = [any(some) for some in combinations(runs, k)]
    return Fraction(sum(chosen), len(chosen))


def items(rng, n, least=1):
    """Runs of items, of as many as come, and their difficulty."""
    sizes = rng.integers(least, 8, n)
    return [(rng.random(size) < rng.random()).astype(int).tolist() for size in sizes]


@cases(0.3)
@given(rng=generators)
def test_runs(rng):
    n, k = int(rng.integers(1, 9)), int(rng.integers(1, 4))
    one = items(rng, n, k)
    two = [rng.integers(0, 2, len(runs)).tolist() for runs in one]
    shares = [[share(runs, k) for runs in column] for column in (one, two)]
    for alternative in ALTERNATIVES:
        result = compare(one, two, None, METRIC, k=k, alternative=alternative)
        assert result.pvalue == pytest.approx(float(brute_force(*shares, alternative)), rel=1e-12)
        for score, runs in ((result.score1, one), (result.score2, two)):
            printed = np.mean([as_printed(len(x), sum(x), k) for x in runs])
            assert score == pytest.approx(printed, rel=1e-12, abs=1e-12)
        assert (result.metric, result.metric_options) == (METRIC, {"k": k})


@cases(0.2)
@given(rng=generators)
def test_numbers_of_runs(rng):
    """Their numbers say the same, and so do arrays and bools."""
    n, size, k = int(rng.integers(2, 40)), int(rng.integers(3, 9)), int(rng.integers(1, 4))
    one, two = (rng.random((n, size)) < rng.random((2, n, 1))).tolist()
    result = compare(one, two, None, METRIC, k=k)
    numbers = [[sum(runs) for runs in column] for column in (one, two)]
    assert compare(*numbers, [size] * n, METRIC, k=k) == result
    assert compare(np.array(one), np.array(two, dtype=np.int8), None, METRIC, k=k) == result
    drawn = compare(one, two, None, METRIC, k=k, test="bootstrap", rng=0)
    assert compare(*numbers, [size] * n, METRIC, k=k, test="bootstrap", rng=0) == drawn
    assert drawn.method == "exact"


@pytest.mark.parametrize("method", ["auto", "enumeration", "bracket", "monte_carlo"])
def test_denominators_beyond_int64(method):
    """Of C(200, 100) ways to choose: p still is that of the fractions."""
    rng = np.random.default_rng(8)
    one, two = rng.integers(0, 60, (2, 9))
    two[:3] = one[:3]
    shares = [[1 - Fraction(PASSES[c], PASSES[0]) for c in x] for x in (one, two)]
    p = float(brute_force(*shares, "two-sided"))
    result = compare(one, two, [200] * 9, METRIC, k=100, method=method, rng=1)
    assert result.score1 == pytest.approx(float(sum(shares[0]) / 9), rel=1e-15)
    low, high = result.pvalue_interval
    assert low <= p <= high
    assert result.interval == ("confidence" if method == "monte_carlo" else "certified")
    drawn = compare(one, two, [200] * 9, METRIC, k=100, test="bootstrap", rng=1)
    assert drawn.method == "monte_carlo"
    assert drawn.score1 == result.score1


def _passes():
    """By c, how often no one of c runs is among 100 of 200; all are divided by the first."""
    found = [Fraction(1)]
    for c in range(60):
        found.append(found[-1] * Fraction(100 - c, 200 - c))
    return found


PASSES = _passes()


def test_swaps_of_its_own_estimates():
    rng = np.random.default_rng(22)
    difficulty = rng.random((200, 1))
    one, two = (rng.random((200, 10)) < difficulty * x for x in (1.0, 0.95))
    estimates = [np.array([as_printed(10, sum(x), 3) for x in y]) for y in (one, two)]
    difference = estimates[0] - estimates[1]
    signs = rng.integers(0, 2, (40_000, 200)) * 2 - 1
    share_of_swaps = np.mean(np.abs(signs @ difference) >= abs(difference.sum()) - 1e-9)
    p = compare(one, two, None, METRIC, k=3).pvalue
    assert abs(share_of_swaps - p) <= 4 * np.sqrt(p * (1 - p) / 40_000)


def test_series_with_other_indexes():
    runs = [pd.Series([[0, 1], [1, 1]], index=index) for index in ([0, 1], [1, 0])]
    with pytest.warns(UserWarning, match="`predictions1` and `predictions2` are Series with d"):
        compare(*runs, None, METRIC)


def test_doors():
    rng = np.random.default_rng(3)
    one = items(rng, 40, 2)
    columns = {"predictions1": one, "predictions2": [rng.permutation(x).tolist() for x in one]}
    result = compare(**columns, references=None, metric=METRIC, k=2)
    assert "The pass@2 of system 1 is " in result.summary()
    wanted = result.to_dict()
    module = pairedperm.load("paired_perm", METRIC, k=2)
    for start in range(0, 40, 15):
        module.add_batch(**{name: x[start : start + 15] for name, x in columns.items()})
    assert module.compute() == wanted
    assert pairedperm.load("paired_perm").compute(**columns, metric=METRIC, k=2) == wanted
    dataset = Dataset.from_dict(columns)
    found = compare_dataset(dataset, references=None, metric=METRIC, k=2)
    assert found.to_dict() == wanted
    planned = pairedperm.plan(*columns.values(), None, METRIC, k=2)
    assert planned.method == result.method == "exact"


@pytest.mark.parametrize(
    ("columns", "k", "message"),
    [
        (([[1, 0]], [[1]], None), 2, "`k` is 2, and item 0 of `predictions2` has 1 runs: run each"),
        (([1], [1], [2]), 3, "`k` is 3, and item 0 of `predictions1` has 2 runs"),
        (
            ([[1, 2]], [[1, 0]], None),
            1,
            r"`predictions1`\[0\]\[1\] is 2: a run has passed, 1, or n",
        ),
        (([[1]], [[1], [0]], None), 1, "`predictions1` has 1 examples and `predictions2` has 2"),
        (([3], [1], [2]), 1, r"`predictions1`\[0\] is 3, but `references` has 2 runs"),
        (([1], [-1], [2]), 1, r"`predictions2`\[0\] is -1, but `references` has 2 runs"),
        (([1], [1], None), 1, r"`predictions1` must hold the runs of each item, .*labels \(1\)"),
        (([[1]], [[1]], [1]), 1, "`references` must be None where `predictions1` holds the runs"),
        (([[1]], [[1]], np.zeros((1, 0))), 1, "`references` must be None .* got a column of 1"),
        pytest.param(([[1]], [[1]], None), 10**5000, "`k` is a very large integer", id="k"),
        (([1], [1], [1, 2]), 1, "`predictions1` has 1 examples and `references` has 2"),
        (([1], [1], [[1]]), 1, "`references` must hold a number of runs per item, got lists"),
        (([["a"]], [[1]], None), 1, "`predictions1` must hold runs, 0 or 1, .* got 'a'"),
        (([[1]], [[1]], None), 0, "`k` must be a positive integer, got 0"),
        (([[]], [[]], None), 1, "`k` is 1, and item 0 of `predictions1` has 0 runs"),
        ((None, [[1]], None), 1, "`predictions1` is missing"),
        (([[1, 0.5]], [[1, 1]], None), 1, rf"`predictions1`\[0\]\[1\] is 0\.5: {NO_RUN}"),
        ((np.array([[1, 0.5]]), [[1]], None), 1, rf"`predictions1`\[0\]\[1\] is 0\.5: {NO_RUN}"),
        (([[1], [2.0]], [[1], [1]], None), 1, rf"`predictions1`\[1\]\[0\] is 2: {NO_RUN}"),
        (([[np.inf]], [[1]], None), 1, rf"`predictions1`\[0\]\[0\] is inf: {NO_RUN}"),
        (([[1e300]], [[1]], None), 1, r"`predictions1`\[0\]\[0\] is an integer beyond int64"),
        (([[1.0, np.nan]], [[1]], None), 1, r"`predictions1`\[0\]\[1\] is missing \(nan\)"),
        ((np.array([np.nan]), [1], [1]), 1, r"`predictions1`\[0\] is missing \(nan\)"),
        (
            ([1.0], [1.5], [2]),
            1,
            r"`predictions2`\[0\] is 1\.5: .* A number of runs is an i",
        ),
        (([1], [1], [2.5]), 1, r"`references`\[0\] is 2\.5: .* A number of runs is an int"),
        (([[[1.0]]], [[1]], None), 1, r"`predictions1`\[0\]\[0\] is no label: \[1\.0\]"),
        (([{0, 1}], [[1]], None), 1, r"`predictions1`\[0\] is a set, .*runs of an item as a list"),
    ],
)
def test_columns_that_are_no_runs(columns, k, message):
    with pytest.raises(InputError, match=message) as error:
        compare(*columns, METRIC, k=k)
    assert "multilabel" not in str(error.value)  # which it has not


def _tensor(rows):
    torch = needs("torch", "dev")
    return torch.tensor(rows, dtype=torch.float32)


def as_floats(rows):
    return [[*map(float, runs)] for runs in rows]


@pytest.mark.parametrize(
    "given",
    [
        as_floats,
        lambda rows: np.array(rows, np.float32),
        lambda rows: [np.array(runs, np.float16) for runs in rows],
        lambda rows: [tuple(runs) for runs in as_floats(rows)],
        lambda rows: [*rows[:5], *as_floats(rows[5:])],
        lambda rows: pd.Series(as_floats(rows)),
        lambda rows: _tensor(rows),
        lambda rows: list(_tensor(rows)),
        lambda rows: Dataset.from_dict({"x": as_floats(rows)})["x"],
    ],
)
def test_rewards(given):
    """Which come as floats, also with others among them that are none."""
    one, two = np.random.default_rng(6).integers(0, 2, (2, 9, 4)).tolist()
    result = compare(one, two, None, METRIC, k=2)
    assert compare(given(one), given(two), None, METRIC, k=2) == result
    numbers = [[float(sum(runs)) for runs in column] for column in (one, two)]
    assert compare(*numbers, np.full(9, 4.0), METRIC, k=2) == result
    module = pairedperm.load("paired_perm", METRIC, k=2)
    for part in (slice(5), slice(5, None)):
        module.add_batch(predictions1=given(one)[part], predictions2=given(two)[part])
    assert module.compute() == result.to_dict()
