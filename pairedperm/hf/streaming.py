"""Examples that arrive in batches, kept as counts: memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from pairedperm.options import Options
from pairedperm.results.result import PairedResult
from pairedperm.scoring.counts import PairedCounts, of_units
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.waist import Rows

__all__ = ["BATCHES", "Stream", "as_json", "from_json", "rows_as_json", "rows_from_json"]

BATCHES = 2**12  # that are held before they are counted


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

    def read_options(self, metric: str | None, **options: Any) -> tuple[Metric | None, Options]:
        """The metric and the other options; InputError for what `test` would not take."""

    def test(self, columns: Mapping[str, Any], metric: str | None, **options: Any) -> PairedResult:
        """Test all examples added and those in `columns`, which are not added."""

    def state(self, metric: str | None, **options: Any) -> dict[str, Any]:
        """All examples added, counted, as JSON takes it."""

    def test_states(
        self, states: Sequence[Mapping[str, Any]], metric: str | None, **options: Any
    ) -> PairedResult:
        """Test the examples of several streams together."""


def as_json(counts: PairedCounts) -> dict[str, Any]:
    """Counts as JSON takes them."""
    names = ("rows1", "rows2", "multiplicities")
    return {name: getattr(counts, name).tolist() for name in names} | {"decimals": counts.decimals}


def from_json(state: Mapping[str, Any]) -> PairedCounts:
    """The counts of `as_json`."""
    rows1, rows2, multiplicities = (
        np.array(state[name], dtype=np.int64) for name in ("rows1", "rows2", "multiplicities")
    )
    return of_units(rows1, rows2, multiplicities, state["decimals"])


def rows_as_json(rows: Rows) -> dict[str, Any]:
    """Counted rows as JSON takes them."""
    seen = sorted(rows.seen, key=repr)
    return {"counts": as_json(rows.counts), "seen": seen, "classes": rows.classes}


def rows_from_json(state: Mapping[str, Any]) -> Rows:
    """The rows of `rows_as_json`."""
    counts, seen = from_json(state["counts"]), frozenset(state["seen"])
    return Rows.of(counts, seen, tuple(state["classes"]))
