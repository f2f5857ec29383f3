"""Matthews' correlation coefficient, of any number of classes, as scikit-learn's."""

from __future__ import annotations

from pairedperm.inputs.labels import Labels
from pairedperm.scoring.class_counts import check_some_right, count_classes
from pairedperm.scoring.class_score import ClassCorrelation
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.waist import Rows, Score


class MatthewsCorrelation(Metric):
    """The correlation of predictions and references, from -1 to 1, as scikit-learn's."""

    name = "matthews_correlation"
    words = "Matthews correlation"
    is_share = False

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """Numbers of labels (correct, predicted, right) of each class."""
        return count_classes((predictions1, predictions2, references), self)

    def score(self, rows: Rows) -> Score:
        """The correlation of all labels."""
        check_some_right(rows)
        return ClassCorrelation(True)
