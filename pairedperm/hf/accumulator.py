"""Keep examples that arrive in batches as counts, so that memory does not grow with them.

The metric of a call stands by itself, or beside the one that a module was loaded with.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, replace
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

import numpy as np

from pairedperm.comparison.compare import TESTS
from pairedperm.errors import InputError, describe
from pairedperm.inputs.labels import (
    COLUMNS,
    Columns,
    Labels,
    check_alike,
    check_comparable,
    read_columns,
    read_labels,
)
from pairedperm.inputs.lattice import n_decimals
from pairedperm.options import Options
from pairedperm.results.result import PairedResult
from pairedperm.scoring.arguments import columns_in_order
from pairedperm.scoring.classes import numbered
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.merging import NOTHING, Fineness, grouped, merged, sum_of_parts, why_floats
from pairedperm.scoring.metric import (
    AVERAGES,
    METRICS,
    Metric,
    as_arguments,
    given_label,
    metric_class,
    read_metric,
    unknown_metric,
)
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score

_OF_SETS = "multilabel=True"
_CHOICE = ("average", "pos_label", "labels")  # options that say which labels count
_OF_SEVERAL = frozenset(AVERAGES) - {"binary"}  # averages of several labels


def metric_of_call(metric: Any, options: dict[str, Any]) -> Metric:
    """Return the metric that is named, or an object, beside which options may only be None."""
    return read_metric(metric, **_given(options) if isinstance(metric, Metric) else options)


def metric_or_scores(metric: Any, options: dict[str, Any]) -> Metric | None:
    """Return the metric as `metric_of_call`; None is for scores, which take no options."""
    if metric is not None:
        return metric_of_call(metric, options)
    _check_scores(None, options)
    return None


def is_of_texts_or_numbers(metric: Any) -> bool:
    """Tell whether this is, or names, a metric of texts or numbers, rather than of labels."""
    kind = METRICS.get(metric) if isinstance(metric, str) else metric
    return kind is not None and not getattr(kind, "is_of_labels", True)


class LoadedMetric:
    """The metric that a module was loaded with, and what its calls may name.

    Parameters
    ----------
    name : str or None
        The metric's name. None is for scores.
    options : mapping
        Its options. For labels, they hold for other metrics too.
    """

    def __init__(self, name: str | None, options: dict[str, Any]) -> None:
        self._options = options
        self.metric = metric_or_scores(name, options)

    def metric_of(self, metric: Any, options: dict[str, Any]) -> Metric | None:
        """Return the metric of a call; options not given stay as at loading.

        Raises
        ------
        InputError
            For a metric that the module cannot take, and options that it refuses. For an object
            that options from loading would change.
        """
        if not isinstance(metric, Metric):
            return self._named(metric, _given(options))
        metric_of_call(metric, options)  # refuses options beside an object
        values = {option: getattr(metric, option.name) for option in metric.fields()}
        own = {option.name: x for option, x in values.items() if x != option.default}
        spec = self._named(metric.name, own)
        if spec != metric:
            what = f"is {metric!r}, but the options from loading make it {spec!r}"
            remedy = f"Give the object these options, or pass its name, metric={metric.name!r}"
            raise InputError("metric", what, remedy=remedy)
        return spec

    def _named(self, name: Any, given: dict[str, Any]) -> Metric | None:
        """Return the metric of this name, or that of loading, with options of both."""
        own = self.metric
        if own is None:
            _check_scores(name, given)
            return None
        kind = type(own) if name is None else metric_class(name)
        if kind is None:
            raise unknown_metric(name)
        if own.is_of_labels:
            return self._of_labels(own, kind, given)
        spec = read_metric(kind.name, **(self._options if kind.name == own.name else {}) | given)
        if spec == own:
            return own
        if kind.name == own.name:
            other = f"Load another module for these: {loading_call(spec)}"
            what = f"{own.name!r} has its options from loading"
            raise InputError("metric", what, remedy=other)
        raise InputError(
            "metric",
            must=f"be {own.name!r}, which was named when loading",
            got=repr(name),
            remedy=f"Load another module: evaluate.load(…, {name!r})",
        )

    def _of_labels(self, own: Metric, kind: type[Metric], given: dict[str, Any]) -> Metric:
        if not kind.is_of_labels:
            what = f"{kind.name!r} reads no labels from its columns"
            named_first = f"name it when loading, evaluate.load(…, {kind.name!r})"
            raise InputError("metric", what, remedy=named_first)
        if kind.is_of_spans is not own.is_of_spans:
            dropped = set(_CHOICE)  # chosen labels are no types of entities
        else:
            dropped = _replaced(given, self._options.get("average"))
        stay = set(kind.takes()) - dropped
        kept = {key: x for key, x in self._options.items() if key in stay}
        spec = read_metric(kind.name, **kept | given)
        if own.has_sets and not spec.has_sets:
            raise InputError(
                "metric",
                f"{kind.name!r} without {_OF_SETS} takes no sets of labels, and {_OF_SETS} was "
                "given when loading",
                remedy="load another module for it",
            )
        return spec


def loading_call(spec: Metric) -> str:
    """Spell the call that loads this metric with its options, for messages."""
    options = f", {as_arguments(spec.options)}" if spec.options else ""
    return f"evaluate.load(…, {spec.name!r}{options})"


def shared_options(spec: Metric | None, options: Options) -> dict[str, str]:
    """Spell the options that all processes must share: all but `rng`, as only the first samples."""
    of_metric = {} if spec is None else {"metric": spec.name, **(spec.options or {})}
    return {name: repr(x) for name, x in (of_metric | asdict(replace(options, rng=None))).items()}


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are not None, and `ignore_label`, where None has a meaning."""
    return {name: x for name, x in options.items() if x is not None or name == "ignore_label"}


def _check_scores(metric: Any, options: dict[str, Any]) -> None:
    """Raise InputError if scores, whose means are compared, get a metric or an option of one."""
    for name, value in {"metric": metric, **options}.items():
        if value is not None:
            raise InputError(
                name,
                must="be left out with the configuration 'scores', and without references",
                got=describe(value),
                remedy="the means of the scores are compared",
            )


def _replaced(given: dict[str, Any], average: Any) -> set[str]:
    """Return the options from loading that the given ones replace."""
    replaced = set()
    chosen = given.get("average")
    if not isinstance(chosen, str):  # anything but None is refused later
        chosen = None
    if "pos_label" in given:
        replaced |= {"labels", *(["average"] if average in _OF_SEVERAL else [])}
    if "labels" in given or chosen in _OF_SEVERAL:
        replaced.add("pos_label")
    if chosen == "binary":
        replaced.add("labels")
    return replaced


UNMERGED_ROWS = 2**12  # tuned: distinct rows kept before they are merged
UNCOUNTED_LABELS = 2**12  # tuned: labels of a column kept before they are counted
MOST_BATCHES = 2**12  # tuned: batches kept before they are merged or counted
_COARSE = Fineness(1, 0.0, 0.0, 0.0)
_DEFAULTS = Options()
_FORMS = (
    "some are strings, some integers",
    "some are single, some in sequences",
    "some are in an indicator matrix, some in none or in one with other columns",
)


def new_accumulator(metric: Metric | None, *, is_of_module: bool = False) -> Accumulator:
    """Return what takes the columns of a metric; None is for scores, without references."""
    if metric is None or not metric.is_of_labels:
        return Accumulator(metric)
    return LabelAccumulator(metric, is_of_module=is_of_module)


class Accumulator:
    """The examples of several batches under a metric of texts or numbers, or of scores.

    Numbers on a lattice are counted, others are kept. If batches have units by themselves, but not
    as one column, all are read as floats, as if they had come in one batch.

    Parameters
    ----------
    metric : Metric or None
        The metric that reads the columns. None: they are scores, without references.
    """

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self.columns: tuple[str, ...] = COLUMNS if metric else COLUMNS[:2]
        self._parts: list[Rows] = []
        self._floats: list[Rows] = []  # on no lattice
        self._fineness: Sequence[Fineness] = (_COARSE, _COARSE)  # of single numbers, by column
        self._unit = 1  # of all the counted parts
        self._n_rows = 0  # distinct rows added since parts were merged
        self._n = 0
        self._first: Labels | None = None  # what further batches of labels must be like

    def __len__(self) -> int:
        """Number of examples added."""
        return self._n

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch against those before, and add it.

        `start` is the number of its first example in error messages.
        """
        self._append(self._rows_of(columns, self._metric, start).counted())
        largest = len(self._parts[0].rows1) if len(self._parts) > 1 else 0
        if self._n_rows >= max(UNMERGED_ROWS, largest) or len(self._parts) > MOST_BATCHES:
            # Parts of different units may not fit into int64 in a common one.
            by_unit = groupby(sorted(self._parts, key=attrgetter("unit")), attrgetter("unit"))
            self._parts = [sum_of_parts([*parts]) for _, parts in by_unit]
            self._parts.sort(key=lambda part: -len(part.rows1))
            self._n_rows = 0

    def test(
        self,
        columns: Mapping[str, Any],
        metric: Metric | None = None,
        options: Options = _DEFAULTS,
        groups: Any = None,
    ) -> PairedResult:
        """Test all examples added and those in `columns`, which are not added.

        `metric` is one for the same columns; None is that of the start.
        """
        spec = metric or self._metric
        if groups is not None and len(self):
            what = "needs all columns in one call of compute"
            why = "the examples added before have been counted, so that their groups are lost"
            raise InputError("groups", what, remedy=why)
        rows = self.rows(columns, spec) if len(self) else self._rows_of(columns, spec, 0, groups)
        return _tested(rows, spec, options)

    def rows(self, columns: Mapping[str, Any], spec: Metric | None) -> Rows:
        """Return the rows of all examples added and those in `columns`, which are not added."""
        whole = copy(self)
        whole._parts, whole._floats = [*self._parts], [*self._floats]
        if columns:
            whole._append(self._rows_of(columns, spec).counted())
        return whole._all_rows()

    def state(self, metric: Metric | None = None) -> dict[str, Any]:
        """Return all examples added, ready for JSON: counted if on a lattice, or as floats."""
        rows, first = self.rows({}, metric or self._metric), self._first
        form = None if first is None else [first.kind, first.lengths is not None, repr(first.every)]
        limit = rows.provenance.float_limit
        return {"form": form, "counts": PairedCounts.of(rows).to_dict(), "float_limit": limit}

    def test_states(
        self,
        states: Sequence[Mapping[str, Any]],
        metric: Metric | None = None,
        options: Options = _DEFAULTS,
    ) -> PairedResult:
        """Test the examples in several processes' states; labels must have the same form in all."""
        forms = [state["form"] for state in states if state["form"]]
        for place, what in enumerate(_FORMS):
            if len({form[place] for form in forms} - {None}) > 1:
                same = "Give all in the same form and type"
                raise InputError(f"the processes' labels differ: {what}", remedy=same)
        whole = Accumulator(self._metric)
        for state in states:
            counts = PairedCounts.from_dict(state["counts"])
            whole._append(counts.noting(float_limit=state["float_limit"]))
        return _tested(whole._all_rows(), metric or self._metric, options)

    def _rows_of(
        self, columns: Mapping[str, Any], spec: Metric | None, start: int = 0, groups: Any = None
    ) -> Rows:
        """Return the rows of these columns alone, with the examples' groups if there are any."""
        given = [columns.get(name) for name in self.columns]
        if spec is not None:
            return spec.rows_of(spec.read(given, start), groups)
        for name, column in zip(self.columns, given, strict=True):
            if column is None:
                raise InputError(f"`{name}` is missing", remedy="pass one score per example")
        rows = columns_in_order(given[0], given[1], None, self.columns, start)
        return rows.counted_if_few() if groups is None else grouped(rows, groups)

    def _append(self, part: Rows) -> None:
        """Add a part; raise InputError if integers would become floats that cannot hold them."""
        fineness = self._fineness
        if part.rows1.ndim == 1 and not part.no_lattice:
            limit, tables = part.provenance.float_limit, (part.rows1, part.rows2)
            of_part = [Fineness.of(x, part.unit, limit) for x in tables]
            fineness = [one.joined(x) for one, x in zip(fineness, of_part, strict=True)]
        unit = math.lcm(self._unit, part.unit)
        have_floats = bool(part.no_lattice or self._floats)
        is_lattice = not have_floats and all(x.is_lattice for x in fineness)
        for name, column in zip(self.columns, fineness, strict=False):
            if column.whole >= 2.0**53 and not (is_lattice and column.whole * unit < 2.0**63):
                one, two = self.columns[:2]
                raise InputError(
                    f"`{one}` and `{two}` do not fit those added before: `{name}` has integers up "
                    f"to {column.whole:.3g}, and a float is an exact integer only below 2^53",
                    remedy="Divide by a common unit, or round the floats",
                )
        self._fineness, self._unit = fineness, unit
        (self._floats if part.no_lattice else self._parts).append(part)
        self._n_rows += len(part.rows1)
        self._n += part.n

    def _all_rows(self) -> Rows:
        """Return the rows of all parts: counted, or floats if they have no unit as one column."""
        fact = why_floats(self._floats)
        for name, column in zip(self.columns, self._fineness, strict=False):
            if not fact and not column.is_lattice:
                largest, digits = f"{column.largest:.6g}", n_decimals(column.unit)
                kind = f"the denominator {column.unit}" if digits is None else f"{digits} decimals"
                fact = f"`{name}` has scores up to {largest} and of {kind}"
        return merged([NOTHING, *self._parts, *self._floats], fact)


def _tested(rows: Rows, spec: Metric | None, options: Options) -> PairedResult:
    score: Score = Mean() if spec is None else spec.checked_score(rows)
    return TESTS[options.test](rows, score, spec, options)


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
        self._uncounted: list[Columns] = []  # batches
        self._n_labels = 0  # in these batches
        self._checked: list[Rows] = []  # of these batches, if the metric checked each at once
        self._tallies: dict[Metric, Rows | InputError] = {}  # of the batches before them
        self._has_matrix = False  # whether a matrix was read as sequences

    def add(self, columns: Mapping[str, Any], start: int = 0) -> None:
        """Check a batch against those before, and add it."""
        batch = self._read(columns, self._metric, start)
        if not self._metric.is_plain:  # a plain metric may give way to another later
            self._checked.append(self._metric.rows(*batch).counted())
        else:
            batch[2].ignored(self._metric.ignored)  # refuses single labels at once
        if self._first is None or self._first.kind is None:
            self._first = _form_of(batch)
        self._has_matrix |= any(getattr(x, "ndim", 1) == 2 for x in columns.values())
        self._uncounted.append(self._numbered(batch))
        self._n += batch[2].n
        self._n_labels += max(batch[2].n, *(len(labels.flat) for labels in batch))
        if self._n_labels >= UNCOUNTED_LABELS or len(self._uncounted) >= MOST_BATCHES:
            self._tallies = {spec: self._tally(spec, self._uncounted) for spec in self._specs}
            self._uncounted, self._n_labels, self._checked = [], 0, []

    def rows(self, columns: Mapping[str, Any], spec: Metric | None) -> Rows:
        """Return the rows of all examples added and those in `columns`, under the metric."""
        assert spec is not None
        if self._has_matrix and spec.has_sets and not self._metric.has_sets:
            raise InputError(
                "multilabel",
                ": a matrix was added, and was read as sequences of labels rather than as "
                "indicators",
                remedy=f"Name the metric when loading: {loading_call(spec)}",
            )
        if self._tallies and spec not in self._tallies:
            counted = ", ".join(map(_name_and_options, self._specs))
            what = f"the examples added have been counted for {counted}, not for "
            first = f"Name the metric and its options when loading, {loading_call(spec)}"
            all_columns = f"{first}, or pass all columns to compute"
            raise InputError(f"{what}{_name_and_options(spec)}", remedy=all_columns)
        batches = self._uncounted
        if columns:
            batch = self._read(columns, spec)
            spec.rows(*batch)  # so that errors count the batch's rows from 0
            batches = [*batches, self._numbered(batch)]
        tally = self._tally(spec, batches)
        if isinstance(tally, InputError):
            raise tally
        return tally

    def _tally(self, spec: Metric, batches: list[Columns]) -> Rows | InputError:
        """Add these batches to the metric's tally, and return it, or the error it met."""
        before = self._tallies.get(spec, NOTHING)
        if isinstance(before, InputError) or not batches:
            return before
        if spec == self._metric and self._checked and batches is self._uncounted:
            return merged([before, *self._checked])
        try:
            return merged([before, spec.rows(*map(_joined, zip(*batches, strict=True))).counted()])
        except InputError as error:
            return error

    def _read(self, columns: Mapping[str, Any], spec: Metric, start: int = 0) -> Columns:
        """Read and check the columns, whose form must be that of the labels added before."""
        given = [columns.get(name) for name in self.columns]
        batch: Columns = read_columns(read_labels, given, start, sets=spec.has_sets)
        for predictions in batch[:2]:
            check_comparable(predictions, batch[2])
        check_alike(*batch[:2])  # references may all be empty
        if self._first is not None:
            for labels in batch:
                check_alike(labels, self._first)
        return batch

    def _numbered(self, batch: Columns) -> Columns:
        """Return a copy, which the caller cannot change, numbered on from the examples before."""
        one, two, three = (
            replace(labels, flat=labels.flat.copy(), start=len(self)) for labels in batch
        )
        return one, two, three


def _form_of(batch: Columns) -> Labels:
    """Return a column with the form of the batch, and at most one label for messages."""
    first = next((x for x in batch if x.kind), batch[2])
    lengths = None if first.lengths is None else first.lengths[:0]
    name = f"{first.name} of an earlier batch"
    return replace(first, name=name, flat=first.flat[:1].copy(), lengths=lengths)


def _name_and_options(spec: Metric) -> str:
    return f"{spec.name!r} ({as_arguments(spec.options)})" if spec.options else repr(spec.name)


def _joined(parts: Sequence[Labels]) -> Labels:
    """Join the batches of one column, which must be alike (`check_alike`)."""
    if len(parts) == 1:
        return parts[0]
    if any(part.names is not None for part in parts):  # each part numbers labels in its own way
        parts = numbered(parts)
    some = [part for part in parts if part.kind] or parts[:1]
    if isinstance(some[0].flat, list):
        flat: Any = [*chain.from_iterable(part.flat for part in some)]
    else:
        flat = np.concatenate([part.flat for part in some])
    lengths = None if parts[0].lengths is None else np.concatenate([x.lengths for x in parts])
    n_ignored = sum(part.n_ignored for part in parts)
    return replace(parts[0], flat=flat, kind=some[0].kind, lengths=lengths, n_ignored=n_ignored)
