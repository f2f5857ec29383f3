"""``pairedperm leaderboard`` ranks many systems by their logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pairedperm.commands.flags import LOG, ComparingFlags, Flags, argument, constant_option, flag
from pairedperm.commands.gate import WeightFlags, refuse_of_one
from pairedperm.commands.output import (
    JsonOrMarkdown,
    Output,
    Page,
    command,
    in_shell,
    notes_of,
    notes_together,
    present,
)
from pairedperm.comparison.several import compare_many
from pairedperm.errors import called
from pairedperm.readers.metrics import Examples, leaderboard_of
from pairedperm.readers.read import those_with_metric
from pairedperm.readers.tasks import Runs, averages_of
from pairedperm.results.several import Correction
from pairedperm.results.told import escaped


@dataclass(frozen=True, kw_only=True)
class _LeaderboardFlags(Flags):
    logs: tuple[str, ...] = argument(type=LOG, nargs=-1, required=True)
    reading: ComparingFlags
    baseline: str | None = flag("Compare each system only with this one.")
    correction: Correction | None = flag(
        "How p is adjusted for the number of pairs.", of=compare_many
    )
    weighting: WeightFlags
    constant: str | None = constant_option()
    form: JsonOrMarkdown

    @property
    def asked(self) -> dict[str, Any]:
        """What is asked of each board."""
        of_pairs = {"baseline": self.baseline, "correction": self.correction}
        asked = {"alpha": self.reading.alpha, "rng": self.reading.seed, "constant": self.constant}
        return of_pairs | asked


@dataclass(frozen=True)
class _TaskPage(Page):
    def markdown(self) -> str:
        heading = f"## {escaped(self.title)}\n\n" if self.title else ""
        return f"{heading}{super().markdown()}"


@command(_LeaderboardFlags)
def leaderboard(flags: _LeaderboardFlags) -> Output:
    """Rank many systems and say which differ significantly.

    LOGS is a folder with the logs of all systems, or several files and folders. Each pair gets an
    exact p-value, adjusted for the number of pairs. Systems that differ significantly are called
    told apart: they share no letter. A system's tier is 1 + the number of significantly better
    systems. Of several metrics, name one: --metric. Each task has a table of its own. With
    --weights there is one table, of the weighted averages over the tasks.

    \b
    pairedperm leaderboard out --metric acc
    pairedperm leaderboard *.jsonl --baseline old
    pairedperm leaderboard out --metric acc --weights equal
    """  # noqa: D301, click reads the control character
    tasks = flags.reading.many(flags.logs, on_all_tasks=bool(flags.weighting.weights))
    if flags.weighting.weights:
        return _of_averages(flags, tasks)
    ranked, lacking = _with_metric(flags, tasks)
    # what concerns no table stands before all, once
    left_out = [*map(str, (*ranked[0][0].notes, *lacking))] if len(tasks) > 1 else []
    pages: list[Page] = []
    for runs, examples in ranked:
        task = runs.task
        with called({}, _where(task, tasks)):
            board = leaderboard_of(examples, **flags.asked)
        notes = [x for x in notes_of({task: runs}, [(task, examples)]) if x not in left_out]
        matching = notes if pages else [*left_out, *notes]
        facts = {"task": task, "logged": examples.name, "matching": matching}
        pages.append(_TaskPage(board, _where(task, tasks), notes, facts))
    return present(pages, *left_out, **asdict(flags.form))


def _of_averages(flags: _LeaderboardFlags, tasks: Mapping[str, Runs]) -> Output:
    """Rank the systems that all tasks have by their weighted averages."""
    if len(tasks) == 1:
        refuse_of_one(weights=flags.weighting.weights)
    ranked, lacking = _with_metric(flags, tasks)
    compared = {runs.task: examples for runs, examples in ranked}
    tasks = {runs.task: runs for runs, _ in ranked}
    board, of_weights = averages_of(compared, tasks, flags.weighting.read, **flags.asked)
    notes = [
        *lacking,
        *notes_together(tasks, compared.items()),
        *map(in_shell, of_weights),
    ]
    return present(Page(board, notes=notes), **asdict(flags.form))


def _with_metric(
    flags: _LeaderboardFlags, tasks: Mapping[str, Runs]
) -> tuple[list[tuple[Runs, Examples]], list[str]]:
    """Return the tasks that have the metric, and a note on each other task."""
    each = [(runs, None) for runs in tasks.values()]
    return those_with_metric(each, lambda runs, _: flags.reading.examples(runs))


def _where(task: str, tasks: Mapping[str, Runs]) -> str:
    """Return the name of one of several tasks."""
    return task if len(tasks) > 1 else ""
