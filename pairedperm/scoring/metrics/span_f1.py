"""F1 of the entity spans in sequences of tags, as seqeval's in its default mode."""

from __future__ import annotations

from typing import Any, ClassVar, get_args

import numpy as np

from pairedperm.errors import InputError
from pairedperm.inputs.labels import Labels
from pairedperm.options import check_option, read_zero_division
from pairedperm.scoring.metric import Average, Metric
from pairedperm.scoring.metrics.label_scores import read_labels_chosen
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.spans import span_counts
from pairedperm.scoring.waist import Rows, Score

__all__ = ["SpanF1"]


class SpanF1(Metric):
    """F1 of the entity spans in sequences of tags (B-PER, I-PER, O), as seqeval's.

    In its default mode, malformed tags included, but no span crosses examples; of all types or
    of those in `labels`.
    """

    name: ClassVar[str] = "span_f1"
    words: ClassVar[str] = "span F1"
    is_of_spans: ClassVar[bool] = True
    takes: ClassVar[tuple[str, ...]] = ("average", "labels", "zero_division")
    instead_of_option: ClassVar[str] = " (one type of entity: labels=['PER'])"
    hint_of_absent: ClassVar[str] = " These are types of entities: 'PER', not 'B-PER'."

    @classmethod
    def of(  # type: ignore[override]
        cls, average: Any = "micro", labels: Any = None, zero_division: Any = 0
    ) -> Metric:
        """See `Metric`."""
        average = check_option("average", average, get_args(Average))
        if average != "micro":
            raise InputError(
                f"`average` must be 'micro' for metric 'span_f1', got {average!r}. For one type of "
                "entity: labels=['PER']."
            )
        selected = read_labels_chosen(average, None, labels)
        number = next((x for x in selected or () if isinstance(x, int)), None)
        if number is not None:
            raise InputError(f"`labels` must be types of entities, such as 'PER', got {number}.")
        return cls(selected=selected, zero_division=read_zero_division(zero_division))

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """Numbers of spans (correct, predicted, right)."""
        selected = None if self.selected is None else list(map(str, self.selected))
        one, two = (span_counts(p, references, selected) for p in (predictions1, predictions2))
        seen = frozenset(selected or ()) & (one.types | two.types)
        rows1, rows2 = (np.array((x.correct, x.predicted, x.gold)).T for x in (one, two))
        return Rows(rows1, rows2, seen=seen)

    def score(self, rows: Rows) -> Score:
        """F1."""
        return Ratio((2, 0, 0), (0, 1, 1), zero_division=self.zero_division)
