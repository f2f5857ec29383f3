"""The examples that one metric compares: one entry of each system for each example."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pairedperm.comparison.compare import TESTS, rows_and_score
from pairedperm.comparison.several import compare_many
from pairedperm.errors import (
    File,
    InputError,
    Name,
    Parts,
    Setting,
    Words,
    called,
    describe,
    joined,
    shown,
    warn,
)
from pairedperm.inputs.columns import Id, is_missing
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import read_options
from pairedperm.population.evidence import leads
from pairedperm.readers.files import DROP, OnMissing
from pairedperm.readers.log import INFINITE, LoggedScores, Run, is_unscored
from pairedperm.readers.match import (
    Matching,
    Unmatched,
    affected,
    names_of_files,
)
from pairedperm.readers.metrics import Direction
from pairedperm.results.result import with_interval
from pairedperm.results.several import Leaderboard
from pairedperm.scoring.metric import Metric, metric_options, read_metric, split_call
from pairedperm.scoring.metrics.given import MeanScore
from pairedperm.scoring.scores import simplified

_WITHOUT_NAME = "(without a name)"  # the task of logs that tell none
_WHOLE = {int, bool, str}  # types that have no missing or infinite value


class Examples(NamedTuple):
    """The data that one metric compares: arguments of `compare` and `compare_many`.

    Attributes
    ----------
    name : str
        The name of the metric, as in the log.
    ids : list of int or str
        The ids of the examples, sorted.
    systems : dict from str to list
        The predictions or the scores of each system.
    references, groups : list or None
        The right answers; ids of groups that are swapped together.
    metric : Metric
        `MeanScore` for a logged metric, or a metric of predictions.
    direction : Direction
        Whether lower or higher scores are better.
    unmatched : list of Unmatched
        Ids that were left out because a score, prediction or reference is missing, or a score is
        infinite.
    doubts : list of str or Part
        Where the log's tool reports another number than the score that is compared, or none.
    is_reported : bool
        Whether no log's tool reports another number.
    """

    name: str
    ids: list[Id]
    systems: dict[str, list[Any]]
    references: list[Any] | None
    groups: list[Any] | None
    metric: Metric
    direction: Direction
    unmatched: list[Unmatched]
    doubts: Sequence[Words] = ()
    is_reported: bool = True


def placed(
    systems: Mapping[str, Run],
    matching: Matching,
    on_missing: OnMissing,
    columns: Sequence[LoggedScores],
    name: str,
    metric: Metric,
    direction: Direction,
) -> Examples:
    """Return each run's column in the order of the ids, without examples that lack an entry.

    Raises
    ------
    InputError
        If an entry is missing, or a score infinite, and `on_missing` is "error"; if no example is
        left; if an example has no group.
    """
    runs, entries = [*systems.values()], matching.in_order(columns)
    references = _first_given(runs, matching, "references") if metric.has_references else None
    what, lacks = ("a prediction", is_missing)
    unmatched = []
    if isinstance(metric, MeanScore):
        what, lacks = name, is_unscored
        unmatched = [  # such as those of answers that could not be parsed
            Unmatched(Parts(f"with an infinite {name} in ", File(run.path)), ids)
            for run, own in zip(runs, entries, strict=True)
            if (ids := _ids_where(INFINITE.__contains__, own, matching.ids))
        ]
    if unmatched and on_missing == "error":
        remedy = affected(unmatched), Parts("Score them as wrong, or leave them out, ", DROP)
        raise InputError("scores", must="be finite", remedy=remedy)
    unmatched += [
        Unmatched(Parts(f"without {what} in ", file), _ids_where(lacks, own, matching.ids))
        for file, own in zip(names_of_files(runs), entries, strict=True)
    ]
    ids = _ids_where(is_missing, references, matching.ids) if references else []
    unmatched.append(Unmatched("without a reference", ids))
    if unmatched := [x for x in unmatched if x.ids]:
        matching = matching.without(
            unmatched,
            on_missing,
            "not all examples are scored",
            "Score them, as wrong if they failed, or leave them out, ",
        )
        entries = matching.in_order(columns)
        references = references and _first_given(runs, matching, "references")
    groups = _first_given(runs, matching, "groups")
    _check_groups(groups, matching.ids)
    by_system = dict(zip(systems, entries, strict=True))
    return Examples(name, matching.ids, by_system, references, groups, metric, direction, unmatched)


def lacking(metric: str, runs: Sequence[Run], matching: Matching) -> list[Unmatched]:
    """Return the ids that have no logged score of a metric, for each run that has some."""
    logged = [run.scores.get(metric) or _entries(run, metric) for run in runs]
    found = [
        Unmatched(Parts("without a score in ", file), _ids_where(is_unscored, own, matching.ids))
        for file, own in zip(names_of_files(runs), matching.in_order(logged), strict=True)
    ]
    return [x for x in found if x.ids]


def _entries(run: Run, metric: str) -> list[Any]:
    """Return what makes a metric that is no mean; one of predictions lacks nothing."""
    return run.aggregated[metric].entries if metric in run.aggregated else [1] * len(run.ids)


def _ids_where(is_so: Callable[[Any], bool], column: Sequence[Any], ids: Sequence[Id]) -> list[Id]:
    """Return the ids whose entries in a column are so: missing or infinite."""
    kinds = {*map(type, column)}
    if kinds <= _WHOLE or (kinds == {float} and math.isfinite(sum(column))):
        return []
    return [example for example, x in zip(ids, column, strict=True) if is_so(x)]


def metric_columns(examples: Examples) -> Any:
    """Return the columns of two systems and the references, as the metric reads them.

    Raises
    ------
    InputError
        If the metric refuses them.
    """
    with called_columns(examples.systems, of_pair=True):
        return examples.metric.read((*examples.systems.values(), examples.references))


def called_columns(systems: Iterable[str], *, of_pair: bool) -> AbstractContextManager[None]:
    """Call the predictions in messages, of a pair or of many, the columns of their systems."""
    arguments: Sequence[Any] = COLUMNS[:2] if of_pair else [Name("systems", (x,)) for x in systems]
    words = (f"the column of {x}" for x in systems)
    return called(dict(zip(arguments, words, strict=True)))


def compare_examples(
    examples: Examples, *, groups: Any = None, columns: Any = None, **options: Any
) -> Any:
    """Compare two systems as `pairedperm.compare` does; `to_dict` of the result has an interval.

    `columns` are those of `metric_columns`, if they have been read.

    Raises
    ------
    InputError
        If there are not two systems, `groups` is no mapping from all ids, or `pairedperm.compare`
        refuses the arguments.
    """
    two_names(examples)
    groups = _by_id(groups, examples)
    of_metric, of_test = split_call(options)
    with called_columns(examples.systems, of_pair=True):
        chosen, metric = read_options(**of_test), read_metric(examples.metric, **of_metric)
        columns = metric_columns(examples) if columns is None else columns
        rows, score = rows_and_score(metric, columns, groups)
        result = TESTS[chosen.test](rows.noting(paired_by="id"), score, metric, chosen)
    return with_interval(replace(result, _unreported=unreported(examples)))


def flips(examples: Examples, columns: Any = None) -> tuple[tuple[Id, ...], tuple[Id, ...]] | None:
    """Return the ids on which the first system is better, and those on which the second is.

    `columns` are those of `metric_columns`, if they have been read. Return None if an example has
    several predictions (repeated runs).
    """
    metric = examples.metric
    rows = metric.rows_in_order(metric_columns(examples) if columns is None else columns)
    if rows.n != len(examples.ids):
        return None
    alone = rows.having(groups=np.arange(rows.n))  # one group per row keeps equal rows apart
    signs = leads(*simplified(alone, metric.score(rows), "draws"), metric)
    for_first, for_second = (
        tuple(x for x, sign in zip(examples.ids, signs.tolist(), strict=True) if sign == wanted)
        for wanted in (1, -1)
    )
    return for_first, for_second


def leaderboard_of(examples: Examples, *, groups: Any = None, **options: Any) -> Leaderboard:
    """Compare all systems by `pairedperm.compare_many`.

    Raises
    ------
    InputError
        If `groups` is no mapping from all ids, or `pairedperm.compare_many` refuses the arguments.
    """
    groups = _by_id(groups, examples)
    with called_columns(examples.systems, of_pair=False):
        return compare_many(
            examples.systems, examples.references, examples.metric, groups=groups, **options
        )


def named_tasks(
    compared: Mapping[str, Examples], groups: Mapping[str, Mapping[Any, Any]] | None = None
) -> tuple[dict[str, Examples], dict[str, Any]]:
    """Return what is compared by the names of the tasks, and each task's metric and groups.

    `groups` has those of some or all tasks, by id; of others it is as the runs say.

    Raises
    ------
    InputError
        If an example has no group.
    """
    named = {
        task or _WITHOUT_NAME: x._replace(groups=_by_id((groups or {}).get(task), x))
        for task, x in compared.items()
    }
    metrics = {task: x.metric for task, x in named.items()}
    grouped = {task: x.groups for task, x in named.items() if x.groups is not None}
    return named, {"metric": metrics, "groups": grouped}


def two_names(examples: Examples) -> tuple[str, str]:
    """Return the names of the two systems.

    Raises
    ------
    InputError
        If there are not two.
    """
    if len(examples.systems) != 2:
        what = f"a comparison takes two runs, but there are {len(examples.systems)}"
        raise InputError(what, remedy="use `leaderboard`")
    name1, name2 = examples.systems
    return name1, name2


def unreported(examples: Examples) -> Words:
    """Say what the log's tool reports instead of the score that is compared; "" if nothing else."""
    return "" if examples.is_reported else joined(examples.doubts, ". ")


def warn_of_doubts(examples: Examples) -> None:
    """Warn where the log's tool reports another number than the score that is compared."""
    for doubt in examples.doubts:
        warn(doubt)


def _first_given(runs: Sequence[Run], matching: Matching, key: str) -> list[Any] | None:
    """Return a column that is the same in all runs, in the order of the ids.

    The first run that has it gives it; later runs fill its missing entries.
    """
    entries: list[Any] | None = None
    for run, place in zip(runs, matching.places, strict=True):
        column = getattr(run, key)
        if column is None:
            continue
        own = [column[k] for k in place.tolist()]
        if entries is None:
            entries = own
        elif any(map(is_missing, entries)):
            entries = [y if is_missing(x) else x for x, y in zip(entries, own, strict=True)]
    return entries


def _by_id(groups: Any, examples: Examples) -> list[Any] | None:
    """Return the group of each example, by the caller's mapping or as the runs say.

    Raises
    ------
    InputError
        If `groups` is no mapping, or an example has no group.
    """
    if groups is None:
        return examples.groups
    if not isinstance(groups, Mapping):
        what = "be a dict from the id of each example to its group"
        why = "because examples are matched by id"
        raise InputError(Name("groups"), must=f"{what}, {why}", got=describe(groups))
    column = [groups.get(x) for x in examples.ids]
    _check_groups(column, examples.ids)
    return column


def _check_groups(groups: Sequence[Any] | None, ids: Sequence[Id]) -> None:
    """Raise InputError, with the ids, if an example has no group."""
    if groups is None:
        return
    lacking = [x for x, group in zip(ids, groups, strict=True) if is_missing(group)]
    if lacking:
        remedy = "Give an example without a group one of its own."
        raise InputError(Unmatched("ids have no group", lacking).in_short, remedy=remedy)


def options_of_metric(
    of_metric: Mapping[str, Any] | None, others: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the options of the metric; raise InputError for one among the others."""
    misplaced = [name for name in others if name in metric_options()]
    if misplaced:
        name = misplaced[0]
        written = Setting("metric_options", f"{{{name!r}: {shown(others[name])}}}")
        raise InputError(Name(name), " is an option of the metric", remedy=Parts("write ", written))
    return of_metric or {}
