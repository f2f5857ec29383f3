"""How long a Fourier transform must be to hold a tilted law."""

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
_SLOW = 5e6  # tuned: ns of a long sum that make it worth while
_SHORTER = 0.9  # tuned: share of a long window's points, fewer of which may be faster
_EVALUATED = 90.0  # tuned: ns of a factor at a frequency that survives
_AFFORDABLE = 3.0  # tuned: growth of E, in nats, by which T may shrink for a shorter window
_SLACK = 2.0**-44  # proof: relative rounding of the sums in an exponent, generously
SERIES = 80.0  # proof: u of `Window.series`


Law = TiltedLaw | ResampledLaw  # of a sum B of independent variables, integers from 0 on


@dataclass(frozen=True, slots=True)
class Window:
    """The points bound - n_tail < b ≤ bound + n_guard of the support of B.

    `n_tail` points carry the tail that is wanted, b ≤ bound; `n_guard` points keep the other
    side from being folded onto them. `leak` bounds the error of the tail sum T that is left:
    the mass beyond either end.
    """

    n_tail: int
    n_guard: int
    leak: float

    @property
    def length(self) -> int:
        """Of the transform."""
        return self.n_tail + self.n_guard

    def series(self, tau: float, frequencies: IntArray) -> ComplexArray:
        """(1 - z^n) / (1 - z) for z = e^{-tau + iω}: the weights of the tail's n points."""
        last = residues(frequencies, self.n_tail % self.length, self.length)
        whole = one_minus_exp(tau * self.n_tail, last, self.length)
        return whole / one_minus_exp(tau, frequencies, self.length)

    def pruned_weight(self, tau: float) -> float:
        """How much of the tolerance the dropped frequencies add up to, by step 2 of `tilted`."""
        by_decay = -1.0 / math.expm1(-tau)
        by_frequency = math.exp(tau / 2.0) * (1.0 + math.log(self.length))
        return 2.0 * min(by_decay, by_frequency)


@dataclass(frozen=True)
class Fit:
    """A tilted law, its window, and the error of T that goes unnoticed beside T."""

    law: TiltedLaw
    window: Window
    tolerance: float

    @property
    def log_tolerance(self) -> float:
        """Of |φ| where a frequency is dropped: the dropped together add `tolerance`."""
        return math.log(self.tolerance / self.window.pruned_weight(self.law.tau))

    @cached_property
    def expected(self) -> Found:
        """The frequencies that matter, about."""
        return expected(self.law, self.window.length, self.log_tolerance)

    def frequencies(self, budget: Budget) -> Iterator[IntArray]:
        """See `surviving_frequencies`."""
        if self.expected.is_all:
            return blocks(self.expected.frequencies, self.law)
        return surviving_frequencies(self.law, self.window.length, self.log_tolerance, budget)

    def nanoseconds(self, n: float) -> float:
        """Of the terms of so many frequencies, about."""
        return _EVALUATED * n * self.law.values.size

    @property
    def cost(self) -> float:
        """About how many nanoseconds the sum takes."""
        return self.expected.nanoseconds + self.nanoseconds(self.expected.n)

    def is_slow(self, otherwise: float) -> bool:
        """Whether a shorter window is worth looking for."""
        if is_long(self.window.length):
            return min(self.cost, otherwise) > _SLOW
        near, _ = candidates(self.law, self.window.length, math.log(self.tolerance))
        return near.n * self.law.values.size > MANY

    def is_better_than(self, other: Fit) -> bool:
        """Whether it has fewer points; where there are many, much fewer, and takes less time."""
        length = other.window.length
        if is_long(length):
            return self.window.length < _SHORTER * length and self.cost < other.cost
        return self.window.length < length


def hoeffding_length(values: IntArray, counts: IntArray) -> int:
    """How many points hold the law without tilt."""
    squares = sum_of_squares(values, counts)
    return math.ceil(2.0 * math.sqrt(squares * math.log(2.0 / DROPPED) / 2.0)) + 1


def fit(
    values: IntArray, counts: IntArray, bound: int, total: int, otherwise: float = math.inf
) -> Fit:
    """What the tilted sum of the tail B ≤ bound needs, 0 < bound < total / 2.

    Mostly the saddlepoint and Hoeffding's window. Where that is long, a tilt beyond the
    saddlepoint may do with far less: it takes the last chance from a value so large that
    it would otherwise decide the length (one difference of 10^6 among a thousand of 1).
    It makes T smaller by the growth of its exponent E, which is limited. What can be done
    `otherwise` in a few milliseconds is not worth that.
    """
    saddlepoint = law = tilted_to(values, counts, bound, total)
    tolerance = tolerance_of(law)
    best = Fit(law, hoeffding(law, bound, total, tolerance), tolerance)
    loss = 0.0
    while best.is_slow(otherwise) and loss < _AFFORDABLE:
        if 12.0 * math.sqrt(law.variance) < LONGEST:  # hardly a window is shorter
            tolerance = tolerance_of(law) * math.exp(-loss)
            other = Fit(law, chernoff(law, bound, total, tolerance), tolerance)
            if other.is_better_than(best):
                best = other
        law = law.at(2.0 * law.tau)
        loss = law.log_scale - saddlepoint.log_scale + (law.tau - saddlepoint.tau) * bound
    return best


def tolerance_of(law: Law) -> float:
    """A share of T, which for a normal law centred on the bound would be Mills' ratio."""
    return DROPPED / (1.0 + law.tau * math.sqrt(2.0 * math.pi * law.variance))


def _between(lowest: float, highest: float, bound: int, total: int, tolerance: float) -> Window:
    """The window for a law with half the tolerance up to `lowest`, and half from `highest` on."""
    n_tail = max(min(math.ceil(bound - lowest), bound + 1), 1)
    n_guard = max(min(math.ceil(highest - bound), total - bound), 1)
    n_open = (n_tail <= bound) + (n_guard < total - bound)  # ends that are not the support's
    return Window(n_tail, n_guard, n_open * tolerance / 2.0)


def hoeffding(law: Law, bound: int, total: int, tolerance: float) -> Window:
    """Q(B - mean ≥ s) ≤ exp(-2 s² / Σ range²), and the same below the mean."""
    squares = law.squares * (1.0 + _SLACK)
    reach = math.sqrt(squares * math.log(2.0 / tolerance) / 2.0) + _SLACK * law.mean
    return _between(law.mean - reach, law.mean + reach, bound, total, tolerance)


def chernoff(law: Law, bound: int, total: int, tolerance: float) -> Window:
    """Q(B beyond b) ≤ exp(κ(s) - κ(tau) + (s - tau) b) for every tilt s on that side."""
    goal = math.log(tolerance / 2.0)
    lowest, highest = _chernoff_point(law, total, goal, +1), _chernoff_point(law, total, goal, -1)
    return _between(lowest, highest, bound, total, tolerance)


def _chernoff_point(law: Law, total: int, goal: float, side: int) -> float:
    """The point from which on downwards (side +1) or upwards (-1) `law` has at most e^goal.

    It comes from the s whose own mean lies where the bound is e^goal. Where even the last
    point of the support has more, it is that end.
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
