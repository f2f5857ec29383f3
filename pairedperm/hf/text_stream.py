"""Texts of examples that arrive in batches, counted under one metric."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from pairedperm.errors import InputError
from pairedperm.hf.streaming import Stream
from pairedperm.options import Options, read_options
from pairedperm.scoring.metric import Metric, read_metric, split_options
from pairedperm.scoring.waist import NOTHING, Rows, added


class TextStream(Stream):
    """Transcripts, or answers, and their references, counted under a metric of texts."""

    def __init__(self, metric: str, **options: Any) -> None:
        self._spec = read_metric(metric, **options)
        self._rows = NOTHING

    def __len__(self) -> int:
        """Number of examples added."""
        return self._rows.n

    def read_options(self, metric: str | None, **options: Any) -> tuple[Metric, Options]:
        """The metric and the options of the test."""
        of_metric, of_test = split_options(options)
        given = {name: x for name, x in of_metric.items() if x is not None}
        spec = read_metric(self._spec.name if metric is None else metric, **given)
        if spec != self._spec:
            raise InputError(
                f"`metric` must be {self._spec.name!r}, which was named when loading, got "
                f"{metric!r}. Load another module: evaluate.load(…, {metric!r})."
            )
        return spec, read_options(**of_test)

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch and add it."""
        found = [columns.get(name) for name in self.columns]
        self._rows = added([self._rows, self._spec.rows(*self._spec.read(found, start))])

    def rows(self, columns: Mapping[str, Any], spec: Metric) -> Rows:
        """Of all examples added and those in `columns`."""
        whole = copy(self)
        if columns:
            whole.add(columns)
        return whole._rows
