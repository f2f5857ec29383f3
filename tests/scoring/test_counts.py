"""Paired counts: made, merged and tested."""

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

from pairedperm import (
    BudgetError,
    InputError,
    PairedCounts,
    paired_permutation_test,
)

scores = st.integers(-3, 6)
wide = st.one_of(scores, st.integers(-(2**62), 2**62), st.sampled_from([-(2**63), 2**63 - 1]))


def as_counter(counts):
    rows = zip(counts.rows1.tolist(), counts.rows2.tolist(), strict=True)
    return Counter(dict(zip(map(str, rows), counts.multiplicities.tolist(), strict=True)))


@pytest.mark.parametrize("width", [None, 1, 2])
@given(data=st.data())
def test_counts_are_a_counter(width, data):
    """Of numbers, or of rows of them; the distinct pairs are sorted."""
    row = wide if width is None else st.lists(wide, min_size=width, max_size=width)
    pairs = data.draw(st.lists(st.tuples(row, row), min_size=width or 0, max_size=60))
    counts = PairedCounts.from_rows([a for a, _ in pairs], [b for _, b in pairs])
    assert as_counter(counts) == Counter(map(str, pairs))
    rows = list(zip(counts.rows1.tolist(), counts.rows2.tolist(), strict=True))
    assert rows == sorted(rows)
    assert counts.n == len(pairs)


@given(
    st.lists(st.tuples(scores, scores), min_size=1, max_size=80),
    st.lists(st.integers(0, 80), max_size=4),
    st.randoms(),
)
def test_split_and_merge_in_any_order(pairs, cuts, random):
    whole = PairedCounts.from_rows(*zip(*pairs, strict=True))
    edges = [0, *sorted(min(cut, len(pairs)) for cut in cuts), len(pairs)]
    parts = [
        PairedCounts.from_rows([a for a, _ in pairs[i:j]], [b for _, b in pairs[i:j]])
        for i, j in itertools.pairwise(edges)
    ]
    random.shuffle(parts)
    merged = sum(parts)
    assert merged == whole
    assert merged.rows1.tobytes() == whole.rows1.tobytes()
    columns = list(zip(*pairs, strict=True))
    for alternative in ("two-sided", "greater", "less"):
        expected = paired_permutation_test(*columns, alternative=alternative)
        assert paired_permutation_test(merged, alternative=alternative) == expected


def test_many_examples_are_few_pairs():
    rng = np.random.default_rng(0)
    counts1, counts2 = rng.integers(0, 9, (2, 200_000))
    counts = PairedCounts.from_rows(counts1, counts2)
    assert repr(counts) == "PairedCounts(n=200000, n_distinct=81, shape=(n,))"
    assert paired_permutation_test(counts) == paired_permutation_test(counts1, counts2)


def test_decimals_of_parts_meet_on_one_lattice():
    halves = PairedCounts.from_rows([0.5, 1.5], [1, 1])
    cents = PairedCounts.from_rows(np.array([0.25, 0.5], dtype=np.float32), [0, 1])
    assert (halves.decimals, cents.decimals) == (1, 2)
    whole = PairedCounts.from_rows([0.5, 1.5, 0.25, 0.5], [1, 1, 0, 1])
    assert halves + cents == cents + halves == whole
    expected = paired_permutation_test([0.5, 1.5, 0.25, 0.5], [1, 1, 0, 1])
    assert paired_permutation_test(halves + cents) == expected


def test_multiplicities():
    counts = PairedCounts([1, 0, 1, 7], [0, 1, 0, 7], [10, 2.0, 5, 0])
    assert as_counter(counts) == {"(0, 1)": 2, "(1, 0)": 15}
    assert PairedCounts([1 / 3, 1], [0, 0], [0, 3]) == PairedCounts([1], [0], [3])
    assert paired_permutation_test(counts).pvalue == pytest.approx(
        stats.binomtest(2, 17).pvalue, rel=1e-14
    )


@pytest.mark.parametrize("n", [10**10, 10**13, 4 * 10**15, 10**16])
def test_more_examples_than_memory(n):
    """Of n examples k more improve: P(|S| ≥ k) of a walk of n steps, here by the normal law."""
    k = 2 * round(n**0.5)
    counts = PairedCounts([1, 0], [0, 1], [n // 2 + k // 2, n // 2 - k // 2])
    result = paired_permutation_test(counts)
    assert result.n == n
    corrected = 2 * stats.norm.sf((k - 1) / n**0.5)
    assert result.pvalue == pytest.approx(corrected, rel=5 / n**0.5 + 1e-9)
    low, high = result.pvalue_interval
    assert high - low <= 1e-10 * result.pvalue


@pytest.mark.parametrize("n", [6 * 10**16, 606668995558053120, 9 * 10**18])
def test_too_many_examples(n):
    for k in (0, n // 10**8):
        counts = PairedCounts([1, 0], [0, 1], [n // 2 + k, n // 2 - k])
        with pytest.raises(BudgetError):
            paired_permutation_test(counts, alternative="greater", method="exact")


def test_very_many_examples_of_several_differences():
    counts = PairedCounts([0.5, 1.25, 2.5, 3.75, 9.1], [0, 1, 1, 5, 7.3], [1, 1, 2**60, 1, 1])
    assert paired_permutation_test(counts).pvalue < 1e-300
    with pytest.raises(InputError, match="so many are too many to certify p"):
        paired_permutation_test(counts, method="exact")


def test_few_losses_among_very_many_examples():
    n = 10**18
    result = paired_permutation_test(PairedCounts([1, 0], [0, 1], [n - 1, 1]))
    truth = (flint.arb(n) + 1).log() - (n - 1) * flint.arb(2).log()
    low, high = result.log_pvalue_interval
    assert flint.arb(low) < truth
    assert truth < flint.arb(high)
    assert result.pvalue_interval[0] == 0.0 < result.pvalue_interval[1] < 1e-320


def test_very_many_examples_and_a_very_small_p():
    n = 10**9
    result = paired_permutation_test(PairedCounts([1, 0], [0, 1], [9 * n // 10, n // 10]))
    k = n // 10  # P(B ≤ k) = C(n, k) / 2^n · (1 + k / (n - k + 1) + …), ever less than 1/9 of it
    ratios = [flint.arb(k - i) / (n - k + 1 + i) for i in range(90)]
    log_ways = flint.arb(n + 1).lgamma() - flint.arb(k + 1).lgamma() - flint.arb(n - k + 1).lgamma()
    tail = sum(itertools.accumulate(ratios, operator.mul), flint.arb(1))
    truth = log_ways + tail.log() - (n - 1) * flint.arb(2).log()
    low, high = result.log_pvalue_interval
    assert flint.arb(low) < truth
    assert truth < flint.arb(high)
    assert high - low <= 1e-10 * abs(result.log_pvalue)


def test_empty_counts_are_neutral():
    empty = PairedCounts.from_rows([], [])
    one = PairedCounts.from_rows([[1, 2]], [[3, 4]])
    assert (empty.n, repr(empty)) == (0, "PairedCounts(n=0, n_distinct=0, shape=(n,))")
    assert empty + empty == empty
    assert empty + one == one + empty == one
    assert PairedCounts.from_rows(np.empty((0, 2)), np.empty((0, 2))) + one == one


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


@pytest.mark.parametrize("unit", [1, 0.25])
def test_counts_in_a_file(tmp_path, unit):
    """Their arrays, as .github/CHANGELOG.md says, make the same counts again."""
    rows1, rows2 = np.random.default_rng(0).integers(0, 9, (2, 50, 2)) * unit
    counts = PairedCounts.from_rows(rows1, rows2)
    names = ("rows1", "rows2", "multiplicities", "decimals")
    np.savez(tmp_path / "counts.npz", **{name: getattr(counts, name) for name in names})
    with np.load(tmp_path / "counts.npz") as saved:
        scale = 10 ** int(saved["decimals"])
        found = PairedCounts(
            saved["rows1"] / scale, saved["rows2"] / scale, saved["multiplicities"]
        )
    assert found == counts


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble])
def test_multiplicities_may_be_any_floats(dtype):
    counts = PairedCounts([3, 1], [1, 1], np.array([2, 3], dtype=dtype))
    assert counts == PairedCounts([3, 1], [1, 1], [2, 3])
