"""Reading a published result: the rows of its table and the stated numbers, checked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pairedperm.comparison.publish import (
    OF_FLOAT64,
    ROUNDING,
    SCORES,
    VERSION,
    digest_of_scores,
)
from pairedperm.constraints import Interval, OneOf
from pairedperm.errors import InputError
from pairedperm.inputs.files import check_regular, why
from pairedperm.options import Method
from pairedperm.results.schema import KINDS
from pairedperm.scoring.added import as_floats
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.digest import read_digest
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.metric_counts import read_counts
from pairedperm.scoring.stored_counts import FORMAT, read_json
from pairedperm.scoring.waist import Rows, Score
from pairedperm.shown import shown
from pairedperm.wording import Name, called, describe

_MOST = 2**50  # tuned: some engines never end on a stranger's table of more examples
# proof: the relative rounding of Decimals, and of float16
_ROUNDING = Interval(2.0**-53, 2.0**-9, words="a number from 2^-53 to 2^-9")
_ENGINE = OneOf(tuple(x for x in get_args(Method) if x != "auto"))


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
    found = _read(published)
    table = _table(found)
    for stated in (found.get("sha256"), expected):
        if stated is not None and stated != table[3]:
            digests = f"the SHA-256 of its table is {table[3]}, and not {shown(stated)}"
            remedy = digests, "Ask for the table anew"
            raise InputError(Name("published"), " was altered", remedy=remedy)
    stated = KINDS["published_result"].read("result", found.get("result") or {})
    _ENGINE.read("result", stated["method"], ("method",))
    return Published(*table, stated)


def _read(published: Any) -> Mapping[str, Any]:
    """Return the content of a file, or a dict as it is."""
    if isinstance(published, Mapping):
        return published
    if not isinstance(published, (str, os.PathLike)):
        must = "be the path of a file, or a dict"
        raise InputError(Name("published"), must=must, got=describe(published))
    where = shown(str(published))
    try:
        path = Path(published)
        check_regular(path)
        found = read_json(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        what = f", {where}, cannot be read: {why(error)}"
        raise InputError(Name("published"), what) from error
    if not isinstance(found, dict):
        must, got = "hold a JSON object", describe(found)
        raise InputError(Name("published"), f", {where},", must=must, got=got)
    return found


def _table(found: Mapping[str, Any]) -> tuple[Rows, Score, Metric | None, str]:
    """Return the rows, score, metric and digest of the table."""
    if found.get("format") != SCORES:
        if found.get("format") != FORMAT:
            raise InputError(
                Name("published"),
                must=f"be a table of the format {FORMAT!r} or {SCORES!r}, as `pairedperm compare "
                "--counts` writes it",
                got=f"the format {shown(found.get('format'))}",
            )
        counts = PairedCounts.from_dict(found)
        if not counts.n:
            remedy = "there is nothing to recompute"
            raise InputError(Name("published"), " has an empty table", remedy=remedy)
        if counts.n > _MOST:
            what = f" has {counts.n:.3g} examples, too many to recompute"
            raise InputError(Name("published"), what)
        if counts.metric is None and counts.rows1.ndim > 1:
            what = " has rows of several numbers, and names no metric"
            raise InputError(Name("published"), what)
        return *read_counts("published", counts), counts.sha256
    if found.get("version") != VERSION:
        what = f" has the version {shown(found.get('version'))}, and this release reads {VERSION}"
        remedy = "Install the release of pairedperm that wrote it"
        raise InputError(Name("published"), what, remedy=remedy)
    options = found.get("metric_options") or {}
    if not isinstance(options, dict):
        raise InputError(Name("metric_options"), must="be a dict or null", got=describe(options))
    try:
        metric = read_metric(found.get("metric") or "mean_score", **options)
    except TypeError as error:
        raise InputError(Name("metric_options"), f" cannot be used: {error}") from error
    if metric.has_references:
        what = f" has scores, but {metric.name!r} is no metric of scores"
        raise InputError(Name("published"), what)
    rows, sha256 = _scores(found, metric), digest_of_scores(found)
    return rows, metric.score(rows), metric if found.get("metric") else None, sha256


def _scores(found: Mapping[str, Any], metric: Metric) -> Rows:
    """Return the scores of a table; with a stated rounding they are no decimals."""
    rounding = _ROUNDING.read(ROUNDING, found.get(ROUNDING, OF_FLOAT64))
    with called({"predictions1": Name("rows1"), "predictions2": Name("rows2")}):
        columns = metric.read((found.get("rows1"), found.get("rows2"), None))
        rows = metric.rows(*columns)
        if ROUNDING in found:
            rows = as_floats(rows, "the table states their rounding")
    return replace(rows, rounding=rounding) if rows.no_lattice else rows
