"""Whether a candidate may replace a baseline: the verdict of a gate, and what it rests on."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pairedperm.errors import first_of, shown
from pairedperm.inputs.ids import Id
from pairedperm.results.equivalence_result import EquivalenceResult
from pairedperm.results.markdown import escaped, markdown_table
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import p_in_words
from pairedperm.results.sentence import (
    Escape,
    about_in_words,
    amount_in_words,
    has_interval,
    interval_in_words,
    kind_of_test,
    level_in_words,
    metric_in_words,
    scores_in_words,
)
from pairedperm.scoring.metric import is_lower_better

Requirement = Literal["not worse", "better"]
Verdict = Literal["pass", "fail", "inconclusive"]
EXIT_CODES: dict[Verdict, int] = {"pass": 0, "fail": 1, "inconclusive": 3}  # proof: what CI reads
_WIDTH = 80  # proof: of a terminal
_SHOWN = 10  # tuned: ids of flips in a text


@dataclass(frozen=True, slots=True, repr=False)
class GateResult:
    """What `gate` decided of a candidate, system 1, against a baseline, system 2; print it.

    Attributes
    ----------
    verdict : {"pass", "fail", "inconclusive"}
    reason : str
        Why, in words.
    test : PairedPermutationResult
        The two-sided exact test.
    equivalence : EquivalenceResult or None
        Of the margin, if one was asked for and there is an interval.
    require : {"not worse", "better"}
    margin : float or None
    alpha : float
    power : float
        With which `detectable` is detected, and `n_more` decide.
    detectable : float or None
        The loss that this run would have found, in units of the score; None where that is not
        known, or no loss would have been found.
    n_more : int or None
        How many more examples, or groups, would decide if the observed difference were true; None
        if no number does, or that is not asked.
    gained, lost : tuple of int or str, or None
        Ids of the examples that the candidate does better, and worse; None if ids are not known.
    """

    verdict: Verdict
    reason: str
    test: PairedPermutationResult
    equivalence: EquivalenceResult | None
    require: Requirement
    margin: float | None
    alpha: float
    power: float
    detectable: float | None
    n_more: int | None
    gained: tuple[Id, ...] | None = None
    lost: tuple[Id, ...] | None = None

    @property
    def passed(self) -> bool:
        """Whether the verdict is "pass"."""
        return self.verdict == "pass"

    @property
    def exit_code(self) -> int:
        """0 of "pass", 1 of "fail", 3 of "inconclusive"; 2 is for errors."""
        return EXIT_CODES[self.verdict]

    def to_dict(self) -> dict[str, Any]:
        """All of it in builtins, ready for JSON."""
        found = self.test.to_dict() if self.equivalence is None else self.equivalence.to_dict()
        return found | {
            "verdict": self.verdict,
            "reason": self.reason,
            "require": self.require,
            "margin": self.margin,
            "alpha": self.alpha,
            "power": self.power,
            "detectable": self.detectable,
            "n_more": self.n_more,
            "gained": None if self.gained is None else [*self.gained],
            "lost": None if self.lost is None else [*self.lost],
        }

    def lines(
        self, candidate: str = "candidate", baseline: str = "baseline", escape: Escape = str
    ) -> Iterator[str]:
        """What is said of it, line by line: first the verdict and its reason."""
        found = self._facts()
        score1, score2, difference = scores_in_words(found)
        better = "lower" if is_lower_better(found) else "higher"
        yield f"{self.verdict.upper()}: {candidate} is {self.reason} {baseline}."
        metric = metric_in_words(found, escape)
        groups = "" if self.test.n_groups is None else f" in {self.test.n_groups:,} groups"
        yield (
            f"{metric} ({better} is better): {score1} against {score2} on {self.test.n:,} "
            f"examples{groups}"
        )
        yield f"difference: {difference}{self._interval(found)}, {p_in_words(self.test)}"
        yield kind_of_test(found, escape)
        yield from self._flips(escape)
        if outlook := self.outlook():
            yield outlook

    def outlook(self) -> str:
        """What this run could see, or what would decide; "" if there is nothing to say."""
        what = "examples" if self.test.n_groups is None else "groups"
        if self.n_more is not None:
            about = f"{float(f'{self.n_more:.2g}'):,g}"
            return (
                f"About {about} more {what} would decide with a probability of {self.power:.0%}, "
                "if the observed difference were true."
            )
        is_open = self.verdict == "pass" and self.margin is None and self.require == "not worse"
        if self.verdict == "inconclusive" or (self.require == "better" and not self.passed):
            return "No number of examples would decide, if the observed difference were true."
        if not is_open or self.test.pvalue <= self.alpha:
            return ""
        if not self.test.n_differing:
            return "The two do not differ on any example: this run tells nothing of how they would."
        if self.detectable is None:
            return f"This run could not detect a loss of any size with a power of {self.power:.0%}."
        return (
            f"This run could detect a loss of about "
            f"{about_in_words(self.test.metric, self.detectable)} (with a power of "
            f"{self.power:.0%})."
        )

    def to_markdown(self, candidate: str = "candidate", baseline: str = "baseline") -> str:
        """The verdict, a table, and the rest, in Markdown."""
        one, two = escaped(candidate), escaped(baseline)
        verdict, _, *others = self.lines(one, two, escaped)
        found = self._facts()
        score1, score2, difference = scores_in_words(found)
        header = ["metric", one, two, "difference", "p"]
        row = [metric_in_words(found, escaped), score1, score2, difference]
        p = p_in_words(self.test).removeprefix("p = ")
        table = markdown_table(header, [[*row, p]])
        word, _, rest = verdict.partition(":")
        listed = "\n".join(f"- {line}" for line in others)
        return f"**{word}**:{rest}\n\n{table}\n\n{listed}\n"

    def __str__(self) -> str:
        return "\n".join(textwrap.fill(x, _WIDTH, subsequent_indent="  ") for x in self.lines())

    __repr__ = __str__

    def _facts(self) -> dict[str, Any]:
        return self.test._facts() if self.equivalence is None else self.equivalence.facts()

    def _interval(self, found: dict[str, Any]) -> str:
        if not has_interval(found):
            return ""
        method = f" ({found['stat_interval']})" if "stat_interval" in found else ""
        return f", {level_in_words(found)} interval {interval_in_words(found)}{method}"

    def _flips(self, escape: Escape) -> Iterator[str]:
        for what, n, ids in (
            ("gained", self.test._known("n_wins"), self.gained),
            ("lost", self.test._known("n_losses"), self.lost),
        ):
            if n is not None:
                yield f"{what}: {n:,}{_listed(ids, escape)}"


def _listed(ids: Sequence[Id] | None, escape: Escape) -> str:
    return "" if not ids else f" ({first_of([escape(shown(x)) for x in ids], _SHOWN)})"


def margin_in_words(test: PairedPermutationResult, margin: float) -> str:
    """A margin in the unit of the score."""
    return amount_in_words(test.metric, margin)
