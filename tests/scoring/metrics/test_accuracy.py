"""Shares of labels and of examples that are right or wrong, against scikit-learn."""

from fractions import Fraction

import numpy as np
from hypothesis import assume
from sklearn import metrics

from corpora.classes import TAGS, corpus, flat, labels
from oracles import label_averages as oracle
from scoring.contract import Contract, check_metric


def examples(rng, n):
    """Predicted sequences may be of another length."""
    (one, two, right), options = labels(rng, n)
    if isinstance(right[0], list):
        one, two = (
            [x if rng.random() < 0.8 else [*x, "VERB"][1:] * 2 for x in y] for y in (one, two)
        )
    return (one, two, right), options


def sets(rng, n):
    """Of few labels, so that some are right; sometimes of integers."""
    columns = corpus(rng, n, "sets", int(rng.integers(1, 3)), int(rng.integers(2, 4)))
    if rng.random() < 0.5:
        columns = [[{TAGS.index(x) - 1 for x in row} for row in column] for column in columns]
    return columns, {}


def labels_or_sets(rng, n):
    """Sets may have labels that do not count, and may be chosen labels that do not occur."""
    kind, n_right = str(rng.choice(["strings", "sequences", "sets"])), int(rng.integers(1, 5))
    columns = corpus(rng, n, kind, n_right, int(rng.integers(n_right, 5)), (0.6, 0.3))
    there = oracle.there(columns[::2])  # also if system 1 is compared with itself
    assume(there)
    if kind != "sets":
        return columns, {}
    some = {there[int(rng.integers(len(there)))], *(x for x in (*TAGS, "X") if rng.random() < 0.25)}
    return columns, {"multilabel": True, **({"labels": sorted(some)} if rng.random() < 0.5 else {})}


def one_against_the_rest(rng, n):
    """Any label may be the one; of 0 and 1, or of truth values, it need not be named."""
    zero_division = [{}, {"zero_division": 0.5}, {"zero_division": 1.0}][int(rng.integers(3))]
    kind = str(rng.choice(["strings", "integers", "sequences", "sets", "zeros and ones"]))
    if kind == "zeros and ones":
        bits = rng.integers(0, 2, (3, n))
        return (bits if rng.random() < 0.5 else bits.astype(bool)).tolist(), zero_division
    columns, chosen = corpus(rng, n, kind, 3, 4, (0.6, 0.3)), {}
    there = oracle.there(columns[::2])
    assume(there)
    chosen["pos_label"] = there[int(rng.integers(len(there)))]
    return columns, zero_division | chosen | ({"multilabel": True} if kind == "sets" else {})


def share_of_right(predictions, references):
    return share_of_examples(flat(predictions), flat(references))


def share_of_examples(predictions, references):
    same = [a == b for a, b in zip(predictions, references, strict=True)]
    return Fraction(sum(same), len(same) or 1)


def mean_recall(predictions, references):
    """Of the classes that the references have."""
    pairs, recalls = list(zip(flat(predictions), flat(references), strict=True)), []
    for label in {right for _, right in pairs}:
        found = [found == label for found, right in pairs if right == label]
        recalls.append(Fraction(sum(found), len(found)))
    return sum(recalls) / Fraction(len(recalls) or 1)


def share_of_wrong(predictions, references, there, multilabel=False, labels=None):
    """Of sets those of the labels that count."""
    if not multilabel:
        return 1 - share_of_right(predictions, references) if flat(references) else Fraction(0)
    labels = {*(labels or there)}
    pairs = zip(predictions, references, strict=True)
    n_wrong = sum(len((found ^ right) & labels) for found, right in pairs)
    return Fraction(n_wrong, len(labels) * len(references))


def bits_of(column, pos_label, multilabel=False):
    """Whether each label is the one, or each set has it."""
    return [pos_label in x if multilabel else x == pos_label for x in flat(column)]


def share_of_negatives(predictions, references, pos_label=1, zero_division=0, multilabel=False):
    found, right = (bits_of(x, pos_label, multilabel) for x in (predictions, references))
    n_true = sum(not (a or b) for a, b in zip(found, right, strict=True))
    n = len(right) - sum(right)
    return Fraction(n_true, n) if n else Fraction(zero_division)


def hamming_of_sklearn(predictions, references, there, multilabel=False, labels=None):
    if not multilabel:
        return metrics.hamming_loss(flat(references), flat(predictions))
    columns = (
        [[k in row for k in labels or there] for row in x] for x in (references, predictions)
    )
    matrices = [np.array(matrix, dtype=int) for matrix in columns]
    if matrices[0].shape[1] == 1:  # a column would be taken for two classes
        matrices = [matrix[:, 0] for matrix in matrices]
    return metrics.hamming_loss(*matrices)


def by_confusion_matrix(predictions, references, pos_label=1, zero_division=0, multilabel=False):
    """Right negatives, tn / (tn + fp) of its confusion matrix of the label against the rest."""
    columns = (bits_of(x, pos_label, multilabel) for x in (references, predictions))
    (tn, fp), _ = metrics.confusion_matrix(*columns, labels=[False, True])
    return tn / (tn + fp) if tn + fp else zero_division


def by_sklearn(function, of=flat):
    return lambda predictions, references: function(of(references), of(predictions))


def spelled(column):
    return [repr(sorted(x) if isinstance(x, set) else x) for x in column]


test_contract = check_metric(
    Contract("accuracy", labels, share_of_right, by_sklearn(metrics.accuracy_score), "accuracy"),
    Contract(
        "exact_match",
        examples,
        share_of_examples,
        by_sklearn(metrics.accuracy_score, spelled),
        "exact match",
    ),
    Contract(
        "subset_accuracy",
        sets,
        share_of_examples,
        by_sklearn(metrics.accuracy_score, spelled),
        "subset accuracy",
    ),
    Contract(
        "balanced_accuracy",
        labels,
        mean_recall,
        by_sklearn(metrics.balanced_accuracy_score),
        "balanced accuracy",
    ),
    Contract("hamming_loss", labels_or_sets, share_of_wrong, hamming_of_sklearn, is_of_all=True),
    Contract("specificity", one_against_the_rest, share_of_negatives, by_confusion_matrix),
)
