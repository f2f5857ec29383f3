"""Repeats of an example: what makes one score of theirs, by default their exact mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.errors.wording import File, describe, shown
from pairedperm.inputs.ids import Id
from pairedperm.inputs.labels import Repeats
from pairedperm.inputs.lattice import are_widened, n_decimals, unit_of_floats
from pairedperm.readers.run import Aggregated, LoggedScores, Run, is_unscored

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
ONLY_MEAN: Mapping[str, Reducer] = MappingProxyType({"": mean_of})


def with_repeats(run: Run, reducers: Mapping[str, Reducer] = ONLY_MEAN) -> Run:
    """Merge the rows that share an id into one example, with the exact means of their scores.

    `reducers` are named by what they add to the name of a metric.

    Raises
    ------
    InputError
        If such rows have different references, groups, documents or prompts.
    """
    rows: dict[Id, list[int]] = {}
    for k, example in enumerate(run.ids):
        rows.setdefault(example, []).append(k)
    is_repeated = len(rows) < len(run.ids)
    if not is_repeated and reducers is ONLY_MEAN:
        return run

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
        alternatives={name: [*map(without_repeated, x)] for name, x in run.alternatives.items()},
        predictions=run.predictions
        and [Repeats(run.predictions[k] for k in some) for some in rows.values()],
        references=of_first("references"),
        groups=of_first("groups"),
        documents=of_first("documents"),
        prompts=of_first("prompts"),
        n_repeats=[*map(len, rows.values())],
    )
