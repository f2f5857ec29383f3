"""The base of our `evaluate` comparison modules: how columns reach the test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import evaluate

from pairedperm.compare import compare
from pairedperm.contributions import METRICS
from pairedperm.errors import InputError
from pairedperm.labels import Labels, check_alike, check_comparable, join, read_labels
from pairedperm.permutation import check_option, check_options

__all__ = ["PairedComparison"]

_COLUMNS = ("predictions1", "predictions2", "references")


class PairedComparison(evaluate.Comparison):
    """A comparison that takes its columns as they are.

    `evaluate` itself writes every column to disk and reads it back, which takes seconds for a
    million labels, a minute for a dataset column, and converts what does not fit the first
    row: 0.5 to 0, "01" to 1. Here the columns are checked and kept in memory, unless several
    processes work together: then evaluate's files gather the checked columns.

    Subclasses give `_info`.
    """

    def __init__(self, config_name: str | None = None, **kwargs: Any) -> None:
        if config_name not in (None, "default", *METRICS):
            raise InputError(
                f"unknown configuration {config_name!r}: it names the metric, one of "
                f"{', '.join(map(repr, METRICS))}."
            )
        self.default_metric = config_name if config_name in METRICS else "accuracy"
        self.reset()
        super().__init__(config_name=config_name, **kwargs)

    def reset(self) -> None:
        """Discard the examples that were added.

        With several processes they are in evaluate's files already, and stay there.
        """
        self._batches: list[dict[str, Labels]] = []
        self._first: Labels | None = None  # what further batches must be like

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
            batch = {name: labels.copy() for name, labels in batch.items()}
            self._batches.append(batch)
        if self._first is None or self._first.kind is None:
            first = next((x for x in batch.values() if x.kind), batch["references"])
            self._first = replace(first, name=f"{first.name} of an earlier batch")

    def add(self, **example: Any) -> None:
        """Add one example: one label, or one sequence of labels, for each column."""
        self.add_batch(**{name: None if x is None else [x] for name, x in example.items()})

    def compute(
        self,
        *,
        predictions1: Any = None,
        predictions2: Any = None,
        references: Any = None,
        metric: str | None = None,
        alternative: str = "two-sided",
        method: str = "auto",
        predictions: None = None,
    ) -> dict[str, Any] | None:
        """Compare the two systems on all examples added, and on those given here.

        If it fails, the examples that were added before stay (`reset` discards them); those
        given here do not. `predictions` is there for `evaluate.combine`, which always passes it.
        """
        metric = self.default_metric if metric is None else metric
        check_option("metric", metric, tuple(METRICS))  # before anything is read or gathered
        check_options(alternative, method)
        options = {"metric": metric, "alternative": alternative, "method": method}
        given = {"predictions1": predictions1, "predictions2": predictions2}
        given |= {"references": references, "predictions": predictions}
        given = {name: column for name, column in given.items() if column is not None}
        if self.num_process > 1:
            if given:
                self.add_batch(**given)
            self.reset()
            gathered: dict[str, Any] | None = super().compute(**options)
            return gathered
        batches = [*self._batches, self._read(given)] if given else self._batches
        if not batches:
            raise InputError(
                f"there is nothing to compare: pass {', '.join(_COLUMNS)} to compute, or add "
                "examples with add_batch first."
            )
        try:
            result = self._compute(
                **{name: join([batch[name] for batch in batches]) for name in _COLUMNS}, **options
            )
        except InputError as error:
            if not self._batches:
                raise
            raise InputError(
                f"{error} (Examples added before, {len(self):,}, are kept: reset() discards them.)"
            ) from error
        self.reset()
        return result

    def _compute(
        self, *, predictions1: Any, predictions2: Any, references: Any, **options: Any
    ) -> dict[str, Any]:
        return compare(predictions1, predictions2, references, **options).to_dict()

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
        check_alike(batch["predictions1"], batch["predictions2"])  # references may have no kind
        if self._first is not None:
            for labels in batch.values():
                check_alike(labels, self._first)
        return batch
