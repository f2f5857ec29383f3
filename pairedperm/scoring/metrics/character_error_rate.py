"""The character error rate of transcripts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pairedperm.inputs.labels import read_columns
from pairedperm.inputs.texts import read_texts
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metrics.word_error_rate import error_counts, rate
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score


class CharacterErrorRate(Metric):
    """Characters to insert, delete or replace / characters of the references, as in jiwer.

    Examples are texts, compared as they are except for white space around them. Needs rapidfuzz
    (extra ``wer``).

    Reported as a share; lower is better. p is exact (one sum): 2 ms for a million sentences.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = ["the cat", "sat", "on the mat"]
    >>> result = compare(right, ["a cat", "sit", "on the mat "], right, "character_error_rate")
    >>> result.score1, result.score2
    (0.0, 0.2)
    """

    name = "character_error_rate"
    aliases = ("cer",)
    lower_is_better = True
    limits = 0.0, math.inf

    def read(self, columns: Sequence[Any], start: int = 0) -> Any:
        """Read the texts."""
        return read_columns(read_texts, columns, start)

    def rows(self, predictions1: list[str], predictions2: list[str], references: list[str]) -> Rows:
        """Return errors, and characters of the reference."""
        columns = {"predictions1": predictions1, "predictions2": predictions2}
        return error_counts(self.name, columns, references)

    def score(self, rows: Rows) -> Score:
        """Return errors / characters."""
        return rate(rows, "character")
