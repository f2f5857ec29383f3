"""Scores as the numbers that they are: integers, decimals, fractions, and all of them mixed."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from corpora.planned import MANY_PRIMES
from doors import in_batches
from pairedperm import PairedCounts, Ratio, paired_bootstrap_test, paired_permutation_test
from scoring.contract import Contract, check_metric

THIRDS = [Fraction(1, 3), Fraction(5, 6), Fraction(2, 7), Fraction(-1, 2)]
DECIMALS = [Decimal("0.1"), Decimal("0.30"), Decimal("-1.25"), Decimal(2)]
OTHERS = [0, Fraction(1, 3), Fraction(1, 6), Fraction(2, 3)]


def entry(rng, kind):
    if kind == "fractions":
        return Fraction(int(rng.integers(-9, 9)), int(rng.choice([1, 2, 3, 7, 12])))
    if kind == "decimals":
        return Decimal(int(rng.integers(-9, 9))).scaleb(int(rng.integers(-2, 1)))
    return [Fraction(1, 3), Decimal("0.1"), 2, 0.25, True, -0.7, np.float32(0.1)][rng.integers(7)]


def drawn(kind):
    """Often the same ones."""

    def draw(rng, n):
        return [*([entry(rng, kind) for _ in range(n)] for _ in range(2)), None], {}

    return draw


def mean(scores, _):
    """Floats are read as the decimals that they print as."""
    is_float = [isinstance(x, (float, np.floating)) for x in scores]
    found = [Fraction(str(x)) if y else Fraction(x) for x, y in zip(scores, is_float, strict=True)]
    return sum(found) / len(found)


test_contract = check_metric(
    *(Contract(None, drawn(kind), mean, name=kind) for kind in ("fractions", "decimals", "all"))
)


@pytest.mark.parametrize(
    ("one", "two", "statistic", "greater"),
    [
        ([-0.6, -0.3, 0.9], [0, 0, 0], 0.0, 5 / 8),  # in floats 0.6 + 0.3 < 0.9
        ([1 / 3, 2 / 3, 0.0], [0.0, 0.0, 1.0], 0.0, 5 / 8),  # thirds of floats tie too
        ([69461.6, -69461.5, 0.0], [0.1, 0.0, 1e-11], -1e-11 / 3, 3 / 4),
        (  # more digits than floats hold: 0.00000001 twice against their sum
            [Decimal("1234567890.00000001"), Decimal("0.1"), Decimal(3)],
            [Decimal("1234567890.00000002"), Decimal("0.10000001"), Decimal("2.99999998")],
            0.0,
            5 / 8,
        ),
        ([2**62 - 9**k for k in range(8)], [*range(8)], 2.0**62, 2.0**-8),  # no sum wraps
        (np.abs(np.sin(range(1, 13)).round(12)), np.zeros(12), 0.66884, 2.0**-12),  # too fine
        (MANY_PRIMES, [0] * 14, 0.11717, 2.0**-14),
        ([Decimal(2**61 + 1)], [Decimal(1) / 4], 2.0**61, 1 / 2),
        ([Decimal(10) ** 30, 0], [0, 1], 5e29, 1 / 2),
    ],
)
def test_by_hand(one, two, statistic, greater):
    result = paired_permutation_test(one, two, alternative="greater")
    assert result.pvalue == greater
    assert result.statistic == pytest.approx(statistic, rel=1e-3)


@pytest.mark.parametrize("test", [paired_permutation_test, paired_bootstrap_test])
def test_decimals_are_those_of_floats(test):
    floats, others = [0.1, 0.3, -1.25, 2.0], [0.5, 0.25, 0.0, 1.0]
    assert test(DECIMALS, others) == test(floats, others)
    assert PairedCounts.from_rows(DECIMALS, others) == PairedCounts.from_rows(floats, others)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (THIRDS, OTHERS),
        ([*THIRDS, *DECIMALS, 0.5], [*OTHERS, 1, 2, 3, 4, 2]),
        (MANY_PRIMES, [0] * 14),
        ([*THIRDS, 2**0.5, Decimal(2**60) / 10], [*OTHERS, 0.5, Decimal(1)]),
    ],
)
@pytest.mark.parametrize("size", [1, 2])
def test_batches(one, two, size):
    found = in_batches(one, two, None, metric=None, size=size)
    assert found == paired_permutation_test(one, two)


def ratio_of_sums(sums):
    return sums[..., 0] / sums[..., 1]


@pytest.mark.parametrize("score", [Ratio([1, 0], [0, 1]), ratio_of_sums])
def test_rows_of_fractions(score):
    one, two = [[Fraction(1, 3), Fraction(1, 2)], [1, 2]], [[Fraction(1, 6), 1], [0, 1]]
    whole = [[[int(x * 6) for x in row] for row in rows] for rows in (one, two)]
    halves = [[[Decimal(x) / 2 for x in row] for row in rows] for rows in whole]
    expected = paired_permutation_test(*whole, score=score)
    for rows in ((one, two), halves):
        assert paired_permutation_test(*rows, score=score).pvalue == expected.pvalue
