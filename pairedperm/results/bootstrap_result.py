"""The result of a paired bootstrap test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pairedperm.errors import InputError, Name, Parts, Setting, describe
from pairedperm.options import Level, reads_options
from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.results.result import LATER, PairedResult, versioned


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PairedBootstrapResult(PairedResult):
    """The result of a paired bootstrap test, in builtin scalars; print it.

    Its other attributes are those of `PairedPermutationResult`, without `fraction`. There are
    always scores.

    Attributes
    ----------
    pvalue : float
        The probability that a resampled difference lies at least as far from the observed
        difference as that lies from 0; in [0, 1]. It may be 0, see `paired_bootstrap_test`. If k
        of the sampled resamples are so extreme, it is (k + 1) / (n_resamples + 1).
    log_pvalue : float
        The natural logarithm of p; -inf if p is 0.
    method : str
        The method that ran: "exact" or "monte_carlo".
    reason : str
        Why this method ran; see `PairedPermutationResult`.
    n_groups : int or None
        Number of groups that were drawn; None without `groups`.
    n_resamples, seed : int or None
        Number of resamples that were drawn, and their seed: ``rng=seed`` draws the same ones. None
        for the ideal bootstrap.
    confidence_level : float
        The level of the percentile intervals.
    score1_interval, score2_interval : ConfidenceInterval
        The percentile interval (low, high) of each system's own score.
    ties : str
        "include" or "exclude": whether a resampled difference at the threshold counts.
    """

    _difference_interval: ConfidenceInterval
    score1_interval: ConfidenceInterval
    score2_interval: ConfidenceInterval
    ties: str

    def __repr__(self) -> str:
        low, high = self._difference_interval
        interval = f"confidence_interval=({low:.6g}, {high:.6g})"
        return f"{PairedResult.__repr__(self)[:-1]}, {interval}, ties={self.ties!r})"

    def to_dict(self) -> dict[str, Any]:
        """Return the result under the keys of the `evaluate` module, ready for JSON.

        Returns
        -------
        dict of str to float, int, str, dict or None
            All keys of `PairedPermutationResult.to_dict` but "stat_interval". "log_p", "log_p_low"
            and "log_p_high" are None where the logarithm is -inf. Also:

            - "confidence_level", and the ends of the percentile intervals at this level:
              "stat_low", "stat_high", "score1_low", "score1_high", "score2_low", "score2_high";
            - "test": "bootstrap";
            - "ties": "include" or "exclude".

            "schema_version" is the last key.
        """
        keys = PairedResult.to_dict(self)
        last = {name: keys.pop(name) for name in ("n_ignored", "seed", *LATER)}
        keys["stat_low"], keys["stat_high"] = self._difference_interval
        keys["score1_low"], keys["score1_high"] = self.score1_interval
        keys["score2_low"], keys["score2_high"] = self.score2_interval
        return versioned(keys | {"test": "bootstrap", "ties": self.ties, **last})

    @reads_options
    def confidence_interval(self, confidence_level: Level | None = None) -> ConfidenceInterval:
        """Return the percentile interval of the difference score1 - score2.

        Parameters
        ----------
        confidence_level : float or None
            The level that the test was made with; None stands for it.

        Returns
        -------
        ConfidenceInterval
            It unpacks as (low, high); `method` is "percentile".

        Raises
        ------
        InputError
            If the test was made with another level.
        """
        if confidence_level not in (None, self.confidence_level):
            raise InputError(
                Name("confidence_level"),
                must=f"be {self.confidence_level:g}, the level that this bootstrap was made with",
                got=describe(confidence_level),
                remedy=Parts(
                    "Run the test again with ",
                    Setting("confidence_level", f"{confidence_level!r}"),
                ),
            )
        return self._difference_interval

    def _interval(self) -> tuple[float, ConfidenceInterval]:
        """See `PairedResult`."""
        assert self.confidence_level is not None
        return self.confidence_level, self._difference_interval
