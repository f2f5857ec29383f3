"""A test, reduced to what its p-value depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import (
    Budget,
    CertifiedProbability,
    Engine,
    PlanarLaw,
    PlanarRegion,
    exact_dot,
    hoeffding_length,
    planar_size,
)
from pairedperm.errors import BudgetError
from pairedperm.permutation.additive import Additive
from pairedperm.results.null_distribution import NullDistribution

__all__ = ["Problem", "Size", "first_that_fits", "known", "size_in_the_plane", "size_on_a_line"]

IntArray = NDArray[np.int64]
_LINE = {  # how the tail of a sum on a line is found
    "known": "p is known without a sum",
    "counting": "all swaps are counted in one big integer",
    "enumeration": "all swaps are counted in two halves",
    "halves": "the laws of two halves of the examples are added",
    "tilted": "a tilted sum on a line",
}


class Size(NamedTuple):
    """What the exact p-value takes: its grid, points and bytes, and in words how it is found.

    `rank` is the dimension of the lattice that the differences span. `excess` says why all that
    exceeds the budget, as the BudgetError would.
    """

    rank: int
    grid: tuple[int, ...] | None
    n_points: int
    n_bytes: int
    how: str
    excess: str | None = None


def known(rank: int) -> Size:
    """Where there is nothing to compute."""
    return Size(rank, (1,), 1, 0, _LINE["known"])


def size_on_a_line(values: IntArray, counts: IntArray, engine: Callable[[], Engine | None]) -> Size:
    """What an engine takes; None where p is known."""
    try:
        found = engine()
    except BudgetError as error:
        length = hoeffding_length(values, counts)
        return Size(1, (length,), length, 0, "", str(error))
    if found is None:
        return known(min(values.size, 1))
    return Size(
        min(values.size, 1), (found.n_points,), found.n_points, found.n_bytes, _LINE[found.name]
    )


def size_in_the_plane(law: PlanarLaw, budget: Budget, region: PlanarRegion | None = None) -> Size:
    """What a tail in the plane takes, about: how many frequencies, only its computation tells."""
    grid, n_bytes, is_counted = planar_size(law, budget, region)
    how = "all swaps are counted" if is_counted else "tilted sums in the plane"
    excess = None
    if n_bytes > budget.max_bytes:
        excess = (
            f"the exact p-value needs {n_bytes:.3g} bytes for sums in two dimensions; `max_bytes` "
            f"allows {budget.max_bytes:.3g}. Raise it."
        )
    return Size(2, grid, grid[0] * grid[1], n_bytes, how, excess)


@dataclass(frozen=True)
class Problem:
    """A statistic of S = Σ ± vectors, each sign a fair coin's, and how to know its p-value.

    Attributes
    ----------
    statistic : float
        As observed.
    score1, score2 : float or None
    n, n_differing : int
    vectors, multiplicities : int64 array, shape (k, m) and (k,)
        The distinct differences and how often each occurs.
    size : callable
        From the budget to what the exact p-value takes, and whether that is too much.
    exact : callable
        From the budget to the p-value; BudgetError if that turns out to be too much.
    extreme : callable
        From sums S, shape (n, m), to whether each is at least as extreme as observed.
    null : callable
        From the budget to the law of the statistic.
    decimals : int
        Of the scores, digits that a coarser rounding could spare.
    additive : Additive or None
        The same as a sum of scores, for engines that need no lattice; None of other statistics.
    no_lattice : str or None
        Why there is no lattice, if there is none: then `vectors` are rounded, to list or sample.
    """

    statistic: float
    score1: float | None
    score2: float | None
    n: int
    n_differing: int
    vectors: IntArray
    multiplicities: IntArray
    size: Callable[[Budget], Size]
    exact: Callable[[Budget], CertifiedProbability]
    extreme: Callable[[NDArray[Any]], NDArray[np.bool_]]
    null: Callable[[Budget], NullDistribution]
    decimals: int = 0
    additive: Additive | None = None
    no_lattice: str | None = None

    @property
    def total(self) -> NDArray[Any]:
        """Σ multiplicities · vectors, Python integers where it exceeds int64."""
        return np.array([exact_dot(self.multiplicities, column) for column in self.vectors.T])


def first_that_fits(one: Problem, other: Problem) -> Problem:
    """The same test in two forms: the exact p-value by the second if the first takes too much."""

    def size(budget: Budget) -> Size:
        found = one.size(budget)
        return found if found.excess is None else other.size(budget)

    def exact(budget: Budget) -> CertifiedProbability:
        try:
            return one.exact(budget)
        except BudgetError:
            return other.exact(budget)

    return replace(one, size=size, exact=exact)
