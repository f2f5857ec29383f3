"""A stored result, as the object that sentences and tables take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pairedperm.model_card.facts import facts
from pairedperm.results.bootstrap_result import ConfidenceInterval, PairedBootstrapResult
from pairedperm.results.difference import DifferenceInterval
from pairedperm.results.equivalence_result import EquivalenceResult
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.plan import Plan
from pairedperm.results.result import PairedResult
from pairedperm.scoring.metric import stored_metric

Reported = PairedResult | EquivalenceResult
_AS_THEY_ARE = (
    *("score1", "score2", "alternative", "method", "n", "n_differing", "n_groups"),
    *("n_resamples", "n_ignored", "seed"),
)


def read_result(result: Any) -> Reported:
    """Return a result, or the one that a dict of `to_dict` tells, without its rows.

    Raises
    ------
    InputError
        If it is neither.
    """
    if isinstance(result, Reported):
        return result
    found = facts(result)
    test = _of_draws(found) if found["test"] == "bootstrap" else _of_swaps(found)
    if found.get("margin") is None:
        return test
    assert isinstance(test, PairedPermutationResult)
    interval = _interval(found)
    return EquivalenceResult(test, found["margin"], found["alpha"], *interval)


def test_of(result: Reported) -> PairedResult:
    """Return the test that an equivalence test holds; another result is its own."""
    return result.test if isinstance(result, EquivalenceResult) else result


def _of_swaps(found: Mapping[str, Any]) -> PairedPermutationResult:
    ends, level = (found.get("stat_low"), found.get("stat_high")), None
    intervals: dict[float, DifferenceInterval] = {}
    if ends != (None, None):
        level = found["confidence_level"]
        intervals = {level: _interval(found)}
    more: Any = {"confidence_level": level, "fraction": None, "_problem": None}
    return PairedPermutationResult(**_common(found), **more, _intervals=intervals)


def _of_draws(found: Mapping[str, Any]) -> PairedBootstrapResult:
    names = ("confidence", "stat"), ("score1", "score1"), ("score2", "score2")
    intervals: Any = {
        f"{name}_interval": ConfidenceInterval(found[f"{key}_low"], found[f"{key}_high"])
        for name, key in names
    }
    more: Any = {"confidence_level": found["confidence_level"], "ties": found["ties"]}
    return PairedBootstrapResult(**_common(found), **intervals, **more)


def _common(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that both tests have; p has an interval if it is no exact one."""
    has_interval = found["n_resamples"] is not None or found["method"] == "bracket"
    names = ("log_p", "log_p_low", "log_p_high") if has_interval else ("log_p",) * 3
    log_p, low, high = (-math.inf if found[x] is None else found[x] for x in names)
    return {name: found[name] for name in _AS_THEY_ARE} | {
        "statistic": found["stat"],
        "pvalue": found["p"],
        "log_pvalue": log_p,
        "pvalue_interval": (math.exp(low), math.exp(high)),
        "log_pvalue_interval": (low, high),
        "interval": "certified" if found["n_resamples"] is None else "confidence",
        "plan": Plan(found["method"], 0, None, 0, 0, 0.0, "it was stored"),
        "_metric": stored_metric(found["metric"], found["metric_options"]),
        "_evidence": None,
    }


def _interval(found: Mapping[str, Any]) -> DifferenceInterval:
    """Return the interval of the difference; None in a dict is an infinite end."""
    low, high = found["stat_low"], found["stat_high"]
    ends = -math.inf if low is None else low, math.inf if high is None else high
    return DifferenceInterval(*ends, found["stat_interval"])
