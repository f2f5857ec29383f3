"""The counts of two systems' predictions, for instance of those of one shard."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairedperm.errors import InputError, Name, warn
from pairedperm.inputs.labels import Labels
from pairedperm.results.result import PairedResult
from pairedperm.scoring import MeanScore, MetricName
from pairedperm.scoring.arguments import ON_A_LATTICE, counts_of, of_metric
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.distinct import rows_of_distinct
from pairedperm.scoring.metric import Metric, read_metric


def paired_counts(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName | Metric = "accuracy",
    *,
    groups: Any = None,
    multiplicities: Any = None,
    **metric_options: Any,
) -> PairedCounts:
    """Count two systems' predictions under a metric, for instance those of one shard.

    The counts are a few dozen to a few thousand integers, whatever the number of examples. Add the
    counts of all shards, and pass the sum to `paired_permutation_test` or `paired_bootstrap_test`.
    The result is the one that `compare` gives for all examples.

    Parameters
    ----------
    predictions1, predictions2, references, metric, groups, **metric_options
        See `compare`. A shard must contain the whole of each of its groups.
    multiplicities : sequence of int, shape (k,), or None
        How often each row occurs, from 1, if the columns hold distinct rows: the counts of
        ``GROUP BY`` in a database, or of ``groupBy().count()`` in Spark. With `groups`, a row
        stands for so many examples of its group. None: each row is one example.

    Returns
    -------
    PairedCounts
        The distinct pairs of rows and how often each occurs. With groups, and with several runs of
        an item, which form a group, the results have no `n_wins`, `n_losses` and `n_ties`.

    Raises
    ------
    InputError
        If `compare` refuses the arguments. If a column is empty (leave out empty shards). If scores
        have more than 13 digits, because they lie on no lattice. If groups are used with a metric
        that is a mean of ratios, such as ``average="samples"``. If multiplicities are not one whole
        number from 1 for each row.
    TypeError
        If an option does not exist.

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

    Three distinct rows, of which the first occurs 50 times:

    >>> right = ["a", "b", "a"]
    >>> counts = paired_counts(["a", "b", "b"], ["a", "a", "b"], right, multiplicities=[50, 6, 2])
    >>> counts.n, paired_permutation_test(counts).pvalue
    (58, 0.03125)
    """
    of_metric = read_metric(metric, **metric_options)
    columns = of_metric.read((predictions1, predictions2, references))
    if multiplicities is None:
        rows = of_metric.rows_of(columns, groups)
    else:
        rows = rows_of_distinct(of_metric, columns, groups, multiplicities)
    kind = columns[2].kind if isinstance(columns[2], Labels) else None
    return counts_of(rows.noting(kind=kind), of_metric)


def counts_of_result(result: PairedResult) -> PairedCounts:
    """Return the counts that p follows from; real scores of examples are sorted.

    Raises
    ------
    InputError
        If the scores lie on no lattice, and are of groups, or rows of several numbers.
    """
    evidence = result.evidence_for("table of counts")
    rows, metric = evidence.rows, evidence.metric
    if not rows.no_lattice:
        counts = counts_of(rows, metric)
    elif rows.groups is None and rows.rows1.ndim == 1 and isinstance(metric, MeanScore):
        order = np.lexsort((rows.rows2, rows.rows1))
        rows = rows.having(rows1=rows.rows1[order], rows2=rows.rows2[order])
        counts = PairedCounts.of(of_metric(rows, metric))
    else:
        raise InputError(
            *(Name("result"), " is of numbers that lie on no lattice, ", rows.no_lattice),
            remedy=("only single scores without groups have a table then", ON_A_LATTICE),
        )
    if rows.no_lattice or rows.unit > 1:
        warn(
            "the table holds the scores of single examples, sorted, because they are real-valued",
            remedy="Publish it only if these scores may be known",
        )
    return counts
