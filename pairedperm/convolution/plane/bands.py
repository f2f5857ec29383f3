"""The tail of a sum of vectors in the plane, relatively accurate at any size.

In each row, a region R of the plane has all points up to a bound. If R belongs to a difference of
ratios, the bound is a convex function of the row, and R is not convex. Then a bound on all of R
may be far above P(R), and a tilt that suits one end of R suits the other badly. So the rows are
divided into bands, each with its own tilt (`band`), until each is known well enough. All masses
are positive, and P is their sum. A band with a negligible bound is not computed; all these bounds
go into the interval.

Of a band, P(B = b) = e^{κ + tilt · b} Q(b), and Q has at most `leak` outside the box of the tilt.
So the rows outside the box have at most e^{κ + max tilt · b} leak.
"""

from __future__ import annotations

import heapq
import math
from itertools import pairwise
from typing import NamedTuple

from pairedperm.convolution.certified import MOST_ERROR, UNIT, UP, CertifiedProbability
from pairedperm.convolution.engine import Cost, Meter
from pairedperm.convolution.grid.frequencies import search_cost
from pairedperm.convolution.plane.band import (
    MULTIPLIED,
    ROW_BYTES,
    Mass,
    PlanarRegion,
    band_mass,
    box,
    is_too_long,
    pruned_weight,
    too_long,
)
from pairedperm.convolution.plane.law import PlanarLaw, Point, Tilt
from pairedperm.errors import BudgetError
from pairedperm.options import NANOSECONDS, Budget, raised

NEGLIGIBLE = math.log(2.0**-50)  # tuned: log of the share at which a band is negligible
GOAL = 1e-11  # tuned: relative error above which bands are divided further
MAX_BANDS = 400  # tuned: after so many, the interval stays as wide as it is
SUITED = 64.0  # tuned: `cancelled` of a band up to which no other tilt helps; mostly it is 15
HELPED = math.log(4.0)  # tuned: a half of a band should be known better by at least this


class _Band(NamedTuple):
    """A band of rows, and an upper bound on the logarithm of its mass.

    The tilt is found when the band's turn comes. It has a bound of its own, κ(tilt) + max tilt · b.
    Another bound may be less: that of the band of which this one is a part.
    """

    log_bound: float
    first: int
    last: int
    tilt: Tilt | None = None
    own_bound: float = math.inf
    log_error: float = math.inf  # log error of the band that was halved

    def parts(self, *ends: int) -> list[tuple[int, int]]:
        """Return the first and last rows of the parts, of which all but one begin at these ends."""
        ends = (self.first, *ends, self.last + 1)
        return [(first, after - 1) for first, after in pairwise(ends) if first < after]


def tail_by_bands(  # noqa: C901, its steps share the bands
    law: PlanarLaw, region: PlanarRegion, is_absolute: bool, budget: Budget
) -> CertifiedProbability:
    """Return P(B ∈ region), at most one half, relatively accurate, or absolutely if `is_absolute`.

    If accuracy is relative, the region must not be empty, and P is at least 2^-n.

    Cost: O(rows · frequencies) and O(frequencies · factors). If there are many examples, rows span
    some 18 standard deviations, and some thousand frequencies suffice.

    Raises
    ------
    BudgetError
        If there are too many frequencies; or, from about 10^8 examples on, if p is not certified.
    """
    log_floor = 0.0 if is_absolute else -float(law.counts.sum()) * math.log(2.0)
    done: list[tuple[Mass, _Band]] = []
    neglected: list[_Band] = []
    pending = [(-math.inf, _Band(math.inf, *rows)) for rows in region.convex_parts()]
    meter = Meter(budget)

    def add(band: _Band) -> None:
        heapq.heappush(pending, (-band.log_bound, band))

    def matters(band: _Band) -> bool:
        return band.log_bound > max(_log_total(done), log_floor) + NEGLIGIBLE

    def greatest() -> _Band | None:
        """Take the band with the greatest bound; its tilt is known, unless it does not matter."""
        while pending:
            _, band = heapq.heappop(pending)
            if band.tilt is not None or not matters(band):
                return band
            points = region.corners(band.first, band.last)
            if points is not None:  # else it is empty
                tilt = law.tilt_to(*points)
                own = law.log_bound(tilt, *points)
                add(band._replace(log_bound=min(own, band.log_bound), tilt=tilt, own_bound=own))
        return None

    def look_again() -> None:
        """Add what was neglected but matters now, or else halves of a band known too badly."""
        again = [band for band in neglected if matters(band)]
        neglected[:] = [band for band in neglected if not matters(band)]
        for band in again:  # the total is smaller than it seemed
            add(band)
        worst = None if again else _to_divide(done, log_floor)
        if worst is None and not again:  # a last attempt
            worst = _to_divide(done, log_floor, anyway=True)
        if worst is not None:
            mass, band = done.pop(worst)
            for rows in band.parts((band.first + band.last + 1) // 2):
                add(_Band(band.log_bound, *rows, log_error=mass.log_error))

    # the band with the greatest bound comes next, until the others are negligible
    for _ in range(MAX_BANDS):
        band = greatest()
        if band is None:
            look_again()
            band = greatest()
        if band is None:
            break
        if band.tilt is None or not matters(band):
            neglected.append(band)
            continue
        tilted = law.tilted(band.tilt)
        within = box(law, tilted)
        first, last = (row + tilted.shift[1] for row in within.rows)
        if 2 * (last - first + 1) >= band.last - band.first + 1:
            mass = band_mass(tilted, region, band.first, band.last, band.own_bound, within, meter)
            done.append((mass, band))
            continue
        # a tilt far from some of the rows leaves them to bands of their own: e^leaked bounds these
        leaked = band.own_bound + (math.log(within.leak) if within.leak else -math.inf)
        ends = max(first, band.first), min(last, band.last) + 1
        if ends[0] >= ends[1]:  # the tilt does not reach the band
            ends = ((band.first + band.last + 1) // 2,) * 2
        for rows in band.parts(*ends):
            is_reached = first <= rows[0] and rows[1] <= last
            add(_Band(band.log_bound if is_reached else min(leaked, band.log_bound), *rows))
    # bounds of all bands that were not computed go into the interval
    bounds = [band.log_bound for band in (*neglected, *(band for _, band in pending))]
    return _sum(done, bounds, log_floor, is_absolute)


def _log_total(done: list[tuple[Mass, _Band]]) -> float:
    """Return the logarithm of the largest mass, as far as it is certain."""
    certain = ((mass.exponent, mass.tail - mass.tail_error) for mass, _ in done)
    return max((e + math.log(tail) for e, tail in certain if tail > 0.0), default=-math.inf)


def _to_divide(
    done: list[tuple[Mass, _Band]], log_floor: float, *, anyway: bool = False
) -> int | None:
    """Return the worst known band of several rows, or None if all are known well enough.

    Dividing helps much against a tilt that suits some rows badly, but not against rounding. So a
    band is divided only if its terms cancel much. A half is divided again only if its error has
    become less than a quarter. With `anyway`, if the whole would not be known as promised, all may
    be divided: uneven bounds may need several divisions.
    """
    errors = [
        (mass.log_error, k)
        for k, (mass, band) in enumerate(done)
        if band.first < band.last
        and (anyway or (mass.cancelled > SUITED and mass.log_error < band.log_error - HELPED))
    ]
    log_error, worst = max(errors, default=(-math.inf, None))
    goal = max(_log_total(done), log_floor) + math.log(MOST_ERROR / 8.0 if anyway else GOAL)
    return worst if log_error > goal else None


def _sum(
    done: list[tuple[Mass, _Band]], neglected: list[float], log_floor: float, is_absolute: bool
) -> CertifiedProbability:
    """Add all masses on the scale of the largest exponent."""
    # on one scale no mass overflows, and those that underflow do not matter
    log_scale = max((mass.exponent for mass, _ in done), default=log_floor)
    scales = [math.exp(mass.exponent - log_scale) for mass, _ in done]
    tail = math.fsum(s * mass.tail for s, (mass, _) in zip(scales, done, strict=True))
    error = math.fsum(s * mass.tail_error for s, (mass, _) in zip(scales, done, strict=True))
    error += math.fsum(math.exp(min(bound - log_scale, 700.0)) for bound in neglected)
    error *= UP
    exponent_error = max((mass.exponent_error for mass, _ in done), default=0.0)
    if is_absolute:
        scale = math.exp(min(log_scale, 700.0))  # more is refused
        error = scale * (error + abs(tail) * math.expm1(2.0 * exponent_error + 64.0 * UNIT))
        if error <= MOST_ERROR:
            return CertifiedProbability.near(scale * tail, error)
    elif error <= MOST_ERROR * tail * max(1.0, -log_scale / 700.0):  # of log p if that is large
        log_error = 2.0 * exponent_error - math.log1p(-error / tail)
        return CertifiedProbability.from_product(log_scale, tail, log_error)
    raise BudgetError(
        "the exact p-value can be certified only to a relative error of "
        f"{error / max(tail, error):.1g}: there are too many examples, or their counts are too "
        "large."
    )


_DIVIDED, _BANDS = 20.0, 4.0  # tuned: nats of p that make another band, and the most bands
_BAND = 5e5  # tuned: ns of a band, whatever it holds
_BESIDE = 40.0  # tuned: a part so many nats below the greatest bound hardly counts
_AT_LEAST = 0.25  # tuned: share of the estimate that is certainly taken


def tilted_cost(law: PlanarLaw, region: PlanarRegion, is_absolute: bool, budget: Budget) -> Cost:
    """Estimate the cost of `tail_by_bands` from its convex parts' tilts and sampled frequencies.

    The size is that of the largest box of the tilts, before any band is divided. The excess says
    what certainly exceeds the budget.
    """
    parts: list[tuple[float, Tilt, tuple[Point, Point]]] = []
    for points in region.sketch():
        tilt = law.tilt_to(*points)
        parts.append((law.log_bound(tilt, *points), tilt, points))
    greatest = 0.0 if is_absolute else max((bound for bound, _, _ in parts), default=0.0)
    costs = [_of_part(law, *part) for part in parts if part[0] >= greatest - _BESIDE]
    costs = costs or [((1, 1), _BAND)]
    size = max((size for size, _ in costs), key=sum)
    n_bytes, nanoseconds = ROW_BYTES * sum(size), sum(part for _, part in costs)
    if nanoseconds == math.inf:
        excess: str | None = too_long(size)
    else:
        least = _AT_LEAST * nanoseconds / NANOSECONDS
        what = f"the exact p-value needs {n_bytes:.3g} bytes for sums in two dimensions"
        excess = budget.excess(what, n_bytes=n_bytes) or budget.excess(
            "the exact p-value needs a Fourier transform in two dimensions that takes at least "
            f"as long as {least:.3g} frequencies",
            n_points=least,
            remedy=raised(1e-9 * nanoseconds),
        )
    how, n_points = "tilted sums in the plane", math.prod(size)
    return Cost(2, how, size, n_points, n_bytes, 1e-9 * nanoseconds, excess)


def _of_part(
    law: PlanarLaw, log_bound: float, tilt: Tilt, points: tuple[Point, Point]
) -> tuple[tuple[int, int], float]:
    """Return the box of a part's first band, and the time with those into which it is divided.

    The nanoseconds are infinite if the transform is longer than any budget allows.
    """
    # the box and the rows of its first band tell the size of the transform
    tilted = law.tilted(tilt)
    within = box(law, tilted)
    first, last = (round(point[1]) - tilted.shift[1] for point in points)
    n_rows = max(min(last, within.rows[1]) - max(first, within.rows[0]) + 1, 1)
    columns, rows = (end - start + 1 for start, end in (within.columns, within.rows))
    if is_too_long(tilted, (columns, rows)):
        return (columns, rows), math.inf
    # a few standard deviations of rows carry the mass
    mu = math.ldexp(tilt.i, -tilt.exponent)
    weight = min(n_rows, 3.0 * math.sqrt(float(tilted.variance[1])) + 1.0)
    pruned = within.tolerance / weight / pruned_weight(mu, columns)
    search = search_cost(tilted, (columns, rows), math.log(pruned))
    nanoseconds = search.nanoseconds + MULTIPLIED * n_rows * math.prod(search.sides) + _BAND
    n_bands = min(1.0 - min(log_bound, 0.0) / _DIVIDED, _BANDS)
    return (columns, rows), n_bands * nanoseconds
