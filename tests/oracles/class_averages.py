"""The true scores that average over classes: scikit-learn's, of labels, sequences and sets."""

import warnings
from itertools import chain
from typing import Any

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


def of_matrices(metric, average, predictions, references, classes, known, **options):
    """scikit-learn's score of indicator matrices, of which these classes count."""
    binarizer = MultiLabelBinarizer(classes=known).fit([])
    columns = [binarizer.transform(column) for column in (references, predictions)]
    if classes != known:
        options["labels"] = [known.index(label) for label in classes]
    score, of_metric = MACRO[metric]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return score(*columns, average=average, **of_metric, **options)
