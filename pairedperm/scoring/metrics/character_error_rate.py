"""The character error rate of transcripts."""

from __future__ import annotations

from pairedperm.inputs.texts import read_texts
from pairedperm.scoring.metrics.word_error_rate import ErrorRate


class CharacterErrorRate(ErrorRate):
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
    token = "character"
    read_column = staticmethod(read_texts)
