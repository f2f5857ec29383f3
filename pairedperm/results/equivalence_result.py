"""The result of an equivalence test: is a system as good as another, within a margin?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pairedperm.population.intervals import BOOTSTRAP, ConfidenceInterval
from pairedperm.results.figures import Figures
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import versioned
from pairedperm.results.sentence import (
    Escape,
    caution,
    difference_sentence,
    doubt,
    names_of,
    p_sentence,
    scores_table,
    subject_in_words,
)
from pairedperm.results.table import Table, Tabular, latex_text

_VERDICTS = {x: x for x in ("better", "worse", "equivalent")} | {"noninferior": "not worse"}
_NONE = "inconclusive"
_OWN = ("margin", "alpha", "noninferior", "equivalent", "better", "worse", "verdict")


@dataclass(frozen=True, slots=True, repr=False)
class EquivalenceResult(Tabular):
    """The result of `equivalence_test` for system 1 against system 2; print it.

    Attributes
    ----------
    test : PairedPermutationResult
        The two-sided exact test: scores, difference, p.
    margin : float
        The smallest difference that matters, in units of the score.
    alpha : float
        The level of each statement.
    interval : ConfidenceInterval
        The interval (low, high) of score1 - score2 at the level 1 - 2 alpha, and its method; an end
        may be infinite. "exact" and "guaranteed" keep their level, "studentised bootstrap" is
        asymptotic.
    low, high, interval_method
        Its ends and its method.
    noninferior : bool
        System 1 is not worse by the margin or more: the interval lies above -margin. For metrics
        where lower is better: the interval lies below the margin.
    equivalent : bool
        The interval lies within the margin on both sides.
    better, worse : bool
        p is at most alpha, and system 1 scores better, or worse.
    verdict : {"better", "worse", "equivalent", "not worse", "inconclusive"}
        The first of these that is true.
    """

    test: PairedPermutationResult
    margin: float
    alpha: float
    interval: ConfidenceInterval

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.interval.high

    @property
    def interval_method(self) -> str:
        """The method of the interval."""
        return self.interval.method

    @property
    def noninferior(self) -> bool:
        """Whether system 1 is not worse by the margin or more."""
        is_lower = self.test.lower_is_better()
        return self.high < self.margin if is_lower else self.low > -self.margin

    @property
    def equivalent(self) -> bool:
        """Whether neither system is better by the margin or more."""
        return -self.margin < self.low and self.high < self.margin

    @property
    def better(self) -> bool:
        """Whether system 1 is significantly better."""
        return self.test.pvalue <= self.alpha and self.test.lead() > 0.0

    @property
    def worse(self) -> bool:
        """Whether system 1 is significantly worse."""
        return self.test.pvalue <= self.alpha and self.test.lead() < 0.0

    @property
    def verdict(self) -> str:
        """The first true one of better, worse, equivalent and not worse; or inconclusive."""
        return next((word for key, word in _VERDICTS.items() if getattr(self, key)), _NONE)

    def figures(self) -> Figures:
        """Return the scores, their difference and its interval beside the margin, as printed."""
        level = 1.0 - 2.0 * self.alpha
        return replace(self.test._scores, interval=self.interval, level=level, margin=self.margin)

    def to_dict(self) -> dict[str, Any]:
        """Return the test, the interval and the statements as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, bool, str, dict or None
            All keys of `PairedPermutationResult.to_dict`, of the test, and:

            - "confidence_level": 1 - 2 alpha;
            - "stat_low", "stat_high": the interval at this level; None for an infinite end;
            - "stat_interval": the interval's method;
            - "margin", "alpha";
            - "noninferior", "equivalent", "better", "worse": bool;
            - "verdict": str.

            "schema_version" is the last key.
        """
        keys = self.test.to_dict() | {
            "stat_low": self.low,
            "stat_high": self.high,
            "stat_interval": self.interval_method,
            "confidence_level": 1.0 - 2.0 * self.alpha,
        }
        return versioned(keys | {name: getattr(self, name) for name in _OWN})

    def summary(
        self,
        name1: str | None = None,
        name2: str | None = None,
        *,
        dataset: str | None = None,
        latex: bool = False,
    ) -> str:
        """Return a sentence for a paper, with every statement that is true.

        The parameters, and what is raised, are those of `PairedPermutationResult.summary`.
        """
        text = equivalence_sentence(self, *names_of(name1, name2, dataset))
        return latex_text(text) if latex else text

    def _table(self) -> Table:
        return scores_table(self.test, self.figures(), self.summary(), alpha=self.alpha)

    def _lines(self) -> list[str]:
        return [self.summary()]


def equivalence_sentence(
    result: EquivalenceResult, first: str, second: str, dataset: str = "", escape: Escape = str
) -> str:
    """Return what a paper could carry: the finding, the difference, and the test."""
    test, figures = result.test, result.figures()
    subject = f"{subject_in_words(test, dataset, escape)} of {first}"
    score1, score2, _ = figures.in_words
    margin = figures.unit.amount(result.margin)
    finding = f"{subject} is {_statements(result, second, margin)}: {score1} against {score2}."
    if result.verdict == _NONE:
        finding = f"{finding} Nor are the two shown to be equivalent within {margin}."
    kind = "asymptotic " if result.interval_method == BOOTSTRAP else f"{result.interval_method} "
    sentences = difference_sentence(figures, kind), p_sentence(test, result.alpha, escape)
    doubts = *doubt(test, result.alpha), *caution(test, figures, result.alpha)
    return " ".join([finding, *sentences, *doubts])


def _statements(result: EquivalenceResult, second: str, margin: str) -> str:
    """Put every true statement about system 1 into words."""
    if not (result.better or result.worse):
        if result.equivalent:
            return f"equivalent to that of {second} within {margin}"
        if result.noninferior:
            return f"not worse than that of {second} by {margin} or more"
        return f"not shown to be better or worse than that of {second}"
    than = f"significantly {result.verdict} than that of {second}"
    if result.equivalent:
        return f"{than}, yet within {margin}"
    if result.worse and result.noninferior:
        return f"{than}, yet not by {margin} or more"
    is_beyond = result.low >= result.margin or result.high <= -result.margin
    return f"{than}, {'' if is_beyond else 'perhaps '}by {margin} or more"
