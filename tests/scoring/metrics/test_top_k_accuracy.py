"""Top-k accuracy, against its definition and scikit-learn's."""

from fractions import Fraction

import numpy as np
from sklearn.metrics import top_k_accuracy_score

from scoring.contract import Contract, check_metric

METRIC = "top_k_accuracy"
NAMES = ["cat", "dog", "cow", "fly", "elk", "emu"]
NUMBERS = [-2, -1, 2, 3, 4, 5]  # 0 and 1 could look one-hot


def ranked(rng, n):
    """Lists of k or more of some labels, rarely twice the same, and right ones."""
    classes = NAMES if rng.random() < 0.5 else NUMBERS
    n_classes = int(rng.integers(3, 7))
    k, is_given = int(rng.integers(1, n_classes + 1)), rng.random() < 0.8
    k = k if is_given else 2  # the default
    right = rng.integers(0, n_classes, n)
    columns = []
    for bonus in (0.3, 0.1):
        scores = rng.random((n, n_classes))
        scores[np.arange(n), right] += bonus
        ranks = np.argsort(-scores, axis=1).tolist()
        sizes = rng.integers(k, n_classes + 1, n)
        if rng.random() < 0.3:
            ranks[0][1:] = ranks[0][:-1]
        columns.append([[classes[x] for x in row[:m]] for row, m in zip(ranks, sizes, strict=True)])
    return (*columns, [classes[x] for x in right]), {"k": k} if is_given else {}


def hits(predictions, references, k=2):
    found = [x in row[:k] for row, x in zip(predictions, references, strict=True)]
    return Fraction(sum(found), len(found))


def by_scikit_learn(predictions, references, k=2):
    """Of scores in the order of the labels; it knows no label twice."""
    if any(len({*row}) < len(row) for row in predictions):
        return None
    classes = sorted(NAMES) if isinstance(references[0], str) else NUMBERS
    scores = [[-row.index(x) if x in row else -9 for x in classes] for row in predictions]
    return top_k_accuracy_score(references, scores, k=k, labels=classes)


test_contract = check_metric(
    Contract(METRIC, ranked, hits, library=by_scikit_learn, share=0.4),
)
