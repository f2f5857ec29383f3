"""The problems of any function of the column sums, and of one that grows with one of two sums.

The sums that swaps give, and those at least as extreme as the observed ones; ties count. The
engines here lay out all points of the sums' lattice: "exact" for functions, and "dp" and "fft" of
Zmigrod, Vieira & Cotterell 2022.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from operator import sub
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability, sides_of
from pairedperm.convolution.engine import Answer, Candidates, Cost, Engine, advance
from pairedperm.convolution.grid.product_law import ProductLaw, product_law
from pairedperm.convolution.grid.span import PointMasses, point_nanoseconds
from pairedperm.convolution.grid.whole_law import WholeEngine, WholeLaw
from pairedperm.convolution.integers import largest_entry, size_sums
from pairedperm.convolution.law import FloatArray, IntArray, distinct_differences
from pairedperm.convolution.line.masses import check_points
from pairedperm.convolution.line.tail import LINE, Line, LineTail
from pairedperm.convolution.plane.law import PlanarLaw, ThresholdRegion
from pairedperm.convolution.plane.tail import PLANE, Lattice, PlaneTail, spanned
from pairedperm.convolution.sampling import sampled_sums
from pairedperm.errors import BudgetError, InputError, NoLatticeError
from pairedperm.nulls.engines import listed_law
from pairedperm.nulls.problem import Additive, Problem, of_whole_numbers
from pairedperm.options import Budget, Options
from pairedperm.results.result import NullDistribution, frozen, law_of
from pairedperm.scoring.function import Checked, Function, Statistic
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import SumScore, finite_difference

_SOME = 64  # proof: random assignments; their largest statistic scales _TIE_OF_ALL
_MOST_EXACT = 2**53  # proof: up to it all integers are floats
BoolArray = NDArray[np.bool_]
_TIE = 1e-12  # proof: differences tie within this share of the largest score
_TIE_OF_ALL = 1e-14  # proof: they also tie within this share of the largest of some random swaps
_UNCLEAR = 1e-9  # proof: differences within this share are compared exactly, if possible
COMPARED = 2**20  # tuned: entries of points that are compared together


def is_extreme(observed: Any, alternative: str, difference: Any) -> Any:
    """Tell whether a difference, or each one of an array, is at least as extreme as observed."""
    if alternative == "two-sided":
        return abs(difference) >= abs(observed)
    return difference >= observed if alternative == "greater" else difference <= observed


class SumDifferences:
    """The distinct differences of two systems' rows, up to sign, and the sums of the rows.

    A fair coin decides for each example which of its two rows is counted. The sum of the counted
    rows is C = start - B, with B = Σ_k vectors[k] · Binomial(multiplicities[k], 1/2). The sum of
    the other rows is total - C.

    Attributes
    ----------
    vectors, multiplicities : int64 array, shape (k, m) and (k,)
        The distinct differences other than 0, and how often each occurs. The first entry that is
        not 0 is positive.
    sum1, sum2 : int64 array, shape (m,)
        The sum of the first rows, and of the second rows.
    total : int64 array, shape (m,)
        The sum of all rows, which no swap changes.
    start : int64 array, shape (m,)
        The sum of the counted rows if B = 0.

    Raises
    ------
    NoLatticeError
        If the rows are no integers, or a sum of them exceeds 2^52.
    """

    def __init__(self, rows: Rows) -> None:
        if rows.no_lattice:
            raise NoLatticeError(rows.no_lattice)
        rows1, rows2 = rows.tables
        self.n, sums, counts = rows.n, rows.sums, rows.multiplicities
        largest = self.n * (largest_entry(rows1) + largest_entry(rows2))
        if 2 * largest > _MOST_EXACT and counts is not None:  # the bound may be too high
            largest = sum(max(size_sums(x, counts), default=0) for x in (rows1, rows2))
        if 2 * largest > _MOST_EXACT:
            fact = f"the counts add up to {largest:.3g}, and sums are exact floats only up to 2^52"
            raise NoLatticeError(fact, remedy="Give the counts in a larger unit")
        self.vectors, self.multiplicities = distinct_differences(rows1, rows2, counts)
        self.sum1, self.sum2 = np.array(sums)
        self.total = self.sum1 + self.sum2
        self.start = (self.total + self.multiplicities @ self.vectors) // 2

    @cached_property
    def law(self) -> ProductLaw:
        """The law of B, not yet computed."""
        return product_law(self.vectors, self.multiplicities)

    @cached_property
    def some(self) -> FloatArray:
        """The sums C of the observed assignment, of its mirror image, and of some random ones."""
        rng = np.random.default_rng(0)
        blocks = sampled_sums(self.vectors, self.multiplicities, _SOME, rng)
        counted = [self.start - sums for sums in blocks]
        return np.concatenate((self.sum1[None], self.sum2[None], *counted)).astype(np.float64)

    def counted_of_signed(self, signed: NDArray[Any]) -> FloatArray:
        """Return C for the signed sums S = Σ ± vectors."""
        return np.asarray((self.total + signed) / 2.0, dtype=np.float64)


def beyond_floats(score1: float, score2: float) -> InputError:
    """Return the error for a score, or a difference of both, that is beyond floats."""
    return InputError(
        f"the scores are {score1:.3g} and {score2:.3g}, beyond floats",
        remedy="give the numerators in a larger unit, or the denominators in a smaller one",
    )


class ScoreExtremes:
    """The extreme sums C under a score: D = score(C) - score(T - C), T the sum of all rows.

    D changes its sign if everything is swapped. In floats D and the observed difference tie if
    they differ by at most 1e-12 of the largest of the four scores. Exact scores that are near are
    compared exactly.
    """

    scores: tuple[float, float] | tuple[None, None]  # the observed scores of both systems
    _rounding = 0.0  # two differences tie at least within this distance
    _exactly: Any = None  # the observed difference, if scores are exact

    def __init__(self, differences: SumDifferences, score: SumScore, alternative: str) -> None:
        self._differences, self._score, self._alternative = differences, score, alternative
        both = np.stack((differences.sum1, differences.sum2))
        score1, score2 = self.scores = tuple(score(both.astype(np.float64)).tolist())
        self.observed, self._largest = score1 - score2, max(abs(score1), abs(score2))
        is_same = abs(self.observed) <= _TIE * self._largest
        if score.is_exact:
            self._exactly = score.exact(both[0].tolist()) - score.exact(both[1].tolist())
            is_same = self._exactly == 0
        if not math.isfinite(self.observed):
            raise beyond_floats(score1, score2)
        self.sign = 0 if is_same else (1 if self.observed > 0.0 else -1)

    def at(self, counted: FloatArray) -> BoolArray:
        """Tell which of the sums C, shape (n, m), are extreme."""
        flags, unclear = self._compared(*self._both(counted))
        if unclear.size:
            flags[unclear] = self._decided(counted[unclear])
        return flags

    def among(self, law: PointMasses) -> BoolArray:
        """Tell which points B of a law are extreme; the score is called once for each."""
        scores, mirrored = self._on(law)
        blocks = []
        n_rows = max(COMPARED // self._differences.total.size, 1)
        for start in range(0, scores.size, n_rows):
            block = slice(start, start + n_rows)
            flags, unclear = self._compared(scores[block], mirrored[block])
            if unclear.size:
                points = law.points(start + unclear)
                flags[unclear] = self._decided(self._differences.start - points)
            blocks.append(flags)
        return np.concatenate(blocks)

    def values_at(self, counted: FloatArray) -> tuple[FloatArray, float]:
        """Return D for sums C, shape (n, m), and the size of the largest score."""
        return _differences(*self._both(counted))

    def values(self, law: PointMasses) -> tuple[FloatArray, float]:
        """Return D at the points B of a law, and the size of the largest score."""
        return _differences(*self._on(law))

    def _both(self, counted: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the scores of sums C, and of T - C."""
        return self._score(counted), self._score(self._differences.total - counted)

    def _on(self, law: PointMasses) -> tuple[FloatArray, FloatArray]:
        """Return both scores at the points B of a law; T - C is C of the mirror image."""
        values = np.empty(law.masses.size)
        each = point_nanoseconds(len(law.shape), law.basis.shape[1])
        n_rows = max(COMPARED // self._differences.total.size, 1)
        for start in range(0, values.size, n_rows):
            block = slice(start, start + n_rows)
            values[block] = self._score(self._differences.start - law.points(block))
            advance(each * values[block].size)
        return values, values[::-1]

    def _compared(self, first: FloatArray, second: FloatArray) -> tuple[BoolArray, IntArray]:
        """Tell in floats whether D is extreme, and where exact numbers must decide."""
        d = self.observed
        with np.errstate(invalid="ignore"):  # scores beyond floats are compared exactly
            difference = first - second
        if self._alternative == "two-sided":
            excess = np.abs(difference) - abs(d)
        else:
            excess = difference - d if self._alternative == "greater" else d - difference
        scale = np.maximum(np.maximum(np.abs(first), np.abs(second)), self._largest)
        if self._exactly is not None:
            return excess >= 0.0, np.flatnonzero(~(np.abs(excess) > _UNCLEAR * scale))
        tie = np.maximum(_TIE * scale, self._rounding)
        return excess >= -tie, np.zeros(0, dtype=np.int64)

    def _decided(self, counted: FloatArray) -> BoolArray:
        """Tell in exact numbers which sums C are extreme."""
        points, position = np.unique(counted.astype(np.int64), axis=0, return_inverse=True)
        mirrored, exact = self._differences.total - points, self._score.exact
        one, two = map(exact, points.tolist()), map(exact, mirrored.tolist())
        decided = partial(is_extreme, self._exactly, self._alternative)
        flags = np.array([*map(decided, [*map(sub, one, two)])])
        return np.asarray(flags[position.reshape(-1)])


class StatisticExtremes(ScoreExtremes):
    """The extreme sums C under a statistic: statistic(C) ≥ statistic(observed sum).

    Two values tie if they differ by at most 1e-12 of the larger one. They also tie within 1e-14
    of the largest |value| of the observed sum and 64 random swaps, because rounding may move a 0.
    """

    sign = 1

    def __init__(self, differences: SumDifferences, statistic: SumScore, alternative: str) -> None:
        self._differences, self._score, self._alternative = differences, statistic, alternative
        self.scores = None, None
        self.observed = float(statistic(differences.sum1[None].astype(np.float64))[0])
        self._largest = abs(self.observed)
        some = np.abs(statistic(differences.some))
        self._rounding = _TIE_OF_ALL * max(float(some.max()), self._largest)

    def _both(self, counted: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self._score(counted), np.zeros(len(counted))

    def _on(self, law: PointMasses) -> tuple[FloatArray, FloatArray]:
        values, _ = super()._on(law)
        return values, np.broadcast_to(0.0, values.shape)


def _differences(scores: FloatArray, mirrored: FloatArray) -> tuple[FloatArray, float]:
    """Return the differences of scores and mirrored scores, and the size of the largest score."""
    differences = finite_difference(scores, mirrored, "swaps give")
    return differences, float(max(np.abs(scores).max(), np.abs(mirrored).max()))


AGAIN = 3.0  # tuned: seconds for both laws; if the first takes more, the other may take as long
_NOISE = 2.0**-50  # proof: Algorithm 4 cannot tell less from 0
_WIDE = 1e-10  # tuned: relative width; for a wider interval the law may be computed again


class GridTail(NamedTuple):
    """The extreme points of the law of n swaps."""

    law: ProductLaw
    extremes: ScoreExtremes
    n: int

    def of(self, law: ProductLaw, budget: Budget) -> CertifiedProbability:
        """Return the mass of the extreme points; the law is this one, or the same on a support."""
        part = law.masses(budget)
        return part.probability(self.extremes.among(part), self.n)


class OnGrid(Engine[GridTail, Budget]):
    """The engine that adds up the masses of all extreme points.

    A small p may be lost in the errors of a law within a window, or by a Fourier transform. Then
    the law is computed again from positive terms on the whole support, if that is affordable. The
    work of the cost is this law, or None.
    """

    name = "grid"

    def cost(self, problem: GridTail, limits: Budget) -> Cost:
        law = problem.law
        size = law.rank, law.how, law.grid, law.n_points, law.n_bytes
        try:
            law.check(limits)
        except BudgetError as error:
            return Cost(*size, excess=str(error))
        whole = None if law.is_relative else _whole(law, limits)
        seconds = law.seconds + (0.0 if whole is None else whole.seconds)
        return Cost(*size, seconds, work=whole)

    def run(self, problem: GridTail, limits: Budget, cost: Cost) -> Answer:
        p, whole = problem.of(problem.law, limits), cost.work
        if whole is not None and p.high - p.low > _WIDE * p.low:
            p = problem.of(whole, limits)
        return Answer(p)


GRID = OnGrid()


def _whole(law: ProductLaw, budget: Budget) -> ProductLaw | None:
    """Return the law on its whole support, if it takes only seconds and fits the budget."""
    whole = law.as_whole()
    try:
        whole.check(budget)
    except BudgetError:
        return None
    first, second = law.seconds, whole.seconds
    return whole if second <= max(AGAIN - first, first if first > AGAIN else 0.0) else None


_POINT_COLUMN = 10.0  # tuned: ns of a point, for each column of its sum
POINT_CELLS = 2**18  # tuned: entries of points that are compared together


@dataclass(eq=False)
class WholeGrid(Engine[Problem, Options]):
    """An engine that computes the mass of every point of a lattice.

    `answer` computes p from the law, which must fit the budget.
    """

    name: WholeEngine
    how: str
    answer: Callable[[Problem, WholeLaw], Answer]

    def cost(self, problem: Problem, limits: Options) -> Cost:
        """Its work is the law, not yet computed."""
        if problem.no_lattice:
            raise problem.needs_lattice(self.name)
        if not problem.n_differing:
            return Cost(0)
        law = WholeLaw(problem.vectors, problem.multiplicities)
        size = law.rank, self.how, law.grid, law.n_points, law.n_bytes(self.name)
        try:
            law.check(self.name, limits.budget)
        except BudgetError as error:
            return Cost(*size, excess=str(error))
        nanoseconds = (
            law.nanoseconds(self.name) + law.n_points * _POINT_COLUMN * problem.vectors.shape[1]
        )
        return Cost(*size, 1e-9 * nanoseconds, work=law)

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        if not problem.n_differing:
            return Answer(CertifiedProbability.exactly(1.0))
        return self.answer(problem, cost.work)


def extreme_points(problem: Problem, part: PointMasses) -> NDArray[np.bool_]:
    """Tell which points of the law are at least as extreme as observed."""
    flags = []
    total = np.asarray(problem.total, dtype=np.int64)
    step = max(POINT_CELLS // part.basis.shape[1], 1)
    for start in range(0, part.numbers.size, step):
        points = part.points(slice(start, start + step))
        flags.append(problem.extreme(total - 2 * points.astype(np.int64)))
    return np.concatenate(flags)


def _by_dynamic_programming(problem: Problem, law: WholeLaw) -> Answer:
    """Return the sum of all extreme masses."""
    part = law.masses("dp")
    return Answer(part.probability(extreme_points(problem, part), problem.n_differing))


DP = WholeGrid("dp", "all sums, one example after the other (Algorithm 3)", _by_dynamic_programming)


def _by_fft(problem: Problem, law: WholeLaw) -> Answer:
    """Return the sum of all extreme masses, or the noise if that is more."""
    part, n = law.masses("fft"), problem.n_differing
    p = part.probability(extreme_points(problem, part), n, is_upper_end=False)
    if p.value < _NOISE:
        value = min(_NOISE, p.high)
        p = CertifiedProbability(value, p.low, p.high, math.log(value), p.log_low, p.log_high)
    return Answer(p)


_FFT = "all sums, halves of the examples convolved by Fourier transform (Algorithm 4)"
FFT = WholeGrid("fft", _FFT, _by_fft)


MOST_FLOAT = 1e300  # proof: sums of real scores, and their differences, must be less
_ROUNDED_BITS = 50  # proof: sums of both systems' rounded rows, twice, are at most 2^53


class RoundedRows:
    """Columns of floats, or of integers with too large sums, as multiples of powers of two.

    A column is rounded to 2^-50 of the sum of its sizes. The sums of the multiples are exact. So
    the same examples have the same sums to the last bit, in whatever order they are added.
    `observed` holds the sums of both systems' columns as they came, each rounded once.

    Raises
    ------
    InputError
        If a sum exceeds float64.
    """

    def __init__(self, rows: Rows) -> None:
        tables = [x.astype(np.float64) / float(rows.unit) for x in rows.tables]
        with np.errstate(over="ignore"):
            summed = [x * rows.how_often[:, None] for x in tables]
            sums = np.sum([np.abs(x).sum(axis=0) for x in summed], axis=0)
        if not sums.max() < MOST_FLOAT:
            raise InputError(
                f"there are rows with numbers up to {max(np.abs(x).max() for x in tables)}",
                remedy=("their sums must be floats, below 1e300", "Divide by a common unit"),
            )
        self._exponents = np.frexp(sums)[1] - _ROUNDED_BITS
        one, two = (self._rounded(x) for x in tables)
        self.rows = Rows(one, two, rows.multiplicities).distinct()
        self.observed = np.array([[*map(math.fsum, x.T.tolist())] for x in summed])

    def _rounded(self, table: FloatArray) -> IntArray:
        """Return the multiples; what is not 0 stays so: a denominator of 0 has its own score."""
        multiples = np.rint(np.ldexp(table, -self._exponents))
        return np.where(multiples == 0.0, np.sign(table), multiples).astype(np.int64)

    def floats(self, sums: NDArray[Any]) -> FloatArray:
        """Return sums of multiples, shape (n, m), as sums of the rows."""
        return np.asarray(np.ldexp(sums.astype(np.float64), self._exponents))


class _OfRounded(SumScore):
    """A score of sums of rows, called with the sums of the rows' multiples."""

    def __init__(self, rows: RoundedRows, score: SumScore) -> None:
        self._rows, self._score = rows, score

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the scores for sums of multiples, shape (n, m)."""
        return self._score(self._rows.floats(sums))


class Sums(Problem):
    """The difference of two systems' scores, each a function of the system's column sums.

    For a `Statistic`, p is P(statistic(sum) ≥ statistic(observed sum)) instead. Real rows are
    rounded to rows of integers (`RoundedRows`); their lattice is too fine for a transform.
    """

    def __init__(self, rows: Rows, score: SumScore | Function, alternative: str) -> None:
        rounded = None
        try:
            self.differences = SumDifferences(rows)
        except NoLatticeError as error:
            if not rows.provenance.float_limit:
                raise
            rounded, self.no_lattice = RoundedRows(rows), error.fact
            self.why_not_exact = f"the scores lie on no lattice: {error.fact}"
            self.differences = SumDifferences(rounded.rows)
        self.calls_function = isinstance(score, Function)
        if isinstance(score, Function):
            some = self.differences.some
            some, unit = (some, rows.unit) if rounded is None else (rounded.floats(some), 1)
            called: SumScore = Checked(score, rows, some, "swaps", unit)
        else:
            called = score
        of_sums = called
        if rounded is not None:
            called = _OfRounded(rounded, called)
        kind = StatisticExtremes if isinstance(score, Statistic) else ScoreExtremes
        self.extremes = kind(self.differences, called, alternative)
        self.score1, self.score2 = self.extremes.scores
        self._score, self._alternative = called, alternative
        self.statistic = self.extremes.observed
        if rounded is not None:
            one, two = of_sums(rounded.observed).tolist()
            self.statistic = one if self.score1 is None else one - two
            self.score1, self.score2 = (None, None) if self.score1 is None else (one, two)
        self.n = self.differences.n
        self.vectors = self.differences.vectors
        self.multiplicities = self.differences.multiplicities
        self.n_differing = int(self.multiplicities.sum())
        self.score_unit = rows.unit if rounded is None else 1
        is_same = self.extremes.sign == 0 and alternative == "two-sided"
        self.is_known = is_same or not self.n_differing
        self._counts = None if called.whole is None else rows.how_often

    @property
    def rank(self) -> int:
        if not self.n_differing:
            return 0
        return _rank(self.vectors) if self.no_lattice else self.differences.law.rank

    def tails(self) -> Candidates:
        """There is a grid, if there is a lattice."""
        if self.no_lattice:
            return []
        return [(GRID, GridTail(self.differences.law, self.extremes, self.n_differing))]

    @cached_property
    def additive(self) -> Additive | None:  # type: ignore[override]
        if self._score.whole is None or self._counts is None:
            return None
        return of_whole_numbers(self._score.whole, self._counts.tolist(), self._alternative)

    def extreme(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        return self.extremes.at(self.differences.counted_of_signed(sums))

    def values(self, sums: NDArray[Any]) -> FloatArray:
        return self._values_and_size(sums)[0]

    def _values_and_size(self, sums: NDArray[Any]) -> tuple[FloatArray, float]:
        """Return D for each of the sums S, and the size of the largest score."""
        return self.extremes.values_at(self.differences.counted_of_signed(sums))

    def null_distribution(self, budget: Budget) -> NullDistribution:
        """Return the law; values that differ by at most 1e-12 of the largest score are one."""
        if not self.n_differing:
            return frozen(np.array([self.statistic]), np.ones(1))
        if self.no_lattice:
            return listed_law(self, self._values_and_size, budget)
        check_points(self.differences.law.n_points, budget, "compare fewer columns or classes")
        law = self.differences.law.masses(budget)
        values, size = self.extremes.values(law)
        return law_of(values, law.masses, size)


def _rank(vectors: IntArray) -> int:
    """Return the rank of vectors whose columns may have units that are far apart."""
    return int(np.linalg.matrix_rank(vectors / np.maximum(np.abs(vectors).max(axis=0), 1)))


LONGEST_SEARCHED = 2**23  # tuned: a line of more points is not searched for a tail
_ROW = 400.0  # tuned: ns to find the end of a row of the plane


class SumsOfTwo(Sums):
    """The difference of two systems' scores, each a function of the sums (y, x) of two columns.

    The score does not decrease in x. So D(S) = score(C) - score(T - C) does not decrease along a
    row of sums S with the same y. In each row, D is as large as observed from some x on.
    """

    def tails(self) -> Candidates:
        """It is the grid if the extreme points are no tail."""
        lattice = spanned(self.vectors[:, ::-1], self.multiplicities)
        if lattice.rank == 2:
            return [(PLANE, self._plane(lattice))]
        tail = self._line(lattice)
        return super().tails() if tail is None else [(LINE, tail)]

    def _line(self, lattice: Lattice) -> LineTail | None:
        """Return the tail on a line, S = M · direction, if all extreme points are at its ends.

        M = W - 2B, B a sum of independent positive integers. The extreme points are those with B,
        or W - B, up to a bound; for two sides, both.
        """
        line = Line.of(lattice.multiples(self.vectors[:, ::-1]), self.multiplicities)
        total = line.total
        if total > LONGEST_SEARCHED:
            return None
        b = np.arange(total + 1)
        direction = np.array(lattice.direction[::-1])
        flags = self.extreme((total - 2 * b)[:, None] * direction)
        n_first, n_last = (int(x.argmin()) for x in (flags, flags[::-1]))
        is_all = flags.all()  # every point is extreme: there is no tail
        if is_all or n_first + n_last != flags.sum() or (n_first and n_last and n_first != n_last):
            return None
        steps = (CertifiedProbability.doubled,) if n_first and n_last else ()
        return LineTail(line, max(n_first, n_last) - 1, self.n_differing, steps)

    def _plane(self, lattice: Lattice) -> PlaneTail:
        """Return the tail on a lattice of rank 2, or its complement: at most one half.

        D is odd, so P(D ≤ -a) = P(D ≥ a). If d ≤ 0, P(D ≥ d) = 1 - P(D < d).
        """
        law = PlanarLaw(lattice.coordinates(self.vectors[:, ::-1]), self.multiplicities)
        sides, side = sides_of(self.extremes.sign, self._alternative), self._alternative
        if sides == "both":
            side = "greater" if self.extremes.sign > 0 else "less"
        is_complement = sides == "but one"
        extremes = ScoreExtremes(self.differences, self._score, side)
        # S = W - 2B or its mirror image: `holds` must be true up to some point of each row
        sign = 1 if (side == "greater") is not is_complement else -1
        total = self.multiplicities @ self.vectors

        def holds(points: IntArray) -> NDArray[np.bool_]:
            """Tell where D is extreme on this side; for a complement, where it is not."""
            signed = sign * (total - 2 * lattice.points(points)[:, ::-1])
            return extremes.at(self.differences.counted_of_signed(signed)) ^ is_complement

        return PlaneTail(law, ThresholdRegion(law, holds), is_complement, sides, _ROW)
