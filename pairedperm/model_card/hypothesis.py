"""A test in words: what it is called, its null hypothesis, and what its p-value is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairedperm.model_card.markdown import escaped

_SIDES = {"two-sided": "two-sided", "greater": "one-sided (greater)", "less": "one-sided (less)"}
_DIRECTIONS = {
    "two-sided": ", in either direction",
    "greater": " in the first system's favour",
    "less": " in the second system's favour",
}
_METHODS = {
    **dict.fromkeys(("dp", "rational", "enumeration"), "exact"),
    "fft": "FFT-based",
    "bracket": "bracketed",
    "monte_carlo": "Monte Carlo",
}
_BRACKETED = " It is the upper end of a proven interval."
_SAMPLED = " It was estimated from random ways: (k + 1) / (samples + 1) for the k as extreme."
_RESAMPLED = (
    " It was estimated from random resamples: (k + 1) / (samples + 1) for the k of this kind."
)
_NO_DIFFERENCE = {
    "two-sided": "the two systems score the same",
    "greater": "the first system scores no higher",
    "less": "the first system scores no lower",
}
_BEYOND = {  # of a resample's difference, by alternative and ties
    ("two-sided", "include"): "at least as far from the observed one as that is from 0",
    ("two-sided", "exclude"): "farther from the observed one than that is from 0",
    ("greater", "include"): "at least twice the observed one",
    ("greater", "exclude"): "more than twice the observed one",
    ("less", "include"): "at most twice the observed one",
    ("less", "exclude"): "less than twice the observed one",
}
_PERCENTILE = "The difference's confidence interval is its percentile interval over the resamples."


def kind_of_test(found: Mapping[str, Any]) -> str:
    """What was computed: "exact two-sided paired-permutation test"."""
    method, name, ties = found["method"], "paired-permutation test", ""
    if found["test"] == "bootstrap":
        method, name = {"exact": "ideal"}.get(method, method), "paired bootstrap test"
        ties = ", ties excluded" if found["ties"] == "exclude" else ""
    method = _METHODS.get(method, " ".join(method.replace("_", " ").split()))
    samples = found["n_resamples"]
    sampled = f" with {samples:,} samples" if samples else ""
    return f"{escaped(method)} {_SIDES[found['alternative']]} {name}{sampled}{ties}"


def null_hypothesis(found: Mapping[str, Any]) -> str:
    """The null hypothesis, what p is the probability of, and how it was estimated."""
    if found["test"] == "bootstrap":
        return _of_bootstrap(found)
    extreme = "a statistic at least as large"
    if found["score1"] is not None:
        extreme = f"a difference at least as large{_DIRECTIONS[found['alternative']]}"
    stated = (
        "Null hypothesis: on each example the two systems' outputs are exchangeable. p is the "
        f"probability, over all 2ⁿ ways of swapping them, of {extreme}; ties count."
    )
    if found["method"] == "bracket":
        return stated + _BRACKETED
    return stated + (_SAMPLED if found["method"] == "monte_carlo" and found["n_resamples"] else "")


def _of_bootstrap(found: Mapping[str, Any]) -> str:
    side, ties = found["alternative"], found["ties"]
    stated = (
        f"Null hypothesis: on examples like these {_NO_DIFFERENCE[side]}. p is the share of all "
        "nⁿ resamples, n examples drawn with replacement, whose difference is "
        f"{_BEYOND[side, ties]}; ties {'count' if ties == 'include' else 'do not count'}."
    )
    if found["n_resamples"]:
        stated += _RESAMPLED
    if found["log_p"] is None:
        stated += " p = 0: these examples have no such resample; others like them may have."
    return f"{stated} {_PERCENTILE}"
