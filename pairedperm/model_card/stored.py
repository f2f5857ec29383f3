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
    *("n_resamples", "confidence_level", "n_ignored", "seed"),
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
    if "margin" not in found:
        return test
    assert isinstance(test, PairedPermutationResult)
    interval = _interval(found)
    return EquivalenceResult(test, found["margin"], found["alpha"], *interval)


def test_of(result: Reported) -> PairedResult:
    """Return the test that an equivalence test holds; another result is its own."""
    return result.test if isinstance(result, EquivalenceResult) else result


def _of_swaps(found: Mapping[str, Any]) -> PairedPermutationResult:
    has_one = found.get("stat_low") is not None or found.get("stat_high") is not None
    intervals = {found["confidence_level"]: _interval(found)} if has_one else {}
    more: Any = {"fraction": None, "_problem": None, "_intervals": intervals}
    return PairedPermutationResult(**_common(found), **more)


def _of_draws(found: Mapping[str, Any]) -> PairedBootstrapResult:
    names = {
        "confidence_interval": "stat",
        "score1_interval": "score1",
        "score2_interval": "score2",
    }
    intervals: Any = {
        name: ConfidenceInterval(found[f"{key}_low"], found[f"{key}_high"])
        for name, key in names.items()
    }
    return PairedBootstrapResult(**_common(found), **intervals, ties=found["ties"])


def _common(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that both tests have."""
    log_p = -math.inf if found["log_p"] is None else found["log_p"]
    logs = (found.get("log_p_low", log_p), found.get("log_p_high", log_p))
    low, high = (-math.inf if x is None else x for x in logs)
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
