"""Keep examples that arrive in batches as counts, so that memory does not grow with them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from pairedperm.comparison.compare import TESTS
from pairedperm.errors import InputError
from pairedperm.hf.metric_of_call import given_options
from pairedperm.options import Options, read_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring.call_options import split_options
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.groups import metric_rows
from pairedperm.scoring.merging import NOTHING, merged
from pairedperm.scoring.metric import AVERAGES, METRICS, Metric, as_arguments, read_metric
from pairedperm.scoring.metric_errors import unknown_metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.waist import Mean, Score
from pairedperm.wording import Name

BATCHES = 2**12  # tuned: batches held before they are counted


class Stream(ABC):
    """A stream of examples: the part of an `evaluate` comparison that handles columns."""

    columns: tuple[str, ...] = ("predictions1", "predictions2", "references")

    @abstractmethod
    def __len__(self) -> int:
        """Number of examples added."""

    @abstractmethod
    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch against those before, and add it.

        `start` is the number of its first example in error messages.
        """

    @abstractmethod
    def read_options(self, metric: str | None, **options: Any) -> tuple[Metric | None, Options]:
        """Return the metric, or None for scores, and the options of the test.

        Raises
        ------
        InputError
            For an option that `test` would refuse.
        """

    @abstractmethod
    def rows(self, columns: Mapping[str, Any], spec: Any) -> Rows:
        """Return the rows of all examples added and those in `columns`, which are not added."""

    def test(
        self,
        columns: Mapping[str, Any],
        metric: str | None,
        *,
        groups: Any = None,
        **options: Any,
    ) -> PairedResult:
        """Test all examples added and those in `columns`, which are not added."""
        spec, of_test = self.read_options(metric, **options)
        if groups is None:
            rows = self.rows(columns, spec)
        elif len(self):
            why = "the examples added before have been counted, so that their groups are lost"
            raise InputError(
                Name("groups"), " needs all columns in one call of compute", remedy=why
            )
        else:
            rows = self.alone(columns, spec, groups)
        return _tested(rows, spec, of_test)

    def alone(self, columns: Mapping[str, Any], spec: Any, groups: Any) -> Rows:
        """Return the rows of `columns` alone, with the examples' groups if there are any."""
        return metric_rows(spec, spec.read([columns.get(x) for x in self.columns]), groups)

    def state(self, metric: str | None, **options: Any) -> dict[str, Any]:
        """Return the counts of all examples added, ready for JSON."""
        spec, _ = self.read_options(metric, **options)
        return {"counts": PairedCounts.of(self.rows({}, spec)).to_dict()}

    def test_states(
        self, states: Sequence[Mapping[str, Any]], metric: str | None, **options: Any
    ) -> PairedResult:
        """Test the examples of several streams together."""
        spec, of_test = self.read_options(metric, **options)
        return _tested(self.joined(states), spec, of_test)

    def joined(self, states: Sequence[Mapping[str, Any]]) -> Rows:
        """Add the rows of several streams' states."""
        return merged([PairedCounts.from_dict(state["counts"]) for state in states])


def _tested(rows: Rows, spec: Metric | None, options: Options) -> PairedResult:
    score: Score = Mean() if spec is None else spec.checked_score(rows)
    return TESTS[options.test](rows, score, spec, options)


def named(metric: Any, default: str) -> str:
    """Return the metric's name, or the default for None; raise InputError for an unknown one."""
    if metric is None:
        return default
    if not isinstance(metric, str) or metric not in METRICS:
        raise unknown_metric(metric, METRICS, AVERAGES)
    return METRICS[metric].name


def loading(spec: Metric) -> str:
    """Spell the call that loads this metric with its options, for messages."""
    options = f", {as_arguments(spec.options)}" if spec.options else ""
    return f"evaluate.load(…, {spec.name!r}{options})"


class OtherStream(Stream):
    """A stream of texts or numbers, counted as they come under the metric that reads them."""

    def __init__(self, metric: str, **options: Any) -> None:
        self._options, self._spec = options, read_metric(metric, **options)
        self._rows = NOTHING

    def __len__(self) -> int:
        """Number of examples added."""
        return self._rows.n

    def read_options(self, metric: str | None, **options: Any) -> tuple[Metric, Options]:
        """Return the metric, which must be that of loading, and the options of the test."""
        of_metric, of_test = split_options(options)
        name = named(metric, self._spec.name)
        first = self._options if name == self._spec.name else {}
        spec = read_metric(name, **first | given_options(of_metric))
        if name == self._spec.name and spec != self._spec:
            other = f"Load another module for these: {loading(spec)}"
            raise InputError(
                Name("metric"), f" {name!r} has its options from loading", remedy=other
            )
        if spec != self._spec:
            raise InputError(
                Name("metric"),
                must=f"be {self._spec.name!r}, which was named when loading",
                got=repr(metric),
                remedy=f"Load another module: evaluate.load(…, {metric!r})",
            )
        return spec, read_options(**of_test)

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch, and add it."""
        found = [columns.get(name) for name in self.columns]
        self._rows = merged([self._rows, self._spec.rows(*self._spec.read(found, start))])

    def rows(self, columns: Mapping[str, Any], spec: Metric) -> Rows:
        """Return the rows of all examples added and those in `columns`."""
        whole = copy(self)
        if columns:
            whole.add(columns)
        return whole._rows
