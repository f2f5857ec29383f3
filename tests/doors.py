"""The ways in for predictions and references, each called as `compare` is."""

from __future__ import annotations

from typing import Any

from datasets import Dataset

from pairedperm import compare, load
from pairedperm.hf import compare_dataset
from pairedperm.hf.streams import new_stream

NAMES = ("predictions1", "predictions2", "references")


def in_one(*columns: Any, metric: Any = "accuracy", **options: Any) -> Any:
    """All in one go."""
    return compare(**dict(zip(NAMES, columns, strict=True)), metric=metric, **options)


def in_batches(*columns: Any, metric: Any = "accuracy", size: int = 1, **options: Any) -> Any:
    """What compute does with examples that were added some at a time."""
    of_test = {name: options.pop(name) for name in ("test", "rng", "method") if name in options}
    stream = new_stream(metric, **options)
    for start in range(0, len(columns[0]), size):
        part = (column[start : start + size] for column in columns)
        stream.add(dict(zip(NAMES, part, strict=True)), start)
    return stream.test({}, None, **of_test)


def of_module(*columns: Any, metric: Any = "accuracy", size: int = 0, **options: Any) -> Any:
    """What the `evaluate` module finds of all columns, or of batches of this size."""
    of_test = {name: options.pop(name) for name in ("test", "rng", "method") if name in options}
    module = load("paired_perm", metric, **options)
    for start in range(0, len(columns[0]) if size else 0, size or 1):
        part = (column[start : start + size] for column in columns)
        module.add_batch(**dict(zip(NAMES, part, strict=True)))
    rest = {} if size else dict(zip(NAMES, columns, strict=True))
    return module.compute(**rest, **of_test)


def of_dataset(*columns: Any, metric: Any = "accuracy", **options: Any) -> Any:
    """As columns of a dataset."""
    dataset = Dataset.from_dict(dict(zip(NAMES, columns, strict=True)))
    return compare_dataset(dataset, metric=metric, **options)
