"""Count labels that arrive in batches, under the metrics that may be asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name
from pairedperm.hf.accumulator import BATCHES, Accumulator
from pairedperm.hf.metric_of_call import loading
from pairedperm.inputs.labels import (
    COLUMNS,
    Labels,
    check_alike,
    check_comparable,
    read_columns,
    read_labels,
)
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.label_counts import numbered
from pairedperm.scoring.merging import NOTHING, merged
from pairedperm.scoring.metric import METRICS, Metric, given_label
from pairedperm.scoring.metric_errors import as_arguments
from pairedperm.scoring.rows import Rows

HELD = 2**12  # tuned: labels of a column held in memory before they are counted
_FORMS = (
    "some are strings, some integers",
    "some are single, some in sequences",
    "some are in an indicator matrix, some in none or in one with other columns",
)


class LabelAccumulator(Accumulator):
    """The labels of several batches, counted under one or several metrics.

    Parameters
    ----------
    metric : Metric
        The metric that is used if none is named later.
    is_of_module : bool
        Whether plain metrics may be named later, with the same `ignore_label`.
    """

    _metric: Metric

    def __init__(self, metric: Metric, *, is_of_module: bool = False) -> None:
        super().__init__(metric)
        self._specs = [metric]
        if is_of_module and not metric.has_sets:
            plain = (kind for kind in METRICS.values() if kind.is_plain)
            ignored = given_label(metric.ignored)
            self._specs += [kind(**ignored) for kind in plain if kind.name != metric.name]
        self._held: list[dict[str, Labels]] = []
        self._n_labels = 0  # in the batches held
        self._contributed: list[Rows] = []  # rows of the batches held, if a check needed them
        self._tallies: dict[Metric, Rows | InputError] = {}
        self._n = 0
        self._has_matrix = False  # whether a matrix was read as sequences
        self._first: Labels | None = None  # what further batches must be like

    def __len__(self) -> int:
        """Number of examples added."""
        return self._n

    def check(self, metric: Metric | None) -> None:
        """Raise InputError if the metric takes sets, and a matrix was read as sequences before."""
        if self._has_matrix and metric and metric.has_sets and not self._metric.has_sets:
            what = ": a matrix was added, and was read as sequences of labels rather than as "
            first = f"Name the metric when loading: {loading(metric)}"
            raise InputError(Name("multilabel"), what, "indicators", remedy=first)

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch against those before, and add it."""
        batch = self._read(columns, start, sets=self._metric.has_sets)
        if not self._metric.is_plain:  # a plain metric may give way to another later
            self._contributed.append(_contributed(self._metric, [batch]).counted())
        else:
            batch["references"].ignored(self._metric.ignored)  # refuses single labels at once
        self._remember(batch)
        self._has_matrix |= any(getattr(x, "ndim", 1) == 2 for x in columns.values())
        self._held.append(self._numbered(batch))
        self._n += batch["references"].n
        n_labels = max(len(labels.flat) for labels in batch.values())
        self._n_labels += max(n_labels, batch["references"].n)
        if self._n_labels >= HELD or len(self._held) >= BATCHES:
            self._tallies = {spec: self._tally(spec, self._held) for spec in self._specs}
            self._held, self._n_labels, self._contributed = [], 0, []
        else:
            self._held[-1] = {
                name: replace(x, flat=x.flat.copy()) for name, x in self._held[-1].items()
            }

    def rows(self, columns: Mapping[str, Any], spec: Metric | None) -> Rows:
        """Return the rows of all examples added and those in `columns`, under the metric."""
        assert spec is not None
        if columns and not len(self):
            return self.alone(columns, spec, None)
        batches = self._held
        if columns:
            batch = self._read(columns, sets=spec.has_sets)
            _contributed(spec, [batch])  # so that errors count the batch's rows from 0
            batches = [*batches, self._numbered(batch)]
        if batches and not self._tallies:
            return _contributed(spec, batches)
        if self._tallies and spec not in self._tallies:
            counted = ", ".join(map(_spelled, self._specs))
            what = f"the examples added have been counted for {counted}, not for {_spelled(spec)}"
            first = f"Name the metric and its options when loading, {loading(spec)}"
            raise InputError(what, remedy=f"{first}, or pass all columns to compute")
        tally = self._tally(spec, batches)
        if isinstance(tally, InputError):
            raise tally
        return tally

    def state(self, metric: Metric | None = None) -> dict[str, Any]:
        """Return the counts of all examples added, ready for JSON."""
        first = self._first
        form = None if first is None else [first.kind, first.lengths is not None, repr(first.every)]
        rows = self.rows({}, metric or self._metric)
        return {"form": form, "counts": PairedCounts.of(rows).to_dict()}

    def joined(self, states: Sequence[Mapping[str, Any]]) -> Rows:
        """Add the rows of several processes' states, whose labels must have the same form."""
        forms = [state["form"] for state in states if state["form"]]
        for place, what in enumerate(_FORMS):
            found = {form[place] for form in forms if form[place] is not None}
            if len(found) > 1:
                same = "Give all in the same form and type"
                raise InputError(f"the processes' labels differ: {what}", remedy=same)
        return merged([PairedCounts.from_dict(state["counts"]) for state in states])

    def _tally(self, spec: Metric, batches: list[dict[str, Labels]]) -> Rows | InputError:
        """Add these batches to the metric's tally, and return it, or the error it met."""
        before = self._tallies.get(spec, NOTHING)
        if isinstance(before, InputError) or not batches:
            return before
        if spec == self._metric and self._contributed and batches is self._held:
            return merged([before, *self._contributed])
        try:
            return merged([before, _contributed(spec, batches).counted()])
        except InputError as error:
            return error

    def _read(
        self, columns: Mapping[str, Any], start: int = 0, *, sets: bool = False
    ) -> dict[str, Labels]:
        """Read and check the columns, whose form must be that of the labels added before."""
        given = [columns.get(name) for name in self.columns]
        found = read_columns(read_labels, given, start, sets=sets)
        batch = dict(zip(self.columns, found, strict=True))
        for name in self.columns[:2]:
            check_comparable(batch[name], batch["references"])
        check_alike(batch["predictions1"], batch["predictions2"])  # references may all be empty
        if self._first is not None:
            for labels in batch.values():
                check_alike(labels, self._first)
        return batch

    def _numbered(self, batch: Mapping[str, Labels]) -> dict[str, Labels]:
        """Return the batch with its examples numbered on from those added before."""
        return {name: replace(labels, start=len(self)) for name, labels in batch.items()}

    def _remember(self, batch: Mapping[str, Labels]) -> None:
        if self._first is None or self._first.kind is None:
            first = next((x for x in batch.values() if x.kind), batch["references"])
            lengths = None if first.lengths is None else first.lengths[:0]
            name = f"{first.name} of an earlier batch"
            self._first = replace(first, name=name, flat=first.flat[:1].copy(), lengths=lengths)


def new_accumulator(metric: Metric | None, *, is_of_module: bool = False) -> Accumulator:
    """Return what takes the columns of a metric; None is for scores, without references."""
    if metric is None or not metric.is_of_labels:
        return Accumulator(metric)
    return LabelAccumulator(metric, is_of_module=is_of_module)


def _spelled(spec: Metric) -> str:
    return f"{spec.name!r} ({as_arguments(spec.options)})" if spec.options else repr(spec.name)


def _contributed(spec: Metric, batches: list[dict[str, Labels]]) -> Rows:
    """Return the rows that the examples of all the batches contribute to the metric."""
    columns = (_join([batch[name] for batch in batches]) for name in COLUMNS)
    return spec.rows(*columns)


def _join(parts: Sequence[Labels]) -> Labels:
    """Join the batches of one column, which must be alike (`check_alike`)."""
    if len(parts) == 1:
        return parts[0]
    if any(part.names is not None for part in parts):  # each part numbers labels in its own way
        parts = numbered(parts)
    some = [part for part in parts if part.kind] or [parts[0]]
    flat: NDArray[np.int64] | list[Any]
    if isinstance(some[0].flat, list):
        flat = list(chain.from_iterable(part.flat for part in some))
    else:
        flat = np.concatenate([part.flat for part in some])
    lengths = None
    if parts[0].lengths is not None:
        lengths = np.concatenate([part.lengths for part in parts])
    n_ignored = sum(part.n_ignored for part in parts)
    return replace(parts[0], flat=flat, kind=some[0].kind, lengths=lengths, n_ignored=n_ignored)
