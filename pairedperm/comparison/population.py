"""A population like a pilot's examples: how often tests of its samples reject.

The normal approximation answers first, and simulated tests correct it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.comparison.simulation import corrected, simulated
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, Setting
from pairedperm.population.difference import Posed, effects, influences, pose_difference
from pairedperm.population.evidence import Evidence
from pairedperm.population.flips import MOST, Planned, Power
from pairedperm.population.studentised import difference_of, weighted_sums
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score, simplified

_TILTS = 0.1 * 2.0 ** np.arange(12)  # tuned: exponents to try, from 0.1 to 205
_FAR = 2.0  # tuned: standard errors by which simulated tests say otherwise
_FEW = 50  # tuned: up to so many, one more example moves the power by about its error
_NORMAL = NormalDist()


class _Moments(NamedTuple):
    """The difference, √n times its deviations over samples and over swaps, and its skewness."""

    difference: float
    deviation: float
    of_swaps: float
    skewness: float

    def quantile(self, n: int, edge: float, sign: float = 1.0) -> float:
        """Return the normal quantile of the probability to reject on the side of `sign`."""
        distance = sign * abs(self.difference) * math.sqrt(n) - edge * self.of_swaps
        return distance / self.deviation if self.deviation else math.copysign(40.0, distance)


@dataclass(frozen=True, eq=False)
class _Pilot:
    """The examples of a pilot, or groups of them: distinct rows, or each row of a group.

    Attributes
    ----------
    rows : Rows
        Counted rows, or a row for each example in order, with its group or on no lattice.
    score : Score
    in_groups : bool
        True if the caller's examples come in groups.
    """

    rows: Rows
    score: Score
    in_groups: bool

    @cached_property
    def drawn(self) -> tuple[Rows, Score]:
        """The rows of units, examples or groups, and the score in its form for draws."""
        return simplified(self.rows, self.score, "draws")

    @cached_property
    def posed(self) -> Posed:
        """The difference as a function of sums of the units' rows."""
        return pose_difference(*self.drawn)

    @cached_property
    def n(self) -> int:
        """The number of units."""
        return int(self.drawn[0].how_often.sum())

    @cached_property
    def same(self) -> NDArray[np.bool_]:
        """Whether the systems' rows are the same, for each unit."""
        one, two = self.drawn[0].tables
        return np.asarray((one == two).all(axis=1))

    @cached_property
    def influences(self) -> FloatArray:
        """The influence of each unit, times their number, on the difference of scores."""
        return self.n * _known(influences(*self.drawn))

    @cached_property
    def effects(self) -> FloatArray:
        """The lead that each unit gives system 1, times their number: a swap turns its sign."""
        return self.n * _known(effects(*self.drawn))

    @cached_property
    def members(self) -> tuple[IntArray, IntArray]:
        """The rows in the order of their groups, and the number of rows of each group."""
        assert self.rows.groups is not None
        return np.argsort(self.rows.groups, kind="stable"), np.bincount(self.rows.groups)


def _known(found: FloatArray | None) -> FloatArray:
    if found is None:
        what = " has a score without derivatives there"
        why = "it does not say by how much an example moves it"
        remedy = why, "Use `power`, for some numbers of examples"
        raise InputError(Name("pilot"), what, remedy=remedy)
    return found


@dataclass(frozen=True, eq=False)
class Population:
    """The examples, or groups, that tests draw from, and their probabilities.

    Attributes
    ----------
    pilot : _Pilot
    weights : float64 array, shape (2, number of distinct examples or groups)
        The probabilities of each as it is, and with the two systems exchanged.
    """

    pilot: _Pilot
    weights: FloatArray

    @classmethod
    def of(cls, evidence: Evidence) -> Population:
        """Return the examples of a pilot, as often as it has them."""
        rows, in_groups = evidence.rows, evidence.rows.groups is not None
        if rows.sizes is not None:
            what = " is of counts of groups, from which groups of such examples cannot be drawn"
            remedy = "Pass the result of a comparison of the examples, with "
            groups = Python("groups=", Setting("groups"))
            raise InputError(Name("pilot"), what, remedy=Parts(remedy, groups))
        pilot = _Pilot(rows.counted(), evidence.score, in_groups)
        shares = pilot.drawn[0].how_often / pilot.n
        return cls(pilot, np.stack((shares, np.zeros(shares.size))))

    @property
    def difference(self) -> float:
        """The difference of the scores."""
        found, (as_is, turned) = self.pilot.posed, self.weights * self.pilot.n
        sums = weighted_sums(as_is, found.table)
        if turned.any():
            sums = sums + found.exchanged(weighted_sums(turned, found.table))
        return float(difference_of(found.parts, sums[None])[0])

    @property
    def share_differing(self) -> float:
        """The share of examples, or groups, on which the systems' rows differ."""
        return 1.0 - float(self.weights.sum(axis=0) @ self.pilot.same)

    @property
    def shares(self) -> None:
        """None: the differences have several sizes."""

    @cached_property
    def moments(self) -> _Moments:
        """The moments that the normal approximation needs, by influences."""
        as_is, turned = self.weights
        moves, sides = self.pilot.effects, (as_is - turned, as_is + turned)
        of_swaps = float(sides[1] @ moves**2)
        if not turned.any():
            moves, sides = self.pilot.influences, (as_is, as_is)
        mean = float(sides[0] @ moves)
        variance = max(float(sides[1] @ moves**2) - mean**2, 0.0)
        third = float(as_is @ (moves - mean) ** 3 - turned @ (moves + mean) ** 3)
        skewness = third / variance**1.5 if variance > 0.0 else 0.0
        return _Moments(self.difference, math.sqrt(variance), math.sqrt(of_swaps), skewness)

    def at(self, difference: float) -> Population | None:
        """Return the population with this difference: the weights are multiplied by exp(λ v).

        v is the influence of an example on the difference. None if no λ gives this difference.
        """
        from scipy.optimize import brentq

        moves = self.pilot.influences / np.abs(self.pilot.influences).max()

        def tilt(factor: float) -> Population:
            weights = self.weights * np.exp(factor * moves)
            return replace(self, weights=weights / weights.sum())

        def excess(factor: float) -> float:
            return tilt(factor).difference - difference

        sign = -math.copysign(1.0, excess(0.0))
        beyond = next((x for x in sign * _TILTS if sign * excess(x) >= 0.0), None)
        return None if beyond is None else tilt(brentq(excess, 0.0, beyond))

    def led(self, lead: float) -> Population:
        """Return each example as it is and exchanged: (1 + lead) / 2 of it leads for system 1."""
        shares = (1.0 + lead * np.sign(self.pilot.effects) * np.array([[1.0], [-1.0]])) / 2.0
        return replace(self, weights=self.weights.sum(axis=0) * shares)

    def drawn(self, n: int, rng: np.random.Generator) -> Rows:
        """Draw n examples, or groups, at random."""
        rows, k = self.pilot.rows, self.weights.shape[1]
        if rows.groups is None and rows.multiplicities is not None:
            counts = rng.multinomial(n, self.weights.ravel())
            cells = np.flatnonzero(counts)
            return _taken(rows, cells % k, cells >= k).having(multiplicities=counts[cells])
        cells = rng.choice(2 * k, n, p=self.weights.ravel())
        if rows.groups is None:
            return _taken(rows, cells % k, cells >= k)
        order, sizes = self.pilot.members
        units = cells % k
        lengths = sizes[units]
        ends = np.cumsum(lengths)
        first = (np.cumsum(sizes) - sizes)[units] - (ends - lengths)
        some = order[np.repeat(first, lengths) + np.arange(ends[-1])]
        found = _taken(rows, some, np.repeat(cells >= k, lengths))
        return found.having(groups=np.repeat(np.arange(n), lengths))

    def power(self, n: int, test: Planned) -> Power:
        """Simulate tests of n such examples, or groups; the same seed gives the same power.

        If too few tests fit into the seconds that are planned, use the normal approximation.
        """
        if (n, test) not in self._powers:
            found = self._simulated(n, test) or self._approximated(n, test.alpha)
            self._powers[n, test] = found
        return self._powers[n, test]

    @cached_property
    def _powers(self) -> dict[tuple[int, Planned], Power]:
        """The powers that are known."""
        return {}

    def _simulated(self, n: int, test: Planned) -> Power | None:
        """Return the simulated power, if enough tests fit into the planned seconds."""
        rows = self.pilot.rows
        n_numbers = 2.0 * rows.rows1.size / self.weights.shape[1] * n
        if rows.multiplicities is not None:
            n_numbers = min(n_numbers, 4.0 * rows.rows1.size)
        draw, is_higher = partial(self.drawn, n), self.difference > 0.0
        return simulated(draw, self.pilot.score, n, n_numbers, test, is_higher=is_higher)

    def _approximated(self, n: int, alpha: float) -> Power:
        """Return the normal approximation of the power, and about its error.

        That is the term of its Edgeworth series with the skewness of the influences, and one share
        of the examples that differ.
        """
        moments, edge = self.moments, _edge(alpha)
        right, wrong = (moments.quantile(n, edge, sign) for sign in (1.0, -1.0))
        share = _NORMAL.cdf(wrong)
        size = abs(moments.skewness) / (6.0 * math.sqrt(n))
        error = size * (2.0 * right**2 + 1.0) * _NORMAL.pdf(right)
        error = min(error + 1.0 / max(n * self.share_differing, 1.0), 1.0)
        return Power(min(_NORMAL.cdf(right) + share, 1.0), share, approximation_error=error)

    def n_needed(self, power: float, test: Planned) -> int | None:
        """Return about the number of examples with this power; None if above `MOST`.

        It is that of the normal approximation, corrected where simulated tests say otherwise: where
        they differ by more than two standard errors, and up to 50 examples, wherever they differ.
        """
        moments, edge, wanted = self.moments, _edge(test.alpha), _NORMAL.inv_cdf(power)
        if not moments.difference:
            return None
        distance = edge * moments.of_swaps + wanted * moments.deviation
        guess = (max(distance, 0.0) / moments.difference) ** 2
        fewest = 1.0 - math.log2(test.alpha)  # that differ: 2^(1 - n_differing) is α
        guess = max(guess, fewest / self.share_differing)
        if guess > MOST:
            return None

        def change(n: int) -> float:
            return self._change(n, power, test, 0.0 if n <= _FEW else _FAR)

        return corrected(change, math.ceil(guess), math.ceil(fewest), 2)

    def detectable(self, n: int, power: float, test: Planned) -> Population | None:
        """Return the examples with the least lead that n of them detect; None if none is enough."""
        from scipy.optimize import brentq

        moves, edge = self.pilot.effects, _edge(test.alpha)
        weights = self.weights.sum(axis=0)
        square, most = float(weights @ moves**2), float(weights @ np.abs(moves))

        def excess(lead: float) -> float:
            variance = max(square - (lead * most) ** 2, 0.0)
            moments = _Moments(lead * most, math.sqrt(variance), math.sqrt(square), 0.0)
            return _NORMAL.cdf(moments.quantile(n, edge)) - power

        is_enough = excess(1.0) > 0.0
        lead = float(brentq(excess, 0.0, 1.0)) if is_enough else 1.0
        first = math.ceil(lead * MOST)
        led = cache(lambda x: self.led(x / first * lead))

        def change(x: int) -> float:
            return led(x)._change(n, power, test, _FAR)

        found = corrected(change, first, 1, 1)
        if found is None or not (is_enough or led(found).power(n, test).n_simulations):
            return None
        return led(found)

    def _change(self, n: int, power: float, test: Planned, far: float) -> float:
        """Return the factor by which the difference must grow for this power.

        It is 1 if the power is so near, by `far` standard errors, or is approximate.
        """
        found = self.power(n, test)
        error = found.standard_error
        if error is None or abs(found.power - power) <= far * error:
            return 1.0
        half, edge = 0.5 / (found.n_simulations or 1), _edge(test.alpha)
        quantile = _NORMAL.inv_cdf(min(max(found.power, half), 1.0 - half))
        return (_NORMAL.inv_cdf(power) + edge) / max(quantile + edge, 0.3)


def _edge(alpha: float) -> float:
    """Return the normal quantile at which a two-sided test of this level begins to reject."""
    return -_NORMAL.inv_cdf(alpha / 2.0)


def _taken(rows: Rows, some: IntArray, turned: NDArray[np.bool_]) -> Rows:
    """Return some rows, in which the systems are exchanged where they are `turned`."""
    one, two = rows.rows1[some], rows.rows2[some]
    if turned.any():
        one[turned], two[turned] = rows.rows2[some[turned]], rows.rows1[some[turned]]
    return rows.having(rows1=one, rows2=two, groups=None)
