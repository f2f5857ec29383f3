"""The tail of a sum of two-point variables on a line, and the engines that compute it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Best, Candidates, Choice, Cost, Engine
from pairedperm.convolution.integers import (
    MAX_ENUMERATED,
    enumerate_lower_tail,
    enumeration_bytes,
    enumeration_size,
    exact_dot,
    halved_lower_tail,
    halves_bytes,
    halves_cost,
)
from pairedperm.convolution.law import FloatArray, IntArray, sum_of_squares
from pairedperm.convolution.line.intervals import CACHED_POINTS, POINTS, is_long
from pairedperm.convolution.line.masses import central_pmf
from pairedperm.convolution.line.tilted import DROPPED_SHARE, fit, tilted_lower_tail
from pairedperm.convolution.polynomials import count_lower_tail
from pairedperm.errors import BudgetError, advised
from pairedperm.options import MOST_BYTES, Budget

COUNTABLE = 2**22  # tuned: n² · bound up to which one integer is as fast as the tilted sum
MAX_APART = 2**11  # tuned: how often a value may occur that is set apart
FITTING, FITTING_LONG = 3e5, 2e6  # tuned: below so many ns, a comparison does not pay
_COUNTED = 1e4  # tuned: ns of an example that is counted in one big integer
LISTED_NS = 250.0  # tuned: ns of a listed sum of int64
_POINT_BYTES = 64  # tuned: bytes of a point of the first transform


class Line(NamedTuple):
    """The law of B = Σ_k values[k] · Binomial(counts[k], 1/2).

    Attributes
    ----------
    values : int64 array, shape (k,)
        Positive, ascending, distinct, with greatest common divisor 1.
    counts : int64 array, shape (k,)
        How often each value occurs; positive.
    total : int
        Σ counts · values, a Python integer that may exceed int64.
    """

    values: IntArray
    counts: IntArray
    total: int

    @property
    def n(self) -> int:
        """How many variables are added."""
        return int(self.counts.sum())

    @classmethod
    def of(cls, values: IntArray, counts: IntArray) -> Line:
        """Return the law of values in any order."""
        order = np.argsort(values)
        return cls(values[order], counts[order], exact_dot(counts, values))

    def masses(self, budget: Budget) -> tuple[IntArray, FloatArray]:
        """Return the values of B, and their masses; see `central_pmf`."""
        return central_pmf(*self, budget)


Step = Callable[[CertifiedProbability], CertifiedProbability]


class LineTail(NamedTuple):
    """The probability that follows from P(B ≤ bound) by some steps, for a sum of n variables.

    The bound is from 0 to the total of the line.
    """

    line: Line
    bound: int
    n: int
    steps: tuple[Step, ...] = ()


def reduced(tail: LineTail) -> LineTail:
    """Return a tail that suffices: its bound is below the middle, unless p is known.

    Above the middle, p is one minus the other tail. If the largest value is above the sum of all
    others and the lattice is fine, the tail of these others suffices.
    """
    line, bound, n, steps = tail
    while bound < line.total and 2 * bound + 1 != line.total:
        if 2 * bound >= line.total:
            bound = line.total - bound - 1
            steps = CertifiedProbability.complement, *steps
            continue
        others = line.total - int(line.values[-1]) * int(line.counts[-1])
        is_apart = line.values.size > 1 and others < line.values[-1]
        if not is_apart or line.counts[-1] > MAX_APART or not is_long(hoeffding_length(*line[:2])):
            break
        line, bound, step = _apart(line, bound, others)
        steps = step, *steps
        n = line.n
    return LineTail(line, bound, n, steps)


def hoeffding_length(values: IntArray, counts: IntArray) -> int:
    """Return how many points hold the law without tilt, by Hoeffding's bound."""
    squares = sum_of_squares(values, counts)
    return math.ceil(2.0 * math.sqrt(squares * math.log(2.0 / DROPPED_SHARE) / 2.0)) + 1


def _apart(line: Line, bound: int, others: int) -> tuple[Line, int, Step]:
    """Return the law of the other values, their bound, and the step that leads back.

    P(B ≤ bound) = P(X < x) + P(X = x) P(B' ≤ rest) for the number X of largest values that are
    taken; B' is the sum of all other values, of at most `others`, below the largest value.
    """
    values, counts = line.values[:-1], line.counts[:-1]
    taken, rest = divmod(bound, int(line.values[-1]))
    unit = int(np.gcd.reduce(values))
    rest_of_line = Line(values // unit, counts, others // unit)
    step = partial(CertifiedProbability.among, n=int(line.counts[-1]), k=taken)
    return rest_of_line, min(rest, others) // unit, step


class _Way(Engine[LineTail, Budget]):
    """A way to compute P(B ≤ bound)."""

    @abstractmethod
    def tail(self, problem: LineTail, limits: Budget, cost: Cost) -> CertifiedProbability:
        """Return P(B ≤ bound)."""

    def run(self, problem: LineTail, limits: Budget, cost: Cost) -> Answer:
        p = self.tail(problem, limits, cost)
        for step in problem.steps:
            p = step(p)
        return Answer(p)


class _Known(_Way):
    """The ends and the middle of the law."""

    name = "known"

    def cost(self, problem: LineTail, limits: Budget) -> Cost | None:
        line, bound, n, _ = problem
        if bound >= line.total:
            p = CertifiedProbability.exactly(1.0)
        elif 2 * bound + 1 == line.total:  # B and total - B have the same law
            p = CertifiedProbability.exactly(0.5)
        elif bound < line.values[0]:
            p = CertifiedProbability.power_of_half(n)
        else:
            return None
        return Cost(1, settles=True, work=p)

    def tail(self, problem: LineTail, limits: Budget, cost: Cost) -> CertifiedProbability:
        return cost.work  # type: ignore[no-any-return]


class _Counting(_Way):
    """All assignments, counted in one big integer."""

    name = "counting"

    def cost(self, problem: LineTail, limits: Budget) -> Cost | None:
        n, n_points = problem.n, problem.bound + 1
        if n * n * n_points > COUNTABLE:
            return None
        how, n_bytes = "all swaps are counted in one big integer", (n + 1) * n_points // 8
        return Cost(1, how, (n_points,), n_points, n_bytes, 1e-9 * _COUNTED * n, settles=True)

    def tail(self, problem: LineTail, limits: Budget, cost: Cost) -> CertifiedProbability:
        values, counts, _ = problem.line
        n_tail = count_lower_tail(values.tolist(), counts.tolist(), problem.bound)
        return CertifiedProbability.from_ratio(n_tail, 1 << problem.n)


class _Enumeration(_Way):
    """The sums of two halves of the examples, listed and sorted."""

    name = "enumeration"

    def cost(self, problem: LineTail, limits: Budget) -> Cost | None:
        values, counts, total = problem.line
        if problem.n > MAX_ENUMERATED:
            return None
        n_sums = enumeration_size(counts.tolist())
        n_bytes = enumeration_bytes(counts.tolist(), total)
        if n_bytes > limits.max_bytes or float(n_sums) ** 2 > sum_of_squares(values, counts):
            return None
        how, seconds = "all swaps are counted in two halves", 1e-9 * LISTED_NS * n_sums
        return Cost(1, how, (n_sums,), n_sums, n_bytes, seconds, settles=True)

    def tail(self, problem: LineTail, limits: Budget, cost: Cost) -> CertifiedProbability:
        values, counts, _ = problem.line
        [n_tail] = enumerate_lower_tail(values.tolist(), counts.tolist(), [problem.bound])
        return CertifiedProbability.from_ratio(n_tail, 1 << problem.n)


def _nanoseconds_of_halves(tail: LineTail, budget: Budget) -> float:
    """Return the time of the laws of two halves; infinite if they do not fit."""
    if halves_bytes(tail.bound) > budget.max_bytes:
        return math.inf
    return halves_cost(tail.n, tail.bound)


class _Halves(_Way):
    """The laws of two halves of the examples."""

    name = "halves"

    def cost(self, problem: LineTail, limits: Budget) -> Cost | None:
        nanoseconds, n_points = _nanoseconds_of_halves(problem, limits), problem.bound + 1
        if nanoseconds == math.inf:
            return None
        how, n_bytes = "the laws of two halves of the examples are added", halves_bytes(problem[1])
        return Cost(1, how, (n_points,), n_points, n_bytes, 1e-9 * nanoseconds)

    def tail(self, problem: LineTail, limits: Budget, cost: Cost) -> CertifiedProbability:
        values, counts, _ = problem.line
        return halved_lower_tail(values, counts, problem.bound)


class _Tilted(_Way):
    """The tilted sum; its work is the fit."""

    name = "tilted"

    def cost(self, problem: LineTail, limits: Budget) -> Cost:
        (values, counts, total), bound, n, _ = problem
        how = "a tilted sum on a line"
        fitted = fit(values, counts, bound, total, _nanoseconds_of_halves(problem, limits))
        try:
            fitted.check(limits)
        except BudgetError as error:
            excess, n_bytes = str(error), halves_bytes(bound)
            if n <= MAX_ENUMERATED:
                n_bytes = min(n_bytes, enumeration_bytes(counts.tolist(), total))
            if halves_cost(n, bound) < math.inf and n_bytes <= MOST_BYTES:
                excess = advised(excess, f"Or set `max_bytes` to {n_bytes:.3g}, if it fits")
            length = hoeffding_length(values, counts)
            return Cost(1, how, (length,), length, excess=excess)
        length = fitted.window.length
        n_bytes = _POINT_BYTES * int(min(POINTS * fitted.expected.n_looked_at, CACHED_POINTS))
        return Cost(1, how, (length,), length, n_bytes, 1e-9 * fitted.cost, work=fitted)

    def tail(self, problem: LineTail, limits: Budget, cost: Cost) -> CertifiedProbability:
        return tilted_lower_tail(cost.work, problem.bound, limits)


class OnLine(Best[LineTail, Budget]):
    """The engine of a tail on a line, relatively accurate: the best way to the `reduced` tail.

    The first of these that applies and is quick is chosen, otherwise the quickest:

    1. The ends and the middle of the symmetric law are known.
    2. If one big integer is small, it counts all assignments.
    3. Enumeration in halves is chosen if it fits into memory and a half has few sums, 2^(n/2):
       fewer than a transform would have points, some √(Σ counts values²).
    4. The laws of two halves, for up to 1000 examples, if they fit. They cost less than the
       tilted sum if the characteristic function hardly dies away.
    5. The tilted sum.
    """

    name = "line"
    ways = _Known(), _Counting(), _Enumeration(), _Halves(), _Tilted()

    def candidates(self, problem: LineTail) -> Candidates:
        tail = reduced(problem)
        for way in self.ways:
            yield way, tail

    def is_quick(self, choice: Choice) -> bool:
        """Tell whether no fit is tried for comparison; on a fine lattice, a fit takes longer."""
        nanoseconds = 1e9 * choice.cost.seconds
        if nanoseconds < FITTING or nanoseconds >= FITTING_LONG:
            return nanoseconds < FITTING
        return is_long(hoeffding_length(*choice.problem.line[:2]))


LINE = OnLine()
