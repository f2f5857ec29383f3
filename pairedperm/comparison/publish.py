"""A result with the table that it was computed from, for anyone to check."""

from __future__ import annotations

from typing import Any

from pairedperm.errors import InputError, describe, warn
from pairedperm.results import __version__
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.scoring.digest import digest_of
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metric_counts import counts_of
from pairedperm.scoring.metrics.mean_score import MeanScore
from pairedperm.scoring.waist import Mean, Rows

SCORES, VERSION = "pairedperm scores", 1  # of a table of numbers that cannot be counted
SCORE_KEYS = ("format", "version", "metric", "metric_options", "rows1", "rows2")
OF_P = ("p", "p_low", "p_high")
LOGS = tuple(f"log_{name}" for name in OF_P)
STATED = (
    *("stat", "score1", "score2", *OF_P, *LOGS, "interval", "alternative", "method"),
    *("metric", "metric_options", "n", "n_groups", "n_differing", "n_resamples", "seed"),
)


def publish(result: PairedPermutationResult) -> dict[str, Any]:
    """A result and the table of distinct pairs that it follows from, ready for JSON.

    The table holds no examples, and no labels but those that an option of the metric names. Anyone
    can recompute p from it: `pairedperm.verify`.

    Parameters
    ----------
    result : PairedPermutationResult
        Of `compare`, or of `paired_permutation_test` of means or of `PairedCounts`.

    Returns
    -------
    dict
        The table, as `PairedCounts.from_dict` reads it, its "sha256", and what was found, "result".

    Raises
    ------
    InputError
        If it is no such result: of a function or a ratio of bare counts, or pickled without it; for
        groups under a metric that is a mean of ratios, or with scores that lie on no lattice.

    Warns
    -----
    UserWarning
        If the table holds the scores themselves, for they are real-valued.

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
            f"`result` must be that of a permutation test of scores, got {describe(result)}."
        )
    evidence = result._evidence_for("table of counts")
    metric = evidence.metric
    if metric is None and not isinstance(evidence.score, Mean):
        raise InputError(
            "`result` has a score of its own, which a table cannot name: publish the result of a "
            "metric, or of a mean."
        )
    rows = evidence.rows
    table = _scores(rows, metric) if rows.no_lattice else None
    if table is None:
        table = counts_of(rows, metric).to_dict(labels=False)
    if rows.no_lattice or rows.decimals or rows.unit > 1:
        warn(
            "the table holds the scores of single examples, sorted, for they are real-valued. "
            "Publish it only if these may be known."
        )
    found = result.to_dict()
    return table | {"pairedperm": __version__, "result": {name: found[name] for name in STATED}}


def _scores(rows: Rows, metric: Metric | None) -> dict[str, Any]:
    """The scores of both systems, sorted."""
    if rows.groups is not None or rows.rows1.ndim > 1 or not isinstance(metric, MeanScore | None):
        raise InputError(
            f"`result` is of numbers that lie on no lattice, {rows.no_lattice}: there is a table "
            "of single scores without groups only. Round the scores to up to 13 digits."
        )
    pairs = sorted(zip(rows.rows1.tolist(), rows.rows2.tolist(), strict=True))
    one, two = map(list, zip(*pairs, strict=True))
    of_metric = {} if metric is None else metric.options or {}
    table = {
        "format": SCORES,
        "version": VERSION,
        "metric": None if metric is None else metric.name,
        "metric_options": of_metric or None,
        "rows1": one,
        "rows2": two,
    }
    return table | {"sha256": digest_of(table, SCORE_KEYS)}
