"""``pairedperm suite`` compares two systems on all their tasks; ``pairedperm gate`` decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click

from pairedperm.commands.flags import (
    LOG,
    ComparingFlags,
    Flags,
    argument,
    constant_option,
    flag,
    largest_group_option,
)
from pairedperm.commands.output import (
    JsonOrMarkdown,
    Output,
    Page,
    command,
    in_shell,
    notes_of,
    notes_together,
    present,
    write_text,
)
from pairedperm.comparison.decide import gate as decide
from pairedperm.comparison.decide_suite import gate_suite
from pairedperm.comparison.reruns import rerun_test
from pairedperm.comparison.score import score_interval
from pairedperm.comparison.suite import compare_suite
from pairedperm.errors import called, counted, heard_by, shown, warn
from pairedperm.options import Options
from pairedperm.readers.metrics import (
    Examples,
    at_corners,
    check_filled,
    compare_examples,
    flips,
    metric_columns,
)
from pairedperm.readers.tasks import Runs, only_task, suite_of
from pairedperm.results.decisions import AnyRequirement, GateResult
from pairedperm.results.several import Correction
from pairedperm.results.suite import SuiteResult
from pairedperm.results.told import escaped, text, wrapped

_WORDS = ("equal", "size")


def by_task(flag: str, texts: Sequence[str], others: str) -> dict[str, float]:
    """Return a number for each task, from texts TASK=NUMBER.

    Raises
    ------
    click.UsageError
        If a text is not TASK=NUMBER, or names a task again.
    """
    weights: dict[str, float] = {}
    for each in texts:
        task, equals, number = each.rpartition("=")
        with suppress(ValueError):
            if equals and task not in weights:
                weights[task] = float(number)
                continue
        raise click.UsageError(f"{flag} {each}: write {others}, or TASK=NUMBER once for each task.")
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

    weights: tuple[str, ...] = flag(
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
    reading: ComparingFlags
    weighting: WeightFlags
    alternative: str = flag(
        "greater means that A scores higher; that it is better, if lower is better only on "
        "some tasks.",
        of=Options,
    )
    constant: str | None = constant_option()
    correction: Correction | None = flag(
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
    reading: ComparingFlags,
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


def _size(text: str) -> float | str:
    """Read a size, or a share of the baseline's score, which stays text."""
    try:
        return text if text.endswith("%") else float(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is neither a number nor a share, 2%.") from error


@dataclass(frozen=True, kw_only=True)
class _GateFlags(Flags):
    candidate: tuple[str, ...] = argument(type=LOG, nargs=-1, required=True)
    baseline: tuple[str, ...] = flag(
        "The log or folder of the system to replace. Give it once for each of several runs.",
        type=LOG,
        metavar="LOG",
    )
    threshold: float | None = flag(
        "In place of a baseline: the number that the score must not be significantly below.",
        of=decide,
        metavar="NUMBER",
    )
    margin: float | str | None = flag(
        "Pass only if the loss is shown to be below this: 0.01 is one point of accuracy, 2% is a "
        "share of the baseline's score.",
        of=decide,
        type=_size,
        metavar="SIZE",
    )
    task_margin: tuple[str, ...] = flag(
        "Of several tasks: pass only if the loss on each is shown to be below this. Tasks of "
        "different units take a size each, given once for each.",
        metavar="SIZE or TASK=SIZE",
    )
    require: AnyRequirement = flag(
        "With better: pass only if the candidate is significantly better; with above: only if its "
        "score is significantly above the threshold.",
        of=decide,
    )
    largest_group: int | None = largest_group_option()
    constant: str | None = constant_option()
    markdown: Path | None = flag("Write the report to this file as Markdown.")
    json: bool = flag("Print the full result as JSON.")
    reading: ComparingFlags
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

    With --threshold there is no baseline: CANDIDATE fails if its score is significantly below the
    number. With several runs of either side, the question is whether anything changed beside
    reruns: it fails if the new runs are worse by two p, of the examples and of whole runs.

    Exit codes: 0 pass, 1 fail, 2 error, 3 inconclusive (with a margin, without an average, or if
    missing scores decide, --on-missing bounds).

    \b
    pairedperm gate new.jsonl --baseline old.jsonl
    pairedperm gate new.jsonl --threshold 0.86
    pairedperm gate new.jsonl --baseline run1.jsonl --baseline run2.jsonl
    pairedperm gate out/new --baseline out/old --metric acc --margin 0.01
    pairedperm gate new.jsonl --baseline old.jsonl --require better
    """  # noqa: D301, click reads the control character
    new, old = flags.candidate, flags.baseline
    if not old and flags.threshold is None:
        raise click.UsageError("give --baseline LOG, or --threshold NUMBER.")
    if flags.threshold is not None:
        page, what = _beside_number(flags)
    elif len(new) + len(old) > 2:
        page, what = _beside_reruns(flags)
    else:
        words = {"path1": "CANDIDATE", "path2": "`--baseline`"}
        tasks = flags.reading.two(new[0], old[0], words)
        page, what = _of_tasks(flags, tasks) if len(tasks) > 1 else _of_one(flags, *tasks.values())
    if flags.markdown is not None:
        heading = f"Gate: {escaped(' '.join(what.split()))}" if what else "Gate"
        inputs = *new, *old, flags.reading.references
        write_text(flags.markdown, f"## {heading}\n\n{page.markdown()}\n", inputs)
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
    sides = {"candidate": one, "baseline": two}
    return _page_of(verdict, runs, examples, sides, {"names": (one, two)})


def _beside_number(flags: _GateFlags) -> tuple[Page, str]:
    """Decide on the score of one system beside a number."""
    if flags.baseline or len(flags.candidate) > 1:
        raise click.UsageError("--threshold is for one log, without --baseline.")
    runs, examples = _of_one_task(flags, {"CANDIDATE": flags.candidate[0]})
    score = score_of(examples, largest_group=flags.largest_group)
    asked: dict[str, Any] = {"threshold": flags.threshold, "margin": flags.margin}
    asked |= {"require": flags.require, "alpha": flags.reading.alpha}
    verdict = decide(score, **asked)
    (system,) = examples.systems
    return _page_of(verdict, runs, examples, {"candidate": system}, {"names": [system]})


def _beside_reruns(flags: _GateFlags) -> tuple[Page, str]:
    """Decide whether runs differ from reruns of the old build."""
    new, old = flags.candidate, flags.baseline
    again = next((x for k, x in enumerate((*new, *old)) if x in (*new, *old)[:k]), None)
    if again is not None:
        raise click.UsageError(f"{again} is given twice: each run is one log.")
    if len(new) > 1 and len(old) == 1:
        raise click.UsageError(
            f"{len(new)} candidates and one baseline: repeat --baseline for each run of the old "
            "build. A pattern after it makes candidates of all files but the first."
        )
    named = {f"CANDIDATE {k}": x for k, x in enumerate(new, 1)}
    named |= {f"--baseline {k}": x for k, x in enumerate(old, 1)}
    runs, examples = _of_one_task(flags, named)
    columns = [*examples.systems.values()]
    given = of_items(examples) | {"rng": flags.reading.seed}
    tested = rerun_test(columns[: len(new)], columns[len(new) :], **given)
    asked: dict[str, Any] = {"margin": flags.margin, "require": flags.require}
    verdict = decide(tested, **asked, alpha=flags.reading.alpha)
    paths = [x.path for x in runs.systems.values()]
    sides = {"candidate": paths[: len(new)], "baseline": paths[len(new) :]}
    return _page_of(verdict, runs, examples, sides)


def _of_one_task(flags: _GateFlags, paths: Mapping[str, str]) -> tuple[Runs, Examples]:
    """Return the runs and examples of logs that each hold one system, and have one task."""
    refuse_of_one(**{"task-margin": flags.task_margin, "weights": flags.weighting.weights})
    runs = only_task(flags.reading.each(paths))
    examples = flags.reading.examples(runs)
    _check_direction("", examples)
    return runs, examples


def _page_of(
    verdict: Any,
    runs: Runs,
    examples: Examples,
    sides: Mapping[str, Any],
    asked: Mapping[str, Any] | None = None,
) -> tuple[Page, str]:
    """Return the verdict on one task, and what was compared, for a heading."""
    facts = {**sides, "task": runs.task, "logged": examples.name}
    notes = notes_of({runs.task: runs}, [(runs.task, examples)])
    notes += [f"{x}: {', '.join(y)}" for x, y in sides.items() if isinstance(y, list)]
    page = _VerdictPage(verdict, notes=notes, facts=facts, asked=asked or {})
    return page, ", ".join(x for x in (runs.task, examples.name) if x)


def score_of(examples: Examples, **options: Any) -> Any:
    """Return the score of the one system of these examples, or its bounds."""
    if examples.corners:
        return at_corners(examples, lambda x: score_of(x, **options))
    (column,) = examples.systems.values()
    return score_interval(column, **of_items(examples), **options)


def of_items(examples: Examples) -> dict[str, Any]:
    """Return what tests of one system and of runs take beside the columns."""
    check_filled(examples)
    given = {"references": examples.references, "groups": examples.groups}
    return given | {"metric": examples.metric}


def gate_examples(
    examples: Examples,
    *,
    seed: int | None = None,
    largest_group: int | None = None,
    constant: str | None = None,
    **asked: Any,
) -> Any:
    """Decide by the examples of two systems, and say which were gained and lost.

    It returns a `GateResult`, or `MissingBounds` of two.

    `seed`, `largest_group` and `constant` are of the test; `asked` are options of
    `pairedperm.gate`.

    Raises
    ------
    InputError
        For the reasons of `compare_examples`, and of `pairedperm.gate`.
    """
    columns = None if examples.corners else metric_columns(examples)
    of_test = {"rng": seed, "largest_group": largest_group, "constant": constant}
    said: list[str] = []
    with heard_by(said.append):  # what a refusal says is no warning before it
        verdict = decide(compare_examples(examples, columns=columns, **of_test), **asked)
    for message in said:
        warn(message)
    if not isinstance(verdict, GateResult):
        return verdict
    gained, lost = flips(examples, columns) or (None, None)
    return replace(verdict, gained=gained, lost=lost)


def _of_tasks(flags: _GateFlags, tasks: Mapping[str, Runs]) -> tuple[Page, str]:
    """Decide by several tasks together; return also what was compared, for a heading."""
    if flags.largest_group is not None:
        raise click.UsageError("--largest-group is for one task, and the logs have several.")
    suite, notes = suite_of_tasks(
        flags.reading, tasks, flags.weighting, _check_direction, constant=flags.constant
    )
    asked: dict[str, Any] = {"margin": flags.margin, "require": flags.require}
    verdict = gate_suite(
        suite,
        **asked,  # what is for one task alone is refused
        task_margin=_task_margin(flags.task_margin),
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
