"""Shares as they are printed: the counts that round to them, by listing all counts."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

import numpy as np
import pytest
from hypothesis import given

from oracles.two_scores import rounding_to
from pairedperm.comparison.bounds import read_printed_share
from pairedperm.errors.wording import Name
from properties import cases, generators
from refusals import asks_alike


@given(generators)
@cases(2.0)
def test_all_counts(rng):
    n, decimals = int(rng.integers(1, 3000)), int(rng.integers(1, 6))
    k = int(rng.integers(0, n + 1))
    quotient = Context(50).divide(Decimal(k), Decimal(n))
    rounding = str(rng.choice([ROUND_HALF_EVEN, ROUND_HALF_UP]))
    text = str(quotient.quantize(Decimal(1).scaleb(-decimals), rounding))
    found = read_printed_share(Name("x"), text, n)
    assert [*found] == rounding_to(text, n)
    assert k in found
    assert read_printed_share(Name("x"), Decimal(text), n) == found
    if decimals > 2:
        percent = f"{100 * Decimal(text):.{decimals - 2}f}%"
        assert read_printed_share(Name("x"), percent, n) == found


@given(generators)
@cases(2.0)
def test_a_quotient_of_floats_is_one_count(rng):
    n = int(10 ** rng.uniform(0, 7))
    k = int(rng.integers(0, n + 1))
    for share in (k / n, np.float64(k) / n, str(k / n)):
        found = read_printed_share(Name("x"), share, n)
        assert k in found
        assert len(found) == 1 or k in (0, n) or len(str(k / n)) < 12


@pytest.mark.parametrize(
    ("share", "n", "first", "last"),
    [
        ("0.79", 1319, 1036, 1048),  # 0.785 · 1319 = 1035.4, 0.795 · 1319 = 1048.6
        ("0.790", 1319, 1042, 1042),  # 1041.4 to 1042.7
        (" 79.0 % ", 1319, 1042, 1042),
        (0.5, 10, 5, 5),  # 4.5 to 5.5
        ("0.5", 20, 9, 11),  # both halves, 0.45 and 0.55
        ("1.0", 20, 19, 20),
        (1, 20, 10, 20),
        ("0", 20, 0, 10),
        ("1e-1", 20, 1, 3),
        ("100%", 1000, 995, 1000),
    ],
)
def test_by_hand(share, n, first, last):
    found = read_printed_share(Name("x"), share, n)
    assert (found[0], found[-1]) == (first, last)


def test_a_share_that_was_cut_is_no_count():
    """396 / 475 = 0.83368…, cut to 0.833, which is 395.675 of 475."""
    with pytest.raises(ValueError, match=r"nearest are 0.8316 \(395 of 475\) and 0.8337 \(396 of"):
        read_printed_share(Name("x"), "0.833", 475)


test_refusals = asks_alike(
    lambda x: read_printed_share(Name("share"), x, 500),
    "share",
    *((x, "must be a number from 0 to 1, or in percent", "got") for x in ("x", "", None, True)),
    *((x, "must be a number from 0 to 1", "got") for x in (-0.001, 1.001, "101%", 79.2, "1/2")),
    *((x, "must be a number from 0 to 1", "got") for x in ("nan", float("inf"), "1e-9999", [0.5])),
    ("0.793", "share of a number of 500", "'0.793'", "nearest are 0.792 (396 of 500) and 0.794"),
)
