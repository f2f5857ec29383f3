"""Metrics of all examples at once: which of them makes the number that a tool reports."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import starmap
from typing import Any

from pairedperm.comparison.compare import compare
from pairedperm.errors import InputError, heard_by
from pairedperm.errors.wording import File, Parts, Words, counted, first_of, joined, shown
from pairedperm.readers.run import Aggregated, Run, is_unscored
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metrics.bits_per_byte import BitsPerByte
from pairedperm.scoring.metrics.bleu import BLEU
from pairedperm.scoring.metrics.chrf import ChrF
from pairedperm.scoring.metrics.correlation import MatthewsCorrelation
from pairedperm.scoring.metrics.label_scores import F1
from pairedperm.scoring.metrics.perplexity import Perplexity
from pairedperm.scoring.metrics.ter import TER

_ROUNDING = 1e-9  # proof: relative, beyond the rounding of sums in another order
_FEWEST = (2, 1)  # tuned: digits after the point that a number below 10, or another, has at least
_LARGEST = 1e300  # proof: far within floats
_OF_LOGS = {"perplexity"}  # names under which lm-evaluation-harness logs log P
_OF_WEIGHTED = {  # names under which it logs log P of a text and its number of words or bytes
    **dict.fromkeys(("word_perplexity", "byte_perplexity"), Perplexity()),
    "bits_per_byte": BitsPerByte(),
}
_NUMBERS = {int, float, bool, Fraction}
_OF_TEXTS: dict[str, type[Metric]] = {"bleu": BLEU, "chrf": ChrF, "ter": TER}
_OF_LABELS: tuple[Metric, ...] = (
    *(F1(), MatthewsCorrelation()),
    *(F1(average="macro"), F1(average="micro"), F1(average="weighted")),
)


def with_aggregates(
    run: Run, reported: Mapping[str, Any], pairs: Mapping[str, list[Any]] | None = None
) -> Run:
    """Return a run whose metrics make of what is logged the numbers that are reported.

    Scores are averaged, or are logarithms of which the perplexity is reported. Pairs, which are in
    `left_out`, are what the metric of a corpus takes. Where no number is reported, the names of
    lm-evaluation-harness tell. `doubts` holds the metrics of which the number is another.
    """
    scores, left_out = dict(run.scores), dict(run.left_out)
    aggregated: dict[str, Aggregated] = {}
    alternatives: dict[str, list[Aggregated]] = {}
    doubts: dict[str, Words] = {}
    for name, column in {**run.scores, **(pairs or {})}.items():
        logged = [x for x in column if not is_unscored(x)]
        value = finite_number(reported.get(name))
        mean = _float_mean(logged) if name in scores else math.nan
        if (
            value is not None
            and min(gap_to_reported(mean, value), gap_to_reported(100.0 * mean, value)) < math.inf
        ):
            continue
        candidates = [*_candidates(name.partition(",")[0], column, logged)]
        told = next((x for x, is_known in candidates if is_known), None)
        if value is None and told is None and candidates:
            alternatives[name] = [x for x, _ in candidates]
        elif value is not None:
            if fits := _fitting((x for x, _ in candidates), value):
                told, *alternatives[name] = fits
            elif told is None and name in left_out:
                unknown = f", of which no known metric makes the {value:.6g} of the results"
                left_out[name] = Parts(left_out[name], unknown)
            elif len(logged) == len(column):
                what = "mean" if told is None else told.metric.in_words
                own = mean if told is None else _score_of(told)
                doubts[name] = Parts(
                    f"{name}: {value:.6g} is reported with ",
                    File(run.path),
                    f", but the {what} of its {counted(len(logged), 'score')} is {own:.6g}",
                )
        if told is not None:
            aggregated[name] = told
            scores.pop(name, None)
            left_out.pop(name, None)
    return replace(
        run,
        scores=scores,
        left_out=left_out,
        aggregated=aggregated,
        alternatives=alternatives,
        doubts=doubts,
    )


def settled(logged: str, runs: Sequence[Run]) -> tuple[list[Aggregated], list[Words]]:
    """Return what each run holds for the metric that all make of what is logged, and doubts.

    Where no number is reported, the other runs tell.

    Raises
    ------
    InputError
        If the runs make different scores of it.
    """
    told = [run.aggregated.get(logged) for run in runs]
    each = [  # what may make one score of the metric, the likeliest first
        {x.metric: x for x in (of_run, *run.alternatives.get(logged, ())) if x is not None}
        for of_run, run in zip(told, runs, strict=True)
    ]
    first = next(some for some, of_run in zip(each, told, strict=True) if of_run is not None)
    common = [metric for metric in first if all(metric in some for some in each)]
    if not common:
        made = ("mean" if of_run is None else of_run.metric.in_words for of_run in told)
        listed = [Parts(f"{x} in ", File(run.path)) for x, run in zip(made, runs, strict=True)]
        raise InputError(
            f"the logs make different scores of {shown(logged)}: ",
            joined(listed, "; "),
            remedy="Evaluate all systems with the same version of the task.",
        )
    chosen, *others = common
    compared = f"{logged}: {chosen.in_words} is compared, "
    also = f"but {first_of([x.in_words for x in others])} would also make the reported numbers"
    doubts: list[Words] = [f"{compared}{also}"] * bool(others)
    doubts += [
        Parts(
            f"{compared}though no number is reported with ",
            File(run.path),
            ", as the other logs say",
        )
        for run in runs
        if logged not in run.aggregated
    ]
    return [some[chosen] for some in each], doubts


def _fitting(candidates: Iterable[Aggregated], value: float) -> list[Aggregated]:
    """Return what makes the reported number, the nearest first; if exactly, nothing else."""
    fits = [
        (gap, x) for x in candidates if (gap := gap_to_reported(_score_of(x), value)) < math.inf
    ]
    nearest = sorted(fits, key=lambda fit: fit[0])
    return [x for gap, x in nearest if gap == 0.0 or nearest[0][0] > 0.0]


def finite_number(value: Any) -> float | None:
    """Return a finite number as it is, and None for anything else."""
    return value if type(value) in (int, float) and abs(value) <= _LARGEST else None


def _candidates(
    name: str, column: list[Any], logged: list[Any]
) -> Iterator[tuple[Aggregated, bool]]:
    """Yield how the entries of all examples may make one score, and whether the name says so."""

    def entries(entry: Callable[..., Any]) -> list[Any]:
        return [None if is_unscored(x) else entry(x) for x in column]

    kinds = {*map(type, logged)}
    if kinds and kinds <= _NUMBERS and max(logged) <= 0:
        yield Aggregated(Perplexity(), entries(lambda x: (x, 1))), name in _OF_LOGS
    if kinds != {list} or {*map(len, logged)} != {2}:
        return
    if all(starmap(_is_weighted, logged)):
        for metric in dict.fromkeys(_OF_WEIGHTED.values()):
            yield Aggregated(metric, entries(tuple)), _OF_WEIGHTED.get(name) == metric
    if name in _OF_TEXTS and all(starmap(_are_texts, logged)):
        texts = entries(lambda x: (x[1] if isinstance(x[1], str) else x[1][0], x[0]))
        yield Aggregated(_OF_TEXTS[name](), texts), False
    elif {type(x) for pair in logged for x in pair} <= {int, bool}:
        labels = entries(lambda x: (x[1], x[0]))
        for of in sorted(_OF_LABELS, key=lambda x: name not in (x.name, *x.aliases)):
            yield Aggregated(of, labels), False


def _is_weighted(log: Any, size: Any) -> bool:
    """Tell whether a pair is the log P of a text and its number of words or bytes."""
    return type(log) in (int, float) and log <= 0 and type(size) is int and size >= 0


def _are_texts(reference: Any, prediction: Any) -> bool:
    """Tell whether a pair is the right text, or several, and a text, which may be in a list."""
    texts = reference if isinstance(reference, list) else [reference]
    own = prediction if isinstance(prediction, list) else [prediction]
    return len(own) == 1 and len(texts) > 0 and {*map(type, (*texts, *own))} == {str}


def _float_mean(scores: list[Any]) -> float:
    """Return the mean of scores; NaN if there are none, or if it is beyond floats."""
    try:
        return math.fsum(map(float, scores)) / len(scores) if scores else math.nan
    except (OverflowError, ValueError):  # a ValueError: inf - inf
        return math.nan


def _score_of(of_all: Aggregated) -> float:
    """Return the score of a system; NaN if the metric does not take the entries."""
    own, right = ([*x] for x in zip(*(x for x in of_all.entries if x is not None), strict=True))
    with heard_by(lambda _: None):
        try:
            return float(compare(own, own, right, of_all.metric).score1)
        except (InputError, ImportError):  # sacrebleu is missing
            return math.nan


def gap_to_reported(score: float, reported: float) -> float:
    """Return how far a score is from the reported one: 0 if equal, inf if the digits differ.

    JSON writes all digits, so a number may be short because it is that number, or is rounded.
    """
    exponent = Decimal(repr(float(reported))).as_tuple().exponent
    assert isinstance(exponent, int)
    rounding = 0.5 * 10.0 ** min(exponent, -_FEWEST[abs(reported) >= 10.0])
    gap, near = abs(score - reported), _ROUNDING * max(1.0, abs(reported))
    if gap <= near:
        return 0.0
    return gap if gap <= rounding * (1 + _ROUNDING) + near else math.inf
