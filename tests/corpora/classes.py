"""Labels, sequences and sets of labels of several classes."""

from itertools import chain

import numpy as np
from hypothesis import assume

from oracles.label_averages import there

TAGS = ["ADJ", "NOUN", "PROPN", "VERB"]


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


def labels(rng, n):
    """For a contract: also of classes that only predictions have, and of one class."""
    kind = str(rng.choice(["strings", "integers", "sequences"]))
    n_right = int(rng.integers(1, 5))
    columns = corpus(rng, n, kind, n_right, int(rng.integers(n_right, 5)))
    assume(there(columns))
    return columns, {}


def flat(column):
    """The labels of all sequences, or of all examples."""
    return list(chain.from_iterable(column)) if isinstance(column[0], list) else column
