"""Counts that know their metric: all that is said of them is as of the predictions."""

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
from pairedperm.model_card import significance_section

RIGHT = np.random.default_rng(0).choice([*"xyz"], 80)
NAMES = [np.where(np.arange(80) % k, RIGHT, "x").tolist() for k in (5, 2)]


@pytest.mark.parametrize("options", [{"metric": "accuracy"}, {"metric": "f1", "average": "macro"}])
def test_what_is_said_of_a_result(options):
    columns = *NAMES, RIGHT.tolist()
    counts = PairedCounts.from_json(paired_counts(*columns, **options).to_json())
    found, expected = paired_permutation_test(counts), compare(*columns, **options)
    assert found == expected
    for say in (repr, str, lambda x: x.reason, lambda x: x.summary(), significance_section):
        assert say(found) == say(expected)
    assert gate(found).verdict == gate(expected).verdict
    if options["metric"] == "accuracy":
        lows = {equivalence_test(x, margin=0.3).interval.low for x in (found, expected)}
        assert len(lows) == 1


def test_what_is_said_of_groups():
    """Intervals are by draws, of which groups in another order have others."""
    options = {"groups": [k // 2 for k in range(80)], "metric": "f1", "average": "macro"}
    counts = paired_counts(*NAMES, RIGHT.tolist(), **options)
    found, expected = paired_permutation_test(counts), compare(*NAMES, RIGHT.tolist(), **options)
    assert (found, repr(found), found.reason) == (expected, repr(expected), expected.reason)
    intervals = [x.confidence_interval()[:2] for x in (found, expected)]
    assert intervals[0] == pytest.approx(intervals[1], abs=0.02)
