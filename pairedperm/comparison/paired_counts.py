"""Two systems' predictions, counted: to be added, stored, and tested later."""

from __future__ import annotations

from typing import Any

from pairedperm import options
from pairedperm.inputs.labels import Labels
from pairedperm.scoring import MetricName
from pairedperm.scoring.counts import PairedCounts, of_origin
from pairedperm.scoring.groups import metric_rows
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.metric_counts import counts_of


def paired_counts(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric = "accuracy",
    *,
    ignore_label: int | None = options.IGNORE_LABEL,
    groups: Any = None,
    **metric_options: Any,
) -> PairedCounts:
    """Count two systems' predictions under a metric, such as those of one shard.

    The counts are a few dozen to a few thousand integers, whatever the number of examples. Those of
    all shards are added and passed to `paired_permutation_test` or `paired_bootstrap_test`, which
    then say what `compare` says of all examples.

    Parameters
    ----------
    predictions1, predictions2, references, metric, ignore_label, groups, **metric_options
        As `compare` takes them. A group must be in one shard as a whole.

    Returns
    -------
    PairedCounts
        An empty shard has none: leave it out. Of groups, and of several runs of an item, which
        are one, the results do not tell wins.

    Raises
    ------
    InputError
        For what `compare` refuses; for scores of more than 13 digits, which lie on no lattice; for
        groups under a metric that is a mean of ratios, such as ``average="samples"``.

    Examples
    --------
    >>> from pairedperm import paired_counts, paired_permutation_test
    >>> monday = paired_counts(["a", "b"], ["b", "b"], ["a", "b"])
    >>> tuesday = paired_counts(["a", "a"], ["b", "a"], ["a", "b"])
    >>> monday + tuesday
    PairedCounts(n=4, n_distinct=3, shape=(n,), metric='accuracy')
    >>> result = paired_permutation_test(monday + tuesday)
    >>> result.metric, result.score1, result.score2, result.pvalue
    ('accuracy', 0.75, 0.25, 0.5)
    """
    found = read_metric(metric, ignore_label, **metric_options)
    columns = found.read((predictions1, predictions2, references))
    counts = counts_of(metric_rows(found, columns, groups), found)
    return of_origin(counts, kind=columns[2].kind) if isinstance(columns[2], Labels) else counts
