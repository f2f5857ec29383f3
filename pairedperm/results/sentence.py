"""A result in sentences: the finding, the scores, their difference, the test, and p."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pairedperm.errors import InputError
from pairedperm.results.digits import agreeing, beside, fitting, with_difference
from pairedperm.scoring.metric import METRICS, as_arguments, read_metric
from pairedperm.shown import shown
from pairedperm.wording import Name, Parts, Python, describe

ALPHA = 0.05  # proof: the level that papers use
NO_INTERVAL = {"stat_low": None, "stat_high": None}
SYSTEMS = {"name1": "system 1", "name2": "system 2", "dataset": ""}
_UNITS = {  # factor, mark, and what differences have
    "share": (100.0, "%", " percentage points"),
    "percent": (1.0, "", " points"),
    "number": (1.0, "", ""),
}
_WHOLE = 100.0  # proof: the largest difference of shares, in points
_SEEN = 10.0 + 1e-9  # proof: times which two digits of a size are one, but for its rounding
_SIDES = {"two-sided": "two-sided", "greater": "one-sided (greater)", "less": "one-sided (less)"}
_METHODS = {
    **dict.fromkeys(("dp", "rational", "enumeration"), "exact"),
    "fft": "FFT-based",
    "bracket": "bracketed",
    "monte_carlo": "Monte Carlo",
}
Escape = Callable[[str], str]


def sentence(
    found: Mapping[str, Any],
    first: str,
    second: str,
    dataset: str = "",
    alpha: float = ALPHA,
    escape: Escape = str,
) -> str:
    """Return what a paper could carry: the finding, the difference, and the test.

    `found` has the keys of `to_dict`, and `escape` treats the words in it. A score is called
    higher or lower only where p is at most `alpha`.
    """
    subject = f"{subject_in_words(found, dataset, escape)} of {first}"
    if found["score1"] is None:
        statistic = scores_in_words(found)[2]
        is_significant = "is" if found["p"] <= alpha else "is not"
        said = [f"{subject} against {second} is {statistic}, which {is_significant} significant."]
    else:
        score1, score2, _ = scores_in_words(found)
        scores = f"{score1} against {score2}" if found["stat"] else score1
        said = [f"{subject} {_finding(found, alpha)} that of {second}: {scores}."]
        if found["stat"] or has_interval(found):
            said.append(difference_sentence(found))
    return " ".join([*said, p_sentence(found, alpha, escape)])


def subject_in_words(found: Mapping[str, Any], dataset: str, escape: Escape = str) -> str:
    """Return what was compared and where: "On dev, the accuracy"."""
    what = compared_in_words(found, escape)
    return f"On {dataset}, the {what}" if dataset else f"The {what}"


def compared_in_words(found: Mapping[str, Any], escape: Escape = str) -> str:
    """Return what was compared: the metric, or "test statistic" if there are no scores."""
    return "test statistic" if found["score1"] is None else metric_in_words(found, escape)


def _finding(found: Mapping[str, Any], alpha: float) -> str:
    """Return how the first score compares with the second, as far as p bears it."""
    side, stat = found["alternative"], found["stat"]
    if stat == 0.0:
        return "is the same as"
    order = {"greater": "higher", "less": "lower"}.get(side, "higher" if stat > 0.0 else "lower")
    if found["p"] <= alpha and _is_on_its_side(found):
        return f"is significantly {order} than"
    if side == "two-sided":
        return "does not differ significantly from"
    return f"is not significantly {order} than"


def _is_on_its_side(found: Mapping[str, Any]) -> bool:
    """Return whether there is a difference, on the side that a one-sided test asks about."""
    stat = found["stat"]
    return bool({"greater": stat > 0.0, "less": stat < 0.0}.get(found["alternative"], stat != 0.0))


def difference_sentence(found: Mapping[str, Any], kind: str = "") -> str:
    """Return the difference with its interval, if there is one, and the interval's `kind`."""
    interval = ""
    if has_interval(found):
        ends = interval_in_words(found, with_unit=False)
        interval = f" ({level_in_words(found)} {kind}confidence interval {ends})"
    return f"The difference is {difference_in_words(found)}{interval}."


def p_sentence(found: Mapping[str, Any], alpha: float, escape: Escape = str) -> str:
    """Return the test, its p-value, and what it rests on."""
    groups = "" if found["n_groups"] is None else f" in {found['n_groups']:,} groups"
    p = p_beside(alpha, found["p"], found["log_p"])
    none = ": no resample is so extreme" if found["log_p"] is None else ""
    n = f"n = {found['n']:,}{groups}, α = {alpha:g}"  # noqa: RUF001
    return f"The {kind_of_test(found, escape)} gives p = {p} ({n}){none}."


def verdict(found: Mapping[str, Any], alpha: float = ALPHA) -> str:
    """Return whether the difference is significant, in a few words.

    A bootstrap without ties has p = 0 also where there is no difference.
    """
    is_bare = found.get("score1") is None  # a statistic, or an average of several tests
    is_significant = found["p"] <= alpha and (is_bare or _is_on_its_side(found))
    article = "a" if is_significant else "no"
    return f"{article} significant difference at α = {alpha:g}"  # noqa: RUF001


def metric_in_words(found: Mapping[str, Any], escape: Escape = str) -> str:
    """Return the metric with its options, "macro-averaged F1", or the name of an unknown one."""
    name, options = found["metric"], found["metric_options"] or {}
    if name is None:
        return "mean score"
    try:
        words = read_metric(name, **options).in_words
    except (InputError, TypeError):  # of another version's result
        words = name.replace("_", " ") + (f" ({as_arguments(options)})" if options else "")
    return escape(" ".join(words.split()))


def scores_in_words(found: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return both scores and their difference, which agree as printed."""
    (score1, score2, stat), (_, mark, unit) = _scores(found), _unit(found["metric"])
    return f"{score1}{mark}", f"{score2}{mark}", f"{stat}{unit}"


def row_in_words(found: Mapping[str, Any]) -> list[str]:
    """Return both scores and their difference for a table without intervals, in one unit."""
    return [f"{x}{_unit(found['metric'])[1]}" for x in _scores({**found, **NO_INTERVAL})]


def difference_in_words(found: Mapping[str, Any], *, with_unit: bool = True) -> str:
    """Return the difference, as beside the scores."""
    return f"{_scores(found)[2]}{_unit(found['metric'])[2] if with_unit else ''}"


def _scores(found: Mapping[str, Any]) -> list[str]:
    """Return both scores and their difference without a mark or a unit."""
    factor, _, _ = _unit(found["metric"])
    one, two, stat = (factor * (found[x] or 0.0) for x in ("score1", "score2", "stat"))
    return with_difference(one, two, stat, _size(found))


def _size(found: Mapping[str, Any]) -> float:
    """Return the size of the difference, or of its interval if that is narrower."""
    sizes = [abs(found["stat"] or found["score1"] or 0.0)]
    if has_interval(found):
        low, high = ends_of_interval(found)
        sizes.append(high - low or math.inf)
    return _unit(found["metric"])[0] * float(min(sizes))


def amount_in_words(metric: str | None, amount: float) -> str:
    """Return a chosen amount of the score, in all its digits."""
    factor, _, unit = _unit(metric)
    number = f"{factor * amount:,.12g}"
    return f"{number}{unit.removesuffix('s') if number == '1' else unit}"


def about_in_words(metric: str | None, amount: float) -> str:
    """Return a roughly known amount of the score, in two digits."""
    factor, _, unit = _unit(metric)
    return f"{float(f'{factor * amount:.2g}'):,g}{unit}"


def values_in_words(
    metric: str | None,
    values: Sequence[float],
    size: float,
    differences: Sequence[tuple[int, int, str]] = (),
) -> list[str]:
    """Return scores with enough decimals to show a difference of this size; see `agreeing`."""
    factor, mark, _ = _unit(metric)
    texts = agreeing([factor * x for x in values], _SEEN * factor * size, differences)
    return [f"{x}{mark}" for x in texts]


def adjusted_in_words(pvalue: float, alpha: float) -> str:
    """Return an adjusted p-value, whose logarithm is not known."""
    return "< 1e-300" if pvalue < 1e-300 else p_beside(alpha, pvalue, math.log(pvalue))


def has_interval(found: Mapping[str, Any]) -> bool:
    """Tell whether there is an interval of the difference that excludes any difference."""
    low, high = found.get("stat_low"), found.get("stat_high")
    if low is None or high is None:
        return low is not None or high is not None
    factor, _, unit = _unit(found["metric"])
    return not unit or (factor * low, factor * high) != (-_WHOLE, _WHOLE)


def ends_of_interval(found: Mapping[str, Any]) -> tuple[float, float]:
    """Return the ends of the interval of the difference; None in a dict is an infinite one."""
    low, high = found["stat_low"], found["stat_high"]
    return -math.inf if low is None else low, math.inf if high is None else high


def level_in_words(found: Mapping[str, Any]) -> str:
    """Return the confidence level of the interval of the difference, in percent."""
    return f"{100.0 * found['confidence_level']:.12g}%"


def points_of(metric: str | None) -> str:
    """Return the unit of differences in short: "points", or nothing."""
    return _unit(metric)[2].split()[-1] if _unit(metric)[2] else ""


def scale_of(metric: str | None) -> tuple[float, str]:
    """Return the factor by which a difference is shown, and its unit: 100, "percentage points"."""
    factor, _, unit = _unit(metric)
    return factor, unit.strip()


def interval_in_words(found: Mapping[str, Any], *, with_unit: bool = True) -> str:
    """Return the interval of the difference, with the digits that its width needs.

    As printed it holds the difference, and its ends are on the right side of 0 and of a margin.
    """
    factor, _, unit = _unit(found["metric"])
    ends = [factor * x for x in ends_of_interval(found)]
    margin = factor * (found.get("margin") or 0.0)
    stat = float(_scores(found)[2].replace(",", "")) if "stat" in found else None
    low, high = fitting(ends, [0.0, margin, -margin], stat)
    return f"{low} to {high}{unit if with_unit else ''}"


def p_beside(alpha: float, pvalue: float, log_pvalue: float | None, digits: int = 3) -> str:
    """Return a p-value in `digits` digits, or as many as show whether it exceeds the level."""
    if log_pvalue is None or pvalue < 1e-300:
        return format_pvalue(log_pvalue, digits)
    return beside(alpha, pvalue, digits).replace("e-0", "e-")


def format_pvalue(log_pvalue: float | None, digits: int = 3) -> str:
    """Return a p-value in `digits` significant digits, from its logarithm; None is that of 0.

    >>> format_pvalue(math.log(0.0127))
    '0.0127'
    >>> format_pvalue(-5000.0)
    '3.37e-2172'
    >>> format_pvalue(None)
    '0'
    """
    if log_pvalue is None or log_pvalue == -math.inf:
        return "0"
    pvalue = math.exp(log_pvalue)
    if pvalue >= 1e-300:
        return f"{pvalue:.{digits}g}".replace("e-0", "e-")
    log10 = log_pvalue / math.log(10.0)
    exponent = math.floor(log10)
    mantissa = f"{10.0 ** (log10 - exponent):.{digits}g}"
    if mantissa == "10":
        mantissa, exponent = "1", exponent + 1
    return f"{mantissa}e{exponent}"


def kind_of_test(found: Mapping[str, Any], escape: Escape = str) -> str:
    """Return the kind of test: "exact two-sided paired-permutation test"."""
    method, name, ties = found["method"], "paired-permutation test", ""
    if found["test"] == "bootstrap":
        method, name = {"exact": "ideal"}.get(method, method), "paired bootstrap test"
        ties = ", ties excluded" if found["ties"] == "exclude" else ""
    method = _METHODS.get(method, " ".join(method.replace("_", " ").split()))
    samples = found["n_resamples"]
    sampled = f" with {samples:,} samples" if samples else ""
    return f"{escape(method)} {_SIDES[found['alternative']]} {name}{sampled}{ties}"


def names_of(
    name1: Any, name2: Any, dataset: Any, unnamed: Mapping[str, str] = SYSTEMS
) -> tuple[str, str, str]:
    """Return the names of two systems and a data set, each in one line; `unnamed` replaces None.

    Raises
    ------
    InputError
        If one is no text, or the systems have the same.
    """
    given = {"name1": name1, "name2": name2, "dataset": dataset}
    first, second, corpus = (plain_name(x, name, unnamed) for x, name in given.items())
    if first == second:
        what, remedy = f" are both {shown(first)}", "name the two systems apart"
        raise InputError(Name("name1"), " and ", Name("name2"), what, remedy=remedy)
    return first, second, corpus


def plain_name(argument: str, name: Any, unnamed: Mapping[str, str] = SYSTEMS) -> str:
    """Return a name in one line; `unnamed` replaces None."""
    if name is None:
        return unnamed[argument]
    if not isinstance(name, str) or not name.strip():
        must = Parts("be a name, as text", Python(", or None"))
        raise InputError(Name(argument), must=must, got=describe(name))
    if not is_utf8(name):
        what = " holds characters that UTF-8 has not, "
        raise InputError(Name(argument), what, describe(name))
    return " ".join(name.split())


def is_utf8(text: str) -> bool:
    """Tell whether a file can hold a text: lone surrogates are no characters."""
    return text.isascii() or text == text.encode("utf-8", "replace").decode("utf-8")


def _unit(metric: str | None) -> tuple[float, str, str]:
    """Return factor, mark and unit; an unknown metric may be no share, and has no unit."""
    return _UNITS[METRICS[metric].unit if metric in METRICS else "number"]
