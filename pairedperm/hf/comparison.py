"""The base of our `evaluate` comparison modules: how columns reach the test."""

from __future__ import annotations

from typing import Any

import evaluate

from pairedperm.contributions import METRICS
from pairedperm.errors import InputError
from pairedperm.options import MAX_BYTES, MAX_FREQUENCIES
from pairedperm.streaming import LabelStream, ScoreStream, Stream

__all__ = ["SCORES", "PairedComparison"]

SCORES = "scores"  # the configuration for numbers; the others name a metric


class PairedComparison(evaluate.Comparison):
    """A comparison that takes its columns as they are.

    `evaluate` itself writes every column to disk and reads it back, which takes seconds for a
    million labels, a minute for a dataset column, and converts what does not fit the first
    row: 0.5 to 0, "01" to 1. Here the columns are checked and counted, so that memory does not
    grow with their number, unless several processes work together: then evaluate's files gather
    the checked columns.

    Subclasses give `_info`.
    """

    def __init__(self, config_name: str | None = None, **kwargs: Any) -> None:
        if config_name not in (None, "default", SCORES, *METRICS):
            raise InputError(
                f"unknown configuration {config_name!r}: it is {SCORES!r} for numbers, or names "
                f"the metric, one of {', '.join(map(repr, METRICS))}."
            )
        self._configuration = "accuracy" if config_name in (None, "default") else config_name
        self.reset()
        super().__init__(config_name=config_name, **kwargs)

    def reset(self) -> None:
        """Discard the examples that were added.

        With several processes they are in evaluate's files already, and stay there.
        """
        is_scores = self._configuration == SCORES
        self._stream: Stream = ScoreStream() if is_scores else LabelStream(self._configuration)

    def __len__(self) -> int:
        """Number of examples added so far."""
        return int(super().__len__()) if self.num_process > 1 else len(self._stream)

    def add_batch(self, **columns: Any) -> None:
        """Add a batch of examples: all columns of it, of the same length.

        A batch that cannot be used raises InputError and is not added.
        """
        self._check_names(columns)
        if self.num_process > 1:
            super().add_batch(**self._stream.checked(columns))
        else:
            self._stream.add(columns)

    def add(self, **example: Any) -> None:
        """Add one example: one label, sequence of labels or score, for each column."""
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
        max_frequencies: int = MAX_FREQUENCIES,
        max_bytes: int = MAX_BYTES,
        predictions: None = None,
    ) -> dict[str, Any] | None:
        """Compare the two systems on all examples added, and on those given here.

        If it fails, the examples that were added before stay (`reset` discards them); those
        given here do not. `predictions` is there for `evaluate.combine`, which always passes it.
        """
        options: dict[str, Any] = {"metric": metric, "alternative": alternative, "method": method}
        options |= {"max_frequencies": max_frequencies, "max_bytes": max_bytes}
        self._stream.check_options(**options)  # before anything is read or gathered
        given: dict[str, Any] = {"predictions1": predictions1, "predictions2": predictions2}
        given |= {"references": references, "predictions": predictions}
        given = {name: column for name, column in given.items() if column is not None}
        self._check_names(given)
        if self.num_process > 1:
            if given:
                self.add_batch(**given)
            self.reset()
            gathered: dict[str, Any] | None = super().compute(**options)
            return gathered
        if not given and not len(self._stream):
            raise InputError(
                f"there is nothing to compare: pass {', '.join(self._stream.columns)} to compute, "
                "or add examples with add_batch first."
            )
        try:
            result = self._stream.test(given, **options).to_dict()
        except InputError as error:
            if not len(self):
                raise
            raise InputError(
                f"{error} (Examples added before, {len(self):,}, are kept: reset() discards them.)"
            ) from error
        self.reset()
        return result

    def _compute(
        self, *, predictions1: Any, predictions2: Any, references: Any = None, **options: Any
    ) -> dict[str, Any]:
        """What evaluate calls with the columns that it has gathered from all processes."""
        columns = {"predictions1": predictions1, "predictions2": predictions2}
        columns |= {"references": references}
        return self._stream.test(columns, **options).to_dict()

    def _check_names(self, columns: dict[str, Any]) -> None:
        unknown = [name for name in columns if name not in self._stream.columns]
        if unknown:
            raise InputError(
                f"unknown column {', '.join(map(repr, unknown))}: the columns are "
                f"{', '.join(self._stream.columns)}."
            )
