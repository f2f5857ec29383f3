"""Predictions counted by shards, stored and tested later: as `compare` of all examples.

The contract of each metric asks this of examples; here they are in groups.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from pairedperm import (
    PairedCounts,
    compare,
    paired_bootstrap_test,
    paired_counts,
    paired_permutation_test,
)
from properties import cases, generators

TESTS = {"permutation": paired_permutation_test, "bootstrap": paired_bootstrap_test}
COUNTED = ("n_wins", "n_losses", "n_ties")  # of examples: not told by counts of groups


def labels(rng, n):
    return rng.integers(0, 3, (3, n)).tolist()


def quarters(rng, n):
    return (*(rng.integers(-90, 0, (2, n)) / 4).tolist(), None)


def fractions(rng, n):
    most = rng.choice([3, 7, 9, 11], n).tolist()
    shares = [[Fraction(int(rng.integers(0, k)), k) for k in most] for _ in range(2)]
    return (*shares, None)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("draw", "metric", "options"),
    [
        (labels, "accuracy", {}),
        (labels, "f1", {"average": "macro", "labels": [0, 2]}),
        (quarters, "mean_score", {"lower_is_better": True}),
        (fractions, "mean_score", {}),
    ],
)
@given(generators)
@cases(0.1)
def test_groups_that_are_each_in_one_shard(draw, metric, options, rng):
    """Counted, added in any order, stored and read."""
    columns = draw(rng, 18)
    groups = [*range(5), *rng.integers(0, 5, 13).tolist()]
    shard = rng.integers(0, 3, 5)
    parts = []
    for k in {*shard.tolist()}:
        there = [j for j in rng.permutation(18) if shard[groups[j]] == k]
        part = [None if x is None else [x[j] for j in there] for x in columns]
        ids = [groups[j] for j in there]
        parts.append(paired_counts(*part, metric, groups=ids, **options))
    whole = paired_counts(*columns, metric, groups=groups, **options)
    found = PairedCounts.from_json(sum(parts[::-1]).to_json())
    assert (found, found.sha256) == (whole, whole.sha256)
    assert found.to_json(labels=False) == whole.to_json(labels=False)
    assert (found.n, found.n_groups) == (18, 5)
    for name, test in TESTS.items():
        asked = {"n_resamples": 99, "rng": 0}
        expected = compare(*columns, metric, test=name, groups=groups, **asked, **options).to_dict()
        error = pytest.approx(expected.pop("standard_error"), rel=1e-14)
        expected |= {"standard_error": error, **dict.fromkeys(COUNTED)}
        assert test(found, **asked).to_dict() == expected


def test_bits_of_errors_and_intervals_of_groups():
    """Both are sums of floats in the order of the rows; draws go to rows in their order."""
    columns, groups = labels(np.random.default_rng(0), 80), [k // 2 for k in range(80)]
    found = paired_permutation_test(paired_counts(*columns, groups=groups))
    expected = compare(*columns, groups=groups)
    assert found.standard_error == expected.standard_error
    assert found.confidence_interval() == expected.confidence_interval()


Q = 3 * 2**20
THIRDS = [Fraction(1, 3), Fraction(2, 3), Fraction(4, 3), 0]


@pytest.mark.parametrize(
    ("one", "two", "groups", "unit", "rows"),
    [
        # a half is a decimal where it is alone
        ([Fraction(1, 2), Fraction(1, 3)], [0, 0], None, 6, [2, 3]),
        # sums have fewer decimals, or a coarser unit, than their terms, and stay within int64
        ([0.5, 0.5, 1.5, 2.5], [0] * 4, [1, 1, 2, 2], 1, [1, 4]),
        (THIRDS, [0] * 4, [1, 1, 2, 2], 3, [3, 4]),
        (
            [Fraction(2**19 + 1, Q)] * 3 + [Fraction(5, Q)] * 3,
            [Fraction(2**17, Q)] * 3 + [Fraction(2**20, Q)] * 3,
            [0, 0, 0, 1, 1, 1],
            *(2**20, [5, 2**19 + 1]),
        ),
        ([1e-20, -1e-20], [1e-20, -1e-20], [0, 0], 1, [0]),
    ],
)
def test_the_unit_of_counts(one, two, groups, unit, rows):
    """The same of parts, and from JSON."""
    counts = paired_counts(one, two, None, "mean_score", groups=groups)
    assert (counts.unit, counts.rows1.tolist()) == (unit, rows)
    assert PairedCounts.from_json(counts.to_json()) == counts
    found = paired_permutation_test(counts)
    assert found.score1 == compare(one, two, None, "mean_score", groups=groups).score1
    if groups is None:
        parts = [paired_counts([x], [y], None, "mean_score") for x, y in zip(one, two, strict=True)]
        assert sum(parts) == counts
