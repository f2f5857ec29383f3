"""Two tails by one tilted law: intervals that contain all tails between them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from oracles import swaps as oracle
from pairedperm.convolution.line.tilted import fit
from pairedperm.convolution.reals.rounded import between_tilted_tails
from pairedperm.options import Budget
from properties import cases, generators


def true_tail(values, counts, bound):
    """P(B ≤ bound), as a fraction."""
    differences = np.repeat(values, counts).tolist()
    sums, total = oracle.signed_sum_counts(differences), sum(differences)
    return Fraction(
        sum(n for s, n in sums.items() if total - s <= 2 * bound), 2 ** len(differences)
    )


@cases(1)
@given(rng=generators)
def test_the_ends_hold_whatever_is_dropped(rng):
    """From the exact tails to shares of a half, of bounds that are near, far, or beyond all."""
    values, counts = np.unique(rng.integers(1, rng.choice([5, 60, 900]), 30), return_counts=True)
    total = int(values @ counts)
    bound = int(rng.integers(1, (total - 1) // 2 + 1))
    low, high = bound - int(rng.integers(0, total)), bound + int(rng.integers(0, total))
    if rng.random() < 0.7:
        low, high = max(low, bound - 3), min(high, bound + 3)
    share = float(10.0 ** rng.uniform(-17, -0.3))
    p = between_tilted_tails(
        fit(values, counts, bound, total, share=share), bound, low, high, Budget()
    )
    assert Fraction(p.low) <= true_tail(values, counts, low)
    assert true_tail(values, counts, high) <= Fraction(p.high) == Fraction(p.value)


@pytest.mark.parametrize("share", [pytest.param(1e-9, marks=pytest.mark.thorough), 1e-6])
def test_a_share_saves_frequencies_and_costs_width(share):
    values = np.unique(np.random.default_rng(0).integers(1, 10**9, 400))
    counts, total = np.ones(values.size, dtype=np.int64), int(values.sum())
    bound = int(0.45 * total)
    exact, fitted = (fit(values, counts, bound, total, share=x) for x in (0.0, share))
    p = between_tilted_tails(fitted, bound, bound, bound, Budget())
    assert 0.0 < p.relative_width < 10.0 * share
    assert fitted.window.length < 0.8 * exact.window.length
    assert fitted.cost < 0.1 * exact.cost
