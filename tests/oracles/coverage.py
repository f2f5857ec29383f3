"""How often an interval of a difference of wins and losses errs, by all outcomes of n examples."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Floats = NDArray[np.float64]
Interval = Callable[[int, int, int, float], tuple[float, float]]
MOST_PAIRS = 3e7  # limits times outcomes: all of 100 examples
LOG_0 = -1e9  # of a chance of 0, times a count of 0


class Errors(NamedTuple):
    """How often an interval errs, at most."""

    low: float  # the lower limit is above the difference
    both: float


def greatest_errors(interval: Interval, n: int, level: float, n_shares: int) -> Errors:
    """Return how often the interval errs at most, where the difference is a lower limit.

    Between two of them, the lower limit errs less. A limit that is the difference counts as an
    error: differences just below it err as often. The share that differs runs from the difference,
    the least possible one, to 1.
    """
    counts = np.array([(w, x, n - w - x) for w in range(n + 1) for x in range(n + 1 - w)]).T
    low = _lower_limits(interval, counts, level)
    order = np.argsort(-low, kind="stable")
    counts, falling = counts[:, order], -low[order]
    limits = np.unique(low[low > -1.0])
    greatest = Errors(0.0, 0.0)
    for limit in limits[:: math.ceil(limits.size * low.size / MOST_PAIRS)].tolist():
        shares = np.linspace(abs(limit), 1.0, n_shares)
        n_high, n_low = (np.searchsorted(falling, x, "right") for x in (-limit, limit))
        too_high = _chances(counts[:, :n_high], limit, shares)
        too_low = _chances(counts[:, :n_low], -limit, shares)
        errors = Errors(float(too_high.max()), float((too_high + too_low).max()))
        greatest = Errors(*map(max, greatest, errors))
    return greatest


def _lower_limits(interval: Interval, counts: NDArray[np.int64], level: float) -> Floats:
    """Return the lower limit of each outcome; the upper one is that of its mirror image."""
    n, limits = int(counts[:, 0].sum()), {}
    tables = counts[:2].T.tolist()
    for wins, losses in tables:
        if wins >= losses:
            low, high = interval(wins, losses, n, level)
            limits[wins, losses], limits[losses, wins] = low, -high
    return np.array([limits[wins, losses] for wins, losses in tables])


def _chances(counts: NDArray[np.int64], difference: float, shares: Floats) -> Floats:
    """Return the chance of these outcomes together, for each share that differs."""
    log_ways = gammaln(counts.sum(axis=0) + 1.0) - gammaln(counts + 1.0).sum(axis=0)
    sides = np.stack([shares + difference, shares - difference, 2.0 * (1.0 - shares)], axis=1) / 2.0
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(np.maximum(sides, 0.0)), LOG_0)
    return np.asarray(np.exp(log_ways + logs @ counts).sum(axis=1))
