"""A run: the answers of one system to the examples of one task, collected from the rows of a log.

The repeats of an example have one score, their mean. Documents tell whether two examples are the
same.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors import InputError, describe, printable, shown, shown_path
from pairedperm.inputs.columns import Id
from pairedperm.inputs.files import STANDARD_INPUT, without_compression
from pairedperm.inputs.labels import Repeats
from pairedperm.inputs.lattice import are_widened, n_decimals, unit_of_floats
from pairedperm.readers.files import TABLES, TextFile, items_in, value_at
from pairedperm.scoring.metric import Metric

IS_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.I | re.A)
INFINITE = (math.inf, -math.inf)
_IS_DATE = re.compile(r"[\dTZ\W_]+")  # a folder that tells a date, a time or a number
LoggedScores = list[Any]  # int, float, narrow float, Fraction; None or NaN for a missing score


class TaskGroup(NamedTuple):
    """A group of tasks, such as mmlu with its 57, in a results file of lm-evaluation-harness.

    Attributes
    ----------
    tasks : list of str
        The tasks of the group, also those of the groups in it.
    reported : Any
        What the file reports of the group, as JSON.
    """

    tasks: list[str]
    reported: Any


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
    predictions, references, groups, slices : list or None
        The model's answers, the right answers, ids of groups, and names of the slices that were
        asked for; None if the log has none.
    documents : list or None
        The question and the right answer of each example, or a hash of them.
    prompts : list or None
        The text that the model was given, or a hash of it.
    n_repeats : list of int or None
        How often each example was run; its scores are the means of these runs. None: once.
    runs : dict from str to list of list
        The scores of these runs, for each metric; empty if each example was run once.
    lower_is_better : dict from str to bool
        The direction of each metric for which the log states one.
    left_out : dict from str to str or Part
        The metrics whose values are no numbers, and what they hold.
    aggregated : dict from str to tuple of Metric
        The logged metrics that are no means, such as a perplexity: what makes the reported number,
        the nearest first. In `scores` they have pairs of a prediction and a reference.
    doubts : dict from str to str or Part
        The metrics of which the log's tool reports another number, and which.
    sentinels : dict from str to float
        The number among the scores of a metric that stands for no score: the tool leaves it out.
    task_groups : dict from str to TaskGroup
        The groups that the task is in, as the results file beside the log says.
    invalid : list of int or str
        The ids of the examples that the log calls invalid.
    notes : tuple of str or Part
        What people should know of how the file was read.
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
    slices: list[Any] | None = None
    documents: list[Any] | None = None
    prompts: list[Any] | None = None
    n_repeats: list[int] | None = None
    runs: dict[str, list[LoggedScores]] = field(default_factory=dict)
    lower_is_better: dict[str, bool] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    aggregated: dict[str, tuple[Metric, ...]] = field(default_factory=dict)
    doubts: dict[str, str] = field(default_factory=dict)
    sentinels: dict[str, float] = field(default_factory=dict)
    task_groups: dict[str, TaskGroup] = field(default_factory=dict)
    invalid: list[Id] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were logged and can be compared."""
        return (*self.scores,)

    def runs_of(self, metric: str) -> list[LoggedScores]:
        """Return the scores of all runs of each example; one that the log lacks has None."""
        some = self.scores.get(metric) or [None] * len(self.ids)
        return [x or [None] for x in self.runs.get(metric) or ([x] for x in some)]


def in_one_line(name: Any) -> str:
    """Return a name from a log in one line, with unprintable characters escaped."""
    return printable(" ".join(str(name).split()))


def is_unscored(value: Any) -> bool:
    """Tell whether a score is missing: None or NaN."""
    return value is None or value != value


def without_unscored(runs: Sequence[Run]) -> list[Run]:
    """Return the runs without the metrics that have no score, or in a log only -1 for one."""
    are_logs = not any(run.format in TABLES for run in runs)  # people name the scores of tables
    return [_without_unscored(run, runs if are_logs else ()) for run in runs]


def _without_unscored(run: Run, logs: Sequence[Run]) -> Run:
    unscored = {}
    for name, column in run.scores.items() if run.ids else ():
        if all(map(is_unscored, column)):
            unscored[name] = "only null or NaN"
        elif logs and column.count(-1) == len(column) and all(_spare(name, x) for x in logs):
            unscored[name] = "only -1, which is no score"
    scores = {name: x for name, x in run.scores.items() if name not in unscored}
    return replace(run, scores=scores, left_out=run.left_out | unscored) if unscored else run


def _spare(name: str, run: Run) -> bool:
    """Tell whether -1 is no score of a metric: no other is below 0, or the tool leaves it out."""
    column = () if name in run.aggregated else run.scores.get(name, ())
    scores = {x for x in column if not is_unscored(x)}
    return name in run.sentinels or scores == {-1} or min(scores, default=0) >= 0


def without_examples(run: Run, ids: Collection[Id]) -> Run:
    """Return a run without the examples of these ids."""
    return examples_at(run, [k for k, x in enumerate(run.ids) if x not in ids])


def examples_at(run: Run, places: Any) -> Run:
    """Return a run with the examples at these places; the same if these are all, in order.

    At -1 there is none: it has no entries.
    """
    if np.array_equal(places, np.arange(len(run.ids))):
        return run
    order = np.asarray(places).tolist()

    def some(column: Any) -> Any:
        return column and [None if k < 0 else column[k] for k in order]

    columns = "ids", "predictions", "references", "groups", "slices", "documents", "prompts"
    return replace(
        run,
        scores={name: some(x) for name, x in run.scores.items()},
        runs={name: some(x) for name, x in run.runs.items()},
        **{name: some(getattr(run, name)) for name in (*columns, "n_repeats")},
    )


def no_numbers(systems: Mapping[str, Run], metrics: Sequence[str]) -> list[str]:
    """Return the metrics of the logs that are no numbers per example, and what they hold."""
    return [
        f"{shown_path(name)} of {shown_path(system)}: no number per example, but {what}"
        for system, run in systems.items()
        for name, what in run.left_out.items()
        if name not in metrics
    ]


def groups_with(task: str, results: Mapping[str, Any]) -> dict[str, TaskGroup]:
    """Return the groups in a results file that a task is in, also within another group."""
    members = {
        group: [x for x in names if isinstance(x, str)]
        for group, names in items_in(results, "group_subtasks")
        if isinstance(names, list)
    }
    within = {x: _reached(x, members) for x in members}
    return {
        x: TaskGroup([y for y in names if not members.get(y)], value_at(results, "results", x))
        for x, names in within.items()
        if task in names and task != x
    }


def _reached(start: str, further: Mapping[str, list[str]]) -> list[str]:
    """Return all names that are reached from one."""
    names = [start]
    for name in names:
        names += [x for x in further.get(name, ()) if x not in names]
    return names


def asked_tasks(asked: str, told: Mapping[str, Collection[str]]) -> list[str]:
    """Return the tasks that are asked for: by their name, or else by that of a group or a pattern.

    `told` has the groups of each task.
    """
    if asked in told:
        return [asked]
    return [task for task, groups in told.items() if asked in groups or fnmatchcase(task, asked)]


def system_names(runs: Sequence[Run]) -> list[str]:
    """Name each system by its model, its table, the nearest folder that differs, or its path."""
    each = (x for x in _names_of(runs) if all(x) and len({*x}) == len(x))
    return next(each, [f"{run.path} ({k})" for k, run in enumerate(runs, 1)])


def by_system(*runs: Run) -> dict[str, Run]:
    """Return the runs by the names of their systems."""
    return dict(zip(system_names(runs), runs, strict=True))


def _names_of(runs: Sequence[Run]) -> Iterator[list[str]]:
    """Yield what systems may be called, the best first."""
    yield [run.model for run in runs]
    paths = [_without_ending(run.path) for run in runs]
    if all(run.format in TABLES for run in runs):  # other logs are named by dates and numbers
        yield [path.name for path in paths]
    absolute = [*map(_parts, paths)]
    n_shared = len(os.path.commonprefix(absolute))  # noqa: RUF071, parts are meant
    own = [parts[n_shared:] for parts in absolute]
    nearest = [[*x] for x in zip(*(reversed(parts[:-1]) for parts in own), strict=False)]
    yield from (x for x in nearest if not any(map(_IS_DATE.fullmatch, x)))
    yield from nearest
    yield from map(list, zip(*own, strict=False))
    for length in range(2, max(map(len, absolute))):
        yield ["/".join(parts[-length:]) for parts in absolute]


def _without_ending(file: str) -> PurePath:
    """Return the path of a file without its ending, or the folder of a table in parts."""
    path = PurePath(without_compression(file))
    return path.with_suffix("") if path.name else path


def _parts(path: PurePath) -> tuple[str, ...]:
    """Return the parts of the absolute path; standard input stands for a folder."""
    is_file = str(path) != STANDARD_INPUT
    return PurePath(os.path.abspath(path)).parts if is_file else (STANDARD_INPUT, "")


_NARROW = (np.float16, np.float32)


def mean_of(scores: list[Any]) -> Any:
    """Return the exact mean of the scores of repeats, or None if one is missing.

    That of narrow floats is of their type, which tells how far off it is.
    """
    if len(scores) == 1:
        return scores[0]
    if any(map(is_unscored, scores)):
        return None
    if not all(map(math.isfinite, scores)):
        return math.inf  # refused later, with the id
    mean = sum(map(exact, scores)) / len(scores)
    return type(scores[0])(mean) if isinstance(scores[0], _NARROW) else mean


def exact(score: Any) -> Fraction:
    """Return a score as a fraction; a float is the decimal that it prints as."""
    return Fraction(str(score)) if isinstance(score, (float, *_NARROW)) else Fraction(score)


def as_meant(column: LoggedScores) -> LoggedScores:
    """Return floats as the fractions or the float32 numbers that were written; others stay."""
    if not {*map(type, column)} <= {float, type(None)}:
        return column
    floats = np.array([x for x in column if not is_unscored(x)], dtype=float)
    if not np.isfinite(floats).all():
        return column
    unit = unit_of_floats(floats)
    if unit is not None and n_decimals(unit) is None:
        return [x if is_unscored(x) else Fraction(round(x * unit), unit) for x in column]
    if not are_widened(floats):
        return column
    return [None if x is None else np.float32(x) for x in column]


def with_repeats(run: Run) -> Run:
    """Merge the rows that share an id into one example, with the exact means of their scores.

    Raises
    ------
    InputError
        If such rows have different references, groups, documents or prompts.
    """
    if len({*run.ids}) == len(run.ids):
        return run
    rows: dict[Id, list[int]] = {}
    for k, example in enumerate(run.ids):
        rows.setdefault(example, []).append(k)

    for what in ("references", "groups", "slices", "documents", "prompts"):
        column = getattr(run, what)
        for example, some in rows.items() if column else ():
            if any(column[k] != column[some[0]] for k in some):
                raise InputError(
                    f"{shown_path(run.path)} has repeats of id {shown(example)} with different "
                    f"{what}: {describe([column[k] for k in some])}",
                    remedy="Give them the same.",
                )

    runs, scores = {}, {}
    for name, column in run.scores.items():
        if name in run.aggregated:  # what makes one score of all has no mean
            scores[name] = [None if more else column[k] for k, *more in rows.values()]
            continue
        meant = as_meant(column)
        runs[name] = [[meant[k] for k in some] for some in rows.values()]
        scores[name] = [*map(mean_of, runs[name])]
    return replace(
        examples_at(run, [some[0] for some in rows.values()]),
        scores=scores,
        runs=runs,
        predictions=run.predictions
        and [Repeats(run.predictions[k] for k in some) for some in rows.values()],
        n_repeats=[*map(len, rows.values())],
    )


class Row(NamedTuple):
    """One example of a log, or one repeat of it, as a format yields it.

    `document` is what was asked, as text: with another text the id is another example. As a
    `Document` or a hash it tells that an id is not unique: then the scores are not read. `repeat`
    tells attempts at an example apart. `path` is that of the run, if its examples have files each.
    `about` is what else the log says of the example, by name: slices are told by that.
    """

    id: Id
    scores: Iterable[tuple[str, Any]]
    system: str = ""
    task: str = ""
    document: Any = None
    repeat: Any = 1
    prompt: Any = None
    path: str = ""
    about: Any = None


Finish = Callable[["Run", Mapping[str, list[Any]]], "Run"]
"""What adds to a run what its log says of it, given also the values of metrics that are no numbers.
"""


class LogFormat(NamedTuple):
    """The logs of a tool, and the signs that tell them from others: any of these is enough.

    Attributes
    ----------
    name, tool : str
        What `format` calls it, and what people do.
    rows : callable
        Yields the rows of a file; it may return what finishes each run.
    tasks : callable or None
        Returns the tasks that a log tells before it is read, each with its groups.
    ending : str or None
        The ending of its name.
    start, json : str or None
        A pattern of its first characters, see `TextFile.begins`; or of those behind the brace of a
        file called JSON.
    keys, columns : sequence of set
        Keys of its first line or entry, all those of a set; or columns of Parquet.
    """

    name: str
    tool: str
    rows: Callable[[TextFile], Generator[Row, None, Finish | None]]
    tasks: Callable[[TextFile], dict[str, dict[str, TaskGroup]]] | None = None
    ending: str | None = None
    start: str | None = None
    json: str | None = None
    keys: Sequence[AbstractSet[str]] = ()
    columns: Sequence[AbstractSet[str]] = ()

    def fits(self, file: TextFile) -> bool:
        """Tell whether a file has one of the signs."""
        return (
            file.ending == self.ending
            or (self.start is not None and file.begins(self.start))
            or (self.json is not None and file.is_object(self.json))
            or any(x <= file.first_object.keys() for x in self.keys)
            or any(x <= file.column_names for x in self.columns)
        )


def collected(rows: Sequence[Row], kind: str, path: str) -> tuple[Run, dict[str, list[Any]]]:
    """Bring the rows of a run together, with the means of repeats.

    A metric with values that are no numbers is left out; these are returned by its name, in the
    order of the ids. If a score comes twice, or an id comes with the hash of another document, the
    id is added once more, and matching reports it as repeated. With the text of another document,
    as of another split, the id "7" is "7 (2)".
    """
    names: dict[str, str] = {}  # of metrics, in one line
    places: dict[tuple[Id, Any], int] = {}  # of each row, by id and repeat
    documents: dict[Id, Any] = {}
    further = _Further(documents)
    prompts: list[Any] = []
    slices: list[Any] = []
    scores: dict[str, dict[int, Any]] = {}  # by metric and place
    twice: dict[Id, None] = {}
    left_out: dict[str, str] = {}
    for given in rows:
        example, document = given.id, given.document
        if documents.setdefault(example, document) != document:
            if not (isinstance(example, str) and isinstance(document, str)):
                twice[example] = None
                continue
            example = further.name(example, document)
        place = places.setdefault((example, given.repeat), len(places))
        if place == len(prompts):
            prompts.append(given.prompt)
            slices.append(given.about)
        for name, value in given.scores:
            if name not in names:
                names[name] = in_one_line(name)
                scores.setdefault(names[name], {})
            column = scores[names[name]]
            if place in column:
                twice[example] = None
            column[place] = value
            if not (value is None or isinstance(value, (int, float))):
                left_out.setdefault(names[name], describe(value))
    ids = [example for example, _ in places]
    columns = {name: [*map(x.get, range(len(ids)))] for name, x in scores.items()}
    run = Run(
        path=path,
        format=kind,
        task=in_one_line(rows[0].task),
        model=in_one_line(rows[0].system),
        ids=ids,
        scores={name: x for name, x in columns.items() if name not in left_out},
        documents=[documents[x] for x in ids],
        prompts=prompts,
        slices=slices if any(x is not None for x in slices) else None,
        left_out=left_out,
    )
    again = Run(path=run.path, format=kind, ids=[*twice])
    run = with_repeats(run)
    pairs = {name: [*columns[name], *[None] * len(twice)] for name in left_out}
    return _joined([run, again]) if twice else run, pairs


class _Further:
    """The names of further documents that come under an id: "7 (2)"."""

    def __init__(self, documents: dict[Id, Any]) -> None:
        self._documents = documents
        self._names: dict[tuple[str, str], str] = {}
        self._last: dict[str, int] = {}  # the number in the last of these

    def name(self, given: str, document: str) -> str:
        """Return the id of a further document that comes under one that is given."""
        if (given, document) not in self._names:
            k = self._last.get(given, 1) + 1
            while self._documents.setdefault(f"{given} ({k})", document) != document:
                k += 1
            self._last[given], self._names[given, document] = k, f"{given} ({k})"
        return self._names[given, document]


def folder_of_run(file: TextFile) -> TextFile:
    """Return the folder of the run that a file holds an example of, ``<run>/<example>/<file>``."""
    folder = file.source.parent
    is_here = folder.name in ("", "..")  # "." has no parent by name
    return file.within(folder / ".." if is_here else folder.parent)


def whole_runs(runs: Iterable[Run]) -> list[Run]:
    """Bring the examples of a run together: their files tell its folder as their path."""
    parts: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        parts.setdefault((run.path, run.format, run.task, run.model), []).append(run)
    return [with_repeats(_joined(some)) if len(some) > 1 else some[0] for some in parts.values()]


def _joined(runs: Sequence[Run]) -> Run:
    """Return the run of all examples; those that share an id stand there several times."""

    def column(key: str) -> list[Any]:
        return [x for run in runs for x in getattr(run, key) or [None] * len(run.ids)]

    return replace(
        runs[0],
        ids=column("ids"),
        scores={
            name: [x for run in runs for x in run.scores.get(name, [None] * len(run.ids))]
            for name in dict.fromkeys(x for run in runs for x in run.scores)
        },
        runs={
            name: [x for run in runs for x in run.runs_of(name)]
            for name in dict.fromkeys(x for run in runs for x in run.runs)
        },
        documents=column("documents"),
        prompts=column("prompts"),
        slices=column("slices"),
        n_repeats=runs[0].n_repeats and [x or 0 for x in column("n_repeats")],
        left_out={name: what for run in runs for name, what in run.left_out.items()},
        lower_is_better={x: y for run in runs for x, y in run.lower_is_better.items()},
    )


def with_all_ids(runs: Sequence[Run]) -> list[Run]:
    """Return the runs, each also with the ids that others have, of which it has no entries."""
    every = dict.fromkeys(x for run in runs for x in run.ids)
    whole = []
    for run in runs:
        ids = [*run.ids, *(every.keys() - {*run.ids})]
        places = [*range(len(run.ids)), *[-1] * (len(ids) - len(run.ids))]
        whole.append(replace(examples_at(run, places), ids=ids))
    return whole


def filled(run: Run, metric: str, end: float | None) -> LoggedScores:
    """Return the scores of a metric, with this number where one is missing or infinite."""
    absent = (None, *INFINITE, run.sentinels.get(metric))
    narrow = next((type(x) for x in run.scores[metric] if isinstance(x, _NARROW)), None)
    given: Any = end if narrow is None or end is None else narrow(end)
    return [
        mean_of([given if x in absent or is_unscored(x) else x for x in some])
        for some in run.runs_of(metric)
    ]


def with_some_runs(run: Run, kept: Mapping[int, Sequence[int]]) -> Run:
    """Return a run with only these runs of some examples, which are named by their places."""

    def some(column: Iterable[Any]) -> list[Any]:
        every = enumerate(column)
        return [type(x)(x[j] for j in kept[k]) if k in kept else x for k, x in every]

    runs = {name: some(run.runs_of(name)) for name in run.runs}
    n_repeats = [len(kept[k]) if k in kept else n for k, n in enumerate(run.n_repeats or ())]
    predictions = run.predictions and some(run.predictions)
    if predictions and {*n_repeats} <= {1, None}:  # as of a system with one run of each
        predictions = [x and x[0] for x in predictions]
    scores = run.scores | {name: [*map(mean_of, x)] for name, x in runs.items()}
    return replace(run, runs=runs, n_repeats=n_repeats, predictions=predictions, scores=scores)


class Document(dict[str, Any]):
    """The parts of a document by name; it is the same as another if the parts that both have are.

    Logs of one tool need not hold the same parts, but some in common. One without parts is any.
    """

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        if not (isinstance(other, dict) and self and other):
            return isinstance(other, dict)
        common = self.keys() & other.keys()
        return bool(common) and all(self[x] == other[x] for x in common)

    def __ne__(self, other: object) -> bool:
        return not self == other


def differ(entries: Sequence[Any]) -> bool:
    """Tell whether some entries differ; documents may also do so in parts that the first lacks."""
    if any(x != entries[0] for x in entries[1:]):
        return True
    if not (entries and isinstance(entries[0], Document)):
        return False
    parts = {name: part for x in reversed(entries) for name, part in x.items()}
    return any(x != parts for x in entries)
