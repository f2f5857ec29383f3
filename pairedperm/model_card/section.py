"""A result as a Markdown section: a sentence, a table, the null hypothesis."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from pairedperm.errors import InputError, describe, shown
from pairedperm.model_card.facts import facts, is_utf8
from pairedperm.model_card.markdown import escaped
from pairedperm.options import P_LEVEL
from pairedperm.results import __version__
from pairedperm.results.words import format_pvalue, words_of
from pairedperm.scoring.metric import METRICS

_INTERVAL = ("log_p_low", "log_p_high")
_NAMES = {"name1": "this model", "name2": "the baseline", "dataset": ""}
_PERCENT = (100.0, "%", " percentage points")
_PLAIN = (1.0, "", "")
_MAX_DECIMALS = 12  # tuned: of a score
_SIDES = {"two-sided": "two-sided", "greater": "one-sided (greater)", "less": "one-sided (less)"}
_DIRECTIONS = {
    "two-sided": ", in either direction",
    "greater": " in the first system's favour",
    "less": " in the second system's favour",
}
_METHODS = {
    **dict.fromkeys(("dp", "rational", "enumeration"), "exact"),
    "fft": "FFT-based",
    "bracket": "bracketed",
    "monte_carlo": "Monte Carlo",
}
_BRACKETED = " It is the upper end of a proven interval."
_SAMPLED = " It was estimated from random ways: (k + 1) / (samples + 1) for the k as extreme."
_RESAMPLED = (
    " It was estimated from random resamples: (k + 1) / (samples + 1) for the k of this kind."
)
_NO_DIFFERENCE = {
    "two-sided": "the two systems score the same",
    "greater": "the first system scores no higher",
    "less": "the first system scores no lower",
}
_BEYOND = {  # of a resample's difference, by alternative and ties
    ("two-sided", "include"): "at least as far from the observed one as that is from 0",
    ("two-sided", "exclude"): "farther from the observed one than that is from 0",
    ("greater", "include"): "at least twice the observed one",
    ("greater", "exclude"): "more than twice the observed one",
    ("less", "include"): "at most twice the observed one",
    ("less", "exclude"): "less than twice the observed one",
}
_PERCENTILE = "The difference's confidence interval is its percentile interval over the resamples."


def significance_section(
    result: Any,
    *,
    name1: str | None = None,
    name2: str | None = None,
    dataset: str | None = None,
) -> str:
    """The section of a model card that reports a comparison, in Markdown.

    Parameters
    ----------
    result : PairedPermutationResult, PairedBootstrapResult or dict
        Of a test, or what `compute` of an `evaluate` module returned.
    name1, name2 : str or None
        The two systems; None stands for "this model" and "the baseline".
    dataset : str or None
        What they were compared on.

    Returns
    -------
    str
        A heading, a sentence that a paper could carry, a table of the scores and the test, and
        the null hypothesis. p has three significant digits; where a bootstrap's is 0, it says so.
        What would be markup in the names is escaped.

    Raises
    ------
    InputError
        If `result` is something else, or a name is no text.

    Examples
    --------
    >>> from pairedperm import compare
    >>> from pairedperm.model_card import significance_section
    >>> result = compare([1, 1, 0, 1, 1], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1])
    >>> section = significance_section(result, name1="large", name2="small", dataset="dev")
    >>> print(section.splitlines()[0])
    ## Statistical significance
    >>> section.splitlines()[2].partition("; ")[2]
    'exact two-sided paired-permutation test, n = 5, p = 0.25).'
    """
    found = facts(result)
    first, second, corpus = map(escaped, _names(name1, name2, dataset))
    score1, score2, difference = _scores(found)
    rows = [("statistic", difference)]
    if found["score1"] is not None:
        rows = [
            (f"{_metric(found)} of {first}", score1),
            (f"{_metric(found)} of {second}", score2),
            ("difference", difference),
        ]
    level = found["confidence_level"]
    level = "" if level is None else f"{100.0 * level:.12g}% "
    if found["test"] == "bootstrap":
        rows.append((f"{level}confidence interval of the difference", _interval(found)))
    rows.append(("p", _pvalue(found["log_p"])))
    if found["n_resamples"]:
        ends = (_pvalue(found[key]) for key in _INTERVAL)
        rows.append((f"{P_LEVEL:.0%} confidence interval of p", " to ".join(ends)))
    elif found["method"] == "bracket":
        ends = (_pvalue(found[key], 6) for key in _INTERVAL)
        rows.append(("proven interval of p", " to ".join(ends)))
    if found["p"] == 0.0 and found["log_p"] is not None:
        rows.append(("log p (natural)", f"{found['log_p']:.6g}"))
    rows += [
        ("n", f"{found['n']:,}"),
        ("n scored differently", f"{found['n_differing']:,}"),
        *([("labels left out", f"{found['n_ignored']:,}")] if found["n_ignored"] else []),
        ("method", kind_of_test(found)),
        ("version", f"pairedperm {__version__}"),
    ]
    sentence = _sentence(found, first, second, corpus)
    table = "\n".join(["| | |", "|:--|:--|", *(f"| {name} | {value} |" for name, value in rows)])
    paragraphs = ("## Statistical significance", sentence, table, _null_hypothesis(found))
    return "\n\n".join(paragraphs)


def summary(result: Any, name1: str | None, name2: str | None, dataset: str | None) -> str:
    """The section's sentence as plain text."""
    return _sentence(facts(result), *_names(name1, name2, dataset))


def plain_name(argument: str, name: Any) -> str:
    """A name in one line; what stands for it if there is none, "" for a data set."""
    if name is None:
        return _NAMES[argument]
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"`{argument}` must be a name, as text, or None, got {describe(name)}.")
    if not is_utf8(name):
        raise InputError(f"`{argument}` holds characters that UTF-8 has not, {describe(name)}.")
    return " ".join(name.split())


def _names(name1: Any, name2: Any, dataset: Any) -> tuple[str, str, str]:
    first, second = plain_name("name1", name1), plain_name("name2", name2)
    if first == second:
        raise InputError(
            f"`name1` and `name2` are both {shown(first)}: name the two systems apart."
        )
    return first, second, plain_name("dataset", dataset)


def _metric(found: Mapping[str, Any]) -> str:
    name = found["metric"]
    name = "mean score" if name is None else words_of(name, found["metric_options"])
    return escaped(" ".join(name.split()))


def _unit(metric: str | None) -> tuple[float, str, str]:
    """Factor, mark and unit: a metric that is unknown here is a share, as most are."""
    if metric is None or (metric in METRICS and not METRICS[metric].is_share):
        return _PLAIN
    return _PERCENT


def _scores(found: Mapping[str, Any]) -> tuple[str, str, str]:
    """Both scores and their difference, with as many digits as the difference needs."""
    factor, mark, unit = _unit(found["metric"])
    values = [factor * (found[key] or 0.0) for key in ("score1", "score2", "stat")]
    score1, score2, stat = _formatted(values, values[2] or values[0])
    return f"{score1}{mark}", f"{score2}{mark}", f"{stat}{unit}"


def _interval(found: Mapping[str, Any]) -> str:
    """The interval of the difference, with as many digits as its width needs."""
    factor, _, unit = _unit(found["metric"])
    low, high = (factor * found[key] for key in ("stat_low", "stat_high"))
    return f"{' to '.join(_formatted([low, high], high - low or high))}{unit}"


def _formatted(values: list[float], size: float) -> list[str]:
    """Numbers with so many decimals that two digits are seen of one of this size."""
    digits = 1 - math.floor(math.log10(abs(size))) if size else 0
    layout = ".3g" if digits > _MAX_DECIMALS else f",.{max(digits, 2)}f"
    shown = [format(value, layout) for value in values]
    return [x if re.search(r"[1-9]", x) else x.removeprefix("-") for x in shown]  # no -0.00


def _pvalue(log_pvalue: float | None, digits: int = 3) -> str:
    """A p-value from its logarithm, which is None of 0."""
    return "0" if log_pvalue is None else format_pvalue(log_pvalue, digits)


def _sentence(found: Mapping[str, Any], first: str, second: str, dataset: str) -> str:
    metric, where = _metric(found), f"On {dataset}, the" if dataset else "The"
    score1, score2, difference = _scores(found)
    p = f"p = {_pvalue(found['log_p'])}"
    if found["log_p"] is None:
        p = f"{p}, no resample being so extreme"
    end = f"{kind_of_test(found)}, n = {found['n']:,}, {p})."
    if found["score1"] is None:
        return f"{where} test statistic of {first} against {second} is {difference} ({end}"
    if found["stat"] == 0.0:
        finding = f"{where} {metric} of {first} is the same as that of {second} ({score1}"
    else:
        order = "higher" if found["stat"] > 0.0 else "lower"
        finding = (
            f"{where} {metric} of {first} is {order} than that of {second} ({score1} against "
            f"{score2}, a difference of {difference.removeprefix('-')}"
        )
    return f"{finding}; {end}"


def kind_of_test(found: Mapping[str, Any]) -> str:
    """What was computed: "exact two-sided paired-permutation test"."""
    method, name, ties = found["method"], "paired-permutation test", ""
    if found["test"] == "bootstrap":
        method, name = {"exact": "ideal"}.get(method, method), "paired bootstrap test"
        ties = ", ties excluded" if found["ties"] == "exclude" else ""
    method = _METHODS.get(method, " ".join(method.replace("_", " ").split()))
    samples = found["n_resamples"]
    sampled = f" with {samples:,} samples" if samples else ""
    return f"{escaped(method)} {_SIDES[found['alternative']]} {name}{sampled}{ties}"


def _null_hypothesis(found: Mapping[str, Any]) -> str:
    """The null hypothesis, what p is the probability of, and how it was estimated."""
    if found["test"] == "bootstrap":
        return _of_bootstrap(found)
    extreme = "a statistic at least as large"
    if found["score1"] is not None:
        extreme = f"a difference at least as large{_DIRECTIONS[found['alternative']]}"
    stated = (
        "Null hypothesis: on each example the two systems' outputs are exchangeable. p is the "
        f"probability, over all 2ⁿ ways of swapping them, of {extreme}; ties count."
    )
    if found["method"] == "bracket":
        return stated + _BRACKETED
    return stated + (_SAMPLED if found["method"] == "monte_carlo" and found["n_resamples"] else "")


def _of_bootstrap(found: Mapping[str, Any]) -> str:
    side, ties = found["alternative"], found["ties"]
    stated = (
        f"Null hypothesis: on examples like these {_NO_DIFFERENCE[side]}. p is the share of all "
        "nⁿ resamples, n examples drawn with replacement, whose difference is "
        f"{_BEYOND[side, ties]}; ties {'count' if ties == 'include' else 'do not count'}."
    )
    if found["n_resamples"]:
        stated += _RESAMPLED
    if found["log_p"] is None:
        stated += " p = 0: these examples have no such resample; others like them may have."
    return f"{stated} {_PERCENTILE}"
