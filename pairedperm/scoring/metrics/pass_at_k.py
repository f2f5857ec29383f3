"""Pass@k: the chance that one of k runs of an item passes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Set
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, describe, shown
from pairedperm.inputs.columns import (
    is_missing,
    is_sequence,
    materialise,
    place,
    unwrapped,
)
from pairedperm.inputs.labels import COLUMNS, Labels, check_lengths, read_labels
from pairedperm.options.constraints import Whole
from pairedperm.scoring.groups import check_runs
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import MeanOfRatios, Score


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
        """Read runs, or numbers of runs; rewards may be floats, 0.0 and 1.0."""
        if name == COLUMNS[2] and column is None:
            return None
        values = column if column is None else materialise(name, column)
        if isinstance(values, np.ndarray) and values.dtype.kind == "f":
            with np.errstate(invalid="ignore"):  # floats beyond int64 stay floats
                whole = values.astype(np.int64)
            values = whole if (whole == values).all() else values.tolist()
        try:
            return read_labels(name, values, start)
        except InputError:
            if values is None:
                raise
        rows: list[Any] = []
        for number, row in enumerate(values, start):
            if is_sequence(row):
                runs = materialise(Name(name, (number,)), row)
                rows.append([_whole(name, run, number, k) for k, run in enumerate(runs)])
            else:
                rows.append(_whole(name, row, number))
        return read_labels(name, rows, start)

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels | None) -> Rows:
        """Return how many runs passed, and how many there are, for each item."""
        check_lengths(COLUMNS[0], predictions1.n, COLUMNS[1], predictions2.n)
        one, two = (self._counted(column, references) for column in (predictions1, predictions2))
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

    def _counted(self, runs: Labels, sizes: Labels | None) -> IntArray:
        """Return how many runs of each item passed, and how many there are, shape (n, 2)."""
        if runs.lengths is None:
            counts = _of_numbers(runs, sizes)
        elif sizes is not None:
            raise InputError(
                Name("references"),
                must=Parts(
                    "be ",
                    Python("None", "left out"),
                    " where ",
                    Name(runs.name),
                    " holds the runs of each item",
                ),
                got=f"a column of {sizes.n}",
                remedy="The lists of runs show how many there are",
            )
        else:
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
    Predictions are the runs of each item, 0 or 1, and references None. Or predictions are the
    numbers c, and references the numbers n. Whole floats, such as rewards, are taken too. An item
    is swapped with all its runs. Both systems must have the same number of runs of it.

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


def _whole(name: str, value: Any, *at: int) -> Any:
    """Return a run, or a number of runs; a whole float becomes an integer."""
    value = unwrapped(Name(name, at), value)
    if isinstance(value, Set):
        raise InputError(
            *(Name(name, at), " is a set, ", describe(value)),
            remedy="give the runs of an item as a list, such as [0, 1, 1]",
        )
    if not isinstance(value, (float, np.floating)) or is_missing(value):
        return value
    if not float(value).is_integer():
        raise InputError(
            Name(name, at),
            f" is {value}",
            remedy=("a run has passed, 1, or not, 0", "A number of runs is an integer"),
        )
    return int(value)


def _of_runs(runs: Labels) -> IntArray:
    """Count runs that passed and all runs, from runs that are 0 or 1, or bools."""
    lengths, passed = np.asarray(runs.lengths), _integers(runs)
    is_wrong = (passed != 0) & (passed != 1)
    if is_wrong.any():
        index = int(is_wrong.argmax())
        raise InputError(
            Name(runs.name, place(index, lengths, runs.start)),
            f" is {passed[index]}",
            remedy="a run has passed, 1, or not, 0",
        )
    return np.array((runs.sums(passed), lengths)).T


def _of_numbers(passed: Labels, sizes: Labels | None) -> IntArray:
    """Check and join the numbers of runs that passed and of all runs."""
    if sizes is None:
        raise InputError(
            Name(passed.name),
            must="hold the runs of each item, such as [0, 1, 1]",
            got=f"single labels ({shown(passed.first)})",
            remedy=Parts(
                "For numbers of runs that passed, ",
                Name("references"),
                " must hold the numbers of all runs",
            ),
        )
    check_lengths(passed.name, passed.n, sizes.name, sizes.n)
    if sizes.lengths is not None:
        raise InputError(Name("references"), must="hold a number of runs per item", got="lists")
    n_passed, n = _integers(passed), _integers(sizes)
    is_wrong = (n_passed < 0) | (n_passed > n)
    if is_wrong.any():
        index = int(is_wrong.argmax())
        raise InputError(
            *(Name(passed.name, (passed.start + index,)), f" is {n_passed[index]}, but "),
            *(Name("references"), f" has {n[index]} runs"),
            remedy="give the number of these that passed",
        )
    return np.array((n_passed, n)).T


def _integers(labels: Labels) -> NDArray[Any]:
    """Return runs, or numbers of runs, as an array of integers."""
    if labels.kind == "strings":
        raise InputError(
            Name(labels.name),
            must="hold runs, 0 or 1, or numbers of them",
            got=describe(labels.first),
        )
    return np.asarray(labels.flat)
