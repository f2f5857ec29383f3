"""Read the examples of one call of a sequential test."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, NoLatticeError
from pairedperm.errors.wording import Name, shown
from pairedperm.inputs.lattice import on_fractions, on_lattice
from pairedperm.inputs.numbers import read_pair
from pairedperm.scoring.groups import read_group_ids
from pairedperm.scoring.merging import check_range, float_column


class Batch(NamedTuple):
    """The examples or groups of one call, in their order.

    Attributes
    ----------
    differences : float array, shape (k,)
        The difference of the scores of an example, or the sum of those of a group, over the scale.
    sizes : float array, shape (k,)
        The number of examples of each.
    ends : int array, shape (k,)
        The number of examples up to its last one.
    n : int
        The number of examples.
    is_binary : bool
        Whether each example counts by itself, and all scores are 0 or 1.
    """

    differences: FloatArray
    sizes: FloatArray
    ends: IntArray
    n: int
    is_binary: bool


class ExampleReader:
    """Read and check examples. It knows the groups that have come; a refused call leaves none.

    Attributes
    ----------
    size : int
        The number of examples of the largest group that may come; with a range, and 0 before the
        first if it follows from it.

    Raises
    ------
    InputError
        If options do not go together.
    """

    def __init__(
        self, scale: float, score_range: tuple[float, float] | None, largest_group: int | None
    ) -> None:
        if score_range is not None and scale != 1.0:
            raise InputError(
                *(Name("scale"), " is for tests without ", Name("score_range")),
                remedy="Leave it out: the range says how much scores can differ",
            )
        if score_range is None and largest_group is not None:
            raise InputError(
                *(Name("largest_group"), " is for tests with ", Name("score_range")),
                remedy="Leave it out: without a range groups may have any size",
            )
        self.size = largest_group or 0
        self._scale, self._range, self._largest_group = scale, score_range, largest_group
        self._groups: set[int | str] = set()

    def read(self, score1: Any, score2: Any, groups: Any) -> Batch:
        """Read the scores of one example, or of several in their order.

        Raises
        ------
        InputError
            See `SequentialTest.update`.
        """
        columns = [[x] if _is_one(x) else x for x in (score1, score2)]
        pair = read_pair("score1", columns[0], "score2", columns[1])
        one, two = (float_column(f"score{k}", x) for k, x in enumerate(pair, 1))
        if self._range is not None:
            check_range("score1", one, self._range)
            check_range("score2", two, self._range)
        with np.errstate(over="ignore", invalid="ignore"):
            differences = one / self._scale - two / self._scale
            is_finite = np.isfinite(np.abs(differences).sum())
        if not is_finite:
            names = Name("score1"), " and ", Name("score2")
            what = " differ by more than floats can hold, divided by "
            raise InputError(*names, what, Name("scale"), remedy="divide all by a common unit")
        sizes, ends = np.ones(one.size), np.arange(1, one.size + 1)
        if groups is None:
            self._check_sizes(sizes)
        else:
            differences, sizes, ends = self._summed(pair, groups)
        is_binary = bool(all(((x == 0) | (x == 1)).all() for x in pair)) and ends.size == one.size
        return Batch(differences, sizes, ends, one.size, is_binary)

    def _check_sizes(self, sizes: FloatArray) -> None:
        """With a range, raise InputError for a group that is too large, or unlike the first."""
        if self._range is None:
            return
        size = self.size or int(sizes[0])
        is_wrong = sizes > size if self._largest_group else sizes != size
        if is_wrong.any():
            must = f"be given if groups have several sizes; the first has {size:,}"
            if self._largest_group is not None:
                must = "be at least the size of each group"
            wrong = int(sizes[int(is_wrong.argmax())])
            raise InputError(
                Name("largest_group"),
                must=must,
                got=f"{shown(self._largest_group)} and a group of {wrong:,}",
                remedy="Give the size of the largest group that may come, before the first example",
            )
        self.size = size

    def _summed(self, pair: tuple[Any, Any], groups: Any) -> tuple[FloatArray, FloatArray, Any]:
        """Return the sum and the size of each group, and the number of examples up to its last."""
        ids = read_group_ids(groups)
        if len(ids) != len(pair[0]):
            must = "have an id for each example"
            why = f"it has {len(ids):,} for {len(pair[0]):,} examples"
            raise InputError(Name("groups"), must=must, remedy=why)
        last = {group: k for k, group in enumerate(ids, 1)}
        if again := next((x for x in last if x in self._groups), None):
            what = f" has {shown(again)}, of which an earlier call had examples"
            remedy = "pass all examples of a group in one call"
            more = "Those of the earlier call have been counted"
            raise InputError(Name("groups"), what, remedy=(remedy, more))
        parts: dict[int | str, list[Any]] = {x: [] for x in sorted(last, key=last.__getitem__)}
        differences, unit = _in_units(*pair)
        for group, difference in zip(ids, differences, strict=True):
            parts[group].append(difference)
        add = math.fsum if unit is None else sum
        sums = np.array([add(x) for x in parts.values()], np.float64) / ((unit or 1) * self._scale)
        sizes = np.array([len(x) for x in parts.values()], np.float64)
        self._check_sizes(sizes)
        self._groups |= last.keys()
        return sums, sizes, np.array(sorted(last.values()))


def _in_units(one: Any, two: Any) -> tuple[list[Any], int | None]:
    """Return the differences in units of 1 / denominator, and this; None for floats as they are."""
    try:
        one, two, unit = on_lattice("score1", one, "score2", two)
    except NoLatticeError:
        one, two = (float_column(name, x) for name, x in (("score1", one), ("score2", two)))
        fractions = on_fractions((one, two))
        if fractions is None:
            return (one - two).tolist(), None
        (one, two), unit = fractions
    return (one - two).tolist(), unit


def _is_one(scores: Any) -> bool:
    """Return True for the score of one example."""
    has_no_items = isinstance(scores, (str, bytes)) or not hasattr(scores, "__iter__")
    return has_no_items or getattr(scores, "shape", None) == ()
