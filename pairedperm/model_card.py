"""A comparison in a model card: a section of its text, and an entry of its metadata."""

from __future__ import annotations

import html
import json
import math
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairedperm.errors import InputError, describe, in_brackets, shown
from pairedperm.inputs.files import check_regular, locked, why, write_whole
from pairedperm.options import Constraint, Interval, Options, Whole, declared
from pairedperm.population.intervals import (
    EXACT_INTERVAL,
    GUARANTEED,
    PERCENTILE,
    ConfidenceInterval,
)
from pairedperm.results import __version__
from pairedperm.results.decisions import EquivalenceResult
from pairedperm.results.power import PowerResult
from pairedperm.results.result import SCHEMA_VERSION, PairedResult, facts_of
from pairedperm.results.told import GivenNames, Telling, escaped, markdown
from pairedperm.results.words import (
    compared_in_words,
    is_utf8,
    kind_of_test,
    pair_of_names,
    plain_name,
)
from pairedperm.scoring.counts import UnknownMetric, stored_metric
from pairedperm.scoring.metric import as_arguments
from pairedperm.scoring.metrics.given import MeanScore

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

__all__ = ["eval_result", "significance_section", "update"]

HEADING = "## Statistical significance"
START, END = "<!-- paired_perm:start -->", "<!-- paired_perm:end -->"
_COMPARISON = "<!-- paired_perm:comparison "
_LINE = (
    r"(?<![^\r\n\ufeff])[ \t]*{}[ \t]*(?![^\r\n])"  # the whole line, also the first after a mark
)
_SECTION = re.compile(
    rf"{_LINE.format(START)}((?:(?!{_LINE.format(START)}).)*?){_LINE.format(END)}", re.DOTALL
)
_COMPARISONS = re.compile(rf"(?<![^\r\n])(?=[ \t]*{_COMPARISON})")  # where each begins
_BREAK = re.compile(r"\r\n|\r|\n")
_UNNAMED = "this model", "the baseline"
Reported = PairedResult | EquivalenceResult


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
    return _section(_comparisons(result, (name1, name2), dataset, planned))


def _comparisons(
    result: Any, names: GivenNames, dataset: str | None, planned: Any, key: str | None = None
) -> dict[str, str]:
    """Return the text of each comparison in `result`, by its key, a line of JSON."""
    first, second = pair_of_names(names, _UNNAMED)
    corpus = plain_name("dataset", dataset)
    if planned is not None and not isinstance(planned, PowerResult):
        must = "be a PowerResult, of `power`, `examples_needed` or `minimum_detectable_difference`"
        raise InputError("planned", must=must, got=describe(planned))
    plan = [f"Planned beforehand. {escaped(planned.summary())}"] if planned else []
    texts = {}
    for split, one in _by_split(result).items():
        where = corpus
        if split is not None:
            where = f"{corpus} ({split})" if corpus else f"the {split} split"
        read = read_result(one, () if split is None else (split,))
        options = one.get("metric_options") if isinstance(one, Mapping) else None
        which: Any = [_metric_for_key(_test_of(read), options), where, second]
        if key is not None:
            own = plain_name("key", key)
            which = own if split is None else [own, split]
        text = "\n\n".join([*_paragraphs(read, first, second, where), *plan])
        texts[json.dumps(which, ensure_ascii=False)] = text
    return texts


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
        - it has two sections, also one in code, or this comparison twice;
        - `result`, a name or `key` is refused, see `significance_section`.

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
    comparisons = _comparisons(result, (name1, name2), dataset, planned, key)
    try:
        card = Path(path, "README.md") if Path(path).is_dir() else Path(path)
        check_regular(card)
        with locked(card):
            before = card.read_bytes()
            after = with_comparisons(before.decode("utf-8"), comparisons).encode("utf-8")
            if after != before:
                if not os.access(card, os.W_OK):
                    raise PermissionError("it is read-only")
                write_whole(card, after)
    except InputError:
        raise
    except (OSError, TypeError, ValueError) as error:
        a_card = "A card is a README.md in UTF-8, or a folder with one; it may be empty"
        what = f", {shown(str(path))}, cannot be updated: {why(error)}"
        raise InputError(f"`path`{what}", remedy=("Nothing was changed", a_card)) from error
    return card


def eval_result(result: Any, *, name2: str | None = None, **fields: Any) -> EvalResult:
    """Return the score of system 1 as an entry of a card's metadata, with p and the interval.

    Parameters
    ----------
    result : PairedResult, EquivalenceResult, PipelineComparison or dict
        One comparison, in which system 1 is the card's model; see `significance_section`.
    name2 : str or None
        The other system; None stands for "the baseline".
    **fields
        What huggingface_hub's EvalResult takes: `task_type`, `dataset_type` (the id on the Hub)
        and `dataset_name`, which it needs, `dataset_split` and others. `metric_type` is the
        result's metric, `metric_name` the metric in words, and `metric_value` the score, unless
        they are given.

    Returns
    -------
    huggingface_hub.EvalResult
        Its `metric_args`, which the Hub keeps, are yours and "baseline", "difference",
        "confidence_interval" (a list; None for an infinite end) and "confidence_level", "p",
        "log_p" (natural), "n" and "test". What the result lacks is left out: one-sided tests have
        no interval, and p = 0 has no logarithm.

    Raises
    ------
    InputError
        If `result` is no single comparison, or its statistic has no scores. If its scores have no
        metric, and `metric_type` is not given. If `name2` is no text.
    TypeError, ValueError
        What EvalResult raises: a field is missing, unknown, or needs another.

    Examples
    --------
    >>> from pairedperm import compare
    >>> from pairedperm.model_card import eval_result
    >>> result = compare([1, 1, 0, 1, 1], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1])
    >>> entry = eval_result(
    ...     result,
    ...     task_type="text-classification",
    ...     dataset_type="org/reviews",
    ...     dataset_name="Reviews",
    ...     name2="small",
    ... )
    >>> entry.metric_type, entry.metric_value
    ('accuracy', 0.8)
    >>> entry.metric_args["baseline"], entry.metric_args["p"]
    ('small', 0.25)
    """
    from huggingface_hub import EvalResult

    read = read_result(result)
    test, figures = _test_of(read), read.figures()
    if test.score1 is None:
        raise InputError("result", must="have scores", got="a statistic without them")
    if test.metric is None and "metric_type" not in fields:
        raise InputError("metric_type", must="be given for scores, which have no metric")
    interval = figures.interval and [x if math.isfinite(x) else None for x in figures.interval[:2]]
    args = {
        "baseline": plain_name("name2", name2, _UNNAMED[1]),
        "difference": test.statistic,
        "confidence_interval": interval,
        "confidence_level": figures.level if interval else None,
        "p": test.pvalue,
        "log_p": None if test.log_pvalue == -math.inf else test.log_pvalue,
        "n": test.n,
        "test": kind_of_test(test),
    }
    told = {key: x for key, x in args.items() if x is not None}
    own = {
        "metric_type": test.metric,
        "metric_name": compared_in_words(test),
        "metric_value": test.score1,
    }
    return EvalResult(**{**own, **fields, "metric_args": fields.get("metric_args", {}) | told})


def with_comparisons(card: str, comparisons: Mapping[str, str]) -> str:
    """Return the card with these comparisons, by key, in the section between the markers.

    A section without comparisons is one of an early version, and is replaced as a whole. All other
    characters stay.

    Raises
    ------
    InputError
        If there are two sections, or two comparisons of one key.
    """
    breaks = _BREAK.findall(card)
    newline = breaks[-1] if breaks else "\n"
    sections = [*_SECTION.finditer(card)]
    if not sections:
        n_last = len(_BREAK.findall(card, len(card.rstrip(" \t\r\n"))))
        gap = "\n" * (2 - n_last) if card else ""
        return card + f"{gap}{_section(comparisons)}\n".replace("\n", newline)
    if len(sections) > 1:
        lines = (1 + len(_BREAK.findall(card, 0, x.start())) for x in sections[:2])
        raise InputError(
            "the card",
            must=f"have one section between {START} and {END}, or none",
            got="{}, the first two in lines {} and {}".format(len(sections), *lines),
            remedy="Delete all but one pair, also in code, and move all comparisons into it, each "
            f"from its line {_COMPARISON}… on",
        )
    section = sections[0]
    indent = section[0].partition(START)[0]

    def as_there(text: str) -> str:
        return re.sub(r"^(?=.)", indent, text, flags=re.MULTILINE).replace("\n", newline)

    above, *old = _COMPARISONS.split(section[1])
    listed = [x.splitlines()[0].strip(" \t") for x in old]
    new = {_comment(key): as_there(_block(key, text)) for key, text in comparisons.items()}
    if twice := [x for x in new if listed.count(x) > 1]:
        raise InputError(f"the card has {shown(twice[0])} twice", remedy="delete one of the two")
    above = above if old else as_there(f"\n\n{HEADING}\n\n")
    kept = [new.pop(comment, text) for comment, text in zip(listed, old, strict=True)]
    start, end = section.span(1)
    return "".join([card[:start], above, *kept, *new.values(), card[end:]])


def _section(comparisons: Mapping[str, str]) -> str:
    """Return a section of these comparisons, by key, with the markers by which it is found."""
    blocks = "".join(_block(key, text) for key, text in comparisons.items())
    return f"{START}\n\n{HEADING}\n\n{blocks}{END}"


def _block(key: str, text: str) -> str:
    return f"{_comment(key)}\n\n{text}\n\n"


def _comment(key: str) -> str:
    """Return the line that carries a key; no key can end the comment."""
    return f"{_COMPARISON}{html.escape(key, quote=False)} -->"


def _by_split(result: Any) -> dict[str | None, Any]:
    """Return each result by its split, or a single one by None."""
    if not isinstance(result, Mapping) or not result or "stat" in result:
        return {None: result}
    results: dict[str | None, Any] = {}
    for split, one in result.items():
        name = " ".join(split.split()) if isinstance(split, str) else ""
        if not name or not is_utf8(name) or name in results:
            must = "be different names, as texts"
            raise InputError("result", ": its splits", must=must, got=describe(split))
        results[name] = one
    return results


def read_result(result: Any, at: tuple[str, ...] = ()) -> Reported:
    """Return a result, that of a `PipelineComparison`, or the one that a dict tells.

    Raises
    ------
    InputError
        If it is neither, or what the dict says is no result or contradicts itself.
    """
    result = getattr(result, "result", result)
    if isinstance(result, Reported):
        return result
    if isinstance(result, Mapping) and "stat" in result:
        return result_from_dict(result)
    is_table, table = isinstance(result, Telling), "Put its `to_markdown()` into the card"
    raise InputError(
        f"`result`{in_brackets(at)}",
        must="be a result of one test, what `compute` of paired_perm or paired_bootstrap "
        "returned, or a dict of these by split",
        got=f"a {type(result).__name__}" if is_table else describe(result),
        remedy=table if is_table else "",
    )


def _test_of(result: Reported) -> PairedResult:
    """Return the test that an equivalence test holds; another result is its own."""
    return result.test if isinstance(result, EquivalenceResult) else result


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
    "method interval_method": _NAME,
    "metric": replace(_NAME, or_none=True),
    "metric_options": _Printable(Mapping, words=_OPTIONS, or_none=True),
    **{name: declared(Options)[name] for name in ("alternative", "test", "ties")},
}
_KEYS = {name: constraint for names, constraint in _DECLARED.items() for name in names.split()}
_AS_THEY_ARE = (
    *("test", "score1", "score2", "alternative", "method", "n", "n_differing", "n_groups"),
    *("n_resamples", "n_ignored", "seed", "confidence_level"),
)
_INTERVALS = {"stat": "interval", "score1": "score1_interval", "score2": "score2_interval"}


def result_from_dict(given: Mapping[str, Any]) -> Reported:
    """Return the result that a dict of `to_dict` or `compute` tells, without its rows.

    Raises
    ------
    InputError
        If a key is missing or holds another kind of value, or a later release wrote the dict. If
        this release does not know the metric of an equivalence test.
    """
    unsaid = {"schema_version": SCHEMA_VERSION, "test": "permutation", "constant": None}
    stored = {**unsaid, "margin": None, **given}

    def read(name: str) -> Any:
        if name not in stored:
            why = "it must be what `compute` or `to_dict` gave"
            raise InputError("result", f"lacks {name!r}", remedy=why)
        return _KEYS[name].read("result", stored[name], (name,))

    def interval(name: str, kind: str, of_0_or_1: bool = False) -> ConfidenceInterval:
        low, high = read(f"{name}_low"), read(f"{name}_high")  # an infinite one is None in a dict
        ends = -math.inf if low is None else low, math.inf if high is None else high
        return ConfidenceInterval(*ends, kind, of_0_or_1)

    read("schema_version")
    fields = {"statistic": read("stat"), "pvalue": read("p")} | {x: read(x) for x in _AS_THEY_ARE}
    if (fields["score1"] is None) is not (fields["score2"] is None):
        remedy = "Pass it as `compute` returned it"
        raise InputError("result", ": one of score1 and score2 is None", remedy=remedy)
    is_sampled = fields["n_resamples"] is not None
    has_ends = is_sampled or fields["method"] == "bracket"
    names = ("log_p", "log_p_low", "log_p_high") if has_ends else ("log_p",) * 3
    log_p, low, high = (-math.inf if x is None else x for x in map(read, names))
    metric, options = read("metric"), read("metric_options")
    fields |= {
        "log_pvalue": log_p,
        "pvalue_interval": (math.exp(low), math.exp(high)),
        "log_pvalue_interval": (low, high),
        "pvalue_kind": "confidence" if is_sampled else "certified",
        "reason": "it was stored",
        **facts_of(of_metric := stored_metric(metric, options)),
    }
    if fields["test"] == "bootstrap":
        fields |= {name: interval(key, PERCENTILE) for key, name in _INTERVALS.items()}
        return PairedResult(**fields, ties=read("ties"))
    own = None
    if fields["confidence_level"] is not None or stored["margin"] is not None:
        kind = read("interval_method")
        is_taken = kind in (EXACT_INTERVAL, GUARANTEED) and metric in (None, MeanScore.name)
        is_taken &= "score_range" not in (options or {})  # see `Evidence.is_of_0_or_1`
        own = interval("stat", kind, is_taken)
    swaps = PairedResult(**fields, constant=read("constant"), interval=own)
    if stored["margin"] is None:
        return swaps
    if isinstance(of_metric, UnknownMetric):  # nor is it known whether lower is better
        what = f", {shown(metric)}, is unknown in this version or has other options here"
        remedy = "Use the version that made the result"
        raise InputError("result", f"['metric']{what}", remedy=remedy)
    assert own is not None  # there is a margin
    return EquivalenceResult(swaps, read("margin"), read("alpha"), own)


def _metric_for_key(test: PairedResult, stored: Mapping[str, Any] | None) -> str | None:
    """Return the metric with its options, as stored: words that stay the same in every version."""
    if test.score1 is None:
        return "test statistic"
    given = stored or test.metric_options or {}
    names = sorted({*given} - {"score_range"}, key=str)  # what is known of it is no other metric
    options = as_arguments({name: given[name] for name in names})
    return f"{test.metric}({options})" if options else test.metric


def _paragraphs(result: Reported, first: str, second: str, dataset: str) -> list[str]:
    """Return the title, the table and the sentences, and what computed them."""
    metric, where = compared_in_words(_test_of(result)), f" on {dataset}" if dataset else ""
    title = f"### Against {escaped(f'{second}: {metric}{where}')}"
    if title.endswith("#"):  # or Markdown drops them
        own = title.rstrip("#")
        title = f"{own}\\{title[len(own) :]}"
    told = result.told((first, second), dataset=dataset or None)
    return [title, markdown(told).rstrip(), f"Computed by pairedperm {__version__}."]
