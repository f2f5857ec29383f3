"""Metrics of all examples at once, by the names under which a tool reports their numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import starmap
from typing import Any

from pairedperm.errors import (
    InputError,
    counted,
    heard_by,
    shown,
    shown_path,
)
from pairedperm.nulls.swaps import problem_of
from pairedperm.readers.log import Run, is_unscored
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metrics.agreement import MatthewsCorrelation
from pairedperm.scoring.metrics.given import BitsPerByte, Perplexity
from pairedperm.scoring.metrics.labels import F1, Accuracy
from pairedperm.scoring.metrics.translation import BLEU, TER, ChrF

ROUNDING = 1e-9  # proof: relative, beyond the rounding of sums in another order
_FEWEST = (2, 1)  # tuned: digits after the point that a number below 10, or another, has at least
LARGEST = 1e300  # proof: far within floats
_NUMBERS = {int, float, bool, Fraction}
# What a name of lm-evaluation-harness means, by what is logged for each example.
_OF_LOGS = {"perplexity": (Perplexity(),)}  # log P
_OF_WEIGHTED = {  # log P of a text, and its number of words or bytes
    **dict.fromkeys(("word_perplexity", "byte_perplexity"), (Perplexity(),)),
    "bits_per_byte": (BitsPerByte(),),
}
_OF_TEXTS = {"bleu": (BLEU(),), "chrf": (ChrF(),), "ter": (TER(),)}
_OF_LABELS = {
    "f1": (F1(), F1(average="macro"), F1(average="micro"), F1(average="weighted")),
    "mcc": (MatthewsCorrelation(),),
}
_OF_LIKELIHOODS = {*_OF_LOGS, *_OF_WEIGHTED}  # names that tell the metric without a number


def with_aggregates(
    run: Run, reported: Mapping[str, Any], pairs: Mapping[str, list[Any]] | None = None
) -> Run:
    """Return a run with the metrics that the names of lm-evaluation-harness mean.

    Scores are averaged, or are logarithms of which the perplexity is reported. Pairs, which are in
    `left_out`, are what the metric of a corpus takes; others than logarithms must make the number
    that is reported. `sentinels` holds the metrics that it tells to leave a number out, and
    `doubts` those of which the number is another.
    """
    scores, left_out = dict(run.scores), dict(run.left_out)
    aggregated: dict[str, tuple[Metric, ...]] = {}
    pairs_of: dict[str, list[Any]] = {}  # these
    doubts: dict[str, str] = {}
    sentinels: dict[str, float] = {}
    for name, column in {**run.scores, **(pairs or {})}.items():
        logged = [x for x in column if not is_unscored(x)]
        value = finite_number(reported.get(name))
        mean = float_mean(logged) if name in scores else math.nan
        least = min(logged, default=0) if name in scores else 0
        others = [x for x in logged if x != least]
        may_lack = least < 0 <= min(others, default=-1)  # such as -1, which may be no score
        if value is not None and _is_reported(mean, value):
            continue
        if value is not None and may_lack and _is_reported(float_mean(others), value):
            sentinels[name] = least
            continue
        meant, entries = _meant(name, column, logged)
        is_known = bool(meant) and (_plain(name) in _OF_LIKELIHOODS or meant == (Accuracy(),))
        fitting = () if value is None else _fitting(meant, entries, value)
        if is_known or fitting:
            aggregated[name], pairs_of[name] = meant if is_known else fitting, entries
            scores.pop(name, None)
            left_out.pop(name, None)
        where = shown_path(run.path)
        if value is None and name in scores and may_lack and least == -1:
            doubts[name] = (
                f"{name} is -1 in {len(logged) - len(others):,} of "
                f"{counted(len(logged), 'example')} of {where}: a tool may write that for what it "
                "did not score, and no results beside the log tell"
            )
        elif value is not None and name in left_out:
            left_out[name] += f", of which no known metric makes the {value:.6g} of the results"
        elif value is not None and not fitting and len(logged) == len(column):
            what, own = "mean", mean
            if is_known:
                what, own = meant[0].in_words, _score_of(meant[0], entries)
            doubts[name] = (
                f"{name}: {value:.6g} is reported with {where}, but the {what} of its "
                f"{counted(len(logged), 'score')} is {own:.6g}"
            )
    told: dict[str, Any] = {"aggregated": aggregated, "doubts": doubts, "sentinels": sentinels}
    return replace(run, scores=scores | pairs_of, left_out=left_out, **told)


def _is_reported(mean: float, value: float) -> bool:
    """Tell whether a mean is the reported number, which may be in percent."""
    return min(gap_to_reported(mean, value), gap_to_reported(100.0 * mean, value)) < math.inf


def settled(logged: str, runs: Sequence[Run]) -> Metric:
    """Return the metric that all runs make of what is logged.

    Raises
    ------
    InputError
        If the runs make different scores of it.
    """
    each = [run.aggregated.get(logged, ()) for run in runs]
    common = [metric for metric in max(each, key=len) if all(metric in some for some in each)]
    if not common:
        made = [some[0].in_words if some else "mean" for some in each]
        listed = [f"{x} in {shown_path(run.path)}" for x, run in zip(made, runs, strict=True)]
        raise InputError(
            f"the logs make different scores of {shown(logged)}: {'; '.join(listed)}",
            remedy="Evaluate all systems with the same version of the task.",
        )
    return common[0]


def _fitting(metrics: Sequence[Metric], entries: list[Any], value: float) -> tuple[Metric, ...]:
    """Return what makes the reported number, the nearest first; if exactly, nothing else."""
    gaps = {x: gap_to_reported(_score_of(x, entries), value) for x in metrics}
    nearest = sorted((x for x in gaps if gaps[x] < math.inf), key=gaps.__getitem__)
    return tuple(x for x in nearest if gaps[x] == 0.0 or gaps[nearest[0]] > 0.0)


def finite_number(value: Any) -> float | None:
    """Return a finite number as it is, and None for anything else."""
    return value if type(value) in (int, float) and abs(value) <= LARGEST else None


def _plain(name: str) -> str:
    """Return a name without the filter behind it."""
    return name.partition(",")[0]


def _meant(name: str, column: list[Any], logged: list[Any]) -> tuple[tuple[Metric, ...], list[Any]]:
    """Return the metrics that a name means, none if it is unknown, and what they take."""

    def entries(entry: Callable[..., Any]) -> list[Any]:
        return [None if is_unscored(x) else entry(x) for x in column]

    plain, kinds = _plain(name), {*map(type, logged)}
    if plain in _OF_LOGS and kinds and kinds <= _NUMBERS and max(logged) <= 0:
        return _OF_LOGS[plain], entries(lambda x: (x, 1))
    if kinds == {list} and plain not in _OF_LABELS and all(map(_are_bools, logged)):
        return (Accuracy(),), entries(lambda x: (x, [True] * len(x)))
    if kinds != {list} or {*map(len, logged)} != {2}:
        return (), []
    if plain in _OF_WEIGHTED and all(starmap(_is_weighted, logged)):
        return _OF_WEIGHTED[plain], entries(tuple)
    if plain in _OF_TEXTS and all(starmap(_are_texts, logged)):
        return _OF_TEXTS[plain], entries(
            lambda x: (x[1] if isinstance(x[1], str) else x[1][0], x[0])
        )
    if plain in _OF_LABELS and {type(x) for pair in logged for x in pair} <= {int, bool}:
        return _OF_LABELS[plain], entries(lambda x: (x[1], x[0]))
    return (), []


def _are_bools(entry: list[Any]) -> bool:
    """Tell whether an entry says what is right of several parts, as of IFEval's instructions."""
    return {*map(type, entry)} == {bool}


def _is_weighted(log: Any, size: Any) -> bool:
    """Tell whether a pair is the log P of a text and its number of words or bytes."""
    return type(log) in (int, float) and log <= 0 and type(size) is int and size >= 0


def _are_texts(reference: Any, prediction: Any) -> bool:
    """Tell whether a pair is the right text, or several, and a text, which may be in a list."""
    texts = reference if isinstance(reference, list) else [reference]
    own = prediction if isinstance(prediction, list) else [prediction]
    return len(own) == 1 and len(texts) > 0 and {*map(type, (*texts, *own))} == {str}


def float_mean(scores: list[Any]) -> float:
    """Return the mean of scores; NaN if there are none, or if it is beyond floats."""
    try:
        return math.fsum(map(float, scores)) / len(scores) if scores else math.nan
    except (OverflowError, ValueError):  # a ValueError: inf - inf
        return math.nan


def _score_of(metric: Metric, entries: list[Any]) -> float:
    """Return the score of a system; NaN if the metric does not take the entries."""
    own, right = ([*x] for x in zip(*(x for x in entries if x is not None), strict=True))
    with heard_by(lambda _: None):
        try:
            rows = metric.rows_of(metric.read((own, own, right)))
            score = problem_of(rows, metric.checked_score(rows), "two-sided").score1
        except (InputError, ImportError):  # sacrebleu is missing
            return math.nan
    return math.nan if score is None else score


def gap_to_reported(score: float, reported: float) -> float:
    """Return how far a score is from the reported one: 0 if equal, inf if the digits differ.

    JSON writes all digits, so a number may be short because it is that number, or is rounded.
    """
    gap, near = abs(score - reported), ROUNDING * max(1.0, abs(reported))
    if gap <= near:
        return 0.0
    return gap if gap <= rounding_of(reported) * (1 + ROUNDING) + near else math.inf


def rounding_of(number: float) -> float:
    """Return how far a number may be off that is written with its digits, or with two at least."""
    return 0.5 * 10.0 ** min(-n_digits(number), -_FEWEST[abs(number) >= 10.0])


def n_digits(number: float) -> int:
    """Return the number of digits after the point; below 0 if zeros stand before it."""
    exponent = Decimal(repr(float(number))).as_tuple().exponent
    assert isinstance(exponent, int)
    return -exponent
