"""Scores of examples that arrive in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pairedperm.columns import describe
from pairedperm.counts import PairedCounts, count_pairs, merged
from pairedperm.errors import InputError
from pairedperm.metric import is_given, split_options
from pairedperm.options import Options, read_options
from pairedperm.permutation import paired_permutation_test
from pairedperm.result import PairedPermutationResult
from pairedperm.streaming import BATCHES, as_json, from_json

__all__ = ["ScoreStream"]

_HELD = 2**12  # distinct rows that are held before they are merged


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

    def read_options(self, metric: str | None, **options: Any) -> tuple[None, Options]:
        """The options of the test; InputError for a metric."""
        of_metric, others = split_options(options)
        for name, value in (("metric", metric), *of_metric.items()):
            if is_given(name, value):
                raise InputError(
                    f"`{name}` must be left out with the configuration 'scores', and without "
                    f"references, got {describe(value)}: the means of the scores are compared."
                )
        return None, read_options(**others)

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch and add it."""
        part = self._read(columns, start)
        self._largest = self._checked_largest(part)
        n_rows = self._n_rows + part.multiplicities.size
        largest = self._parts[0].multiplicities.size if self._parts else 0
        if n_rows >= max(_HELD, largest) or len(self._parts) >= BATCHES:
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
        return paired_permutation_test(merged(parts), **split_options(options)[1])

    def state(self, metric: str | None, **options: Any) -> dict[str, Any]:
        """All examples added, counted, as JSON takes it."""
        return {"counts": as_json(merged([PairedCounts.from_rows([], []), *self._parts]))}

    def test_states(
        self, states: Sequence[Mapping[str, Any]], metric: str | None, **options: Any
    ) -> PairedPermutationResult:
        """Test the examples of several streams together."""
        counts = merged([from_json(state["counts"]) for state in states])
        return paired_permutation_test(counts, **split_options(options)[1])

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
