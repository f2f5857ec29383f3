"""The true score of a column of labels, as a function of predictions and references."""

from functools import partial

import numpy as np
from sklearn import metrics

from oracles.class_averages import label_score

OF_ALL = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_correlation": metrics.matthews_corrcoef,
    "cohen_kappa": metrics.cohen_kappa_score,
}


def score_of(metric, options, columns):
    """scikit-learn's score; the columns have all labels that there are."""
    if metric in OF_ALL:
        return lambda p, r: np.nan_to_num(OF_ALL[metric](r, p, **options))
    if metric == "specificity":
        positive = options["pos_label"]
        return lambda p, r: metrics.recall_score(
            np.equal(r, positive), np.equal(p, positive), pos_label=False
        )
    return partial(label_score, metric, there=np.unique(columns).tolist(), **options)
