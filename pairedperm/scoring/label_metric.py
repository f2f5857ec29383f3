"""A metric whose columns hold labels."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pairedperm.constraints import Whole
from pairedperm.errors import InputError
from pairedperm.inputs.ignored import without_ignored
from pairedperm.inputs.labels import Columns, Labels, check_comparable, check_lengths
from pairedperm.options import IGNORE_LABEL
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.vocabulary import labels_to_check
from pairedperm.shown import shown
from pairedperm.wording import Name

_IGNORED = Whole(
    -(2**63),
    2**63 - 1,
    words="an integer, the label of references that stands for none",
    is_name=True,
)


class CountsLabels(Metric):
    """A metric whose columns hold labels: each example has one, a sequence or a set of them."""

    is_of_labels = True

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """See `Metric`."""
        columns = predictions1, predictions2, references
        check_columns(columns, sets=self.has_sets, aligned=not self.may_be_text)
        ignored = references.ignored(None if self.is_of_spans else self.ignored)
        if ignored is not None:
            columns = without_ignored(columns, ignored)
        rows = self.count(columns)
        rows = rows if references.in_order else rows.counted_if_few()
        n = len(rows.classes) or 1  # columns of correct labels come first
        one, two = np.atleast_2d(rows.rows1.T)[:n], np.atleast_2d(rows.rows2.T)[:n]
        selected, found = self.selected or (), rows.provenance.occurring
        are_right = len(selected) < 2 and one.any() and two.any()  # then the selected label occurs
        is_clear = self.may_be_text or (are_right and references.lengths is None)
        if found is None and not is_clear:
            found = labels_to_check(columns, selected, sets=self.has_sets)
        return rows.noting(n_ignored=columns[2].n_ignored, occurring=found)

    @abstractmethod
    def count(self, columns: Columns) -> Rows:
        """Return what each example contributes, from columns that fit each other.

        Raises
        ------
        InputError
            If the columns do not fit the metric.
        """


@dataclass(frozen=True, kw_only=True, repr=False)
class IgnoresLabel(Metric):
    """A metric for which an integer in the references may stand for no label."""

    ignore_label: Annotated[int | None, _IGNORED] = IGNORE_LABEL

    @property
    def ignored(self) -> int | None:
        """See `Metric`."""
        return None if self.has_sets else self.ignore_label


class LabelMetric(IgnoresLabel, CountsLabels):
    """A metric of labels, where a label of the references may stand for none."""


def check_columns(columns: Columns, *, sets: bool, aligned: bool) -> None:
    """Raise InputError unless all columns fit each other.

    Examples need equally many labels, unless they are sets or the columns are not `aligned`.
    """
    references = columns[2]
    check = check_lengths if aligned and not sets else check_comparable
    check(columns[0], references)
    check(columns[1], references)
    if sets and references.lengths is None:
        raise InputError(
            Name(references.name),
            must="hold a set of labels per example",
            got=f"single labels ({shown(references.first)})",
            remedy="Give sets or lists, also of one label",
        )
