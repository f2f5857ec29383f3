"""``pairedperm gate`` decides whether a candidate may replace a baseline."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from pairedperm.commands.flags import (
    LOG,
    Flags,
    PairFlags,
    argument,
    constant_option,
    largest_group_option,
    option,
)
from pairedperm.commands.output import Output, Page, command, notes_of, present, write_text
from pairedperm.commands.suite import WeightFlags, by_task, refuse_of_one, suite_of_tasks
from pairedperm.comparison.decide import gate as decide
from pairedperm.comparison.decide import gate_suite
from pairedperm.errors import MAX_MESSAGE, counted, heard_by, printable, shown, warn
from pairedperm.inputs.files import url_without_keys, why
from pairedperm.readers.metrics import Examples, compare_examples, flips, metric_columns
from pairedperm.readers.tasks import Runs
from pairedperm.results.decisions import GateResult, Requirement
from pairedperm.results.told import escaped, text, wrapped

_SUMMARY = "GITHUB_STEP_SUMMARY"  # a file whose Markdown GitHub shows


@dataclass(frozen=True, kw_only=True)
class _GateFlags(Flags):
    candidate: str = argument(type=LOG)
    baseline: str = option(
        "The log or folder of the system to replace.", type=LOG, required=True, metavar="LOG"
    )
    margin: float | None = option(
        "Pass only if the loss is shown to be below this: 0.01 is one point of accuracy.",
        of=decide,
        metavar="SIZE",
    )
    task_margin: tuple[str, ...] = option(
        "Of several tasks: pass only if the loss on each is shown to be below this. Tasks of "
        "different units take a size each, given once for each.",
        metavar="SIZE or TASK=SIZE",
    )
    largest_group: int | None = largest_group_option()
    require: Requirement = option(
        "With better: pass only if the candidate is significantly better.", of=decide
    )
    constant: str | None = constant_option()
    markdown: Path | None = option(
        "Write the report to this file as Markdown. In GitHub Actions it always goes to "
        f"${_SUMMARY}.",
    )
    json: bool = option("Print the full result as JSON.")
    reading: PairFlags
    weighting: WeightFlags


class _VerdictPage(Page):
    """A verdict, which stands above the notes."""

    def text(self) -> str:
        return "\n".join([text(self.told()), *wrapped(self.notes or ()).splitlines()])


@command(_GateFlags)
def gate(flags: _GateFlags) -> Output:
    """Decide whether CANDIDATE may replace the baseline.

    CANDIDATE is the log or folder of one system. It passes unless it is significantly worse. A pass
    does not show that it is as good: of one task the report says which loss it could detect. With
    --margin it passes only if its loss is shown to be below the margin. Of several metrics, name
    one: --metric.

    Several tasks have one verdict. CANDIDATE fails if it is significantly worse on average, or on a
    task, p adjusted for their number. --margin is that of the average then, and with --task-margin
    it passes only if the loss on each task is shown to be below that. Tasks with different units
    have no average. They pass only by --task-margin.

    Exit codes: 0 pass, 1 fail, 2 error, 3 inconclusive (with a margin, or without an average).

    \b
    pairedperm gate new.jsonl --baseline old.jsonl
    pairedperm gate out/new --baseline out/old --metric acc --margin 0.01
    pairedperm gate new.jsonl --baseline old.jsonl --require better
    """  # noqa: D301, click reads the control character
    words = {"path1": "CANDIDATE", "path2": "`--baseline`"}
    tasks = flags.reading.two(flags.candidate, flags.baseline, words)
    if len(tasks) > 1:
        page, what = _of_tasks(flags, tasks)
    else:
        page, what = _of_one(flags, *tasks.values())
    if flags.markdown is not None or os.environ.get(_SUMMARY):
        report = _with_heading(what, page.markdown())
        if flags.markdown is not None:
            inputs = flags.candidate, flags.baseline, flags.reading.references
            write_text(flags.markdown, report, inputs)
        if unwritten := _summarise(report):
            warn(unwritten)
    return present(page, json=flags.json, code=page.result.exit_code)


def _of_one(flags: _GateFlags, runs: Runs) -> tuple[Page, str]:
    """Decide by one task; return also what was compared, for a heading."""
    refuse_of_one(**{"task-margin": flags.task_margin, "weights": flags.weighting.weights})
    examples = flags.reading.examples(runs)
    _check_direction("", examples)
    asked: dict[str, Any] = {"margin": flags.margin, "require": flags.require}
    asked |= {"alpha": flags.reading.alpha, "constant": flags.constant}
    seed, largest = flags.reading.seed, flags.largest_group
    verdict = gate_examples(examples, seed=seed, largest_group=largest, **asked)
    one, two = runs.systems
    notes = notes_of({runs.task: runs}, [(runs.task, examples)])
    facts = {"candidate": one, "baseline": two, "task": runs.task, "logged": examples.name}
    page = _VerdictPage(verdict, notes=notes, facts=facts, asked={"names": (one, two)})
    return page, ", ".join(x for x in (runs.task, examples.name) if x)


def gate_examples(
    examples: Examples,
    *,
    seed: int | None = None,
    largest_group: int | None = None,
    constant: str | None = None,
    **asked: Any,
) -> GateResult:
    """Decide by the examples of two systems, and say which were gained and lost.

    `seed`, `largest_group` and `constant` are of the test; `asked` are options of
    `pairedperm.gate`.

    Raises
    ------
    InputError
        For the reasons of `compare_examples`, and of `pairedperm.gate`.
    """
    columns = metric_columns(examples)
    of_test = {"rng": seed, "largest_group": largest_group, "constant": constant}
    said: list[str] = []
    with heard_by(said.append):  # what a refusal says is no warning before it
        verdict = decide(compare_examples(examples, columns=columns, **of_test), **asked)
    for message in said:
        warn(message)
    gained, lost = flips(examples, columns) or (None, None)
    return replace(verdict, gained=gained, lost=lost)


def _of_tasks(flags: _GateFlags, tasks: Mapping[str, Runs]) -> tuple[Page, str]:
    """Decide by several tasks together; return also what was compared, for a heading."""
    if flags.largest_group is not None:
        raise click.UsageError("--largest-group is for one task, and the logs have several.")
    suite, notes = suite_of_tasks(
        flags.reading, tasks, flags.weighting, _check_direction, constant=flags.constant
    )
    verdict = gate_suite(
        suite,
        margin=flags.margin,
        task_margin=_task_margin(flags.task_margin),
        require=flags.require,
        alpha=flags.reading.alpha,
    )
    facts = {"candidate": suite.name1, "baseline": suite.name2}
    page = _VerdictPage(verdict, notes=notes, facts=facts)
    return page, counted(len(tasks), "task")


def _task_margin(texts: Sequence[str]) -> float | dict[str, float] | None:
    """Return the margin of all tasks, or of each, as `gate_suite` takes it."""
    if len(texts) == 1:
        with suppress(ValueError):
            return float(texts[0])
    return by_task("--task-margin", texts, "a number") or None


def _check_direction(task: str, examples: Examples) -> None:
    """Raise UsageError if nothing tells whether a higher score is better."""
    if examples.direction.source == "assumed":
        where = f"task {shown(task)}: " if task else ""
        doubts = "".join(f"{x}. " for x in examples.doubts)
        it = "It" if doubts else "it"
        raise click.UsageError(
            f"{where}{doubts}{it} is not known whether a higher {examples.name!r} is better: give "
            "--higher-is-better or --lower-is-better."
        )


def summarise_error(message: str, given: Sequence[str]) -> str:
    """Say in the summary of a GitHub step why there is no verdict; return why it is not written."""
    text = f"**ERROR**: there is no verdict on the candidate. {escaped(message)}"
    command = shlex.join(["pairedperm", *map(url_without_keys, given)])
    command = escaped(printable(command, MAX_MESSAGE))
    return _summarise(_with_heading("", f"{text}\n\n- command: {command}"))


def _with_heading(what: str, text: str) -> str:
    heading = f"Gate: {escaped(' '.join(what.split()))}" if what else "Gate"
    return f"## {heading}\n\n{text}\n"


def _summarise(report: str) -> str:
    """Append the report to the summary of a GitHub step, if there is one; return why it is not."""
    path = os.environ.get(_SUMMARY)
    if not path:
        return ""
    try:
        with open(path, "a", encoding="utf-8", errors="replace") as opened:
            opened.write(f"{report}\n")
    except OSError as error:  # the verdict stands, wherever it is read
        return f"the report was not written to ${_SUMMARY}: {why(error)}."
    return ""
