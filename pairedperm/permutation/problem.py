"""A test under swaps, posed: what its p-value depends on, in the forms that engines take."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.assignments import n_sums
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.reals.bracket import Split, WholeSplit
from pairedperm.errors import BudgetError, NoLatticeError
from pairedperm.options import Budget, Options
from pairedperm.results.null_distribution import NullDistribution
from pairedperm.results.sampled import QUICK, SampledProbability

Sides = Literal["all", "one", "both", "but one"]


class Additive(NamedTuple):
    """The sum S of |differences| with random signs, and what p is in terms of its lower tail.

    With B the sum of those that are against system 1, S = Σ |differences| - 2B, and S and -S have
    the same law. What `split` takes is B as observed, or what it is with the systems' names
    exchanged, the smaller of the two. p is by `sides`: "one", P(B ≤ b); "both", twice that;
    "but one", 1 - P(B < b); "all", 1. `in_integers` is the same split in exact numbers, and by how
    much the rounding of all scores may have moved what is taken.
    """

    split: Split
    sides: Sides
    in_integers: Callable[[], tuple[WholeSplit, int]]


class Problem(ABC):
    """A statistic of S = Σ ± vectors, each sign a fair coin's.

    Attributes
    ----------
    statistic : float
        As observed.
    score1, score2 : float or None
    n, n_differing : int
    vectors, multiplicities : int64 array, shape (k, m) and (k,)
        The distinct differences and how often each occurs.
    is_known : bool
        Whether p is 1, every swap being as extreme as observed.
    rank : int
        The dimension of what the differences span.
    decimals : int
        Of the scores, digits that a coarser rounding could spare.
    no_lattice : str
        Why there is no lattice, if there is none.
    why_not_exact : str
        The same in messages that say why the exact p-value is out of reach.
    additive : Additive or None
        The same as a sum of scores, on a lattice or not, if it is one.
    calls_function : bool
        Whether the score is a function of the caller's, of whose cost nothing is known.
    """

    statistic: float
    score1: float | None
    score2: float | None
    n: int
    n_differing: int
    vectors: IntArray
    multiplicities: IntArray
    is_known: bool
    decimals: int = 0
    no_lattice: str = ""
    why_not_exact: str = ""
    additive: Additive | None = None
    calls_function: bool = False

    @property
    def rank(self) -> int:
        """See above: of numbers that lie on a line."""
        return min(self.n_differing, 1)

    def forms(self) -> Iterable[Form]:
        """What "exact" chooses from, in this order."""
        return ()

    @property
    def total(self) -> NDArray[Any]:
        """Σ multiplicities · vectors, Python integers where it exceeds int64."""
        return np.array([exact_dot(self.multiplicities, column) for column in self.vectors.T])

    def __getstate__(self) -> dict[str, Any]:
        """Without what can be computed again."""
        kind = type(self)
        return {
            name: value
            for name, value in vars(self).items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }

    def how(self) -> str:
        """In words, how the exact p-value is found."""
        return self.prepared(Budget()).cost.how

    def prepared(self, budget: Budget, quick: float = QUICK) -> Prepared:
        """The first form that is quick, or else the quickest that the budget allows.

        Where it allows none, its cost says why not.
        """
        if self.is_known:
            return Prepared(known(self.rank), certain)
        best: Prepared | None = None
        for form in self.forms():
            found = form.prepared(budget)
            if found.cost.seconds <= quick:
                return found
            if best is None or found.cost.seconds <= best.cost.seconds:
                best = found
        n = n_sums(self.multiplicities)
        return best or refused(Cost(self.rank, None, n, 0, "", self.why_not_exact))

    @abstractmethod
    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each of the sums S, shape (n, m), is at least as extreme as observed."""

    def surely_extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """The same without those that tie within the rounding of a function, if that is unknown."""
        return self.extreme(sums)

    def needs_lattice(self, method: str) -> NoLatticeError:
        """The error for a method that needs one."""
        if self.additive is not None:
            remedy = (
                "method='auto', 'enumeration' (up to 44 differing examples) or 'bracket'; or "
                "multiply both systems' scores by a common denominator, or round them to the "
                "digits that they mean (np.round(scores, 4))."
            )
        else:
            remedy = (
                "method='auto', 'enumeration' (some 22 differing examples) or 'monte_carlo'; or "
                "round both systems' rows to the digits that they mean (np.round(rows, 4))."
            )
        return NoLatticeError(
            f"method={method!r} needs scores on a lattice, integers or decimals: "
            f"{self.no_lattice}. Use {remedy}",
            self.no_lattice,
        )

    @abstractmethod
    def null_distribution(self, budget: Budget) -> NullDistribution:
        """The law of the statistic."""


class Cost(NamedTuple):
    """What a p-value takes: its grid, points and bytes, and in words how it is found.

    `rank` is the dimension of what the differences span. `excess` says why all that exceeds the
    budget, as the BudgetError would. `seconds` is about how long, by counts of work.
    """

    rank: int
    grid: tuple[int, ...] | None
    n_points: int
    n_bytes: int
    how: str
    excess: str | None = None
    seconds: float = 0.0


class Form(Protocol):
    """A tail whose probability an engine knows: on a line, in the plane, on a grid."""

    def prepared(self, budget: Budget) -> Prepared:
        """What it takes, about, and what then computes the p-value that the tail gives.

        Its answer raises BudgetError if it turns out to take too much.
        """


class Answer(NamedTuple):
    """A p-value, and the same as a fraction where that is known."""

    p: CertifiedProbability | SampledProbability
    fraction: Fraction | None = None


class Prepared(NamedTuple):
    """What an answer takes, and what computes it."""

    cost: Cost
    answer: Callable[[], Answer]


def certain() -> Answer:
    """Where every swap is as extreme as observed."""
    return Answer(CertifiedProbability.exactly(1.0))


def refused(cost: Cost) -> Prepared:
    """Where the budget does not allow it, however long one waits."""

    def answer() -> Answer:
        raise BudgetError(cost.excess)

    return Prepared(cost._replace(seconds=math.inf), answer)


class Engine(ABC):
    """A way to a p-value; `name` is what a result says of it."""

    name: str

    @abstractmethod
    def cost(self, problem: Problem, budget: Budget) -> Cost | None:
        """What it takes, about; None where that is for the caller to say.

        Raises
        ------
        InputError
            If the method cannot be used for this problem at all.
        """

    def prepared(
        self, problem: Problem, options: Options
    ) -> tuple[Cost | None, Callable[[], Answer]]:
        """What it takes, and what then gives the answer, without doing anything twice."""
        return self.cost(problem, options.budget), partial(self.run, problem, options)

    @abstractmethod
    def run(self, problem: Problem, options: Options) -> Answer:
        """The p-value, where its `cost` has no excess.

        Raises
        ------
        BudgetError
            If it turns out to take too much.
        """


def known(rank: int) -> Cost:
    """Where there is nothing to compute."""
    return Cost(rank, (1,), 1, 0, "p is known without a sum")


def of_whole_numbers(
    differences: Sequence[int], multiplicities: Sequence[int], alternative: str
) -> Additive:
    """Of scores' differences in a common unit, of any size, and how often each occurs."""
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
    """Of distinct sizes of differences, ascending, with the sum of all and that of the signed."""
    split = WholeSplit(values, counts, (total - abs(observed)) // 2)
    kind = sides((observed > 0) - (observed < 0), alternative)
    return Additive(split, kind, lambda: (split, 0))


def sides(sign: int, alternative: str) -> Sides:
    """How p follows from the lower tail, for the sign of the observed difference."""
    if alternative == "two-sided":
        return "both" if sign else "all"
    return "one" if sign == (1 if alternative == "greater" else -1) else "but one"
