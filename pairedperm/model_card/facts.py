"""The facts of a result that a card reports, checked."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.results.equivalence_result import EquivalenceResult
from pairedperm.results.figures import Figures
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.result import PairedResult
from pairedperm.results.sentence import is_utf8
from pairedperm.results.suite_result import SuiteResult
from pairedperm.scoring.metric import as_arguments, read_metric
from pairedperm.shown import shown
from pairedperm.wording import Name, Parts, describe

_NUMBERS = ("stat", "p", "log_p", "score1", "score2", "n", "n_differing")
_UNSAID = {  # by results of permutations, and of version 0.1
    "test": "permutation",
    "n_ignored": 0,
    **dict.fromkeys(("n_resamples", "confidence_level", "metric_options", "seed", "n_groups")),
}
_INTERVAL = ("log_p_low", "log_p_high")
_KEYS = (*_NUMBERS, "metric", "alternative", "method")
_PERCENTILES = tuple((f"{name}_low", f"{name}_high") for name in ("stat", "score1", "score2"))
_ENDS = tuple(key for ends in _PERCENTILES for key in ends)
_ONE_OF = {
    "alternative": ("two-sided", "greater", "less"),
    "test": ("permutation", "bootstrap"),
    "ties": ("include", "exclude"),
}
_COUNTS = ("n", "n_differing", "n_groups", "n_resamples", "n_ignored", "seed")
_LIMITS: dict[str, Callable[[float], bool]] = {
    **dict.fromkeys(("stat", "score1", "score2", *_ENDS), lambda x: abs(x) < 1e300),
    "p": lambda x: 0.0 <= x <= 1.0,
    **dict.fromkeys(("log_p", "log_p_low", "log_p_high"), lambda x: -math.inf < x <= 0.0),
    **dict.fromkeys(("n", "n_differing", "n_ignored"), lambda x: x >= 0.0 and x.is_integer()),
    "confidence_level": lambda x: 0.0 < x < 1.0,
    **dict.fromkeys(("n_resamples", "n_groups"), lambda x: x >= 1.0 and x.is_integer()),
    "seed": lambda x: x >= 0.0 and x.is_integer(),
}

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
    missing = [key for key in _KEYS if key not in result] if isinstance(result, Mapping) else _KEYS
    if missing:
        lacks = f", without {missing[0]!r}" if isinstance(result, Mapping) else ""
        is_board = _has_several(result)
        raise InputError(
            Name("result"),
            must="be a result of a test, what `compute` of paired_perm or paired_bootstrap "
            "returned, or a dict of these by split",
            got=f"a {type(result).__name__}" if is_board else Parts(describe(result), lacks),
            remedy=_hint(result),
        )
    found: dict[str, Any] = {**_UNSAID, **result}
    for key in ("test", "alternative"):
        _check_one_of(found, key)
    if found["test"] == "bootstrap":
        _check_one_of(found, "ties")
    _check_texts(found)
    found |= _numbers(found)
    return found | (_statements(found) if "margin" in found else {})


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


def _check_one_of(found: Mapping[str, Any], key: str) -> None:
    accepted, value = _ONE_OF[key], found.get(key)
    if not (isinstance(value, str) and value in accepted):
        words = ", ".join(map(repr, accepted))
        raise InputError(Name("result", (key,)), must=f"be one of {words}", got=describe(value))


def _statements(found: Mapping[str, Any]) -> dict[str, float]:
    """Return the margin and the level, which bear the statements of `EquivalenceResult`."""
    of_margin: dict[str, float] = {}
    for key, most in {"margin": math.inf, "alpha": 0.5}.items():
        number = _float(found.get(key))
        if number is None or not 0.0 < number < most:
            raise InputError(Name("result", (key,)), " cannot be ", describe(found.get(key)))
        of_margin[key] = number
    if not {"stat_low", "stat_high", "stat_interval"} <= found.keys():
        what = " has a margin, and no interval: 'stat_low' and 'stat_high'"
        raise InputError(Name("result"), what)
    if found["test"] != "permutation":
        raise InputError(Name("result"), " has a margin, and is not that of a permutation test")
    _check_equivalence(found, of_margin["alpha"])
    return of_margin


def _check_equivalence(found: Mapping[str, Any], alpha: float) -> None:
    """Check that p, interval and metric bear statements on a margin."""
    if found["alternative"] != "two-sided":
        side = found["alternative"]
        what = f" has a margin, and its 'alternative' is {side!r}, not 'two-sided'"
        raise InputError(Name("result"), what, remedy="Make it with `equivalence_test`")
    if found["score1"] is None:
        raise InputError(Name("result"), " has a margin, and no scores: 'score1' and 'score2'")
    if not math.isclose(found["confidence_level"], 1.0 - 2.0 * alpha, abs_tol=1e-9):
        raise InputError(
            Name("result", ("confidence_level",)),
            must=f"be 1 - 2 alpha = {1.0 - 2.0 * alpha:g} where there is a margin",
            got=describe(found["confidence_level"]),
        )
    if found["metric"] is not None:
        try:
            read_metric(found["metric"], **(found["metric_options"] or {}))
        except (InputError, TypeError) as error:
            name = shown(found["metric"])
            what = f", {name}, is unknown in this version or has other options here"
            why = "Whether lower is better is then not known, so no statement on a margin "
            remedy = f"{why}can be made", "Use the version that made the result"
            raise InputError(Name("result", ("metric",)), what, remedy=remedy) from error


def _check_texts(found: Mapping[str, Any]) -> None:
    """Check that metric, method and options are texts that a file can hold."""
    has_kind = "stat_low" in found and found["test"] == "permutation"
    for key in ("metric", "method", *(["stat_interval"] if has_kind else [])):
        name = found.get(key)
        is_name = isinstance(name, str) and bool(name.strip())
        if not is_name and not (key == "metric" and name is None):
            raise InputError(Name("result", (key,)), must="be a name", got=describe(name))
        if isinstance(name, str) and not is_utf8(name):
            what = " holds characters that UTF-8 has not, ", describe(name)
            raise InputError(Name("result", (key,)), *what, remedy="Replace them")
    options, named = found["metric_options"], Name("result", ("metric_options",))
    if options is not None and not isinstance(options, Mapping):
        raise InputError(named, must="be a dict", got=describe(options))
    try:
        is_text = options is None or is_utf8(as_arguments(options))
    except ValueError:  # Python does not print integers of thousands of digits
        is_text = False
    if not is_text:
        accepted = "be options whose values can be printed, in characters of UTF-8"
        raise InputError(named, must=accepted, got=describe(options))


def _numbers(found: Mapping[str, Any]) -> dict[str, float | int | None]:
    """Return the numbers that are reported, in builtin scalars, if a result can have them."""
    is_bootstrap = found["test"] == "bootstrap"
    wanted: tuple[str, ...] = _INTERVAL if found["method"] == "bracket" else ()
    if found["n_resamples"] is not None:
        wanted = ("n_resamples", *_INTERVAL)
    wanted += tuple(key for key in ("seed", "n_groups") if found[key] is not None)
    if is_bootstrap:
        wanted += ("confidence_level", *_ENDS)
    elif "stat_low" in found or "stat_high" in found:
        wanted += ("confidence_level", *_PERCENTILES[0])
    has_scores = is_bootstrap or found["score1"] is not None or found["score2"] is not None
    reported: dict[str, float | int | None] = {}
    for key in (*_NUMBERS, "n_ignored", *wanted):
        if key in ("score1", "score2") and not has_scores:  # a test of sums
            continue
        value = found.get(key)
        if value is None and key in _PERCENTILES[0] and key in found and not is_bootstrap:
            continue  # an infinite end
        if value is None and is_bootstrap and _float(found.get(key.removeprefix("log_"))) == 0.0:
            continue  # the logarithm of 0
        number = _float(value)
        if number is None or not _LIMITS[key](number):
            raise InputError(Name("result", (key,)), " cannot be ", describe(value))
        # JSON may give 4.0
        reported[key] = int(found[key]) if key in _COUNTS else number
    log_p, p = reported.get("log_p"), float(found["p"])
    if log_p is not None and not math.isclose(math.exp(log_p), p, rel_tol=0.01, abs_tol=1e-300):
        raise InputError(
            Name("result", ("log_p",)),
            must=Parts("be the natural logarithm of 'p', ", describe(found["p"])),
            got=describe(found["log_p"]),
        )
    for low, high in _PERCENTILES:
        if reported.get(low, -math.inf) > reported.get(high, math.inf):  # type: ignore[operator]
            what = describe(found[low]), f", above {high!r}, ", describe(found[high])
            raise InputError(Name("result", (low,)), " cannot be ", *what)
    return reported


def _float(value: Any) -> float | None:
    """Return a number as a float; None if it is no number, or beyond floats."""
    if not isinstance(value, numbers.Real) or isinstance(value, (bool, np.timedelta64)):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


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
