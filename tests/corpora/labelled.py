"""A corpus of labels, one of sequences of them and one of tags, for datasets and modules."""

from typing import Any

import numpy as np

from corpora.small import COLUMNS
from pairedperm import compare

NAMES = ["neg", "neu", "pos"]
TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]


def corpus(n, rng=None):
    """Three columns of ids from 0 to 2; system 1 is a little better."""
    rng = rng or np.random.default_rng(1)
    references = rng.integers(0, 3, n)
    columns = {"references": references}
    for name, accuracy in (("predictions1", 0.8), ("predictions2", 0.75)):
        columns[name] = np.where(rng.random(n) < accuracy, references, rng.integers(0, 3, n))
    return {name: columns[name].tolist() for name in COLUMNS}


def named(column):
    return [NAMES[label] if isinstance(label, int) else named(label) for label in column]


IDS = corpus(500)
EXPECTED = compare(**IDS)
SENTENCES: dict[str, Any] = {
    name: [
        column[i : i + length]
        for i, length in zip(range(0, 480, 8), [3, 8, 0, 1] * 15, strict=True)
    ]
    for name, column in IDS.items()
}
EXPECTED_OF_SENTENCES = compare(**SENTENCES)


def tagged(n=60):
    """Sentences of entity tags, as numbers of `TAGS`."""
    rng = np.random.default_rng(4)
    references = [
        rng.choice(5, k, p=[0.6, 0.15, 0.1, 0.1, 0.05]).tolist() for k in rng.integers(1, 9, n)
    ]
    columns = {}
    for name, quality in (("predictions1", 0.9), ("predictions2", 0.8)):
        columns[name] = [
            [tag if rng.random() < quality else int(rng.integers(5)) for tag in row]
            for row in references
        ]
    return columns | {"references": references}


def spelled(columns):
    return {name: [[TAGS[tag] for tag in row] for row in rows] for name, rows in columns.items()}
