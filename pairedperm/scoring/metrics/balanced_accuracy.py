"""Balanced accuracy: the mean of the recalls of all classes, as scikit-learn's."""

from __future__ import annotations

from fractions import Fraction

from pairedperm.inputs.labels import Labels
from pairedperm.scoring.class_counts import check_some_right, count_classes
from pairedperm.scoring.class_score import ClassAverage
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.waist import Rows, Score


class BalancedAccuracy(Metric):
    """The mean of the recalls of all classes that the references have, as scikit-learn's."""

    name = "balanced_accuracy"

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """Numbers of labels (correct, predicted, right) of each class."""
        return count_classes((predictions1, predictions2, references), self)

    def score(self, rows: Rows) -> Score:
        """The mean of the classes' recalls."""
        check_some_right(rows)
        return ClassAverage(True, (1, 0, 0), (0, 0, 1), "right", Fraction(0))
