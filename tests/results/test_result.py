"""What every kind of result promises: JSON that ends with the version, copies, lines that fit."""

import copy
import dataclasses
import json
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

from corpora.pilots import labels
from corpora.results import RESULTS, result
from pairedperm import (
    compare,
    equivalence_test,
    gate,
    paired_bootstrap_test,
    paired_counts,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.results.decisions import EXIT_CODES
from pairedperm.results.result import KEYS, SCHEMA_VERSION


def stored(found):
    """Its dict, which is JSON: no number is NaN or infinite, and nothing changes on the way."""
    as_dict = found.to_dict()
    assert json.loads(json.dumps(as_dict, allow_nan=False)) == as_dict
    return as_dict


@pytest.mark.parametrize("name", RESULTS)
def test_every_result(name):
    """Its version is last, and said once; a copy is the same, and says the same."""
    found = result(name)
    if hasattr(found, "to_dict"):
        as_dict = stored(found)
        assert [*as_dict][-1] == "schema_version"
        assert as_dict["schema_version"] == SCHEMA_VERSION == 1
        nested = (as_dict.get(key) or [] for key in ("pairs", "tasks", "tests"))
        assert not any("schema_version" in x for listed in nested for x in listed)
        for copied in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            assert copied == found
            assert copied.to_dict() == as_dict
            assert str(copied) == str(found)
    assert max(map(len, str(found).splitlines())) <= 90


def test_nothing_of_a_result_changes():
    """Nor when the caller's arrays do."""
    one, two = np.array([1, 1, 1, 0, 1]), np.array([0, 1, 0, 0, 0])
    expected = paired_permutation_test(one.copy(), two.copy())
    found = paired_permutation_test(one, two)
    one[:] = 0
    assert found.confidence_interval() == expected.confidence_interval()
    assert found.to_dict() == expected.to_dict()
    assert isinstance(hash(found), int)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.pvalue = 0.01


def test_equal_results():
    """All that is told counts, also the metric with its options; why it ran so does not."""
    one, two, right = [1, 1, 0, 1, 2], [0, 1, 0, 0, 1], [1, 1, 0, 1, 1]
    found, other = (compare(one, two, right, "f1", average=x) for x in ("macro", "weighted"))
    again = compare(one, two, right, "f1", average="macro")
    assert (found == again, hash(found) == hash(again), found == other) == (True, True, False)
    assert replace(found, reason="another", sample=None, law=None) == found
    assert replace(found, metric_options=other.metric_options) != found


@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_keys_of_an_interval(test):
    """They are always there: None unless a level was given to the test or to `to_dict`."""
    columns = labels(30, 12, 60)
    found, asked = (compare(*columns, test=test, confidence_level=x) for x in (None, 0.8))
    ends = ("confidence_level", "stat_low", "stat_high", "interval_method")
    of_none = found.to_dict()
    assert [*of_none] == [*KEYS, "schema_version"]
    if test == "permutation":
        assert [of_none[x] for x in ends] == [None] * 4
    expected = found.confidence_interval(0.8)
    for told in (asked.to_dict(), asked.to_dict(0.8), found.to_dict(0.8), found.at(0.8).to_dict()):
        assert [told[x] for x in ends] == [0.8, *expected, expected.method]
    assert asked == found.at(0.8)
    assert str(asked) == str(found.at(0.8))


def infinite():
    """Two examples, one of which differs by far: half of the resamples have no error."""
    found = paired_permutation_test([9.5, 0.25], [0.0, 0.0]).at(0.9)
    assert found.interval[:] == (-math.inf, math.inf)
    return found


@pytest.mark.parametrize(
    ("found", "keys"),
    [
        (infinite, ("stat_low", "stat_high")),
        (lambda: gate(paired_permutation_test([0.5, 1.25], [0.25, 1.5]), margin=0.5), ()),
        (lambda: result("no resample is so extreme"), ("log_p",)),
    ],
)
def test_infinite_numbers_are_none(found, keys):
    as_dict = stored(found())
    assert {as_dict[key] for key in keys} <= {None}
    assert "nan" not in str(found())


def test_keys_of_a_gate_and_of_a_margin():
    """They are its fields, beside those of the test; the margin's interval is at 1 - 2 alpha."""
    for name in ("gate", "gate with a margin", "gate with ids"):
        found = result(name)
        as_dict = found.to_dict()
        for key in ("verdict", "reason", "margin", "power", "detectable", "fewest_to_pass"):
            assert as_dict[key] == getattr(found, key)
        assert as_dict["gained"] == (found.gained and [*found.gained])
        assert as_dict["stat"] == found.test.statistic
    margin = equivalence_test(result("gate with a margin").test, margin=0.015).to_dict()
    assert result("gate with a margin").to_dict()["stat_low"] == margin["stat_low"]
    assert (margin["confidence_level"], margin["noninferior"]) == (0.9, False)


@pytest.mark.parametrize(
    ("found", "wins_and_losses"),
    [
        (paired_permutation_test([2**62, 5], [1, 2**62]), (1, 1)),
        (structured_permutation_test([1, 2, 3], [0, 1, 5], np.square), (2, 1)),
        (paired_bootstrap_test([1, 1, 0], [0, 1, 0]), (1, 0)),
        (paired_permutation_test(paired_counts([1], [0], [1], groups=[3])), (None, None)),
    ],
)
def test_wins_and_losses(found, wins_and_losses):
    """Beyond int64 too. Counts of groups do not tell them."""
    assert (found.n_wins, found.n_losses) == wins_and_losses


def test_exit_codes():
    """2 is for errors, in Python and in a shell."""
    assert EXIT_CODES == {"pass": 0, "fail": 1, "inconclusive": 3}
    for verdict, code in EXIT_CODES.items():
        found = replace(result("gate"), verdict=verdict)
        assert (found.exit_code, found.passed) == (code, verdict == "pass")
