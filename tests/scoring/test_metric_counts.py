"""Counts that know their metric: all that is said of them is as of the predictions."""

import json

import numpy as np
import pytest

from pairedperm import (
    PairedCounts,
    compare,
    equivalence_test,
    gate,
    paired_counts,
    paired_permutation_test,
)
from pairedperm.comparison.paired_counts import counts_of_result
from pairedperm.model_card import significance_section

RIGHT = np.random.default_rng(0).choice([*"xyz"], 80)
NAMES = [np.where(np.arange(80) % k, RIGHT, "x").tolist() for k in (5, 2)]


@pytest.mark.parametrize("groups", [None, [k // 2 for k in range(80)]], ids=["examples", "groups"])
@pytest.mark.parametrize("options", [{"metric": "accuracy"}, {"metric": "f1", "average": "macro"}])
def test_what_is_said_of_a_result(groups, options):
    counts = paired_counts(*NAMES, RIGHT.tolist(), groups=groups, **options)
    counts = PairedCounts.from_json(counts.to_json())
    found = paired_permutation_test(counts, rng=0)
    expected = compare(*NAMES, RIGHT.tolist(), groups=groups, rng=0, **options)
    assert found == expected
    near = 0.0 if groups is None else 0.02  # intervals by draws, of which groups have others
    intervals = [x.confidence_interval()[:2] for x in (found, expected)]
    assert intervals[0] == pytest.approx(intervals[1], abs=near)
    for say in (repr, lambda x: x.reason, lambda x: gate(x).verdict):
        assert say(found) == say(expected)
    if groups is None:
        for say in (str, lambda x: x.summary(), significance_section):
            assert say(found) == say(expected)
    if options["metric"] == "accuracy":  # of others fewer than 30 groups are too few
        lows = [equivalence_test(x, margin=0.3).low for x in (counts, expected)]
        assert lows[0] == pytest.approx(lows[1], abs=near)
    json.dumps(found.to_dict(), allow_nan=False)


def test_counts_of_numbers_in_groups():
    result = paired_permutation_test([1, 0, 1], [0, 0, 0], groups=[0, 0, 1])
    assert paired_permutation_test(counts_of_result(result)) == result
