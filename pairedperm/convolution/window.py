"""How long a Fourier transform must be to hold a tilted law."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.optimize import brentq

from pairedperm.convolution.law import TiltedLaw

__all__ = ["Window", "fit"]

_DROPPED = 2.0**-58  # share of T that the window and the pruning may each drop, about
_LONG = 10**5  # frequencies times factors that make root-finding for a window worth while
_AFFORDABLE = 3.0  # growth of E, in nats, by which T may shrink for a shorter window
_SLACK = 2.0**-44  # relative rounding of the sums in an exponent, generously


@dataclass(frozen=True, slots=True)
class Window:
    """The points bound - above < b ≤ bound + below of the support of B.

    `above` points carry the tail that is wanted, b ≤ bound; `below` points keep the other
    side from being folded onto them. `leak` bounds the error of the tail sum T that is left:
    the mass beyond either end.
    """

    above: int
    below: int
    leak: float

    @property
    def length(self) -> int:
        """Of the transform."""
        return self.above + self.below


def fit(saddlepoint: TiltedLaw, bound: int, total: int) -> tuple[TiltedLaw, Window, float]:
    """A tilt, its window, and the error of T that goes unnoticed beside T.

    Mostly the saddlepoint and Hoeffding's window. Where that is long, a tilt beyond the
    saddlepoint may do with far less: it takes the last chance from a value so large that
    it would otherwise decide the length (one difference of 10^6 among a thousand of 1).
    It makes T smaller by the growth of its exponent E, which is limited.
    """
    law, tolerance = saddlepoint, _tolerance(saddlepoint)
    window = _hoeffding(law, bound, total, tolerance)
    best = law, window, tolerance
    loss = 0.0
    while best[1].length * law.values.size > _LONG and loss < _AFFORDABLE:
        tolerance = _tolerance(law) * math.exp(-loss)
        window = _chernoff(law, bound, total, tolerance)
        if window.length < best[1].length:
            best = law, window, tolerance
        law = law.at(2.0 * law.tau)
        loss = law.log_scale - saddlepoint.log_scale + (law.tau - saddlepoint.tau) * bound
    return best


def _tolerance(law: TiltedLaw) -> float:
    """A share of T, which for a normal law centred on the bound would be Mills' ratio."""
    return _DROPPED / (1.0 + law.tau * math.sqrt(2.0 * math.pi * law.variance))


def _hoeffding(law: TiltedLaw, bound: int, total: int, tolerance: float) -> Window:
    """Q(|B - mean| ≥ s) ≤ 2 exp(-2 s² / Σ counts values²)."""
    squares = float((law.counts * law.values.astype(float) ** 2).sum()) * (1.0 + _SLACK)
    reach = math.sqrt(squares * math.log(2.0 / tolerance) / 2.0)
    error = _SLACK * (law.mean + bound)  # of the mean
    offset = law.mean - bound
    above = min(math.ceil(reach - offset + error), bound + 1)
    below = min(math.ceil(reach + offset + error), total - bound)
    leak = 0.0
    if above <= bound:
        leak += math.exp(-2.0 * max(above + offset - error, 0.0) ** 2 / squares)
    if below < total - bound:
        leak += math.exp(-2.0 * max(below - offset - error, 0.0) ** 2 / squares)
    return Window(above, below, leak)


def _chernoff(law: TiltedLaw, bound: int, total: int, tolerance: float) -> Window:
    """Q(B beyond b) ≤ exp(κ(s) - κ(tau) + (s - tau) b) for every tilt s on that side."""
    goal = math.log(tolerance / 2.0)
    above, below, leak = bound + 1, total - bound, 0.0
    lighter = _chernoff_tilt(law, goal, +1)
    if lighter is not None and lighter.mean < bound:
        above = min(math.ceil(bound - lighter.mean), above)
        if above <= bound:
            leak += math.exp(_chernoff_exponent(law, lighter, bound - above))
    heavier = _chernoff_tilt(law, goal, -1)
    if heavier is not None and heavier.mean > bound:
        below = min(math.ceil(heavier.mean - bound), below)
        if below < total - bound:
            leak += math.exp(_chernoff_exponent(law, heavier, bound + below))
    return Window(above, below, leak)


def _chernoff_tilt(law: TiltedLaw, goal: float, side: int) -> TiltedLaw | None:
    """The tilt whose mean is the point beyond which `law` has e^goal; None where none has."""

    def exponent(distance: float) -> float:
        other = law.at(law.tau + side * distance)
        return _chernoff_exponent(law, other, other.mean) - goal

    # At the end of the support the bound is the mass of one point.
    n_log2 = float(law.counts.sum()) * math.log(2.0)
    end = -law.log_scale - n_log2  # B = 0; for B = total the tilt costs tau·total more
    if side < 0:
        end -= law.tau * float((law.counts * law.values.astype(float)).sum())
    if end >= goal:
        return None
    far = math.sqrt(-2.0 * goal / law.variance)
    while exponent(far) > 0.0:
        far *= 2.0
        if far > 1e300:  # the end of the support is within rounding of the goal
            return None
    return law.at(law.tau + side * float(brentq(exponent, 0.0, far, rtol=1e-3)))


def _chernoff_exponent(law: TiltedLaw, other: TiltedLaw, point: float) -> float:
    """κ(s) - κ(tau) + (s - tau) point, rounded up."""
    shift = (other.tau - law.tau) * point
    error = _SLACK * (abs(other.log_scale) + abs(law.log_scale) + abs(shift))
    return min(other.log_scale - law.log_scale + shift + error, 0.0)
