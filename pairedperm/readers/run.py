"""A run: the answers of one system to the examples of one task, and their scores."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors import InputError
from pairedperm.errors.wording import (
    SHOWN,
    File,
    Parts,
    Words,
    describe,
    first_of,
    joined,
    printable,
    shown,
)
from pairedperm.inputs.ids import Id
from pairedperm.inputs.labels import Repeats
from pairedperm.inputs.lattice import are_widened, n_decimals, unit_of_floats
from pairedperm.scoring.metric import Metric

IS_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.I | re.A)
_NARROW = (np.float16, np.float32)
Scores = list[Any]  # int, float, narrow float, Fraction; None or NaN for a missing score


class Aggregated(NamedTuple):
    """A metric of all examples at once, and the prediction and reference of each.

    An entry is None if the example has none.
    """

    metric: Metric
    entries: list[tuple[Any, Any] | None]


class NoMetricError(InputError):
    """The runs of a task lack the metric; those of another task may have it.

    `fact` is the part of the message that says which run lacks it.
    """

    def __init__(self, *what: Words, fact: Words = "", **facts: Any) -> None:
        super().__init__(*what, **facts)
        self.fact = fact


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
    alternatives : dict from str to list of Aggregated
        What else makes the number that the log's tool reports of a metric, or may make it if none
        is reported.
    doubts : dict from str to str or Part
        The metrics of which the log's tool reports another number, and which.
    """

    path: str
    format: str
    task: str = ""
    version: str = ""
    model: str = ""
    ids: list[Id]
    scores: dict[str, Scores] = field(default_factory=dict)
    predictions: list[Any] | None = None
    references: list[Any] | None = None
    groups: list[Any] | None = None
    documents: list[Any] | None = None
    prompts: list[Any] | None = None
    n_repeats: list[int] | None = None
    lower_is_better: dict[str, bool] = field(default_factory=dict)
    left_out: dict[str, Words] = field(default_factory=dict)
    aggregated: dict[str, Aggregated] = field(default_factory=dict)
    alternatives: dict[str, list[Aggregated]] = field(default_factory=dict)
    doubts: dict[str, Words] = field(default_factory=dict)

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
    return scores[0] if len(scores) == 1 else reduced(scores, _mean)


def reduced(scores: list[Any], reduce: Callable[[list[Any]], Any]) -> Any:
    """Return what a function makes of the scores of repeats, or None if one is missing."""
    if any(map(is_unscored, scores)):
        return None
    if not all(map(math.isfinite, scores)):
        return math.inf  # refused later, with the id
    return reduce(scores)


def _mean(scores: list[Any]) -> Any:
    mean = sum(map(exact, scores)) / len(scores)
    return type(scores[0])(mean) if isinstance(scores[0], _NARROW) else mean


def exact(score: Any) -> Fraction:
    """Return a score as a fraction; a float is the decimal that it prints as."""
    return Fraction(str(score)) if isinstance(score, (float, *_NARROW)) else Fraction(score)


def as_meant(column: Scores) -> Scores:
    """Return floats as the shares that they spell, or the float32 that they were; others stay."""
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
        If such rows have different references or groups.
    """
    places: dict[Id, list[int]] = {}
    for k, example in enumerate(run.ids):
        places.setdefault(example, []).append(k)
    if len(places) == len(run.ids):
        return run

    def first(column: list[Any] | None) -> list[Any] | None:
        if column is None:
            return None
        for example, some in places.items():
            if any(column[k] != column[some[0]] for k in some):
                raise InputError(
                    File(run.path),
                    f" has repeats of id {shown(example)} with different references or groups: ",
                    describe([column[k] for k in some]),
                    remedy="Give them the same.",
                )
        return [column[some[0]] for some in places.values()]

    def once(found: Aggregated) -> Aggregated:
        entries = [None if more else found.entries[k] for k, *more in places.values()]
        return found._replace(entries=entries)

    return replace(
        run,
        ids=[*places],
        scores={
            name: [mean_of([column[k] for k in some]) for some in places.values()]
            for name, column in ((x, as_meant(y)) for x, y in run.scores.items())
        },
        aggregated={name: once(x) for name, x in run.aggregated.items()},
        alternatives={name: [*map(once, some)] for name, some in run.alternatives.items()},
        predictions=run.predictions
        and [Repeats(run.predictions[k] for k in some) for some in places.values()],
        references=first(run.references),
        groups=first(run.groups),
        documents=first(run.documents),
        prompts=first(run.prompts),
        n_repeats=[*map(len, places.values())],
    )


def listed(run: Run) -> Words:
    """List what a run has, for messages."""
    some = [*map(shown, run.metrics)]
    if run.predictions is not None:
        some.append("predictions")
    if some:
        return first_of(some)
    others = [Parts(f"{shown(name)} holds ", what) for name, what in run.left_out.items()]
    return Parts("no scores: ", joined(others, n=SHOWN)) if others else "no scores"
