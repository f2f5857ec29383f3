"""Examples like a pilot's, drawn at random, and simulated tests of them."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.engine import Choice
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.root import find_root
from pairedperm.errors import BudgetError, InputError, NoLatticeError
from pairedperm.errors.wording import Name, Parts, Python, Setting
from pairedperm.options import Options
from pairedperm.permutation.choose import chosen, problem_of
from pairedperm.permutation.monte_carlo import CALL, MONTE_CARLO
from pairedperm.permutation.problem import Problem
from pairedperm.population.difference import SummedDifference, effects, influences, weighted_sums
from pairedperm.population.evidence import Evidence
from pairedperm.population.flips import Planned, Power
from pairedperm.results.sampled import sampling_bar
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score, simplified

if TYPE_CHECKING:
    from typing_extensions import Self


FEWEST_TESTS = 100  # tuned: fewer simulated tests tell less than the approximation
_SWAPS, _MOST_SWAPS = 999, 10**6  # proof: with these a sampled p may be 0.001, and 0.000001
_IN_TAILS = 20  # tuned: the expected number of sampled swaps with p ≤ α
_QUICK = 0.002  # tuned: a test that takes more seconds is sampled
_TRIED = 3  # tuned: if none of so many tests is quick, all are sampled
_TEST, _NUMBER = 3e-3, 3e-8  # tuned: seconds of a test, and of each number that it draws
_SAMPLED = 3.0  # tuned: times the estimate of sums; small samples take longer, with their scores
_TILTS = 0.1 * 2.0 ** np.arange(12)  # tuned: exponents to try, from 0.1 to 205


@dataclass(frozen=True, eq=False)
class WeightedExamples:
    """The examples, or groups, that tests draw from, and their probabilities.

    Attributes
    ----------
    examples : _Examples
    weights : float64 array, shape (2, number of distinct examples or groups)
        The probabilities of each as it is, and with the two systems exchanged.
    """

    examples: _Examples
    weights: FloatArray

    @classmethod
    def of(cls, evidence: Evidence) -> Self:
        """Return the examples of a pilot, as often as it has them."""
        if evidence.rows.sizes is not None:
            what = " is of counts of groups, from which groups of such examples cannot be drawn"
            remedy = "Pass the result of a comparison of the examples, with "
            groups = Python("groups=", Setting("groups"))
            raise InputError(Name("pilot"), what, remedy=Parts(remedy, groups))
        examples = _Examples(evidence.rows.counted(), evidence.score)
        shares = examples.drawn[0].how_often / examples.n
        return cls(examples, np.stack((shares, np.zeros(shares.size))))

    @property
    def difference(self) -> float:
        """The difference of the scores."""
        summed, (as_is, turned) = self.examples.summed, self.weights * self.examples.n
        sums = weighted_sums(as_is, summed.table)
        if turned.any():
            sums = sums + summed.exchanged(weighted_sums(turned, summed.table))
        return summed.at(sums)

    @property
    def share_differing(self) -> float:
        """The share of examples, or groups, on which the systems' rows differ."""
        one, two = self.examples.drawn[0].tables
        return 1.0 - float(self.weights.sum(axis=0) @ (one == two).all(axis=1))

    def at(self, difference: float) -> Self | None:
        """Return the examples with this difference: the weights are multiplied by exp(λ v).

        v is the influence of an example on the difference. None if no λ gives this difference.
        """
        moves = self.examples.influences / np.abs(self.examples.influences).max()

        def tilt(factor: float) -> Any:
            weights = self.weights * np.exp(factor * moves)
            return replace(self, weights=weights / weights.sum())

        def excess(factor: float) -> float:
            return float(tilt(factor).difference) - difference

        sign = -math.copysign(1.0, excess(0.0))
        beyond = next((x for x in sign * _TILTS if sign * excess(x) >= 0.0), None)
        return None if beyond is None else tilt(find_root(excess, 0.0, beyond))

    def led(self, lead: float) -> Self:
        """Return each example as it is and exchanged: (1 + lead) / 2 of it leads for system 1."""
        turned = np.array([[1.0], [-1.0]])
        shares = (1.0 + lead * np.sign(self.examples.effects) * turned) / 2.0
        return replace(self, weights=self.weights.sum(axis=0) * shares)

    def drawn(self, n: int, rng: np.random.Generator) -> Rows:
        """Draw n examples, or groups, at random."""
        rows, k = self.examples.rows, self.weights.shape[1]
        if rows.groups is None and rows.multiplicities is not None:
            counts = rng.multinomial(n, self.weights.ravel())
            cells = np.flatnonzero(counts)
            return _taken(rows, cells % k, cells >= k).having(multiplicities=counts[cells])
        cells = rng.choice(2 * k, n, p=self.weights.ravel())
        if rows.groups is None:
            return _taken(rows, cells % k, cells >= k)
        # The rows of each group that is drawn follow those of the group before.
        order, sizes = self.examples.members
        lengths = sizes[cells % k]
        ends = np.cumsum(lengths)
        first = (np.cumsum(sizes) - sizes)[cells % k] - (ends - lengths)
        members = order[np.repeat(first, lengths) + np.arange(ends[-1])]
        taken = _taken(rows, members, np.repeat(cells >= k, lengths))
        return taken.having(groups=np.repeat(np.arange(n), lengths))

    def simulated(self, n: int, test: Planned) -> Power | None:
        """Return the share of significant tests of n examples, and of those with the wrong sign.

        None if too few tests fit into the planned seconds, by counts of work. The same seed gives
        the same power.
        """
        fewest, seconds = min(test.n_simulations, FEWEST_TESTS), self._seconds_to_draw(n)
        if seconds * fewest > test.seconds:  # not even one is drawn
            return None
        # A few tests tell whether exact p are quick, and how long a test takes.
        options = Options(n_resamples=max(_SWAPS, round(_IN_TAILS / test.alpha) - 1))
        rng, other = (np.random.default_rng(x) for x in ([test.seed, n], [test.seed, n, 1]))
        tried = (self._two_sided(n, x) for x in (rng, *[other] * (_TRIED - 1)))
        timed = [_timed(problem, n, test, options) for problem in tried]
        seconds += sum(x for _, x in timed) / _TRIED
        if not any(is_quick for is_quick, _ in timed):
            options = replace(options, method="monte_carlo")
        n_tests = min(test.n_simulations, int(test.seconds / seconds))
        if n_tests < fewest:
            return None
        # The tests themselves.
        n_rejected, n_wrong, sign = 0, 0, 1.0 if self.difference > 0.0 else -1.0
        with sampling_bar(n_tests, n_tests * seconds, "tests") as bar:
            for _ in range(n_tests):
                problem, seed = self._two_sided(n, rng), int(rng.integers(2**32))
                if _pvalue(problem, replace(options, rng=seed)) <= test.alpha:
                    n_rejected += 1
                    n_wrong += sign * problem.statistic < 0.0
                bar.update()
        share = n_rejected / n_tests
        error = math.sqrt(share * (1.0 - share) / n_tests)
        return Power(share, n_wrong / n_tests, error, n_tests)

    def _two_sided(self, n: int, rng: np.random.Generator) -> Problem:
        """Return the two-sided test of n examples at random."""
        return problem_of(self.drawn(n, rng), self.examples.score, "two-sided")

    def _seconds_to_draw(self, n: int) -> float:
        """Return about how long it takes to draw n examples and to begin their test."""
        rows = self.examples.rows
        n_numbers = 2.0 * rows.rows1.size / self.weights.shape[1] * n
        if rows.multiplicities is not None:
            n_numbers = min(n_numbers, 4.0 * rows.rows1.size)
        return _TEST + _NUMBER * float(n_numbers)


@dataclass(frozen=True, eq=False)
class _Examples:
    """The units of a pilot, examples or groups of them, and what each says of the difference.

    Attributes
    ----------
    rows : Rows
        Counted rows, or a row for each example in order, with its group or on no lattice.
    score : Score
    """

    rows: Rows
    score: Score

    @cached_property
    def drawn(self) -> tuple[Rows, Score]:
        """The rows of the units, in their order, and the score in its form for draws."""
        return simplified(self.rows, self.score, "draws")

    @cached_property
    def summed(self) -> SummedDifference:
        """The difference as a function of sums of the units' rows."""
        return SummedDifference.of(*self.drawn)

    @cached_property
    def n(self) -> int:
        """The number of units."""
        return int(self.drawn[0].how_often.sum())

    @cached_property
    def influences(self) -> FloatArray:
        """The influence of each unit, times their number, on the difference of scores."""
        return self.n * _derived(influences(*self.drawn))

    @cached_property
    def effects(self) -> FloatArray:
        """The lead that each unit gives system 1, times their number: a swap turns its sign."""
        return self.n * _derived(effects(*self.drawn))

    @cached_property
    def members(self) -> tuple[IntArray, IntArray]:
        """The rows in the order of their groups, and the number of rows of each group."""
        assert self.rows.groups is not None
        return np.argsort(self.rows.groups, kind="stable"), np.bincount(self.rows.groups)


def _derived(moves: FloatArray | None) -> FloatArray:
    """Return what a derivative of the score gave; raise InputError if there is none."""
    if moves is None:
        what = " has a score without derivatives there"
        why = "it does not say by how much an example moves it"
        remedy = why, "Use `power`, for some numbers of examples"
        raise InputError(Name("pilot"), what, remedy=remedy)
    return moves


def _taken(rows: Rows, some: IntArray, turned: NDArray[np.bool_]) -> Rows:
    """Return some rows, in which the systems are exchanged where they are `turned`."""
    one, two = rows.rows1[some], rows.rows2[some]
    if turned.any():
        one[turned], two[turned] = rows.rows2[some[turned]], rows.rows1[some[turned]]
    return rows.having(rows1=one, rows2=two, groups=None)


def _timed(problem: Problem, n: int, test: Planned, options: Options) -> tuple[bool, float]:
    """Return whether an exact p of this problem is quick, and the seconds of the test.

    Raises
    ------
    InputError
        If sampled p cannot be as small as the level.
    """
    calls = CALL * options.n_first if problem.calls_function else 0.0
    if quick := _quick(problem, options):
        return True, quick.cost.seconds + calls
    if options.n_first > _MOST_SWAPS:
        raise InputError(
            Name("alpha"),
            must=f"be at least {_IN_TAILS / _MOST_SWAPS:g} where p is sampled, as it is for tests "
            f"of {n:,} examples like these",
            got=f"{test.alpha:g}",
        )
    sampling = chosen(problem, replace(options, method="monte_carlo"))
    return False, _SAMPLED * sampling.cost.seconds + calls


def _quick(problem: Problem, options: Options) -> Choice | None:
    """Return the engine that computes p, unless it samples or is slow."""
    choice = chosen(problem, options)
    is_quick = choice.engine is not MONTE_CARLO and choice.cost.seconds <= _QUICK
    return choice if is_quick else None


def _pvalue(problem: Problem, options: Options) -> float:
    """Return the exact p if that is quick, otherwise a sampled one."""
    if options.method == "auto" and (quick := _quick(problem, options)):
        with suppress(BudgetError, NoLatticeError):
            return float(quick.engine.run(problem, options, quick.cost).p.value)
    sampled = replace(options, method="monte_carlo")
    cost = chosen(problem, sampled).cost
    return float(MONTE_CARLO.run(problem, sampled, cost).p.value)
