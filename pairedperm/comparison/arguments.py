"""Arguments that several comparisons read in the same way."""

from __future__ import annotations

from typing import Any

from pairedperm.errors import InputError
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.wording import Name, Parts


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
            name = Name(next(iter(metric_options)))
            raise InputError(name, " is an option of a metric, and ", Name("metric"), " is missing")
        return None
    if score is not None:
        remedy = Parts("leave it out with ", Name("references"), " or a ", Name("metric"))
        raise InputError(Name("score"), " is of counts", remedy=remedy)
    metric = "accuracy" if metric is None else metric
    return read_metric(metric, **metric_options)
