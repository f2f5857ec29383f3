"""Paired counts: of few distinct pairs, of very many examples, and that nothing changes them."""

import copy
import itertools
import operator
import pickle

import flint
import numpy as np
import pytest
from scipy import stats

from pairedperm import PairedCounts, paired_permutation_test


@pytest.mark.parametrize(
    ("counts", "same"),
    [
        (PairedCounts([1, 0, 1, 7], [0, 1, 0, 7], [10, 2.0, 5, 0]), ([0, 1], [1, 0], [2, 15])),
        (PairedCounts([1 / 3, 1], [0, 0], [0, 3]), ([1], [0], [3])),
        (PairedCounts([3, 1], [1, 1], np.array([2, 3], np.longdouble)), ([3, 1], [1, 1], [2, 3])),
    ],
)
def test_multiplicities(counts, same):
    assert counts == PairedCounts(*same)


# Very many examples


@pytest.mark.parametrize("n", [4 * 10**15, 10**16])
def test_more_examples_than_memory(n):
    """Of n examples k more improve: P(|S| ≥ k) of a walk of n steps, here by the normal law."""
    k = 2 * round(n**0.5)
    counts = PairedCounts([1, 0], [0, 1], [n // 2 + k // 2, n // 2 - k // 2])
    truth = 2 * stats.norm.sf((k - 1) / n**0.5)
    assert paired_permutation_test(counts).pvalue == pytest.approx(truth, rel=5 / n**0.5 + 1e-9)


@pytest.mark.parametrize(("n", "k"), [(10**9, 10**8), (10**18, 1)])
def test_few_losses_among_very_many_examples(n, k):
    """P(B ≤ k) = C(n, k) / 2^n · (1 + k / (n - k + 1) + …), ever less than 1/9 of it."""
    result = paired_permutation_test(PairedCounts([1, 0], [0, 1], [n - k, k]))
    ratios = [flint.arb(k - i) / (n - k + 1 + i) for i in range(min(k, 90))]
    log_ways = flint.arb(n + 1).lgamma() - flint.arb(k + 1).lgamma() - flint.arb(n - k + 1).lgamma()
    tail = sum(itertools.accumulate(ratios, operator.mul), flint.arb(1))
    truth = log_ways + tail.log() - (n - 1) * flint.arb(2).log()
    low, high = result.log_pvalue_interval
    assert flint.arb(low) < truth
    assert truth < flint.arb(high)
    assert high - low <= 1e-10 * abs(result.log_pvalue)
    assert (result.n, result.pvalue_interval[0]) == (n, 0.0)


# Nothing changes them


def test_counts_cannot_be_changed():
    counts = PairedCounts.from_rows([1], [0])
    with pytest.raises(ValueError, match="read-only"):
        counts.multiplicities[0] = 5
    with pytest.raises(AttributeError):
        counts.decimals = 3
    for twin in (pickle.loads(pickle.dumps(counts)), copy.copy(counts), copy.deepcopy(counts)):
        assert twin == counts
        assert twin + counts == PairedCounts([1], [0], [2])
        for array in (twin.rows1, twin.rows2, twin.multiplicities):
            assert not array.flags.writeable
    assert counts != PairedCounts.from_rows([1], [1])
    assert counts != 3
