"""The ends of p, given two numbers of right answers, or printed shares: beside all data."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import given

from oracles.two_scores import all_data, rounding_to, sign_test
from pairedperm import pvalue_bounds
from pairedperm.comparison.bounds import read_printed_share
from properties import cases, generators
from refusals import asks_alike, refuses

ALTERNATIVES = ("two-sided", "greater", "less")


def right_or_wrong(bounds, data, alternative):
    """The ends, the verdict and the number that suffices are those of all data."""
    alpha = Fraction(bounds.alpha)
    pvalues = {x: sign_test(*x, alternative) for x in {*data}}
    low, high = min(pvalues.values()), max(pvalues.values())
    assert (bounds.p_low, bounds.p_high) == (float(low), float(high))
    assert (bounds.log_p_low, bounds.log_p_high) == pytest.approx((log(low), log(high)))
    sides = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}[alternative]
    is_found = {
        (wins, losses): p <= alpha and ((wins > losses) - (wins < losses)) in sides
        for (wins, losses), p in pvalues.items()
    }
    verdicts = {*is_found.values()}
    assert bounds.is_significant is (verdicts.pop() if len(verdicts) == 1 else None)
    if bounds.is_significant is not None:
        assert bounds.most_differing is None
        return
    most = -1 if bounds.most_differing is None else bounds.most_differing
    assert all(found for x, found in is_found.items() if sum(x) <= most)
    if bounds.correct1[0] == bounds.correct1[1] and bounds.correct2[0] == bounds.correct2[1]:
        assert not any(found for x, found in is_found.items() if sum(x) > most)


@pytest.mark.parametrize("is_printed", [False, True])
@given(generators)
@cases(3.0)
def test_all_data(is_printed, rng):
    n = int(rng.integers(1, 50))
    one, two = rng.integers(0, n + 1, 2).tolist()
    right = [one], [two]
    if is_printed:
        one, two = (f"{x / n:.{int(rng.integers(1, 3))}f}" for x in (one, two))
        right = rounding_to(one, n), rounding_to(two, n)
    alternative, alpha = str(rng.choice(ALTERNATIVES)), float(rng.choice([0.01, 0.05, 0.3, 0.7]))
    options = {"accuracies": is_printed, "alternative": alternative, "alpha": alpha}
    bounds = pvalue_bounds(one, two, n, **options)
    assert bounds.correct1 == (right[0][0], right[0][-1])
    right_or_wrong(bounds, all_data(*right, n), alternative)


def test_many_examples():
    found = pvalue_bounds(5_004_000, 5_000_000, 10**7)
    assert (found.p_low, found.log_p_low) == (0.0, pytest.approx(-3999 * log(2.0)))
    assert found.p_high == pytest.approx(0.2060, abs=1e-4)  # 4,000 / √(10^7) deviations
    same = pvalue_bounds("0.5004", "0.5", 10**7, accuracies=True)
    assert same.p_low <= found.p_low <= found.p_high <= same.p_high == 1.0


@pytest.mark.parametrize(
    "given", [("79.2%", "75.6%"), ("0.792", "0.756"), (0.792, Decimal("0.756")), ("79.2%", 0.756)]
)
def test_accuracies_need_no_flag(given):
    """Of 500 examples 79.2 % are 396, and 75.6 % are 378."""
    assert pvalue_bounds(*given, 500) == pvalue_bounds(396, 378, 500)


# Shares as they are printed


def read(share, n):
    return read_printed_share("`share`", share, n)


@given(generators)
@cases(2.0)
def test_all_counts_that_round_to_a_share(rng):
    n, decimals = int(10 ** rng.uniform(0, 3.5)), int(rng.integers(1, 6))
    k = int(rng.integers(0, n + 1))
    quotient = Context(50).divide(Decimal(k), Decimal(n))
    rounding = str(rng.choice([ROUND_HALF_EVEN, ROUND_HALF_UP]))
    text = str(quotient.quantize(Decimal(1).scaleb(-decimals), rounding))
    found = read(text, n)
    assert k in found
    assert [*found] == rounding_to(text, n)
    assert read(Decimal(text), n) == found
    if decimals > 2:
        assert read(f"{100 * Decimal(text):.{decimals - 2}f}%", n) == found
    n = int(10 ** rng.uniform(0, 7))  # a quotient of floats is one count
    k = int(rng.integers(0, n + 1))
    for share in (k / n, np.float64(k) / n, str(k / n)):
        found = read(share, n)
        assert k in found
        assert len(found) == 1 or k in (0, n) or len(str(k / n)) < 12


@pytest.mark.parametrize(
    ("share", "n", "first", "last"),
    [
        (" 79.0 % ", 1319, 1042, 1042),  # 1041.4 to 1042.7
        ("0.5", 20, 9, 11),  # both halves, 0.45 and 0.55
        (1, 20, 10, 20),
        ("1e-1", 20, 1, 3),
        ("100%", 1000, 995, 1000),
    ],
)
def test_shares_by_hand(share, n, first, last):
    found = read(share, n)
    assert (found[0], found[-1]) == (first, last)


test_refusals_of_shares = asks_alike(
    lambda x: read(x, 500),
    "share",
    *((x, "must be a number from 0 to 1, or in percent", "got") for x in ("x", "", None, True)),
    *((x, "must be a number from 0 to 1", "got") for x in (-0.001, 1.001, "101%", 79.2, "1/2")),
    *((x, "must be a number from 0 to 1", "got") for x in ("nan", float("inf"), "1e-9999", [0.5])),
    ("0.793", "share of a number of 500", "'0.793'", "nearest are 0.792 (396 of 500) and 0.794"),
)


@refuses
def test_refusals():
    pvalue_bounds(6, 3, 5)
    # -> `correct1` must be an integer from 0 to `n`, 5, got 6
    pvalue_bounds(3, 2.5, 5)
    # -> `correct2` must be an integer from 0 to `n`, 5, got 2.5
    pvalue_bounds(0.792, 79.2, 500, accuracies=True)
    # -> `correct2` must be a number from 0 to 1, or in percent, … got 79.2
