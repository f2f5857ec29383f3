"""The metrics of logs: which one a name means, and whether lower or higher scores are better."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from pairedperm.errors import (
    SHOWN,
    File,
    InputError,
    Name,
    Parts,
    Python,
    Setting,
    Words,
    first_of,
    joined,
    shown,
)
from pairedperm.readers.aggregates import takes_options
from pairedperm.readers.log import INFINITE, Run, is_unscored
from pairedperm.scoring.metric import METRICS, Metric

_OF = ("", "mean", "avg", "average", "total", "val", "valid", "validation", "eval", "test")
_EVENTS = ("error", "failure", "mistake", "hallucination")  # each is one too many
_COUNTED = ("{}", "{}s", "{} rate", "{} ratio", "{} count", "num {}s")
# names of metrics, in which hyphens join words
_LOSSES = """
mean-squared-error root-mean-squared-error mean-absolute-error median-absolute-error
mean-absolute-percentage-error max-error mean-squared-log-error root-mean-squared-log-error
mean-poisson-deviance mean-gamma-deviance log-loss brier-score negative-likelihood-ratio
"""  # scikit-learn has a scorer "neg_…" of most
_LOWER = """
err loss losses nll perplexity word-perplexity byte-perplexity token-perplexity
bits-per-character bpc distance edit-distance entropy cross-entropy cross-entropy-loss wer cer
ter char-error-rate mse rmse mae mape ece expected-calibration-error latency cost toxicity
brier hinge-loss zero-one-loss
"""
_HIGHER = """
accuracy-score acc-norm acc-bytes acc-mutual-info top-1-accuracy top-1-acc top-5-accuracy
top-5-acc em quasi-exact-match prefix-exact-match f1-score f1-macro f1-micro f1-weighted
macro-f1 micro-f1 weighted-f1 precision-macro precision-micro recall-macro recall-micro r2
rouge rouge-1 rouge-2 rouge-l rouge-lsum meteor comet bert-score bleu-1 bleu-2 bleu-3 bleu-4
bleurt sari auc roc-auc auroc map average-precision hits mrr ndcg mean-iou miou
explained-variance
"""
_RIGHT_OR_WRONG = """
acc accuracy acc-norm acc-bytes exact-match em quasi-exact-match prefix-exact-match pass@1 resolved
solved is-resolved success correct is-correct pass passed
"""  # of an example, if its scores are 0 and 1
_ALONE = (  # these say nothing beside another word: "attack success"
    *("score", "scores", "match", "correct", "success", "success_rate", "pass", "passed"),
    *("pass_rate", "reward", "win", "wins", "win_rate", "points", "rating"),
)
_TURNS = re.compile(  # words beside a name that may turn its direction
    "no|non|not|anti|without|minus|over|free|inv|(neg|inver|recipr|complement|opposite|revers"
    "|jailbreak|attack|harm(?!on)|unsafe|toxic|poison|backdoor).*"
)
_PERPLEXITY = re.compile(  # or its logarithm, which is not below 0 either
    r"perplexity|bits[\W_]*per|(?<![a-z])(?:ppl|bp[bc])(?![a-z])", re.I
)
_IS_PLAIN = re.compile(r"(\w|[ %]|(?<=[^\W_])-(?=[^\W_])|\([\w %]+\))*")  # no sign or operator


_ONE_NUMBER = (
    "A score is one number for each example, no list or text. Compute it from what is logged, and "
    "compare tables of id and score."
)
_WHICH_F1 = Parts(
    "Say which F1 is meant, ", Setting("metric", "'f1'"), " with ", Setting("average", "…")
)


class NoMetricError(InputError):
    """The runs of a task lack the metric; those of another task may have it.

    `fact` is the part of the message that says which run lacks it.
    """

    def __init__(self, *what: Words, fact: Words = "", **facts: Any) -> None:
        super().__init__(*what, **facts)
        self.fact = fact


def metrics_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the metrics that all runs have scores of, or "accuracy" of predictions alone."""
    every = dict.fromkeys(x for run in runs for x in run.metrics)
    logged = tuple(x for x in every if _all_have(x, runs))
    if not logged and all(run.predictions is not None for run in runs):
        return ("accuracy",)
    return logged


def _all_have(name: str, runs: Sequence[Run]) -> bool:
    """Tell whether all runs have scores of a metric, or pairs of which another run tells it."""
    found = [run.aggregated.get(name) for run in runs]
    is_told = any(x is not None and x.is_told for x in found)
    return all(
        name in run.metrics or (is_told and x is not None and x.metrics != ())
        for run, x in zip(runs, found, strict=True)
    )


def only_metric(runs: Sequence[Run], lower_is_better: bool | None = None) -> str:
    """Return the metric of the runs if there is only one, or the first of several that are equal.

    `lower_is_better` is the direction, if the caller gives one.

    Raises
    ------
    InputError
        If there are several, or none.
    """
    metrics = metrics_of(runs)
    if metrics and all(_are_equal(metrics[0], x, runs, lower_is_better) for x in metrics[1:]):
        return metrics[0]
    if not metrics:
        each = [Parts(File(x.path), " has ", metrics_in_words(x)) for x in runs]
        fact = Parts("the runs have no metric in common: ", joined(each, "; "))
        left_out = {x for run in runs for x in run.left_out}
        remedy = _remedy_of_epochs(runs), _remedy_of_lists(left_out, runs)
        raise NoMetricError(fact, remedy=remedy, fact=fact)
    what = f" is missing, and the runs have several: {first_of([*map(shown, metrics)])}"
    raise InputError(Name("metric"), what, remedy="Name one.")


def _are_equal(one: str, other: str, runs: Sequence[Run], given: bool | None) -> bool:
    """Tell whether two metrics have the same scores in all runs, and the same direction."""
    for run in runs:
        if one not in run.scores or run.scores[one] != run.scores.get(other):
            return False
        if any(x in y for x in (one, other) for y in (run.doubts, run.sentinels)):
            return False
    lower, also = (direction(x, runs, given).lower_is_better for x in (one, other))
    return lower == also


def first_in_logs(metrics: Sequence[str], runs: Sequence[Run]) -> str:
    """Return the first of these metrics that all runs have scores of, or else the first."""

    def is_logged(metric: str) -> bool:
        with suppress(NoMetricError):
            return name_in_logs(metric, runs) is not None
        return False

    return next(filter(is_logged, metrics), metrics[0])


def name_in_logs(
    metric: str | Metric, runs: Sequence[Run], *, has_options: bool = False
) -> str | None:
    """Return the metric's name in the logs, or None for a metric of predictions.

    Options tell which F1 is meant where no reported number does.

    Raises
    ------
    InputError
        If a run has no scores of the metric, and a run has no predictions.
    """
    if not isinstance(metric, str):
        return None
    plain = metric.removesuffix(",none")  # as lm-evaluation-harness's results call it
    # the one reducer of epochs, or the one filter, need not be named
    longer = [x for x in runs[0].metrics if x.startswith((f"{metric}[", f"{metric},"))]
    for name in (metric, plain, *(longer if len(longer) == 1 else [])):
        if _all_have(name, runs) or (has_options and takes_options(name, runs)):
            return name
    if all(run.predictions is not None for run in runs):
        return None
    run = next(run for run in runs if plain not in run.metrics)
    has = Parts("It has ", metrics_in_words(run))
    if plain in run.left_out:
        fact = Parts(f"{shown(metric)} is no number per example in ", File(run.path))
        what, also = run.left_out[plain], has if run.metrics or run.predictions else ""
        remedy = also, _remedy_of_lists({plain}, runs)
        raise NoMetricError(Name("metric"), " ", fact, ", but ", what, remedy=remedy, fact=fact)
    fact = Parts(File(run.path), f" lacks {shown(metric)}")
    remedy = has, _remedy_of_epochs(runs)
    raise NoMetricError(Name("metric"), ": ", fact, remedy=remedy, fact=fact)


def _remedy_of_lists(metrics: Collection[str], runs: Sequence[Run]) -> Words:
    """Return what to do if these metrics are no numbers per example; "" if there are none."""
    if any(takes_options(x, runs) for x in metrics):
        return _WHICH_F1
    return _ONE_NUMBER if metrics else ""


def _remedy_of_epochs(runs: Sequence[Run]) -> str:
    """Return what to do if the runs reduce the epochs of a metric differently; "" if not."""
    names = [{*run.metrics} for run in runs]
    plain = [{x.partition("[")[0] for x in some} for some in names]
    if set.intersection(*plain) == {x.partition("[")[0] for x in set.intersection(*names)}:
        return ""
    return (
        "Scores of epochs that are reduced differently are not compared: score one log again "
        "with the reducer of the other, inspect_ai.score(…, epochs_reducer=…)."
    )


def metrics_in_words(run: Run) -> Words:
    """List what a run has, for messages."""
    some = [*map(shown, run.metrics)]
    if run.predictions is not None:
        some.append("predictions")
    if some:
        return first_of(some)
    others = [Parts(f"{shown(name)} holds ", what) for name, what in run.left_out.items()]
    return Parts("no scores: ", joined(others, n=SHOWN)) if others else "no scores"


def _letters(name: str) -> str:
    """Return a name's letters and digits, which are the same however its words are joined."""
    return "".join(x for x in name.lower() if x.isalnum())


_IS_LOWER: dict[str, bool] = {
    **{
        _letters(x): bool(kind.lower_is_better)
        for name, kind in METRICS.items()
        if name != "mean_score"
        for x in (name, *kind.aliases)
    },
    **{
        of + letters: is_lower
        for names, is_lower in (
            ([x.format(event) for event in _EVENTS for x in _COUNTED], True),
            ([*_LOSSES.split(), *_LOWER.split()], True),
            ([*_HIGHER.split(), *(f"neg {x}" for x in _LOSSES.split())], False),
        )
        for letters in map(_letters, names)
        for of in _OF
    },
}
"""Whether lower is better, by the letters of a name."""
_IS_RIGHT_OR_WRONG = {_letters(x) for x in _RIGHT_OR_WRONG.split()}

DirectionSource = Literal["caller", "log", "metric", "name", "assumed"]


class Direction(NamedTuple):
    """The direction of a metric, and its source; "metric" is one of predictions."""

    lower_is_better: bool
    source: DirectionSource


def direction(metric: str, runs: Sequence[Run], given: bool | None) -> Direction:
    """Return the direction of a metric: as it is given, as the logs say, or as its name is known.

    Raises
    ------
    InputError
        If the logs contradict each other.
    """
    if given is not None:
        return Direction(given, "caller")
    of_logs = {x for run in runs if (x := run.lower_is_better.get(metric)) is not None}
    if len(of_logs) > 1:
        yes, no = (Setting("lower_is_better", x) for x in ("True", "False"))
        what = f"the logs differ on whether a lower {shown(metric)} is better"
        raise InputError(what, remedy=Parts("say ", yes, " or ", no))
    if of_logs:
        return Direction(of_logs.pop(), "log")
    lower = _by_name(metric)
    return Direction(bool(lower), "assumed" if lower is None else "name")


def _by_name(metric: str) -> bool | None:
    """Tell whether lower is better from a name that is known as a whole; None: it is unknown.

    A filter and a path may stand beside it, unless they hold a sign or a word that may turn it.
    """
    name, *filters = re.split(r"[,@\[\]]", metric.lower())
    *path, last = re.split(r"[/.:]+", name)
    words = re.findall("[a-z]+", " ".join([*path, *filters]))
    if (
        any(map(_TURNS.fullmatch, words))
        or any(map(_ends_in_number, path))
        or not all(map(_IS_PLAIN.fullmatch, [*path, last, *filters]))
    ):
        return None
    if not path and last in _ALONE:
        return False
    return _IS_LOWER.get(_letters(last))


def known_range(
    logged: str, columns: Sequence[Sequence[Any]], runs: Sequence[Run] = ()
) -> tuple[float, float] | None:
    """Return the range of logged scores, if they are right or wrong, and all are 0 or 1.

    The name says so, or the log, which has truth values. Those of inspect_ai's letters may be ½.
    Infinite scores are never compared.
    """
    scores = {x for x in set().union(*columns) if not is_unscored(x) and x not in INFINITE}
    if any(run.format == "inspect" and logged in run.lower_is_better for run in runs):
        return (0.0, 1.0) if all(0 <= x <= 1 for x in scores) else None
    name = logged.lower().partition(",")[0].rpartition(".")[2]  # in an object; a filter follows
    if _letters(name) not in _IS_RIGHT_OR_WRONG and not any(bool in map(type, x) for x in columns):
        return None
    return (0.0, 1.0) if scores <= {0, 1} else None


def _ends_in_number(part: str) -> bool:
    """Tell whether the last word of a path's part is a number, as in 1/error and mean 1/error."""
    words = [letters for word in part.split() if (letters := _letters(word))]
    return bool(words) and words[-1].isdigit()


def direction_of_means(logged: str, runs: Sequence[Run], given: bool | None) -> Direction:
    """Return the direction of logged scores; it is assumed if the tool reports another number.

    The log's direction is that of the number. Scores below 0 may be its logarithms or negatives,
    and are no perplexities.

    Raises
    ------
    InputError
        If the logs contradict each other.
    """
    stated = direction(logged, runs, given)
    if stated.source == "caller":
        return stated
    is_doubted = any(logged in run.doubts for run in runs)
    if stated.lower_is_better and (is_doubted or _PERPLEXITY.search(logged)):
        scores = (x for run in runs for x in run.scores[logged])
        if any(x < 0 for x in scores if not is_unscored(x)):
            return Direction(False, "assumed")
    return stated._replace(source="assumed") if is_doubted else stated


def check_direction(metric: Metric, lower_is_better: bool | None) -> None:
    """Raise InputError if the caller gives a metric the other direction."""
    if lower_is_better is not None and lower_is_better != metric.lower_is_better:
        better = f"{'lower' if metric.lower_is_better else 'higher'} is better"
        is_so = Python(f"it is {metric.lower_is_better}", better)
        raise InputError(
            Name("lower_is_better"),
            " is for scores that were logged",
            remedy=(
                Parts(f"for {metric.name} ", is_so),
                Python("Leave it out", "Leave it to the metric"),
            ),
        )
