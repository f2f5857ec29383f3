"""The window of a tilted law: how long a Fourier transform must be to hold the law."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pairedperm.convolution.characteristic import LONGEST, one_minus_exp, residues
from pairedperm.convolution.draws.law import ResampledLaw
from pairedperm.convolution.law import ComplexArray, IntArray, TiltedLaw, sum_of_squares, tilted_to
from pairedperm.convolution.line.frequencies import (
    blocks,
    candidates,
    expected,
    is_long,
    surviving_frequencies,
)
from pairedperm.convolution.line.intervals import Found
from pairedperm.options import Budget

DROPPED = 2.0**-58  # tuned: share of T that the window and the pruning may each drop, about
MANY = 2**14  # tuned: frequencies times factors that make root-finding for a window worth while
_SLOW = 5e6  # tuned: ns of a long sum that make root-finding worth while
_SHORTER = 0.9  # tuned: share of a long window's points that a better window stays below
_EVALUATED = 90.0  # tuned: ns of a factor at a frequency that survives
_AFFORDABLE = 3.0  # tuned: growth of E, in nats, by which T may shrink for a shorter window
_SLACK = 2.0**-44  # proof: relative rounding of the sums in an exponent, generously
SERIES = 80.0  # proof: u of `Window.series`


Law = TiltedLaw | ResampledLaw  # of a sum B of independent variables, integers from 0 on


@dataclass(frozen=True, slots=True)
class Window:
    """The points bound - n_tail < b ≤ bound + n_guard of the support of B.

    `n_tail` points carry the wanted tail, b ≤ bound. `n_guard` points keep the other side from
    being folded onto the tail. `leak` bounds the remaining error of the tail sum T: the mass beyond
    either end.
    """

    n_tail: int
    n_guard: int
    leak: float

    @property
    def length(self) -> int:
        """The length of the transform."""
        return self.n_tail + self.n_guard

    def series(self, tau: float, frequencies: IntArray) -> ComplexArray:
        """Return (1 - z^n) / (1 - z) for z = e^{-tau + iω}: the sum of the tail's n weights."""
        last = residues(frequencies, self.n_tail % self.length, self.length)
        whole = one_minus_exp(tau * self.n_tail, last, self.length)
        return whole / one_minus_exp(tau, frequencies, self.length)

    def pruned_weight(self, tau: float) -> float:
        """Return how many tolerances the dropped frequencies add up to, by step 2 of `tilted`."""
        by_decay = -1.0 / math.expm1(-tau)
        by_frequency = math.exp(tau / 2.0) * (1.0 + math.log(self.length))
        return 2.0 * min(by_decay, by_frequency)


@dataclass(frozen=True)
class Fit:
    """A tilted law, its window, and a tolerance: an error of T that is negligible beside T."""

    law: TiltedLaw
    window: Window
    tolerance: float

    @property
    def log_tolerance(self) -> float:
        """The log |φ| below which a frequency is dropped; all these together add `tolerance`."""
        return math.log(self.tolerance / self.window.pruned_weight(self.law.tau))

    @cached_property
    def expected(self) -> Found:
        """An estimate of the frequencies that matter."""
        return expected(self.law, self.window.length, self.log_tolerance)

    def frequencies(self, budget: Budget) -> Iterator[IntArray]:
        """Yield the `surviving_frequencies` of the law, in blocks."""
        if self.expected.is_all:
            return blocks(self.expected.frequencies, self.law)
        return surviving_frequencies(self.law, self.window.length, self.log_tolerance, budget)

    def nanoseconds(self, n: float) -> float:
        """Estimate the nanoseconds of the terms of n frequencies."""
        return _EVALUATED * n * self.law.values.size

    @property
    def cost(self) -> float:
        """An estimate of the nanoseconds that the sum takes."""
        return self.expected.nanoseconds + self.nanoseconds(self.expected.n)

    def is_slow(self, otherwise: float) -> bool:
        """Tell whether a shorter window is worth looking for."""
        if is_long(self.window.length):
            return min(self.cost, otherwise) > _SLOW
        near, _ = candidates(self.law, self.window.length, math.log(self.tolerance))
        return near.n * self.law.values.size > MANY

    def is_better_than(self, other: Fit) -> bool:
        """Tell whether it has fewer points; if these are many, far fewer, and takes less time."""
        length = other.window.length
        if is_long(length):
            return self.window.length < _SHORTER * length and self.cost < other.cost
        return self.window.length < length


def hoeffding_length(values: IntArray, counts: IntArray) -> int:
    """Return how many points hold the law without tilt, by Hoeffding's bound."""
    squares = sum_of_squares(values, counts)
    return math.ceil(2.0 * math.sqrt(squares * math.log(2.0 / DROPPED) / 2.0)) + 1


def fit(
    values: IntArray, counts: IntArray, bound: int, total: int, otherwise: float = math.inf
) -> Fit:
    """Return the tilt and the window for the tail B ≤ bound, 0 < bound < total / 2.

    Mostly these are the saddlepoint and Hoeffding's window. If that window is long, a tilt beyond
    the saddlepoint may do with far fewer points. It leaves almost no chance to a huge value that
    would otherwise decide the length (one difference of 10^6 among a thousand of 1). Such a tilt
    makes T smaller by the growth of its exponent E, which is limited. If another engine takes only
    a few milliseconds, `otherwise` in nanoseconds, no shorter window is looked for.
    """
    saddlepoint = law = tilted_to(values, counts, bound, total)
    tolerance = tolerance_of(law)
    best = Fit(law, hoeffding(law, bound, total, tolerance), tolerance)
    loss = 0.0
    while best.is_slow(otherwise) and loss < _AFFORDABLE:
        if 12.0 * math.sqrt(law.variance) < LONGEST:  # no window is much shorter
            tolerance = tolerance_of(law) * math.exp(-loss)
            other = Fit(law, chernoff(law, bound, total, tolerance), tolerance)
            if other.is_better_than(best):
                best = other
        law = law.at(2.0 * law.tau)
        loss = law.log_scale - saddlepoint.log_scale + (law.tau - saddlepoint.tau) * bound
    return best


def tolerance_of(law: Law) -> float:
    """Return a share of T, taken as Mills' ratio: T of a normal law centred on the bound."""
    return DROPPED / (1.0 + law.tau * math.sqrt(2.0 * math.pi * law.variance))


def _between(lowest: float, highest: float, bound: int, total: int, tolerance: float) -> Window:
    """Return the window of a law with half the tolerance up to `lowest`, half from `highest` on."""
    n_tail = max(min(math.ceil(bound - lowest), bound + 1), 1)
    n_guard = max(min(math.ceil(highest - bound), total - bound), 1)
    n_open = (n_tail <= bound) + (n_guard < total - bound)  # ends inside the support
    return Window(n_tail, n_guard, n_open * tolerance / 2.0)


def hoeffding(law: Law, bound: int, total: int, tolerance: float) -> Window:
    """Return the window by Q(B - mean ≥ s) ≤ exp(-2 s² / Σ range²), and the same below the mean."""
    squares = law.squares * (1.0 + _SLACK)
    reach = math.sqrt(squares * math.log(2.0 / tolerance) / 2.0) + _SLACK * law.mean
    return _between(law.mean - reach, law.mean + reach, bound, total, tolerance)


def chernoff(law: Law, bound: int, total: int, tolerance: float) -> Window:
    """Return the window by Q(B beyond b) ≤ exp(κ(s) - κ(tau) + (s - tau) b), a bound for each s.

    The tilt s is beyond tau on the side of that end.
    """
    goal = math.log(tolerance / 2.0)
    lowest, highest = _chernoff_point(law, total, goal, +1), _chernoff_point(law, total, goal, -1)
    return _between(lowest, highest, bound, total, tolerance)


def _chernoff_point(law: Law, total: int, goal: float, side: int) -> float:
    """Return the point below (side +1) or above (side -1) which `law` has at most e^goal of mass.

    The point comes from the tilt s whose own mean lies where the bound is e^goal. If even the last
    point of the support has more mass, that end is returned.
    """
    end = -1.0 if side > 0 else total
    if law.log_end(side, total) >= goal:
        return end

    def excess(distance: float) -> float:
        other = law.at(law.tau + side * distance)
        return other.log_scale - law.log_scale + side * distance * other.mean - goal

    from scipy.optimize import brentq  # slow to import, and rarely needed

    far = math.sqrt(-2.0 * goal / law.variance)
    while excess(far) > 0.0:
        far *= 2.0
        if far > 2000.0:  # pragma: no cover: all of B, of integers, is at its end but for rounding
            return end
    distance = float(brentq(excess, 0.0, far, xtol=1e-300, rtol=1e-3))
    other = law.at(law.tau + side * distance)
    error = _SLACK * (abs(other.log_scale) + abs(law.log_scale) + abs(goal))
    return side * (goal - error - other.log_scale + law.log_scale) / distance
