"""Word and character error rates, against jiwer's and a distance by dynamic programming."""

from fractions import Fraction

import jiwer
from hypothesis import assume

from corpora.texts import random_text, transcripts
from extras import needs
from oracles.texts import distance
from scoring.contract import Contract, check_metric

NUMBERS = {"one": 0, "two": 1, "three": 2, "two.": -100}


def words(rng, n):
    """As texts, tokens or numbers, of which -100 or another may stand for no token."""
    needs("rapidfuzz", "wer")
    columns = transcripts(rng, n).values()
    options = {}
    if rng.random() < 0.5:
        columns = [[[NUMBERS[x] for x in row] for row in column] for column in columns]
        options = [{}, {"ignore_label": None}, {"ignore_label": 1}][rng.integers(3)]
    else:
        space = str(rng.choice([" ", " \t", "\n"]))
        is_text = rng.random(3) < 0.7
        columns = [
            [space.join(row) for row in column] if as_text else column
            for column, as_text in zip(columns, is_text, strict=True)
        ]
    assume(any(tokens(row, **options) for row in columns[2]))
    return tuple(columns), options


def characters(rng, n):
    """Some with white space around them."""
    needs("rapidfuzz", "wer")
    columns = [[random_text(rng, 4) for _ in range(n)] for _ in range(3)]
    columns = [[f" {x}\n" if rng.random() < 0.2 else x for x in column] for column in columns]
    assume(any(text.strip() for text in columns[2]))
    return tuple(columns), {}


def tokens(row, ignore_label=-100):
    row = row.split() if isinstance(row, str) else row
    return [x for x in row if ignore_label is None or x != ignore_label]


def rate(read):
    """Errors in each token of the references."""

    def score(predictions, references, **options):
        one, right = ([read(x, **options) for x in y] for y in (predictions, references))
        n = sum(map(len, right))
        return Fraction(sum(map(distance, one, right)), n) if n else Fraction(0)

    return score


def by_jiwer(predictions, references, **options):
    one, right = (
        [" ".join(map(str, tokens(row, **options))) for row in column]
        for column in (predictions, references)
    )
    return jiwer.wer(right, one)


test_contract = check_metric(
    Contract("word_error_rate", words, rate(tokens), library=by_jiwer, words="word error rate"),
    Contract(
        "character_error_rate",
        characters,
        rate(str.strip),
        library=lambda predictions, references: jiwer.cer(references, predictions),
        words="character error rate",
    ),
)
