"""The base of our `evaluate` comparison modules: how columns reach the test."""

from __future__ import annotations

from typing import Any

import evaluate

from pairedperm.contributions import METRICS
from pairedperm.errors import InputError
from pairedperm.labels import Labels, check_comparable, check_joinable, join, read_labels

__all__ = ["PairedComparison"]

_COLUMNS = ("predictions1", "predictions2", "references")


class PairedComparison(evaluate.Comparison):
    """A comparison that takes its columns as they are.

    `evaluate` itself writes every column to disk and reads it back, which takes seconds for a
    million labels, a minute for a dataset column, and converts what does not fit the first
    row: 0.5 to 0, "01" to 1. Here the columns are checked and kept in memory, unless several
    processes work together: then evaluate's files gather the checked columns.

    Subclasses give `_info` and `_compute`.
    """

    def __init__(self, config_name: str | None = None, **kwargs: Any) -> None:
        if config_name not in (None, "default", *METRICS):
            raise InputError(
                f"unknown configuration {config_name!r}: it names the metric, one of "
                f"{', '.join(map(repr, METRICS))}."
            )
        self.default_metric = config_name if config_name in METRICS else "accuracy"
        self._forget()
        super().__init__(config_name=config_name, **kwargs)

    def __len__(self) -> int:
        """Number of examples added so far."""
        if self.num_process > 1:
            return int(super().__len__())
        return sum(batch["references"].n for batch in self._batches)

    def add_batch(self, **columns: Any) -> None:
        """Add a batch of examples: all columns of it, of the same length.

        A batch that cannot be used raises InputError and is not added.
        """
        batch = self._read(columns)
        if self.num_process > 1:
            super().add_batch(**{name: labels.to_list() for name, labels in batch.items()})
        else:
            self._batches.append({name: labels.copy() for name, labels in batch.items()})
            for name, labels in self._batches[-1].items():
                if name not in self._first or self._first[name].kind is None:
                    self._first[name] = labels

    def add(self, **example: Any) -> None:
        """Add one example: one label, or one sequence of labels, for each column."""
        self.add_batch(**{name: None if x is None else [x] for name, x in example.items()})

    def compute(self, **kwargs: Any) -> dict[str, Any] | None:
        """Compare the two systems on all examples added, and on those given here.

        If it fails, the examples that were added before stay; those given here do not.
        """
        given = {name: kwargs.pop(name) for name in (*_COLUMNS, "predictions") if name in kwargs}
        given = {name: column for name, column in given.items() if column is not None}
        if self.num_process > 1:
            if given:
                self.add_batch(**given)
            result: dict[str, Any] | None = super().compute(**kwargs)
            return result
        batches = [*self._batches, self._read(given)] if given else self._batches
        if not batches:
            raise InputError(
                f"there is nothing to compare: pass {', '.join(_COLUMNS)} to compute, or add "
                "examples with add_batch first."
            )
        result = self._compute(
            **{name: join([batch[name] for batch in batches]) for name in _COLUMNS}, **kwargs
        )
        self._forget()
        return result

    def _forget(self) -> None:
        self._batches: list[dict[str, Labels]] = []
        self._first: dict[str, Labels] = {}  # what further batches must be like

    def _read(self, columns: dict[str, Any]) -> dict[str, Labels]:
        """The columns as checked labels, of the same form as those added before."""
        unknown = [name for name in columns if name not in _COLUMNS]
        if unknown:
            raise InputError(
                f"unknown column {', '.join(map(repr, unknown))}: the columns are "
                f"{', '.join(_COLUMNS)}."
            )
        batch = {name: read_labels(name, columns.get(name)) for name in _COLUMNS}
        for name in _COLUMNS[:2]:
            check_comparable(batch[name], batch["references"])
        for name, first in self._first.items():
            check_joinable(first, batch[name])
        return batch
