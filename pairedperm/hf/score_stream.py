"""Scores of examples that arrive in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.bootstrap.run import run as run_draws
from pairedperm.errors import InputError, NoLatticeError, describe
from pairedperm.hf.streaming import BATCHES, as_json, from_json
from pairedperm.inputs.decimals import Fineness, fineness
from pairedperm.inputs.numbers import float_column, read_scores
from pairedperm.options import Options, read_options
from pairedperm.permutation.run import run as run_swaps
from pairedperm.results.result import PairedResult
from pairedperm.scoring.arguments import of_floats
from pairedperm.scoring.counts import PairedCounts, count_pairs, merged
from pairedperm.scoring.metric import is_given, split_options
from pairedperm.scoring.waist import Mean, Rows

__all__ = ["ScoreStream"]

_HELD = 2**12  # distinct rows that are held before they are merged
_COARSE = Fineness(0, 0.0, 0.0, 0.0)
_INT64_MAX = 2.0**63


class ScoreStream:
    """Numbers per example, without references: counted, if they lie on a lattice, or else kept.

    Batches may be decimals that are none as one column: then all are taken for floats, as if they
    had come in one.
    """

    columns = ("predictions1", "predictions2")

    def __init__(self) -> None:
        self._parts: list[PairedCounts] = []
        self._reals: list[Rows] = []
        self._fineness = (_COARSE, _COARSE)  # of the counted parts, by column
        self._n_rows = 0  # distinct ones, added since parts were merged

    def __len__(self) -> int:
        """Number of examples added."""
        return sum(part.n for part in self._parts) + sum(x.n for x in self._reals)

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
        part, found = self._read(columns, start)
        has_reals = bool(self._reals) or isinstance(part, Rows)
        self._fineness = _joined(self._fineness, found, has_reals)
        if isinstance(part, Rows):
            self._reals.append(part)
            return
        n_rows = self._n_rows + part.multiplicities.size
        largest = self._parts[0].multiplicities.size if self._parts else 0
        if n_rows >= max(_HELD, largest) or len(self._parts) >= BATCHES:
            self._parts, self._n_rows = _merged_alike([*self._parts, part]), 0
        else:
            self._parts.append(part)
            self._n_rows = n_rows

    def test(self, columns: Mapping[str, Any], metric: str | None, **options: Any) -> PairedResult:
        """Test all examples added and those in `columns`."""
        parts, reals, all_fineness = self._parts, self._reals, self._fineness
        if columns:
            part, found = self._read(columns)
            has_reals = bool(reals) or isinstance(part, Rows)
            all_fineness = _joined(all_fineness, found, has_reals)
            if isinstance(part, Rows):
                reals = [*reals, part]
            else:
                parts = [*parts, part]
        return _tested(parts, reals, all_fineness, options)

    def state(self, metric: str | None, **options: Any) -> dict[str, Any]:
        """All examples added, those that are on a lattice counted, as JSON takes it."""
        return {
            "parts": [as_json(part) for part in _merged_alike(self._parts)],
            "reals": [
                {
                    "scores1": x.rows1.tolist(),
                    "scores2": x.rows2.tolist(),
                    "rounding": x.rounding,
                    "fact": x.no_lattice,
                }
                for x in self._reals
            ],
            "fineness": self._fineness,
        }

    def test_states(
        self, states: Sequence[Mapping[str, Any]], metric: str | None, **options: Any
    ) -> PairedResult:
        """Test the examples of several streams together."""
        parts, reals, all_fineness = [], [], (_COARSE, _COARSE)
        for state in states:
            parts += [from_json(part) for part in state["parts"]]
            for real in state["reals"]:
                scores1, scores2 = (np.array(real[name]) for name in ("scores1", "scores2"))
                reals.append(_of_reals(scores1, scores2, real["fact"], real["rounding"]))
            found = [Fineness(*column) for column in state["fineness"]]
            all_fineness = _joined(all_fineness, found, bool(reals))
        return _tested(parts, reals, all_fineness, options)

    def _read(
        self, columns: Mapping[str, Any], start: int = 0
    ) -> tuple[PairedCounts | Rows, Sequence[Fineness]]:
        for name in self.columns:
            if columns.get(name) is None:
                raise InputError(f"`{name}` is missing: pass one score per example.")
        first, second = self.columns
        scores1, scores2 = (read_scores(name, columns[name], start=start) for name in self.columns)
        try:
            part = count_pairs(first, scores1, second, scores2, start=start)
        except NoLatticeError as error:
            real = of_floats(first, scores1, second, scores2, error.fact)
            return real, (_COARSE, _COARSE)
        if part.n == 0:
            raise InputError(f"`{first}` is empty: at least one example is needed.")
        return part, (fineness(first, scores1), fineness(second, scores2))


def _joined(
    one: Iterable[Fineness], other: Iterable[Fineness], has_reals: bool
) -> tuple[Fineness, Fineness]:
    """Of both together; InputError if integers would have to be floats that do not hold them."""
    first, second = (a.joined(b) for a, b in zip(one, other, strict=True))
    decimals = max(first.decimals, second.decimals)
    for name, column in zip(ScoreStream.columns, (first, second), strict=True):
        is_lattice = first.is_lattice and second.is_lattice and not has_reals
        if column.whole >= 2.0**53 and not (
            is_lattice and column.whole * 10.0**decimals < _INT64_MAX
        ):
            raise InputError(
                f"`{ScoreStream.columns[0]}` and `{ScoreStream.columns[1]}` do not fit those added "
                f"before: `{name}` has integers up to {column.whole:.3g}, and a float is an exact "
                "integer only below 2^53. Divide by a common unit, or round the floats."
            )
    return first, second


def _merged_alike(parts: Sequence[PairedCounts]) -> list[PairedCounts]:
    """Those with the same decimals together: what has others may not fit into int64 with them."""

    def decimals(part: PairedCounts) -> int:
        return part.decimals

    groups = groupby(sorted(parts, key=decimals), decimals)
    return sorted(
        (merged(list(group)) for _, group in groups), key=lambda x: -x.multiplicities.size
    )


def _of_reals(scores1: NDArray[Any], scores2: NDArray[Any], fact: str, rounding: float) -> Rows:
    return Rows(scores1, scores2, no_lattice=fact, rounding=rounding, is_float=True)


def _tested(
    parts: Sequence[PairedCounts],
    reals: Sequence[Rows],
    columns: Sequence[Fineness],
    options: Mapping[str, Any],
) -> PairedResult:
    """All together, counted; if they lie on no lattice, as floats."""
    read = read_options(**split_options(options)[1])
    run = run_draws if read.test == "bootstrap" else run_swaps
    fact = reals[0].no_lattice if reals else ""
    for name, column in zip(ScoreStream.columns, columns, strict=True):
        if not fact and not column.is_lattice:
            fact = (
                f"`{name}` has scores up to {column.largest:.6g} and of {column.decimals} decimals"
            )
    if not fact:
        try:
            return run(Rows.of(merged(parts)), Mean(), None, read)
        except NoLatticeError as error:
            fact = error.fact
    both: tuple[list[Any], list[Any]] = ([], [])
    for part in parts:
        for scores, name, rows in zip(
            both, ScoreStream.columns, (part.rows1, part.rows2), strict=True
        ):
            floats = rows / 10.0**part.decimals if part.decimals else float_column(name, rows)
            scores.append(np.repeat(floats, part.multiplicities))
    for real in reals:
        both[0].append(real.rows1)
        both[1].append(real.rows2)
    rounding = max([real.rounding for real in reals], default=2.0**-53)
    everything = _of_reals(np.concatenate(both[0]), np.concatenate(both[1]), fact, rounding)
    return run(everything, Mean(), None, read)
