"""Correlation of predicted labels with the right ones, as in scikit-learn."""

from __future__ import annotations

from pairedperm.inputs.labels import Columns
from pairedperm.scoring.class_correlation import ClassCorrelation
from pairedperm.scoring.class_counts import check_some_right, count_classes
from pairedperm.scoring.label_metric import LabelMetric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.waist import Score


class MatthewsCorrelation(LabelMetric):
    """The correlation of predictions and references, from -1 to 1, as in scikit-learn.

    It is 0 if all predictions, or all references, are the same.

    Reported as a number; higher is better. p is exact (two sums) for two classes: 0.2 s for a
    million examples. For more classes it is exact up to 10^7 sums, then sampled.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

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
    limits = -1.0, 1.0

    def count(self, columns: Columns) -> Rows:
        """Return the numbers of labels (correct, predicted, right) of each class."""
        return count_classes(columns, self)

    def score(self, rows: Rows) -> Score:
        """Return the correlation of all labels."""
        check_some_right(rows)
        return ClassCorrelation("seen")
