"""The arguments of `compare_suite` for its tasks: metrics, groups and weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, called, describe, first_of, shown
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options.constraints import OneOf, is_number
from pairedperm.scoring.groups import read_group_ids
from pairedperm.scoring.metric import Metric, read_metric

_WEIGHTS = OneOf(
    ("equal", "size"), words="'equal', 'size' or a dict from task to number, such as {'task': 2}"
)


def words_of(name: str) -> dict[str, Parts]:
    """Return the names of a task's columns in messages."""
    return {x: Parts(Name(x), f" of task {shown(name)}") for x in (*COLUMNS, "groups")}


def read_metrics(
    metric: Any, names: Sequence[str], metric_options: Mapping[str, Any]
) -> dict[str, Metric]:
    """Read the metric of each task.

    Raises
    ------
    InputError
        If a task has no metric, or if the metrics have different units or directions.
    """
    if isinstance(metric, Mapping):
        _check_tasks("metric", metric, names, all_of_them=True)
        label = {x: y for x, y in metric_options.items() if x == "ignore_label"}
        unmeant = [x for x in metric_options if x not in label]
        if unmeant:
            raise InputError(
                *(Name(unmeant[0]), " is an option of one metric, but ", Name("metric")),
                " names several",
                remedy="Give objects, such as {'task': F1(average='macro')}",
            )
        found = {name: read_metric(metric[name], **label) for name in names}
    else:
        found = dict.fromkeys(names, read_metric(metric, **metric_options))
    first, *others = found.items()
    for name, other in others:
        for what, one, two in (
            ("unit", first[1].unit, other.unit),
            ("direction", first[1].lower_is_better, other.lower_is_better),
        ):
            if one != two:
                raise InputError(
                    Name("metric"),
                    f" {first[1].name!r} of task {shown(first[0])} and {other.name!r} of task "
                    f"{shown(name)} differ in their {what}",
                    remedy=("their average means nothing", "Compare these tasks apart"),
                )
    return found


def read_task_groups(groups: Any, names: Sequence[str]) -> dict[str, list[int | str]]:
    """Read the ids of the examples, for the tasks that have groups.

    Raises
    ------
    InputError
        If `groups` is no dict of ids, or names an unknown task.
    """
    if groups is None:
        return {}
    if not isinstance(groups, Mapping):
        raise InputError(Name("groups"), must="be a dict from task to ids", got=describe(groups))
    _check_tasks("groups", groups, names)
    found = {}
    for name, given in groups.items():
        with called(words_of(name)):
            found[name] = read_group_ids(given)
    return found


def read_weights(weights: Any, sizes: Mapping[str, int]) -> dict[str, Fraction]:
    """Read the weight of each task; the weights sum to 1.

    Raises
    ------
    InputError
        If a weight is missing, negative or no number, or if all are 0.
    """
    if isinstance(weights, Mapping):
        _check_tasks("weights", weights, [*sizes], all_of_them=True)
        found = {name: _weight(name, weights[name]) for name in sizes}
    elif _WEIGHTS.read("weights", weights) == "size":
        found = {name: Fraction(n) for name, n in sizes.items()}
    else:
        found = dict.fromkeys(sizes, Fraction(1))
    total = sum(found.values())
    if not total:
        raise InputError(Name("weights"), " are all 0", remedy="one must be positive")
    return {name: x / total for name, x in found.items()}


def _weight(name: str, value: Any) -> Fraction:
    """Read an integer, a Fraction or a decimal as it is printed."""
    try:
        is_one = is_number(value) or isinstance(value, (Fraction, Decimal))
        found = Fraction(str(value)) if is_one else Fraction(-1)
    except ValueError:  # infinite or NaN
        found = Fraction(-1)
    if found < 0:
        must = "be a number from 0, such as 2 or 0.25"
        raise InputError(Name("weights", (name,)), must=must, got=describe(value))
    return found


def _check_tasks(
    argument: str, given: Mapping[Any, Any], names: Sequence[str], *, all_of_them: bool = False
) -> None:
    """Raise InputError if a name is no task, or if a task is missing."""
    for name in given:
        if name not in names:
            raise InputError(
                *(Name(argument), " has ", describe(name), ", which is no task"),
                remedy=f"they are {first_of([*map(shown, names)])}",
            )
    missing = [name for name in names if name not in given]
    if all_of_them and missing:
        what, remedy = f" lacks task {shown(missing[0])}", "it must have all tasks"
        raise InputError(Name(argument), what, remedy=remedy)
