"""The check of a published p-value: another engine recomputes it from its table."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from pairedperm.comparison.publish import Published, read_published
from pairedperm.errors import BudgetError, InputError, NoLatticeError
from pairedperm.errors.wording import shown
from pairedperm.options import Options, read_options
from pairedperm.options.constraints import is_number, is_whole
from pairedperm.permutation.choose import decide, problem_of, run
from pairedperm.population.intervals import EXACT_INTERVAL, GUARANTEED, SCORE
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.sampled import ENOUGH, sampled_share
from pairedperm.results.schema import STATED, contradictions
from pairedperm.results.sentence import format_pvalue
from pairedperm.results.verification import Status, Verification

_ENGINES = ("enumeration", "dp", "fft", "bracket", "exact")  # the strictest first
_SECONDS = 60.0  # tuned: seconds that an engine may take
_NARROW = 1e-6  # tuned: relative width of p's interval that needs no other engine
_SAME = 1e-12  # proof: relative rounding error of a score
_ROUNDED = 1e-14  # proof: rounding error of a difference, relative to the larger score
_LOG_ERROR = 1e-9  # proof: the largest error of log p of a certified p
_LEAST = 1e-300  # proof: larger ends of an interval are floats with all digits
_N_SAMPLES, _SEED = 10**5, 27  # tuned: if only sampling fits
_LOOSE = {"fft": (1e-6, 0.0), "bracket": (0.0, 0.01)}  # tuned: absolute, relative error of p
_COMPARED = ("stat", "score1", "score2", "n", "n_groups", "n_differing", "metric", "metric_options")
_ENDS = ("stat_low", "stat_high")  # None is an infinite end
_DERIVED = 1e-6  # tuned: relative error of a number that is derived numerically


def verify(
    published: str | os.PathLike[str] | Mapping[str, Any], *, sha256: str | None = None
) -> Verification:
    """Does a published p-value follow from its table?

    Another engine than the stated one recomputes p: by enumeration if this takes less than
    a minute, otherwise by another exact engine. If no other engine fits, the stated one runs
    again. An exact p must be that of its engine, and its interval no wider. Scores, counts and
    whatever else the result claims are compared too, or named in `unchecked`.

    Parameters
    ----------
    published : path-like or dict
        The dict that `publish` returned, or the file or URL of a table that
        ``pairedperm compare --counts`` wrote.
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
    The interval of a sampled p contains the true p for 99 % of all samples, so 1 % of honest
    sampled results are refuted.

    Examples
    --------
    >>> from pairedperm import compare, publish, verify
    >>> found = verify(publish(compare([1, 1, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1])))
    >>> found.status, found.result.pvalue
    ('confirmed', 0.625)
    """
    table = read_published(published, sha256)
    stated, (again, own) = table.stated, _recomputed(table)
    differing, unchecked = _compared(stated, again)
    differing += [*_inconsistent(stated)] or [*_wrong_p(stated, again, own)]
    if own is None and stated["interval"] == "certified":
        unchecked += ["method", "p_low", "p_high"]
    status: Status = "refuted" if differing else _status(stated, again)
    if status == "refuted" and not differing:
        differing = [f"p is {format_pvalue(again.log_pvalue, 6)}, outside of the stated interval"]
    return Verification(
        status=status,
        differing=tuple(differing),
        unchecked=tuple(unchecked),
        stated={name: stated[name] for name in STATED},
        result=again,
        same_engine=again.method == stated["method"],
        sha256=table.sha256,
    )


def _recomputed(
    table: Published,
) -> tuple[PairedPermutationResult, PairedPermutationResult | None]:
    """Recompute p by the strictest engine that fits, and by the stated one if that is exact."""
    method = table.stated["method"]
    own = None if method == "monte_carlo" else _run(table, method)
    best: PairedPermutationResult | None = None
    for name in (x for x in _ENGINES if x != method):
        if best is not None and _width(best) <= _NARROW:
            break
        result = _run(table, name)
        if result is not None and (best is None or _width(result) < _width(best)):
            best = result
    best = best or own
    if best is None:
        best = run(table.rows, table.score, table.metric, _options(table.stated, "monte_carlo"))
    return best, own


def _options(stated: Mapping[str, Any], method: str) -> Options:
    """Return the options of an engine; samples get another seed than the stated one."""
    others: dict[str, Any] = {}
    if method == "monte_carlo":
        others = {"n_resamples": _N_SAMPLES, "rng": _SEED + (stated["seed"] == _SEED)}
    return read_options(alternative=stated["alternative"], method=method, **others)


def _run(table: Published, method: str) -> PairedPermutationResult | None:
    """Run an engine, or return None if it does not fit, or takes too long."""
    options = _options(table.stated, method)
    try:
        problem = problem_of(table.rows, table.score, options.alternative)
        if decide(problem, options).seconds > _SECONDS:
            return None
        return run(table.rows, table.score, table.metric, options)
    except (BudgetError, InputError, NoLatticeError):
        return None


def _width(result: PairedPermutationResult) -> float:
    """Return the width of the interval of log p, which is the relative width for p."""
    low, high = result.log_pvalue_interval
    return 0.0 if result.fraction is not None else high - low


def _compared(
    stated: Mapping[str, Any], again: PairedPermutationResult
) -> tuple[list[str], list[str]]:
    """List the numbers other than p that are not as stated, and the keys that cannot be told."""
    true, rounding = _true_keys(stated, again), _ROUNDED * max(abs(again.score1), abs(again.score2))
    errors = dict.fromkeys(("standard_error", *_ENDS), (_DERIVED, rounding))
    if again.statistic:  # a tie is decided in integers
        errors["stat"] = _SAME, rounding
    names, unchecked = [], []
    for name in (*_COMPARED, *(x for x in stated if x not in STATED)):
        value, truth = stated[name], true.get(name)
        if truth is None and name not in _COMPARED:
            unchecked += [] if value is None else [str(name)]
        elif value is None and name not in (*_COMPARED, *_ENDS):
            continue  # nothing is claimed
        elif not _same(value, truth, *errors.get(name, ())):
            names.append(name)
    if stated["interval"] == "confidence":
        unchecked.append("seed")
    differing = [f"{x} is {shown(true[x])} and was stated as {shown(stated[x])}" for x in names]
    return differing, unchecked


def _true_keys(stated: Mapping[str, Any], again: PairedPermutationResult) -> dict[str, Any]:
    """Return the recomputed result, with the interval of the difference unless it is sampled."""
    keys = again.to_dict()
    level, kind = stated.get("confidence_level"), stated.get("stat_interval")
    sample = again.evidence_for("interval").sample
    has_none = kind == EXACT_INTERVAL != sample.own_kind or (
        kind == GUARANTEED and not sample.has_range
    )
    if has_none:
        keys["stat_interval"] = sample.own_kind
    elif level is not None and kind in (EXACT_INTERVAL, GUARANTEED, SCORE):
        with suppress(InputError):  # there is no such interval
            interval = again.confidence_interval(level, kind=kind)
            ends = {"stat_low": interval.low, "stat_high": interval.high}
            keys |= {**ends, "stat_interval": kind, "confidence_level": level}
    return keys


def _wrong_p(
    stated: Mapping[str, Any],
    again: PairedPermutationResult,
    own: PairedPermutationResult | None,
) -> Iterator[str]:
    """Yield what is wrong with an exact p, whatever its stated interval."""
    if stated["interval"] == "confidence":
        return
    low, high = (own or again).log_pvalue_interval
    absolute, relative = _LOOSE.get(stated["method"], (0.0, 0.0)) if own is None else (0.0, 0.0)
    near = _LOG_ERROR + relative + absolute / max(math.exp(high), _LEAST)
    least, most = math.exp(low - high) - near, high + math.log1p(near)
    ends = " to ".join(format_pvalue(x, 13) for x in (low, high))
    if stated["log_p"] > most or math.exp(stated["log_p"] - high) < least:
        yield f"p is {format_pvalue(again.log_pvalue, 6)} and was stated as {shown(stated['p'])}"
    elif stated["log_p_high"] > most or math.exp(min(stated["log_p_low"] - high, 0.0)) < least:
        yield f"p_low and p_high are {ends}, and were stated wider"


def _inconsistent(stated: Mapping[str, Any]) -> Iterator[str]:
    """Yield contradictions within the stated p, its interval and its method."""
    yield from contradictions(stated, _LOG_ERROR)
    if not stated["log_p_low"] <= stated["log_p"] <= stated["log_p_high"]:
        yield "p is not in its interval"
    is_sampled = stated["interval"] == "confidence"
    kind = "sampled" if is_sampled else "exact"
    if (stated["method"] == "monte_carlo") is not is_sampled:
        yield f"method is {stated['method']!r}, and interval is {stated['interval']!r}"
    for name in ("n_resamples", "seed"):
        if (stated[name] is None) is is_sampled:
            yield f"{name} is {shown(stated[name])} beside a p that is {kind}"
    if is_sampled and not _is_of_samples(stated):
        yield f"the interval is not that of p after {shown(stated['n_resamples'])} samples"


def _is_of_samples(stated: Mapping[str, Any]) -> bool:
    """Return True if the interval is the one of this p and number of samples."""
    m, p, n = stated["n_resamples"], stated["p"], stated["n_differing"]
    if not is_whole(m) or m < 1 or not 0.0 < p <= 1.0:
        return False
    shares = [sampled_share(round(p * (m + 1)) - 1, m, 0)]
    if m > ENOUGH:
        shares.append(sampled_share(ENOUGH, m, 0, is_last=True))
    least = min(math.ldexp(1.0, -min(n or 0, 2000)), p)  # the observed assignment is one of 2^n
    ends = ((x.value, x.low or least, x.high) for x in shares)
    return any(all(map(_same, (p, stated["p_low"], stated["p_high"]), x)) for x in ends)


def _same(stated: Any, true: Any, relative: float = _SAME, error: float = 0.0) -> bool:
    """Return whether two numbers agree within rounding, or other values are equal."""
    if is_number(stated) and is_number(true):
        if is_whole(true):
            return bool(stated == true)
        return math.isclose(stated, true, rel_tol=relative, abs_tol=error)
    return type(stated) is type(true) and bool(stated == true)


def _status(stated: Mapping[str, Any], again: PairedPermutationResult) -> Status:
    """Compare the recomputed interval of p with the stated one."""
    fraction = again.fraction
    if fraction is not None and fraction > _LEAST:
        is_within = Fraction(stated["p_low"]) <= fraction <= Fraction(stated["p_high"])
        return "confirmed" if is_within else "refuted"
    low, high = again.log_pvalue_interval
    if stated["log_p_low"] <= low and high <= stated["log_p_high"]:
        return "confirmed"
    meet = low <= stated["log_p_high"] and stated["log_p_low"] <= high
    return "consistent" if meet else "refuted"
