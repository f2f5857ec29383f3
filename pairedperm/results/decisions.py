"""The results of an equivalence test, and of gates over one task or several: verdicts, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from pairedperm.errors import counted, first_of, shown
from pairedperm.inputs.columns import Id
from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.results.result import PairedResult, attributes, versioned
from pairedperm.results.suite import SuiteResult
from pairedperm.results.told import GivenNames, Number, Telling, Told, paragraph, refuse_own
from pairedperm.results.words import (
    UNITS,
    Figures,
    adjusted_in_words,
    figures_of,
    n_sampling_units,
    pair_of_names,
    plain_name,
    sampling_unit,
    told_of_test,
)

_VERDICTS = {x: x for x in ("better", "worse", "equivalent")} | {"noninferior": "not worse"}
_NONE = "inconclusive"
_OWN = ("margin", "alpha", "noninferior", "equivalent", "better", "worse", "verdict")


@dataclass(frozen=True, slots=True, repr=False)
class EquivalenceResult(Telling):
    """The result of `equivalence_test` for system 1 against system 2; print it.

    Attributes
    ----------
    test : PairedResult
        The two-sided exact test: scores, difference, p.
    margin : float
        The smallest difference that matters, in units of the score.
    alpha : float
        The level of each statement.
    interval : ConfidenceInterval
        The interval (low, high) of score1 - score2 at the level 1 - 2 alpha, and its method; an end
        may be infinite. "exact" and "guaranteed" keep their level, "studentised bootstrap" is
        asymptotic.
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

    test: PairedResult
    margin: float
    alpha: float
    interval: ConfidenceInterval

    @property
    def noninferior(self) -> bool:
        """Whether system 1 is not worse by the margin or more."""
        is_lower = self.test.lower_is_better
        return self.interval.high < self.margin if is_lower else self.interval.low > -self.margin

    @property
    def equivalent(self) -> bool:
        """Whether neither system is better by the margin or more."""
        return -self.margin < self.interval.low and self.interval.high < self.margin

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
        return figures_of(self.test, self.interval, 1.0 - 2.0 * self.alpha, self.margin)

    def to_dict(self) -> dict[str, Any]:
        """Return the test, the interval and the statements as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, bool, str, dict or None
            All keys of `PairedResult.to_dict`, of the test with this interval, which has the
            "confidence_level" 1 - 2 alpha, and the attributes "margin", "alpha", "noninferior",
            "equivalent", "better", "worse" and "verdict". "schema_version" is the last key.
        """
        level = 1.0 - 2.0 * self.alpha
        keys = replace(self.test, interval=self.interval, confidence_level=level).to_dict()
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

        The parameters, and what is raised, are those of `PairedResult.summary`.
        """
        return paragraph(self.told((name1, name2), dataset=dataset), in_latex=latex)

    def told(
        self, names: GivenNames = None, alpha: float | None = None, *, dataset: str | None = None
    ) -> Told:
        """See `PairedResult.told`; the level is its own."""
        refuse_own(alpha=alpha)
        given = *pair_of_names(names), plain_name("dataset", dataset)
        figures = self.figures()
        margin = figures.unit.amount(self.margin)
        finding = f"is {_statements(self, given[1], margin)}"
        told = told_of_test(self.test, figures, given, self.alpha, finding)
        if self.verdict != _NONE:
            return told
        nor = f"Nor are the two shown to be equivalent within {margin}."
        return replace(told, sentences=[told.sentences[0], nor, *told.sentences[1:]])


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
    is_beyond = result.interval.low >= result.margin or result.interval.high <= -result.margin
    return f"{than}, {'' if is_beyond else 'perhaps '}by {margin} or more"


Requirement = Literal["not worse", "better"]
NumberRequirement = Literal["not worse", "above"]
AnyRequirement = Literal["not worse", "better", "above"]
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


class WithVerdict(Telling):
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


class RelativeMargin(NamedTuple):
    """A margin that is a share of the baseline's score, and what is shown beside it.

    Attributes
    ----------
    share : float
        The share, 0.02 for 2%.
    low : float or None
        The lower confidence limit, at the level 1 - alpha, of the candidate's score less the rest
        of the baseline's; above 0, the loss is shown to be below the margin. Where lower is better
        it is of what the baseline's score and this share exceed the candidate's by. None: no
        interval tells.
    method : str or None
        "exact", "guaranteed" or "studentised bootstrap".
    """

    share: float
    low: float | None
    method: str | None


@dataclass(frozen=True, slots=True, repr=False)
class GateResult(WithVerdict):
    """The verdict of `gate` on a candidate (system 1) against a baseline (system 2); print it.

    Attributes
    ----------
    verdict : {"pass", "fail", "inconclusive"}
    reason : str
        The reason for the verdict: "worse", "not shown worse", "better", "not shown better",
        "within the margin", "worse within the margin", "worse, perhaps beyond the margin" or
        "perhaps beyond the margin".
    test : PairedResult
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
    relative : RelativeMargin or None
        A margin that is a share of the baseline's score; `margin` is None then.
    passed : bool
        The verdict is "pass".
    exit_code : int
        0 for "pass", 1 for "fail", 3 for "inconclusive".
    """

    verdict: Verdict
    reason: Reason
    test: PairedResult
    equivalence: EquivalenceResult | None
    require: Requirement
    margin: float | None
    alpha: float
    power: float
    detectable: float | None
    gained: tuple[Id, ...] | None = None
    lost: tuple[Id, ...] | None = None
    fewest_to_pass: int | None = None
    relative: RelativeMargin | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the test and the verdict as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, bool, str, list, dict or None
            All keys of `equivalence.to_dict()`, or of `test.to_dict()` if there is no equivalence
            test, and: "verdict", "reason", "require", "margin", "alpha", "power", "detectable",
            "gained" and "lost" (lists of ids, or None), and "fewest_to_pass". "verdict" is that of
            the gate. With a relative margin: "relative_margin", "relative_low" and
            "relative_method". "schema_version" is the last key.
        """
        keys = (self.equivalence or self.test).to_dict()
        keys |= attributes(self, "test", "equivalence", "relative")
        if self.relative is not None:
            names = "relative_margin", "relative_low", "relative_method"
            keys |= zip(names, self.relative, strict=True)
        return versioned(keys)

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the level is its own, and None names a candidate and a baseline."""
        refuse_own(alpha=alpha)
        pair = pair_of_names(names, ("candidate", "baseline"))
        figures = (self.equivalence or self.test).figures()
        told = told_of_test(self.test, figures, pair, self.alpha)
        finding, *others = told.sentences
        higher = [] if self.test.lower_is_better else ["Higher is better."]
        sentences = [*self._outlook(), finding, *higher, *others, *self._flips()]
        return replace(told, sentences=sentences, title=self._verdict(*pair))

    def _outlook(self) -> Iterator[str]:
        """Yield which loss this run could detect, and if so few examples could not pass."""
        if self.reason == "not shown worse":
            yield self._seen()
        if self.relative is not None:
            yield from self._of_share(self.relative)
        yield from self._too_few()

    def _of_share(self, margin: RelativeMargin) -> Iterator[str]:
        """Say what a share of the baseline's score is, and what is shown beside it."""
        unit, share = UNITS[self.test.unit], 100.0 * margin.share
        yield (
            f"{share:.12g}% of the baseline's score is "
            f"{unit.about(margin.share * (self.test.score2 or 0.0))}."
        )
        if margin.low is not None:
            one, two = "the candidate's score", f"{100.0 - share:.12g}% of the baseline's"
            if self.test.lower_is_better:
                one, two = f"{100.0 + share:.12g}% of the baseline's score", "the candidate's"
            level = f"{100.0 * (1.0 - self.alpha):.12g}%"
            yield (
                f"At a level of {level}, {one} less {two} is shown to be above "
                f"{unit.about(margin.low)} ({margin.method}). It passes if this is above 0."
            )

    def _verdict(self, candidate: str, baseline: str) -> str:
        """Return the verdict in capitals, and its reason."""
        margin = UNITS[self.test.unit].amount(self.margin or 0.0)
        if self.relative is not None:
            margin = f"{100.0 * self.relative.share:.12g}% of the score of {baseline}"
        why = _SENTENCES[self.reason].format(new=candidate, old=baseline, margin=margin)
        return f"{self.verdict.upper()}: {why}"

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
        loss = UNITS[self.test.unit].about(self.detectable)
        return f"This run could detect a loss of about {loss} (with a power of {self.power:.0%})."

    def _too_few(self) -> Iterator[str]:
        """Say if so few examples could not pass, whatever they were, or if no interval tells."""
        is_told = self.relative is not None and self.relative.low is not None
        if self.passed or is_told or (self.margin is None and self.relative is None):
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
                f"{UNITS[self.test.unit].amount(self.margin or 0.0)} takes at least {what}."
            )

    def _flips(self) -> Iterator[str]:
        """Yield how many examples were gained and lost, and which."""
        for what, n, ids in (
            ("Gained", self.test.n_wins, self.gained),
            ("Lost", self.test.n_losses, self.lost),
        ):
            if n is not None:
                listed = f" ({first_of([*map(shown, ids)], _SHOWN)})" if ids else ""
                yield f"{what}: {n:,}{listed}."


SuiteReason = Literal[
    "worse on average",
    "worse on tasks",
    "perhaps beyond the margin",
    "perhaps beyond the margin of tasks",
    "no average",
    "not shown better",
    "better",
    "within the margin",
    "within the margin of tasks",
    "not shown worse",
]
_REASONS: dict[SuiteReason, str] = {
    "worse on average": "{new} is significantly worse than {old} on average.",
    "worse on tasks": "{new} is significantly worse than {old} on {worse}.",
    "perhaps beyond the margin": (
        "{new} may be worse than {old} by {margin} or more on average: these examples do not tell."
    ),
    "perhaps beyond the margin of tasks": (
        "{new} may be worse than {old} by {task_margin} or more on {open}: their examples do not "
        "tell."
    ),
    "no average": (
        "no significant loss of {new} against {old} was found. {tasks} But the tasks have no "
        "average. To pass, each must be shown to be within a margin of its own."
    ),
    "not shown better": "{new} is not shown to be better than {old} on average.",
    "better": "{new} is significantly better than {old} on average. {tasks}",
    "within the margin": (
        "{new} is shown to be less than {margin} worse than {old} on average. {tasks}"
    ),
    "within the margin of tasks": (
        "{new} is shown to be less than {task_margin} worse than {old} on each of {n}."
    ),
    "not shown worse": (
        "no significant loss of {new} against {old} was found on average. {tasks} This does "
        "not show that the candidate is as good: for that, set a margin."
    ),
}
_MARK = "*"  # of a task that is worse, in the table
_MOST_NAMED = 5  # tuned: tasks in a sentence


@dataclass(frozen=True, repr=False)
class SuiteGateResult(WithVerdict):
    """The verdict of `gate_suite` on a candidate (system 1) against a baseline; print it.

    Attributes
    ----------
    verdict : {"pass", "fail", "inconclusive"}
    reasons : tuple of str
        The reasons for the verdict: "worse on average", "worse on tasks", "perhaps beyond the
        margin", "perhaps beyond the margin of tasks", "no average", "not shown better", "better",
        "within the margin", "within the margin of tasks" or "not shown worse".
    suite : SuiteResult
        The two-sided test of the average, and of each task.
    require : {"not worse", "better"}
        What the candidate had to show on average.
    margin, task_margin : float or None
        The smallest loss that matters, in units of the score, on average and on a single task; None
        if none was given, or one for each task.
    task_margins : dict from str to float
        The smallest loss that matters on each task; empty without one.
    alpha : float
        The level: a candidate that is as good fails in at most alpha of all cases.
    p_worse : dict from str to float
        For each task twice the one-sided p of "the candidate is worse", adjusted for the number of
        tasks. The candidate is worse on tasks with p_worse ≤ alpha.
    detectable : dict from str to float or None
        For each task the loss, in units of the score, that this run would have found with a power
        of 80 %, see `GateResult`: at the level alpha over the number of tasks, at which the
        adjusted p surely finds it.
    worse_tasks : tuple of str
        The tasks on which the candidate is significantly worse, by more than may be within
        `task_margin`: the largest loss first, or of different units the smallest p.
    open_tasks : tuple of str
        With `task_margin`: the tasks on which the candidate is not shown to be within it.
    passed : bool
        The verdict is "pass".
    exit_code : int
        0 for "pass", 1 for "fail", 3 for "inconclusive".
    """

    verdict: Verdict
    reasons: tuple[SuiteReason, ...]
    suite: SuiteResult
    require: Requirement
    margin: float | None
    task_margin: float | None
    task_margins: dict[str, float]
    alpha: float
    p_worse: dict[str, float]
    worse_tasks: tuple[str, ...]
    open_tasks: tuple[str, ...]
    detectable: dict[str, float | None]

    def to_dict(self) -> dict[str, Any]:
        """Return the suite and the verdict as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, str, list, dict or None
            All keys of `suite.to_dict()`, and the attributes "verdict", "reasons", "require",
            "margin", "task_margin", "alpha", "worse_tasks" and "open_tasks". Each of
            "tasks" has its "p_worse", "task_margin" and "detectable". The last key is
            "schema_version".
        """
        own = attributes(self, "suite", "p_worse", "task_margins", "detectable")
        keys = self.suite.to_dict()
        of_tasks: dict[str, dict[str, Any]] = {
            "p_worse": self.p_worse,
            "task_margin": self.task_margins,
            "detectable": self.detectable,
        }
        tasks = [
            x | {key: of_each.get(x["task"]) for key, of_each in of_tasks.items()}
            for x in keys["tasks"]
        ]
        return versioned(keys | own | {"tasks": tasks})

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the names and the level are its own."""
        refuse_own(names=names, alpha=alpha)
        unit = UNITS[self.suite._tests[0].result.unit]
        worse = _named(self.worse_tasks, self._flips(), len(self.worse_tasks))
        words = {
            "new": self.suite.name1,
            "old": self.suite.name2,
            "margin": unit.amount(self.margin or 0.0),
            "task_margin": self._task_margin("the task's margin"),
            "worse": worse,
            "open": _named(self.open_tasks),
            "tasks": self._of_tasks(),
            "n": counted(len(self.p_worse), "task"),
        }
        reasons = " ".join(_REASONS[reason].format(**words) for reason in self.reasons)
        is_open = "no average" in self.reasons or (self.passed and not self.task_margins)
        sentences = [
            *([self._seen()] if is_open else []),
            *self.suite.sentences(),
            "p of a loss: twice the one-sided p that the candidate is worse. It is adjusted for "
            f"the number of tasks ({self.suite.correction_in_words('holm')}). A loss is found if "
            f"it is at most {self.alpha:g}.",
        ]
        if self.worse_tasks:
            sentences.append(f"{_MARK} significantly worse.")
        losses = {
            task: Number(f"{x} {_MARK}", p) if task in self.worse_tasks else x
            for task, p in self.p_worse.items()
            for x in [adjusted_in_words(p, self.alpha)]
        }
        header, rows = self.suite.rows("p of a loss", losses)
        return Told(header, rows, sentences, f"{self.verdict.upper()}: {reasons}")

    def _of_tasks(self) -> str:
        """Say what a pass says of the single tasks."""
        n = counted(len(self.p_worse), "task")
        if not self.task_margins:
            return f"It is significantly worse on none of {n}."
        margin = self._task_margin("the task's margin")
        return f"It is shown to be less than {margin} worse on each of {n}."

    def _seen(self) -> str:
        """Say which losses this run could detect, the largest ones first."""
        losses = {task: x for task, x in self.detectable.items() if x is not None}
        results = self.suite.results
        said = [
            f"{UNITS[results[x].unit].about(losses[x])} on {shown(x)}"
            for x in sorted(losses, key=losses.__getitem__, reverse=True)
        ]
        unseen = tuple(x for x in self.detectable if x not in losses)
        sizes = [f"about {first_of(said, _MOST_NAMED)}"] if said else []
        sizes += [f"no size on {_named(unseen)}"] if unseen else []
        return (
            "With p adjusted and a power of 80%, this run could detect a loss of "
            f"{'; of '.join(sizes)}."
        )

    def _flips(self) -> dict[str, str]:
        """Return how many examples were lost and gained on each task, where that is known."""
        return {
            task: f": {x.n_losses:,} lost, {x.n_wins:,} gained"
            for task, x in self.suite.results.items()
            if x.n_losses is not None
        }

    def _task_margin(self, own: str) -> str:
        """Return the margin of all tasks, or words for their own ones."""
        if self.task_margin is None:
            return own
        return UNITS[self.suite._tests[0].result.unit].amount(self.task_margin)


def _named(
    tasks: Sequence[str], more: Mapping[str, str] | None = None, most: int = _MOST_NAMED
) -> str:
    """Return the number of tasks and the names of the first, with `more` of some."""
    names = first_of([shown(x) + (more or {}).get(x, "") for x in tasks], most)
    return f"{counted(len(tasks), 'task')} ({names})"
