"""The tasks of a suite: their metrics, groups and weights, read and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

from pairedperm.comparison.compare import OF_A_PAIR
from pairedperm.errors import InputError, Name, Parts, Words, called, describe, first_of, shown
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import OneOf, Options, is_number, read_options
from pairedperm.scoring.groups import read_group_ids
from pairedperm.scoring.metric import Metric, read_metric, split_call

TaskWeights = Literal["equal", "size"] | Mapping[str, Any]
_WEIGHTS = OneOf(
    ("equal", "size"), words="'equal', 'size' or a dict from task to number, such as {'task': 2}"
)


def of_task(name: str, systems: Sequence[str] = ()) -> AbstractContextManager[None]:
    """Name the task, its columns and its systems in errors and warnings."""
    columns = *map(Name, (*COLUMNS, "groups")), *(Name("systems", (x,)) for x in systems)
    return called({x: Parts(x, f" of task {shown(name)}") for x in columns}, f"task {shown(name)}")


def read_call(
    names: Sequence[str], metric: Any, groups: Any, options: Mapping[str, Any]
) -> tuple[Options, dict[str, Metric], dict[str, list[int | str]]]:
    """Read the options of a test of tasks, and the metric and the ids of each task."""
    metric_options, of_test = split_call(options, without=OF_A_PAIR)
    chosen = read_options(**of_test)
    return chosen, _metrics(metric, names, metric_options), _groups(groups, names)


def _metrics(
    metric: Any, names: Sequence[str], metric_options: Mapping[str, Any]
) -> dict[str, Metric]:
    """Read the metric of each task.

    Raises
    ------
    InputError
        If a task has no metric.
    """
    if isinstance(metric, Mapping):
        check_tasks("metric", metric, names, all_of_them=True)
        label = {x: y for x, y in metric_options.items() if x == "ignore_label"}
        of_one = next((x for x in metric_options if x not in label), None)
        if of_one is not None:
            raise InputError(
                *(Name(of_one), " is an option of one metric, but ", Name("metric")),
                " names several",
                remedy="Give objects, such as {'task': F1(average='macro')}",
            )
        return {name: read_metric(metric[name], **label) for name in names}
    return dict.fromkeys(names, read_metric(metric, **metric_options))


def turned_tasks(metrics: Mapping[str, Metric]) -> set[str]:
    """Return the tasks where a lower score is better, unless it is on all.

    Their scores count as negative in the average, so that more of it is better.
    """
    lower = {name for name, metric in metrics.items() if metric.lower_is_better}
    return lower if len(lower) < len(metrics) else set()


def check_average(metrics: Mapping[str, Metric], remedy: Words) -> None:
    """Raise InputError if an average of the tasks' scores means nothing."""
    if why := why_no_average(metrics):
        raise InputError(Name("metric"), f" {why}", remedy=("their average means nothing", remedy))


def why_no_average(metrics: Mapping[str, Metric]) -> str:
    """Say which scores have no unit in common, for their average means nothing; "" if all have."""
    kinds: dict[Any, tuple[str, Metric]] = {}  # the first task of each: two of one are not apart
    for task, metric in metrics.items():
        kind = metric.unit, metric.largest_difference, metric.lower_is_better
        kinds.setdefault(kind, (task, metric))
    for (task1, one), (task2, other) in combinations(kinds.values(), 2):
        if apart := _how_apart(one, other):
            return (
                f"{_name_of(one)} of task {shown(task1)} and {_name_of(other)} of task "
                f"{shown(task2)} differ in their {apart}"
            )
    return ""


def _how_apart(one: Metric, other: Metric) -> str:
    """Say in what two metrics differ that have no unit in common; "" if they may have one.

    Numbers say by their range which unit they have. Where a range is not known, scores and losses
    are not taken for numbers of one unit.
    """
    if one.unit != other.unit:
        return "unit"
    widths = {one.largest_difference, other.largest_difference}
    if one.unit != "number":
        return ""
    if math.inf not in widths:
        return "range" if len(widths) > 1 else ""
    is_lower = one.lower_is_better is not other.lower_is_better
    return "direction, and not both have a known range (score_range)" if is_lower else ""


def _name_of(metric: Metric) -> str:
    """Return the name of a metric, or of what is logged."""
    return shown(metric.options["of"] if metric.options and "of" in metric.options else metric.name)


def _groups(groups: Any, names: Sequence[str]) -> dict[str, list[int | str]]:
    """Read the ids of the examples of the tasks that have groups."""
    if groups is None:
        return {}
    if not isinstance(groups, Mapping):
        raise InputError(Name("groups"), must="be a dict from task to ids", got=describe(groups))
    check_tasks("groups", groups, names)
    ids = {}
    for name, column in groups.items():
        with of_task(name):
            ids[name] = read_group_ids(column)
    return ids


def read_weights(weights: Any, sizes: Mapping[str, int]) -> dict[str, Fraction]:
    """Read the weight of each task; the weights sum to 1."""
    if isinstance(weights, Mapping):
        check_tasks("weights", weights, [*sizes], all_of_them=True)
        of_tasks = {name: _read_weight(name, weights[name]) for name in sizes}
    elif _WEIGHTS.read("weights", weights) == "size":
        of_tasks = {name: Fraction(n) for name, n in sizes.items()}
    else:
        of_tasks = dict.fromkeys(sizes, Fraction(1))
    total = sum(of_tasks.values())
    if not total:
        raise InputError(Name("weights"), " are all 0", remedy="one must be positive")
    return {name: x / total for name, x in of_tasks.items()}


def _read_weight(name: str, value: Any) -> Fraction:
    """Read an integer, a Fraction or a decimal as it is printed."""
    if is_number(value) or isinstance(value, (Fraction, Decimal)):
        with suppress(ValueError):  # infinite or NaN
            weight = Fraction(str(value))
            if weight >= 0:
                return weight
    must = "be a number from 0, such as 2 or 0.25"
    raise InputError(Name("weights", (name,)), must=must, got=describe(value))


def check_tasks(
    argument: str, given: Mapping[Any, Any], names: Sequence[str], *, all_of_them: bool = False
) -> None:
    """Raise InputError if a name is no task, or if a task is missing."""
    known = {*names}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise InputError(
            *(Name(argument), " has ", describe(unknown[0]), ", which is no task"),
            remedy=f"they are {first_of([*map(shown, names)])}",
        )
    missing = [name for name in names if name not in given]
    if all_of_them and missing:
        what, remedy = f" lacks task {shown(missing[0])}", "it must have all tasks"
        raise InputError(Name(argument), what, remedy=remedy)
