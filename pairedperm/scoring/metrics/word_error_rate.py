"""The word error rate of transcripts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.inputs.columns import unequal
from pairedperm.inputs.labels import read_columns
from pairedperm.inputs.texts import check_same_kind, read_words
from pairedperm.scoring.metric import IgnoresLabel
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.waist import Rows, Score

Words = list[list[Any]]


class WordErrorRate(IgnoresLabel):
    """Words to insert, delete or replace / words of the references; lower is better.

    The examples are token sequences, or texts split at white space. Needs rapidfuzz
    (``pip install "pairedperm[wer]"``).
    """

    name = "word_error_rate"
    aliases = ("wer",)
    lower_is_better = True
    largest_difference = math.inf
    is_of_texts = True

    def read(self, columns: Sequence[Any], start: int = 0) -> Any:
        """The words of each example."""
        return read_columns(read_words, columns, start)

    def rows(self, predictions1: Words, predictions2: Words, references: Words) -> Rows:
        """Errors, and words of the reference."""
        columns = {"predictions1": predictions1, "predictions2": predictions2}
        for name, column in columns.items():
            if len(column) != len(references):
                raise unequal(name, len(column), "references", len(references))
        check_same_kind({**columns, "references": references})
        n_tokens = sum(map(len, references))
        if self.ignore_label is not None:  # in no column a token
            columns = {name: _without(x, self.ignore_label) for name, x in columns.items()}
            references = _without(references, self.ignore_label)
        sizes = [*map(len, references)]
        one, two = (np.array((_errors(x, references), sizes)).T for x in columns.values())
        n_ignored = n_tokens - sum(sizes)
        return Rows(one, two, n_ignored=n_ignored).counted()

    def score(self, rows: Rows) -> Score:
        """Errors / words."""
        if not rows.rows1[:, 1].any():
            raise InputError("`references` holds no word: a rate needs one.")
        return Ratio((1, 0), (0, 1))


def _without(rows: Words, label: int) -> Words:
    is_there = any(label in row for row in rows)
    return [[x for x in row if x != label] for row in rows] if is_there else rows


def _errors(predictions: Words, references: Words) -> list[int]:
    """The Levenshtein distance of each prediction from its reference, in words."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError as error:
        raise ImportError(
            "metric 'word_error_rate' needs rapidfuzz: pip install 'pairedperm[wer]'"
        ) from error
    pairs = zip(predictions, references, strict=True)
    return [Levenshtein.distance(given, right) for given, right in pairs]
