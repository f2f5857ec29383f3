"""The results that a card reports, as objects, stored dicts or splits; and their values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, get_args

from pairedperm.errors import InputError, Name, Parts, describe, shown
from pairedperm.options import Alternative, Constraint, Interval, OneOf, Test, Ties, Whole
from pairedperm.population.intervals import (
    EXACT_INTERVAL,
    GUARANTEED,
    PERCENTILE,
    ConfidenceInterval,
)
from pairedperm.results.decisions import EquivalenceResult
from pairedperm.results.result import (
    SCHEMA_VERSION,
    PairedBootstrapResult,
    PairedPermutationResult,
    PairedResult,
)
from pairedperm.results.several import Leaderboard
from pairedperm.results.suite import SuiteResult
from pairedperm.results.words import Figures, is_utf8
from pairedperm.scoring.counts import UnknownMetric, stored_metric
from pairedperm.scoring.metric import as_arguments
from pairedperm.scoring.metrics.given import MeanScore

Reported = PairedResult | EquivalenceResult
_BOARDS = Leaderboard, SuiteResult  # of several tests
_NUMBER = re.compile(
    r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)\s*(%?)\s*(?:\Z|±|\+|\()", re.I
)
_TENTH = Decimal("0.1")
_FLOAT32 = Decimal(2) ** -23  # proof: twice the relative rounding of what libraries report


@dataclass(frozen=True)
class _Printable(Constraint):
    """A text that is not blank, or options by name, in characters of UTF-8."""

    type: Any

    def kept(self, value: Any) -> Any:
        """Return it as it is."""
        is_blank = isinstance(value, str) and not value.strip()
        with suppress(ValueError):  # Python does not print integers of thousands of digits
            if isinstance(value, self.type) and not is_blank:
                is_one = is_utf8(value if isinstance(value, str) else as_arguments(value))
                return value if is_one else self.refused
        return self.refused


_SIZE = Interval(-1e300, 1e300, "neither", or_none=True, words="a number below 1e300 in size")
_LOG = Interval(-1e300, 0.0, or_none=True, words="a finite number up to 0")
_COUNT = Whole(0, 2**63 - 1, words="an integer from 0, below 2^63")
_OPTIONS = "a dict of options whose values can be printed, in characters of UTF-8"
_VERSION = f"an integer up to {SCHEMA_VERSION}, which this release reads"
_NEWER = "Install the release of pairedperm that wrote the result"
_NAME = _Printable(str, words="a name, in characters of UTF-8")
_DECLARED: dict[str, Constraint] = {  # what a card prints; a bootstrap's log p may be None
    "schema_version": Whole(1, SCHEMA_VERSION, words=_VERSION, remedy=_NEWER),
    "stat": replace(_SIZE, or_none=False),
    "score1 score2 stat_low stat_high score1_low score1_high score2_low score2_high": _SIZE,
    "constant": _SIZE,
    "p": Interval(0.0, 1.0),
    "log_p log_p_low log_p_high": _LOG,
    "confidence_level": Interval(0.0, 1.0, "neither", or_none=True),
    "margin": Interval(0.0, 1e300, "neither", words="a positive number"),
    "alpha": Interval(0.0, 0.5, "neither"),
    "n n_differing n_ignored": _COUNT,
    "n_groups n_resamples": replace(_COUNT, least=1, words="a positive integer", or_none=True),
    "seed": Whole(0, 2**1000 - 1, words="an integer from 0, below 2^1000", or_none=True),
    "method stat_interval": _NAME,
    "metric": replace(_NAME, or_none=True),
    "metric_options": _Printable(Mapping, words=_OPTIONS, or_none=True),
    "alternative": OneOf(get_args(Alternative)),
    "test": OneOf(get_args(Test)),
    "ties": OneOf(get_args(Ties)),
}
_KEYS = {name: constraint for names, constraint in _DECLARED.items() for name in names.split()}
_AS_THEY_ARE = (
    *("score1", "score2", "alternative", "method", "n", "n_differing", "n_groups"),
    *("n_resamples", "n_ignored", "seed", "confidence_level"),
)
_RENAMED = ("stat", "p", "log_p", "metric", "metric_options")
_OF_DRAWS = {"_difference": "stat", "score1": "score1", "score2": "score2"}  # intervals


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
    return result_from_dict(result)


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


def result_from_dict(stored: Mapping[str, Any]) -> Reported:
    """Return the result that a dict of `to_dict` or `compute` tells, without its rows.

    Raises
    ------
    InputError
        If a key is missing or holds another kind of value, or a later release wrote the dict. If
        this release does not know the metric of an equivalence test.
    """
    unsaid = {"schema_version": SCHEMA_VERSION, "test": "permutation"}
    _, test = _read({**unsaid, **stored}, *unsaid).values()
    fields = _read(stored, *_AS_THEY_ARE)
    if (fields["score1"] is None) is not (fields["score2"] is None):
        remedy = "Pass it as `compute` returned it"
        raise InputError(Name("result"), ": one of score1 and score2 is None", remedy=remedy)
    statistic, p, log_p, metric, options = _read(stored, *_RENAMED).values()
    is_exact = fields["n_resamples"] is None and fields["method"] != "bracket"
    ends = (log_p, log_p) if is_exact else _read(stored, "log_p_low", "log_p_high").values()
    log_p, low, high = (-math.inf if x is None else x for x in (log_p, *ends))
    fields |= {
        "statistic": statistic,
        "pvalue": p,
        "log_pvalue": log_p,
        "pvalue_interval": (math.exp(low), math.exp(high)),
        "log_pvalue_interval": (low, high),
        "interval": "certified" if fields["n_resamples"] is None else "confidence",
        "reason": "it was stored",
        "_metric": stored_metric(metric, options),
        "_evidence": None,
    }
    if test == "bootstrap":
        for name, key in _OF_DRAWS.items():
            fields[f"{name}_interval"] = ConfidenceInterval(*_ends(stored, key), PERCENTILE)
        return PairedBootstrapResult(**fields, **_read(stored, "ties"))
    intervals, margin = {}, stored.get("margin")
    if fields["confidence_level"] is not None or margin is not None:
        (kind,) = _read(stored, "stat_interval").values()
        is_taken = kind in (EXACT_INTERVAL, GUARANTEED) and metric in (None, MeanScore.name)
        is_taken &= "score_range" not in (options or {})  # see `Evidence.is_of_0_or_1`
        interval = ConfidenceInterval(*_ends(stored, "stat"), kind, is_taken)
        intervals[fields["confidence_level"], "auto"] = interval
    fields |= _read({"constant": None, **stored}, "constant")
    swaps = PairedPermutationResult(**fields, fraction=None, _problem=None, _intervals=intervals)
    if margin is None:
        return swaps
    if isinstance(swaps._metric, UnknownMetric):  # nor is it known whether lower is better
        what = f", {shown(metric)}, is unknown in this version or has other options here"
        remedy = "Use the version that made the result"
        raise InputError(Name("result", ("metric",)), what, remedy=remedy)
    return EquivalenceResult(swaps, **_read(stored, "margin", "alpha"), interval=interval)


def _ends(stored: Mapping[str, Any], name: str) -> tuple[float, float]:
    """Return the ends of an interval; an infinite one is None in a dict."""
    low, high = _read(stored, f"{name}_low", f"{name}_high").values()
    return -math.inf if low is None else low, math.inf if high is None else high


def _read(stored: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return the values of these keys, in plain form."""
    for name in names:
        if name not in stored:
            why = "it must be what `compute` or `to_dict` gave"
            raise InputError(Name("result"), f" lacks {name!r}", remedy=why)
    return {name: _KEYS[name].read("result", stored[name], (name,)) for name in names}


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
