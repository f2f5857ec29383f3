"""Arguments that several comparisons read in the same way."""

from __future__ import annotations

from typing import Any

from pairedperm.errors import InputError
from pairedperm.scoring.metric import Metric, read_metric


def metric_or_counts(
    references: Any, metric: Any, score: Any, metric_options: dict[str, Any]
) -> Metric | None:
    """Return the metric; None if the columns are scores or counts.

    Raises
    ------
    InputError
        If there are metric options but no metric. If `score` comes with a metric.
    """
    if references is None and metric is None:
        if metric_options:
            name = next(iter(metric_options))
            raise InputError(f"`{name}` is an option of a metric, and `metric` is missing.")
        return None
    if score is not None:
        raise InputError("`score` is of counts: leave it out with `references` or a `metric`.")
    metric = "accuracy" if metric is None else metric
    return read_metric(metric, **metric_options)
