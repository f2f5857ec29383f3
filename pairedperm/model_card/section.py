"""A result as a Markdown section: a sentence, a table, the null hypothesis."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Callable, Mapping
from typing import Any

from pairedperm import __version__
from pairedperm.columns import describe
from pairedperm.errors import InputError
from pairedperm.metric import in_words
from pairedperm.result import PairedPermutationResult, format_pvalue

__all__ = ["facts", "kind_of_test", "plain_name", "significance_section", "summary"]

_NUMBERS = ("stat", "p", "log_p", "score1", "score2", "n", "n_differing")
_OF_EXACT = dict.fromkeys(("n_resamples", "confidence_level", "metric_options"))
_INTERVAL = ("log_p_low", "log_p_high")
_KEYS = (*_NUMBERS, "metric", "alternative", "method")
_LIMITS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("stat", "score1", "score2"), lambda x: abs(x) < 1e300),
    "p": lambda x: 0.0 <= x <= 1.0,
    **dict.fromkeys(("log_p", "log_p_low", "log_p_high"), lambda x: -math.inf < x <= 0.0),
    **dict.fromkeys(("n", "n_differing"), lambda x: x >= 0 and x == int(x)),
    "confidence_level": lambda x: 0.0 < x < 1.0,
    "n_resamples": lambda x: x >= 1 and x == int(x),
}
_NAMES = {"name1": "this model", "name2": "the baseline", "dataset": ""}
_SIDES = {"two-sided": "two-sided", "greater": "one-sided (greater)", "less": "one-sided (less)"}
_DIRECTIONS = {
    "two-sided": ", in either direction",
    "greater": " in the first system's favour",
    "less": " in the second system's favour",
}
_METRICS = {
    "f1": "F1",
    "fbeta": "F-beta",
    "jaccard": "Jaccard index",
    "span_f1": "span F1",
    "matthews_correlation": "Matthews correlation",
    "squad_exact_match": "SQuAD exact match",
    "squad_f1": "SQuAD F1",
}
_METHODS = {
    **dict.fromkeys(("dp", "rational", "enumeration"), "exact"),
    "fft": "FFT-based",
    "bracket": "bracketed",
    "monte_carlo": "Monte Carlo",
    "importance_sampling": "importance-sampling",
}
_PERCENT = (100.0, "%", " percentage points")  # most metrics that have names are shares
_PLAIN = (1.0, "", "")
_NO_SHARES = (None, "matthews_correlation")
_BRACKETED = " It is the upper end of a proven interval."
_SAMPLED = {
    "monte_carlo": "(k + 1) / (samples + 1) for the k as extreme",
    "importance_sampling": "drawn towards extreme ones, and weighted",
}
_MAX_DECIMALS = 12


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
    result : PairedPermutationResult or dict
        Of a test, or what `compute` of the `evaluate` module returned.
    name1, name2 : str or None
        The two systems; None stands for "this model" and "the baseline".
    dataset : str or None
        What they were compared on.

    Returns
    -------
    str
        A heading, a sentence that a paper could carry, a table of the scores and the test, and
        the null hypothesis. p has three significant digits. What would be markup in the names is
        escaped.

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
    first, second, corpus = map(_escaped, _names(name1, name2, dataset))
    score1, score2, difference = _scores(found)
    rows = [("statistic", difference)]
    if found["score1"] is not None:
        rows = [
            (f"{_metric(found)} of {first}", score1),
            (f"{_metric(found)} of {second}", score2),
            ("difference", difference),
        ]
    rows.append(("p", format_pvalue(found["log_p"])))
    if found["n_resamples"]:
        ends = (format_pvalue(found[key]) for key in _INTERVAL)
        level = found["confidence_level"]
        level = "" if level is None else f"{100.0 * level:.12g}% "
        rows.append((f"{level}confidence interval of p", " to ".join(ends)))
    elif found["method"] == "bracket":
        ends = (format_pvalue(found[key], 6) for key in _INTERVAL)
        rows.append(("proven interval of p", " to ".join(ends)))
    if found["p"] == 0.0:
        rows.append(("log p (natural)", f"{found['log_p']:.6g}"))
    rows += [
        ("n", f"{found['n']:,}"),
        ("n scored differently", f"{found['n_differing']:,}"),
        ("method", kind_of_test(found)),
        ("version", f"pairedperm {__version__}"),
    ]
    return "\n".join(
        [
            "## Statistical significance",
            "",
            _sentence(found, first, second, corpus),
            "",
            "| | |",
            "|:--|:--|",
            *(f"| {name} | {value} |" for name, value in rows),
            "",
            "Null hypothesis: on each example the two systems' outputs are exchangeable. p is the "
            f"probability, over all 2ⁿ ways of swapping them, of {_extreme(found)}; ties count."
            f"{_estimate(found)}",
        ]
    )


def summary(result: Any, name1: str | None, name2: str | None, dataset: str | None) -> str:
    """The section's sentence as plain text."""
    return _sentence(facts(result), *_names(name1, name2, dataset))


def facts(result: Any) -> dict[str, Any]:
    """What there is to report, under the keys of the `evaluate` module.

    Raises
    ------
    InputError
        If this is no result of a test.
    """
    if isinstance(result, PairedPermutationResult):
        return result.to_dict()
    missing = [key for key in _KEYS if key not in result] if isinstance(result, Mapping) else _KEYS
    if missing:
        hint = ""
        for key, value in result.items() if isinstance(result, Mapping) else ():
            if isinstance(value, (PairedPermutationResult, Mapping)):
                hint = f" Pass one of these results, such as result[{key!r}]."
                break
            if str(key).endswith("_stat"):
                hint = f" Pass one result of the combined, without {str(key)[:-4]!r} in its keys."
                break
        raise InputError(
            "`result` must be a PairedPermutationResult, or what compute of paired_perm returned, "
            f"got {describe(result)}, without {missing[0]!r}.{hint}"
        )
    found = {**_OF_EXACT, **result}  # results of version 0.1 have no such keys
    sampled: tuple[str, ...] = _INTERVAL if found["method"] == "bracket" else ()
    if found["n_resamples"] is not None:
        sampled = ("n_resamples", *_INTERVAL)
    if found["confidence_level"] is not None:
        sampled += ("confidence_level",)
    has_scores = found["score1"] is not None or found["score2"] is not None
    for key in (*_NUMBERS, *sampled):
        if key in ("score1", "score2") and not has_scores:  # a test of sums
            continue
        value = found.get(key)
        if (
            isinstance(value, bool)
            or not isinstance(value, numbers.Real)
            or not _LIMITS[key](value)
        ):
            raise InputError(f"`result`[{key!r}] cannot be {describe(value)}.")
    for key in ("n", "n_differing", "n_resamples"):  # JSON may give 4.0
        found[key] = None if found[key] is None else int(found[key])
    if found["alternative"] not in list(_SIDES):
        raise InputError(
            f"`result`['alternative'] must be one of {', '.join(map(repr, _SIDES))}, got "
            f"{describe(found['alternative'])}."
        )
    for key in ("metric", "method"):
        if not isinstance(found[key], str) and not (key == "metric" and found[key] is None):
            raise InputError(f"`result`[{key!r}] must be a name, got {describe(found[key])}.")
    options = found["metric_options"]
    if options is not None and not isinstance(options, Mapping):
        raise InputError(f"`result`['metric_options'] must be a dict, got {describe(options)}.")
    return found


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is, in a table too."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|~$])", r"\\\1", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)  # inside words it is no markup


def plain_name(argument: str, name: Any) -> str:
    """A name in one line; what stands for it if there is none, "" for a data set."""
    if name is None:
        return _NAMES[argument]
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"`{argument}` must be a name, as text, or None, got {describe(name)}.")
    if not name.isascii() and name != name.encode("utf-8", "replace").decode("utf-8"):
        raise InputError(f"`{argument}` holds characters that UTF-8 has not, {describe(name)}.")
    return " ".join(name.split())


def _names(name1: Any, name2: Any, dataset: Any) -> tuple[str, str, str]:
    first, second = plain_name("name1", name1), plain_name("name2", name2)
    if first == second:
        raise InputError(f"`name1` and `name2` are both {first!r}: name the two systems apart.")
    return first, second, plain_name("dataset", dataset)


def _metric(found: Mapping[str, Any]) -> str:
    name = found["metric"]
    name = "mean score" if name is None else _METRICS.get(name, name.replace("_", " "))
    if found["metric_options"]:
        name = f"{name} ({in_words(found['metric_options'])})"
    return _escaped(" ".join(name.split()))


def kind_of_test(found: Mapping[str, Any]) -> str:
    """What was computed: "exact two-sided paired-permutation test"."""
    method = found["method"]
    method = _METHODS.get(method, " ".join(method.replace("_", " ").split()))
    samples = found["n_resamples"]
    sampled = f" with {samples:,} samples" if samples else ""
    return f"{_escaped(method)} {_SIDES[found['alternative']]} paired-permutation test{sampled}"


def _scores(found: Mapping[str, Any]) -> tuple[str, str, str]:
    """Both scores and their difference, with as many digits as the difference needs."""
    factor, mark, unit = _PLAIN if found["metric"] in _NO_SHARES else _PERCENT
    values = [factor * (found[key] or 0.0) for key in ("score1", "score2", "stat")]
    size = abs(values[2] or values[0])  # what two digits must be seen of
    digits = 1 - math.floor(math.log10(size)) if size else 0
    layout = ".3g" if digits > _MAX_DECIMALS else f",.{max(digits, 2)}f"
    score1, score2, stat = (_without_sign_of_zero(format(value, layout)) for value in values)
    return f"{score1}{mark}", f"{score2}{mark}", f"{stat}{unit}"


def _estimate(found: Mapping[str, Any]) -> str:
    """How p was estimated, if it was."""
    if found["method"] == "bracket":
        return _BRACKETED
    how = _SAMPLED.get(found["method"]) if found["n_resamples"] else None
    return "" if how is None else f" It was estimated from random ways: {how}."


def _extreme(found: Mapping[str, Any]) -> str:
    """What p is the probability of."""
    if found["score1"] is None:
        return "a statistic at least as large"
    return f"a difference at least as large{_DIRECTIONS[found['alternative']]}"


def _without_sign_of_zero(number: str) -> str:
    return number.removeprefix("-") if not re.search(r"[1-9]", number) else number


def _sentence(found: Mapping[str, Any], first: str, second: str, dataset: str) -> str:
    metric, where = _metric(found), f"On {dataset}, the" if dataset else "The"
    score1, score2, difference = _scores(found)
    if found["score1"] is None:
        finding = f"{where} test statistic of {first} against {second} is {difference} ("
        p = format_pvalue(found["log_p"])
        return f"{finding}{kind_of_test(found)}, n = {found['n']:,}, p = {p})."
    if found["stat"] == 0.0:
        finding = f"{where} {metric} of {first} is the same as that of {second} ({score1}"
    else:
        order = "higher" if found["stat"] > 0.0 else "lower"
        finding = (
            f"{where} {metric} of {first} is {order} than that of {second} ({score1} against "
            f"{score2}, a difference of {difference.removeprefix('-')}"
        )
    p = format_pvalue(found["log_p"])
    return f"{finding}; {kind_of_test(found)}, n = {found['n']:,}, p = {p})."
