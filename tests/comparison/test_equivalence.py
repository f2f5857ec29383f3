"""Equivalence: the verdicts, and which interval decides."""

import pickle
import warnings

import numpy as np
import pytest

from corpora.pilots import labels
from pairedperm import (
    PairedCounts,
    compare,
    equivalence_test,
    gate,
    paired_counts,
    paired_permutation_test,
)
from pairedperm.errors import NoIntervalError
from pairedperm.population.intervals import guaranteed_interval

RANGED = {"metric": "mean_score", "score_range": (0, 1)}
VERDICTS = {  # by wins, losses, n and margin
    (40, 10, 1000, 0.01): ("better", "better noninferior"),
    (10, 40, 1000, 0.01): ("worse", "worse"),
    (10, 40, 1000, 0.05): ("worse", "worse noninferior equivalent"),
    (45, 40, 1000, 0.03): ("equivalent", "noninferior equivalent"),
    (45, 40, 1000, 0.015): ("not worse", "noninferior"),
    (40, 45, 1000, 0.015): ("inconclusive", ""),
    (0, 0, 1000, 0.01): ("equivalent", "noninferior equivalent"),
    (0, 0, 100, 0.01): ("inconclusive", ""),
}


@pytest.mark.parametrize(("case", "expected"), VERDICTS.items(), ids=str)
def test_verdicts(case, expected):
    """The same of errors."""
    *flips, margin = case
    for metric in ("accuracy", "hamming_loss"):
        found = equivalence_test(compare(*labels(*flips), metric), margin=margin)
        names = ("better", "worse", "noninferior", "equivalent")
        assert {name for name in names if getattr(found, name)} == set(expected[1].split())
        assert (found.verdict, found.interval.method) == (expected[0], "exact")


def test_every_result():
    """Scores without a metric have the same interval, if all are 0 or 1."""
    one, two, right = labels(45, 40, 1000)
    expected = equivalence_test(compare(one, two, right), margin=0.03)
    for result in (
        compare(one, two, None, **RANGED),
        paired_permutation_test(paired_counts(one, two, right)),
        paired_permutation_test(one, two),
        paired_permutation_test(PairedCounts.from_rows(one, two)),
    ):
        found = equivalence_test(result, margin=0.03)
        assert found.interval == expected.interval
        assert found.verdict == expected.verdict == "equivalent"


def test_few_that_differ_have_the_guaranteed_interval():
    """If the range is known; otherwise there is none for a margin."""
    one, two = np.full(400, 0.5), np.full(400, 0.5)
    one[-1] = two[-1] = 0.4
    one[:29] += 0.1
    found = equivalence_test(compare(one, two, None, **RANGED), margin=0.2)
    assert (found.interval.method, found.verdict) == ("guaranteed", "better")
    with pytest.raises(NoIntervalError, match="only 29 of 400 examples differ"):
        equivalence_test(compare(one, two, None, "mean_score"), margin=0.2)
    one[29] += 0.1
    found = equivalence_test(compare(one, two, None, **RANGED), margin=0.2)
    assert found.interval.method == "studentised bootstrap"


def test_the_largest_group():
    """Groups of several sizes have a guaranteed interval with the largest size they may have."""
    columns = [1] * 6 + [0] * 3, [1] * 7 + [0] * 2, [1] * 9
    ids = [0, 0, 1, 1, 2, 2, 3, 4, 5]  # of three groups one differs
    with pytest.raises(NoIntervalError, match=r"too few .* largest size .* largest_group=N"):
        equivalence_test(compare(*columns, groups=ids), margin=0.5)
    result = compare(*columns, groups=ids, largest_group=4)
    sums, sizes = np.array([0.0, -1.0, 0.0]), np.array([2, 1, 1])
    expected = guaranteed_interval(sums, np.array([3, 1, 2]), 1.0, 0.95, sizes, 4)
    assert result.confidence_interval() == pytest.approx(expected, rel=1e-12)
    assert equivalence_test(result, margin=0.9).interval == result.confidence_interval(0.9)
    assert pickle.loads(pickle.dumps(result)).confidence_interval() == pytest.approx(expected)
    alone = compare(*columns, largest_group=1).confidence_interval()
    assert (alone, alone.method) == (compare(*columns).confidence_interval(), "exact")


@pytest.mark.parametrize("scores", [([0.25, 0.5] * 20, [0.5, 0.4] * 20), ([25, 50], [50, 40])])
def test_margins_beyond_all_scores(scores):
    """Of scores without a metric nobody knows the unit."""
    most = scores[1][0] / 2
    with pytest.warns(UserWarning, match="Is it in units of the score"):
        gate(paired_permutation_test(*scores), margin=most)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gate(paired_permutation_test(*scores), margin=0.96 * most)
