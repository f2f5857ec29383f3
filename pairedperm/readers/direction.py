"""The direction of a logged metric: whether lower or higher scores are better."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from pairedperm.errors import InputError, shown
from pairedperm.readers.run import Run
from pairedperm.scoring.metric import METRICS

_LOWER = {
    *(
        "error",
        "errors",
        "err",
        "loss",
        "losses",
        "nll",
        "perplexity",
        "ppl",
        "distance",
        "entropy",
    ),
    *("wer", "cer", "ter", "mse", "rmse", "mae", "ece", "latency", "cost", "toxicity", "brier"),
    *("bits", "hallucination", "hallucinations", "failure", "failures", "mistakes"),
}
_HIGHER = {
    *("accuracy", "acc", "score", "scores", "f1", "em", "match", "correct", "precision", "recall"),
    *("bleu", "chrf", "rouge", "meteor", "comet", "auc", "map", "mrr", "ndcg", "iou", "kappa"),
    *("pass", "passed", "reward", "win", "wins", "success", "points", "norm", "rating"),
}
_OF = {"rate", "ratio", "count", "num", "mean", "avg", "average", "total", "score", "byte", "per"}

Source = Literal["asked", "log", "name", "assumed"]


class Direction(NamedTuple):
    """The direction of a metric, and its source: the caller, the log, the name, or none."""

    lower_is_better: bool
    source: Source

    def __str__(self) -> str:
        what = "lower is better" if self.lower_is_better else "higher is better"
        return f"{what} (assumed)" if self.source == "assumed" else what


def direction(metric: str, runs: Sequence[Run], asked: bool | None) -> Direction:
    """Return the direction of a metric, as asked, as the logs say, or as its name suggests.

    Raises
    ------
    InputError
        If the logs contradict each other.
    """
    if asked is not None:
        return Direction(asked, "asked")
    said = {x for run in runs if (x := run.lower_is_better.get(metric)) is not None}
    if len(said) > 1:
        raise InputError(
            f"the logs differ on whether a lower {shown(metric)} is better: say "
            "lower_is_better=True or lower_is_better=False."
        )
    if said:
        return Direction(said.pop(), "log")
    return _by_name(metric)


def _by_name(metric: str) -> Direction:
    """Tell the direction from the metric's name, without its filter and its path."""
    plain = re.split(r"[,@]", metric)[0]
    last = re.split(r"[/.:\s]+", plain)[-1]
    words = re.findall(r"[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])\d*", last)
    told = [word for word in (x.lower() for x in words) if word not in _OF]
    if told and told[-1] in _LOWER:
        return Direction(True, "name")
    for name, kind in METRICS.items():
        if name != "mean_score" and {plain.lower(), last.lower()} & {name, *kind.aliases}:
            return Direction(bool(kind.lower_is_better), "name")
    is_known = bool(_HIGHER & {*told, last.lower()})
    return Direction(False, "name" if is_known else "assumed")
