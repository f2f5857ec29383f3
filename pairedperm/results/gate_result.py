"""The verdict of a gate: may a candidate replace a baseline, and why?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pairedperm.errors import counted, first_of, shown
from pairedperm.inputs.columns import Id
from pairedperm.results.equivalence_result import EquivalenceResult
from pairedperm.results.figures import Figures, unit_of
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import attributes, known, versioned
from pairedperm.results.sentence import (
    Escape,
    caution,
    interval_in_words,
    kind_of_test,
    metric_in_words,
    n_sampling_units,
    null_in_words,
    p_in_words,
    sampling_unit,
    scores_table,
)
from pairedperm.results.table import Table, Tabular, escaped

Requirement = Literal["not worse", "better"]
Verdict = Literal["pass", "fail", "inconclusive"]
Reason = Literal[
    "worse",
    "not shown worse",
    "better",
    "not shown better",
    "within the margin",
    "worse within the margin",
    "worse, perhaps beyond the margin",
    "perhaps beyond the margin",
]
EXIT_CODES: dict[Verdict, int] = {"pass": 0, "fail": 1, "inconclusive": 3}  # proof: what CI reads
_SENTENCES: dict[Reason, str] = {
    "worse": "{new} is significantly worse than {old}.",
    "not shown worse": (
        "no significant loss of {new} against {old} was found. This does not show that the "
        "candidate is as good: for that, set a margin."
    ),
    "better": "{new} is significantly better than {old}.",
    "not shown better": "{new} is not shown to be better than {old}.",
    "within the margin": "{new} is shown to be less than {margin} worse than {old}.",
    "worse within the margin": (
        "{new} is significantly worse than {old}, but the loss is shown to be below {margin}."
    ),
    "worse, perhaps beyond the margin": (
        "{new} is significantly worse than {old}, and the loss is not shown to be below {margin}."
    ),
    "perhaps beyond the margin": (
        "{new} may be worse than {old} by {margin} or more: these examples do not tell."
    ),
}
_SHOWN = 10  # tuned: ids of gained or lost examples in a text


class Decided(Tabular):
    """A result with a verdict."""

    __slots__ = ()
    verdict: Verdict

    @property
    def passed(self) -> bool:
        """Whether the verdict is "pass"."""
        return self.verdict == "pass"

    @property
    def exit_code(self) -> int:
        """The exit code: 0 for "pass", 1 for "fail", 3 for "inconclusive"; 2 is for errors."""
        return EXIT_CODES[self.verdict]


@dataclass(frozen=True, slots=True, repr=False)
class GateResult(Decided):
    """The verdict of `gate` on a candidate (system 1) against a baseline (system 2); print it.

    Attributes
    ----------
    verdict : {"pass", "fail", "inconclusive"}
    reason : str
        The reason for the verdict: "worse", "not shown worse", "better", "not shown better",
        "within the margin", "worse within the margin", "worse, perhaps beyond the margin" or
        "perhaps beyond the margin".
    test : PairedPermutationResult
        The two-sided exact test.
    equivalence : EquivalenceResult or None
        The equivalence test; None without a margin, or if the data give no interval.
    require : {"not worse", "better"}
        What the candidate had to show.
    margin : float or None
        The smallest loss that matters, in units of the score; None if none was given.
    alpha : float
        The level of each statement.
    power : float
        The probability, 0.8, that `detectable` refers to.
    detectable : float or None
        The loss, in units of the score, that this run would have found with this power. It is
        supposed that the candidate gains as many examples as it did. None if the run could not
        find any loss that the metric's range allows, or if no example differs.
    gained, lost : tuple of int or str, or None
        The ids of examples on which the candidate does better, and worse; None if the ids are not
        known.
    fewest_to_pass : int or None
        The fewest examples, or groups, that show a loss below the margin if none of them is lost.
        These examples are fewer, so that they pass only if more are gained than lost. None if they
        are as many, if the candidate passes, or if no exact interval tests the margin.
    passed : bool
        The verdict is "pass".
    exit_code : int
        0 for "pass", 1 for "fail", 3 for "inconclusive".
    """

    verdict: Verdict
    reason: Reason
    test: PairedPermutationResult
    equivalence: EquivalenceResult | None
    require: Requirement
    margin: float | None
    alpha: float
    power: float
    detectable: float | None
    gained: tuple[Id, ...] | None = None
    lost: tuple[Id, ...] | None = None
    fewest_to_pass: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the test and the verdict as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, bool, str, list, dict or None
            All keys of `equivalence.to_dict()`, or of `test.to_dict()` if there is no equivalence
            test, and: "verdict", "reason", "require", "margin", "alpha", "power", "detectable",
            "gained" and "lost" (lists of ids, or None), and "fewest_to_pass". "verdict" is that of
            the gate. "schema_version" is the last key.
        """
        keys = (self.equivalence or self.test).to_dict()
        return versioned(keys | attributes(self, "test", "equivalence"))

    def lines(
        self, candidate: str = "candidate", baseline: str = "baseline", escape: Escape = str
    ) -> Iterator[str]:
        """Yield the text line by line: the verdict and its reason, then the evidence.

        Parameters
        ----------
        candidate, baseline : str
            The names of the two systems.
        escape : callable from str to str
            How to escape the metric's name and the ids; by default they stay as they are.
        """
        yield self._verdict(candidate, baseline)
        yield from self.outlook()
        figures = self._figures
        score1, score2, _ = figures.in_words
        better = "lower" if self.test.lower_is_better() else "higher"
        n, n_groups = self.test.n, self.test.n_groups
        groups = "" if n_groups is None else f" in {counted(n_groups, 'group')}"
        scores = f"{score1} against {score2} on {counted(n, 'example')}{groups}"
        yield f"{metric_in_words(self.test, escape)} ({better} is better): {scores}"
        yield from self._evidence(figures, escape)

    def outlook(self) -> Iterator[str]:
        """Yield which loss this run could detect, and if so few examples could not pass."""
        if self.reason == "not shown worse":
            yield self._seen()
        yield from self._too_few()

    def to_markdown(self, candidate: str = "candidate", baseline: str = "baseline") -> str:
        """Return the verdict, the outlook, a table of the scores and the evidence in Markdown.

        Parameters
        ----------
        candidate, baseline : str
            The names of the two systems; they are escaped.

        Returns
        -------
        str
        """
        one, two = escaped(candidate), escaped(baseline)
        figures = self._figures
        p = p_in_words(self.test, self.alpha).removeprefix("p = ")
        row = [metric_in_words(self.test), *figures.in_words, p]
        header = ["metric", candidate, baseline, "difference", "p"]
        table = Table(header, [row]).markdown()
        seen = "".join(f"\n\n{line}" for line in self.outlook())
        listed = "\n".join(f"- {line}" for line in self._evidence(figures, escaped))
        verdict = self._verdict(one, two, "**")
        return f"{verdict}{seen}\n\n{table}\n\n{listed}\n"

    def _table(self) -> Table:
        names = "candidate", "baseline"
        notes = [self._verdict(*names), *self.outlook(), kind_of_test(self.test), *self._flips(str)]
        text = "\n".join(notes)
        return scores_table(self.test, self._figures, text, names=names, alpha=self.alpha)

    def _lines(self) -> Iterator[str]:
        return self.lines()

    @property
    def _figures(self) -> Figures:
        return (self.equivalence or self.test).figures()

    def _verdict(self, candidate: str, baseline: str, mark: str = "") -> str:
        """Return the verdict in capitals, between marks of Markdown, and its reason."""
        margin = unit_of(self.test.metric).amount(self.margin or 0.0)
        why = _SENTENCES[self.reason].format(new=candidate, old=baseline, margin=margin)
        return f"{mark}{self.verdict.upper()}{mark}: {why}"

    def _seen(self) -> str:
        """Say which loss this run could detect."""
        if not self.test.n_differing:
            most = 1.0 - 0.05 ** (1.0 / n_sampling_units(self.test))
            return (
                "The two do not differ on any example. That shows, at 95%, that they differ on at "
                f"most {100.0 * most:.2g}% of all examples."
            )
        if self.detectable is None:
            return f"This run could not detect a loss of any size with a power of {self.power:.0%}."
        loss = unit_of(self.test.metric).about(self.detectable)
        return f"This run could detect a loss of about {loss} (with a power of {self.power:.0%})."

    def _too_few(self) -> Iterator[str]:
        """Say if so few examples could not pass, whatever they were, or if no interval tells."""
        if self.margin is None or self.passed:
            return
        if self.equivalence is None and n_sampling_units(self.test) < 2:
            yield f"No interval tests the margin here: it takes two {sampling_unit(self.test)}s."
            return
        if self.equivalence is None:
            of_groups = "" if self.test.n_groups is None else " and of groups (largest_group)"
            yield (
                "No interval tests the margin here. It takes 30 examples or groups that differ and "
                "an alpha of 0.005 or more, or the known range of a score (score_range)"
                f"{of_groups}."
            )
            return
        if self.fewest_to_pass is not None:
            what = counted(self.fewest_to_pass, sampling_unit(self.test))
            yield (
                f"So few examples pass only if more are gained than lost. Else a margin of "
                f"{unit_of(self.test.metric).amount(self.margin)} takes at least {what}."
            )

    def _evidence(self, figures: Figures, escape: Escape) -> Iterator[str]:
        """Yield the difference, the test, and the gained and lost examples."""
        interval = ""
        if figures.interval is not None:
            interval = f", {figures.level_in_words} interval {interval_in_words(figures)}"
        p = p_in_words(self.test, self.alpha)
        yield f"difference: {figures.in_words[2]}{interval}, {p}"
        yield kind_of_test(self.test, escape)
        yield f"null: {null_in_words(self.test, figures)}"
        yield from caution(self.test, figures, self.alpha)
        yield from self._flips(escape)

    def _flips(self, escape: Escape) -> Iterator[str]:
        for what, n, ids in (
            ("gained", known(self.test, "n_wins"), self.gained),
            ("lost", known(self.test, "n_losses"), self.lost),
        ):
            if n is not None:
                yield f"{what}: {n:,}{_listed(ids, escape)}"


def _listed(ids: Sequence[Id] | None, escape: Escape) -> str:
    return "" if not ids else f" ({first_of([escape(shown(x)) for x in ids], _SHOWN)})"
