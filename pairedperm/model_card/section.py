"""Comparisons as a section of a model card, in Markdown, and what their p says."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pairedperm.errors import InputError, Name, describe
from pairedperm.model_card.facts import Reported, read_result, results_by_split, test_of
from pairedperm.model_card.layout import as_section
from pairedperm.nulls.sampled import ENOUGH
from pairedperm.options import ALPHA, P_LEVEL
from pairedperm.population.intervals import EXACT_INTERVAL, GUARANTEED, SHARE, ConfidenceInterval
from pairedperm.results import __version__
from pairedperm.results.decisions import EquivalenceResult, equivalence_sentence
from pairedperm.results.power import PowerResult
from pairedperm.results.result import PairedBootstrapResult, PairedResult
from pairedperm.results.table import escaped
from pairedperm.results.words import (
    compared_in_words,
    ends_of_p,
    kind_of_test,
    names_of,
    p_beside,
    plain_name,
    sampling_unit,
    sentence,
)
from pairedperm.scoring.metric import as_arguments

HEADING = "## Statistical significance"
UNNAMED = {"name1": "this model", "name2": "the baseline", "dataset": ""}


class Block(NamedTuple):
    """The part of the section that reports one comparison, and what it was made from.

    `key` tells comparisons of one card apart: a line of JSON. `where` is what the systems were
    compared on, or "".
    """

    key: str
    text: str
    split: str | None
    where: str
    result: Reported

    @property
    def test(self) -> PairedResult:
        """The test, also that of an equivalence test."""
        return test_of(self.result)


def significance_section(
    result: Any,
    *,
    name1: str | None = None,
    name2: str | None = None,
    dataset: str | None = None,
    planned: PowerResult | None = None,
) -> str:
    """Return the section of a model card that reports a comparison, in Markdown.

    Parameters
    ----------
    result : PairedResult, EquivalenceResult, PipelineComparison or dict
        The comparison. A dict is what `compute` or `to_dict` returned, or has several results by
        split, as of `compare_dataset`.
    name1, name2 : str or None
        The two systems; None stands for "this model" and "the baseline".
    dataset : str or None
        What they were compared on.
    planned : PowerResult or None
        What was known beforehand, such as the result of `examples_needed`. Its summary is added.

    Returns
    -------
    str
        A heading, and for each comparison a title, the sentences for a paper, a table of scores
        and test, and the null hypothesis. p has three significant digits, or as many as show
        whether it exceeds the level. Markup in names is escaped. Comments mark the section and its
        comparisons: pasted into a card, it is what `update` brings up to date.

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
    >>> print(section.splitlines()[2])
    ## Statistical significance
    >>> print(section.splitlines()[6])
    ### Against small: accuracy on dev
    >>> print(section.splitlines()[8].partition(": ")[0])
    On dev, the accuracy of large does not differ significantly from that of small
    """
    blocks = comparison_blocks(result, name1=name1, name2=name2, dataset=dataset, planned=planned)
    return as_section(HEADING, {block.key: block.text for block in blocks})


def comparison_blocks(
    result: Any,
    *,
    name1: str | None,
    name2: str | None,
    dataset: str | None,
    planned: PowerResult | None = None,
    key: str | None = None,
) -> list[Block]:
    """Return a block for each comparison in `result`; see `significance_section`."""
    first, second, corpus = names_of(name1, name2, dataset, UNNAMED)
    results = results_by_split(result)
    plan = [] if planned is None else [_planned(planned)]
    made = []
    for split, one in results.items():
        where = _on_split(corpus, split)
        read = read_result(one)
        options = one.get("metric_options") if isinstance(one, Mapping) else None
        which: Any = [_metric_for_key(test_of(read), options), where, second]
        if key is not None:
            which = plain_name("key", key) if split is None else [plain_name("key", key), split]
        names = escaped(first), escaped(second), escaped(where)
        text = "\n\n".join([*_paragraphs(read, *names), *plan])
        made.append(Block(json.dumps(which, ensure_ascii=False), text, split, where, read))
    return made


def _on_split(dataset: str, split: str | None) -> str:
    """Return what a split of a dataset is called."""
    if split is None:
        return dataset
    return f"{dataset} ({split})" if dataset else f"the {split} split"


def _metric_for_key(test: PairedResult, stored: Mapping[str, Any] | None) -> str | None:
    """Return the metric with its options, as stored: words that stay the same in every version."""
    if test.score1 is None:
        return "test statistic"
    given = stored or test.metric_options or {}
    names = sorted({*given} - {"score_range"}, key=str)  # what is known of it is no other metric
    options = as_arguments({name: given[name] for name in names})
    return f"{test.metric}({options})" if options else test.metric


def _paragraphs(result: Reported, first: str, second: str, dataset: str) -> list[str]:
    """Return the title, the sentences, the table and the null hypothesis; names are escaped."""
    metric = compared_in_words(test_of(result), escaped)
    title = f"### Against {second}: {metric}{f' on {dataset}' if dataset else ''}"
    if title.endswith("#"):  # or Markdown drops them
        own = title.rstrip("#")
        title = f"{own}\\{title[len(own) :]}"
    if isinstance(result, EquivalenceResult):
        text = equivalence_sentence(result, first, second, dataset, escape=escaped)
    else:
        text = sentence(result, first, second, dataset, escape=escaped)
    rows = _rows(result, metric, first, second)
    table = "\n".join(
        ["| quantity | value |", "|:--|:--|", *(f"| {name} | {value} |" for name, value in rows)]
    )
    return [title, text, table, " ".join(_null_hypothesis(result))]


def _rows(result: Reported, metric: str, first: str, second: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of the table."""
    figures, test, alpha = result.figures(), test_of(result), ALPHA
    score1, score2, difference = figures.in_words
    if test.score1 is None:
        yield "statistic", difference
    else:
        yield f"{metric} of {first}", score1
        yield f"{metric} of {second}", score2
        yield "difference", difference
    if figures.interval is not None:
        yield f"{figures.level_in_words} interval of the difference", figures.interval_in_words
    if isinstance(result, EquivalenceResult):
        alpha = result.alpha
        yield "margin", figures.unit.amount(result.margin)
    yield "p", p_beside(alpha, test.pvalue, test.log_pvalue)
    if test.n_resamples:
        yield f"{P_LEVEL:.0%} interval of p", ends_of_p(test)
    elif test.method == "bracket":
        yield "proven interval of p", ends_of_p(test, 6)
    if test.pvalue == 0.0 and test.log_pvalue > -math.inf:
        yield "log p (natural)", f"{test.log_pvalue:.6g}"
    yield "examples (n)", f"{test.n:,}"
    if test.n_groups is not None:
        yield "groups", f"{test.n_groups:,}"
    yield f"{sampling_unit(test)}s scored differently", f"{test.n_differing:,}"
    if test.n_ignored:
        yield "labels left out", f"{test.n_ignored:,}"
    yield "method", kind_of_test(test, escaped)
    if test.seed is not None:
        yield "seed", str(test.seed)
    yield "version", f"pairedperm {__version__}"


def _planned(planned: Any) -> str:
    """Return what was known beforehand, as a paragraph."""
    if not isinstance(planned, PowerResult):
        raise InputError(
            Name("planned"),
            must="be a PowerResult, of `power`, `examples_needed` or "
            "`minimum_detectable_difference`",
            got=describe(planned),
        )
    return f"Planned beforehand. {escaped(planned.summary())}"


_EXTREME = {  # of a difference, by alternative; it is score1 - score2, also where lower is better
    "two-sided": "at least as large, in either direction",
    "greater": "at least the observed difference",
    "less": "at most the observed difference",
}
_SAMPLED = (
    "p was estimated from random ways: it is (k + 1) / (samples + 1), where k of them are as "
    "extreme."
)
_SAMPLED_ON = (
    f"p was estimated from random ways, drawn until {ENOUGH} were as extreme: it is {ENOUGH} / "
    "samples."
)
_RESAMPLED = (
    "p was estimated from random resamples: it is (k + 1) / (samples + 1), where k of them are "
    "such."
)
_NO_DIFFERENCE = {
    "two-sided": "the two systems score the same",
    "greater": "the first system scores no higher",
    "less": "the first system scores no lower",
}
_BEYOND = {  # of a resample's difference, by alternative and ties
    ("two-sided", "include"): "at least as far from the observed difference as 0 is",
    ("two-sided", "exclude"): "farther from the observed difference than 0 is",
    ("greater", "include"): "at least twice the observed difference",
    ("greater", "exclude"): "more than twice the observed difference",
    ("less", "include"): "at most twice the observed difference",
    ("less", "exclude"): "less than twice the observed difference",
}
_INTERVALS = {
    EXACT_INTERVAL: "exact",
    GUARANTEED: "guaranteed for any scores in their range",
    SHARE: "what the examples that may differ could change, since none of these does",
}
_MARGIN = (
    "Statements on the margin are two one-sided tests at α = {:g}. They ask whether the "  # noqa: RUF001
    "confidence interval lies within the margin, or on one side of it."
)


def _null_hypothesis(result: Reported) -> Iterator[str]:
    """Yield the null hypothesis, what p says, and how p and the interval were computed."""
    if isinstance(result, PairedBootstrapResult):
        yield from _of_bootstrap(result)
        return
    test, figures = test_of(result), result.figures()
    where, ways = "example", "2ⁿ ways to swap them"
    if test.n_groups is not None:
        where, ways = "group of examples", "ways to swap whole groups"
    extreme = "statistic is at least as large"
    if test.score1 is not None:
        extreme = f"difference is {_EXTREME[test.alternative]}"
    yield f"Null hypothesis: on each {where}, the outputs of the two systems are exchangeable."
    yield f"Of all {ways}, p is the share whose {extreme}. Ties count."
    if test.method == "bracket":
        yield "The p that is given is the upper end of a proven interval."
    if test.method == "monte_carlo" and test.n_resamples:
        is_last = test.pvalue == ENOUGH / test.n_resamples < 1.0  # no (k + 1) / (m + 1) is that
        yield _SAMPLED_ON if is_last else _SAMPLED
    if figures.interval is not None:
        yield _of_interval(figures.interval, figures.level or 0.0, test.interval == "certified")
    if isinstance(result, EquivalenceResult):
        yield _MARGIN.format(result.alpha)


def _of_interval(interval: ConfidenceInterval, level: float, has_exact_p: bool) -> str:
    """Say how the interval was computed; another release may have had another method."""
    method = escaped(" ".join(interval.method.split()))
    why = f", and includes 0 because p is above {1.0 - level:.12g}" if interval.is_extended else ""
    if interval.method == EXACT_INTERVAL and has_exact_p:
        why = f", and excludes 0 where p is at most {1.0 - level:.12g}"
    kind = _INTERVALS.get(interval.method, f"asymptotic ({method})")
    return f"The confidence interval of the difference in the population is {kind}{why}."


def _of_bootstrap(result: PairedBootstrapResult) -> Iterator[str]:
    drawn, resamples = "n examples", "nⁿ resamples"
    if result.n_groups is not None:
        drawn, resamples = "as many groups of examples", "resamples"
    beyond = _BEYOND[result.alternative, result.ties]
    yield f"Null hypothesis: on examples like these, {_NO_DIFFERENCE[result.alternative]}."
    yield f"A resample draws {drawn} with replacement."
    yield f"Of all {resamples}, p is the share whose difference is {beyond}."
    yield "Ties count." if result.ties == "include" else "Ties do not count."
    if result.n_resamples:
        yield _RESAMPLED
    if result.log_pvalue == -math.inf:
        yield "p = 0 means that these examples have no such resample; other examples may have one."
    yield "The confidence interval is the percentile interval of the resamples' differences."
