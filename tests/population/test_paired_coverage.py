"""The exact interval keeps its level, by enumeration of all tables of n examples.

Both limits are mirror images. For every lower limit that is attained, Δ is that limit; the interval
is open, and errs if its lower limit is Δ. A test of a margin -Δ errs as often: it finds a lower
limit of at least Δ. The share τ that differs runs from |Δ| to 1, both included; there the error of
a limit is Clopper and Pearson's.
"""

import math

import numpy as np
import pytest
from scipy.special import gammaln

from pairedperm.population.paired_shares import exact_interval
from properties import one_in

LOG_0 = -1e9  # of a chance of 0, times a count of 0


def tables(n):
    """All wins, losses and ties, shape (3, number of tables), and the logarithms of their ways."""
    counts = np.array([(w, x, n - w - x) for w in range(n + 1) for x in range(n + 1 - w)]).T
    return counts, math.lgamma(n + 1) - gammaln(counts + 1.0).sum(axis=0)


def lower_limits(counts, level):
    n, limits = int(counts[:, 0].sum()), {}
    for wins, losses, _ in counts.T.tolist():
        if wins >= losses:
            low, high = exact_interval(wins, losses, n, level)
            limits[wins, losses], limits[losses, wins] = low, -high
    return np.array([limits[wins, losses] for wins, losses, _ in counts.T.tolist()])


def probabilities(counts, log_ways, delta, taus):
    """Of these tables together, for each τ."""
    chances = np.stack([(taus + delta) / 2.0, (taus - delta) / 2.0, 1.0 - taus], axis=1)
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(np.maximum(chances, 0.0)), LOG_0)
    return np.exp(log_ways + logs @ counts).sum(axis=1)


def greatest_errors(n, level, n_between):
    """How often one limit errs, and both, at most."""
    counts, log_ways = tables(n)
    low = lower_limits(counts, level)
    order = np.argsort(-low, kind="stable")
    counts, log_ways, falling = counts[:, order], log_ways[order], -low[order]
    one = both = 0.0
    for delta in np.unique(low[low > -1.0]).tolist():  # -1 itself is never excluded
        taus = np.linspace(abs(delta), 1.0, n_between + 2)
        n_above, n_below = (np.searchsorted(falling, x, "right") for x in (-delta, delta))
        too_high = probabilities(counts[:, :n_above], log_ways[:n_above], delta, taus)
        too_low = probabilities(counts[:, :n_below], log_ways[:n_below], -delta, taus)
        one, both = max(one, too_high.max()), max(both, (too_high + too_low).max())
    return one, both


@one_in(3)
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize(
    ("n", "n_between"),
    [
        *((5, 40), (10, 20), (20, 9)),
        *(pytest.param(*x, marks=pytest.mark.thorough) for x in ((30, 9), (50, 9), (100, 7))),
    ],
)
def test_errs_at_most_as_often_as_said(n, n_between, level):
    one, both = greatest_errors(n, level, n_between)
    assert one <= (1.0 - level) / 2.0 + 1e-9
    assert both <= 1.0 - level + 1e-9
