"""Columns of labels, and scikit-learn's scores of them that average over classes."""

import warnings
from itertools import chain
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.preprocessing import MultiLabelBinarizer

TAGS = ["ADJ", "NOUN", "PROPN", "VERB"]
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


def corpus(rng, n, kind="strings", n_right=3, n_predicted=4, accuracies=(0.7, 0.5)):
    """Two predictions and references; some classes are predicted only."""
    classes = list(range(-1, 3)) if kind == "integers" else TAGS

    def label(n_classes):
        return classes[int(rng.integers(n_classes))]

    if kind == "sets":
        rows = rng.random((3, n, n_predicted)) < 0.4
        rows[2, :, n_right:] = False
        return tuple([{TAGS[k] for k in np.flatnonzero(row)} for row in part] for part in rows)
    lengths = rng.integers(0, 4, n) if kind == "sequences" else np.ones(n, dtype=int)
    references = [[label(n_right) for _ in range(length)] for length in lengths]
    columns = [
        [[r if rng.random() < share else label(n_predicted) for r in row] for row in references]
        for share in accuracies
    ]
    columns.append(references)
    if kind != "sequences":
        columns = [[row[0] for row in column] for column in columns]
    return tuple(columns)


def options_of(metric, **options):
    """As `compare` takes them."""
    return {"average": "macro", **MACRO[metric][1], **options} if metric in MACRO else {}


def truth_of(metric, predictions, references, labels=None, zero_division=0.0):
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
        options = {"average": "macro", "zero_division": zero_division, **options}
        return score(references, predictions, labels=labels, **options)


def truth_of_sets(metric, predictions, references, classes, zero_division=0.0):
    """scikit-learn's score of indicator matrices with a column for each of these classes."""
    binarizer = MultiLabelBinarizer(classes=TAGS).fit([])
    chosen = [TAGS.index(label) for label in classes]
    true, predicted = (
        binarizer.transform(column)[:, chosen] for column in (references, predictions)
    )
    score, options = MACRO[metric]
    options = {"zero_division": zero_division, **options}
    if len(chosen) == 1:  # a column would be taken for two classes
        return score(true.ravel(), predicted.ravel(), **options)
    return score(true, predicted, average="macro", **options)
