"""Examples that arrive in batches, kept as counts: memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from pairedperm.compare import compare
from pairedperm.contributions import METRICS, check_denominator
from pairedperm.counts import PairedCounts, count_pairs, merged, of_units
from pairedperm.differences import DifferenceCounts
from pairedperm.errors import InputError
from pairedperm.labels import Labels, check_alike, join, read_labels
from pairedperm.matching import check_comparable
from pairedperm.options import check_option, read_options
from pairedperm.permutation import paired_permutation_test
from pairedperm.result import PairedPermutationResult
from pairedperm.sign_flip import sign_flip_test

__all__ = ["LabelStream", "ScoreStream", "Stream"]

_HELD = 2**12  # labels a column that are held before they are counted: the memory that is needed
_BATCHES = 2**12  # and batches


class Stream(Protocol):
    """What an `evaluate` comparison does with its columns."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names."""

    def __len__(self) -> int:
        """Number of examples added."""

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch against those before and add it.

        `start` is the number of its first example in error messages.
        """

    def check_options(self, metric: str | None, **options: Any) -> None:
        """Raise InputError for an option that `test` would not take."""

    def test(
        self, columns: Mapping[str, Any], metric: str | None, **options: Any
    ) -> PairedPermutationResult:
        """Test all examples added and those in `columns`, which are not added."""

    def state(self, metric: str | None) -> dict[str, Any]:
        """All examples added, counted, as JSON takes it."""

    def test_states(
        self, states: Sequence[Mapping[str, Any]], metric: str | None, **options: Any
    ) -> PairedPermutationResult:
        """Test the examples of several streams together."""


class _Tally(NamedTuple):
    """A metric's contributions so far."""

    counts: PairedCounts
    denominator: int


_NOTHING = _Tally(PairedCounts.from_rows([], []), 0)
_FORMS = ("some are strings, some integers", "some are single, some in sequences")


class LabelStream:
    """Predictions and references, counted under every metric that needs no options."""

    columns = ("predictions1", "predictions2", "references")

    def __init__(self, metric: str) -> None:
        self._metric = metric
        self._held: list[dict[str, Labels]] = []
        self._n_held = 0  # examples in them
        self._n_labels = 0  # labels in them
        self._tallies: dict[str, _Tally | InputError] = {}
        self._n_counted = 0
        self._first: Labels | None = None  # what further batches must be like

    def __len__(self) -> int:
        """Number of examples added."""
        return self._n_counted + self._n_held

    def check_options(self, metric: str | None, **options: Any) -> None:
        """Raise InputError for an unknown option."""
        check_option("metric", self._metric if metric is None else metric, tuple(METRICS))
        read_options(**options)

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch against those before and add it."""
        batch = self._read(columns, start)
        self._remember(batch)
        self._held.append(self._numbered(batch))
        self._n_held += batch["references"].n
        self._n_labels += max(len(labels.flat) for labels in batch.values())
        if self._n_labels >= _HELD or len(self._held) >= _BATCHES:
            joined = _joined(self._held)
            self._tallies = {metric: self._tally(metric, joined) for metric in METRICS}
            self._n_counted += self._n_held
            self._held, self._n_held, self._n_labels = [], 0, 0
        else:
            self._held[-1] = {name: labels.copy() for name, labels in self._held[-1].items()}

    def test(
        self, columns: Mapping[str, Any], metric: str | None, **options: Any
    ) -> PairedPermutationResult:
        """Test all examples added and those in `columns`."""
        metric = self._metric if metric is None else metric
        batches = [*self._held, self._numbered(self._read(columns))] if columns else self._held
        if not self._tallies:
            labels: dict[str, Any] = dict(_joined(batches))
            return compare(**labels, **{"metric": metric, **options})
        return _tested(self._total(metric, batches), metric, options)

    def state(self, metric: str | None) -> dict[str, Any]:
        """All examples added, counted, as JSON takes it."""
        tally = self._total(self._metric if metric is None else metric, self._held)
        first = self._first
        form = None if first is None else [first.kind, first.lengths is not None]
        counts = _as_json(tally.counts)
        return {"form": form, "counts": counts, "denominator": tally.denominator}

    def test_states(
        self, states: Sequence[Mapping[str, Any]], metric: str | None, **options: Any
    ) -> PairedPermutationResult:
        """Test the examples of several streams together."""
        forms = [state["form"] for state in states if state["form"]]
        for place, what in enumerate(_FORMS):
            found = {form[place] for form in forms if form[place] is not None}
            if len(found) > 1:
                raise InputError(
                    f"the processes' labels differ: {what}. Give all in the same form and type."
                )
        counts = merged([_from_json(state["counts"]) for state in states])
        metric = self._metric if metric is None else metric
        tally = _Tally(counts, sum(state["denominator"] for state in states))
        return _tested(tally, metric, options)

    def _total(self, metric: str, batches: list[dict[str, Labels]]) -> _Tally:
        """The metric's contributions in all examples counted and these batches."""
        tally = self._tallies.get(metric, _NOTHING)
        if batches:
            tally = self._tally(metric, _joined(batches))
        if isinstance(tally, InputError):
            raise tally
        return tally

    def _tally(self, metric: str, batch: Mapping[str, Labels]) -> _Tally | InputError:
        """The metric's contributions with this batch, or why there are none."""
        before = self._tallies.get(metric, _NOTHING)
        if isinstance(before, InputError):
            return before
        try:
            new = METRICS[metric](*(batch[name] for name in self.columns))
        except InputError as error:
            return error
        counts = PairedCounts.from_rows(new.scores1, new.scores2)
        return _Tally(before.counts + counts, before.denominator + new.denominator)

    def _read(self, columns: Mapping[str, Any], start: int = 0) -> dict[str, Labels]:
        """The columns as checked labels, of the same form as those added before."""
        batch = {name: read_labels(name, columns.get(name), start) for name in self.columns}
        for name in self.columns[:2]:
            check_comparable(batch[name], batch["references"])
        check_alike(batch["predictions1"], batch["predictions2"])  # references may have no kind
        if self._first is not None:
            for labels in batch.values():
                check_alike(labels, self._first)
        return batch

    def _numbered(self, batch: Mapping[str, Labels]) -> dict[str, Labels]:
        """The batch, its examples numbered as those of the whole."""
        return {name: replace(labels, start=len(self)) for name, labels in batch.items()}

    def _remember(self, batch: Mapping[str, Labels]) -> None:
        if self._first is None or self._first.kind is None:
            first = next((x for x in batch.values() if x.kind), batch["references"])
            lengths = None if first.lengths is None else first.lengths[:0]
            name = f"{first.name} of an earlier batch"
            self._first = replace(first, name=name, flat=first.flat[:1].copy(), lengths=lengths)


def _tested(tally: _Tally, metric: str, options: Mapping[str, Any]) -> PairedPermutationResult:
    return sign_flip_test(
        DifferenceCounts.from_counts(tally.counts),
        check_denominator(tally.denominator),
        metric,
        read_options(**options),
    )


def _joined(batches: list[dict[str, Labels]]) -> dict[str, Labels]:
    return {name: join([batch[name] for batch in batches]) for name in LabelStream.columns}


class ScoreStream:
    """Numbers per example, without references."""

    columns = ("predictions1", "predictions2")

    def __init__(self) -> None:
        self._parts: list[PairedCounts] = []
        self._n_rows = 0  # distinct ones, added since parts were merged
        self._largest: dict[int, int] = {}  # by the decimals of the parts

    def __len__(self) -> int:
        """Number of examples added."""
        return sum(part.n for part in self._parts)

    def check_options(self, metric: str | None, **options: Any) -> None:
        """Raise InputError for an unknown option, and for a metric."""
        if metric is not None:
            raise InputError(
                f"`metric` must be left out with the configuration 'scores', got {metric!r}: the "
                "means of the scores are compared as they are."
            )
        read_options(**options)

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch and add it."""
        part = self._read(columns, start)
        self._largest = self._checked_largest(part)
        n_rows = self._n_rows + part.multiplicities.size
        largest = self._parts[0].multiplicities.size if self._parts else 0
        if n_rows >= max(_HELD, largest) or len(self._parts) >= _BATCHES:
            self._parts, self._n_rows = [merged([*self._parts, part])], 0
        else:
            self._parts.append(part)
            self._n_rows = n_rows

    def test(
        self, columns: Mapping[str, Any], metric: str | None, **options: Any
    ) -> PairedPermutationResult:
        """Test all examples added and those in `columns`."""
        parts = self._parts
        if columns:
            part = self._read(columns)
            self._checked_largest(part)
            parts = [*parts, part]
        return paired_permutation_test(merged(parts), **options)

    def state(self, metric: str | None) -> dict[str, Any]:
        """All examples added, counted, as JSON takes it."""
        return {"counts": _as_json(merged([PairedCounts.from_rows([], []), *self._parts]))}

    def test_states(
        self, states: Sequence[Mapping[str, Any]], metric: str | None, **options: Any
    ) -> PairedPermutationResult:
        """Test the examples of several streams together."""
        counts = merged([_from_json(state["counts"]) for state in states])
        return paired_permutation_test(counts, **options)

    def _checked_largest(self, part: PairedCounts) -> dict[int, int]:
        """The largest units with this part's, if there is one lattice for all."""
        largest = dict(self._largest)
        largest[part.decimals] = max(largest.get(part.decimals, 0), part.largest)
        finest = max(largest)
        for decimals, units in largest.items():
            if units * 10 ** (finest - decimals) > np.iinfo(np.int64).max:
                raise InputError(
                    f"`{self.columns[0]}` and `{self.columns[1]}` do not fit those added before: "
                    f"{units / 10**decimals:.3g} in units of the {finest} decimals of others "
                    "exceeds int64. Round the scores to fewer digits."
                )
        return largest

    def _read(self, columns: Mapping[str, Any], start: int = 0) -> PairedCounts:
        for name in self.columns:
            if columns.get(name) is None:
                raise InputError(f"`{name}` is missing: pass one score per example.")
        part = count_pairs(
            *(x for name in self.columns for x in (name, columns[name])), start=start
        )
        if part.n == 0:
            raise InputError(f"`{self.columns[0]}` is empty: at least one example is needed.")
        return part


def _as_json(counts: PairedCounts) -> dict[str, Any]:
    names = ("rows1", "rows2", "multiplicities")
    return {name: getattr(counts, name).tolist() for name in names} | {"decimals": counts.decimals}


def _from_json(state: Mapping[str, Any]) -> PairedCounts:
    rows1, rows2, multiplicities = (
        np.array(state[name], dtype=np.int64) for name in ("rows1", "rows2", "multiplicities")
    )
    return of_units(rows1, rows2, multiplicities, state["decimals"])
