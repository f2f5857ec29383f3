"""A published p-value, recomputed from its table by another engine."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from pairedperm.comparison.publish import OF_P, SCORES, STATED, VERSION, with_sum
from pairedperm.errors import BudgetError, InputError, NoLatticeError, describe, shown
from pairedperm.inputs.files import check_regular, why
from pairedperm.options import Options, is_number, is_whole, read_options
from pairedperm.permutation.run import decide, pose, run
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.sampled import ENOUGH, sampled_share
from pairedperm.results.sentence import format_pvalue
from pairedperm.results.verification import Status, Verification
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.metric import Metric, read_metric
from pairedperm.scoring.metric_counts import read_counts
from pairedperm.scoring.stored_counts import FORMAT
from pairedperm.scoring.waist import Rows, Score

_ENGINES = ("rational", "enumeration", "dp", "fft", "bracket", "exact")  # the strictest first
_SECONDS = 60.0  # tuned: that an engine may take
_NARROW = 1e-6  # tuned: relative width of an interval of p after which no other engine is asked
_SAME = 1e-12  # proof: relatively, what rounding may change of a score
_NEAR = 1e-9  # proof: by which the logarithms of a certified p and the true one may differ
_LEAST = 1e-300  # proof: above which the ends of an interval are floats with all digits
_N_SAMPLES, _SEED = 10**5, 27  # tuned: where nothing but a sample fits
_COMPARED = ("stat", "score1", "score2", "n", "n_groups", "n_differing")


def verify(
    published: str | os.PathLike[str] | Mapping[str, Any], *, sha256: str | None = None
) -> Verification:
    """Does a published p-value follow from its table?

    p is recomputed by another engine than the one that gave it: as a fraction of integers where
    that takes less than a minute, otherwise by one that is exact as well. The scores and counts are
    compared too.

    Parameters
    ----------
    published : path-like or dict
        What `publish` returned, or ``pairedperm compare --counts`` wrote.
    sha256 : str or None
        Of the table, as a model card has it; another table is refused then.

    Returns
    -------
    Verification
        To print; `status` is "confirmed", "consistent" or "refuted".

    Raises
    ------
    InputError
        If the file cannot be read, is no such table, or was altered: its SHA-256 is not that which
        it states, or which was given.

    Notes
    -----
    The fraction needs python-flint (``pip install ".[rational]"``). A stated interval of a sampled
    p holds for 99 % of all samples: 1 % of honest ones are refuted.

    Examples
    --------
    >>> from pairedperm import compare, publish, verify
    >>> found = verify(publish(compare([1, 1, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1])))
    >>> found.status, found.result.pvalue
    ('confirmed', 0.625)
    """
    found = _read(published)
    table = _table(found)
    for stated in (found.get("sha256"), sha256):
        if stated is not None and stated != table.sha256:
            raise InputError(
                f"`published` was altered: the SHA-256 of its table is {table.sha256}, and not "
                f"{shown(stated)}. Ask for the table anew."
            )
    result = _stated(found.get("result"))
    again = _recomputed(table, result)
    differing = (*_differing(result, again.to_dict()), *_contradictions(result, again))
    status: Status = "refuted" if differing else _status(result, again)
    same_engine = again.method == result["method"]
    return Verification(status, differing, result, again, same_engine, table.sha256)


class _Table(NamedTuple):
    rows: Rows
    score: Score
    metric: Metric | None
    sha256: str


def _read(published: Any) -> Mapping[str, Any]:
    """The content of a file, or a dict as it is."""
    if isinstance(published, Mapping):
        return published
    if not isinstance(published, (str, os.PathLike)):
        raise InputError(
            f"`published` must be the path of a file, or a dict, got {describe(published)}."
        )
    where = shown(str(published))
    try:
        path = Path(published)
        check_regular(path)
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"`published`, {where}, cannot be read: {why(error)}.") from error
    if not isinstance(found, dict):
        raise InputError(f"`published`, {where}, must hold a JSON object, got {describe(found)}.")
    return found


def _table(found: Mapping[str, Any]) -> _Table:
    if found.get("format") != SCORES:
        if found.get("format") != FORMAT:
            raise InputError(
                f"`published` must be a table of the format {FORMAT!r} or {SCORES!r}, as "
                "`pairedperm compare --counts` writes it, got the format "
                f"{shown(found.get('format'))}."
            )
        counts = PairedCounts.from_dict(found)
        if not counts.n:
            raise InputError("`published` has an empty table: there is nothing to recompute.")
        if counts.metric is None and counts.rows1.ndim > 1:
            raise InputError("`published` has rows of several numbers, and names no metric.")
        return _Table(*read_counts("published", counts), counts.sha256)
    if found.get("version") != VERSION:
        raise InputError(
            f"`published` has the version {shown(found.get('version'))}, and this release reads "
            f"{VERSION}. Install the release of pairedperm that wrote it."
        )
    options = found.get("metric_options") or {}
    if not isinstance(options, dict):
        raise InputError(f"`metric_options` must be a dict or null, got {describe(options)}.")
    try:
        metric = read_metric(found.get("metric") or "mean_score", **options)
    except TypeError as error:
        raise InputError(f"`metric_options` cannot be used: {error}") from error
    if metric.has_references:
        raise InputError(f"`published` has scores, of which {metric.name!r} is no metric.")
    rows = metric.rows(*metric.read((found.get("rows1"), found.get("rows2"), None)))
    keys = ("format", "version", "metric", "metric_options", "rows1", "rows2")
    sha256: str = with_sum({key: found.get(key) for key in keys})["sha256"]
    return _Table(rows, metric.score(rows), metric if found.get("metric") else None, sha256)


def _stated(found: Any) -> dict[str, Any]:
    """What was stated, checked."""
    if not isinstance(found, Mapping) or any(name not in found for name in STATED):
        lacking = [x for x in STATED if not isinstance(found, Mapping) or x not in found]
        raise InputError(
            f"`result` of the table lacks {lacking[0]!r}: it must be what `to_dict` gave. Write "
            "the table with `pairedperm compare --counts`."
        )
    for name in OF_P:
        if not is_number(found[name]) or math.isnan(found[name]):
            raise InputError(
                f"`{name}` of the result must be a number, got {describe(found[name])}."
            )
    if found["interval"] not in ("certified", "confidence"):
        raise InputError(
            "`interval` of the result must be 'certified' or 'confidence', got "
            f"{describe(found['interval'])}."
        )
    return {name: found[name] for name in STATED}


def _recomputed(table: _Table, stated: Mapping[str, Any]) -> PairedPermutationResult:
    """By the strictest engine that fits, another than the one that gave p."""
    best: PairedPermutationResult | None = None
    others = [name for name in _ENGINES if name != stated["method"]]
    for name in (*others, stated["method"]):
        if best is not None and (name == stated["method"] or _width(best) <= _NARROW):
            break
        options = read_options(alternative=stated["alternative"], method=name, **_sampling(name))
        try:
            found = _run(table, options)
        except (BudgetError, InputError, NoLatticeError, ImportError):
            continue  # what cannot be used here, or is not installed
        if found is not None and (best is None or _width(found) < _width(best)):
            best = found
    if best is None:
        sampled = read_options(
            alternative=stated["alternative"], method="monte_carlo", **_sampling("monte_carlo")
        )
        best = run(table.rows, table.score, table.metric, sampled)
    return best


def _sampling(name: str) -> dict[str, Any]:
    return {"n_resamples": _N_SAMPLES, "rng": _SEED} if name == "monte_carlo" else {}


def _run(table: _Table, options: Options) -> PairedPermutationResult | None:
    """None if it takes too long."""
    if decide(pose(table.rows, table.score, options.alternative), options).seconds > _SECONDS:
        return None
    return run(table.rows, table.score, table.metric, options)


def _width(found: PairedPermutationResult) -> float:
    """Of the interval of log p, which is the relative one of p."""
    low, high = found.log_pvalue_interval
    return 0.0 if found.fraction is not None else high - low


def _differing(stated: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """What is not as stated, beside p."""
    return [
        f"{name} is {found[name]} and was stated as {describe(stated[name])}"
        for name in _COMPARED
        if not _same(stated[name], found[name])
    ] + [
        f"{name} is {shown(found[name])} and was stated as {shown(stated[name])}"
        for name in ("metric", "metric_options")
        if stated[name] != found[name]
    ]


def _contradictions(stated: Mapping[str, Any], again: PairedPermutationResult) -> Iterator[str]:
    """What in the stated p and its interval does not fit together, or is not what p can be."""
    for name in ("p", "p_low", "p_high"):
        p, log_p = stated[name], stated[f"log_{name}"]
        if p > 1.0 or (p > _LEAST and not math.isclose(math.log(p), log_p, abs_tol=_NEAR)):
            yield f"log_{name} is not the logarithm of {name}"
    if not stated["log_p_low"] <= stated["log_p"] <= stated["log_p_high"]:
        yield "p is not in its interval"
    if stated["interval"] == "confidence":
        if not _is_of_samples(stated):
            yield f"the interval is not that of p after {shown(stated['n_resamples'])} samples"
        return
    low, high = again.log_pvalue_interval
    is_near = low - _NEAR <= stated["log_p"] <= high + _NEAR
    if not is_near and stated["log_p"] < stated["log_p_high"] - _NEAR:  # no upper end either
        yield f"p is {format_pvalue(again.log_pvalue)} and was stated as {describe(stated['p'])}"


def _is_of_samples(stated: Mapping[str, Any]) -> bool:
    """Whether the interval is that of so many samples with this p."""
    m, p = stated["n_resamples"], stated["p"]
    if not is_whole(m) or m < 1 or not 0.0 < p <= 1.0:
        return False
    shares = [sampled_share(round(p * (m + 1)) - 1, m, 0)]
    if m > ENOUGH:
        shares.append(sampled_share(ENOUGH, m, 0, is_last=True))
    ends = ((x.value, x.low, x.high) for x in shares)
    return any(all(map(_same, (p, stated["p_low"], stated["p_high"]), found)) for found in ends)


def _same(stated: Any, found: Any) -> bool:
    if not is_number(stated) or not is_number(found):
        return bool(stated is None and found is None)
    return math.isclose(stated, found, rel_tol=_SAME, abs_tol=_SAME)


def _status(stated: Mapping[str, Any], again: PairedPermutationResult) -> Status:
    """Whether the recomputed interval of p is in the stated one, or meets it."""
    fraction = again.fraction
    if fraction is not None and fraction > _LEAST:
        is_within = Fraction(stated["p_low"]) <= fraction <= Fraction(stated["p_high"])
        return "confirmed" if is_within else "refuted"
    low, high = again.log_pvalue_interval
    if stated["log_p_low"] <= low and high <= stated["log_p_high"]:
        return "confirmed"
    return (
        "consistent" if low <= stated["log_p_high"] and stated["log_p_low"] <= high else "refuted"
    )
