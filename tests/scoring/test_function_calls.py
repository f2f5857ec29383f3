"""What a function of the sums is called with, and how often."""

import numpy as np
import pytest
from hypothesis import given

from choices import plan
from corpora.equation_16 import columns_of_equation_16, f1_difference
from corpora.ratio_rows import sentences
from corpora.sum_functions import TESTS, run, share
from corpora.sum_scores import small_rows
from oracles.statistics import all_sums
from pairedperm import paired_permutation_test, structured_permutation_test
from pairedperm.scoring.function import Checked, Function
from pairedperm.scoring.rows import Rows
from properties import generators, one_in


def test_the_function_gets_arrays_of_rows():
    seen = []

    def function(sums):
        seen.append((type(sums), sums.dtype, sums.ndim, sums.shape[-1], sums.flags.writeable))
        return share(sums)

    for test in TESTS:
        run(test, function)
    assert set(seen) == {(np.ndarray, np.dtype(np.float64), 2, 3, True)}


@one_in(3)
@pytest.mark.parametrize("method", ["exact", "monte_carlo"])
@pytest.mark.parametrize("test", ["structured", "score"])
@given(rng=generators)
def test_called_with_attainable_sums_only(method, test, rng):
    stay, swap = small_rows(rng)
    if rng.random() < 0.3:  # a lattice with holes
        stay *= rng.choice([1, 2, 3, 5], stay.shape)
    recorded = []

    def statistic(sums, recorded=recorded):
        assert sums.dtype == np.float64
        recorded.append(sums.copy())
        return sums @ np.arange(1, sums.shape[-1] + 1)

    options = {"method": method, "n_resamples": 300, "rng": 0}
    if test == "structured":
        structured_permutation_test(stay, swap, statistic, **options)
    else:
        paired_permutation_test(stay, swap, score=statistic, alternative="greater", **options)
    called = {tuple(row) for row in np.concatenate(recorded).tolist()}
    attainable = {tuple(row) for row in all_sums(stay, swap).astype(float).tolist()}
    assert called <= attainable
    if method == "exact" and (stay != swap).any():
        assert called == attainable


def test_called_with_all_sums_a_few_times_only():
    """About a third more than there are points of the grid, and some to try it."""
    stay, swap = columns_of_equation_16(sentences(np.random.default_rng(4), 150))
    n_rows = 0

    def statistic(sums):
        nonlocal n_rows
        n_rows += len(sums)
        return f1_difference(sums)

    result = structured_permutation_test(stay, swap, statistic)
    assert result.method == "exact"
    n_points = plan(stay, swap, f1_difference).n_points
    assert n_points > 500
    assert n_rows < 2.5 * n_points + 2000


def test_next_to_sums_a_function_may_have_no_score():
    """Where it has none it is NaN, and where it fails all are: sums of examples must have one."""
    rows = Rows(np.array([[1, 1], [2, 4]]), np.array([[1, 2], [3, 3]]))

    def root(sums):
        return np.sqrt(sums[..., 1] - sums[..., 0])

    def strict_root(sums):
        if (sums[..., 0] > sums[..., 1]).any():
            raise ValueError("no root")
        return root(sums)

    near = np.array([[1.0, 5.0], [3.0, 3.0], [3.0001, 3.0]])
    for function in (root, strict_root):
        checked = Checked(Function(function), rows, near[:2], "resamples", 1)
        assert checked.near(near[:2]).tolist() == checked(near[:2]).tolist() == [2.0, 0.0]
        expected = [2.0, 0.0, np.nan] if function is root else [np.nan] * 3
        np.testing.assert_array_equal(checked.near(near), expected)
