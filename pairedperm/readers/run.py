"""A run: the answers of one system to the examples of one task, and their scores.

The rows of a log are collected to a run. Repeats of an example become one score, their exact mean.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors import InputError
from pairedperm.errors.wording import File, Parts, Words, describe, printable, shown
from pairedperm.inputs.ids import Id
from pairedperm.inputs.labels import Repeats
from pairedperm.inputs.lattice import are_widened, n_decimals, unit_of_floats
from pairedperm.readers.task_groups import TaskGroup
from pairedperm.scoring.metric import Metric

IS_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.I | re.A)
_NARROW = (np.float16, np.float32)
INFINITE = (math.inf, -math.inf)
LoggedScores = list[Any]  # int, float, narrow float, Fraction; None or NaN for a missing score


class Aggregated(NamedTuple):
    """A metric of all examples at once, and the prediction and reference of each.

    An entry is None if the example has none.
    """

    metric: Metric
    entries: list[tuple[Any, Any] | None]


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
    document_of : function or None
        Reads what a hash of these stands for again, by the id of the example; for messages.
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
    alternatives : dict from str to list of Aggregated
        What else makes the number that the log's tool reports of a metric, or may make it if none
        is reported.
    doubts : dict from str to str or Part
        The metrics of which the log's tool reports another number, and which.
    task_groups : dict from str to TaskGroup
        The groups that the task is in, as the results file beside the log says.
    notes : tuple of str or Part
        What people should know of how the file was read.
    second_key : str
        A column of a table that may tell lines of one id apart; "" if none is known.
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
    document_of: Callable[[Id], Any] | None = None
    prompts: list[Any] | None = None
    n_repeats: list[int] | None = None
    lower_is_better: dict[str, bool] = field(default_factory=dict)
    left_out: dict[str, Words] = field(default_factory=dict)
    aggregated: dict[str, Aggregated] = field(default_factory=dict)
    alternatives: dict[str, list[Aggregated]] = field(default_factory=dict)
    doubts: dict[str, Words] = field(default_factory=dict)
    task_groups: dict[str, TaskGroup] = field(default_factory=dict)
    notes: tuple[Words, ...] = ()
    second_key: str = ""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were logged and can be compared."""
        return (*self.scores, *self.aggregated)


def in_one_line(name: Any) -> str:
    """Return a name from a log in one line, with unprintable characters escaped."""
    return printable(" ".join(str(name).split()))


def is_unscored(value: Any) -> bool:
    """Tell whether a score is missing: None or NaN."""
    return value is None or value != value


def mean_of(scores: list[Any]) -> Any:
    """Return the exact mean of the scores of repeats, or None if one is missing.

    That of narrow floats is of their type, which tells how far off it is.
    """
    return scores[0] if len(scores) == 1 else reduced_scores(scores, _exact_mean)


def reduced_scores(scores: list[Any], reduce: Callable[[list[Any]], Any]) -> Any:
    """Return what a function makes of the scores of repeats, or None if one is missing."""
    if any(map(is_unscored, scores)):
        return None
    if not all(map(math.isfinite, scores)):
        return math.inf  # refused later, with the id
    return reduce(scores)


def _exact_mean(scores: list[Any]) -> Any:
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


Reducer = Callable[[list[Any]], Any]
"""What makes one score of those of an example's repeats; None if one is missing."""
_MEAN: Mapping[str, Reducer] = MappingProxyType({"": mean_of})


def with_repeats(run: Run, reducers: Mapping[str, Reducer] = _MEAN) -> Run:
    """Merge the rows that share an id into one example, with the exact means of their scores.

    `reducers` are named by what they add to the name of a metric.

    Raises
    ------
    InputError
        If such rows have different references or groups.
    """
    rows: dict[Id, list[int]] = {}
    for k, example in enumerate(run.ids):
        rows.setdefault(example, []).append(k)
    is_repeated = len(rows) < len(run.ids)
    if not is_repeated and reducers is _MEAN:
        return run

    def of_first(column: list[Any] | None) -> list[Any] | None:
        if column is None:
            return None
        for example, some in rows.items():
            if any(column[k] != column[some[0]] for k in some):
                raise InputError(
                    File(run.path),
                    f" has repeats of id {shown(example)} with different references or groups: ",
                    describe([column[k] for k in some]),
                    remedy="Give them the same.",
                )
        return [column[some[0]] for some in rows.values()]

    def without_repeated(of_all: Aggregated) -> Aggregated:
        entries = [None if more else of_all.entries[k] for k, *more in rows.values()]
        return of_all._replace(entries=entries)

    columns = {x: as_meant(y) for x, y in run.scores.items()} if is_repeated else run.scores
    return replace(
        run,
        ids=[*rows],
        scores={
            f"{name}{suffix}": [reducer([column[k] for k in some]) for some in rows.values()]
            for name, column in columns.items()
            for suffix, reducer in reducers.items()
        },
        aggregated={name: without_repeated(x) for name, x in run.aggregated.items()},
        alternatives={name: [*map(without_repeated, x)] for name, x in run.alternatives.items()},
        predictions=run.predictions
        and [Repeats(run.predictions[k] for k in some) for some in rows.values()],
        references=of_first(run.references),
        groups=of_first(run.groups),
        documents=of_first(run.documents),
        prompts=of_first(run.prompts),
        n_repeats=[*map(len, rows.values())],
    )


class Collector:
    """The scores of one run, collected row by row: a row is one repeat of an example.

    If a score comes twice, or an id comes with another document, the id is added once more.
    Matching then reports it as repeated.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}  # of metrics, in one line
        self._rows: dict[tuple[Id, Any], int] = {}  # the number of each row, by id and repeat
        self._documents: dict[Id, Any] = {}
        self._prompts: list[Any] = []
        self._scores: dict[str, dict[int, Any]] = {}  # by metric and row
        self._twice: dict[Id, None] = {}
        self._left_out: dict[str, Words] = {}

    def add(
        self,
        example: Id,
        document: Any,
        scores: Iterable[tuple[str, Any]],
        prompt: Any = None,
        repeat: Any = 1,
    ) -> None:
        """Add the scores of an example by metric; one whose values are no numbers is left out.

        If the id has another document already, the scores are not added.
        """
        if self._documents.setdefault(example, document) != document:
            self._twice[example] = None
            return
        row = self._rows.setdefault((example, repeat), len(self._rows))
        if row == len(self._prompts):
            self._prompts.append(prompt)
        for name, value in scores:
            if name not in self._names:
                self._names[name] = in_one_line(name)
            metric = self._names[name]
            column = self._scores.setdefault(metric, {})
            if row in column:
                self._twice[example] = None
            column[row] = value
            if not (value is None or isinstance(value, (int, float))):
                self._left_out.setdefault(metric, describe(value))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that came."""
        return tuple(self._scores)

    @property
    def pairs(self) -> dict[str, list[Any]]:
        """The values of metrics that are left out, in the order of the run's ids."""
        more = [None] * len(self._twice)
        return {name: [*self._column(name), *more] for name in self._left_out}

    def _column(self, metric: str) -> list[Any]:
        return [*map(self._scores[metric].get, range(len(self._rows)))]

    def run(self, reducers: Mapping[str, Reducer] = _MEAN, **facts: Any) -> Run:
        """Return the run of all collected scores, with repeats reduced; `facts` are other fields.

        `reducers` are named by what they add to the name of a metric.
        """
        for name in ("task", "version", "model"):
            facts[name] = in_one_line(facts.get(name, ""))
        ids = [example for example, _ in self._rows]
        run = Run(
            ids=ids,
            scores={x: self._column(x) for x in self._scores if x not in self._left_out},
            documents=[self._documents[x] for x in ids],
            prompts=self._prompts,
            left_out=self._left_out,
            **facts,
        )
        run = with_repeats(run, reducers)
        if not self._twice:
            return run
        more = [None] * len(self._twice)
        return replace(
            run,
            ids=[*run.ids, *self._twice],
            scores={name: [*column, *more] for name, column in run.scores.items()},
            documents=[*(run.documents or ()), *more],
            prompts=[*(run.prompts or ()), *more],
            n_repeats=run.n_repeats and [*run.n_repeats, *[0] * len(more)],
        )


def without_unscored(run: Run) -> Run:
    """Return a run whose metrics without a single score are left out."""
    unscored = [name for name, x in run.scores.items() if all(map(is_unscored, x))]
    if not unscored or not run.ids:
        return run
    return replace(
        run,
        scores={name: x for name, x in run.scores.items() if name not in unscored},
        left_out=run.left_out | dict.fromkeys(unscored, "only null or NaN"),
    )


def no_numbers(systems: Mapping[str, Run], metrics: Sequence[str]) -> list[Words]:
    """Return the metrics of the logs that are no numbers per example, and what they hold."""
    return [
        Parts(f"{name} of {system}: no number per example, but ", what)
        for system, run in systems.items()
        for name, what in run.left_out.items()
        if name not in metrics
    ]
