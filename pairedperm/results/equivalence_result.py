"""Whether a system is as good as another, within a margin."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.sentence import (
    Escape,
    amount_in_words,
    difference_sentence,
    names_of,
    p_sentence,
    scores_in_words,
    subject_in_words,
)
from pairedperm.scoring.metric import is_lower_better

_WIDTH = 80  # proof: of a terminal
_VERDICTS = {x: x for x in ("better", "worse", "equivalent")} | {"noninferior": "not worse"}
_NONE = "inconclusive"


@dataclass(frozen=True, slots=True, repr=False)
class EquivalenceResult:
    """What `equivalence_test` found of system 1 against system 2; print it.

    Attributes
    ----------
    test : PairedPermutationResult
        Whether the two differ at all: scores, difference, p.
    margin : float
        What does not matter, in units of the score.
    alpha : float
        The level of each of the statements.
    low, high : float
        The interval of score1 - score2 at the level 1 - 2 alpha.
    interval_method : str
        Which one it is: "Tango score" or "studentised bootstrap". Both are asymptotic.
    noninferior : bool
        System 1 is not worse by the margin or more: the interval is above -margin; below the
        margin, where a lower score is better.
    equivalent : bool
        The interval is within the margin on both sides.
    better, worse : bool
        p is at most alpha, and system 1 scores better, or worse.
    """

    test: PairedPermutationResult
    margin: float
    alpha: float
    low: float
    high: float
    interval_method: str

    @property
    def noninferior(self) -> bool:
        """Whether system 1 is not worse by the margin or more."""
        return self._statements["noninferior"]

    @property
    def equivalent(self) -> bool:
        """Whether neither system is better by the margin or more."""
        return self._statements["equivalent"]

    @property
    def better(self) -> bool:
        """Whether system 1 is significantly better."""
        return self._statements["better"]

    @property
    def worse(self) -> bool:
        """Whether system 1 is significantly worse."""
        return self._statements["worse"]

    @property
    def verdict(self) -> str:
        """The first that holds of better, worse, equivalent, not worse; or inconclusive."""
        return next((word for key, word in _VERDICTS.items() if self._statements[key]), _NONE)

    @property
    def _statements(self) -> dict[str, bool]:
        return statements(self._numbers)

    @property
    def _numbers(self) -> dict[str, Any]:
        """What the statements follow from; an infinite end is None."""
        low, high = (x if math.isfinite(x) else None for x in (self.low, self.high))
        return self.test.to_dict() | {
            "stat_low": low,
            "stat_high": high,
            "stat_interval": self.interval_method,
            "confidence_level": 1.0 - 2.0 * self.alpha,
            "margin": self.margin,
            "alpha": self.alpha,
        }

    def to_dict(self) -> dict[str, Any]:
        """That of the test, with what there is to say of the margin; ready for JSON."""
        return self._numbers | self._statements | {"verdict": self.verdict}

    def summary(
        self, name1: str | None = None, name2: str | None = None, *, dataset: str | None = None
    ) -> str:
        """The sentence for a paper, which says all that is true.

        Parameters
        ----------
        name1, name2, dataset : str or None
            As of `PairedPermutationResult.summary`.

        Raises
        ------
        InputError
            If a name is no text, or both are the same.
        """
        found = self.facts()
        return sentence(found, *names_of(name1, name2, dataset))

    def facts(self) -> dict[str, Any]:
        """What is said of it."""
        return {"test": "permutation", **self.to_dict()}

    def __str__(self) -> str:
        return textwrap.fill(self.summary(), _WIDTH)

    __repr__ = __str__


def statements(found: Mapping[str, Any]) -> dict[str, bool]:
    """Which are true of system 1, of numbers under the keys of `to_dict`."""
    margin, is_lower = found["margin"], is_lower_better(found)
    low = -math.inf if found["stat_low"] is None else found["stat_low"]
    high = math.inf if found["stat_high"] is None else found["stat_high"]
    lead = -found["stat"] if is_lower else found["stat"]
    is_significant = found["p"] <= found["alpha"]
    return {
        "noninferior": high < margin if is_lower else low > -margin,
        "equivalent": -margin < low and high < margin,
        "better": is_significant and lead > 0.0,
        "worse": is_significant and lead < 0.0,
    }


def sentence(
    found: Mapping[str, Any], first: str, second: str, dataset: str = "", escape: Escape = str
) -> str:
    """Return what a paper could carry: the finding, the difference, and the test."""
    subject = f"{subject_in_words(found, dataset, escape)} of {first}"
    score1, score2, _ = scores_in_words(found)
    margin = amount_in_words(found["metric"], found["margin"])
    finding = f"{subject} is {_finding(found, second, margin)}: {score1} against {score2}."
    if not any(found[x] for x in ("better", "worse", "equivalent", "noninferior")):
        finding = f"{finding} Nor are the two shown to be equivalent within {margin}."
    difference = difference_sentence(found, "asymptotic ")
    return f"{finding} {difference} {p_sentence(found, found['alpha'], escape)}"


def _finding(found: Mapping[str, Any], second: str, margin: str) -> str:
    """Every statement that is true of system 1."""
    lead = next((word for word in ("better", "worse") if found[word]), None)
    if lead is None:
        if found["equivalent"]:
            return f"equivalent to that of {second} within {margin}"
        if found["noninferior"]:
            return f"not worse than that of {second} by {margin} or more"
        return f"not shown to be better or worse than that of {second}"
    than = f"significantly {lead} than that of {second}"
    if found["equivalent"]:
        return f"{than}, yet within {margin}"
    return than
