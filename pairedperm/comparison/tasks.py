"""The tasks of a suite: their metrics, groups and weights, read and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, called, describe, first_of, shown
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options.constraints import OneOf, is_number
from pairedperm.scoring.groups import read_group_ids
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

TaskWeights = Literal["equal", "size"] | Mapping[str, Any]
_WEIGHTS = OneOf(
    ("equal", "size"), words="'equal', 'size' or a dict from task to number, such as {'task': 2}"
)


class ReadTask(NamedTuple):
    """A task with a row for each example, in their order."""

    name: str
    metric: Metric
    rows: Rows
    score: Score

    def tested(self) -> tuple[Rows, Score]:
        """Return what a test takes."""
        return self.rows, self.score


def of_task(name: str) -> AbstractContextManager[None]:
    """Name the task, and its columns, in errors and warnings."""
    of_this = f" of task {shown(name)}"
    return called({x: Parts(Name(x), of_this) for x in (*COLUMNS, "groups")}, f"task {shown(name)}")


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
        of_one = next((x for x in metric_options if x not in label), None)
        if of_one is not None:
            raise InputError(
                *(Name(of_one), " is an option of one metric, but ", Name("metric")),
                " names several",
                remedy="Give objects, such as {'task': F1(average='macro')}",
            )
        metrics = {name: read_metric(metric[name], **label) for name in names}
    else:
        metrics = dict.fromkeys(names, read_metric(metric, **metric_options))
    (name1, one), *others = metrics.items()
    for name, other in others:
        is_unit = one.unit != other.unit
        if is_unit or one.lower_is_better != other.lower_is_better:
            raise InputError(
                Name("metric"),
                f" {one.name!r} of task {shown(name1)} and {other.name!r} of task {shown(name)} "
                f"differ in their {'unit' if is_unit else 'direction'}",
                remedy=("their average means nothing", "Compare these tasks apart"),
            )
    return metrics


def read_task_groups(groups: Any, names: Sequence[str]) -> dict[str, list[int | str]]:
    """Read the ids of the examples of the tasks that have groups."""
    if groups is None:
        return {}
    if not isinstance(groups, Mapping):
        raise InputError(Name("groups"), must="be a dict from task to ids", got=describe(groups))
    _check_tasks("groups", groups, names)
    ids = {}
    for name, column in groups.items():
        with of_task(name):
            ids[name] = read_group_ids(column)
    return ids


def read_weights(weights: Any, sizes: Mapping[str, int]) -> dict[str, Fraction]:
    """Read the weight of each task; the weights sum to 1."""
    if isinstance(weights, Mapping):
        _check_tasks("weights", weights, [*sizes], all_of_them=True)
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


def _check_tasks(
    argument: str, given: Mapping[Any, Any], names: Sequence[str], *, all_of_them: bool = False
) -> None:
    """Raise InputError if a name is no task, or if a task is missing."""
    unknown = [name for name in given if name not in names]
    if unknown:
        raise InputError(
            *(Name(argument), " has ", describe(unknown[0]), ", which is no task"),
            remedy=f"they are {first_of([*map(shown, names)])}",
        )
    missing = [name for name in names if name not in given]
    if all_of_them and missing:
        what, remedy = f" lacks task {shown(missing[0])}", "it must have all tasks"
        raise InputError(Name(argument), what, remedy=remedy)
