"""The mass of the rows of a region in the plane, from one tilt.

B = Σ_k vectors[k] · Binomial(counts[k], 1/2) with vectors (i, j) of integers. In each row j, a
region R has all i up to a bound b(j). Under the law Q tilted by e^{-tau · B}, tau = (mu, nu),

    P(B ∈ R) = e^E T,   E = κ(tau) + m,   m = max_{b ∈ R} tau · b,
                        T = Σ_{b ∈ R} e^{tau · b - m} Q(b),   κ(tau) = log E e^{-tau · B}.

No weight in T exceeds 1. With periods M and N that just hold Q,

    T = 1/(MN) Σ_{f,g} φ(f, g) H(f, g),   ω = 2π f / M,   η = 2π g / N,   z = e^{-mu + iω},
    H(f, g) = Σ_j w(j) e^{-iηj} (e^{-iω b(j)} - e^{-mu n(j)} e^{-iω (b(j) - n(j))}) / (1 - z),

with w(j) = e^{mu b(j) + nu j - m}. Each row is a geometric series of n(j) terms, down to the lowest
i that matters; its sum is n(j) if z = 1. Only those few (f, g) contribute at which the
characteristic function φ of Q has not died away, some thousand for any number of examples. So no
transform is needed: H is a product of two matrices, rows × f and rows × g. If p is small, the
weights make the region thin, and a shorter period M leaves a third of the frequencies.

Vectors that the tilt makes likely are turned first: v X = v - v (1 - X) for a Bernoulli X. That
moves B by `shift`. Rows, bounds, m and κ are those of B - shift.

The certificate is that of `tilted`, with these differences:

1. Wrap-around. Q has mass at most `leak` outside a box (`box`). That mass is lost at most once,
   with the weight of the band's bound. N is such that nothing in the box is folded onto the rows
   from other ones. If M is the width of the box, nothing in the box is folded within a row either.
   What lies outside is folded onto wanted points at most once, with a weight up to 1.
   A shorter M (`_period`) is at least 1 + 1 / mu. Within a row, a weight falls by e^{-mu M} with
   each period. So the wanted points onto which one point is folded have, all together, at most
   twice the weight of the uppermost, and `leak` counts twice. Let Y = tau · B. A point b' with Y'
   is folded onto the wanted points b' - k (M, 0) of its row. For k ≥ 1 these have a weight of at
   most e^{Y' - mu M - m} and at most 1, so at most e^{λ (Y' - mu M - m)} for any λ from 0 to 1.
   For k ≤ -1, Y' ≤ m - mu M, which has a probability of at most E e^{λ (m - mu M - Y)} for any
   λ ≥ 0. Under Q, E e^{± λ Y} = e^{κ((1 ∓ λ) tau) - κ(tau)}. So either is at most tolerance / 8 if

       mu M ≥ (log(8 / tolerance) + κ((1 ∓ λ) tau) - κ(tau)) / λ ∓ m,

   and both together, counted twice, add tolerance / 2.
2. Pruning. At a dropped frequency, |φ| ≤ tolerance and |H(f, g)| ≤ 2W / |1 - z|, W = Σ_j w(j); at
   f = 0, |H| ≤ W min(M, 1 / (1 - e^{-mu})). (A shorter M exceeds the other number.) The sum over
   f, as in `tilted`, and over all N of the g is at most
   tolerance · W · 2 min(1 / (1 - e^{-mu}), 1 + e^{mu/2} (1 + log M)).
3. Rounding of T, in u. A term has roots of unity (`series`). It has a weight e^{-d}, 8 and
   d e^{-d} < 1, and of φ the exponential, cosine and sine, 16. The division by 1 - z adds 45,
   products of complex numbers 4 each (`_OF_TERM`). The rows are summed (`Series.additions`), then
   all g.
4. y, tau · b and m are exact: integers times a power of two.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import UNIT, UP
from pairedperm.convolution.characteristic import (
    ELEMENTARY,
    exponent,
    one_minus_exp,
    phi_at,
)
from pairedperm.convolution.engine import Meter
from pairedperm.convolution.grid.frequencies import surviving_grid_frequencies
from pairedperm.convolution.law import IntArray, log_scale
from pairedperm.convolution.plane.law import PlanarLaw, Point, TiltedPlanarLaw
from pairedperm.convolution.plane.series import ROOTS, Series
from pairedperm.errors import BudgetError, message

_DROPPED_OF_BAND = 2.0**-54  # tuned: share of T that the box and the pruning may each drop, about
_MAX_POINTS, _MAX_LENGTH = 2**50, 2**31  # proof: product of the periods, and each: for int64
_OF_PERIOD = 2.0**13  # proof: u of the terms that tell a short period, generously
_OF_TERM = ROOTS + 3.0 * ELEMENTARY + 70.0  # proof: u of a term, without φ and the sums
MULTIPLIED = 0.5  # tuned: ns of one row for one f and one g
_FREQUENCY_BYTES, ROW_BYTES = 64, 128  # tuned: bytes of a frequency, and of a row or root of unity


class PlanarRegion(Protocol):
    """The points (i, j) with i up to a bound that depends on the row j."""

    def bounds(self, rows: IntArray) -> IntArray:
        """Return the greatest i in each of these rows."""

    def corners(self, first: int, last: int) -> tuple[Point, Point] | None:
        """Return two points of a line that bounds the region in these rows; None if it is empty.

        The rows are within one of `convex_parts`. The second point has no lower row than the first.
        """

    def convex_parts(self) -> list[tuple[int, int]]:
        """Return the first and last rows of parts, which together are all rows."""

    def sketch(self) -> list[tuple[Point, Point]]:
        """Estimate the `corners` of all parts that have any."""

    def holds(self, points: IntArray) -> NDArray[np.bool_]:
        """Tell which points (i, j), shape (n, 2), belong to the region."""


class Box(NamedTuple):
    """A box outside which Q has at most `leak`, and how much more may be dropped of T."""

    columns: tuple[int, int]
    rows: tuple[int, int]
    leak: float
    tolerance: float


class Mass(NamedTuple):
    """The mass e^exponent · tail, and bounds on the errors of both.

    The terms of the transform, by bounds on their size, add up to `cancelled` times the tail.
    """

    exponent: float
    tail: float
    exponent_error: float
    tail_error: float
    cancelled: float = math.inf

    @property
    def log_error(self) -> float:
        """The logarithm of the tail's error on the scale of the mass."""
        return self.exponent + math.log(self.tail_error) if self.tail_error else -math.inf


def box(law: PlanarLaw, tilted: TiltedPlanarLaw) -> Box:
    """Return the box of the tilted law about its mean, by the better of two bounds for each side.

    Hoeffding's is Q(i - mean ≥ s) ≤ exp(-2 s² / Σ counts i²). Bernstein's is better if a tilt
    leaves little variance: Q(i - mean ≥ s) ≤ exp(-s² / (2 variance + 2 s max|i| / 3)).
    """
    mu = math.ldexp(tilted.tilt.i, -tilted.tilt.exponent)
    deviation = math.sqrt(2.0 * math.pi * float(tilted.variance[0]))
    tolerance = _DROPPED_OF_BAND / (1.0 + abs(mu) * deviation)
    sides = []
    n_open = 0
    log_odds = math.log(4.0 / tolerance)
    # the better bound on either side of each coordinate
    for k in (0, 1):
        mean, shift = float(tilted.mean[k]), tilted.shift[k]
        steepest = float(np.abs(tilted.vectors[:, k]).max()) * log_odds / 3.0
        reach = min(
            math.sqrt(law.squares[k] * log_odds / 2.0),
            steepest + math.sqrt(steepest**2 + 2.0 * log_odds * float(tilted.variance[k])),
        )
        reach = reach * (1.0 + 2.0**-40) + 1.0
        low, high = (end - shift for end in law.support[k])
        n_open += (mean - reach > low) + (mean + reach < high)
        sides.append((max(math.floor(mean - reach), low), min(math.ceil(mean + reach), high)))
    return Box(sides[0], sides[1], n_open * tolerance / 4.0, tolerance)


def band_mass(
    law: TiltedPlanarLaw,
    region: PlanarRegion,
    first: int,
    last: int,
    log_bound: float,
    within: Box,
    meter: Meter,
) -> Mass:
    """Return P(B ∈ region, first ≤ j ≤ last), which is at most e^log_bound, by the law's own tilt.

    Raises
    ------
    BudgetError
        If the transform takes too long or does not fit.
    """
    # only rows in the box have mass that matters; what lies outside is in its leak
    first = max(first - law.shift[1], within.rows[0])
    last = min(last - law.shift[1], within.rows[1])
    nothing = Mass(log_bound, 0.0, 0.0, within.leak)
    if first > last:
        return nothing
    # periods: whatever else is in the box may not be folded onto these rows
    lengths = (
        within.columns[1] - within.columns[0] + 1,
        max(within.rows[1] - first, last - within.rows[0]) + 1,
    )
    _check_size(law, lengths, last - first + 1, meter)
    # in each row, the region ends at its bound or at the end of the box
    bounds = region.bounds(np.arange(first, last + 1) + law.shift[1]) - law.shift[0]
    lowest, highest = within.columns
    reached = np.flatnonzero(bounds >= lowest)
    if not reached.size:
        return nothing
    bounds = np.clip(bounds[reached[0] : reached[-1] + 1], lowest - 1, highest)
    series = Series(law.tilt, first + int(reached[0]), bounds, lowest)
    # the exponent from integers, the factor T by a sum over few frequencies
    scale, scale_error = exponent(law, _linear(law, series.greatest))
    period = _period(law, series, lengths[0], within.tolerance)
    folded = 0.0
    if period < lengths[0]:
        lengths, folded = (period, lengths[1]), within.leak + within.tolerance / 2.0
    tail, error, size = _band_sum(law, series, lengths, within.tolerance, meter)
    # what leaks is lost with the weight of the bound, and folded with a weight up to 1
    lost = within.leak * (1.0 + math.exp(min(max(log_bound - scale, 0.0), 700.0)))
    tail_error = UP * (lost + folded + within.tolerance + error)
    cancelled = size / tail if tail > 0.0 else math.inf
    return Mass(scale, tail, UP * scale_error, tail_error, cancelled)


def _period(law: TiltedPlanarLaw, series: Series, width: int, tolerance: float) -> int:
    """Return the least period of the columns by step 1, the width of the box or less."""
    variance = float((law.counts * law.chance * (1.0 - law.chance)) @ law.y**2)  # of tau · B
    if not series.mu * variance > 0.0:
        return width
    log_odds = math.log(8.0 / tolerance)
    rate = math.sqrt(2.0 * log_odds / variance)  # the best λ for a normal law
    greatest = math.ldexp(series.greatest, -law.tilt.exponent)
    scale = log_scale(law.y, law.counts)
    drop = 1.0  # mu M at least
    for sign, size in ((-1.0, min(rate, 1.0)), (1.0, rate)):  # from below, and from above
        other = log_scale((1.0 + sign * size) * law.y, law.counts)
        needed = (log_odds + other - scale) / size + sign * greatest
        rounding = (abs(other) + abs(scale)) / size + abs(greatest)
        drop = max(drop, needed + UNIT * _OF_PERIOD * rounding)
    return math.ceil(drop / series.mu) + 1 if drop < series.mu * (width - 1) else width


def _linear(law: TiltedPlanarLaw, greatest: int) -> float:
    """Return the linear term m - Σ counts y / 2, over the centred factors, from integers."""
    centred = slice(law.n_centred)
    pairs = zip(law.counts[centred].tolist(), law.product[centred].tolist(), strict=True)
    return math.ldexp(2 * greatest - sum(count * y for count, y in pairs), -1 - law.tilt.exponent)


def _band_sum(
    law: TiltedPlanarLaw,
    series: Series,
    lengths: tuple[int, int],
    tolerance: float,
    meter: Meter,
) -> tuple[float, float, float]:
    """Return T, a bound on its rounding error, and one on the sum of its terms' moduli."""
    # φ dies away: the few frequencies that are left stand for all
    pruned = tolerance / series.total / pruned_weight(series.mu, lengths[0])
    frequencies = surviving_grid_frequencies(law, lengths, math.log(pruned), meter)
    f, f_position = np.unique(frequencies[:, 0], return_inverse=True)
    g, g_position = np.unique(frequencies[:, 1], return_inverse=True)
    meter.check_bytes(_FREQUENCY_BYTES * f.size * g.size)
    meter.spend(MULTIPLIED * series.n_rows * f.size * g.size)
    # about the mean, phases of φ and of the rows stay small
    centre = (round(float(law.mean[0])), round(float(law.mean[1])))
    phi, phi_error = phi_at(law, frequencies, centre, lengths)
    spectrum = np.zeros((f.size, g.size), dtype=np.complex128)
    spectrum[f_position, g_position] = phi
    sums = series.transformed(f, g, centre, lengths)
    # the geometric series in i, and the mirror images of the frequencies
    twice = np.where((f == 0) | (2 * f == lengths[0]), 1.0, 2.0)  # counts the mirror image
    divisor = one_minus_exp(series.mu, f, lengths[0])
    divisor[f == 0] = 1.0  # there the series is summed already
    terms = ((spectrum * sums).sum(axis=1) / divisor).real * twice
    largest = np.where(f == 0, series.at_zero, 2.0 * series.total) * twice / np.abs(divisor)
    # a bound on the rounding of each term, by step 3 of the certificate
    constant = _OF_TERM + series.additions + 32 + g.size.bit_length()
    phi_error[phi == 0.0] = 0.0  # a factor is 0, exactly or far below what was pruned
    sizes = np.abs(phi) * largest[f_position]
    error = float((sizes * (phi_error + constant)).sum())
    n_points = lengths[0] * lengths[1]
    tail = math.fsum(terms.tolist()) / n_points
    return tail, UNIT * error / n_points, float(sizes.sum()) / n_points


def pruned_weight(mu: float, length: int) -> float:
    """Return how many tolerances the dropped frequencies add up to, for W = 1."""
    by_decay = -1.0 / math.expm1(-mu) if mu else math.inf
    by_frequency = math.exp(mu / 2.0) * (1.0 + math.log(length)) if mu < 1.0 else math.inf
    return 2.0 * min(by_decay, 1.0 + by_frequency)


def is_too_long(law: TiltedPlanarLaw, lengths: tuple[int, int]) -> bool:
    """Tell whether a transform of these lengths exceeds int64."""
    n_points = lengths[0] * lengths[1]
    turned = min(int(law.counts.max()), 2 * n_points)  # half turns are summed in int64
    summed = n_points * max(turned, 2 * law.counts.size)
    return n_points > _MAX_POINTS or max(lengths) > _MAX_LENGTH or summed > 2**62


def too_long(lengths: tuple[int, int]) -> str:
    """Say that no budget allows such a transform."""
    return message(
        f"the exact p-value needs a Fourier transform of {lengths[0]:.3g} x {lengths[1]:.3g} "
        "points, more than any budget allows: the counts are too large, or the examples too many",
    )


def _check_size(law: TiltedPlanarLaw, lengths: tuple[int, int], n_rows: int, meter: Meter) -> None:
    """Raise BudgetError for a transform that is too long, however few frequencies survive."""
    if is_too_long(law, lengths):
        raise BudgetError(too_long(lengths))
    meter.check_bytes(ROW_BYTES * (n_rows + lengths[0] + lengths[1]))
