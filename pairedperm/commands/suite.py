"""``pairedperm suite`` compares two systems on all their tasks together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import click

from pairedperm.commands.flags import (
    LOG,
    Flags,
    PairFlags,
    ReadingFlags,
    argument,
    constant_option,
    option,
)
from pairedperm.commands.output import (
    JsonOrMarkdown,
    Output,
    Page,
    command,
    in_shell,
    notes_together,
    present,
)
from pairedperm.comparison.suite import compare_suite
from pairedperm.errors import called, shown
from pairedperm.options import Options
from pairedperm.readers.metrics import Examples
from pairedperm.readers.tasks import Runs, suite_of
from pairedperm.results.several import Correction
from pairedperm.results.suite import SuiteResult

_WORDS = ("equal", "size")


def by_task(flag: str, texts: Sequence[str], others: str) -> dict[str, float]:
    """Return a number for each task, from texts TASK=NUMBER.

    Raises
    ------
    click.UsageError
        If a text is not TASK=NUMBER, or names a task again.
    """
    weights: dict[str, float] = {}
    for text in texts:
        task, equals, number = text.rpartition("=")
        with suppress(ValueError):
            if equals and task not in weights:
                weights[task] = float(number)
                continue
        raise click.UsageError(f"{flag} {text}: write {others}, or TASK=NUMBER once for each task.")
    return weights


def refuse_of_one(**given: Any) -> None:
    """Raise UsageError for options of several tasks that were given for one."""
    for name in (x for x, value in given.items() if value):
        raise click.UsageError(
            f"--{name} is for several tasks, and the logs have one: leave it out."
        )


@dataclass(frozen=True, kw_only=True)
class WeightFlags(Flags):
    """The flags of a weighted average over tasks."""

    weights: tuple[str, ...] = option(
        "The weights of the average over tasks: equal (what suite and gate take by default), size "
        "(the number of examples), or a number of each task, given once for each.",
        metavar="WORD or TASK=NUMBER",
    )

    @property
    def read(self) -> Any:
        """The weights as `compare_suite` takes them.

        Raises
        ------
        click.UsageError
            For the reasons of `by_task`.
        """
        if not self.weights:
            return None
        if len(self.weights) == 1 and self.weights[0] in _WORDS:
            return self.weights[0]
        return by_task("--weights", self.weights, "equal, size")


@dataclass(frozen=True, kw_only=True)
class _SuiteFlags(Flags):
    a: str = argument(type=LOG)
    b: str = argument(type=LOG)
    reading: PairFlags
    weighting: WeightFlags
    alternative: str = option(
        "greater means that A scores higher; that it is better, if lower is better only on "
        "some tasks.",
        of=Options,
    )
    constant: str | None = constant_option()
    correction: Correction | None = option(
        "How p is adjusted for the number of tasks.", of=compare_suite
    )
    form: JsonOrMarkdown


@command(_SuiteFlags)
def suite(flags: _SuiteFlags) -> Output:
    """Compare A and B on all their tasks together.

    A and B are folders with the logs of one system each. The weighted average over the tasks has
    one exact p, and each task has its own, adjusted for their number. A task is compared under its
    only metric, or under the first --metric that it has. Where lower is better only on some tasks,
    their scores count as negative in the average. Scores of different units have no average.

    \b
    pairedperm suite out/new out/old --metric acc
    pairedperm suite out/new out/old --metric acc --metric em --weights size
    """  # noqa: D301, click reads the control character
    tasks = flags.reading.two(flags.a, flags.b, {"path1": "A", "path2": "B"})
    tested, notes = suite_of_tasks(
        flags.reading,
        tasks,
        flags.weighting,
        alternative=flags.alternative,
        constant=flags.constant,
        correction=flags.correction,
    )
    facts = {"system1": tested.name1, "system2": tested.name2}
    title = f"{tested.name1} against {tested.name2}"
    return present(Page(tested, title, notes, facts), **asdict(flags.form))


def suite_of_tasks(
    reading: ReadingFlags,
    tasks: Mapping[str, Runs],
    weighting: WeightFlags,
    check: Callable[[str, Examples], None] = lambda task, examples: None,
    **options: Any,
) -> tuple[SuiteResult, list[str]]:
    """Compare two systems on all tasks; return also notes on what was compared.

    `check` is called with each task and what is compared on it.
    """
    compared = {}
    for task, runs in tasks.items():
        with called({}, f"task {shown(task)}" if len(tasks) > 1 else ""):
            compared[task] = reading.examples(runs)
        check(task, compared[task])
    options |= {"alpha": reading.alpha, "rng": reading.seed}
    result, notes = suite_of(compared, tasks, weighting.read, **options)
    return result, [*notes_together(tasks, compared.items()), *map(in_shell, notes)]
