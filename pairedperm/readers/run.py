"""A run: the answers of one system to the examples of one task; the task's groups, and its name."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Any, NamedTuple

from pairedperm.errors import Parts, Words, printable
from pairedperm.inputs.columns import Id
from pairedperm.inputs.files import STANDARD_INPUT, without_compression
from pairedperm.readers.read_options import TABLES
from pairedperm.readers.text_file import value_at
from pairedperm.scoring.metric import Metric

IS_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.I | re.A)
_WRITTEN_OTHERWISE = (  # texts that people write for numbers, and how a number is written
    (re.compile(r"[+-]?\d*,\d+"), "Write it with a decimal point, 0.5."),
    (
        re.compile(r"[+-]?\d+([.,]\d*)?\s*%"),
        "Write it without the percent sign: 0.5 or 50 for 50%.",
    ),
    (IS_NUMBER, "Write numbers without quotes."),
    (re.compile("true|false", re.I), "Write 1 for true and 0 for false."),
)
INFINITE = (math.inf, -math.inf)
_IS_DATE = re.compile(r"[\dTZ\W_]+")  # a folder that tells a date, a time or a number
LoggedScores = list[Any]  # int, float, narrow float, Fraction; None or NaN for a missing score


class TaskGroup(NamedTuple):
    """A group of tasks, such as mmlu with its 57, in a results file of lm-evaluation-harness.

    Attributes
    ----------
    name : str
        The name of the group.
    members : dict from str to list of str
        The tasks and groups that each group of the file has.
    reported : Any
        What the file reports of each task and group, as JSON.
    """

    name: str
    members: Mapping[str, list[str]]
    reported: Any

    @property
    def tasks(self) -> list[str]:
        """The tasks of the group, also those of the groups in it."""
        names = _reached(self.name, self.members)
        return [x for x in names if not self.members.get(x)]


class Aggregated(NamedTuple):
    """What makes one score of all examples at once.

    Attributes
    ----------
    metrics : tuple of Metric
        The metrics that make the reported number, the nearest first; none if none does. All that
        the name means, if no number is reported, or if the name alone tells.
    entries : list of tuple or None
        The prediction and the reference of each example; None if it has none.
    is_told : bool
        Whether the reported number, or the name alone, tells the metric.
    reported : float or None
        The number that the log's tool reports.
    """

    metrics: tuple[Metric, ...]
    entries: list[Any]
    is_told: bool = True
    reported: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One system on one task; every column has an entry for each example.

    Attributes
    ----------
    path : str
        The file, as messages show it.
    format : str
        The name of the file's format.
    task, version, model : str
        The task, its version, and the model; "" if the log does not say.
    ids : list of int or str
        The id of each example.
    scores : dict from str to list
        A column of numbers for each logged metric; None or NaN is a missing score.
    predictions, references, groups : list or None
        The model's answers, the right answers, and ids of groups; None if the log has none.
    documents : list or None
        The question and the right answer of each example, or a hash of them.
    prompts : list or None
        The text that the model was given, or a hash of it.
    n_repeats : list of int or None
        How often each example was run; its scores are the means of these runs. None: once.
    lower_is_better : dict from str to bool
        The direction of each metric for which the log states one.
    left_out : dict from str to str or Part
        The metrics whose values are no numbers, and what they hold.
    aggregated : dict from str to Aggregated
        The logged metrics that are no means of scores, such as a perplexity.
    doubts : dict from str to str or Part
        The metrics of which the log's tool reports another number, and which.
    sentinels : dict from str to float
        The number among the scores of a metric that stands for no score: the tool leaves it out.
    reported : set of str
        The metrics of which the log's tool reports a number.
    task_groups : dict from str to TaskGroup
        The groups that the task is in, as the results file beside the log says.
    invalid : list of int or str
        The ids of the examples that the log calls invalid.
    summaries : dict from str to list of str
        The ids of a table's rows that sum up the others: of each also the rows that go with it.
    notes : tuple of str or Part
        What people should know of how the file was read.
    second_keys : dict from str to list of str
        The columns of a table that may tell lines of one id apart, and what they hold.
    """

    path: str
    format: str
    task: str = ""
    version: str = ""
    model: str = ""
    ids: list[Id]
    scores: dict[str, LoggedScores] = field(default_factory=dict)
    predictions: list[Any] | None = None
    references: list[Any] | None = None
    groups: list[Any] | None = None
    documents: list[Any] | None = None
    prompts: list[Any] | None = None
    n_repeats: list[int] | None = None
    lower_is_better: dict[str, bool] = field(default_factory=dict)
    left_out: dict[str, Words] = field(default_factory=dict)
    aggregated: dict[str, Aggregated] = field(default_factory=dict)
    doubts: dict[str, Words] = field(default_factory=dict)
    sentinels: dict[str, float] = field(default_factory=dict)
    reported: set[str] = field(default_factory=set)
    task_groups: dict[str, TaskGroup] = field(default_factory=dict)
    invalid: list[Id] = field(default_factory=list)
    summaries: dict[str, list[str]] = field(default_factory=dict)
    notes: tuple[Words, ...] = ()
    second_keys: dict[str, list[str]] = field(default_factory=dict)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were logged and can be compared."""
        return (*self.scores, *(name for name, x in self.aggregated.items() if x.is_told))


def in_one_line(name: Any) -> str:
    """Return a name from a log in one line, with unprintable characters escaped."""
    return printable(" ".join(str(name).split()))


def written_as_number(value: Any) -> str:
    """Say how to write a text that stands for a number; "" if it stands for none."""
    text = value.strip() if isinstance(value, str) else ""
    return next((how for kind, how in _WRITTEN_OTHERWISE if kind.fullmatch(text)), "")


def is_unscored(value: Any) -> bool:
    """Tell whether a score is missing: None or NaN."""
    return value is None or value != value


def without_unscored(runs: Sequence[Run]) -> list[Run]:
    """Return the runs without the metrics that have no score, or in a log only -1 for one."""
    stand_ins: list[list[str]] = [[] for _ in runs]
    if not any(run.format in TABLES for run in runs):  # whose scores people name
        stand_ins = [
            [x for x, y in run.scores.items() if {*y} == {-1} and all(_spare(x, z) for z in runs)]
            for run in runs
        ]
    return [*map(_without_unscored, runs, stand_ins)]


def _spare(name: str, run: Run) -> bool:
    """Tell whether -1 is no score of a metric: no other is below 0, or the tool leaves it out."""
    scores = {x for x in run.scores.get(name, ()) if not is_unscored(x)}
    return name in run.sentinels or scores == {-1} or min(scores, default=0) >= 0


def _without_unscored(run: Run, stand_ins: Sequence[str]) -> Run:
    """Return a run without the metrics that have no score, and without stand-ins."""
    empty = [name for name, x in run.scores.items() if all(map(is_unscored, x))]
    unscored: dict[str, Words] = dict.fromkeys(empty, "only null or NaN")
    unscored |= dict.fromkeys(stand_ins, "only -1, which is no score")
    if not unscored or not run.ids:
        return run
    scores = {name: x for name, x in run.scores.items() if name not in unscored}
    return replace(run, scores=scores, left_out=run.left_out | unscored)


def without_examples(run: Run, ids: Collection[Id]) -> Run:
    """Return a run without the examples of these ids."""
    kept = [k for k, x in enumerate(run.ids) if x not in ids]

    def some(column: Any) -> Any:
        return column and [column[k] for k in kept]

    columns = "ids", "predictions", "references", "groups", "documents", "prompts", "n_repeats"
    return replace(
        run,
        scores={name: some(x) for name, x in run.scores.items()},
        aggregated={
            name: x._replace(entries=some(x.entries)) for name, x in run.aggregated.items()
        },
        **{name: some(getattr(run, name)) for name in columns},
    )


def no_numbers(systems: Mapping[str, Run], metrics: Sequence[str]) -> list[Words]:
    """Return the metrics of the logs that are no numbers per example, and what they hold."""
    return [
        Parts(f"{name} of {system}: no number per example, but ", what)
        for system, run in systems.items()
        for name, what in run.left_out.items()
        if name not in metrics
    ]


def groups_with(task: str, results: Mapping[str, Any]) -> dict[str, TaskGroup]:
    """Return the groups in a results file that a task is in, also within another group."""
    told = value_at(results, "group_subtasks")
    if not isinstance(told, dict):
        return {}
    members = {
        group: [x for x in names if isinstance(x, str)]
        for group, names in told.items()
        if isinstance(names, list)
    }
    holders: dict[str, list[str]] = {}
    for group, names in members.items():
        for x in names:
            holders.setdefault(x, []).append(group)
    outer = {*_reached(task, holders)} - {task}
    reported = value_at(results, "results")
    return {x: TaskGroup(x, members, reported) for x in members if x in outer}


def _reached(start: str, further: Mapping[str, list[str]]) -> list[str]:
    """Return a name, and all names to which it leads further."""
    names, waiting = {start: None}, [start]
    while waiting:
        more = [x for x in further.get(waiting.pop(0), ()) if x not in names]
        names |= dict.fromkeys(more)
        waiting += more
    return [*names]


def asked_group(asked: Sequence[str]) -> str | None:
    """Return what was asked for, which may be a group or a pattern, if it is one name."""
    return asked[0] if len(asked) == 1 else None


def asked_tasks(asked: str, told: Mapping[str, Collection[str]]) -> list[str]:
    """Return the tasks that are asked for: by their name, or else by that of a group or a pattern.

    `told` has the groups of each task.
    """
    if asked in told:
        return [asked]
    return [task for task, groups in told.items() if asked in groups or fnmatchcase(task, asked)]


def system_names(runs: Sequence[Run]) -> list[str]:
    """Name each system by its model, its table, the nearest folder that differs, or its path."""
    models = [run.model for run in runs]
    if all(models) and _differ(models):
        return models
    paths = [_without_ending(run.path) for run in runs]
    stems = [path.name for path in paths]
    if all(run.format in TABLES for run in runs) and _differ(stems):
        return stems  # other logs are named by dates and numbers
    absolute = [*map(_parts, paths)]
    n_shared = len(os.path.commonprefix(absolute))  # noqa: RUF071, parts are meant
    own = [parts[n_shared:] for parts in absolute]
    nearest = [*zip(*(reversed(parts[:-1]) for parts in own), strict=False)]
    telling = [names for names in nearest if not any(map(_IS_DATE.fullmatch, names))]
    for names in (*telling, *nearest, *zip(*own, strict=False)):
        if _differ(names):
            return [*names]
    for length in range(2, max(map(len, absolute))):
        joined = ["/".join(parts[-length:]) for parts in absolute]
        if _differ(joined):
            return joined
    return [f"{run.path} ({k})" for k, run in enumerate(runs, 1)]


def _without_ending(file: str) -> PurePath:
    """Return the path of a file without its ending, or the folder of a table in parts."""
    path = PurePath(without_compression(file))
    return path.with_suffix("") if path.name else path


def _parts(path: PurePath) -> tuple[str, ...]:
    """Return the parts of the absolute path; standard input stands for a folder."""
    is_file = str(path) != STANDARD_INPUT
    return PurePath(os.path.abspath(path)).parts if is_file else (STANDARD_INPUT, "")


def _differ(names: Sequence[str]) -> bool:
    return len({*names}) == len(names)
