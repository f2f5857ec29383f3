"""The problem of a test under swaps: all that its p-value depends on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import Sides, sides_of
from pairedperm.convolution.engine import Candidates
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.reals.bracket import Split, WholeSplit
from pairedperm.convolution.sampling import sampled_sums, swapping_cost
from pairedperm.errors import NoLatticeError
from pairedperm.nulls.solve import sampling_bar
from pairedperm.options import Budget
from pairedperm.results.result import NullDistribution, law_of


class Additive(NamedTuple):
    """The sum S of |differences| with random signs, and how p follows from its lower tail.

    B is the sum of the differences that are against system 1, so that S = Σ |differences| - 2B. S
    and -S have the same law. `split` holds b, the smaller of the observed B and its mirror image.
    `sides` tells how p follows: "one", P(B ≤ b); "both", twice that; "but one", 1 - P(B < b);
    "all", 1. `in_integers` returns the same split in exact integers, and the largest error of b
    that rounding of the scores may have caused.
    """

    split: Split
    sides: Sides
    in_integers: Callable[[], tuple[WholeSplit, int]]


class Problem(ABC):
    """A statistic of the sum S = Σ ± vectors, with a fair coin for each sign.

    Attributes
    ----------
    statistic : float
        The observed statistic.
    score1, score2 : float or None
        The observed scores, if the statistic is their difference.
    n, n_differing : int
        The number of examples, and of those whose rows differ.
    vectors, multiplicities : int64 array, shape (k, m) and (k,)
        The distinct differences, and how often each occurs.
    is_known : bool
        Whether p is 1, because every swap is as extreme as observed.
    rank : int
        The dimension of the lattice that the differences span.
    score_unit : int
        The unit of the scores: they are multiples of 1 / unit.
    no_lattice : str or Part
        Why there is no lattice; empty if there is one.
    why_not_exact : str or Part
        The same reason, as messages about the exact p-value give it.
    additive : Additive or None
        The statistic as a sum of scores, on a lattice or not, if it is one.
    calls_function : bool
        Whether the score is a function of the caller, whose cost is unknown.
    """

    statistic: float
    score1: float | None
    score2: float | None
    n: int
    n_differing: int
    vectors: IntArray
    multiplicities: IntArray
    is_known: bool
    score_unit: int = 1
    no_lattice: str = ""
    why_not_exact: str = ""
    additive: Additive | None = None
    calls_function: bool = False

    @property
    def rank(self) -> int:
        """The rank of numbers on a line; problems in more dimensions override it."""
        return min(self.n_differing, 1)

    @property
    def decimals(self) -> int:
        """The decimals of the scores, which the user could round to fewer."""
        digits = len(str(self.score_unit)) - 1
        return digits if self.score_unit == 10**digits else 0

    def tails(self) -> Candidates:
        """List the tails that "exact" chooses from, in order, each with its engine."""
        return ()

    @property
    def total(self) -> NDArray[Any]:
        """The sum Σ multiplicities · vectors, in Python integers if it exceeds int64."""
        return np.array([exact_dot(self.multiplicities, column) for column in self.vectors.T])

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the cached properties, which can be computed again."""
        kind = type(self)
        return {
            name: value
            for name, value in vars(self).items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }

    @abstractmethod
    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell which of the sums S, shape (n, m), are at least as extreme as observed."""

    def needs_lattice(self, method: str) -> NoLatticeError:
        """Return the error for a method that needs a lattice."""
        if self.additive is not None:
            what, others = "scores", "(up to 44 differing examples) or 'bracket'"
            instead = "multiply both systems' scores by a common denominator, or round them"
        else:
            what, others = "rows", "(some 22 differing examples) or 'monte_carlo'"
            instead = "round both systems' rows"
        instead = f", 'enumeration' {others}; or {instead} to the digits that they mean"
        rounded = f" (np.round({what}, 4))"
        return NoLatticeError(
            f"method={method!r} needs scores on a lattice, integers or decimals: {self.no_lattice}",
            remedy=f"Use method='auto'{instead}{rounded}",
            fact=self.no_lattice,
        )

    @abstractmethod
    def values(self, sums: NDArray[Any]) -> FloatArray:
        """Return the statistic for each of the sums S, shape (n, m)."""

    @abstractmethod
    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the law of the statistic under the null hypothesis."""

    def swaps(self, n: int, seed: int, max_bytes: int, pause: int = 0) -> Iterator[NDArray[Any]]:
        """Yield the sums S of the n swaps that the seed draws, in blocks of `sampled_sums`."""
        drawn, rng = (self.vectors, self.multiplicities), np.random.default_rng(seed)
        total = self.total
        for block in sampled_sums(*drawn, n, rng, max_bytes, pause):
            yield total - 2 * block

    def sampled_distribution(self, n: int, seed: int, budget: Budget) -> NullDistribution:
        """Return the statistic of the n swaps that the seed draws, each with the mass 1 / n."""
        cost = swapping_cost(self.vectors, self.multiplicities)
        values = []
        with sampling_bar(n, 1e-9 * cost.nanoseconds * n) as bar:
            for sums in self.swaps(n, seed, budget.max_bytes):
                values.append(self.values(sums))
                bar.update(len(sums))
        support = np.concatenate(values)
        return law_of(support, np.full(n, 1.0 / n), float(np.abs(support).max()))


def of_whole_numbers(
    differences: Sequence[int], multiplicities: Sequence[int], alternative: str
) -> Additive:
    """Return the sum of scores' differences: integers of any size, in a common unit."""
    counts: Counter[int] = Counter()
    observed = 0
    for difference, count in zip(differences, multiplicities, strict=True):
        observed += difference * count
        counts[abs(difference)] += count
    del counts[0]
    values = sorted(counts)
    total = sum(value * counts[value] for value in values)
    how_often = np.array([counts[value] for value in values], dtype=np.int64)
    return of_sizes(values, how_often, total, observed, alternative)


def of_sizes(
    values: Sequence[int] | IntArray, counts: IntArray, total: int, observed: int, alternative: str
) -> Additive:
    """Return the sum of differences, given their distinct sizes, ascending.

    `total` is the sum of all |differences|, `observed` the sum of the differences.
    """
    split = WholeSplit(values, counts, (total - abs(observed)) // 2)
    sides = sides_of((observed > 0) - (observed < 0), alternative)
    return Additive(split, sides, lambda: (split, 0))
