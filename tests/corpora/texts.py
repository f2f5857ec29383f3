"""Random texts, and by metric of texts columns that are long enough for batches."""

import numpy as np

from extras import needs
from pairedperm import compare

NAMES = ("predictions1", "predictions2", "references")
SQUAD = ("squad_exact_match", "squad_f1")
WORDS = ["the", "A", "an", "cat,", "Cat", "cat", "sat", "on", "mat!", "the-mat", "1066", "'", ""]


def random_text(rng, longest=6):
    return " ".join(rng.choice(WORDS, int(rng.integers(0, longest))).tolist())


def random_answers(rng, n, n_right=3):
    """Texts of three columns; references have some right answers each."""
    references = [
        [random_text(rng) for _ in range(int(rng.integers(1, n_right + 1)))] for _ in range(n)
    ]
    columns = [
        [x[0] if rng.random() < share else random_text(rng) for x in references]
        for share in (0.5, 0.2)
    ]
    return dict(zip(NAMES, (*columns, references), strict=True))


def transcripts(rng, n):
    words = ["one", "two", "three", "two."]
    return {
        name: [rng.choice(words, int(rng.integers(0, 6))).tolist() for _ in range(n)]
        for name in NAMES
    }


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
