"""A population like a pilot's examples: simulated tests show how often they reject."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from functools import cache, cached_property
from statistics import NormalDist

import numpy as np

from pairedperm.comparison.flips import Planned, Power
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError
from pairedperm.options import Options
from pairedperm.permutation.run import decide, pose, run
from pairedperm.results.difference import influences, weighted_difference
from pairedperm.results.evidence import Evidence
from pairedperm.results.power_result import MANY, MOST
from pairedperm.results.sampled import sampling_bar
from pairedperm.scoring.groups import simplified
from pairedperm.scoring.waist import Rows, Score

_SWAPS, _MOST_SWAPS = 999, 10**6  # proof: with these a sampled p may be 0.001, and 0.000001
_IN_TAILS = 20  # tuned: the expected number of sampled swaps with p ≤ α
_QUICK = 0.002  # tuned: a test that takes more seconds is sampled
_TILTS = 0.1 * 2.0 ** np.arange(12)  # tuned: exponents to try, from 0.1 to 205
_CLOSE = 0.02  # tuned: relative error of a number of examples that is searched for
_ROUNDS = 30  # tuned: then a search gives up
_HALVINGS = 9  # tuned: halvings of the lead, from 0 to 1
_EACH = 1e-6  # tuned: seconds to draw an example and to test it
_NORMAL = NormalDist()


@dataclass(frozen=True, eq=False)
class Population:
    """The examples, or groups of examples, that tests draw from, and their weights.

    Attributes
    ----------
    rows : Rows
        A row for each example in order, and its group; without groups, each is a group of its own.
    score : Score
    weights : float64 array, shape (number of groups,)
        The probabilities of the groups.
    in_groups : bool
        True if the caller's examples come in groups.
    """

    rows: Rows
    score: Score
    weights: FloatArray
    in_groups: bool

    @classmethod
    def of(cls, evidence: Evidence) -> Population:
        """Return the examples of a pilot with equal weights."""
        rows, in_groups = evidence.rows, evidence.rows.groups is not None
        if rows.sizes is not None:
            raise InputError(
                "`pilot` is of counts of groups, from which groups of such examples cannot be "
                "drawn. Pass the result of a comparison of the examples, with groups=."
            )
        if not in_groups:
            each = np.repeat(np.arange(len(rows.rows1)), rows.how_often)
            one, two, alone = rows.rows1[each], rows.rows2[each], np.arange(each.size)
            rows = replace(rows, rows1=one, rows2=two, multiplicities=None, groups=alone)
        n = rows.n_groups or 1
        return cls(rows, evidence.score, np.full(n, 1.0 / n), in_groups)

    @cached_property
    def _simplified(self) -> tuple[Rows, Score]:
        return simplified(self.rows, self.score, "draws")

    @cached_property
    def _influences(self) -> FloatArray:
        """The influence of each group on the difference of scores, if all weights are equal.

        Raises
        ------
        InputError
            If the score has no derivatives.
        """
        found = influences(*self._simplified)
        if found is None:
            raise InputError(
                "`pilot` has a score without derivatives there: it does not say by how much an "
                "example moves it. Use `power`, for some numbers of examples."
            )
        return found

    @property
    def difference(self) -> float:
        """The difference of the scores."""
        return weighted_difference(*self._simplified, self.weights)

    @property
    def share_differing(self) -> float:
        """The share of groups on which the systems' rows differ."""
        one, two = self._simplified[0].tables
        return 1.0 - float(self.weights @ (one == two).all(axis=1))

    @property
    def shares(self) -> None:
        """None: the differences have several sizes."""

    @property
    def deviation(self) -> float:
        """√n times the standard error of the difference of n groups."""
        n, moves = self.weights.size, self._influences
        moves = moves - self.weights @ moves
        return n * math.sqrt(self.weights @ moves**2)

    def at(self, difference: float) -> Population | None:
        """Return the population with this difference: the weights are multiplied by exp(λ v).

        v is the influence of an example on the difference. None if no λ gives this difference.
        """
        from scipy.optimize import brentq

        moves = self._influences / np.abs(self._influences).max()

        def tilt(factor: float) -> Population:
            weights = self.weights * np.exp(factor * moves)
            return replace(self, weights=weights / weights.sum())

        def excess(factor: float) -> float:
            return tilt(factor).difference - difference

        sign = -math.copysign(1.0, excess(0.0))
        beyond = next((x for x in sign * _TILTS if sign * excess(x) >= 0.0), None)
        return None if beyond is None else tilt(brentq(excess, 0.0, beyond))

    def led(self, lead: float) -> Population:
        """Return each example as it is and swapped: (1 + lead) / 2 of it speaks for system 1."""
        rows, moves = self.rows, self._influences
        numbers = rows.groups
        assert numbers is not None
        more, less = (1.0 + lead) / 2.0, (1.0 - lead) / 2.0
        weights = [
            self.weights * np.where(moves > 0.0, *sides) for sides in ((more, less), (less, more))
        ]
        both = replace(
            rows,
            rows1=np.concatenate((rows.rows1, rows.rows2)),
            rows2=np.concatenate((rows.rows2, rows.rows1)),
            groups=np.concatenate((numbers, numbers + self.weights.size)),
        )
        return Population(both, self.score, np.concatenate(weights), self.in_groups)

    @cached_property
    def _members(self) -> tuple[IntArray, IntArray]:
        """The rows in the order of their groups, and the number of rows of each group."""
        assert self.rows.groups is not None
        return np.argsort(self.rows.groups, kind="stable"), np.bincount(self.rows.groups)

    def drawn(self, n: int, rng: np.random.Generator) -> Rows:
        """Draw n groups, or examples, at random."""
        order, sizes = self._members
        groups = rng.choice(sizes.size, n, p=self.weights)
        lengths = sizes[groups]
        ends = np.cumsum(lengths)
        first = (np.cumsum(sizes) - sizes)[groups] - (ends - lengths)
        some = order[np.repeat(first, lengths) + np.arange(ends[-1])]
        numbers = np.repeat(np.arange(n), lengths) if self.in_groups else None
        one, two = self.rows.rows1[some], self.rows.rows2[some]
        return replace(self.rows, rows1=one, rows2=two, groups=numbers)

    def power(self, n: int, test: Planned) -> Power:
        """Simulate tests of n such examples, or groups; the same seed gives the same power."""
        rng = np.random.default_rng([test.seed, n])
        options = self._options(n, test.alpha, rng)
        is_worse = -math.copysign(1.0, self.difference)
        n_rejected = n_wrong = 0
        seconds = _EACH * n * test.n_simulations
        with warnings.catch_warnings(), sampling_bar(test.n_simulations, seconds, "tests") as bar:
            warnings.simplefilter("ignore", UserWarning)  # it says that p is sampled
            for _ in range(test.n_simulations):
                rows, seed = self.drawn(n, rng), int(rng.integers(2**32))
                result = run(rows, self.score, None, replace(options, rng=seed))
                if result.pvalue <= test.alpha:
                    n_rejected += 1
                    n_wrong += result.statistic * is_worse > 0.0
                bar.update()
        share = n_rejected / test.n_simulations
        error = math.sqrt(share * (1.0 - share) / test.n_simulations)
        return Power(share, n_wrong / test.n_simulations, error)

    def _options(self, n: int, alpha: float, rng: np.random.Generator) -> Options:
        """Return options for exact p-values if they are quick, otherwise for sampled ones."""
        n_swaps = max(_SWAPS, round(_IN_TAILS / alpha) - 1)
        options = Options(n_resamples=n_swaps)
        problem = pose(self.drawn(n, rng), self.score, "two-sided")
        if decide(problem, options).seconds <= _QUICK:
            return options
        if n_swaps > _MOST_SWAPS:
            raise InputError(
                f"`alpha` must be at least {_IN_TAILS / _MOST_SWAPS:g} where p is sampled, as it "
                f"is for tests of {n:,} examples like these, got {alpha:g}."
            )
        return replace(options, method="monte_carlo")

    def _searched(self, n: int, test: Planned) -> float:
        """Return the power; above `MANY` examples from the normal approximation."""
        if n <= MANY:
            return self.power(n, test).power
        edge = -_NORMAL.inv_cdf(test.alpha / 2.0)
        return _NORMAL.cdf(abs(self.difference) / self.deviation * math.sqrt(n) - edge)

    def n_needed(self, power: float, test: Planned) -> int | None:
        """Return about the least n such that n to 1.1 n have this power; None if above `MOST`.

        The search starts from the normal approximation, and corrects it by the simulated powers.
        """
        wanted, edge = _NORMAL.inv_cdf(power), -_NORMAL.inv_cdf(test.alpha / 2.0)
        found = cache(lambda n: self._searched(n, test))
        guess = ((wanted + edge) * self.deviation / self.difference) ** 2
        for _ in range(_ROUNDS):
            if guess > MOST:
                return None
            n = max(round(guess), 1)
            half = 0.5 / test.n_simulations
            quantile = _NORMAL.inv_cdf(min(max(found(n), half), 1.0 - half))
            change = ((wanted + edge) / max(quantile + edge, 0.1)) ** 2
            guess = n * min(max(change, 0.5), 2.0)
            if abs(guess - n) <= max(_CLOSE * n, 1.0):
                break
        n = max(math.ceil(guess), 1)
        while not all(found(x) >= power for x in _up_to_a_tenth_more(n)):
            n = max(math.ceil(n * (1.0 + _CLOSE)), n + 1)
            if n > MOST:
                return None
        return n

    def detectable(self, n: int, power: float, test: Planned) -> Population | None:
        """Return the examples with the least lead that n of them detect; None if none is enough."""
        low, high = 0.0, 1.0
        if self.led(high)._searched(n, test) < power:
            return None
        for _ in range(_HALVINGS):
            lead = (low + high) / 2.0
            is_enough = self.led(lead)._searched(n, test) >= power
            low, high = (low, lead) if is_enough else (lead, high)
        return self.led(high)


def _up_to_a_tenth_more(n: int) -> list[int]:
    return sorted({n, (21 * n) // 20, (11 * n) // 10})
