"""Character error rate, against jiwer's and a distance by dynamic programming: its contract."""

from fractions import Fraction

import jiwer
from hypothesis import assume

from corpora.texts import random_text
from extras import needs
from oracles.texts import distance
from scoring.contract import Contract, check_metric

METRIC = "character_error_rate"


def texts(rng, n):
    """Some with white space around them."""
    needs("rapidfuzz", "wer")
    columns = [[random_text(rng, 4) for _ in range(n)] for _ in range(3)]
    columns = [[f" {x}\n" if rng.random() < 0.2 else x for x in column] for column in columns]
    assume(any(text.strip() for text in columns[2]))
    return tuple(columns), {}


def errors_per_character(predictions, references):
    pairs = zip(predictions, references, strict=True)
    errors = sum(distance(a.strip(), b.strip()) for a, b in pairs)
    n_characters = sum(len(text.strip()) for text in references)
    return Fraction(errors, n_characters) if n_characters else Fraction(0)


test_contract = check_metric(
    Contract(
        METRIC,
        texts,
        errors_per_character,
        library=lambda predictions, references: jiwer.cer(references, predictions),
        words="character error rate",
    )
)
