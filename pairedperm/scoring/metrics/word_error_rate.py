"""The word error rate of transcripts, and what error rates of other tokens share with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from pairedperm.errors import InputError, extra
from pairedperm.errors.wording import Name
from pairedperm.inputs.labels import COLUMNS, check_lengths
from pairedperm.inputs.texts import check_same_kind, read_words
from pairedperm.scoring.metric import IgnoresLabel, Metric
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

Tokens = Sequence[Sequence[Any]]  # of each example: words, or the characters of a text


class ErrorRate(Metric):
    """Tokens to insert, delete or replace / tokens of the references.

    Attributes
    ----------
    token : str
        The name of a token, for messages.
    """

    lower_is_better = True
    limits = 0.0, math.inf
    token: ClassVar[str]

    def rows(self, predictions1: Tokens, predictions2: Tokens, references: Tokens) -> Rows:
        """Return errors (Levenshtein distance), and tokens of the reference."""
        with extra("wer", f"metric {self.name!r}"):
            from rapidfuzz.distance import Levenshtein
        sizes, tables = [*map(len, references)], []
        for name, column in zip(COLUMNS, (predictions1, predictions2), strict=False):
            check_lengths(name, len(column), COLUMNS[2], len(references))
            errors = [*map(Levenshtein.distance, column, references)]
            tables.append(np.array((errors, sizes), dtype=np.int64).T)
        return Rows(tables[0], tables[1])

    def score(self, rows: Rows) -> Score:
        """Return errors / tokens."""
        if not rows.rows1[:, 1].any():
            what = f" holds no {self.token}"
            raise InputError(Name("references"), what, remedy="a rate needs one")
        return Ratio((1, 0), (0, 1))


class WordErrorRate(ErrorRate, IgnoresLabel):
    """Words to insert, delete or replace / words of the references, as in jiwer.

    Examples are token sequences, or texts that are split at white space. Needs rapidfuzz (``pip
    install ".[wer]"``).

    Reported as a share; lower is better. p is exact (one sum): 2 ms for a million sentences.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no token, in sequences of any column; None if no integer
        does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large = ["the cat sat", "on the mat"], ["the cat sat", "on a mat"]
    >>> result = compare(large, ["a cat sits", "on mat"], right, "word_error_rate")
    >>> result.score1, result.score2, result.pvalue
    (0.16666666666666666, 0.5, 1.0)
    """

    name = "word_error_rate"
    aliases = ("wer",)
    token = "word"
    read_column = staticmethod(read_words)

    def rows(self, predictions1: Tokens, predictions2: Tokens, references: Tokens) -> Rows:
        """Return errors, and words of the reference; what stands for no token is in no column."""
        columns: Any = predictions1, predictions2, references
        check_same_kind(dict(zip(COLUMNS, columns, strict=True)))
        one, two, right = (_without(x, self.ignore_label) for x in columns)
        n_ignored = sum(map(len, references)) - sum(map(len, right))
        return super().rows(one, two, right).noting(n_ignored=n_ignored)


def _without(rows: Tokens, label: int | None) -> Tokens:
    is_there = label is not None and any(label in row for row in rows)
    return [[x for x in row if x != label] for row in rows] if is_there else rows
