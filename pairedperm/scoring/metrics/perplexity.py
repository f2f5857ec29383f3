"""The perplexity of texts, from models' log-likelihoods of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Parts, Setting
from pairedperm.scoring.metrics.log_likelihood import LogLikelihood, PerToken
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Null, Score, SumScore, check_sums


class Perplexity(LogLikelihood):
    """exp(- natural log-likelihood of all texts / tokens of all texts).

    Predictions are the log-likelihood of each text, summed over its tokens, negative or 0.
    References are its number of tokens, the same for both systems. If the systems cut texts into
    different tokens, count words or bytes instead. The perplexity is then one per word or byte.

    p and the null distribution compare mean log-likelihoods, of which perplexities are the
    exponentials. The bootstrap's p-value and the interval of the difference compare perplexities.

    Reported as a number; lower is better. p is exact (one sum): 0.05 to 1 s for a million texts,
    depending on their decimals. For numbers of more than 13 digits an interval bounds p, in 3 s.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large, small = [-41.2, -12.5, -70.1], [-44.0, -13.1, -69.9]
    >>> result = compare(large, small, [20, 5, 30], "perplexity")
    >>> round(result.score1, 4), round(result.score2, 4), result.pvalue
    (9.4964, 10.0653, 0.5)
    """

    name = "perplexity"
    words = "perplexity"
    aliases = ("ppl",)
    lower_is_better = True
    limits = 1.0, math.inf

    def score(self, rows: Rows) -> Score:
        """Return the score of the mean loss per token."""
        super().score(rows)
        return _PerplexityOfMean(self)

    def of_loss(self, loss: float) -> float:
        """Return the score of a negative log-likelihood per token."""
        return math.exp(loss)

    def of_losses(self, losses: FloatArray) -> FloatArray:
        """Return the scores of many; those beyond floats are infinite."""
        with np.errstate(over="ignore"):
            return np.exp(losses)


@dataclass(frozen=True, eq=False)
class _PerplexityOfMean(PerToken):
    """A metric's score of the mean loss."""

    metric: Perplexity
    sign = -1

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return the mean, with the metric's scores; under draws, a function of two sums."""
        if null == "draws":
            return rows, _PerplexityOfSums(self.metric)
        numbers, mean = super().simplify(rows, null)
        assert isinstance(mean, Mean)
        assert mean.total is not None
        one, two = (self._of(x, mean.total, rows) for x in (numbers.rows1, numbers.rows2))
        return numbers, replace(mean, scores=(one, two), is_of_mean=True)

    def _of(self, losses: NDArray[Any], total: float, rows: Rows) -> Fraction:
        """Return the score of negative log-likelihoods and the number of tokens in one unit."""
        if rows.no_lattice:
            check_sums(losses, losses.size)
        whole = math.fsum(losses.tolist()) if rows.no_lattice else rows.sum_of(losses)
        try:
            return Fraction(self.metric.of_loss(whole / total))
        except OverflowError:
            raise _beyond_floats(-whole, total) from None


def _beyond_floats(log_likelihood: float, n_tokens: float) -> InputError:
    return InputError(
        f"a log-likelihood of {log_likelihood / n_tokens:.3g} per token is a perplexity beyond "
        "floats",
        remedy=Parts("compare log-likelihoods, ", Setting("metric", "'log_likelihood'")),
    )


@dataclass(frozen=True, eq=False)
class _PerplexityOfSums(SumScore):
    """A metric's score of summed log-likelihoods and tokens; without a token the loss is 0."""

    metric: Perplexity

    def __call__(self, sums: FloatArray) -> FloatArray:
        scores = self.near(sums)
        if np.isinf(scores).any():
            raise _beyond_floats(*sums[int(scores.argmax())].tolist())
        return scores

    def near(self, sums: FloatArray) -> FloatArray:
        """Return the scores; those beyond floats are infinite."""
        is_none = sums[:, 1] == 0.0
        losses = -sums[:, 0] / np.where(is_none, 1.0, sums[:, 1])
        return self.metric.of_losses(np.where(is_none, 0.0, losses))
