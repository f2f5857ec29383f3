"""The result of a test of draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from pairedperm.results.report import Report, asked_for
from pairedperm.results.result import LATER, PairedResult


class ConfidenceInterval(NamedTuple):
    """The two ends of a confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, repr=False)
class PairedBootstrapResult(PairedResult):
    """What a paired bootstrap test found, in builtin scalars.

    Attributes
    ----------
    statistic : float
        score1 - score2.
    pvalue : float
        P(a resampled difference as far beyond the observed one as that is from 0), in [0, 1]. It
        may be 0: see `paired_bootstrap_test`. Sampled, (k + 1) / (n_resamples + 1) for the k
        resamples with such a difference.
    log_pvalue : float
        Its natural logarithm; -inf where p is 0.
    pvalue_interval, log_pvalue_interval : tuple of float
        Lower and upper end of an interval for each.
    interval : str
        What these are: "certified" (rounding and all other errors included, the true value lies
        inside) or "confidence" (of a sampled p-value, at 99 %).
    score1, score2 : float
        The scores of the two systems.
    metric : str or None
        The metric's name; None for bare counts.
    metric_options : dict or None
        Its options as keyword arguments; None without any.
    alternative : str
        "two-sided", "greater" (system 1 scores higher) or "less".
    method : str
        What ran: "exact" or "monte_carlo".
    n : int
        Number of examples; a sequence counts as one.
    n_differing : int
        How many of them, or of the groups, the two systems' contributions differ on.
    n_groups : int or None
        Number of groups that were drawn; None without `groups`.
    n_wins, n_losses, n_ties, standard_error
        As of `PairedPermutationResult`.
    n_resamples : int or None
        How many resamples were drawn; None for the ideal bootstrap.
    confidence_level : float
        Of the percentile intervals.
    n_ignored : int
        How many labels of the references were left out, see `ignore_label` of `compare`.
    seed : int or None
        Of the resamples: with ``rng=seed`` they are the same. None for the ideal bootstrap.
    confidence_interval : ConfidenceInterval
        (low, high), the percentile interval of the difference.
    score1_interval, score2_interval : ConfidenceInterval
        The percentile interval of each system's own score.
    ties : str
        "include" or "exclude": whether a resampled difference at the threshold counts.
    """

    confidence_interval: ConfidenceInterval
    score1_interval: ConfidenceInterval
    score2_interval: ConfidenceInterval
    ties: str

    def __repr__(self) -> str:
        low, high = self.confidence_interval
        interval = f"confidence_interval=({low:.6g}, {high:.6g})"
        return f"{PairedResult.__repr__(self)[:-1]}, {interval}, ties={self.ties!r})"

    def to_dict(self) -> dict[str, Any]:
        """The result under the keys of the `evaluate` module; ready for JSON.

        The logarithm of 0 is None.
        """
        found = PairedResult.to_dict(self)
        last = {name: found.pop(name) for name in ("n_ignored", "seed", *LATER)}
        for key in ("log_p", "log_p_low", "log_p_high"):
            found[key] = None if found[key] == -math.inf else found[key]
        found["stat_low"], found["stat_high"] = self.confidence_interval
        found["score1_low"], found["score1_high"] = self.score1_interval
        found["score2_low"], found["score2_high"] = self.score2_interval
        return found | {"test": "bootstrap", "ties": self.ties, **last}

    def _facts(self) -> dict[str, Any]:
        """See `PairedResult`."""
        return self.to_dict()

    def report(self) -> Report:
        """See `PairedResult`; it says nothing of the smallest p."""
        reason = self._why_not_exact or asked_for(self.method)
        if self.method == "exact":
            reason = "all resamples at once"
        return Report.of(self, self._evidence_for("report"), reason, None)
