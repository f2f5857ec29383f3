"""Subset accuracy: sets of labels that are right as a whole."""

from __future__ import annotations

import numpy as np

from pairedperm.inputs.labels import Columns
from pairedperm.scoring.label_counts import coded, right_labels
from pairedperm.scoring.metric import CountsLabels
from pairedperm.scoring.rows import Rows


class SubsetAccuracy(CountsLabels):
    """Examples whose set of labels is right as a whole / all examples.

    This is scikit-learn's `accuracy_score` of indicator matrices, and 1 minus its `zero_one_loss`.
    Each example has a set or a list of labels.

    Reported as a share; higher is better. p is exact (one sum): 0.2 s for a million examples.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [{"news"}, {"news", "sport"}, set()]
    >>> one, two = [{"news"}, {"sport"}, set()], [{"news"}, {"sport"}, {"sport"}]
    >>> result = compare(one, two, right, metric="subset_accuracy")
    >>> result.score1, result.score2
    (0.6666666666666666, 0.3333333333333333)
    """

    name = "subset_accuracy"
    has_sets = True

    def count(self, columns: Columns) -> Rows:
        """Return 1 for each set that is right, else 0."""
        codes, _, _ = coded(columns)
        rows = []
        for column, right in zip(columns, right_labels(columns, codes, sets=True), strict=False):
            n_right = column.sums(right)
            is_right = (n_right == column.lengths) & (n_right == columns[2].lengths)
            rows.append(is_right.astype(np.int64))
        return Rows(rows[0], rows[1])

    def is_right_or_wrong(self, rows: Rows) -> bool:
        return True
