"""A result and the table that it follows from, published for anyone to check."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairedperm.errors import InputError, warn
from pairedperm.results import __version__
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.schema import STATED
from pairedperm.results.stored import versioned
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metric_counts import ON_A_LATTICE, counts_of, of_metric
from pairedperm.scoring.metrics.mean_score import MeanScore
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.waist import Mean
from pairedperm.wording import Name, describe


def publish(result: PairedPermutationResult) -> dict[str, Any]:
    """Return a result and the table of distinct pairs that it follows from, ready for JSON.

    `pairedperm.verify` recomputes p from the table. The table holds no examples, and no labels but
    those that an option of the metric names.

    Parameters
    ----------
    result : PairedPermutationResult
        A result of `compare`, or of `paired_permutation_test` for a mean or a `PairedCounts`.

    Returns
    -------
    dict
        The table's keys, as `PairedCounts.from_dict` reads them, with its digest "sha256". Scores
        on no lattice are a table of version 2, of floats. Its key "rounding" (float) is the
        relative error of the scores. Also "pairedperm" (str, the version) and "result" (dict,
        the main keys of `to_dict`).

    Raises
    ------
    InputError
        If `result` is no permutation test of scores. If its score is a function or a ratio of bare
        counts. If it was pickled without its score function. If it has groups, and its metric is a
        mean of ratios or its scores lie on no lattice.

    Warns
    -----
    UserWarning
        If the table holds the scores of single examples, because they are real numbers.

    Examples
    --------
    >>> from pairedperm import compare, publish, verify
    >>> published = publish(compare([1, 1, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1]))
    >>> published["rows1"], published["rows2"], published["multiplicities"]
    ([0, 1], [1, 0], [1, 3])
    >>> verify(published).status
    'confirmed'
    """
    if not isinstance(result, PairedPermutationResult) or result.score1 is None:
        raise InputError(
            Name("result"),
            must="be that of a permutation test of scores",
            got=describe(result),
        )
    evidence = result.evidence_for("table of counts")
    metric = evidence.metric
    if metric is None and not isinstance(evidence.score, Mean):
        raise InputError(
            Name("result"),
            " has a score of its own, which a table cannot name",
            remedy="publish the result of a metric, or of a mean",
        )
    rows = evidence.rows
    if rows.no_lattice:
        _check_alone(rows, metric)
        order = np.lexsort((rows.rows2, rows.rows1))
        rows = rows.having(rows1=rows.rows1[order], rows2=rows.rows2[order])
    counts = (
        PairedCounts.of(of_metric(rows, metric)) if rows.no_lattice else counts_of(rows, metric)
    )
    table = counts.to_dict(labels=False)
    if rows.no_lattice or rows.unit > 1:
        warn(
            "the table holds the scores of single examples, sorted, because they are real-valued",
            remedy="Publish it only if these scores may be known",
        )
    found = result.to_dict()
    return table | {"pairedperm": __version__, "result": versioned({x: found[x] for x in STATED})}


def _check_alone(rows: Rows, metric: Metric | None) -> None:
    """Raise InputError unless floats are single scores without groups."""
    if rows.groups is not None or rows.rows1.ndim > 1 or not isinstance(metric, MeanScore | None):
        raise InputError(
            *(Name("result"), " is of numbers that lie on no lattice, ", rows.no_lattice),
            remedy=("only single scores without groups have a table then", ON_A_LATTICE),
        )
