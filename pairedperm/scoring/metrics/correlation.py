"""Correlation of predicted labels with the right ones, as scikit-learn's."""

from __future__ import annotations

from pairedperm.inputs.labels import Columns
from pairedperm.scoring.class_counts import check_some_right, count_classes
from pairedperm.scoring.class_score import ClassCorrelation
from pairedperm.scoring.metric import LabelMetric
from pairedperm.scoring.waist import Rows, Score


class MatthewsCorrelation(LabelMetric):
    """The correlation of predictions and references, from -1 to 1, as scikit-learn's."""

    name = "matthews_correlation"
    words = "Matthews correlation"
    aliases = ("mcc", "phi", "matthews_corrcoef")
    is_share = False
    largest_difference = 2.0

    def count(self, columns: Columns) -> Rows:
        """Numbers of labels (correct, predicted, right) of each class."""
        return count_classes(columns, self)

    def score(self, rows: Rows) -> Score:
        """The correlation of all labels."""
        check_some_right(rows)
        return ClassCorrelation("seen")
