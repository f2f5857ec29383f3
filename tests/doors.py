"""The ways in for predictions and references, each called as `compare` is."""

from __future__ import annotations

from functools import partial
from typing import Any

from datasets import Dataset

from pairedperm import compare, load
from pairedperm.hf import SCORES, compare_dataset

NAMES = ("predictions1", "predictions2", "references")
OF_TEST = ("test", "rng", "method", "n_resamples")


def named(columns: Any) -> dict[str, Any]:
    """By name; without references where there are none."""
    return {k: x for k, x in zip(NAMES, columns, strict=True) if x is not None}


def columns_of(columns: Any) -> list[Any]:
    """As files and datasets hold them: lists, also of sets."""

    def plain(entry: Any) -> Any:
        return sorted(entry, key=repr) if isinstance(entry, (set, frozenset)) else entry

    return [None if x is None else [plain(entry) for entry in x] for x in columns]


def in_one(*columns: Any, metric: Any = "accuracy", **options: Any) -> Any:
    """All in one go."""
    return compare(**dict(zip(NAMES, columns, strict=True)), metric=metric, **options)


def of_module(*columns: Any, metric: Any = "accuracy", size: int = 0, **options: Any) -> Any:
    """What the `evaluate` module finds of all columns, or of batches of this size."""
    of_test = {name: options.pop(name) for name in OF_TEST if name in options}
    module = load("paired_perm", metric, **options)
    for start in range(0, len(columns[0]) if size else 0, size or 1):
        part = (x if x is None else x[start : start + size] for x in columns)
        module.add_batch(**named(part))
    rest = {} if size else named(columns)
    return module.compute(**rest, **of_test)


class Told(dict[str, Any]):
    """What a module says, with the names of a result."""

    __hash__ = None

    def __getattr__(self, name: str) -> Any:
        return self[{"pvalue": "p", "statistic": "stat"}.get(name, name)]

    def __eq__(self, other: object) -> bool:
        to_dict: Any = getattr(other, "to_dict", lambda: other)
        return bool(dict(self) == to_dict())

    def to_dict(self) -> dict[str, Any]:
        return dict(self)


def in_batches(*columns: Any, metric: Any = "accuracy", size: int = 1, **options: Any) -> Told:
    """What the module finds of batches; None is for scores."""
    return Told(of_module(*columns, metric=metric or SCORES, size=size, **options))


def of_dataset(
    *columns: Any, metric: Any = "accuracy", is_streamed: bool = False, **options: Any
) -> Any:
    """As columns of a dataset."""
    dataset = Dataset.from_dict(named(columns))
    if columns[2] is None:
        options["references"] = None
    source = dataset.to_iterable_dataset() if is_streamed else dataset
    return compare_dataset(source, metric=metric, **options)


def _dict(door: Any, *columns: Any, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = door(*columns, **options).to_dict()
    return found


DOORS = (
    partial(_dict, in_one),
    of_module,
    partial(of_module, size=1),
    partial(of_module, size=7),
    partial(_dict, of_dataset),
    partial(_dict, of_dataset, is_streamed=True),
)
