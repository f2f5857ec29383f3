"""Texts of examples that arrive in batches, counted under one metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pairedperm.comparison.compare import TESTS
from pairedperm.errors import InputError
from pairedperm.hf.streaming import rows_as_json, rows_from_json
from pairedperm.options import Options, read_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring.merging import NOTHING, added
from pairedperm.scoring.metric import Metric, read_metric, split_options
from pairedperm.scoring.waist import Rows

__all__ = ["TextStream"]


class TextStream:
    """Transcripts, or answers, and their references, counted under a metric of texts."""

    columns = ("predictions1", "predictions2", "references")

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
        self._rows = added([self._rows, self._read(columns, start)])

    def test(self, columns: Mapping[str, Any], metric: str | None, **options: Any) -> PairedResult:
        """Test all examples added and those in `columns`."""
        spec, of_test = self.read_options(metric, **options)
        parts = [self._rows, *([self._read(columns)] if columns else [])]
        rows = added(parts)
        return TESTS[of_test.test](rows, spec.checked_score(rows), spec, of_test)

    def state(self, metric: str | None, **options: Any) -> dict[str, Any]:
        """All examples added, counted, as JSON takes it."""
        return rows_as_json(self._rows)

    def test_states(
        self, states: Sequence[Mapping[str, Any]], metric: str | None, **options: Any
    ) -> PairedResult:
        """Test the examples of several streams together."""
        spec, of_test = self.read_options(metric, **options)
        rows = added([*map(rows_from_json, states)])
        return TESTS[of_test.test](rows, spec.checked_score(rows), spec, of_test)

    def _read(self, columns: Mapping[str, Any], start: int = 0) -> Rows:
        found = [columns.get(name) for name in self.columns]
        return self._spec.rows(*self._spec.read(found, start))
