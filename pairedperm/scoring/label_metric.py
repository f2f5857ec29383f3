"""A metric of labels: what it leaves out of them, and what it looks for among them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

from pairedperm.inputs.ignored import IGNORE_LABEL, without_ignored
from pairedperm.inputs.labels import Columns, Labels
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.occurring import occurring
from pairedperm.scoring.waist import Rows


class LabelMetric(Metric):
    """A metric whose columns hold labels, one an example, a sequence or a set of them."""

    takes: ClassVar[tuple[str, ...]] = ("ignore_label",)

    @property
    def options(self) -> dict[str, Any] | None:
        """See `Metric`."""
        is_default = self.ignore_label == IGNORE_LABEL
        return None if is_default else {"ignore_label": self.ignore_label}

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """See `Metric`."""
        columns = predictions1, predictions2, references
        if not self.multilabel:
            columns = without_ignored(columns, self.ignore_label, aligned=not self.may_be_text)
        rows = self.count(columns)
        found = rows.occurring
        if found is None and not self.may_be_text:
            found = occurring(columns, self.selected or (), sets=self.multilabel)
        return replace(rows, n_ignored=columns[2].n_ignored, occurring=found)

    @abstractmethod
    def count(self, columns: Columns) -> Rows:
        """What each example contributes, of the labels that count.

        Raises
        ------
        InputError
            If the columns do not fit each other, or the metric.
        """
