"""Given scores: their mean, pass@k and pass^k of runs, and ranks of the right label."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Set
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import comb
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError, Name, Parts, Python, Words, describe, shown
from pairedperm.inputs.columns import first_float, is_sequence, materialise, place
from pairedperm.inputs.labels import (
    COLUMNS,
    Labels,
    check_alike,
    check_lengths,
    one_hot,
    read_labels,
)
from pairedperm.options import IGNORE_LABEL, Range, Text, Whole
from pairedperm.scoring.classes import coded
from pairedperm.scoring.groups import check_runs
from pairedperm.scoring.merging import check_range, near_ends, rows_of_scores
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metrics.likelihood import read_given_scores
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import MeanOfRatios, Score
from pairedperm.scoring.vocabulary import LabelsToCheck


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
    score_range: Annotated[tuple[float, float] | None, Range()] = None

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
            none = Python("None", "left out")
            raise InputError(
                Name("references"),
                must=Parts("be ", none, " for metric 'mean_score', whose predictions are scores"),
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
            none = Python("None", "left out")
            raise InputError(
                Name("references"),
                must=Parts("be ", none, " for metrics of runs, whose predictions say what passed"),
                remedy=_AS_LISTS,
            )
        try:
            return read_labels(name, column, start)
        except InputError as error:
            if column is None:
                raise
            facts = error.message
            raise InputError(
                facts.what, must=facts.accepted, got=facts.got, at=facts.at, remedy=_AS_LISTS
            ) from error

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
                *(Name("k"), f" is {shown(self.k)}, and item {runs.start + index} of "),
                *(Name(runs.name), f" has {counts[index, 1]} runs"),
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
            Name(runs.name),
            must="hold the runs of each item",
            got=describe(runs.first),
            remedy=_AS_LISTS,
        )
    lengths, passed = np.asarray(runs.lengths), np.asarray(runs.flat)
    is_wrong = (passed != 0) & (passed != 1)
    if is_wrong.any():
        index = int(is_wrong.argmax())
        raise InputError(
            Name(runs.name, place(index, lengths, runs.start)),
            f" is {passed[index]}",
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
_RANK_THE_SCORES = Parts(
    "For scores of classes 0, 1, ..., ",
    Python("pass np.argsort(-scores, axis=1)", "write the classes, the best first"),
)


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
        entries = materialise(Name(name, (start,)), first) if is_sequence(first) else [first]
        number = first_float(entries)
        if isinstance(first, Set) or number is not None:
            what: Words = Parts("floats, ", describe(number))
            what = "a set, which has no order" if number is None else what
            raise InputError(Name(name), must=_RANKED, got=what, remedy=_RANK_THE_SCORES)
        return read_labels(name, values, start)

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """Return 1 for each example whose label is among the first k, else 0."""
        columns = predictions1, predictions2, references
        if references.lengths is not None:
            must = "hold one label per example"
            raise InputError(Name(references.name), must=must, got="a list of them")
        if references.has(IGNORE_LABEL):
            index = references.start + references.spelled.index(IGNORE_LABEL)
            raise InputError(
                Name(references.name, (index,)),
                f" is {IGNORE_LABEL}, which stands for no label",
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
            raise InputError(Name(name), must=_RANKED, got=got, remedy=_RANK_THE_SCORES)
        if lengths.min() < self.k:
            index = int((lengths < self.k).argmax())
            raise InputError(
                *(Name("k"), f" is {shown(self.k)}, and "),
                *(Name(name, (predictions.start + index,)), f" has {lengths[index]} labels"),
                remedy="give at least k, or a smaller k",
            )
        if one_hot([predictions]) > 2:  # two may be a ranking of the classes 0 and 1
            raise InputError(
                Name(name),
                f" must {_RANKED}, and looks one-hot: {lengths[0]} numbers, a single 1 among zeros",
                remedy=_RANK_THE_SCORES,
            )
        check_alike(replace(predictions, lengths=None), references)

    def _hits(self, lengths: Any, codes: IntArray, right: IntArray) -> IntArray:
        """Return 1 for each example with the right label among its first k, else 0."""
        starts = np.cumsum(lengths) - lengths
        first = starts[:, None] + np.arange(self.k)
        return np.asarray((codes[first] == right[:, None]).any(axis=1), dtype=np.int64)
