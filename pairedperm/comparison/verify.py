"""The check of a published p-value: another engine recomputes it from its table."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from pairedperm.comparison.publish import OF_P
from pairedperm.comparison.published import Published, read_published
from pairedperm.errors import BudgetError, InputError, NoLatticeError, shown
from pairedperm.options import Options, is_number, is_whole, read_options
from pairedperm.permutation.run import decide, pose, run
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.sampled import ENOUGH, sampled_share
from pairedperm.results.sentence import format_pvalue
from pairedperm.results.verification import Status, Verification

_ENGINES = ("rational", "enumeration", "dp", "fft", "bracket", "exact")  # the strictest first
_SECONDS = 60.0  # tuned: seconds that an engine may take
_NARROW = 1e-6  # tuned: relative width of p's interval that needs no other engine
_SAME = 1e-12  # proof: relative rounding error of a score
_NEAR = 1e-9  # proof: the largest error of log p of a certified p
_LEAST = 1e-300  # proof: larger ends of an interval are floats with all digits
_N_SAMPLES, _SEED = 10**5, 27  # tuned: if only sampling fits
_COMPARED = ("stat", "score1", "score2", "n", "n_groups", "n_differing")


def verify(
    published: str | os.PathLike[str] | Mapping[str, Any], *, sha256: str | None = None
) -> Verification:
    """Does a published p-value follow from its table?

    Another engine than the stated one recomputes p: as a fraction of integers if this takes less
    than a minute, otherwise by another exact engine. If no other engine fits, the stated one runs
    again. The scores and counts are compared too.

    Parameters
    ----------
    published : path-like or dict
        The dict that `publish` returned, or a file that ``pairedperm compare --counts`` wrote.
    sha256 : str or None
        The SHA-256 digest of the table, for instance from a model card. A table with another digest
        is refused. None: only the digest in the table itself is checked.

    Returns
    -------
    Verification
        To print; `status` is "confirmed", "consistent" or "refuted".

    Raises
    ------
    InputError
        If the file cannot be read or holds no such table. If the table was altered: its SHA-256
        differs from the one that it states, or from `sha256`.

    Notes
    -----
    The fraction needs python-flint (extra ``rational``). The interval of a sampled p
    contains the true p for 99 % of all samples, so 1 % of honest sampled results are refuted.

    Examples
    --------
    >>> from pairedperm import compare, publish, verify
    >>> found = verify(publish(compare([1, 1, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1])))
    >>> found.status, found.result.pvalue
    ('confirmed', 0.625)
    """
    table = read_published(published, sha256)
    stated, again = table.stated, _recomputed(table)
    differing = [*_differing(stated, again.to_dict()), *_contradictions(stated, again)]
    status: Status = "refuted" if differing else _status(stated, again)
    if status == "refuted" and not differing:
        differing = [f"p is {format_pvalue(again.log_pvalue, 6)}, outside of the stated interval"]
    same_engine = again.method == stated["method"]
    return Verification(status, tuple(differing), stated, again, same_engine, table.sha256)


def _recomputed(table: Published) -> PairedPermutationResult:
    """Recompute p by the strictest engine that fits; the stated engine comes last."""
    best: PairedPermutationResult | None = None
    method = table.stated["method"]
    for name in (*(x for x in _ENGINES if x != method), method):
        if best is not None and (name == method or _width(best) <= _NARROW):
            break
        try:
            found = _run(table, _options(table.stated, name))
        except (BudgetError, InputError, NoLatticeError, ImportError):
            continue  # the engine does not fit, or is not installed
        if found is not None and (best is None or _width(found) < _width(best)):
            best = found
    if best is not None:
        return best
    return run(table.rows, table.score, table.metric, _options(table.stated, "monte_carlo"))


def _options(stated: Mapping[str, Any], method: str) -> Options:
    """Return the options of an engine; samples get another seed than the stated one."""
    others: dict[str, Any] = {}
    if method == "monte_carlo":
        others = {"n_resamples": _N_SAMPLES, "rng": _SEED + (stated["seed"] == _SEED)}
    return read_options(alternative=stated["alternative"], method=method, **others)


def _run(table: Published, options: Options) -> PairedPermutationResult | None:
    """Run the test, or return None if it takes too long."""
    if decide(pose(table.rows, table.score, options.alternative), options).seconds > _SECONDS:
        return None
    return run(table.rows, table.score, table.metric, options)


def _width(found: PairedPermutationResult) -> float:
    """Return the width of the interval of log p, which is the relative width for p."""
    low, high = found.log_pvalue_interval
    return 0.0 if found.fraction is not None else high - low


def _differing(stated: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """List the numbers other than p that are not as stated."""
    names = [name for name in _COMPARED if not _same(stated[name], found[name])]
    names += [name for name in ("metric", "metric_options") if stated[name] != found[name]]
    return [
        f"{name} is {shown(found[name])} and was stated as {shown(stated[name])}" for name in names
    ]


def _contradictions(stated: Mapping[str, Any], again: PairedPermutationResult) -> list[str]:
    """List contradictions within the stated p and its interval, and with the recomputed p."""
    found = [*_inconsistent(stated)]
    low, high = again.log_pvalue_interval
    is_near = low - _NEAR <= stated["log_p"] <= high + _NEAR
    is_end = stated["log_p"] >= stated["log_p_high"] - _NEAR
    if not found and stated["interval"] == "certified" and not (is_near or is_end):
        p = format_pvalue(again.log_pvalue, 6)
        return [f"p is {p} and was stated as {shown(stated['p'])}"]
    return found


def _inconsistent(stated: Mapping[str, Any]) -> Iterator[str]:
    """Yield contradictions within the stated p and its interval."""
    for name in OF_P:
        p, log_p = stated[name], stated[f"log_{name}"]
        is_log = log_p <= math.log(_LEAST)
        if p > _LEAST:
            is_log = math.isclose(math.log(p), log_p, abs_tol=_NEAR)
        if not is_log:
            yield f"log_{name} is not the logarithm of {name}"
    if not stated["log_p_low"] <= stated["log_p"] <= stated["log_p_high"]:
        yield "p is not in its interval"
    if stated["interval"] == "confidence" and not _is_of_samples(stated):
        yield f"the interval is not that of p after {shown(stated['n_resamples'])} samples"


def _is_of_samples(stated: Mapping[str, Any]) -> bool:
    """Return True if the interval is the one of this p and number of samples."""
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
    """Compare the recomputed interval of p with the stated one."""
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
