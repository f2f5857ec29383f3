"""``pairedperm leaderboard`` ranks many systems by their logs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial

from pairedperm.commands.option import Flags, argument, command, declared_option, option
from pairedperm.commands.output import JsonOrMarkdown, Output, Page, notes_of, present
from pairedperm.commands.reading import ReadingFlags
from pairedperm.comparison.many import compare_many
from pairedperm.errors.wording import called
from pairedperm.readers.comparisons import those_with_metric
from pairedperm.readers.examples import leaderboard_of
from pairedperm.results.correction import Correction
from pairedperm.results.table import escaped


@dataclass(frozen=True, kw_only=True)
class _LeaderboardFlags(Flags):
    logs: tuple[str, ...] = argument("logs", nargs=-1, required=True)
    reading: ReadingFlags
    baseline: str | None = option(
        "--baseline", metavar="NAME", help="Compare each system only with this one."
    )
    correction: Correction | None = declared_option(
        compare_many, "correction", help="How p is adjusted for the number of pairs."
    )
    form: JsonOrMarkdown


@dataclass(frozen=True)
class _Task(Page):
    def markdown(self) -> str:
        heading = f"## {escaped(self.title)}\n\n" if self.title else ""
        return f"{heading}{super().markdown()}"


@command(_LeaderboardFlags)
def leaderboard(flags: _LeaderboardFlags) -> Output:
    """Rank many systems and say which differ significantly.

    LOGS is a folder with the logs of all systems, or several files and folders. Each pair gets an
    exact p-value, adjusted for the number of pairs. Systems that differ significantly are called
    told apart: they share no letter. A system's tier is 1 + the number of significantly better
    systems. Of several metrics, name one: --metric. Each task has a table of its own.

    \b
    pairedperm leaderboard out --metric acc
    pairedperm leaderboard *.jsonl --baseline old
    """  # noqa: D301, click reads the control character
    tasks = flags.reading.many(flags.logs)
    where = {task: task if len(tasks) > 1 else "" for task in tasks}
    ranked, lacking = those_with_metric(
        (runs, where[task], partial(flags.reading.examples, runs)) for task, runs in tasks.items()
    )
    # what concerns no table stands before all, once
    left_out = [*map(str, (*ranked[0][0].notes, *lacking))] if len(tasks) > 1 else []
    pages: list[Page] = []
    for runs, examples in ranked:
        task = runs.task
        with called({}, where[task]):
            board = leaderboard_of(
                examples,
                baseline=flags.baseline,
                correction=flags.correction,
                alpha=flags.reading.alpha,
                rng=flags.reading.seed,
            )
        notes = [x for x in notes_of({task: runs}, [examples]) if x not in left_out]
        matching = notes if pages else [*left_out, *notes]
        facts = {"task": task, "logged": examples.name, "matching": matching}
        pages.append(_Task(board, where[task], notes, facts))
    return present(pages, *left_out, **asdict(flags.form))
