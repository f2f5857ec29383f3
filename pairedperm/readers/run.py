"""A run: what one system answered to the examples of one task, and how each answer was scored."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from pairedperm.errors import InputError, describe, printable, shown
from pairedperm.inputs.ids import Id

IS_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.I | re.A)
Scores = list[Any]  # int, float, Fraction; None or NaN where there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One system on one task, a row for each example.

    Attributes
    ----------
    path : str
        The file, as messages show it.
    format : str
        The name of its format.
    task, version, model : str
        As the log says; "" where it does not.
    ids : list of int or str
    scores : dict from str to list
        A column for each metric that was logged.
    predictions, references, groups : list or None
    documents : list or None
        For each example what was asked and what is right, or a hash of it.
    prompts : list or None
        The same of the text that the model got.
    n_repeats : list of int or None
        How often each example was run. Its scores are the means of these runs.
    lower_is_better : dict from str to bool
        Of the metrics of which the log tells.
    left_out : dict from str to str
        Metrics that are no numbers, and what they hold.
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
    left_out: dict[str, str] = field(default_factory=dict)


def in_one_line(name: Any) -> str:
    """A name that a log gives: without line ends, and what a terminal would not show as it is."""
    return printable(" ".join(str(name).split()))


def is_unscored(value: Any) -> bool:
    """Whether there is no score: None, or NaN."""
    return value is None or value != value


def mean_of(scores: list[Any]) -> Any:
    """The exact mean of the scores of repeats; None if one has none."""
    if len(scores) == 1:
        return scores[0]
    if any(map(is_unscored, scores)):
        return None
    if not all(map(math.isfinite, scores)):
        return math.inf  # which no score may be
    return sum(map(exact, scores)) / len(scores)


def exact(score: Any) -> Fraction:
    """A score as the decimal that it prints as."""
    return Fraction(str(score)) if isinstance(score, float) else Fraction(score)


def with_repeats(run: Run) -> Run:
    """Rows with the same id as one example: the exact means of its scores.

    Raises
    ------
    InputError
        If these have different references or groups.
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
                    f"{run.path} has repeats of id {shown(example)} with different references, or "
                    f"groups: {describe([column[k] for k in some])}. Give them one."
                )
        return [column[some[0]] for some in places.values()]

    return replace(
        run,
        ids=[*places],
        scores={
            name: [mean_of([column[k] for k in some]) for some in places.values()]
            for name, column in run.scores.items()
        },
        predictions=run.predictions
        and [[run.predictions[k] for k in some] for some in places.values()],
        references=first(run.references),
        groups=first(run.groups),
        documents=first(run.documents),
        prompts=first(run.prompts),
        n_repeats=[*map(len, places.values())],
    )
