"""A test's result in a model card: a section of the text. No other character changes."""

from __future__ import annotations

import html
import json
import math
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pairedperm.errors import (
    InputError,
    Name,
    Parts,
    Python,
    describe,
    first_of,
    shown,
)
from pairedperm.inputs.files import check_regular, locked, why, write_whole
from pairedperm.nulls.problem import ENOUGH
from pairedperm.options import (
    ALPHA,
    P_LEVEL,
    Alternative,
    Constraint,
    Interval,
    OneOf,
    Test,
    Ties,
    Whole,
)
from pairedperm.population.intervals import (
    EXACT_INTERVAL,
    GUARANTEED,
    PERCENTILE,
    SHARE,
    ConfidenceInterval,
)
from pairedperm.results import __version__
from pairedperm.results.decisions import EquivalenceResult, equivalence_sentence
from pairedperm.results.power import PowerResult
from pairedperm.results.result import (
    SCHEMA_VERSION,
    PairedBootstrapResult,
    PairedPermutationResult,
    PairedResult,
)
from pairedperm.results.several import Leaderboard
from pairedperm.results.suite import SuiteResult
from pairedperm.results.table import escaped
from pairedperm.results.words import (
    compared_in_words,
    ends_of_p,
    is_utf8,
    kind_of_test,
    names_of,
    p_beside,
    plain_name,
    sampling_unit,
    sentence,
)
from pairedperm.scoring.counts import UnknownMetric, stored_metric
from pairedperm.scoring.metric import as_arguments
from pairedperm.scoring.metrics.given import MeanScore

__all__ = ["significance_section", "update"]

START, END = "<!-- paired_perm:start -->", "<!-- paired_perm:end -->"
_COMPARISON = "<!-- paired_perm:comparison "

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_OWN_LINE = r"(?<![^\r\n\ufeff])[ \t]*({})[ \t]*(?![^\r\n])"
_MARKER = re.compile(_OWN_LINE.format(f"{START}|{END}"))
_KEY = re.compile(rf"(?<![^\r\n])[ \t]*({_COMPARISON}[^\r\n]*)")
_BLANK_LINE_LAST = re.compile(r"(\r\n|\r(?!\n)|\n)[ \t]*(\r\n|\r|\n)\Z")


class _Section(NamedTuple):
    """Our section's offsets in the card: its ends, the line that ends it, its comparisons."""

    start: int
    last_line: int
    end: int
    comparisons: list[tuple[int, str]]


def with_comparisons(
    card: str, heading: str, comparisons: Mapping[str, str], start: int = 0
) -> str:
    """Return the card with these comparisons, by key, in the section between our markers.

    A comparison whose key is there is replaced, another is added after those that are there. A
    section without comparisons is replaced as a whole, and a new one comes last under `heading`.
    All other characters stay. A marker stands on a line of its own; before `start`, where the text
    begins, there are none, and one without its other is text.

    Raises
    ------
    InputError
        If there are two pairs of markers, or two comparisons of one key.
    """
    newline = line_break(card)
    section = _marked(card, start)
    if section is None:
        if not card or _BLANK_LINE_LAST.search(card):
            gap = ""
        else:
            is_whole_line = card.endswith("\n") or (card.endswith("\r") and newline != "\n")
            gap = newline if is_whole_line else 2 * newline  # "\r" and our "\n" are one break
        new = as_section(heading, comparisons).replace("\n", newline)
        return f"{card}{gap}{new}{newline}"
    before = card[: section.start]
    indent = before[len(before.rstrip(" \t")) :]

    def as_there(text: str) -> str:
        return re.sub(r"^(?=.)", indent, text, flags=re.MULTILINE).replace("\n", newline)

    if not section.comparisons:
        new = as_there(as_section(heading, comparisons)).removeprefix(indent)
        return card[: section.start] + new + card[section.end :]
    blocks = {_comment(key): text for key, text in comparisons.items()}
    listed = Counter(comment for _, comment in section.comparisons)
    if twice := [x for x in blocks if listed[x] > 1]:
        raise InputError(f"the card has {shown(twice[0])} twice", remedy="delete one of the two")
    ends = [*(at for at, _ in section.comparisons), section.last_line]
    made = {comment: as_there(_block(comment, text)) for comment, text in blocks.items()}
    parts = [
        made.pop(comment, card[at:end])
        for (at, comment), end in zip(section.comparisons, ends[1:], strict=True)
    ]
    return card[: ends[0]] + "".join([*parts, *made.values()]) + card[ends[-1] :]


def as_section(heading: str, comparisons: Mapping[str, str]) -> str:
    """Return a section of these comparisons, by key, with the markers by which it is found."""
    blocks = [_block(_comment(key), text) for key, text in comparisons.items()]
    return f"{START}\n\n{heading}\n\n{''.join(blocks)}{END}"


def _comment(key: str) -> str:
    """Return the line that carries a key; no key can end the comment."""
    return f"{_COMPARISON}{html.escape(key, quote=False)} -->"


def _block(comment: str, text: str) -> str:
    return f"{comment}\n\n{text}\n\n"


def line_break(text: str) -> str:
    """Return the line break at the end of the text's first line."""
    first = _LINE_BREAK.search(text)
    return first.group() if first else "\n"


def _marked(card: str, start: int) -> _Section | None:
    """Return our section, if there is one: from a marker of its start to the next one of its end.

    Raises
    ------
    InputError
        If there are several.
    """
    text = card[start:]
    pairs = [
        (one, two)
        for one, two in pairwise(_MARKER.finditer(text))
        if (one[1], two[1]) == (START, END)
    ]
    if not pairs:
        return None
    if len(pairs) > 1:
        breaks = [x.end() for x in _LINE_BREAK.finditer(text)]
        first = 1 + len(_LINE_BREAK.findall(card, 0, start))
        lines = (
            f"{x[1]} in line {first + bisect_right(breaks, x.start())}" for y in pairs for x in y
        )
        raise InputError(
            "the card",
            must=f"have one section between {START} and {END}, or none",
            got=first_of([*lines], 5),
            remedy="Delete all but one pair, also in code, and move all comparisons into it, each "
            f"from its line {_COMPARISON}… on",
        )
    ((one, two),) = pairs
    keys = _KEY.finditer(text, one.end(), two.start())
    comparisons = [(start + x.start(), x[1].rstrip(" \t")) for x in keys]
    return _Section(start + one.start(1), start + two.start(), start + two.end(1), comparisons)


Reported = PairedResult | EquivalenceResult
_BOARDS = Leaderboard, SuiteResult  # of several tests


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


def update(
    path: str | os.PathLike[str],
    result: Any,
    *,
    name1: str | None = None,
    name2: str | None = None,
    dataset: str | None = None,
    planned: PowerResult | None = None,
    key: str | None = None,
) -> Path:
    """Report a comparison in a model card on disk: add it to the section, or replace it there.

    The section stands between two marker lines, at the card's end when it is new; move it where
    you like. It holds one comparison for each key, and the others in it stay as they are. So does
    every other byte of the card. A comparison reaches down to the next one, so write words of your
    own above the first. Doing it twice changes nothing.

    Parameters
    ----------
    path : path-like
        The card, or the folder of the model with its README.md.
    result : PairedResult, EquivalenceResult, PipelineComparison or dict
        The comparison, in which system 1 is the card's model. A dict is what `compute` or
        `to_dict` returned, or has several results by split, as of `compare_dataset`.
    name1, name2, dataset, planned
        See `significance_section`.
    key : str or None
        What tells this comparison from others in the card. None: its metric with options, dataset
        and `name2`. A comparison in the card that has the same key is replaced. Scores of your own
        have no metric, so two kinds of them need keys.

    Returns
    -------
    pathlib.Path
        The card.

    Raises
    ------
    InputError
        Nothing is written, and

        - there is no card, it is no regular file, cannot be written or is not UTF-8;
        - it has two sections, also one in code, or this comparison twice.

    Notes
    -----
    A new file replaces the old one and has its permissions, so there is never half a card. Markers
    stand on lines of their own; one without its other is text.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from pairedperm import compare, model_card
    >>> card = pathlib.Path(tempfile.mkdtemp()) / "README.md"
    >>> _ = card.write_text("# A model", "utf-8")
    >>> result = compare([1, 1, 0, 1, 1], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1])
    >>> _ = model_card.update(card, result, name1="large", name2="small", dataset="dev")
    >>> for line in card.read_text("utf-8").splitlines()[:5]:
    ...     print(line)
    # A model
    <BLANKLINE>
    <!-- paired_perm:start -->
    <BLANKLINE>
    ## Statistical significance
    """
    blocks = comparison_blocks(
        result, name1=name1, name2=name2, dataset=dataset, planned=planned, key=key
    )
    card, _ = _read_card(path)
    try:
        with locked(card):
            _update(card, {x.key: x.text for x in blocks})
    except OSError as error:
        raise _unwritable([card], error) from error
    return card


def _update(card: Path, comparisons: Mapping[str, str]) -> None:
    """Change the card as `update` says."""
    card, before = _read_card(card)
    _write({card: with_comparisons(before, HEADING, comparisons)})


def _read_card(path: Any) -> tuple[Path, str]:
    """Return the card's file, and its text."""
    card = path
    try:
        card = Path(path)
        card = card / "README.md" if card.is_dir() else card
        check_regular(card)
        return card, card.read_bytes().decode("utf-8")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise InputError(
            f"there is no card at {shown(str(card))}: ",
            Name("path"),
            must="be a README.md, or a folder with one",
            remedy=Python("Make one with huggingface_hub.ModelCard", "An empty file will do"),
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"the card {shown(str(card))} is not UTF-8 ({error.reason} at byte {error.start})",
            remedy="save it as UTF-8 first",
        ) from error
    except (OSError, TypeError, ValueError) as error:
        which = shown(str(card)) if isinstance(card, Path) else describe(card)
        what = ", ", which, f", cannot be read: {why(error)}"
        remedy = "Name a README.md that can be read"
        raise InputError(Name("path"), *what, remedy=remedy) from error


def _write(changed: Mapping[Path, str]) -> None:
    """Write the files that change, if all can be written."""
    try:
        contents = {path: text.encode("utf-8") for path, text in changed.items()}
        there = {path: path.read_bytes() for path in contents if path.exists()}
        stale = {path: new for path, new in contents.items() if there.get(path) != new}
        for path in stale:
            if path in there and not os.access(path, os.W_OK):
                raise PermissionError(f"{shown(str(path))} is read-only")
        if stale:
            write_whole(stale)
    except OSError as error:
        raise _unwritable([*changed], error) from error


def _unwritable(paths: Sequence[Path], error: OSError) -> InputError:
    """Return the error for files of which one cannot be written."""
    named = " or ".join(map(shown, map(str, paths)))
    what = f"{named} cannot be written: {why(error)}"
    return InputError(what, remedy="Nothing was changed")
