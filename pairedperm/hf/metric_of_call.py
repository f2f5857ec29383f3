"""The metric of a call, by itself or beside the one that a module was loaded with."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from pairedperm.errors import InputError, Name, Parts, Setting, describe
from pairedperm.options import Options
from pairedperm.scoring.metric import (
    AVERAGES,
    METRICS,
    Metric,
    as_arguments,
    metric_class,
    read_metric,
    unknown_metric,
)

_OF_SETS = Setting("multilabel", "True")
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
            what = f" is {metric!r}, but the options from loading make it {spec!r}"
            by_name = "or pass its name, ", Setting("metric", repr(metric.name))
            remedy = Parts("Give the object these options, ", *by_name)
            raise InputError(Name("metric"), what, remedy=remedy)
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
            what = f" {own.name!r} has its options from loading"
            raise InputError(Name("metric"), what, remedy=other)
        raise InputError(
            Name("metric"),
            must=f"be {own.name!r}, which was named when loading",
            got=repr(name),
            remedy=f"Load another module: evaluate.load(…, {name!r})",
        )

    def _of_labels(self, own: Metric, kind: type[Metric], given: dict[str, Any]) -> Metric:
        if not kind.is_of_labels:
            what = f" {kind.name!r} reads no labels from its columns"
            named_first = f"name it when loading, evaluate.load(…, {kind.name!r})"
            raise InputError(Name("metric"), what, remedy=named_first)
        if kind.is_of_spans is not own.is_of_spans:
            dropped = set(_CHOICE)  # chosen labels are no types of entities
        else:
            dropped = _replaced(given, self._options.get("average"))
        stay = set(kind.takes()) - dropped
        kept = {key: x for key, x in self._options.items() if key in stay}
        spec = read_metric(kind.name, **kept | given)
        if own.has_sets and not spec.has_sets:
            without = f" {kind.name!r} without ", _OF_SETS, " takes no sets of labels, and "
            before = _OF_SETS, " was given when loading"
            raise InputError(Name("metric"), *without, *before, remedy="load another module for it")
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
                Name(name),
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
