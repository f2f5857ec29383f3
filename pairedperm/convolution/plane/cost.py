"""The cost of the tilted sum of a region in the plane, estimated before anything is computed."""

from __future__ import annotations

import math
from typing import NamedTuple

from pairedperm.convolution.grid.frequencies import search_cost
from pairedperm.convolution.plane.band import (
    MULTIPLIED,
    PlanarRegion,
    box,
    is_too_long,
    pruned_weight,
)
from pairedperm.convolution.plane.law import PlanarLaw, Point, Tilt
from pairedperm.errors import raised
from pairedperm.message import Message
from pairedperm.options import NANOSECONDS, Budget

_ROW_BYTES = 2**7  # tuned: bytes of a row or column of the grid, for Fourier sums
_DIVIDED, _BANDS = 20.0, 4.0  # tuned: nats of p that make another band, and the most bands
_BAND = 5e5  # tuned: ns of a band, whatever it holds
_BESIDE = 40.0  # tuned: a part so many nats below the greatest bound hardly counts
_AT_LEAST = 0.25  # tuned: share of the estimate that is certainly taken


class TiltedCost(NamedTuple):
    """The largest box of the tilts, before any band is divided, with its memory and the time.

    Nanoseconds are infinite if the transform is longer than any budget allows.
    """

    box: tuple[int, int]
    n_bytes: int
    nanoseconds: float

    def excess(self, budget: Budget) -> Message | None:
        """Say why that certainly exceeds the budget; None if it does not."""
        what = f"the exact p-value needs {self.n_bytes:.3g} bytes for sums in two dimensions"
        if self.nanoseconds == math.inf:
            columns, rows = self.box
            return Message(
                f"the exact p-value needs a Fourier transform of {columns:.3g} x {rows:.3g} "
                "points, more than any budget allows: the counts are too large, or the examples "
                "too many"
            )
        least = _AT_LEAST * self.nanoseconds / NANOSECONDS
        return budget.excess(what, n_bytes=self.n_bytes) or budget.excess(
            "the exact p-value needs a Fourier transform in two dimensions that takes at least "
            f"as long as {least:.3g} frequencies",
            n_points=least,
            remedy=raised(1e-9 * self.nanoseconds),
        )


def tilted_cost(law: PlanarLaw, region: PlanarRegion, is_absolute: bool) -> TiltedCost:
    """Estimate the cost of `tail_by_bands` from its convex parts' tilts and sampled frequencies."""
    parts: list[tuple[float, Tilt, tuple[Point, Point]]] = []
    for points in region.sketch():
        tilt = law.tilt_to(*points)
        parts.append((law.log_bound(tilt, *points), tilt, points))
    greatest = 0.0 if is_absolute else max((bound for bound, _, _ in parts), default=0.0)
    found = [_of_part(law, *part) for part in parts if part[0] >= greatest - _BESIDE]
    if not found:
        return TiltedCost((1, 1), 2 * _ROW_BYTES, _BAND)
    size = max((cost.box for cost in found), key=sum)
    return TiltedCost(size, _ROW_BYTES * sum(size), sum(cost.nanoseconds for cost in found))


def _of_part(
    law: PlanarLaw, log_bound: float, tilt: Tilt, points: tuple[Point, Point]
) -> TiltedCost:
    """Estimate the cost of a part's first band, and of those into which it may be divided."""
    tilted = law.tilted(tilt)
    within = box(law, tilted)
    first, last = (round(point[1]) - tilted.shift[1] for point in points)
    n_rows = max(min(last, within.rows[1]) - max(first, within.rows[0]) + 1, 1)
    lengths = tuple(end - start + 1 for start, end in (within.columns, within.rows))
    columns, rows = lengths
    if is_too_long(tilted, (columns, rows)):
        return TiltedCost((columns, rows), _ROW_BYTES * sum(lengths), math.inf)
    mu = math.ldexp(tilt.i, -tilt.exponent)
    weight = min(n_rows, 3.0 * math.sqrt(float(tilted.variance[1])) + 1.0)
    pruned = within.tolerance / weight / pruned_weight(mu, columns)
    search = search_cost(tilted, lengths, math.log(pruned))
    nanoseconds = search.nanoseconds + MULTIPLIED * n_rows * math.prod(search.sides) + _BAND
    n_bands = min(1.0 - min(log_bound, 0.0) / _DIVIDED, _BANDS)
    return TiltedCost((columns, rows), _ROW_BYTES * sum(lengths), n_bands * nanoseconds)
