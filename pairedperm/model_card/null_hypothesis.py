"""What p is the probability of, in a few sentences under the table."""

from __future__ import annotations

import math

from pairedperm.model_card.facts import Reported
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.results.equivalence_result import EquivalenceResult
from pairedperm.results.figures import Figures
from pairedperm.results.result import PairedResult
from pairedperm.results.sampled import ENOUGH
from pairedperm.results.table import escaped

_EXTREME = {  # of a difference, by alternative; it is score1 - score2, also where lower is better
    "two-sided": "at least as large, in either direction",
    "greater": "at least the observed difference",
    "less": "at most the observed difference",
}
_BRACKETED = "The p that is given is the upper end of a proven interval."
_SAMPLED = (
    "p was estimated from random ways: it is (k + 1) / (samples + 1), where k of them are as "
    "extreme."
)
_SAMPLED_ON = (
    f"p was estimated from random ways, drawn until {ENOUGH} were as extreme: it is {ENOUGH} / "
    "samples."
)
_RESAMPLED = (
    "p was estimated from random resamples: it is (k + 1) / (samples + 1), where k of them are "
    "such."
)
_NO_DIFFERENCE = {
    "two-sided": "the two systems score the same",
    "greater": "the first system scores no higher",
    "less": "the first system scores no lower",
}
_BEYOND = {  # of a resample's difference, by alternative and ties
    ("two-sided", "include"): "at least as far from the observed difference as 0 is",
    ("two-sided", "exclude"): "farther from the observed difference than 0 is",
    ("greater", "include"): "at least twice the observed difference",
    ("greater", "exclude"): "more than twice the observed difference",
    ("less", "include"): "at most twice the observed difference",
    ("less", "exclude"): "less than twice the observed difference",
}
_NO_RESAMPLE = "p = 0 means that these examples have no such resample; other examples may have one."
_PERCENTILE = "The confidence interval is the percentile interval of the resamples' differences."
_ASYMPTOTIC = "The confidence interval is asymptotic ({})."
_EXTENDED = "The confidence interval is asymptotic ({}), and includes 0 because p is above {:.12g}."
_MARGIN = (
    "Statements on the margin are two one-sided tests at α = {:g}. They ask whether the "  # noqa: RUF001
    "confidence interval lies within the margin, or on one side of it."
)


def null_hypothesis(result: Reported) -> str:
    """Return the null hypothesis, what p says, and how p and the interval were computed."""
    if isinstance(result, EquivalenceResult):
        said = _of_permutation(result.test, result.figures(), has_margin=True)
        return " ".join([*said, _MARGIN.format(result.alpha)])
    if isinstance(result, PairedBootstrapResult):
        return " ".join(_of_bootstrap(result))
    return " ".join(_of_permutation(result, result.figures()))


def _of_permutation(test: PairedResult, figures: Figures, *, has_margin: bool = False) -> list[str]:
    where, ways = "example", "2ⁿ ways to swap them"
    if test.n_groups is not None:
        where, ways = "group of examples", "ways to swap whole groups"
    extreme = "statistic is at least as large"
    if test.score1 is not None:
        extreme = f"difference is {_EXTREME[test.alternative]}"
    said = [
        f"Null hypothesis: on each {where}, the outputs of the two systems are exchangeable.",
        f"Of all {ways}, p is the share whose {extreme}. Ties count.",
    ]
    if test.method == "bracket":
        said.append(_BRACKETED)
    if test.method == "monte_carlo" and test.n_resamples:
        is_last = test.pvalue == ENOUGH / test.n_resamples < 1.0  # no (k + 1) / (m + 1) is that
        said.append(_SAMPLED_ON if is_last else _SAMPLED)
    if figures.interval is not None:
        least, (low, high, method) = 1.0 - (figures.level or 0.0), figures.interval
        is_extended = test.pvalue > least and not has_margin and low <= 0.0 <= high
        words = _EXTENDED if is_extended else _ASYMPTOTIC
        said.append(words.format(escaped(" ".join(method.split())), least))
    return said


def _of_bootstrap(result: PairedBootstrapResult) -> list[str]:
    side, ties = result.alternative, result.ties
    drawn, resamples = "n examples", "nⁿ resamples"
    if result.n_groups is not None:
        drawn, resamples = "as many groups of examples", "resamples"
    said = [
        f"Null hypothesis: on examples like these, {_NO_DIFFERENCE[side]}.",
        f"A resample draws {drawn} with replacement.",
        f"Of all {resamples}, p is the share whose difference is {_BEYOND[side, ties]}.",
        "Ties count." if ties == "include" else "Ties do not count.",
    ]
    said += [_RESAMPLED] if result.n_resamples else []
    said += [_NO_RESAMPLE] if result.log_pvalue == -math.inf else []
    return [*said, _PERCENTILE]
