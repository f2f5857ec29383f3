"""The table of distinct pairs that a result follows from: published and read again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

import numpy as np

from pairedperm.errors import InputError, warn
from pairedperm.errors.wording import Name, describe, shown
from pairedperm.inputs.files import RemotePath, located, open_plain, why, without_keys
from pairedperm.options import Method
from pairedperm.options.constraints import OneOf
from pairedperm.results import __version__
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import versioned
from pairedperm.results.schema import KINDS, STATED
from pairedperm.scoring import MeanScore
from pairedperm.scoring.arguments import ON_A_LATTICE, counts_of, of_metric, read_counts
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score
from pairedperm.scoring.stored_rows import (
    FORMAT,
    digest_of_counts,
    read_digest,
    read_json,
)

_MOST = 2**50  # tuned: some engines never end on a stranger's table of more examples
_AS_WRITTEN = "Give the file as `pairedperm compare --counts` wrote it"
_METHOD = OneOf(tuple(x for x in get_args(Method) if x != "auto"))


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
        are_single = rows.groups is None and rows.rows1.ndim == 1
        if not are_single or not isinstance(metric, MeanScore | None):
            raise InputError(
                *(Name("result"), " is of numbers that lie on no lattice, ", rows.no_lattice),
                remedy=("only single scores without groups have a table then", ON_A_LATTICE),
            )
        order = np.lexsort((rows.rows2, rows.rows1))
        rows = rows.having(rows1=rows.rows1[order], rows2=rows.rows2[order])
        counts = PairedCounts.of(of_metric(rows, metric))
    else:
        counts = counts_of(rows, metric)
    if rows.no_lattice or rows.unit > 1:
        warn(
            "the table holds the scores of single examples, sorted, because they are real-valued",
            remedy="Publish it only if these scores may be known",
        )
    keys = result.to_dict()
    stated = versioned({name: keys[name] for name in STATED})
    return counts.to_dict(labels=False) | {"pairedperm": __version__, "result": stated}


class Published(NamedTuple):
    """The published rows, their score and metric, the digest of the table, and the result."""

    rows: Rows
    score: Score
    metric: Metric | None
    sha256: str
    stated: dict[str, Any]


def read_published(published: Any, sha256: Any) -> Published:
    """Read a file or a dict, and check the digest of its table.

    Raises
    ------
    InputError
        If it cannot be read, is no such table, or was altered.
    """
    expected = None if sha256 is None else read_digest(sha256)
    content = _content(published)
    table = _read_table(content)
    for digest in (content.get("sha256"), expected):
        if digest is not None and digest != table[3]:
            digests = f"the SHA-256 of its table is {table[3]}, and not {shown(digest)}"
            remedy = digests, "Ask for the table anew"
            raise InputError(Name("published"), " was altered", remedy=remedy)
    stated = KINDS["published_result"].read("result", content.get("result") or {})
    _METHOD.read("result", stated["method"], ("method",))
    return Published(*table, stated)


def _content(published: Any) -> Mapping[str, Any]:
    """Return the content of a file, or a dict as it is."""
    if isinstance(published, Mapping):
        return published
    if not isinstance(published, (str, os.PathLike, RemotePath)):
        must = "be the path of a file, or a dict"
        raise InputError(Name("published"), must=must, got=describe(published))
    path: Any = published
    try:
        path = located(published)
        with open_plain(path) as file:
            content = read_json(file.read().decode("utf-8"))
    except Exception as error:  # of the file, of its JSON, or of fsspec
        where, reason = map(without_keys, (str(path), why(error)))
        what = f", {shown(where)}, cannot be read: {reason}"
        raise InputError(Name("published"), what, remedy=_AS_WRITTEN) from error
    if not isinstance(content, dict):
        must, got = "hold a JSON object", describe(content)
        what = f", {shown(str(path))},"
        raise InputError(Name("published"), what, must=must, got=got, remedy=_AS_WRITTEN)
    return content


def _read_table(content: Mapping[str, Any]) -> tuple[Rows, Score, Metric | None, str]:
    """Return the rows, score, metric and digest of the table."""
    if content.get("format") != FORMAT:
        raise InputError(
            Name("published"),
            must=f"be a table of the format {FORMAT!r}, as `pairedperm compare --counts` writes it",
            got=f"the format {shown(content.get('format'))}",
        )
    counts = PairedCounts.from_dict(content)
    if not counts.n:
        remedy = "there is nothing to recompute"
        raise InputError(Name("published"), " has an empty table", remedy=remedy)
    if counts.n > _MOST:
        what, remedy = f" has {counts.n:.3g} examples, too many to recompute", "at most 2^50 are"
        raise InputError(Name("published"), what, remedy=remedy)
    if counts.metric is None and counts.rows1.ndim > 1:
        what = " has rows of several numbers, and names no metric"
        raise InputError(Name("published"), what, remedy="they have no score then")
    return *read_counts("published", counts), digest_of_counts(content)
