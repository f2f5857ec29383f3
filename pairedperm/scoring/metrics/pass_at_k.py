"""Pass@k: the chance that one of k runs of an item passes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from typing import Annotated, Any, ClassVar

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, describe, shown
from pairedperm.inputs.columns import place
from pairedperm.inputs.labels import COLUMNS, Labels, check_lengths, read_labels
from pairedperm.options.constraints import Whole
from pairedperm.scoring.groups import check_runs
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import MeanOfRatios, Score

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
