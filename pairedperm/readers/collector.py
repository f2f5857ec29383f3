"""The rows of a log, collected to a run; documents, which tell whether two examples are the same.

The repeats of an example have one score, their mean.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors import SHOWN, File, InputError, Parts, Words, describe, joined, shown
from pairedperm.inputs.columns import Id
from pairedperm.inputs.labels import Repeats
from pairedperm.inputs.lattice import are_widened, n_decimals, unit_of_floats
from pairedperm.readers.run import (
    Aggregated,
    LoggedScores,
    Run,
    TaskGroup,
    in_one_line,
    is_unscored,
    without_examples,
)
from pairedperm.readers.text_file import Signs, TextFile

_NARROW = (np.float16, np.float32)


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
ONLY_MEAN: Mapping[str, Reducer] = {"": mean_of}


def with_repeats(run: Run, reducers: Mapping[str, Reducer] = ONLY_MEAN) -> Run:
    """Merge the rows that share an id into one example, with the exact means of their scores.

    `reducers` are named by what they add to the name of a metric.

    Raises
    ------
    InputError
        If such rows have different references, groups, documents or prompts.
    """
    is_repeated = len({*run.ids}) < len(run.ids)
    if not is_repeated and reducers is ONLY_MEAN:
        return run
    rows: dict[Id, list[int]] = {}
    for k, example in enumerate(run.ids):
        rows.setdefault(example, []).append(k)

    def of_first(what: str) -> list[Any] | None:
        column: list[Any] | None = getattr(run, what)
        if column is None:
            return None
        for example, some in rows.items():
            if any(column[k] != column[some[0]] for k in some):
                raise InputError(
                    File(run.path),
                    f" has repeats of id {shown(example)} with different {what}: ",
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
        predictions=run.predictions
        and [Repeats(run.predictions[k] for k in some) for some in rows.values()],
        references=of_first("references"),
        groups=of_first("groups"),
        documents=of_first("documents"),
        prompts=of_first("prompts"),
        n_repeats=[*map(len, rows.values())],
    )


class LogFormat(NamedTuple):
    """The logs of a tool.

    `signs` tell that a file is of this format, `read` returns its runs. `tasks`, if a log tells
    them before it is read, returns them, each with its groups.
    """

    name: str
    signs: Signs
    read: Callable[[TextFile], list[Run]]
    tasks: Callable[[TextFile], dict[str, dict[str, TaskGroup]]] | None = None


class Collector:
    """The scores of one run, collected row by row: a row is one repeat of an example.

    If a score comes twice, or an id comes with the hash of another document, the id is added once
    more, and matching reports it as repeated. With the text of another document, as of another
    split, the id "7" is "7 (2)".
    """

    def __init__(self, file: TextFile, kind: str) -> None:
        self._file, self._kind = file, kind  # the log, and its format
        self._names: dict[str, str] = {}  # of metrics, in one line
        self._rows: dict[tuple[Id, Any], int] = {}  # the number of each row, by id and repeat
        self._documents: dict[Id, Any] = {}
        self._prompts: list[Any] = []
        self._scores: dict[str, dict[int, Any]] = {}  # by metric and row
        self._further: dict[tuple[str, str], str] = {}  # the ids of further documents of an id
        self._last: dict[str, int] = {}  # the number in the last of these
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

        If the id has the hash of another document already, the scores are not added.
        """
        if self._documents.setdefault(example, document) != document:
            if not (isinstance(example, str) and isinstance(document, str)):
                self._twice[example] = None
                return
            example = self._apart(example, document)
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

    def _apart(self, given: str, document: str) -> str:
        """Return the id of a further document that comes under one that is given."""
        if (given, document) not in self._further:
            k = self._last.get(given, 1) + 1
            while self._documents.setdefault(f"{given} ({k})", document) != document:
                k += 1
            self._last[given], self._further[given, document] = k, f"{given} ({k})"
        return self._further[given, document]

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

    def run(self, reducers: Mapping[str, Reducer] = ONLY_MEAN, **facts: Any) -> Run:
        """Return the run of all collected scores, with repeats reduced; `facts` are other fields.

        `reducers` are named by what they add to the name of a metric.
        """
        facts = {"path": self._file.path, "format": self._kind} | facts
        facts |= {x: in_one_line(facts.get(x) or "") for x in ("task", "version", "model")}
        ids = [example for example, _ in self._rows]
        run = Run(
            ids=ids,
            scores={x: self._column(x) for x in self._scores if x not in self._left_out},
            documents=[self._documents[x] for x in ids],
            prompts=self._prompts,
            left_out=self._left_out,
            **facts,
        )
        again = Run(path=run.path, format=run.format, ids=[*self._twice])
        run = with_repeats(run, reducers)
        return _joined([run, again]) if self._twice else run


def folder_of_run(file: TextFile) -> TextFile:
    """Return the folder of the run that a file holds an example of, ``<run>/<example>/<file>``."""
    folder = file.source.parent
    is_here = isinstance(folder, Path) and folder.name in ("", "..")  # "." has no parent by name
    return file.within(folder / ".." if is_here else folder.parent)  # type: ignore[operator]


def whole_runs(runs: Iterable[Run]) -> list[Run]:
    """Bring the examples of a run together: their files tell its folder as their path."""
    parts: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        parts.setdefault((run.path, run.format, run.task, run.model), []).append(run)
    return [with_repeats(_joined(some)) if len(some) > 1 else some[0] for some in parts.values()]


def resumed(runs: Sequence[Run], kind: str) -> list[Run]:
    """Bring jobs of one format, system and folder together if none scored an example of another.

    The later ones went on with the first. An example that one of them scored is taken from that.
    """
    jobs: dict[tuple[str, ...], list[Run]] = {}
    for k, run in enumerate(runs):
        is_job = run.format == kind and run.model != ""
        key = (run.task, run.model, os.path.dirname(run.path)) if is_job else (f"{k}",)
        jobs.setdefault(key, []).append(run)
    return [x for some in jobs.values() for x in (some if len(some) == 1 else _resumed(some))]


def _resumed(jobs: Sequence[Run]) -> Sequence[Run]:
    """Return one run, or the jobs as they are if two scored one example."""
    scored = [
        {
            x
            for column in run.scores.values()
            for x, y in zip(run.ids, column, strict=True)
            if y is not None
        }
        for run in jobs
    ]
    of_job = {x: k for k, ids in enumerate(scored) for x in ids}
    if len(of_job) < sum(map(len, scored)):
        return jobs
    for k, run in enumerate(jobs):
        for x in run.ids:
            of_job.setdefault(x, k)
    parts = []
    for k, run in enumerate(jobs):
        counted = replace(run, n_repeats=run.n_repeats or [1] * len(run.ids))
        parts.append(without_examples(counted, {x for x in run.ids if of_job[x] != k}))
    paths = joined([File(run.path) for run in jobs], n=SHOWN)
    note = Parts("read as one, as none scored an example of another: ", paths)
    return [replace(_joined(parts), notes=(*jobs[0].notes, note))]


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
        documents=column("documents"),
        prompts=column("prompts"),
        n_repeats=runs[0].n_repeats and [x or 0 for x in column("n_repeats")],
        left_out={name: what for run in runs for name, what in run.left_out.items()},
        lower_is_better={x: y for run in runs for x, y in run.lower_is_better.items()},
    )


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
