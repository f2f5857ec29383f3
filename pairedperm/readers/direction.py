"""The direction of a logged metric: whether lower or higher scores are better."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, Setting, shown
from pairedperm.readers.run import Run
from pairedperm.scoring.metric import METRICS, Metric

_OF = ("", "mean", "avg", "average", "total", "val", "valid", "validation", "eval", "test")
_EVENTS = ("error", "failure", "mistake", "hallucination")  # each is one too many
_COUNTED = ("{}", "{}s", "{} rate", "{} ratio", "{} count", "num {}s")
_LOSSES = (  # of scikit-learn, which has a scorer "neg_…" of each, and others
    *("mean squared error", "root mean squared error", "mean absolute error"),
    *("median absolute error", "mean absolute percentage error", "max error"),
    *("mean squared log error", "root mean squared log error", "mean poisson deviance"),
    *("mean gamma deviance", "log loss", "brier score", "negative likelihood ratio"),
)
_LOWER = (
    *(x.format(event) for event in _EVENTS for x in _COUNTED),
    *_LOSSES,
    *("err", "loss", "losses", "nll", "perplexity", "word perplexity", "byte perplexity"),
    *("token perplexity", "bits per character", "bpc", "distance"),
    *("edit distance", "entropy", "cross entropy", "cross entropy loss", "wer", "cer", "ter"),
    *("char error rate", "mse", "rmse", "mae", "mape", "ece", "expected calibration error"),
    *("latency", "cost", "toxicity", "brier", "hinge loss", "zero one loss"),
)
_HIGHER = (
    *(f"neg {x}" for x in _LOSSES),
    *("accuracy score", "acc norm", "acc bytes", "acc mutual info", "top 1 accuracy", "top 1 acc"),
    *("top 5 accuracy", "top 5 acc", "em", "quasi exact match", "prefix exact match"),
    *("f1 score", "f1 macro", "f1 micro", "f1 weighted", "macro f1", "micro f1", "weighted f1"),
    *("precision macro", "precision micro", "recall macro", "recall micro", "r2", "rouge"),
    *("rouge 1", "rouge 2", "rouge l", "rouge lsum", "meteor", "comet", "bert score"),
    *("bleu 1", "bleu 2", "bleu 3", "bleu 4", "bleurt", "sari", "auc", "roc auc", "auroc", "map"),
    *("average precision", "hits", "mrr", "ndcg", "mean iou", "miou", "explained variance"),
)
_ALONE = (  # these say nothing beside another word: "attack success"
    *("score", "scores", "match", "correct", "success", "success_rate", "pass", "passed"),
    *("pass_rate", "reward", "win", "wins", "win_rate", "points", "rating"),
)
_TURNS = re.compile(  # words beside a name that may turn its direction
    "no|non|not|anti|without|minus|over|free|inv|(neg|inver|recipr|complement|opposite|revers"
    "|jailbreak|attack|harm(?!on)|unsafe|toxic|poison|backdoor).*"
)
_IS_PLAIN = re.compile(r"(\w|[ %]|(?<=[^\W_])-(?=[^\W_])|\([\w %]+\))*")  # no sign or operator


def _letters(name: str) -> str:
    """Return a name's letters and digits, which are the same however its words are joined."""
    return "".join(x for x in name.lower() if x.isalnum())


_KNOWN: dict[str, bool] = {
    **{
        _letters(x): bool(kind.lower_is_better)
        for name, kind in METRICS.items()
        if name != "mean_score"
        for x in (name, *kind.aliases)
    },
    **{
        _letters(of + x): is_lower
        for of in _OF
        for names, is_lower in ((_LOWER, True), (_HIGHER, False))
        for x in names
    },
}
"""Whether lower is better, by the letters of a name."""

Source = Literal["asked", "log", "name", "assumed"]


class Direction(NamedTuple):
    """The direction of a metric, and its source: the caller, the log, the name, or none."""

    lower_is_better: bool
    source: Source

    def __str__(self) -> str:
        what = "lower is better" if self.lower_is_better else "higher is better"
        return f"{what} (assumed)" if self.source == "assumed" else what


def direction(metric: str, runs: Sequence[Run], asked: bool | None) -> Direction:
    """Return the direction of a metric, as asked, as the logs say, or as its name is known.

    Raises
    ------
    InputError
        If the logs contradict each other.
    """
    if asked is not None:
        return Direction(asked, "asked")
    said = {x for run in runs if (x := run.lower_is_better.get(metric)) is not None}
    if len(said) > 1:
        yes, no = (Setting("lower_is_better", x) for x in ("True", "False"))
        what = f"the logs differ on whether a lower {shown(metric)} is better"
        raise InputError(what, remedy=Parts("say ", yes, " or ", no))
    if said:
        return Direction(said.pop(), "log")
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
    return _KNOWN.get(_letters(last))


def _ends_in_number(part: str) -> bool:
    """Tell whether the last word of a path's part is a number, as in 1/error and mean 1/error."""
    words = [letters for word in part.split() if (letters := _letters(word))]
    return bool(words) and words[-1].isdigit()


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
