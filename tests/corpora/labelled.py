"""A corpus of labels, and one of sequences of them, for datasets."""

from typing import Any

import numpy as np

from corpora.small import COLUMNS
from pairedperm import compare

NAMES = ["neg", "neu", "pos"]


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
