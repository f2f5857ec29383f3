"""A result as a Markdown section: a sentence, a table, the null hypothesis."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Mapping
from typing import Any

from pairedperm import __version__
from pairedperm.columns import describe
from pairedperm.errors import InputError
from pairedperm.result import PairedPermutationResult, format_pvalue

__all__ = ["facts", "plain_name", "significance_section", "summary", "test_name"]

_NUMBERS = ("stat", "p", "log_p", "score1", "score2", "n", "n_differing")
_KEYS = (*_NUMBERS, "metric", "alternative", "method")
_NAMES = {"name1": "this model", "name2": "the baseline", "dataset": ""}
_SIDES = {"two-sided": "two-sided", "greater": "one-sided (greater)", "less": "one-sided (less)"}
_DIRECTIONS = {
    "two-sided": ", in either direction",
    "greater": " in the first system's favour",
    "less": " in the second system's favour",
}
_PERCENT = (
    100.0,
    "%",
    " percentage points",
    2,
)  # factor, sign, what differences are in, digits at least


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
    first, second = _escaped(plain_name("name1", name1)), _escaped(plain_name("name2", name2))
    score1, score2, difference = _scores(found)
    rows = [
        (f"{_metric(found)} of {first}", score1),
        (f"{_metric(found)} of {second}", score2),
        ("difference", difference),
        ("p", format_pvalue(found["log_p"])),
    ]
    if found["p"] == 0.0:
        rows.append(("log p (natural)", f"{found['log_p']:.6g}"))
    rows += [
        ("n", f"{found['n']:,}"),
        ("n scored differently", f"{found['n_differing']:,}"),
        ("method", test_name(found)),
        ("version", f"pairedperm {__version__}"),
    ]
    return "\n".join(
        [
            "## Statistical significance",
            "",
            _sentence(found, first, second, _escaped(plain_name("dataset", dataset))),
            "",
            "| | |",
            "|:--|:--|",
            *(f"| {name} | {value} |" for name, value in rows),
            "",
            "Null hypothesis: on each example the two systems' outputs are exchangeable. p is the "
            "probability, over all 2ⁿ ways of swapping them, of a difference at least as large"
            f"{_DIRECTIONS[found['alternative']]}; ties count.",
        ]
    )


def summary(result: Any, name1: str | None, name2: str | None, dataset: str | None) -> str:
    """The section's sentence as plain text."""
    first, second = plain_name("name1", name1), plain_name("name2", name2)
    return _sentence(facts(result), first, second, plain_name("dataset", dataset))


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
        if isinstance(result, Mapping) and any(
            isinstance(value, (PairedPermutationResult, Mapping)) for value in result.values()
        ):
            hint = f" Pass one of these results, such as result[{next(iter(result))!r}]."
        raise InputError(
            "`result` must be a PairedPermutationResult, or what compute of paired_perm returned, "
            f"got {describe(result)}, without {missing[0]!r}.{hint}"
        )
    for key in _NUMBERS:
        if not isinstance(result[key], numbers.Real) or not math.isfinite(result[key]):
            raise InputError(f"`result`[{key!r}] must be a number, got {describe(result[key])}.")
    if result["alternative"] not in _SIDES:
        raise InputError(
            f"`result`['alternative'] must be one of {', '.join(map(repr, _SIDES))}, got "
            f"{describe(result['alternative'])}."
        )
    return dict(result)


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
    return " ".join(name.split())


def _metric(found: Mapping[str, Any]) -> str:
    return "mean score" if found["metric"] is None else str(found["metric"]).replace("_", " ")


def test_name(found: Mapping[str, Any]) -> str:
    """What was computed: "exact two-sided paired-permutation test"."""
    method = str(found["method"]).replace("_", " ")
    return f"{method} {_SIDES[found['alternative']]} paired-permutation test"


def _scores(found: Mapping[str, Any]) -> tuple[str, str, str]:
    """Both scores and their difference, with as many digits as the difference needs."""
    factor, mark, unit, at_least = (1.0, "", "", 0) if found["metric"] is None else _PERCENT
    scores = [factor * found[key] for key in ("score1", "score2")]
    difference = factor * found["stat"]
    if difference == 0.0:
        shown = [f"{score:.2f}{mark}" if mark else f"{score:.6g}" for score in scores]
        return shown[0], shown[1], f"0{unit}"
    digits = 1 - math.floor(math.log10(abs(difference)))
    digits = min(max(digits, at_least), 15)
    first, second = (f"{score:,.{digits}f}{mark}" for score in scores)
    return first, second, f"{difference:,.{digits}f}{unit}"


def _sentence(found: Mapping[str, Any], first: str, second: str, dataset: str) -> str:
    metric, where = _metric(found), f"On {dataset}, the" if dataset else "The"
    score1, score2, difference = _scores(found)
    if found["stat"] == 0.0:
        finding = f"{where} {metric} of {first} is the same as that of {second} ({score1}"
    else:
        order = "higher" if found["stat"] > 0.0 else "lower"
        finding = (
            f"{where} {metric} of {first} is {order} than that of {second} ({score1} against "
            f"{score2}, a difference of {difference.removeprefix('-')}"
        )
    return (
        f"{finding}; {test_name(found)}, n = {found['n']:,}, p = {format_pvalue(found['log_p'])})."
    )
