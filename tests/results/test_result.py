"""The result object."""

import dataclasses
import json

import pytest

from pairedperm import PairedPermutationResult, paired_permutation_test

KEYS = ["stat", "p", "log_p", "p_low", "p_high", "log_p_low", "log_p_high", "interval"]
KEYS += ["score1", "score2", "metric", "alternative", "method", "n", "n_differing"]
KEYS += ["n_resamples", "confidence_level", "metric_options", "n_ignored", "seed"]
KEYS += ["n_groups", "n_wins", "n_losses", "n_ties", "standard_error"]


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
