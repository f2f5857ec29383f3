"""The verdict of a gate over several tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from pairedperm.errors import counted, first_of, shown
from pairedperm.results.figures import unit_of
from pairedperm.results.gate_result import Decided, Requirement, Verdict
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import attributes, known, versioned
from pairedperm.results.sentence import Escape
from pairedperm.results.suite_result import SuiteResult
from pairedperm.results.table import Number, Table, escaped, wrapped

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
_FLIPS = "n_losses", "n_wins"
_MARK = "*"  # of a task that is worse, in the table
_MOST_NAMED = 5  # tuned: tasks in a sentence


@dataclass(frozen=True, repr=False)
class SuiteGateResult(Decided):
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
    _detect: Callable[[PairedPermutationResult, float], float | None] = field(compare=False)

    @cached_property
    def detectable(self) -> dict[str, float | None]:
        """The loss that each task could detect, see above; it is computed when it is asked for."""
        level = self.alpha / len(self.p_worse)
        return {name: self._detect(x, level) for name, x in self.suite.results.items()}

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
        own = attributes(self, "suite", "p_worse", "task_margins", "_detect")
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

    def to_markdown(self) -> str:
        """Return the verdict, its reasons and the table of the tasks in Markdown."""
        verdict = "\n\n".join(self._sentences(escaped, "**"))
        return f"{verdict}\n\n{self._of_losses().markdown()}\n"

    def __str__(self) -> str:
        verdict = wrapped("\n".join(self._sentences(str)))
        return f"{verdict}\n\n{self.suite.in_columns(self._of_losses())}"

    def _table(self) -> Table:
        table = self._of_losses()
        return replace(table, notes="\n".join([*self._sentences(str), table.notes]))

    def _of_losses(self) -> Table:
        """Return the table of the tasks, with the p-values of a loss."""
        loss = (
            "p of a loss: twice the one-sided p that the candidate is worse, adjusted for the "
            f"number of tasks ({self.suite.correction_in_words('holm')}). A loss is found if it is "
            f"at most "
            f"{self.alpha:g}."
        )
        notes = f"{self.suite.how()}\n{loss}"
        notes += f" {_MARK} significantly worse." * bool(self.worse_tasks)
        table = self.suite.table_with("p of a loss", [*self.p_worse.values()], notes)
        return replace(table, rows=[*map(self._marked, table.rows)])

    def _marked(self, row: Sequence[str]) -> Sequence[str]:
        """Return the cells of a task, with a mark if it is worse."""
        task, *_, p = row
        if task not in self.worse_tasks:
            return row
        return [*row[:-1], Number(f"{p} {_MARK}", self.p_worse[task])]

    def _sentences(self, escape: Escape, mark: str = "") -> Iterator[str]:
        """Yield the verdict in capitals, between marks of Markdown, and each reason."""
        unit = unit_of(self.suite._tests[0].result.metric)
        words = {
            "new": escape(self.suite.name1),
            "old": escape(self.suite.name2),
            "margin": unit.amount(self.margin or 0.0),
            "task_margin": self._task_margin("the task's margin"),
            "worse": _named(self.worse_tasks, escape, self._flips(), len(self.worse_tasks)),
            "open": _named(self.open_tasks, escape),
            "tasks": self._of_tasks(),
            "n": counted(len(self.p_worse), "task"),
        }
        reasons = " ".join(_REASONS[reason].format(**words) for reason in self.reasons)
        yield f"{mark}{self.verdict.upper()}{mark}: {reasons}"
        if "no average" in self.reasons or (self.passed and not self.task_margins):
            yield self._seen(escape)

    def _of_tasks(self) -> str:
        """Say what a pass says of the single tasks."""
        n = counted(len(self.p_worse), "task")
        if not self.task_margins:
            return f"It is significantly worse on none of {n}."
        margin = self._task_margin("the task's margin")
        return f"It is shown to be less than {margin} worse on each of {n}."

    def _seen(self, escape: Escape) -> str:
        """Say which losses this run could detect, the largest ones first."""
        losses = {task: x for task, x in self.detectable.items() if x is not None}
        results = self.suite.results
        said = [
            f"{unit_of(results[x].metric).about(losses[x])} on {escape(shown(x))}"
            for x in sorted(losses, key=losses.__getitem__, reverse=True)
        ]
        unseen = tuple(x for x in self.detectable if x not in losses)
        sizes = [f"about {first_of(said, _MOST_NAMED)}"] if said else []
        sizes += [f"no size on {_named(unseen, escape)}"] if unseen else []
        return (
            "With p adjusted and a power of 80%, this run could detect a loss of "
            f"{'; of '.join(sizes)}."
        )

    def _flips(self) -> dict[str, str]:
        """Return how many examples were lost and gained on each task, where that is known."""
        each = {x: [known(y, z) for z in _FLIPS] for x, y in self.suite.results.items()}
        return {
            task: f": {lost:,} lost, {gained:,} gained"
            for task, (lost, gained) in each.items()
            if lost is not None
        }

    def _task_margin(self, own: str) -> str:
        """Return the margin of all tasks, or words for their own ones."""
        if self.task_margin is None:
            return own
        return unit_of(self.suite._tests[0].result.metric).amount(self.task_margin)


def _named(
    tasks: tuple[str, ...],
    escape: Escape,
    more: Mapping[str, str] | None = None,
    most: int = _MOST_NAMED,
) -> str:
    """Return the number of tasks and the names of the first, with `more` of some."""
    names = first_of([escape(shown(x)) + (more or {}).get(x, "") for x in tasks], most)
    return f"{counted(len(tasks), 'task')} ({names})"
