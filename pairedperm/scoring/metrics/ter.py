"""The translation edit rate, as in sacrebleu."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.scoring.metrics.translation import OfTranslations
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Null, Score, SumScore


@dataclass(frozen=True, kw_only=True, repr=False)
class TER(OfTranslations):
    """Edits / words of the references, as in sacrebleu; a shift of words is one edit.

    Edits and words are summed over all sentences of the corpus. References are a text for each
    sentence, or a list of texts, equally many for each. The edits are those to the nearest text;
    the number of words is the mean over the texts. Needs sacrebleu (extra ``mt``).

    Reported as a percentage; lower is better. p is exact (one sum): 0.4 ms for 2,500 sentences,
    plus 1 s to count them.

    Parameters
    ----------
    normalized : bool
        Whether to split off punctuation and to read XML entities.
    no_punct : bool
        Whether to leave out punctuation.
    asian_support : bool
        Whether `normalized` and `no_punct` apply to Chinese and Japanese texts too.
    case_sensitive : bool
        Whether case matters.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [["The cat sat on the mat.", "A cat sat on a mat."], ["It is warm.", "It's hot."]]
    >>> one, two = ["A cat sat on the mat.", "It is warm."], ["The cat is on a rug.", "It is hot."]
    >>> result = compare(one, two, right, "ter")
    >>> round(result.score1, 4), round(result.score2, 4), result.pvalue, result.method
    (11.7647, 47.0588, 0.5, 'exact')
    """

    name = "ter"
    words = "TER"
    aliases = ("translation_edit_rate", "translation_error_rate")
    lower_is_better = True
    limits = 0.0, math.inf
    counter = "TER"
    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    def integers(self, numbers: list[Any], n_references: int) -> list[int]:
        """Return the edits and the words of all references, whose mean sacrebleu gives."""
        n_edits, mean = numbers
        return [n_edits, round(mean * n_references)]

    def score_with(self, n_references: int) -> Score:
        return _TEROfSums(n_references)


@dataclass(frozen=True, eq=False)
class _TEROfSums(SumScore):
    """TER of summed rows (edits, words of all references): 100 edits / (words / references).

    Without any word it is 100 if there are edits, and otherwise 0.
    """

    n_references: int
    is_exact = True

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return a mean if words cannot add up to 0: both systems have the same references."""
        words = rows.rows1[:, 1]
        if not (words.any() if null == "swaps" else words.all()):
            return rows, self
        one, two = (100 * self.n_references * x[:, 0] for x in rows.tables)
        return Mean(sizes=words).simplify(Rows(one, two, rows.multiplicities), null)

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the rates by the formula of sacrebleu's `_compute_score_from_stats`."""
        edits, words = 100.0 * sums[:, 0], sums[:, 1] / self.n_references
        is_none = words == 0.0
        rates = edits / np.where(is_none, 1.0, words)
        return np.where(is_none, np.where(edits > 0.0, 100.0, 0.0), rates)

    def exact(self, sums: list[int]) -> Fraction:
        edits, words, _ = sums
        if words:
            return Fraction(100 * self.n_references * edits, words)
        return Fraction(100 if edits else 0)
