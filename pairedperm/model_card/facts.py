"""The facts of a result that a card reports, checked."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, describe, shown
from pairedperm.population.difference import DifferenceInterval
from pairedperm.results.bootstrap_result import ConfidenceInterval, PairedBootstrapResult
from pairedperm.results.equivalence_result import EquivalenceResult
from pairedperm.results.figures import Figures
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.report import Plan
from pairedperm.results.result import PairedResult
from pairedperm.results.schema import contradictions, read_test
from pairedperm.results.sentence import is_utf8
from pairedperm.results.suite_result import SuiteResult
from pairedperm.scoring.metric import read_metric, stored_metric

_UNSAID = {  # by results of permutations, and of version 0.1
    "test": "permutation",
    "n_ignored": 0,
    **dict.fromkeys(("n_resamples", "confidence_level", "metric_options", "seed", "n_groups")),
}
_ROUNDED = 0.01  # tuned: relative rounding of p that a dict may have
_NUMBER = re.compile(
    r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)\s*(%?)\s*(?:\Z|±|\+|\()", re.I
)
_TENTH = Decimal("0.1")
_FLOAT32 = Decimal(2) ** -23  # proof: twice the relative rounding of what libraries report


def results_by_split(result: Any) -> dict[str | None, Any]:
    """Return each result by its split, or a single result by None.

    A `PipelineComparison` stands for its result.

    Raises
    ------
    InputError
        If a dict of splits is empty, or an entry is no result. If one of its keys is no text, or
        two are the same in one line.
    """
    result = _itself(result)
    if not isinstance(result, Mapping) or _is_one(result):
        return {None: result}
    if not result:
        raise InputError(Name("result"), " is an empty dict", remedy="it holds no comparison")
    if not any(map(_is_one, result.values())):
        return {None: result}
    results: dict[str | None, Any] = {}
    for split, one in result.items():
        name = " ".join(_split(split).split())
        if name in results:
            what = f" has two splits that read {shown(name)} in one line"
            raise InputError(Name("result"), what, remedy="rename one of them")
        if not _is_one(one):
            raise InputError(
                Name("result", (split,)),
                must="be one result of a test",
                got=describe(one),
                remedy=_hint(one),
            )
        results[name] = _itself(one)
    return results


def _itself(result: Any) -> Any:
    """Return the result of a `PipelineComparison`; another value is its own."""
    return getattr(result, "result", result)


def _is_one(value: Any) -> bool:
    """Return whether a value may be one result; a split may be called "stat"."""
    value = _itself(value)
    if isinstance(value, Mapping) and "stat" in value:
        stat = _itself(value["stat"])
        return not isinstance(stat, (Mapping, PairedResult, EquivalenceResult))
    return isinstance(value, (PairedResult, EquivalenceResult))


def _split(split: Any) -> str:
    """Return the name of a split."""
    name = str(split) if isinstance(split, str) else ""  # datasets has a kind of its own
    if not name.strip() or not is_utf8(name):
        accepted = "be a name, as text"
        raise InputError(Name("result"), ": a split", must=accepted, got=describe(split))
    return name


def facts(result: Any) -> dict[str, Any]:
    """Return what there is to report, under the keys of the `evaluate` modules, and "test".

    A permutation test has the interval of the difference where its alternative is two-sided. The
    logarithm of a bootstrap's p = 0 is None.

    Raises
    ------
    InputError
        If this is no result of a test.
    """
    if not isinstance(result, Mapping) or "stat" not in result:
        lacks = ", without 'stat'" if isinstance(result, Mapping) else ""
        is_board = _has_several(result)
        raise InputError(
            Name("result"),
            must="be a result of a test, what `compute` of paired_perm or paired_bootstrap "
            "returned, or a dict of these by split",
            got=f"a {type(result).__name__}" if is_board else Parts(describe(result), lacks),
            remedy=_hint(result),
        )
    found: dict[str, Any] = _UNSAID | read_test(result)
    for said in contradictions(found, _ROUNDED):
        raise InputError(Name("result"), f": {said}", remedy="Pass it as `compute` returned it")
    if found.get("margin") is not None:
        _check_direction(found)
    return found


def _has_several(result: Any) -> bool:
    """Tell whether an object holds several tests."""
    return isinstance(result, (Leaderboard, SuiteResult))


def _hint(result: Any) -> str:
    """Return what to do with several tests: of a leaderboard, or from `evaluate.combine`."""
    if _has_several(result):
        return "Put its `to_markdown()` into the card: it has several tests, and adjusts p."
    for key in result if isinstance(result, Mapping) else ():
        if str(key).endswith("_stat"):
            return f"Pass one result of the combined, without {str(key)[:-4]!r} in its keys."
    return ""


def _check_direction(found: Mapping[str, Any]) -> None:
    """Check that it is known whether lower is better."""
    if found["metric"] is not None:
        try:
            read_metric(found["metric"], **(found["metric_options"] or {}))
        except (InputError, TypeError) as error:
            name = shown(found["metric"])
            what = f", {name}, is unknown in this version or has other options here"
            why = "Whether lower is better is then not known, so no statement on a margin "
            remedy = f"{why}can be made", "Use the version that made the result"
            raise InputError(Name("result", ("metric",)), what, remedy=remedy) from error


def check_value(argument: str, value: str, figures: Figures) -> None:
    """Check that a published value is a rounding of the score of system 1, at its own digits."""
    score = figures.score1
    if score is not None and _is_rounding(value, score, figures.unit.name):
        return
    tested = "has no scores" if score is None else f"has a score of {score!r} for system 1"
    how = "Correct the value, or pass the result of the predictions that it is of, or leave "
    raise InputError(
        Name(argument),
        f": the value is {shown(value.strip())}, and ",
        Name("result"),
        f" {tested}, so p is not known to be of this value",
        remedy=Parts(how, Name(argument), " out"),
    )


def _is_rounding(value: str, score: float, unit: str) -> bool:
    """Tell whether a value is the score, as a share or in percent, rounded to the value's digits.

    A half may be rounded either way. A share of 0.83 is not rounded to 1.
    """
    match = _NUMBER.match(value)
    if match is None:
        return False
    number = Decimal(match[1])
    half = Decimal(1).scaleb(int(number.as_tuple().exponent)) / 2
    share, percent = (Decimal("0.01"), 1) if unit == "points" else (1, 100)
    for scale in (percent,) if match[2] else (share, percent):
        tested = Decimal(score) * scale
        most = min(half, _TENTH / 2) if unit and scale == share else half
        if abs(number - tested) <= most + _FLOAT32 * abs(tested):
            return True
    return False


Reported = PairedResult | EquivalenceResult
_AS_THEY_ARE = (
    *("score1", "score2", "alternative", "method", "n", "n_differing", "n_groups"),
    *("n_resamples", "n_ignored", "seed"),
)


def read_result(result: Any) -> Reported:
    """Return a result, or the one that a dict of `to_dict` tells, without its rows.

    Raises
    ------
    InputError
        If it is neither.
    """
    if isinstance(result, Reported):
        return result
    found = facts(result)
    test = _of_draws(found) if found["test"] == "bootstrap" else _of_swaps(found)
    if found.get("margin") is None:
        return test
    assert isinstance(test, PairedPermutationResult)
    interval = _interval(found)
    return EquivalenceResult(test, found["margin"], found["alpha"], *interval)


def test_of(result: Reported) -> PairedResult:
    """Return the test that an equivalence test holds; another result is its own."""
    return result.test if isinstance(result, EquivalenceResult) else result


def _of_swaps(found: Mapping[str, Any]) -> PairedPermutationResult:
    ends, level = (found.get("stat_low"), found.get("stat_high")), None
    intervals: dict[float, DifferenceInterval] = {}
    if ends != (None, None):
        level = found["confidence_level"]
        intervals = {level: _interval(found)}
    more: Any = {"confidence_level": level, "fraction": None, "_problem": None}
    return PairedPermutationResult(**_common(found), **more, _intervals=intervals)


def _of_draws(found: Mapping[str, Any]) -> PairedBootstrapResult:
    names = ("confidence", "stat"), ("score1", "score1"), ("score2", "score2")
    intervals: Any = {
        f"{name}_interval": ConfidenceInterval(found[f"{key}_low"], found[f"{key}_high"])
        for name, key in names
    }
    more: Any = {"confidence_level": found["confidence_level"], "ties": found["ties"]}
    return PairedBootstrapResult(**_common(found), **intervals, **more)


def _common(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that both tests have; p has an interval if it is no exact one."""
    has_interval = found["n_resamples"] is not None or found["method"] == "bracket"
    names = ("log_p", "log_p_low", "log_p_high") if has_interval else ("log_p",) * 3
    log_p, low, high = (-math.inf if found[x] is None else found[x] for x in names)
    return {name: found[name] for name in _AS_THEY_ARE} | {
        "statistic": found["stat"],
        "pvalue": found["p"],
        "log_pvalue": log_p,
        "pvalue_interval": (math.exp(low), math.exp(high)),
        "log_pvalue_interval": (low, high),
        "interval": "certified" if found["n_resamples"] is None else "confidence",
        "plan": Plan(found["method"], 0, None, 0, 0, 0.0, "it was stored"),
        "_metric": stored_metric(found["metric"], found["metric_options"]),
        "_evidence": None,
    }


def _interval(found: Mapping[str, Any]) -> DifferenceInterval:
    """Return the interval of the difference; None in a dict is an infinite end."""
    low, high = found["stat_low"], found["stat_high"]
    ends = -math.inf if low is None else low, math.inf if high is None else high
    return DifferenceInterval(*ends, found["stat_interval"])
