"""The results that a card reports, as objects, stored dicts or splits; and their values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, get_args

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, describe, shown
from pairedperm.population.intervals import PERCENTILE, ConfidenceInterval
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.results.equivalence_result import EquivalenceResult
from pairedperm.results.figures import Figures
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.report import Plan
from pairedperm.results.result import PairedResult
from pairedperm.results.schema import contradictions, read_test
from pairedperm.results.sentence import is_utf8
from pairedperm.results.suite_result import SuiteResult
from pairedperm.scoring.stored_rows import UnknownMetric, stored_metric

Reported = PairedResult | EquivalenceResult
_BOARDS = Leaderboard, SuiteResult  # of several tests
_UNSAID = {  # by results of permutations, or by a dict that was cut
    "test": "permutation",
    "n_ignored": 0,
    **dict.fromkeys(("n_resamples", "confidence_level", "metric_options", "seed", "n_groups")),
}
_AS_THEY_ARE = (
    *("score1", "score2", "alternative", "method", "n", "n_differing", "n_groups"),
    *("n_resamples", "n_ignored", "seed"),
)
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
        name = str(split) if isinstance(split, str) else ""  # datasets has a kind of its own
        if not name.strip() or not is_utf8(name):
            accepted = "be a name, as text"
            raise InputError(Name("result"), ": a split", must=accepted, got=describe(split))
        name = " ".join(name.split())
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
        return not isinstance(_itself(value["stat"]), (Mapping, *get_args(Reported)))
    return isinstance(value, Reported)


def read_result(result: Any) -> Reported:
    """Return a result, or the one that a dict of `to_dict` or `compute` tells, without its rows.

    Raises
    ------
    InputError
        If it is neither, or what the dict says is no result or contradicts itself.
    """
    if isinstance(result, Reported):
        return result
    if not isinstance(result, Mapping) or "stat" not in result:
        lacks = ", without 'stat'" if isinstance(result, Mapping) else ""
        is_board = isinstance(result, _BOARDS)
        raise InputError(
            Name("result"),
            must="be a result of a test, what `compute` of paired_perm or paired_bootstrap "
            "returned, or a dict of these by split",
            got=f"a {type(result).__name__}" if is_board else Parts(describe(result), lacks),
            remedy=_hint(result),
        )
    stored: dict[str, Any] = _UNSAID | read_test(result)
    for contradiction in contradictions(stored, _ROUNDED):
        what = f": {contradiction}"
        raise InputError(Name("result"), what, remedy="Pass it as `compute` returned it")
    if stored["test"] == "bootstrap":
        return _of_draws(stored)
    test = _of_swaps(stored)
    if stored.get("margin") is None:
        return test
    if isinstance(stored_metric(stored["metric"], stored["metric_options"]), UnknownMetric):
        what = f", {shown(stored['metric'])}, is unknown in this version or has other options here"
        why = "Whether lower is better is then not known, so no statement on a margin "
        remedy = f"{why}can be made", "Use the version that made the result"
        raise InputError(Name("result", ("metric",)), what, remedy=remedy)
    return EquivalenceResult(test, stored["margin"], stored["alpha"], _interval(stored))


def test_of(result: Reported) -> PairedResult:
    """Return the test that an equivalence test holds; another result is its own."""
    return result.test if isinstance(result, EquivalenceResult) else result


def _hint(result: Any) -> str:
    """Return what to do with several tests: of a leaderboard, or from `evaluate.combine`."""
    if isinstance(result, _BOARDS):
        return "Put its `to_markdown()` into the card: it has several tests, and adjusts p."
    for key in result if isinstance(result, Mapping) else ():
        if str(key).endswith("_stat"):
            return f"Pass one result of the combined, without {str(key)[:-4]!r} in its keys."
    return ""


def _of_swaps(stored: Mapping[str, Any]) -> PairedPermutationResult:
    ends, level = (stored.get("stat_low"), stored.get("stat_high")), None
    intervals: dict[tuple[float, str], ConfidenceInterval] = {}
    if ends != (None, None):
        level = stored["confidence_level"]
        intervals = {(level, "auto"): _interval(stored)}
    more: Any = {"confidence_level": level, "fraction": None, "_problem": None}
    return PairedPermutationResult(**_common(stored), **more, _intervals=intervals)


def _of_draws(stored: Mapping[str, Any]) -> PairedBootstrapResult:
    names = {"stat": "_difference", "score1": "score1", "score2": "score2"}
    intervals: Any = {
        f"{name}_interval": ConfidenceInterval(stored[f"{x}_low"], stored[f"{x}_high"], PERCENTILE)
        for x, name in names.items()
    }
    more: Any = {"confidence_level": stored["confidence_level"], "ties": stored["ties"]}
    return PairedBootstrapResult(**_common(stored), **intervals, **more)


def _common(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that both tests have; p has an interval if it is no exact one."""
    has_interval = stored["n_resamples"] is not None or stored["method"] == "bracket"
    names = ("log_p", "log_p_low", "log_p_high") if has_interval else ("log_p",) * 3
    log_p, low, high = (-math.inf if stored[x] is None else stored[x] for x in names)
    return {name: stored[name] for name in _AS_THEY_ARE} | {
        "statistic": stored["stat"],
        "pvalue": stored["p"],
        "log_pvalue": log_p,
        "pvalue_interval": (math.exp(low), math.exp(high)),
        "log_pvalue_interval": (low, high),
        "interval": "certified" if stored["n_resamples"] is None else "confidence",
        "plan": Plan(stored["method"], 0, None, 0, 0, 0.0, "it was stored"),
        "_metric": stored_metric(stored["metric"], stored["metric_options"]),
        "_evidence": None,
    }


def _interval(stored: Mapping[str, Any]) -> ConfidenceInterval:
    """Return the interval of the difference; None in a dict is an infinite end."""
    low, high = stored["stat_low"], stored["stat_high"]
    ends = -math.inf if low is None else low, math.inf if high is None else high
    return ConfidenceInterval(*ends, stored["stat_interval"])


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
