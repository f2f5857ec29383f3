"""The true scores that average over classes: scikit-learn's, of labels, sequences and sets."""

import warnings
from itertools import chain
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.preprocessing import MultiLabelBinarizer

MACRO: dict[str, tuple[Any, dict[str, Any]]] = {
    "precision": (metrics.precision_score, {}),
    "recall": (metrics.recall_score, {}),
    "f1": (metrics.f1_score, {}),
    "fbeta": (metrics.fbeta_score, {"beta": 0.5}),
    "jaccard": (metrics.jaccard_score, {}),
}
OF_ALL = {
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_correlation": metrics.matthews_corrcoef,
}
METRICS = (*MACRO, *OF_ALL)


def options_of(metric, **options):
    """As `compare` takes them."""
    return {"average": "macro", **MACRO[metric][1], **options} if metric in MACRO else {}


def truth_of(metric, predictions, references, labels=None, zero_division=0.0, average="macro"):
    """scikit-learn's score, of all labels of all examples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if references and isinstance(references[0], list):
            references, predictions = (
                list(chain.from_iterable(column)) for column in (references, predictions)
            )
        if metric in OF_ALL:
            return OF_ALL[metric](references, predictions)
        score, options = MACRO[metric]
        options = {"average": average, "zero_division": zero_division, **options}
        return score(references, predictions, labels=labels, **options)


def truth_of_sets(metric, predictions, references, classes, zero_division=0.0):
    """scikit-learn's score of indicator matrices with a column for each of these classes."""
    known = sorted({*classes}.union(*references, *predictions))
    binarizer = MultiLabelBinarizer(classes=known).fit([])
    chosen = [known.index(label) for label in classes]
    true, predicted = (
        binarizer.transform(column)[:, chosen] for column in (references, predictions)
    )
    score, options = MACRO[metric]
    options = {"zero_division": zero_division, **options}
    if len(chosen) == 1:  # a column would be taken for two classes
        return score(true.ravel(), predicted.ravel(), **options)
    return score(true, predicted, average="macro", **options)


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
