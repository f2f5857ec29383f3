"""Counts that know their metric: what a test makes of them."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from choices import plan
from pairedperm import (
    InputError,
    PairedCounts,
    compare,
    equivalence_test,
    gate,
    paired_counts,
    paired_permutation_test,
    power,
)
from pairedperm.model_card import significance_section
from properties import cases, generators, one_in


def noisy(n=80):
    """Names of three classes, of which two systems get 70 % and 50 % right."""
    rng = np.random.default_rng(0)
    right = rng.choice([*"xyz"], n)
    systems = [np.where(rng.random(n) < p, right, rng.choice([*"xyz"], n)) for p in (0.7, 0.5)]
    return [column.tolist() for column in (*systems, right)]


NAMES = noisy()
DOCUMENTS = [k // 2 for k in range(80)]


def without_interval(text):
    return re.sub(r"-?[\d.]+ to -?[\d.]+", "", text)


@one_in(3)
@pytest.mark.parametrize("groups", [None, DOCUMENTS], ids=["examples", "groups"])
@pytest.mark.parametrize("options", [{"metric": "accuracy"}, {"metric": "f1", "pos_label": "x"}])
def test_what_is_said_of_a_result(groups, options):
    """All that reports, gates and plans say is as that of the predictions."""
    counts = paired_counts(*NAMES, groups=groups, **options)
    counts = PairedCounts.from_json(counts.to_json())
    found, expected = (
        paired_permutation_test(counts),
        compare(*NAMES, groups=groups, **options),
    )
    assert (found.metric, found.metric_options) == (expected.metric, expected.metric_options)
    near = 0.0 if groups is None else 0.02  # intervals by draws, of which groups have others
    assert [*found.confidence_interval()[:2]] == pytest.approx(
        expected.confidence_interval()[:2], abs=near
    )
    laws = found.null_distribution(), expected.null_distribution()
    assert np.array_equal(laws[0].support, laws[1].support)
    assert np.array_equal(laws[0].pmf, laws[1].pmf)
    for say in (repr, str, lambda x: x.summary(), significance_section):
        a, b = (without_interval(say(x)) for x in (found, expected))
        assert a == b
    assert found.reason == expected.reason
    assert plan(counts) == plan(*NAMES, groups=groups, **options)
    assert gate(found).verdict == gate(expected).verdict
    if "pos_label" in options:  # fewer than 30 differ: there is no interval of a margin
        return
    by_margin = [equivalence_test(x, margin=0.2) for x in (counts, found, expected)]
    by_margin += [gate(x, margin=0.2).equivalence for x in (found, expected)]
    assert len({x.verdict for x in by_margin}) == 1
    assert [x.low for x in by_margin] == pytest.approx([by_margin[-1].low] * 5, abs=near)
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_power_by_counts():
    assert power(paired_counts(*NAMES), 200).power == power(compare(*NAMES), 200).power
    alone = paired_counts(*NAMES, groups=range(80))
    assert power(alone, 200).power == power(paired_counts(*NAMES), 200).power
    options = {"metric": "f1", "pos_label": "x"}
    pilots = paired_counts(*NAMES, **options), compare(*NAMES, **options)
    one, two = (power(x, 100).power for x in pilots)
    assert one == pytest.approx(two, abs=0.05)  # other draws


@given(st.sampled_from([0, 1, 2]), generators)
@cases(0.5)
def test_labels_that_cannot_be_meant(cut, rng):
    """A shard may lack a selected label: the test asks for it, once all shards are there."""
    order, columns = rng.permutation(3), (["x", "y", "x"], ["y", "y", "y"], ["x", "y", "y"])
    rows = [[column[k] for k in order] for column in columns]
    absent = [
        paired_counts(*([column[k]] for column in rows), "f1", pos_label="q") for k in range(3)
    ]
    with pytest.raises(InputError, match="'q' occurs neither"):
        paired_permutation_test(sum(absent))
    there = [
        paired_counts(*([column[k]] for column in rows), "f1", pos_label="x") for k in range(3)
    ]
    found = sum(PairedCounts.from_json(part.to_json()) for part in (*there[cut:], *there[:cut]))
    assert paired_permutation_test(found) == compare(*rows, "f1", pos_label="x")
