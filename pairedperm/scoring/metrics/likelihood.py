"""Log-likelihood per token, perplexity and bits per byte of whole texts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, Name, NoLatticeError, Parts, Setting
from pairedperm.inputs.labels import COLUMNS, check_lengths
from pairedperm.inputs.lattice import scaled
from pairedperm.inputs.numbers import read_scores
from pairedperm.scoring.merging import of_floats, rows_of_scores
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Null, Quotient, Score, SumScore, check_sums

_MOST_TOKENS = 2**53  # proof: numbers of tokens below it are exact floats


class LogLikelihood(Metric):
    """Natural log-likelihood of all texts / tokens of all texts.

    Predictions are the log-likelihood of each text, summed over its tokens, negative or 0.
    References are its number of tokens, the same for both systems. If the systems cut texts into
    different tokens, count words, characters or bytes instead. The score is then one per word,
    character or byte.

    Reported as a number; higher is better. p is exact (one sum): 0.05 to 1 s for a million texts,
    depending on their decimals. For numbers of more than 13 digits an interval bounds p, in 3 s.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large, small = [-41.2, -12.5, -70.1], [-44.0, -13.1, -69.9]
    >>> result = compare(large, small, [20, 5, 30], "log_likelihood")
    >>> round(result.score1, 4), round(result.score2, 4), result.pvalue
    (-2.2509, -2.3091, 0.5)
    """

    name = "log_likelihood"
    words = "log-likelihood per token"
    aliases: ClassVar[tuple[str, ...]] = ("loglik", "log_prob", "logprob")
    unit = "number"
    limits = -math.inf, 0.0

    @staticmethod
    def read_column(name: str, column: Any, start: int) -> NDArray[Any]:
        """Read log-likelihoods, none of which is positive, or numbers of tokens."""
        if name == COLUMNS[2]:
            return _read_sizes(column, start)
        values = read_given_scores(name, column, start, "the log-likelihood of each text", "text")
        if values.max() > 0:
            index = int(values.argmax())
            raise InputError(
                Name(name, (start + index,)),
                f" is {values[index]}, and the log-likelihood of a text is never above 0",
                remedy="For losses, negative log-likelihoods, pass the opposite, summed over the "
                "text's tokens",
            )
        return values

    def rows(
        self, predictions1: NDArray[Any], predictions2: NDArray[Any], references: IntArray
    ) -> Rows:
        """Return log-likelihood and tokens of each text."""
        one, two, sizes_of = COLUMNS
        for name, column in ((one, predictions1), (two, predictions2)):
            check_lengths(name, len(column), sizes_of, len(references))
        pair = one, predictions1, two, predictions2
        sizes: NDArray[Any] = references.astype(np.float64)
        table = rows_of_scores(*pair)
        if not table.no_lattice:
            try:
                sizes = scaled(sizes_of, references, table.unit)
            except NoLatticeError as error:
                table = of_floats(*pair, error.fact)
        rows1, rows2 = (np.stack((x, sizes), axis=1) for x in (table.rows1, table.rows2))
        return table.having(rows1=rows1, rows2=rows2)

    def score(self, rows: Rows) -> Score:
        """Return the mean per token."""
        if not rows.rows1[:, 1].any():
            raise InputError(Name("references"), " must count tokens, and all counts are 0")
        return PerToken()


class PerToken(Score):
    """The score Σ numbers / Σ sizes, of rows (number, size), on a lattice or not."""

    sign = 1
    """The sign of the numbers in the mean that is compared under swaps."""

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return a mean; real numbers are a mean under swaps only."""
        if null == "draws" and rows.no_lattice:
            return rows, Quotient(Fraction(0))
        (one, sizes), two = rows.rows1.T, rows.rows2[:, 0]
        numbers = rows.having(rows1=self.sign * one, rows2=self.sign * two, unit=1)
        return Mean(sizes=sizes.astype(np.int64)).simplify(numbers, null)


def read_given_scores(name: str, column: Any, start: int, what: str, of: str) -> NDArray[Any]:
    """Read a column that must have numbers; messages ask for `what`, and call its entries `of`."""
    if column is None:
        raise InputError(Name(name), " is missing", remedy=f"pass {what}")
    scores = read_scores(name, column, start=start, exact=True)
    if not scores.size:
        raise InputError(Name(name), " is empty", remedy=f"at least one {of} is needed")
    return scores


def _read_sizes(column: Any, start: int) -> IntArray:
    """Read numbers of tokens, which may be floats."""
    if column is None:
        raise InputError(
            Name("references"),
            " is missing",
            remedy="pass the number of tokens of each text, or of its words or bytes where the "
            "systems' tokens differ",
        )
    sizes = read_scores("references", column, start=start)
    if sizes.dtype.kind == "f":
        sizes = sizes.astype(np.float64)  # float16 cannot hold 2^53
    is_wrong = (sizes < 0) | (sizes % 1 != 0) | (sizes >= _MOST_TOKENS)
    if is_wrong.any():
        index = int(is_wrong.argmax())
        raise InputError(
            Name("references", (start + index,)),
            f" is {sizes[index]}",
            remedy="it must be the number of tokens of the text, an integer from 0 to 2^53",
        )
    return sizes.astype(np.int64)


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


class BitsPerByte(Perplexity):
    """- natural log-likelihood of all texts / (ln 2 · bytes of all texts).

    Predictions are the log-likelihood of each text, summed over its tokens, negative or 0.
    References are its number of bytes. It is the binary logarithm of the perplexity per byte.

    Reported as a number; lower is better. p is exact (one sum): 0.05 to 1 s for a million texts,
    depending on their decimals. For numbers of more than 13 digits an interval bounds p, in 3 s.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large, small = [-41.2, -12.5, -70.1], [-44.0, -13.1, -69.9]
    >>> result = compare(large, small, [80, 21, 122], "bits_per_byte")
    >>> round(result.score1, 4), round(result.score2, 4), result.pvalue
    (0.8009, 0.8216, 0.5)
    """

    name = "bits_per_byte"
    words = "bits per byte"
    aliases = ("bpb",)
    limits = 0.0, math.inf

    def of_loss(self, loss: float) -> float:
        return loss / math.log(2.0)

    def of_losses(self, losses: FloatArray) -> FloatArray:
        return losses / math.log(2.0)
