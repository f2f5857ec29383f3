"""Which way a logged metric is better."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from pairedperm.errors import InputError, shown
from pairedperm.readers.run import Run
from pairedperm.scoring.metric import METRICS

_OF_ERRORS = (
    *("error", "errors", "err", "loss", "losses", "nll", "perplexity", "ppl", "distance"),
    *("wer", "cer", "ter", "mse", "rmse", "mae", "latency", "cost", "toxicity", "brier"),
    *("bits_per_byte", "hallucination"),
)

Source = Literal["asked", "log", "name", "assumed"]


class Direction(NamedTuple):
    """Whether less is better, and who says so: the caller, the log, the name, or nobody."""

    lower_is_better: bool
    source: Source

    def __str__(self) -> str:
        what = "lower is better" if self.lower_is_better else "higher is better"
        return f"{what} (assumed)" if self.source == "assumed" else what


def direction(metric: str, runs: Sequence[Run], asked: bool | None) -> Direction:
    """Of a metric in these runs.

    Raises
    ------
    InputError
        If the logs say different things.
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
    plain = metric.lower()
    parts = re.split(r"[,:/@.\s]+", plain)
    for name, kind in METRICS.items():
        if {name, *kind.aliases} & {plain, *parts} and name != "mean_score":
            return Direction(bool(kind.lower_is_better), "name")
    words = {*parts, *re.split(r"[^a-z]+", plain)}
    return Direction(True, "name") if words & {*_OF_ERRORS} else Direction(False, "assumed")
