"""The true scores that average over classes: scikit-learn's, of labels, sequences and sets."""

from itertools import chain
from typing import Any

import numpy as np
from sklearn import metrics

MACRO: dict[str, tuple[Any, dict[str, Any]]] = {
    "precision": (metrics.precision_score, {}),
    "recall": (metrics.recall_score, {}),
    "f1": (metrics.f1_score, {}),
    "fbeta": (metrics.fbeta_score, {"beta": 0.5}),
    "jaccard": (metrics.jaccard_score, {}),
}


def label_score(
    metric,
    predictions,
    references,
    there,
    average="binary",
    pos_label=1,
    labels=None,
    zero_division=0.0,
    multilabel=False,
    **options,
):
    """scikit-learn's score with the options of `compare`; None where it has no such option."""
    if zero_division not in (0.0, 1.0) or not there:
        return None
    if average == "binary":
        average, labels = "micro", [pos_label]
    if multilabel:
        classes = labels or there
        known = [*classes, *(x for x in there if x not in classes), None]  # two columns at least
        labels = [*range(len(classes))]
        references, predictions = (
            np.array([[label in row for label in known] for row in column], dtype=int)
            for column in (references, predictions)
        )
    elif isinstance(references[0], list):
        references, predictions = (
            list(chain.from_iterable(column)) for column in (references, predictions)
        )
    options |= {"average": average, "labels": labels, "zero_division": zero_division}
    return MACRO[metric][0](references, predictions, **options)
