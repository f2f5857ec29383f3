"""The tail of a sum of independent two-point variables, relatively accurate at any size.

P(B ≤ bound) is wanted for B = Σ_k values[k] · Binomial(counts[k], 1/2). Let Q be the law of B
tilted by e^{-tau B} (the saddlepoint method's change of measure). Then, for any tau ≥ 0,

    P(B ≤ bound) = e^E · T,   E = Σ_k counts[k] log((1 + e^{-tau values[k]}) / 2) + tau bound,
                              T = Σ_{x ≥ 0} e^{-tau x} Q(B = bound - x),

If tau moves the mean of B to the bound, T is at least of the order of one over the standard
deviation. So no digit is lost, however small the product is. A discrete Fourier transform of M
points, just long enough to hold Q (`Window`), turns T into

    T = 1/M Σ_f φ(f) e^{-iω bound} (1 - z^n) / (1 - z),   ω = 2π f / M,  z = e^{-tau + iω},

with a geometric series of n terms at each frequency. Only those few f contribute at which the
characteristic function φ of Q has not died away (`intervals`).

The certificate. tau is a float and exact; every other number below is compared with its
true value at this tau. Units are u = 2^-53. `characteristic` says what is assumed of the
mathematical library.

1. Wrap-around. The transform folds points of the support that are M apart onto each other.
   So it misses the b ≤ bound - n, and adds those b > bound + M - n that fall on the n points of
   the tail. No weight e^{-tau x} exceeds 1. So T is off by at most the mass of Q beyond the
   window's ends: `Window.leak`, by Hoeffding's or Chernoff's bound.
2. Pruning. At a dropped frequency, |φ| ≤ tolerance, and its weight is
   |1 - z^n| / |1 - z| ≤ 2 min(1 / (1 - e^{-tau}), M e^{tau/2} / 4f), because
   |1 - re^{iω}|² = (1 - r)² + 4r sin²(ω/2). The sum over f = 1 … M/2 and their mirror images
   is at most tolerance · 2 min(1 / (1 - e^{-tau}), e^{tau/2} (1 + log M)).
3. Rounding of T. The term of a frequency is |φ| |series| cos(their phases). Relative to
   |φ| |series|, it is off by the joint error of φ (`characteristic`), 8 for the exponential,
   8 for cosine and sine, 8 for products and sums, and 80 for the series. In the series,
   1 - e^{-d + iω} has a real part of two positive terms, within 34 (e^{-d} 8 + d, two sines
   11 each, 4 products and sums; d e^{-d} ≤ 1 - e^{-d}). Its imaginary part is within 35 of the
   whole, and the quotient adds 10.
4. Rounding of E. With y within 2, a centred term is within 20 + 1 (sinh²) + 8 + 3 = 32
   relatively, a rare one within 8 + 2y + 8 + 2. The linear terms are within 2 and 8 + 2. Their
   sum is rounded once.

The interval holds the sum of these errors, rounded outward (`CertifiedProbability.from_product`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pairedperm.convolution.certified import UNIT, UP, CertifiedProbability
from pairedperm.convolution.characteristic import (
    ELEMENTARY,
    LONGEST_TRANSFORM,
    characteristic,
    check_length,
    exponent,
    in_blocks,
    one_minus_exp,
    residues,
)
from pairedperm.convolution.draws.law import ResampledLaw
from pairedperm.convolution.engine import advance
from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import ComplexArray, FloatArray, IntArray, TiltedLaw, tilted_to
from pairedperm.convolution.line.intervals import Survivors, check_looked_at, search
from pairedperm.convolution.root import find_root
from pairedperm.convolution.waves import TwoPointWaves
from pairedperm.errors import BudgetError
from pairedperm.options import Budget

DROPPED_SHARE = 2.0**-58  # tuned: share of T that the window and the pruning may each drop, about
SLOW_SUM = 5e6  # tuned: ns of a sum that make root-finding worth while
_SHORTER = 0.9  # tuned: share of a window's points that a better window stays below
_SURVIVOR_NS = 90.0  # tuned: ns of a factor at a frequency that survives
_AFFORDABLE = 3.0  # tuned: growth of E, in nats, by which T may shrink for a shorter window
_EXPONENT_SLACK = 2.0**-44  # proof: relative rounding of the sums in an exponent, generously
_SERIES = 80.0  # proof: u of `Window.series`

SumLaw = TiltedLaw | ResampledLaw  # of a sum B of independent variables, integers from 0 on


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
        """Return how many tolerances the dropped frequencies add up to, by step 2 above."""
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
    def expected(self) -> Survivors:
        """An estimate of the frequencies that matter."""
        if self.window.length > LONGEST_TRANSFORM:
            return Survivors(n=math.inf, n_looked_at=math.inf, nanoseconds=math.inf, is_all=False)
        return self._search(None)

    def _search(self, budget: Budget | None) -> Survivors:
        source = TwoPointWaves(self.law, self.window.length)
        return search(source, self.window.length, self.log_tolerance, budget)

    def frequencies(self, budget: Budget) -> list[IntArray]:
        """Yield blocks of the frequencies at which |φ| may exceed the tolerance."""
        known = self.expected if self.expected.is_all else self._search(budget)
        return in_blocks(known.frequencies, self.law.values.size)

    def nanoseconds(self, n: float) -> float:
        """Estimate the nanoseconds of the terms of n frequencies."""
        return _SURVIVOR_NS * n * self.law.values.size

    def check(self, budget: Budget) -> None:
        """Raise BudgetError if the sum is expected to exceed the budget."""
        check_length(self.window.length, int(self.law.counts.sum()))
        check_looked_at(self.expected.n_looked_at, budget)

    @property
    def cost(self) -> float:
        """An estimate of the nanoseconds that the sum takes."""
        return self.expected.nanoseconds + self.nanoseconds(self.expected.n)


def fit(
    values: IntArray,
    counts: IntArray,
    bound: int,
    total: int,
    otherwise: float = math.inf,
    share: float = 0.0,
) -> Fit:
    """Return the tilt and the window for the tail B ≤ bound, 0 < bound < total / 2.

    Mostly these are the saddlepoint and Hoeffding's window. If that window is long, a tilt beyond
    the saddlepoint may do with far fewer points. It leaves almost no chance to a huge value that
    would otherwise decide the length (one difference of 10^6 among a thousand of 1). Such a tilt
    makes T smaller by the growth of its exponent E, which is limited. If another engine takes only
    a few milliseconds, `otherwise` in nanoseconds, no shorter window is looked for. A larger
    `share` of T may be dropped than 2^-58, by the window and by the pruning each.
    """
    # each step doubles the tilt, as long as the window is long and T large enough
    saddlepoint = law = tilted_to(values, counts, bound, total)
    tolerance = tolerance_of(law, share)
    best = Fit(law, hoeffding(law, bound, total, tolerance), tolerance)
    loss = 0.0
    while min(best.cost, otherwise) > SLOW_SUM and loss < _AFFORDABLE:
        if 12.0 * math.sqrt(law.variance) < LONGEST_TRANSFORM:  # no window is much shorter
            tolerance = tolerance_of(law, share) * math.exp(-loss)
            other = Fit(law, chernoff(law, bound, total, tolerance), tolerance)
            is_shorter = other.window.length < _SHORTER * best.window.length
            if is_shorter and other.cost < best.cost:
                best = other
        law = law.at(2.0 * law.tau)
        loss = law.log_scale - saddlepoint.log_scale + (law.tau - saddlepoint.tau) * bound
    return best


def tolerance_of(law: SumLaw, share: float = 0.0) -> float:
    """Return a share of T, taken as Mills' ratio: T of a normal law centred on the bound."""
    return max(share, DROPPED_SHARE) / (1.0 + law.tau * math.sqrt(2.0 * math.pi * law.variance))


def _cut_window(lowest: float, highest: float, bound: int, total: int, tolerance: float) -> Window:
    """Return the window of a law with half the tolerance up to `lowest`, half from `highest` on."""
    n_tail = max(min(math.ceil(bound - lowest), bound + 1), 1)
    n_guard = max(min(math.ceil(highest - bound), total - bound), 1)
    n_open = (n_tail <= bound) + (n_guard < total - bound)  # ends inside the support
    return Window(n_tail, n_guard, n_open * tolerance / 2.0)


def hoeffding(law: SumLaw, bound: int, total: int, tolerance: float) -> Window:
    """Return the window by Q(B - mean ≥ s) ≤ exp(-2 s² / Σ range²), and the same below the mean."""
    squares = law.squares * (1.0 + _EXPONENT_SLACK)
    reach = math.sqrt(squares * math.log(2.0 / tolerance) / 2.0) + _EXPONENT_SLACK * law.mean
    return _cut_window(law.mean - reach, law.mean + reach, bound, total, tolerance)


def chernoff(law: SumLaw, bound: int, total: int, tolerance: float) -> Window:
    """Return the window by Q(B beyond b) ≤ exp(κ(s) - κ(tau) + (s - tau) b), a bound for each s.

    The tilt s is beyond tau on the side of that end.
    """
    goal = math.log(tolerance / 2.0)
    lowest, highest = _chernoff_point(law, total, goal, +1), _chernoff_point(law, total, goal, -1)
    return _cut_window(lowest, highest, bound, total, tolerance)


def _chernoff_point(law: SumLaw, total: int, goal: float, side: int) -> float:
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

    # the bound falls with the distance of the tilts: to e^goal at the root
    far = math.sqrt(-2.0 * goal / law.variance)
    while excess(far) > 0.0:
        far *= 2.0
        if far > 2000.0:  # pragma: no cover: all of B, of integers, is at its end but for rounding
            return end
    distance = find_root(excess, 0.0, far, xtol=1e-300, rtol=1e-3)
    other = law.at(law.tau + side * distance)
    error = _EXPONENT_SLACK * (abs(other.log_scale) + abs(law.log_scale) + abs(goal))
    return side * (goal - error - other.log_scale + law.log_scale) / distance


TERM = 2.0 * ELEMENTARY + 8.0 + _SERIES  # proof: u of a term, with its products and sums
PROMISED = 5e-11  # tuned: largest relative error, of log p if p is far below 1e-300


def tilted_lower_tail(fitted: Fit, bound: int, budget: Budget) -> CertifiedProbability:
    """Return P(B ≤ bound), by a law that `fit` has tilted to this bound, at least the least value.

    Cost: O(M) at worst, M about 9 √(Σ counts · values²) or shorter, times the number of factors.
    Mostly some hundred frequencies suffice (`Fit.cost`).
    """
    law = fitted.law
    log_scale, log_scale_error = exponent_at(law, bound)
    tail, rounding = tilted_sum(fitted, bound, fitted.window, fitted.frequencies(budget))
    tail_error = UP * (fitted.window.leak + fitted.tolerance + rounding)
    if tail_error > PROMISED * tail * max(1.0, -log_scale / 700.0):
        raise ArithmeticError(
            f"the tilted sum lost its digits: {tail} ± {tail_error}. This is a bug in pairedperm; "
            "please report it with the input."
        )
    if tail_error >= tail:
        raise BudgetError(
            f"log p is about {log_scale:.3g} for {int(law.counts.sum()):.3g} differing "
            "examples: so many are too many to certify p."
        )
    return CertifiedProbability.from_tilted(log_scale, log_scale_error, tail, tail_error)


def exponent_at(law: TiltedLaw, bound: int) -> tuple[float, float]:
    """Return E and a bound on its error; linear terms nearly cancel, so integers are added."""
    centred = exact_dot(law.counts[: law.n_centred], law.values[: law.n_centred])
    return exponent(law, law.tau * ((2 * bound - centred) / 2))


def tilted_sum(
    fitted: Fit, bound: int, window: Window, blocks: Iterable[IntArray]
) -> tuple[float, float]:
    """Return T and a bound on its rounding error, from blocks of surviving frequencies."""
    law, sums, error = fitted.law, [], 0.0
    for frequencies in blocks:
        terms, errors = _terms(law, frequencies, bound, window)
        sums.append(math.fsum(terms.tolist()))
        error += float(errors.sum())
        advance(fitted.nanoseconds(frequencies.size))
    return math.fsum(sums) / window.length, UNIT * error / window.length


def _terms(
    law: TiltedLaw, frequencies: IntArray, bound: int, window: Window
) -> tuple[FloatArray, FloatArray]:
    """Return what each frequency and its mirror image add to M · T, and the errors in u."""
    log_phi, phase, phi_error = characteristic(law, frequencies, bound, window.length)
    modulus = np.exp(log_phi)
    terms, weight = mirrored(window, law.tau, frequencies, modulus, phase)
    return terms, modulus * weight * (TERM + phi_error)


def mirrored(
    window: Window, tau: float, frequencies: IntArray, modulus: FloatArray, phase: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return what φ(f) e^{-iω bound} adds to M · T, and the weight of |φ(f)| in it.

    `modulus` and `phase` are those of φ(f) e^{-iω bound}. Both results include the mirror image -f.
    """
    series = window.series(tau, frequencies)
    is_own_mirror = (frequencies == 0) | (2 * frequencies == window.length)
    weight = np.where(is_own_mirror, 1.0, 2.0)
    summed = np.cos(phase) * series.real - np.sin(phase) * series.imag
    return weight * modulus * summed, weight * np.abs(series)
