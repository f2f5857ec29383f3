"""Texts of examples that arrive in batches, counted under one metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pairedperm.comparison.corpus import compare_contributions
from pairedperm.errors import InputError
from pairedperm.hf.streaming import tally_as_json, tally_from_json
from pairedperm.options import Options, read_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring.metric import MetricSpec, read_metric, split_options
from pairedperm.scoring.tally import NOTHING, Tally, added
from pairedperm.scoring.text_counts import COLUMNS, count_texts

__all__ = ["TextStream"]


class TextStream:
    """Transcripts, or answers, and their references, counted under a metric of texts."""

    columns = COLUMNS

    def __init__(self, metric: str, **options: Any) -> None:
        self._spec = read_metric(metric, **options)
        self._tally = NOTHING

    def __len__(self) -> int:
        """Number of examples added."""
        return self._tally.counts.n

    def read_options(self, metric: str | None, **options: Any) -> tuple[MetricSpec, Options]:
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
        self._tally = added([self._tally, count_texts(self._spec, columns, start)])

    def test(self, columns: Mapping[str, Any], metric: str | None, **options: Any) -> PairedResult:
        """Test all examples added and those in `columns`."""
        spec, of_test = self.read_options(metric, **options)
        parts = [self._tally, *([count_texts(spec, columns)] if columns else [])]
        return compare_contributions(added(parts), spec, of_test)

    def state(self, metric: str | None, **options: Any) -> dict[str, Any]:
        """All examples added, counted, as JSON takes it."""
        return tally_as_json(self._tally)

    def test_states(
        self, states: Sequence[Mapping[str, Any]], metric: str | None, **options: Any
    ) -> PairedResult:
        """Test the examples of several streams together."""
        spec, of_test = self.read_options(metric, **options)
        tally: Tally = added([tally_from_json(state) for state in states])
        return compare_contributions(tally, spec, of_test)
