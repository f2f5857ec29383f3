"""A result as a Markdown section: a sentence, a table, the null hypothesis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairedperm.errors import InputError, describe
from pairedperm.model_card.facts import facts
from pairedperm.options import P_LEVEL
from pairedperm.results import __version__
from pairedperm.results.equivalence_result import sentence as equivalence_sentence
from pairedperm.results.markdown import escaped
from pairedperm.results.power_result import PowerResult
from pairedperm.results.sampled import ENOUGH
from pairedperm.results.sentence import (
    amount_in_words,
    format_pvalue,
    has_interval,
    interval_in_words,
    kind_of_test,
    level_in_words,
    metric_in_words,
    names_of,
    scores_in_words,
    sentence,
)
from pairedperm.scoring.digest import read_digest

_INTERVAL = ("log_p_low", "log_p_high")
UNNAMED = {"name1": "this model", "name2": "the baseline", "dataset": ""}
_DIRECTIONS = {
    "two-sided": ", in either direction",
    "greater": " in the first system's favour",
    "less": " in the second system's favour",
}
_BRACKETED = " It is the upper end of a proven interval."
_SAMPLED = " It was estimated from random ways: (k + 1) / (samples + 1) for the k as extreme."
_SAMPLED_ON = (
    f" It was estimated from random ways, drawn until {ENOUGH} were as extreme: {ENOUGH} / samples."
)
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
_WITHIN = (
    " Statements on the margin are two one-sided tests at α = {:g}: of whether the confidence "  # noqa: RUF001
    "interval of the difference, which is asymptotic ({}), lies on one side of it, or within it."
)
_PERCENTILE = "The difference's confidence interval is its percentile interval over the resamples."
_ASYMPTOTIC = (
    " The difference's confidence interval is asymptotic ({}), extended to 0 where p exceeds 1 "
    "minus its level."
)


def significance_section(
    result: Any,
    *,
    name1: str | None = None,
    name2: str | None = None,
    dataset: str | None = None,
    planned: PowerResult | None = None,
    sha256: str | None = None,
) -> str:
    """The section of a model card that reports a comparison, in Markdown.

    Parameters
    ----------
    result : PairedPermutationResult, PairedBootstrapResult, EquivalenceResult or dict
        Of a test, or what `compute` of an `evaluate` module returned, or `to_dict` of these.
    name1, name2 : str or None
        The two systems; None stands for "this model" and "the baseline".
    dataset : str or None
        What they were compared on.
    planned : PowerResult or None
        What was known beforehand, such as the result of `examples_needed`: its summary is added.
    sha256 : str or None
        Of the table of counts that was published with the result, ``publish(result)["sha256"]``:
        `pairedperm verify` recomputes p from that table.

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
    >>> section.splitlines()[2].partition(", p")[2]
    ' = 0.25): no significant difference at α = 0.05.'
    """
    found = facts(result)
    first, second, corpus = map(escaped, names_of(name1, name2, dataset, UNNAMED))
    score1, score2, difference = scores_in_words(found)
    groups = found["n_groups"]
    rows = [("statistic", difference)]
    if found["score1"] is not None:
        metric = metric_in_words(found, escaped)
        rows = [
            (f"{metric} of {first}", score1),
            (f"{metric} of {second}", score2),
            ("difference", difference),
        ]
    if has_interval(found):
        name = f"{level_in_words(found)} confidence interval of the difference"
        rows.append((name, interval_in_words(found)))
    if "margin" in found:
        rows.append(("margin", amount_in_words(found["metric"], found["margin"])))
    rows.append(("p", format_pvalue(found["log_p"])))
    if found["n_resamples"]:
        ends = (format_pvalue(found[key]) for key in _INTERVAL)
        rows.append((f"{P_LEVEL:.0%} confidence interval of p", " to ".join(ends)))
    elif found["method"] == "bracket":
        ends = (format_pvalue(found[key], 6) for key in _INTERVAL)
        rows.append(("proven interval of p", " to ".join(ends)))
    if found["p"] == 0.0 and found["log_p"] is not None:
        rows.append(("log p (natural)", f"{found['log_p']:.6g}"))
    rows += [
        ("n", f"{found['n']:,}"),
        *([] if groups is None else [("groups", f"{groups:,}")]),
        (f"{'n' if groups is None else 'groups'} scored differently", f"{found['n_differing']:,}"),
        *([("labels left out", f"{found['n_ignored']:,}")] if found["n_ignored"] else []),
        ("method", kind_of_test(found, escaped)),
        *([("seed", str(found["seed"]))] if found["seed"] is not None else []),
        ("version", f"pairedperm {__version__}"),
        *([] if sha256 is None else [("SHA-256 of the table of counts", read_digest(sha256))]),
    ]
    in_words = sentence if "margin" not in found else equivalence_sentence
    text = in_words(found, first, second, corpus, escape=escaped)
    table = "\n".join(["| | |", "|:--|:--|", *(f"| {name} | {value} |" for name, value in rows)])
    paragraphs = ["## Statistical significance", text, table, _null_hypothesis(found)]
    if planned is not None:
        paragraphs.append(f"Planned beforehand. {escaped(_read_planned(planned).summary())}")
    return "\n\n".join(paragraphs)


def _read_planned(planned: Any) -> PowerResult:
    if not isinstance(planned, PowerResult):
        raise InputError(
            "`planned` must be a PowerResult, of `power`, `examples_needed` or "
            f"`minimum_detectable_difference`, got {describe(planned)}."
        )
    return planned


def summary(result: Any, name1: str | None, name2: str | None, dataset: str | None) -> str:
    """The section's sentence as plain text."""
    found = facts(result)
    in_words = sentence if "margin" not in found else equivalence_sentence
    return in_words(found, *names_of(name1, name2, dataset, UNNAMED))


def _null_hypothesis(found: Mapping[str, Any]) -> str:
    """The null hypothesis, what p is the probability of, and how it was estimated."""
    if found["test"] == "bootstrap":
        return _of_bootstrap(found)
    extreme = "a statistic at least as large"
    if found["score1"] is not None:
        extreme = f"a difference at least as large{_DIRECTIONS[found['alternative']]}"
    where, ways = "example", "2ⁿ ways of swapping them"
    if found["n_groups"] is not None:
        where, ways = "group of examples", "ways of swapping those of a group together"
    stated = (
        f"Null hypothesis: on each {where} the two systems' outputs are exchangeable. p is the "
        f"probability, over all {ways}, of {extreme}; ties count."
    )
    if found["method"] == "bracket":
        stated += _BRACKETED
    if found["method"] == "monte_carlo" and found["n_resamples"]:
        is_last = found["p"] == ENOUGH / found["n_resamples"] < 1.0  # no (k + 1) / (m + 1) is that
        stated += _SAMPLED_ON if is_last else _SAMPLED
    if "margin" in found:
        return stated + _WITHIN.format(found["alpha"], found["stat_interval"])
    return stated + (_ASYMPTOTIC.format(found["stat_interval"]) if has_interval(found) else "")


def _of_bootstrap(found: Mapping[str, Any]) -> str:
    side, ties = found["alternative"], found["ties"]
    resamples = "nⁿ resamples, n examples drawn with replacement"
    if found["n_groups"] is not None:
        resamples = "resamples, as many groups of examples drawn with replacement"
    stated = (
        f"Null hypothesis: on examples like these {_NO_DIFFERENCE[side]}. p is the share of all "
        f"{resamples}, whose difference is "
        f"{_BEYOND[side, ties]}; ties {'count' if ties == 'include' else 'do not count'}."
    )
    if found["n_resamples"]:
        stated += _RESAMPLED
    if found["log_p"] is None:
        stated += " p = 0: these examples have no such resample; others like them may have."
    return f"{stated} {_PERCENTILE}"
