"""A test's result in a model card: a section of the text, and metadata.

A result may stand under a metric of the card's model-index, or in `.eval_results`. No other
character of the card changes.
"""

from __future__ import annotations

import contextlib
import copy
import html
import inspect
import json
import math
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, get_args

import huggingface_hub
import numpy as np
import yaml
from huggingface_hub.repocard import REGEX_YAML_BLOCK
from huggingface_hub.repocard_data import model_index_to_eval_results

from pairedperm.errors import (
    InputError,
    Name,
    Parts,
    Python,
    Setting,
    describe,
    first_of,
    printable,
    shown,
    warn,
)
from pairedperm.inputs.files import check_regular, leads_out, locked, why, write_whole
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
    Figures,
    compared_in_words,
    ends_of_p,
    format_pvalue,
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
_OWN_LINE = r"(?<![^\r\n])[ \t]*({})[ \t]*(?![^\r\n])"
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


Steps = Sequence[str | int]
_Spans = Mapping[str, tuple[int, int]]
_MAX_DEPTH = 50  # tuned: so that reading and writing, which recurse, stay within Python's stack
_MAX_ALIASED = 100_000  # tuned: entries more than the text has; below a second


class _Loader(yaml.SafeLoader):  # type: ignore[misc]  # PyYAML has no types
    """A loader that refuses deep nesting, and aliases that stand for very much, before reading."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.level = 0
        self.sizes: dict[Any, tuple[int, int]] = {}  # entries and depth, aliases in full

    def compose_node(self, parent: Any, index: Any) -> Any:
        self.level += 1
        mark = self.peek_event().start_mark
        if self.level > _MAX_DEPTH:
            self._refuse(f"it is nested more than {_MAX_DEPTH} levels deep", mark)
        node = super().compose_node(parent, index)
        self.level -= 1
        if node not in self.sizes:
            inner = () if isinstance(node, yaml.ScalarNode) else node.value
            inner = [x for entry in inner for x in (entry if isinstance(entry, tuple) else [entry])]
            sizes = [self.sizes.get(x, (0, 0)) for x in inner]  # none yet of one that holds itself
            size = 1 + sum(n for n, _ in sizes)
            depth = 1 + max((n for _, n in sizes), default=0)
            if size > len(self.sizes) + _MAX_ALIASED or depth > _MAX_DEPTH:
                self._refuse("its aliases (*) stand for too much: write out what is meant", mark)
            self.sizes[node] = size, depth
        return node

    def _refuse(self, problem: str, mark: Any) -> None:
        raise yaml.composer.ComposerError(None, None, problem, mark)


def load_yaml(text: str, what: str, n_lines: int = 0) -> Any:
    """Return the data in a YAML text that begins after so many lines.

    Raises
    ------
    InputError
        If it cannot be read; `what` says where it is from.
    """
    try:
        return _data(text)
    except Exception as error:  # PyYAML fails in many ways on tags that do not fit
        where = getattr(error, "problem_mark", None)
        line = "" if where is None else f", line {n_lines + where.line + 1}"
        reason = printable(getattr(error, "problem", None) or str(error) or type(error).__name__)
        raise InputError(
            f"the YAML of {what} cannot be read{line}: {reason}",
            remedy="Correct it first; nothing was changed",
        ) from error


def edited(text: str, path: Steps, key: str, entry: Mapping[str, Any]) -> str:
    """Return the text with this entry, or none, under `key` in the mapping at `path`.

    Raises
    ------
    InputError
        If that cannot be done without changing anything else (an anchor is used twice).
    """
    wanted = mapping = copy.copy(load_yaml(text, "the card"))
    for step in path:  # aliases of what is on the way mean what they meant
        mapping[step] = copy.copy(mapping[step])
        mapping = mapping[step]
    if _same({key: mapping.pop(key)} if key in mapping else {}, entry):
        return text
    mapping.update(entry)
    with contextlib.suppress(KeyError):  # what comes with an alias stands elsewhere
        for candidate in _edits(text, path, key, entry):
            with contextlib.suppress(yaml.YAMLError):
                if _same(_data(candidate), wanted):
                    return candidate
    raise InputError(
        f"{key!r} at {'/'.join(map(str, path))} of the YAML cannot be set without changing "
        "something else",
        remedy="remove the anchors (&), aliases (*) and tags (!) from that entry",
    )


def as_written(text: str, path: Steps, data: Any) -> str:
    """Return the data at `path` of a YAML text as they are written there, without quotes."""
    with contextlib.suppress(KeyError):  # what comes with an alias stands elsewhere
        node = _node(text, path)
        if isinstance(node, yaml.ScalarNode):
            return str(node.value)
    return str(data)


def _node(text: str, path: Steps) -> Any:
    """Return PyYAML's node at `path`."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    for step in path:
        node = (node.value if isinstance(step, int) else {k.value: v for k, v in node.value})[step]
    return node


def _data(text: str) -> Any:
    """Return the data, which PyYAML refuses if they contain themselves."""
    node = yaml.compose(text, Loader=_Loader)
    return node and yaml.SafeLoader("").construct_object(node, deep=True)


def _edits(text: str, path: Steps, key: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield texts, one of which has the wanted data unless aliases are in the way."""
    node = _node(text, path)
    spans = {k.value: _span(text, k, v) for k, v in node.value}
    if entry:
        yield _with(text, node, spans, key, entry)
        return
    before, after = text[: spans[key][0]], text[spans[key][1] :]
    if node.flow_style:
        yield before.rstrip().removesuffix(",") + after
        yield before + re.sub(r"\A\s*,\s*(?!#)", "", after)
    else:
        line = 1 + max(before.rfind("\n"), before.rfind("\r"))
        yield before[:line] + re.sub(r"\A[^\r\n]*(\r\n?|\n)?", "", after)
        yield before + re.sub(r"\A[^\r\n]*(\r\n?|\n) *", "", after)  # the first after a "- "
        yield before + "{}" + after


def _with(text: str, node: Any, spans: _Spans, key: str, entry: Mapping[str, Any]) -> str:
    """Put the entry in place of the old one, after the last one in one line, or first."""
    gap, new = ", ", _dump(entry, default_flow_style=True, width=2**20)[1:-1]
    if not node.flow_style:
        gap = line_break(text) + " " * node.value[0][0].start_mark.column
        new = gap.join(_dump(entry).split("\n"))
    if key in spans:
        start, end = spans[key]
    elif ends := [end for start, end in spans.values() if len(text[start:end].splitlines()) == 1]:
        rest = "" if node.flow_style else re.split(r"[\r\n]", text[ends[-1] :], maxsplit=1)[0]
        start = end = ends[-1] + len(rest)
        new = gap + new
    elif node.value:
        start = end = node.value[0][0].start_mark.index
        new += gap
    else:
        start = end = node.end_mark.index - 1
    return text[:start] + new + text[end:]


def _span(text: str, key: Any, value: Any) -> tuple[int, int]:
    """Return the span of an entry; it is empty if the value is an alias of another."""
    start = key.start_mark.index
    while not isinstance(value, yaml.ScalarNode) and not value.flow_style:
        value = value.value[-1]  # a block's own end is where the next one begins
        value = value[1] if isinstance(value, tuple) else value
    return start, start + len(text[start : value.end_mark.index].rstrip())


def _same(one: Any, other: Any) -> bool:
    return _dump(one, sort_keys=True) == _dump(other, sort_keys=True)


def _dump(data: Any, **options: Any) -> str:
    options = {"sort_keys": False, "allow_unicode": True} | options
    return str(yaml.safe_dump(data, **options)).strip()


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


_NOTE = "[paired_perm: "  # up to the next bracket
_MAX_TAG = 100  # tuned: characters of notes in a file's name, of which disks take 255
_WHICH = ("metric", "dataset", "config", "split")


class _IndexedMetric(NamedTuple):
    """A metric of a model-index: where it stands, and what it is called."""

    path: tuple[str | int, ...]
    metric: dict[str, Any]
    names: dict[str, list[str]]  # of the metric and so on: type and name

    def __str__(self) -> str:
        return ", ".join(
            f"{which} {' = '.join(map(repr, names))}"
            for which, names in self.names.items()
            if names
        )


def annotated_model_index(
    block: str,
    which: Mapping[str, str | None],
    args: Mapping[str, Any],
    figures: Figures,
    split: str | None = None,
) -> str:
    """Return the card's YAML with `args` under the one metric that fits these names.

    A metric of another split than `split` does not fit, unless `which` names one. What is None in
    `args` is taken out, if it is there. `figures` are those of the result.

    Raises
    ------
    InputError
        If there is no model-index that the Hub would take, or not one such metric in it. If the
        metric's value is no rounding of the tested score.
    """
    unknown = [key for key in which if key not in _WHICH]
    if unknown:
        names = ", ".join(map(repr, _WHICH))
        raise InputError(
            Name("model_index"),
            f" may name {names}",
            got=describe(unknown[0]),
            remedy="Leave the other out",
        )
    data = load_yaml(block, "the card")
    index = data.get("model-index") if isinstance(data, dict) else None
    how = "one with huggingface_hub (ModelCardData(model_name=..., eval_results=[EvalResult(...)]))"
    new = Parts(how, ", or leave ", Name("model_index"), " out")
    if not index:
        lacks = ": the card has no model-index"
        raise InputError(Name("model_index"), lacks, remedy=Parts("Add ", new))
    try:
        model_index_to_eval_results(index)
        metrics = list(_metrics_of(index))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            Name("model_index"),
            f": the card's model-index is not as the Hub needs it ({printable(repr(error))})",
            remedy="Correct it first",
        ) from error
    wanted = {key: name for key, name in which.items() if name is not None}
    fitting = [x for x in metrics if all(name in x.names[key] for key, name in wanted.items())]
    if split is not None and "split" not in wanted:
        fitting = [x for x in fitting if split in (x.names["split"] or [split])]
        wanted["split"] = split
    if len(fitting) != 1:
        has = printable("; ".join(map(str, metrics)), 1000)
        one = Setting("model_index", "{'metric': ..., 'dataset': ...}")
        raise InputError(
            Name("model_index"),
            f": the card's model-index has {len(fitting)} metrics for {printable(str(wanted))}, "
            f"not one; it has {has}",
            remedy=Parts("Say which, ", one, ", or add ", new),
        )
    path, metric, _ = fitting[0]
    check_value("model_index", as_written(block, (*path, "value"), metric["value"]), figures)
    before = metric.get("args")
    if before and not isinstance(before, dict):
        what = ": the metric's args are ", describe(before), ", not a mapping"
        raise InputError(Name("model_index"), *what, remedy="Correct that first")
    given = {key: value for key, value in args.items() if value is not None}
    block = _with_fields(block, path, metric, {"args": given})
    for key in args.keys() - given.keys():
        block = edited(block, (*path, "args"), key, {})
    return block


def _metrics_of(index: Any) -> Iterator[_IndexedMetric]:
    for i, model in enumerate(index):
        for j, result in enumerate(model["results"]):
            dataset = result["dataset"]
            for k, metric in enumerate(result["metrics"]):
                names = {
                    "metric": _named(metric["type"], metric.get("name")),
                    "dataset": _named(dataset["type"], dataset.get("name")),
                    "config": _named(dataset.get("config")),
                    "split": _named(dataset.get("split")),
                }
                yield _IndexedMetric(("model-index", i, "results", j, "metrics", k), metric, names)


def _named(*names: Any) -> list[str]:
    return list(dict.fromkeys(str(name) for name in names if name is not None))


def annotated_eval_results(
    folder: Path, fields: Mapping[str, Any], result: Reported, against: str
) -> tuple[Path, str]:
    """Return the file of `.eval_results` with this entry, and its text with p in the source.

    The entry of the same dataset, task and notes gets these fields, and keeps its others. A token
    and a date that came with another value or revision go. Without such an entry there is a new
    file. `against` names the other system.

    Raises
    ------
    InputError
        If the fields are not those of huggingface_hub's EvalResultEntry, a file cannot be read, or
        several entries may be meant. If the value is no rounding of the tested score.
    """
    entry = _new_entry(fields)
    check_value("eval_results", str(entry["value"]), result.figures())
    if folder.exists() and not folder.is_dir():
        remedy = Parts("move it, or leave ", Name("eval_results"), " out")
        what = f": {shown(str(folder))} is no folder"
        raise InputError(Name("eval_results"), what, remedy=remedy)
    test = test_of(result)
    note = f"p = {format_pvalue(test.log_pvalue)} against {against}, n = {test.n:,}"
    note = f"[paired_perm: {note.translate({ord('['): '(', ord(']'): ')'})}]"
    old = _old_entry(folder, entry, has_notes="notes" in fields)
    before = {} if old is None else old.entry
    source = before.get("source")
    source = {**(source if isinstance(source, dict) else {}), **entry.get("source", {})}
    if source.get("url"):
        entry["source"] = {**entry.get("source", {}), "name": _with_note(source.get("name"), note)}
    else:
        warn(
            Name("eval_results"),
            ": p is written nowhere, since it stands in the name of the entry's source, which the "
            "Hub does not take without a url",
            remedy="Add a 'source_url'",
        )
    if old is not None:
        text = _with_fields(old.text, (old.number,), before, entry)
        gone = ["notes", *([] if _is_same(before, entry) else ["verifyToken", "date"])]
        for key in (x for x in gone if x not in entry):
            text = edited(text, (old.number,), key, {})
        return old.path, text
    names = (*_ids(entry), *([entry["notes"][:_MAX_TAG]] if "notes" in entry else []))
    path = folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', '--'.join(names)).lstrip('.')}.yaml"
    if os.path.exists(path):  # False for a name that is too long
        raise InputError(
            Name("eval_results"),
            f": {printable(path.name)} is there without an entry for ",
            _described(names),
            remedy="rename it, or give other notes",
        )
    return path, yaml.safe_dump([entry], sort_keys=False, allow_unicode=True)


class _OldEntry(NamedTuple):
    """An entry that is there: its file with the text, and its number in the list."""

    path: Path
    text: str
    number: int
    entry: dict[str, Any]

    def __str__(self) -> str:
        notes = f"notes {shown(_tag(self.entry))}" if _tag(self.entry) else "no notes"
        return f"{printable(self.path.name)} (entry {self.number + 1}, {notes})"


def _old_entry(folder: Path, new: Mapping[str, Any], *, has_notes: bool) -> _OldEntry | None:
    """Return the entry of the same dataset, task and notes; None if there is none.

    Raises
    ------
    InputError
        If it may be one of several.
    """
    listed = [
        _OldEntry(path, text, number, entry)
        for path in sorted([*folder.glob("[!.]*.yaml"), *folder.glob("[!.]*.yml")])
        if not leads_out(path, folder)
        for text, entries in [_read_entries(path)]
        for number, entry in enumerate(entries)
        if _ids(entry) == _ids(new)
    ]
    tag, revision = _tag(new).casefold(), new["dataset"].get("revision")
    same = [x for x in listed if _tag(x.entry).casefold() == tag]
    if len(same) > 1:
        same = [x for x in same if x.entry["dataset"].get("revision") == revision] or same
    if len(same) == 1:
        return same[0]
    if not listed or (has_notes and not same):
        return None
    remedy = "Give the `notes` of one of these, or notes=None for a new entry without"
    if same:
        remedy = "Delete all but one, or tell them apart by notes or dataset_revision"
    there = f"There are {first_of([*map(str, same or listed)])}"
    what = ": which entry for ", _described(_ids(new)), " is meant?"
    raise InputError(Name("eval_results"), *what, remedy=(there, remedy))


def _described(names: Sequence[Any]) -> Parts:
    first, *others = map(describe, names)
    return Parts(first, *(Parts(" and ", other) for other in others))


def _ids(entry: Mapping[str, Any]) -> list[Any]:
    return [entry["dataset"].get(key) for key in ("id", "task_id")]


def _tag(entry: Mapping[str, Any]) -> str:
    """Return the notes in one line, which tell variants apart."""
    notes = entry.get("notes")
    if notes is not None and not isinstance(notes, str):
        raise InputError(Name("eval_results"), ": notes", must="be text", got=describe(notes))
    return " ".join((notes or "").split())


def _is_same(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Tell whether the value stays, of the same revision: then its token and date hold."""
    revision = old["dataset"].get("revision")
    is_revision = revision in (None, new["dataset"].get("revision", revision))
    return bool(is_revision and old.get("value") == new["value"])


def _with_fields(text: str, path: tuple[Any, ...], old: Any, fields: Mapping[str, Any]) -> str:
    """Return the YAML with these fields in the entry at `path`, which is `old`; others stay."""
    for key, value in fields.items():
        if isinstance(value, dict) and isinstance(old.get(key), dict) and old[key]:
            text = _with_fields(text, (*path, key), old[key], value)
        else:
            text = edited(text, path, key, {key: value})
    return text


def _with_note(name: Any, note: str) -> str:
    """Return a source's name with our note in place of the old one, or last."""
    if not name:
        return note
    name = str(name)
    start = name.find(_NOTE)
    end = name.find("]", start)
    return f"{name}; {note}" if min(start, end) < 0 else name[:start] + note + name[end + 1 :]


def _new_entry(fields: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(fields, Mapping):
        raise InputError(
            Name("eval_results"),
            must="be a dict with dataset_id, task_id, value and what else huggingface_hub's "
            "EvalResultEntry takes",
            got=describe(fields),
        )
    if not hasattr(huggingface_hub, "EvalResultEntry"):
        what = " needs a newer huggingface_hub"
        raise InputError(Name("eval_results"), what, remedy="pip install -U huggingface_hub")
    plain = {key: x.item() if isinstance(x, np.generic) else x for key, x in fields.items()}
    try:
        entry = huggingface_hub.EvalResultEntry(**plain)
        (new,) = huggingface_hub.eval_result_entries_to_yaml([entry])
        yaml.safe_dump(new)
    except (TypeError, ValueError, RecursionError, yaml.YAMLError) as error:
        accepted = inspect.signature(huggingface_hub.EvalResultEntry).parameters
        remedy = f"It takes {', '.join(accepted)}"
        what = f" is no EvalResultEntry: {printable(str(error))}"
        raise InputError(Name("eval_results"), what, remedy=remedy) from error
    for key, name in (("dataset_id", entry.dataset_id), ("task_id", entry.task_id)):
        if not isinstance(name, str) or not name.strip():
            raise InputError(Name("eval_results"), f": {key}", must="be a name", got=describe(name))
    tag = _tag(new)
    return {key: x for key, x in new.items() if key != "notes"} | ({"notes": tag} if tag else {})


def _read_entries(path: Path) -> tuple[str, list[Any]]:
    """Return a file's text, and the entries in it."""
    name = printable(path.name)
    try:
        check_regular(path)
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what, remedy = f": {name} cannot be read: {why(error)}", "Save it as UTF-8, or remove it"
        raise InputError(Name("eval_results"), what, remedy=remedy) from error
    data = load_yaml(text, name)
    entries = [] if data is None else data
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get("dataset"), dict) for entry in entries
    ):
        raise InputError(
            Name("eval_results"),
            f": {name}",
            must="hold a list of entries, each with a dataset",
            remedy="Correct it first",
        )
    return text, entries


def update(
    path: str | os.PathLike[str],
    result: Any,
    *,
    name1: str | None = None,
    name2: str | None = None,
    dataset: str | None = None,
    planned: PowerResult | None = None,
    key: str | None = None,
    model_index: bool | str | Mapping[str, str] = False,
    eval_results: Mapping[str, Any] | None = None,
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
    model_index : bool, str or dict
        Whether to put `baseline`, `p`, `log_p`, `n` and `test` under `args` of a metric in the
        card's model-index; the Hub drops other keys. A bootstrap's p = 0 has no `log_p`. True: the
        result's metric. A text: the metric of this type or name. If `dataset` is given, it must be
        the type or name there too. So must the split of a dict of results, unless there is none.
        A dict names the metric by "metric" and "dataset" (type or name), "config" and "split".
    eval_results : dict or None
        An entry for `.eval_results/*.yaml` next to the card: "dataset_id" and "task_id" of a
        benchmark on the Hub, "value", and other fields of huggingface_hub's EvalResultEntry.
        "notes", a short tag such as "with tools", tells variants apart; without them the entry
        without notes is meant. p is added to the name of the source, which needs a "source_url": a
        warning says so if there is none. If the value or the revision changes, the old verifyToken
        and date go. Other fields stay.

    Returns
    -------
    pathlib.Path
        The card.

    Raises
    ------
    InputError
        Nothing is written, and

        - there is no card, it is no regular file, cannot be written or is not UTF-8;
        - its YAML cannot be read;
        - it has two sections, also one in code, or this comparison twice;
        - not exactly one metric of the model-index fits;
        - `.eval_results` cannot be used, or several entries may be meant;
        - the value there is no rounding of the tested score, as a share or in percent;
        - `result` has several splits, and metadata take one.

    Notes
    -----
    A new file replaces the old one and has its permissions, so there is never half a card. Markers
    stand on lines of their own; one without its other is text. In YAML only the one entry changes;
    comments and quotes stay.

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
            _update(card, blocks, name2, dataset, model_index, eval_results)
    except OSError as error:
        raise _unwritable([card], error) from error
    return card


def _update(
    card: Path,
    blocks: Sequence[Block],
    name2: str | None,
    dataset: str | None,
    model_index: bool | str | Mapping[str, str],
    eval_results: Mapping[str, Any] | None,
) -> None:
    """Change the card, and what lies beside it, as `update` says."""
    card, before = _read_card(card)
    block, at, start = _metadata(before)
    comparisons = {x.key: x.text for x in blocks}
    changed = {card: with_comparisons(before, HEADING, comparisons, start)}
    if model_index is not None and model_index is not False:
        only = _only(blocks, "model_index")
        which = _which(model_index, only.test.metric, dataset)
        args, figures = _args(only.test, name2), only.result.figures()
        new = annotated_model_index(block, which, args, figures, only.split)
        changed[card] = changed[card][:at] + new + changed[card][at + len(block) :]
    if eval_results is not None:
        only = _only(blocks, "eval_results")
        against = f"{plain_name('name2', name2, UNNAMED)}{only.where and f' on {only.where}'}"
        folder = card.parent / ".eval_results"
        entries, text = annotated_eval_results(folder, eval_results, only.result, against)
        changed = {entries: text, **changed}
    _write(changed)


def _only(blocks: Sequence[Block], argument: str) -> Block:
    """Return the one comparison that metadata can have."""
    if len(blocks) > 1:
        splits = [shown(block.split) for block in blocks]
        what = " takes one result, and ", Name("result"), f" has {len(blocks)}: {first_of(splits)}"
        raise InputError(Name(argument), *what, remedy="Call `update` for one of these splits")
    return blocks[0]


def _metadata(card: str) -> tuple[str, int, int]:
    """Return the card's YAML, the position where it starts, and that where the text starts."""
    shift = int(card.startswith("\ufeff"))  # which the Hub skips
    match = REGEX_YAML_BLOCK.search(card[shift:])
    if match is None:
        return "", shift, shift
    data = load_yaml(match.group(2), "the card", match.group(1).count("\n"))
    if data is not None and not isinstance(data, dict):
        what, remedy = "the YAML of the card", "Correct it first; nothing was changed"
        raise InputError(what, must="be a mapping", got=describe(data), remedy=remedy)
    return match.group(2), shift + match.start(2), shift + match.end()


def _args(test: PairedResult, name2: str | None) -> dict[str, Any]:
    """Return what goes under a metric's args; None for a key that must not be there."""
    return {
        "baseline": plain_name("name2", name2, UNNAMED),
        "p": test.pvalue,
        "log_p": None if test.log_pvalue == -math.inf else test.log_pvalue,
        "n": test.n,
        "test": kind_of_test(test),
    }


def _which(model_index: Any, metric: str | None, dataset: str | None) -> dict[str, Any]:
    """Return the names of the metric in the model-index."""
    if isinstance(model_index, Mapping):
        return dict(model_index)
    if not isinstance(model_index, (bool, str)):
        accepted = "be True, False, a metric's name, or a dict"
        raise InputError(Name("model_index"), must=accepted, got=describe(model_index))
    if model_index is True and metric is None:
        raise InputError(
            Name("model_index"),
            must="name the metric for scores, which have none",
            remedy="the type or name that it has in the card's model-index",
        )
    return {"metric": metric if model_index is True else model_index, "dataset": dataset}


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
