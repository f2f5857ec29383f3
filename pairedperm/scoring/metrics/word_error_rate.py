"""The word error rate of transcripts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pairedperm.errors import InputError, extra
from pairedperm.errors.wording import Name
from pairedperm.inputs.columns import check_lengths
from pairedperm.inputs.labels import read_columns
from pairedperm.inputs.texts import check_same_kind, read_words
from pairedperm.scoring.metric import IgnoresLabel
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

TokenLists = list[list[Any]]
Tokens = Sequence[Sequence[Any]]  # of each example: words, or the characters of a text


class WordErrorRate(IgnoresLabel):
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
    lower_is_better = True
    limits = 0.0, math.inf

    def read(self, columns: Sequence[Any], start: int = 0) -> Any:
        """Read the words of each example."""
        return read_columns(read_words, columns, start)

    def rows(
        self, predictions1: TokenLists, predictions2: TokenLists, references: TokenLists
    ) -> Rows:
        """Return errors, and words of the reference."""
        columns = {"predictions1": predictions1, "predictions2": predictions2}
        check_same_kind({**columns, "references": references})
        n_tokens = sum(map(len, references))
        if self.ignore_label is not None:  # it is no token, in any column
            columns = {name: _without(x, self.ignore_label) for name, x in columns.items()}
            references = _without(references, self.ignore_label)
        rows = error_counts(self.name, columns, references)
        n_ignored = n_tokens - sum(map(len, references))
        return rows.noting(n_ignored=n_ignored)

    def score(self, rows: Rows) -> Score:
        """Return errors / words."""
        return rate(rows, "word")


def _without(rows: TokenLists, label: int) -> TokenLists:
    is_there = any(label in row for row in rows)
    return [[x for x in row if x != label] for row in rows] if is_there else rows


def rate(rows: Rows, token: str) -> Ratio:
    """Return errors / tokens; raise InputError if the references have no token of this kind."""
    if not rows.rows1[:, 1].any():
        raise InputError(Name("references"), f" holds no {token}", remedy="a rate needs one")
    return Ratio((1, 0), (0, 1))


def error_counts(metric: str, columns: Mapping[str, Tokens], references: Tokens) -> Rows:
    """Return errors (Levenshtein distance) and tokens of the reference, for both systems.

    Raises
    ------
    InputError
        If there are not as many predictions as references.
    ImportError
        If rapidfuzz is not installed.
    """
    with extra("wer", f"metric {metric!r}"):
        from rapidfuzz.distance import Levenshtein
    sizes, tables = [*map(len, references)], []
    for name, column in columns.items():
        check_lengths(name, len(column), "references", len(references))
        errors = [*map(Levenshtein.distance, column, references)]
        tables.append(np.array((errors, sizes), dtype=np.int64).T)
    return Rows(tables[0], tables[1])
