"""The null distribution of a score of column sums, also of a result that was pickled."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

from corpora.ratio_rows import sentences
from corpora.sum_scores import SCORES, precision, ratio_as_function
from oracles.sums import differences_of_all_swaps
from pairedperm import InputError, paired_permutation_test


@pytest.mark.parametrize("name", SCORES)
def test_null_distribution(name):
    exact, score = SCORES[name]
    rng = np.random.default_rng(6)
    for n in (1, 4, 8):
        rows1, rows2 = rng.integers(0, 4, (2, n, 3))
        _, found = differences_of_all_swaps(rows1, rows2, exact)
        masses = {}
        for d, ways in found:
            masses[d] = masses.get(d, 0) + Fraction(int(ways), 2**n)
        null = paired_permutation_test(rows1, rows2, score=score).null_distribution()
        assert null.support == pytest.approx([float(d) for d in sorted(masses)], abs=1e-12)
        assert null.pmf == pytest.approx([float(masses[d]) for d in sorted(masses)], abs=1e-15)


def test_null_distribution_gives_the_pvalue():
    rows = sentences(np.random.default_rng(7), 120, 0.05)
    result = paired_permutation_test(
        rows[:, :2], rows[:, 2:], score=ratio_as_function, alternative="greater"
    )
    null = result.null_distribution()
    assert null.support == pytest.approx(-null.support[::-1], abs=1e-12)
    at_least = null.pmf[null.support >= result.statistic - 1e-12].sum()
    assert at_least == pytest.approx(result.pvalue, abs=1e-13)


def test_null_distribution_without_a_difference():
    null = paired_permutation_test([[1, 2]], [[1, 2]], score=precision).null_distribution()
    assert (null.support.tolist(), null.pmf.tolist()) == ([0.0], [1.0])


# Pickles


@pytest.mark.parametrize("method", ["exact", "monte_carlo"])
def test_results_pickle(method):
    rows1, rows2 = np.random.default_rng(10).integers(0, 4, (2, 10, 2))
    result = paired_permutation_test(rows1, rows2, score=precision, method=method, rng=0)
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    null = copied.null_distribution()
    assert np.array_equal(null.support, result.null_distribution().support)
    assert np.array_equal(null.pmf, result.null_distribution().pmf)


def test_results_of_a_lambda_pickle_without_the_null_distribution():
    rows1, rows2 = np.random.default_rng(10).integers(0, 4, (2, 10, 2))
    result = paired_permutation_test(rows1, rows2, score=lambda sums: precision(sums))
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    effect = dict.fromkeys(["n_wins", "n_losses", "n_ties", "standard_error"])
    assert copied.to_dict() == result.to_dict() | effect
    with pytest.raises(
        InputError, match=r"without its score function, .*\. Define the function at"
    ):
        copied.null_distribution()
    again = pickle.loads(pickle.dumps(copied))
    with pytest.raises(InputError, match="without its score function"):
        again.null_distribution()
    assert result.null_distribution().pmf.sum() == pytest.approx(1.0)  # the original has it
