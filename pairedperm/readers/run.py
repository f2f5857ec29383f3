"""A run: the answers of one system to the examples of one task, and their scores."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pairedperm.errors.wording import Parts, Words, printable
from pairedperm.inputs.ids import Id
from pairedperm.readers.task_groups import TaskGroup
from pairedperm.scoring.metric import Metric

IS_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.I | re.A)
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
    second_keys : tuple of str
        The columns of a table that may tell lines of one id apart.
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
    second_keys: tuple[str, ...] = ()

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
