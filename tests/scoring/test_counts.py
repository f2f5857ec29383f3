"""Paired counts: of few distinct pairs, of very many examples, and that nothing changes them."""

import copy
import itertools
import operator
import pickle
from collections import Counter

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pairedperm import BudgetError, PairedCounts, paired_permutation_test
from properties import cases

scores = st.integers(-3, 6)
wide = st.one_of(scores, st.integers(-(2**62), 2**62), st.sampled_from([-(2**63), 2**63 - 1]))


@pytest.mark.parametrize("width", [None, 1, 2])
@cases(0.5)
@given(data=st.data())
def test_counts_are_a_counter(width, data):
    """Of numbers, or of rows of them; the distinct pairs are sorted."""
    row = wide if width is None else st.lists(wide, min_size=width, max_size=width)
    pairs = data.draw(st.lists(st.tuples(row, row), min_size=width or 0, max_size=60))
    counts = PairedCounts.from_rows([a for a, _ in pairs], [b for _, b in pairs])
    rows = list(zip(counts.rows1.tolist(), counts.rows2.tolist(), strict=True))
    assert rows == sorted(rows)
    found = dict(zip(map(str, rows), counts.multiplicities.tolist(), strict=True))
    assert found == Counter(map(str, pairs))


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


@pytest.mark.parametrize("n", [6 * 10**16, 606668995558053120, 9 * 10**18])
def test_too_many_examples(n):
    counts = PairedCounts([1, 0], [0, 1], [n // 2, n // 2])
    with pytest.raises(BudgetError):
        paired_permutation_test(counts, alternative="greater", method="exact")


@pytest.mark.parametrize("n", [10**10, 4 * 10**15, 10**16])
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
