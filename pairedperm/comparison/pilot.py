"""The pilot of a planned test, and the law of its examples if these have several sizes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from pairedperm.comparison.simulation import WeightedExamples
from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.root import find_root
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, Setting, describe
from pairedperm.options import CONFIDENCE_LEVEL
from pairedperm.options.constraints import is_number
from pairedperm.population.evidence import Evidence
from pairedperm.population.flips import NORMAL, FlipsLaw, Moments, Planned, Power
from pairedperm.population.intervals import IntervalKind
from pairedperm.population.paired_shares import MOST_NEEDED
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import PairedResult
from pairedperm.results.sentence import sampling_unit
from pairedperm.scoring.arguments import read_counts
from pairedperm.scoring.counts import PairedCounts

_TOO_MUCH = 1e-12  # proof: rounding lets two shares exceed 1 by less
_SECANTS, _MOST_STEPS = 4, 10  # tuned: simulations until a search halves, and until it ends
_FAR = 2.0  # tuned: standard errors by which simulated tests say otherwise
N_DRAWS = 4000  # tuned: a standard error of 0.8 % at most
_MOST_KINDS = 512  # tuned: so many kinds of examples are drawn in 0.1 s
_EFFECTIVE = 4.0  # tuned: with fewer examples that decide, z is too large
_NEAR, _FEW_DECIDE = 0.05, 0.3  # tuned: the largest errors of 500 pilots, beside whole tests
_FEW = 50  # tuned: up to so many, one more example moves the power by about its error


class Pilot(NamedTuple):
    """The law of the examples, and the pilot that it comes from, if there is one."""

    law: FlipsLaw | ScoresLaw
    evidence: Evidence | None = None
    result: PairedResult | None = None

    def interval(self) -> tuple[float, float] | None:
        """Return the 95 % interval of the difference; wins, losses and ties have the exact one."""
        result = self.result
        kind: IntervalKind = "exact" if isinstance(self.law, FlipsLaw) else "auto"
        if isinstance(result, PairedPermutationResult) and result.alternative == "two-sided":
            low, high = result.confidence_interval(CONFIDENCE_LEVEL, kind=kind)
        elif self.evidence is None:
            return None
        else:
            low, high = self.evidence.interval(CONFIDENCE_LEVEL, kind=kind)
        return low, high


def read_pilot(pilot: Any) -> Pilot:
    """Read the pilot.

    Raises
    ------
    InputError
        If it is no pilot, has only one example, or has no example that differs.
    """
    if isinstance(pilot, PairedCounts):
        if pilot.metric is None and pilot.rows1.ndim != 1:
            must, why = "count one number per example", "rows have no score of their own"
            instead = Parts("Pass the result of `paired_permutation_test` with its ", Name("score"))
            raise InputError(Name("pilot"), must=must, got=repr(pilot), remedy=(why, instead))
        return _of_evidence(Evidence(*read_counts("pilot", pilot)))
    if isinstance(pilot, PairedResult):
        if pilot.score1 is None:
            must, remedy = "be a comparison of scores", "a statistic has none"
            raise InputError(Name("pilot"), must=must, remedy=remedy)
        return _of_evidence(pilot.evidence_for("pilot"), pilot)
    return Pilot(_read_shares(pilot))


def _of_evidence(evidence: Evidence, result: PairedResult | None = None) -> Pilot:
    """Return the pilot if its examples tell how they vary and differ."""
    rows = evidence.drawn[0]
    what = f"{sampling_unit(evidence.rows)}s"
    if rows.n < 2:
        one, why = f" has only one of the {what}", "it does not tell how they vary"
        raise InputError(Name("pilot"), one, remedy=(why, "Some dozens do"))
    if not rows.n_differing:
        raise no_difference(
            f"on all of its {rows.n:,} {what} both systems score the same",
            "Say which shares you expect to differ, such as ",
        )
    return Pilot(evidence.flips or ScoresLaw.of(evidence), evidence, result)


def _read_shares(pilot: Any) -> FlipsLaw:
    """Return the law of the shares of wins and losses."""
    is_pair = isinstance(pilot, (tuple, list)) and len(pilot) == 2
    if not is_pair or not all(map(is_number, pilot)):
        raise InputError(
            Name("pilot"),
            must="be a result of `compare` or `paired_permutation_test`, a PairedCounts, or the "
            "shares of examples that speak for system 1 and for system 2, such as (0.06, 0.03)",
            got=describe(pilot),
        )
    are_shares = all(0.0 <= x <= 1.0 + _TOO_MUCH for x in pilot)
    if not are_shares or sum(map(float, pilot)) > 1.0 + _TOO_MUCH:
        raise InputError(
            Python(Name("pilot"), Parts(Name("wins"), " and ", Name("losses"))),
            must="be two shares of at least 0 and together at most 1, such as (0.06, 0.03) for 6 % "
            "and 3 % of all examples",
            got=describe(pilot),
        )
    better, worse = map(float, pilot)
    if better + worse == 0.0:
        raise no_difference("both of its shares are 0")
    return FlipsLaw(better, worse)


def no_difference(why: str, before_shares: str = "") -> InputError:
    """Return the error for a pilot whose two systems score the same."""
    in_a_shell = Parts(Setting("wins", "0.06"), " ", Setting("losses", "0.03"))
    shares = Python(Setting("pilot", "(0.06, 0.03)"), in_a_shell)
    advice = Parts(before_shares, shares) if before_shares else ""
    return InputError(Name("pilot"), " has no difference", remedy=(why, advice))


@dataclass(frozen=True, eq=False)
class ScoresLaw(WeightedExamples):
    """Examples whose differences have several sizes, and the power of tests of them.

    The normal approximation answers first, and simulated tests correct it.
    """

    _powers: dict[tuple[int, Planned], Power] = field(default_factory=dict, init=False)

    def power(self, n: int, test: Planned) -> Power:
        """Simulate tests of n such examples, or groups; the same seed gives the same power.

        If too few tests fit into the seconds that are planned, use the normal approximation.
        """
        if (n, test) not in self._powers:
            power = self.simulated(n, test) or self.moments.power(
                n, edge_of(test.alpha), self.share_differing
            )
            self._powers[n, test] = power
        return self._powers[n, test]

    def n_needed(self, power: float, test: Planned) -> int | None:
        """Return about the number of examples with this power; None if above `MOST_NEEDED`.

        It is that of the normal approximation, corrected where simulated tests say otherwise: where
        they differ by more than two standard errors, and up to 50 examples, wherever they differ.
        """
        moments, edge = self.moments, edge_of(test.alpha)
        if not moments.difference:
            return None
        distance = edge * moments.of_swaps + NORMAL.inv_cdf(power) * moments.deviation
        fewest = 1.0 - math.log2(test.alpha)  # that differ: 2^(1 - n_differing) is α
        guess = (max(distance, 0.0) / moments.difference) ** 2
        guess = max(guess, fewest / self.share_differing)
        if guess > MOST_NEEDED:
            return None

        def change(n: int) -> float:
            return self._change(n, power, test, 0.0 if n <= _FEW else _FAR)

        return least_sufficient(change, math.ceil(guess), math.ceil(fewest), 2)

    def detectable(self, n: int, power: float, test: Planned) -> ScoresLaw | None:
        """Return the examples with the least lead that n of them detect; None if none is enough."""
        moves, edge = self.examples.effects, edge_of(test.alpha)
        weights = self.weights.sum(axis=0)
        square, most = float(weights @ moves**2), float(weights @ np.abs(moves))

        # By the normal approximation, then by simulated tests.
        def excess(lead: float) -> float:
            variance = max(square - (lead * most) ** 2, 0.0)
            moments = Moments(lead * most, math.sqrt(variance), math.sqrt(square), 0.0)
            return NORMAL.cdf(moments.quantile(n, edge)) - power

        is_enough = excess(1.0) > 0.0
        lead = find_root(excess, 0.0, 1.0) if is_enough else 1.0
        first = math.ceil(lead * MOST_NEEDED)  # leads are searched for as integers
        led = cache(lambda x: self.led(x / first * lead))

        def change(x: int) -> float:
            return led(x)._change(n, power, test, _FAR)

        least = least_sufficient(change, first, 1, 1)
        if least is None or not (is_enough or led(least).power(n, test).n_simulations):
            return None
        return led(least)

    def _change(self, n: int, power: float, test: Planned, far: float) -> float:
        """Return the factor by which the difference must grow for this power.

        It is 1 if the power is so near, by `far` standard errors, or is approximate.
        """
        here = self.power(n, test)
        error = here.standard_error
        if error is None or abs(here.power - power) <= far * error:
            return 1.0
        half, edge = 0.5 / (here.n_simulations or 1), edge_of(test.alpha)
        quantile = NORMAL.inv_cdf(min(max(here.power, half), 1.0 - half))
        return (NORMAL.inv_cdf(power) + edge) / max(quantile + edge, 0.3)

    @cached_property
    def moments(self) -> Moments:
        """The moments that the normal approximation needs, by influences."""
        as_is, turned = self.weights
        moves, sides = self.examples.effects, (as_is - turned, as_is + turned)
        of_swaps = float(sides[1] @ moves**2)
        if not turned.any():
            moves, sides = self.examples.influences, (as_is, as_is)
        mean = float(sides[0] @ moves)
        variance = max(float(sides[1] @ moves**2) - mean**2, 0.0)
        third = float(as_is @ (moves - mean) ** 3 - turned @ (moves + mean) ** 3)
        skewness = third / variance**1.5 if variance > 0.0 else 0.0
        return Moments(self.difference, math.sqrt(variance), math.sqrt(of_swaps), skewness)


def drawn_power(
    moves: FloatArray, shares: FloatArray, n: int, alpha: float, difference: float
) -> Power:
    """Return the power of a test of n examples, from 4,000 multinomial draws of them.

    Swaps turn the signs of the examples' moves d. So a draw is significant if
    |Σ d| - u / 2 > z √Σ d², and if so many differ that p can reach α. The u / 2 stands for ties of
    the swaps: if all d are multiples of u, Σ d goes in steps of 2 u. u is the smallest |d|, which
    is almost 0 where moves are real.

    The power is within 5 percentage points of that of whole tests where n (E d²)² / E d⁴ ≥ 4. Below
    that a few examples decide. It was then up to 31 points too small.

    Parameters
    ----------
    moves : float array, shape (k,)
        By how much each kind of example that differs speaks for system 1.
    shares : float array, shape (k,)
        The shares of these among all examples.
    difference : float
        The mean of d that is supposed; Σ d moves with it.
    """
    unit = float(np.abs(moves).max())  # no square overflows
    moves, mean = moves / unit, difference / unit
    if moves.size > _MOST_KINDS:
        moves, shares = _alike(moves, shares)
    squares = moves**2
    rng = np.random.default_rng(0)
    some = rng.multinomial(n, np.append(shares, max(1.0 - shares.sum(), 0.0)), N_DRAWS)[:, :-1]
    sums = some @ moves + n * (mean - shares @ moves)
    far = np.abs(sums) - np.abs(moves).min() / 2.0 > edge_of(alpha) * np.sqrt(some @ squares)
    is_found = far & (some.sum(axis=1) >= fewest_differing(alpha))
    is_wrong = is_found & (sums * mean < 0.0)
    few = n * float(shares @ squares) ** 2 < _EFFECTIVE * float(shares @ squares**2)
    error = _FEW_DECIDE if few else _NEAR
    return Power(float(is_found.mean()), float(is_wrong.mean()), approximation_error=error)


def fewest_differing(alpha: float) -> int:
    """Return the fewest differing examples with which p can reach α: 2^(1 - m) ≤ α."""
    return math.ceil(1.0 - math.log2(alpha))


def _alike(moves: FloatArray, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return fewer kinds, each the mean of alike moves; large moves stay alone.

    Each kind has about the same part of Σ d².
    """
    order = np.argsort(moves)
    moves, shares = moves[order], shares[order]
    parts = np.cumsum(shares * moves**2)
    kind = np.ceil(parts / parts[-1] * _MOST_KINDS).astype(np.int64)
    both = (np.bincount(kind, x) for x in (shares, shares * moves))
    of_kind, sums = (x[np.unique(kind)] for x in both)
    return sums / of_kind, of_kind


def edge_of(alpha: float) -> float:
    """Return the normal quantile at which a two-sided test of this level begins to reject."""
    return -NORMAL.inv_cdf(alpha / 2.0)


def least_sufficient(
    change: Callable[[int], float],
    first: int,
    least: int,
    power: int,
    most_steps: int = _MOST_STEPS,
) -> int | None:
    """Return about the least integer up to `MOST_NEEDED` that is large enough, or None.

    `change` is the factor by which the difference must grow there, by simulated tests; at 1 the
    search ends. An integer as large as factor^`power` times would do. The answer was simulated.
    """
    x, low, high = first, (least - 1, 0.0), (MOST_NEEDED + 1, 0.0)  # with their changes, less 1
    for step in count(1):
        factor = change(x)
        if factor == 1.0:
            return x
        low, high = ((x, factor - 1.0), high) if factor > 1.0 else (low, (x, factor - 1.0))
        if high[0] - low[0] == 1 or (high[1] and step >= most_steps):
            break
        # Go where the change leads. Between two sides follow the line through both, or halve.
        guess = x * min(max(factor**power, 0.5), 2.0)
        if low[1] and high[1]:
            share = low[1] / (low[1] - high[1]) if step <= _SECANTS else 0.5
            start, end = (side[0] ** (1.0 / power) for side in (low, high))
            guess = (start + (end - start) * share) ** power
        x = min(max(math.ceil(guess), low[0] + 1), high[0] - 1)
    return high[0] if high[1] else None
