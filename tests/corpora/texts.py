"""By metric of texts: columns that are long enough for batches."""

import numpy as np

from extras import needs
from oracles.texts import SQUAD, random_answers, transcripts
from pairedperm import compare


def corpora():
    """By metric: columns that are long enough for batches."""
    rng = np.random.default_rng(9)
    found = {metric: random_answers(rng, 40) for metric in SQUAD}
    words = transcripts(rng, 40)
    return found | {"word_error_rate": {n: [" ".join(x) for x in y] for n, y in words.items()}}


CORPORA = corpora()


def slices(columns, size):
    for start in range(0, len(columns["references"]), size):
        yield {name: column[start : start + size] for name, column in columns.items()}


def expected_of(metric, **options):
    if metric == "word_error_rate":
        needs("rapidfuzz", "wer")
    return compare(**CORPORA[metric], metric=metric, **options)
