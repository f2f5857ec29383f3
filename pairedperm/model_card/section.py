"""Comparisons as a section of a model card, in Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pairedperm.errors import InputError
from pairedperm.model_card.facts import facts, results_by_split
from pairedperm.model_card.markdown import as_section
from pairedperm.model_card.null_hypothesis import null_hypothesis
from pairedperm.options import P_LEVEL
from pairedperm.results import __version__
from pairedperm.results.equivalence_result import sentence as equivalence_sentence
from pairedperm.results.markdown import escaped
from pairedperm.results.power_result import PowerResult
from pairedperm.results.sentence import (
    ALPHA,
    amount_in_words,
    compared_in_words,
    format_pvalue,
    has_interval,
    interval_in_words,
    kind_of_test,
    level_in_words,
    names_of,
    p_beside,
    plain_name,
    scores_in_words,
    sentence,
)
from pairedperm.scoring.digest import read_digest
from pairedperm.scoring.metric import as_arguments
from pairedperm.shown import first_of, shown
from pairedperm.wording import Name, Parts, describe

HEADING = "## Statistical significance"
UNNAMED = {"name1": "this model", "name2": "the baseline", "dataset": ""}
_INTERVAL = ("log_p_low", "log_p_high")


class Block(NamedTuple):
    """The part of the section that reports one comparison, and what it was made from.

    `key` tells comparisons of one card apart: a line of JSON. `where` is what the systems were
    compared on, or "".
    """

    key: str
    text: str
    split: str | None
    where: str
    found: dict[str, Any]


def significance_section(
    result: Any,
    *,
    name1: str | None = None,
    name2: str | None = None,
    dataset: str | None = None,
    planned: PowerResult | None = None,
    sha256: str | None = None,
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
    sha256 : str or None
        The digest of the table of counts that was published, ``publish(result)["sha256"]``.
        `pairedperm verify` recomputes p from that table.

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
        If `result` is something else, or a name is no text. If `sha256` is no digest, or `result`
        has several splits, which it cannot be of.

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
    found = blocks(
        result, name1=name1, name2=name2, dataset=dataset, planned=planned, sha256=sha256
    )
    return as_section(HEADING, {block.key: block.text for block in found})


def blocks(
    result: Any,
    *,
    name1: str | None,
    name2: str | None,
    dataset: str | None,
    planned: PowerResult | None = None,
    sha256: str | None = None,
    key: str | None = None,
) -> list[Block]:
    """Return a block for each comparison in `result`; see `significance_section`."""
    first, second, corpus = names_of(name1, name2, dataset, UNNAMED)
    results = results_by_split(result)
    if sha256 is not None and len(results) > 1:
        listed = first_of([*map(shown, results)])
        several = Parts(Name("result"), f" has {len(results)} results: {listed}")
        remedy, one = "Report one of these splits at a time", " is of one table of counts, and "
        raise InputError(Name("sha256"), one, several, remedy=remedy)
    plan = [] if planned is None else [_planned(planned)]
    made = []
    for split, one in results.items():
        where = _on_split(corpus, split)
        found = facts(one)
        which: Any = [_metric_for_key(found), where, second]
        if key is not None:
            which = plain_name("key", key) if split is None else [plain_name("key", key), split]
        names = escaped(first), escaped(second), escaped(where)
        text = "\n\n".join([*_paragraphs(found, *names, sha256), *plan])
        made.append(Block(json.dumps(which, ensure_ascii=False), text, split, where, found))
    return made


def _on_split(dataset: str, split: str | None) -> str:
    """Return what a split of a dataset is called."""
    if split is None:
        return dataset
    return f"{dataset} ({split})" if dataset else f"the {split} split"


def _metric_for_key(found: Mapping[str, Any]) -> str | None:
    """Return the metric with its options, in words that stay the same in every version."""
    if found["score1"] is None:
        return "test statistic"
    given = found["metric_options"] or {}
    options = as_arguments({name: given[name] for name in sorted(given, key=str)})
    return f"{found['metric']}({options})" if options else found["metric"]


def _paragraphs(
    found: Mapping[str, Any], first: str, second: str, dataset: str, sha256: str | None
) -> list[str]:
    """Return the title, the sentences, the table and the null hypothesis; names are escaped."""
    metric = compared_in_words(found, escaped)
    title = f"### Against {second}: {metric}{f' on {dataset}' if dataset else ''}"
    title = re.sub(r"(?=#+\Z)", r"\\", title, count=1)  # or Markdown drops them
    in_words = sentence if "margin" not in found else equivalence_sentence
    text = in_words(found, first, second, dataset, escape=escaped)
    rows = _rows(found, metric, first, second, sha256)
    table = "\n".join(
        ["| quantity | value |", "|:--|:--|", *(f"| {name} | {value} |" for name, value in rows)]
    )
    return [title, text, table, null_hypothesis(found)]


def _rows(
    found: Mapping[str, Any], metric: str, first: str, second: str, sha256: str | None
) -> Iterator[tuple[str, str]]:
    """Yield the rows of the table."""
    score1, score2, difference = scores_in_words(found)
    if found["score1"] is None:
        yield "statistic", difference
    else:
        yield f"{metric} of {first}", score1
        yield f"{metric} of {second}", score2
        yield "difference", difference
    if has_interval(found):
        name = f"{level_in_words(found)} interval of the difference"
        yield name, interval_in_words(found)
    if "margin" in found:
        yield "margin", amount_in_words(found["metric"], found["margin"])
    yield "p", p_beside(found.get("alpha", ALPHA), found["p"], found["log_p"])
    if found["n_resamples"]:
        ends = (format_pvalue(found[key]) for key in _INTERVAL)
        yield f"{P_LEVEL:.0%} interval of p", " to ".join(ends)
    elif found["method"] == "bracket":
        ends = (format_pvalue(found[key], 6) for key in _INTERVAL)
        yield "proven interval of p", " to ".join(ends)
    if found["p"] == 0.0 and found["log_p"] is not None:
        yield "log p (natural)", f"{found['log_p']:.6g}"
    units = "examples" if found["n_groups"] is None else "groups"
    yield "examples (n)", f"{found['n']:,}"
    if found["n_groups"] is not None:
        yield "groups", f"{found['n_groups']:,}"
    yield f"{units} scored differently", f"{found['n_differing']:,}"
    if found["n_ignored"]:
        yield "labels left out", f"{found['n_ignored']:,}"
    yield "method", kind_of_test(found, escaped)
    if found["seed"] is not None:
        yield "seed", str(found["seed"])
    yield "version", f"pairedperm {__version__}"
    if sha256 is not None:
        yield "SHA-256 of the table of counts", read_digest(sha256)


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
