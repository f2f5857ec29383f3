"""Given numbers: mean scores, pass@k and pass^k of runs, ranks of the right label, likelihoods.

Of log-likelihoods of whole texts: their sum per token, perplexity and bits per byte.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Set
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import comb
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, NoLatticeError, describe, in_brackets, shown
from pairedperm.inputs.columns import first_float, is_sequence, materialise, place
from pairedperm.inputs.labels import (
    COLUMNS,
    Labels,
    check_alike,
    check_lengths,
    one_hot,
    read_labels,
)
from pairedperm.inputs.lattice import scaled
from pairedperm.inputs.numbers import read_scores
from pairedperm.options import Constraint, Text, Whole, is_number
from pairedperm.scoring.classes import coded
from pairedperm.scoring.merging import check_range, check_runs, near_ends, of_floats, rows_of_scores
from pairedperm.scoring.metric import IGNORE_LABEL, Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import (
    Mean,
    MeanOfRatios,
    Null,
    Quotient,
    Score,
    SumScore,
    check_sums,
)
from pairedperm.scoring.vocabulary import LabelsToCheck

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
                f"`{name}`[{start + index}] is {values[index]}, and the log-likelihood of a text "
                "is never above 0",
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
            raise InputError("references", "must count tokens, and all counts are 0")
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
        raise InputError(f"`{name}` is missing", remedy=f"pass {what}")
    scores = read_scores(name, column, start=start, exact=True)
    if not scores.size:
        raise InputError(f"`{name}` is empty", remedy=f"at least one {of} is needed")
    return scores


def _read_sizes(column: Any, start: int) -> IntArray:
    """Read numbers of tokens, which may be floats."""
    if column is None:
        raise InputError(
            "references",
            "is missing",
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
            "references",
            f"[{start + index}] is {sizes[index]}",
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
        remedy="compare log-likelihoods, metric='log_likelihood'",
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


class _Range(Constraint):
    """A pair of finite numbers, the smaller first."""

    own_words = "a pair of numbers, the smaller first, such as (0, 1)"

    def kept(self, value: Any) -> Any:
        """Return a plain tuple of floats."""
        value = value.tolist() if isinstance(value, np.ndarray) else value
        if isinstance(value, (tuple, list)) and len(value) == 2 and all(map(is_number, value)):
            with suppress(OverflowError):  # of an integer
                low, high = map(float, value)
                if low < high and math.isfinite(high - low):
                    return low, high
        return self.refused


@dataclass(frozen=True, kw_only=True, repr=False)
class MeanScore(Metric):
    """The mean of one score for each example, which a judge or another program gave.

    Predictions are the scores, and references None. Decimals and fractions are exact.

    Reported as a number; higher is better. p is exact (one sum): 3 ms for a million integers, 30 ms
    for 10,000 scores of six decimals. For numbers of more than 13 digits an interval bounds p.

    Parameters
    ----------
    of : str or None
        The name of the scores, for reports: "acc" is reported as "mean acc".
    lower_is_better : bool
        Whether the scores count errors, or are losses.
    score_range : (float, float) or None
        The least and the greatest score that there may be, if you know them beforehand. The
        guaranteed interval needs them. If all scores are one of these two, as right and wrong are,
        the exact interval is used. None: also if all scores are 0 or 1.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large, small = [0.61, 0.48, 0.95, 0.72], [0.55, 0.50, 0.91, 0.64]
    >>> result = compare(large, small, None, "mean_score", of="chrF")
    >>> round(result.score1, 2), round(result.score2, 2), result.pvalue
    (0.69, 0.65, 0.25)
    """

    name = "mean_score"
    words = "mean score"
    aliases: ClassVar[tuple[str, ...]] = ("mean", "mean_scores", "scores", "score")
    unit = "number"
    has_references = False
    limits = -math.inf, math.inf
    of: Annotated[str | None, Text(words="the name of the scores, as text")] = None
    lower_is_better: bool = False
    score_range: Annotated[tuple[float, float] | None, _Range()] = None

    def following(self) -> dict[str, Any]:
        of = None if self.of is None else " ".join(self.of.split())
        return {"of": of, "limits": self.score_range or self.limits}

    @property
    def in_words(self) -> str:
        return self.words if self.of is None else f"mean {self.of}"

    @staticmethod
    def read_column(name: str, column: Any, start: int) -> NDArray[Any] | None:
        """Read scores; there must be no references."""
        if name != COLUMNS[2]:
            return read_given_scores(name, column, start, "a score for each example", "example")
        if column is not None:
            none = "None"
            raise InputError(
                "references",
                must=f"be {none} for metric 'mean_score', whose predictions are scores",
                remedy="they say already how good each example is",
            )
        return None

    def rows(
        self, predictions1: NDArray[Any], predictions2: NDArray[Any], references: None
    ) -> Rows:
        """Return the scores."""
        one, two = COLUMNS[:2]
        check_lengths(one, len(predictions1), two, len(predictions2))
        rows = rows_of_scores(one, predictions1, two, predictions2).owned()
        if self.score_range is not None:
            check_range(one, rows.rows1, self.score_range, rows.unit)
            check_range(two, rows.rows2, self.score_range, rows.unit)
            if rows.no_lattice:  # 0.1 + 0.2 is 0.3
                scores1, scores2 = (np.clip(x, *self.score_range) for x in (rows.rows1, rows.rows2))
                rows = rows.having(rows1=scores1, rows2=scores2)
        return rows

    def is_right_or_wrong(self, rows: Rows) -> bool:
        """Tell whether all scores are the least or the greatest that there may be."""
        if self.score_range is None:
            return False
        (low, high), near = self.score_range, near_ends(self.score_range)
        columns = (x / rows.unit for x in (rows.rows1, rows.rows2))
        return all((np.minimum(abs(x - low), abs(x - high)) <= near).all() for x in columns)


_AS_LISTS = "Give the runs of each item as a list of 0 and 1, such as [0, 1, 1]"


@dataclass(frozen=True, kw_only=True, repr=False)
class RunScore(Metric):
    """A mean over items, each of which was run several times.

    Parameters
    ----------
    k : int
        The number of runs that the score is about, at most the number of runs of each item.
    """

    has_references = False
    always_told = ("k",)
    sign: ClassVar[str]
    k: Annotated[int, Whole()] = 1

    @property
    def in_words(self) -> str:
        return f"pass{self.sign}{self.k}"

    @staticmethod
    def read_column(name: str, column: Any, start: int) -> Labels | None:
        """Read the runs of each item; there must be no references."""
        if name == COLUMNS[2]:
            if column is None:
                return None
            none = "None"
            raise InputError(
                "references",
                must=f"be {none} for metrics of runs, whose predictions say what passed",
                remedy=_AS_LISTS,
            )
        try:
            return read_labels(name, column, start)
        except InputError as error:
            if column is None:
                raise
            what = str(error).removesuffix(error.remedy)
            raise InputError(what.rstrip(" .:"), remedy=_AS_LISTS) from error

    def rows(self, predictions1: Labels, predictions2: Labels, references: None) -> Rows:
        """Return how many runs passed, and how many there are, for each item."""
        check_lengths(COLUMNS[0], predictions1.n, COLUMNS[1], predictions2.n)
        one, two = map(self._counted, (predictions1, predictions2))
        check_runs(one[:, 1], two[:, 1], predictions1.start)
        return Rows(one, two)

    def score(self, rows: Rows) -> Score:
        """Return the mean of the items' shares."""
        return MeanOfRatios(partial(type(self).share, k=self.k))

    def is_right_or_wrong(self, rows: Rows) -> bool:
        """Tell whether each item has one run."""
        return bool((rows.rows1[:, 1] == 1).all())

    @staticmethod
    @abstractmethod
    def share(n_passed: int, n: int, k: int) -> Fraction:
        """Return the unbiased estimate for one item."""

    def _counted(self, runs: Labels) -> IntArray:
        """Return how many runs of each item passed, and how many there are, shape (n, 2)."""
        counts = _of_runs(runs)
        if counts[:, 1].min() < self.k:
            index = int((counts[:, 1] < self.k).argmax())
            raise InputError(
                "k",
                f"is {shown(self.k)}, and item {runs.start + index} of `{runs.name}` has "
                f"{counts[index, 1]} runs",
                remedy="run each at least k times, or choose a smaller k",
            )
        return counts


class PassAtK(RunScore):
    """The mean over items of 1 - C(n - c, k) / C(n, k), the chance that any of k runs passes.

    c of the n runs of an item passed. The estimate is unbiased (Chen et al. 2021, equation 1).
    Predictions are the runs of each item, 0 or 1, and references None. An item is swapped with all
    its runs. Both systems must have the same number of runs of it.

    Reported as a share; higher is better. p is exact (one sum on a common denominator) or bounded
    by an interval: 60 ms for a million items.

    Parameters
    ----------
    k : int
        The number of runs of which one must pass, at most the number of runs of each item.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large = [[1, 1, 1, 0], [1, 0, 1, 1], [0, 1, 0, 0]]
    >>> small = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
    >>> result = compare(large, small, None, "pass_at_k", k=2)
    >>> result.score1, result.score2, result.pvalue
    (0.8333333333333334, 0.3333333333333333, 0.25)
    """

    name = "pass_at_k"
    aliases = ("pass@k", "pass@1")
    sign = "@"

    @staticmethod
    def share(n_passed: int, n: int, k: int) -> Fraction:
        return 1 - Fraction(comb(n - n_passed, k), comb(n, k))


def _of_runs(runs: Labels) -> IntArray:
    """Count runs that passed and all runs, from runs that are 0 or 1, or bools."""
    if runs.lengths is None or runs.kind == "strings":
        raise InputError(
            runs.name, must="hold the runs of each item", got=describe(runs.first), remedy=_AS_LISTS
        )
    lengths, passed = np.asarray(runs.lengths), np.asarray(runs.flat)
    is_wrong = (passed != 0) & (passed != 1)
    if is_wrong.any():
        index = int(is_wrong.argmax())
        raise InputError(
            f"`{runs.name}`{in_brackets(place(index, lengths, runs.start))} is {passed[index]}",
            remedy="a run has passed, 1, or not, 0",
        )
    return np.array((runs.sums(passed), lengths)).T


class PassHatK(RunScore):
    """The mean over items of C(c, k) / C(n, k), the chance that all of k runs pass.

    c of the n runs of an item passed. The estimate is unbiased (Yao et al. 2024). Predictions are
    the runs of each item, 0 or 1, and references None. An item is swapped with all its runs.

    Reported as a share; higher is better. p is exact (one sum on a common denominator) or bounded
    by an interval: 60 ms for a million items.

    Parameters
    ----------
    k : int
        The number of runs that must all pass, at most the number of runs of each item.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large = [[1, 1, 1, 0], [1, 0, 1, 1], [0, 1, 0, 0]]
    >>> small = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
    >>> result = compare(large, small, None, "pass_hat_k", k=2)
    >>> result.score1, result.score2, result.pvalue
    (0.3333333333333333, 0.0, 0.5)
    """

    name = "pass_hat_k"
    aliases = ("pass^k",)
    sign = "^"

    @staticmethod
    def share(n_passed: int, n: int, k: int) -> Fraction:
        return Fraction(comb(n_passed, k), comb(n, k))


_RANKED = "hold a list of labels per example, the best first"
_RANK_THE_SCORES = "For scores of classes 0, 1, ..., pass np.argsort(-scores, axis=1)"


@dataclass(frozen=True, kw_only=True, repr=False)
class TopKAccuracy(Metric):
    """Examples whose label is among the first k predicted / all examples, as in scikit-learn.

    Predictions are a list of at least k labels for each example, the best first. A repeated label
    takes two places. References are one label for each example. For scores of classes 0, 1, ...,
    pass `np.argsort(-scores, axis=1)`.

    Reported as a share; higher is better. p is exact (one sum): 0.1 s for a million examples.

    Parameters
    ----------
    k : int
        How many of the first predictions count.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large = [["cat", "dog", "cow"], ["dog", "cow", "cat"], ["cow", "dog", "cat"]]
    >>> small = [["cow", "dog", "cat"], ["dog", "cat", "cow"], ["cow", "cat", "dog"]]
    >>> result = compare(large, small, ["dog", "cow", "dog"], "top_k_accuracy", k=2)
    >>> result.score1, result.score2, result.pvalue
    (1.0, 0.3333333333333333, 0.5)
    """

    name = "top_k_accuracy"
    aliases = ("top_k", "top_k_accuracy_score", "hits_at_k", "accuracy_at_k")
    always_told = ("k",)
    k: Annotated[int, Whole()] = 2

    @property
    def in_words(self) -> str:
        return f"top-{self.k} accuracy"

    @staticmethod
    def read_column(name: str, column: Any, start: int) -> Labels:
        """Read ranked labels, or the right ones; the first example shows a wrong type."""
        if name == COLUMNS[2] or column is None:
            return read_labels(name, column, start)
        values = materialise(name, column)
        first = values[0] if len(values) else None
        entries = materialise(f"`{name}`[{start}]", first) if is_sequence(first) else [first]
        number = first_float(entries)
        if isinstance(first, Set) or number is not None:
            what: str = f"floats, {describe(number)}"
            what = "a set, which has no order" if number is None else what
            raise InputError(name, must=_RANKED, got=what, remedy=_RANK_THE_SCORES)
        return read_labels(name, values, start)

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """Return 1 for each example whose label is among the first k, else 0."""
        columns = predictions1, predictions2, references
        if references.lengths is not None:
            must = "hold one label per example"
            raise InputError(references.name, must=must, got="a list of them")
        if references.has(IGNORE_LABEL):
            index = references.start + references.spelled.index(IGNORE_LABEL)
            raise InputError(
                f"`{references.name}`[{index}] is {IGNORE_LABEL}, which stands for no label",
                remedy="leave such examples out of all columns",
            )
        for column in columns[:2]:
            self._check(column, references)
        codes, _, _ = coded(columns)
        one, two = (self._hits(columns[i].lengths, codes[i], codes[2]) for i in (0, 1))
        to_check, labels = None, [column.distinct for column in columns]
        if any(labels[2].isdisjoint(predicted) for predicted in labels[:2]):
            to_check = LabelsToCheck(labels=(labels[0], labels[1], labels[2]))
        return Rows(one, two).noting(to_check=to_check)

    def is_right_or_wrong(self, rows: Rows) -> bool:
        return True

    def _check(self, predictions: Labels, references: Labels) -> None:
        """Raise InputError unless there are lists of at least k labels of the references' type."""
        name, lengths = predictions.name, predictions.lengths
        check_lengths(name, predictions.n, references.name, references.n)
        if lengths is None:
            got = f"single labels ({shown(predictions.first)})"
            raise InputError(name, must=_RANKED, got=got, remedy=_RANK_THE_SCORES)
        if lengths.min() < self.k:
            index = int((lengths < self.k).argmax())
            raise InputError(
                "k",
                f"is {shown(self.k)}, and `{name}`[{predictions.start + index}] has "
                f"{lengths[index]} labels",
                remedy="give at least k, or a smaller k",
            )
        if one_hot([predictions]) > 2:  # two may be a ranking of the classes 0 and 1
            raise InputError(
                f"`{name}` must {_RANKED}, and looks one-hot: {lengths[0]} numbers, a single 1 "
                "among zeros",
                remedy=_RANK_THE_SCORES,
            )
        check_alike(replace(predictions, lengths=None), references)

    def _hits(self, lengths: Any, codes: IntArray, right: IntArray) -> IntArray:
        """Return 1 for each example with the right label among its first k, else 0."""
        starts = np.cumsum(lengths) - lengths
        first = starts[:, None] + np.arange(self.k)
        return np.asarray((codes[first] == right[:, None]).any(axis=1), dtype=np.int64)
