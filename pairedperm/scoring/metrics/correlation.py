"""Correlation of predicted labels with the right ones, as scikit-learn's."""

from __future__ import annotations

from pairedperm.inputs.labels import Columns
from pairedperm.scoring.class_correlation import ClassCorrelation
from pairedperm.scoring.class_counts import check_some_right, count_classes
from pairedperm.scoring.metric import LabelMetric
from pairedperm.scoring.waist import Rows, Score


class MatthewsCorrelation(LabelMetric):
    """The correlation of predictions and references, from -1 to 1, as scikit-learn's.

    Reported as a number; higher is better. p is exact for two classes, of two sums: 0.2 s for
    a million examples; for more of up to 10^7 sums, or sampled.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large, small = ["a", "b", "b", "b"], ["a", "b", "b", "a"], ["b", "b", "a", "a"]
    >>> result = compare(large, small, right, "matthews_correlation")
    >>> round(result.score1, 3), round(result.score2, 3), result.pvalue
    (0.577, -0.577, 0.5)
    """

    name = "matthews_correlation"
    words = "Matthews correlation"
    aliases = ("mcc", "phi", "matthews_corrcoef")
    unit = "number"
    largest_difference = 2.0

    def count(self, columns: Columns) -> Rows:
        """Numbers of labels (correct, predicted, right) of each class."""
        return count_classes(columns, self)

    def score(self, rows: Rows) -> Score:
        """The correlation of all labels."""
        check_some_right(rows)
        return ClassCorrelation("seen")
