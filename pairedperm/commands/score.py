"""``pairedperm score`` gives a score its interval; ``pairedperm noise`` compares runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import click

from pairedperm.commands.flags import LOG, Flags, ReadingFlags, argument, flag, largest_group_option
from pairedperm.commands.gate import WeightFlags, of_items, score_of
from pairedperm.commands.output import JsonOrMarkdown, Output, Page, command, notes_of, present
from pairedperm.comparison.reruns import noise as noise_of
from pairedperm.comparison.score import score_interval, scores_of_tasks
from pairedperm.errors import called, shown
from pairedperm.readers.metrics import check_filled


@dataclass(frozen=True, kw_only=True)
class _ScoreFlags(Flags):
    log: str = argument(type=LOG)
    reading: ReadingFlags
    weighting: WeightFlags
    confidence_level: float | None = flag("The level of the intervals.", of=score_interval)
    largest_group: int | None = largest_group_option()
    form: JsonOrMarkdown


@command(_ScoreFlags)
def score(flags: _ScoreFlags) -> Output:
    """Give the score of one system, and how far it may be off.

    LOG is the log or folder of one system. Each task has its score and an interval for other
    examples of this kind; several tasks also have an average. To compare two systems, do not look
    whether their intervals overlap: use compare.

    \b
    pairedperm score samples.jsonl
    pairedperm score out/new --metric acc --json
    """  # noqa: D301, click reads the control character
    tasks = flags.reading.each({"LOG": flags.log})
    scored, compared = {}, []
    for task, runs in tasks.items():
        with called({}, f"task {shown(task)}" if len(tasks) > 1 else ""):
            examples = flags.reading.examples(runs)
            compared.append((task, examples))
            if len(tasks) > 1:
                check_filled(examples)
            scored[task] = score_of(
                examples,
                confidence_level=flags.confidence_level,
                largest_group=flags.largest_group,
            )
    notes = notes_of(tasks, compared)
    called_so = {x for runs in tasks.values() for x in runs.systems}
    system = called_so.pop() if len(called_so) == 1 else None
    names = {"names": system and [system]}
    if len(tasks) == 1:
        ((task, examples),) = compared
        facts = {"system": system, "task": task, "logged": examples.name}
        return present(Page(scored[task], "", notes, facts, names), **asdict(flags.form))
    table = scores_of_tasks(scored, flags.weighting.read or "equal")
    return present(Page(table, "", notes, {"system": system}, names), **asdict(flags.form))


@dataclass(frozen=True, kw_only=True)
class _NoiseFlags(Flags):
    logs: tuple[str, ...] = argument(type=LOG, nargs=-1, required=True)
    reading: ReadingFlags
    form: JsonOrMarkdown


@command(_NoiseFlags)
def noise(flags: _NoiseFlags) -> Output:
    """Say how far runs of one system are apart.

    LOGS are the logs of runs of one system on the same examples. The report has the share of the
    examples on which all runs agree, how often two runs differ on one, and by how much two scores
    differ by chance alone.

    \b
    pairedperm noise run1.jsonl run2.jsonl run3.jsonl
    """  # noqa: D301, click reads the control character
    if len(flags.logs) < 2:
        raise click.UsageError("noise takes two or more runs of one system.")
    tasks = flags.reading.each({f"LOGS {k}": x for k, x in enumerate(flags.logs, 1)})
    pages = []
    for task, runs in tasks.items():
        with called({}, f"task {shown(task)}" if len(tasks) > 1 else ""):
            examples = flags.reading.examples(runs)
            found = noise_of([*examples.systems.values()], **of_items(examples))
        notes = notes_of({task: runs}, [(task, examples)])
        pages.append(Page(found, task, notes, {"task": task, "logged": examples.name}))
    return present(pages[0] if len(pages) == 1 else pages, **asdict(flags.form))
