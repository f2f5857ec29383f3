"""Choose the stream that takes the columns of a metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairedperm.hf.label_stream import LabelStream
from pairedperm.hf.metric_of_call import is_of_others
from pairedperm.hf.score_stream import ScoreStream
from pairedperm.hf.streaming import OtherStream, Stream


def new_stream(metric: str | None, *, also: Sequence[str] = (), **options: Any) -> Stream:
    """Make the stream that takes a metric's columns; None is for scores, without references."""
    if metric is None:
        return ScoreStream(**options)
    if is_of_others(metric):
        return OtherStream(metric, **options)
    return LabelStream(metric, also=also, **options)
