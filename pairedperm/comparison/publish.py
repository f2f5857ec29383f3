"""A result and the table that it follows from, published for anyone to check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairedperm.errors import InputError, warn
from pairedperm.results import __version__
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.scoring.digest import digest_of
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metric_counts import ON_A_LATTICE, counts_of
from pairedperm.scoring.metrics.mean_score import MeanScore
from pairedperm.scoring.waist import Mean, Rows
from pairedperm.wording import Name, describe

SCORES, VERSION = "pairedperm scores", 1  # format of a table of scores on no lattice
SCORE_KEYS = ("format", "version", "metric", "metric_options", "rows1", "rows2")
ROUNDING, OF_FLOAT64 = "rounding", 2.0**-51  # the key of `Rows.rounding`, and what it is without
OF_P = ("p", "p_low", "p_high")
LOGS = tuple(f"log_{name}" for name in OF_P)
STATED = (
    *("stat", "score1", "score2", *OF_P, *LOGS, "interval", "alternative", "method"),
    *("metric", "metric_options", "n", "n_groups", "n_differing", "n_resamples", "seed"),
)


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
        on no lattice are a table of the format "pairedperm scores", which only `verify` reads. Its
        key "rounding" (float) is the relative error of the scores, if they were no float64.
        Also "pairedperm" (str, the version) and "result" (dict, the main keys of `to_dict`).

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
    table = _scores(rows, metric) if rows.no_lattice else None
    if table is None:
        table = counts_of(rows, metric).to_dict(labels=False)
    if rows.no_lattice or rows.decimals or rows.unit > 1:
        warn(
            "the table holds the scores of single examples, sorted, because they are real-valued",
            remedy="Publish it only if these scores may be known",
        )
    found = result.to_dict()
    return table | {"pairedperm": __version__, "result": {name: found[name] for name in STATED}}


def _scores(rows: Rows, metric: Metric | None) -> dict[str, Any]:
    """Return the table of both systems' scores, sorted."""
    if rows.groups is not None or rows.rows1.ndim > 1 or not isinstance(metric, MeanScore | None):
        raise InputError(
            *(Name("result"), " is of numbers that lie on no lattice, ", rows.no_lattice),
            remedy=("only single scores without groups have a table then", ON_A_LATTICE),
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
    if rows.rounding != OF_FLOAT64:
        table[ROUNDING] = rows.rounding
    return table | {"sha256": digest_of_scores(table)}


def digest_of_scores(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a table of scores."""
    return digest_of(table, (*SCORE_KEYS, *(x for x in (ROUNDING,) if x in table)))
