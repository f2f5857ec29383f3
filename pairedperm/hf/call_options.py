"""The options of a call, told apart: those of the metric, and those of the test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from pairedperm.options import OPTIONS, Options
from pairedperm.scoring.metric import METRICS, Metric, read_metric


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of a metric, and those of the test; `metric` itself is in neither."""
    of_test = {name: x for name, x in options.items() if name in OPTIONS}
    others = {*OPTIONS, "metric"}
    return {name: x for name, x in options.items() if name not in others}, of_test


def given_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are not None, and `ignore_label`, of which None means that every label counts."""
    return {name: x for name, x in options.items() if x is not None or name == "ignore_label"}


def is_of_others(name: Any) -> bool:
    """Whether this names a metric that reads texts or numbers, and not labels."""
    return isinstance(name, str) and name in METRICS and not METRICS[name].is_of_labels


def needs_references(name: Any) -> bool:
    """Whether this names no metric that does without them."""
    return not (isinstance(name, str) and name in METRICS) or METRICS[name].has_references


def name_and_options(metric: Any, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A metric's name and options; of an object those with which it was made.

    Raises
    ------
    InputError
        If there are an object and options.
    """
    if not isinstance(metric, Metric):
        return metric, dict(options)
    read_metric(metric, **given_options(options))
    made = {x: getattr(metric, x.name) for x in metric.fields()}
    return metric.name, {x.name: value for x, value in made.items() if value != x.default}


def spelled(options: tuple[Metric | None, Options]) -> dict[str, str]:
    """What all processes must agree on: the first alone draws samples."""
    spec, of_test = options
    of_metric = {} if spec is None else {"metric": spec.name, **(spec.options or {})}
    of_test = replace(of_test, rng=None)
    return {name: repr(x) for name, x in (of_metric | asdict(of_test)).items()}
