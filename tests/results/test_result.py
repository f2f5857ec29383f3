"""The result object."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given

from pairedperm import PairedPermutationResult, Ratio, compare, paired_permutation_test
from properties import cases, generators, one_in

KEYS = ["stat", "p", "log_p", "p_low", "p_high", "log_p_low", "log_p_high", "interval"]
KEYS += ["score1", "score2", "metric", "alternative", "method", "n", "n_differing"]
KEYS += ["n_resamples", "confidence_level", "metric_options", "n_ignored", "seed"]
KEYS += ["n_groups", "n_wins", "n_losses", "n_ties", "standard_error", "schema_version"]


def test_fields_and_dict():
    result = paired_permutation_test([2, 1, 0], [0, 1, 0])
    assert isinstance(result, PairedPermutationResult)
    as_dict = result.to_dict()
    assert list(as_dict) == KEYS
    assert as_dict["metric"] is None
    assert {type(v) for v in as_dict.values()} <= {float, int, str, type(None)}
    assert json.loads(json.dumps(as_dict, allow_nan=False)) == as_dict
    for values in (result.pvalue_interval, result.log_pvalue_interval):
        assert [type(v) for v in values] == [float, float]


def test_frozen():
    result = paired_permutation_test([1], [0])
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.pvalue = 0.01


def test_repr_is_short_and_shows_what_underflows():
    assert repr(paired_permutation_test([1, 1, 1], [0, 0, 1])) == (
        "PairedPermutationResult(statistic=0.666667, pvalue=0.5, alternative='two-sided', "
        "score1=1, score2=0.333333, metric=None, method='exact', n=3, n_differing=2)"
    )
    result = paired_permutation_test([1] * 4001, [0] * 4001)
    assert result.pvalue == 0.0
    assert "pvalue=7.58608e-1205," in repr(result)  # 2^-4000


def test_options_are_shown_and_hashed():
    result = compare([1, 0], [0, 0], [1, 1], "f1", pos_label=1, zero_division=0.5)
    assert "metric_options={'pos_label': 1, 'zero_division': 0.5}" in repr(result)
    assert isinstance(hash(result), int)


@one_in(5)
@pytest.mark.parametrize("is_grouped", [False, True])
@pytest.mark.parametrize(
    "score",
    [None, Ratio([1, 0], [0, 1]), lambda sums: sums[..., 0] * sums[..., 1]],
    ids=["mean", "ratio", "function"],
)
@given(generators)
@cases(0.25)
def test_the_same_bits_in_another_order(score, is_grouped, rng):
    """Of real numbers, whose sums are rounded, and of groups."""
    n = int(rng.integers(4, 40))
    shape = n if score is None else (n, 2)
    numbers = rng.integers(1, 9, shape) if is_grouped else rng.random(shape) + 0.1
    one, two = numbers, np.where(rng.random(shape) < 0.7, rng.permutation(numbers), numbers)
    groups = rng.integers(0, 6, n) if is_grouped else None
    order = rng.permutation(n)
    found, other = (
        paired_permutation_test(
            one[some],
            two[some],
            score=score,
            groups=None if groups is None else groups[some],
            method="monte_carlo",
            n_resamples=9,
            rng=0,
        )
        for some in (slice(None), order)
    )
    assert found.standard_error == other.standard_error
    assert (found.n_wins, found.n_losses) == (other.n_wins, other.n_losses)
