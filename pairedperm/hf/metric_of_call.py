"""The metric of a call and its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from pairedperm.options import Options
from pairedperm.scoring.metric import METRICS, Metric, read_metric


def given_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not None, and `ignore_label`, where None has a meaning."""
    return {name: x for name, x in options.items() if x is not None or name == "ignore_label"}


def is_of_others(name: Any) -> bool:
    """Tell whether this names a metric of texts or numbers, rather than of labels."""
    return isinstance(name, str) and name in METRICS and not METRICS[name].is_of_labels


def needs_references(name: Any) -> bool:
    """Tell whether the metric needs references; an unknown one counts as needing them."""
    return not (isinstance(name, str) and name in METRICS) or METRICS[name].has_references


def name_and_options(metric: Any, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return a metric's name and options; an object has its own.

    Raises
    ------
    InputError
        If options are given beside an object.
    """
    if not isinstance(metric, Metric):
        return metric, dict(options)
    read_metric(metric, **given_options(options))
    made = {x: getattr(metric, x.name) for x in metric.fields()}
    return metric.name, {x.name: value for x, value in made.items() if value != x.default}


def spelled(options: tuple[Metric | None, Options]) -> dict[str, str]:
    """Spell the options that all processes must share: all but `rng`, as only the first samples."""
    spec, of_test = options
    of_metric = {} if spec is None else {"metric": spec.name, **(spec.options or {})}
    of_test = replace(of_test, rng=None)
    return {name: repr(x) for name, x in (of_metric | asdict(of_test)).items()}
