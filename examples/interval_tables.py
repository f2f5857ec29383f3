"""What intervals of a mean difference keep and cost: the tables of `calibration.py --intervals`.

Each example is a win, a loss or a tie. The share that differs, and the difference of the shares of
wins and losses, give the chance of each outcome of n examples. So coverage, errors and power are
sums over all outcomes. Nothing is drawn but order statistics, for the last table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from scipy.stats import binom

from pairedperm.population.guaranteed import guaranteed_interval
from pairedperm.population.paired_shares import exact_interval

Floats = NDArray[np.float64]
Interval = Callable[[int, int, int, float], tuple[float, float]]

SIZES, LEVELS, TEST_LEVELS = (5, 10, 20, 30, 50, 100, 300), (0.8, 0.9, 0.95, 0.99), (0.95, 0.9)
NEAR = 0.2  # margins that are usual
MOST_PAIRS, N_SHARES = 3e7, 9  # limits times outcomes: all of 100 examples; shares, with both ends
POWER = ((30, 0.1, 0.2), (2000, 0.02, 0.1))  # n, the margin, and the share that differs
WIDTHS, SHARE, LEVEL = (50, 200, 1000, 10_000), 0.2, 0.95
N_DRAWS = 200_000
LOG_0 = -1e9  # of a chance of 0, times a count of 0


class Errors(NamedTuple):
    """How often an interval errs, at most."""

    low: float  # the lower limit is above the difference
    margin: float  # the same for differences from -0.2 to 0: a worse system passes as not worse
    both: float


def outcomes(n: int) -> tuple[NDArray[np.int64], Floats]:
    """Return wins, losses and ties, shape (3, k), and the logarithm of the ways to each outcome."""
    counts = np.array([(w, x, n - w - x) for w in range(n + 1) for x in range(n + 1 - w)]).T
    return counts, math.lgamma(n + 1) - gammaln(counts + 1.0).sum(axis=0)


def lower_limits(interval: Interval, counts: NDArray[np.int64], level: float) -> Floats:
    """Return the lower limit of each outcome; the upper one is that of its mirror image."""
    n, limits = int(counts[:, 0].sum()), {}
    tables = counts[:2].T.tolist()
    for wins, losses in tables:
        if wins >= losses:
            low, high = interval(wins, losses, n, level)
            limits[wins, losses], limits[losses, wins] = low, -high
    return np.array([limits[wins, losses] for wins, losses in tables])


def chances(
    counts: NDArray[np.int64], log_ways: Floats, difference: float, shares: Floats
) -> Floats:
    """Return the chance of these outcomes together, for each share that differs."""
    sides = np.stack([shares + difference, shares - difference, 2.0 * (1.0 - shares)], axis=1) / 2.0
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(np.maximum(sides, 0.0)), LOG_0)
    return np.asarray(np.exp(log_ways + logs @ counts).sum(axis=1))


@cache
def greatest_errors(interval: Interval, n: int, level: float, n_shares: int = N_SHARES) -> Errors:
    """Return how often the interval errs at most, where the difference is a lower limit.

    Between two of them, the lower limit errs less. A limit that is the difference counts as an
    error: differences just below it err as often. The share that differs runs from the difference,
    the least possible one, to 1.
    """
    counts, log_ways = outcomes(n)
    low = lower_limits(interval, counts, level)
    order = np.argsort(-low, kind="stable")
    counts, log_ways, falling = counts[:, order], log_ways[order], -low[order]
    limits = np.unique(low[low > -1.0])
    greatest = Errors(0.0, 0.0, 0.0)
    for limit in limits[:: math.ceil(limits.size * low.size / MOST_PAIRS)].tolist():
        shares = np.linspace(abs(limit), 1.0, n_shares)
        n_high, n_low = (np.searchsorted(falling, x, "right") for x in (-limit, limit))
        too_high = chances(counts[:, :n_high], log_ways[:n_high], limit, shares)
        too_low = chances(counts[:, :n_low], log_ways[:n_low], -limit, shares)
        one, both = float(too_high.max()), float((too_high + too_low).max())
        margin = one if -NEAR <= limit <= 0.0 else 0.0
        errors = Errors(one, margin, both)
        greatest = Errors(*map(max, greatest, errors))
    return greatest


def power(interval: Interval, n: int, margin: float, share: float, level: float) -> float:
    """Return how often the lower limit is above -margin, if both systems are equally good."""
    least, most = binom.ppf((1e-9, 1.0 - 1e-9), n, share).astype(int).tolist()
    found = 0.0
    for m in range(least, most + 1):
        fewest, enough = 0, m + 1  # wins; all lower limits rise in them
        while fewest < enough:
            wins = (fewest + enough) // 2
            passes = interval(wins, m - wins, n, level)[0] > -margin
            fewest, enough = (fewest, wins) if passes else (wins + 1, enough)
        found += float(binom.pmf(m, n, share) * binom.sf(enough - 1, m, 0.5))
    return found


def order_statistic_widths(n: int, n_each: int, level: float) -> tuple[float, float]:
    """Return widths that those of Phan, Thomas and Learned-Miller (2021) lie between.

    With as many wins as losses, the upper limit is a quantile of 1 - U₁ - U₂, where U₁ and U₂ are
    the order statistics of n uniform numbers at the last loss and at the last tie. That is the
    bound of Gaffke; each bound of Phan et al. is the greatest such quantile of several samples, of
    which one is the observed one. One bound of theirs is never above Anderson's, whose numbers are
    the ranks / n less √(log(2 / α) / 2n).
    """
    rng = np.random.default_rng(0)
    first = rng.beta(n_each, n + 1 - n_each, N_DRAWS)
    second = first + (1.0 - first) * rng.beta(n - 2 * n_each, n_each + 1, N_DRAWS)
    gaffke = float(np.quantile(1.0 - first - second, (1.0 + level) / 2.0))
    below = math.sqrt(math.log(2.0 / (1.0 - level)) / (2.0 * n))
    anderson = 1.0 - sum(max(k / n - below, 0.0) for k in (n_each, n - n_each))
    return 2.0 * gaffke, 2.0 * anderson


def floored(share: float) -> str:
    """Return a coverage in percent, rounded down."""
    return f"{math.floor(share * 1e4 + 1e-5) / 100:.2f} %"


def markdown(title: str, header: Sequence[str], rows: Iterator[list[str]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield from ("", f"**{title}**", "", f"| {' | '.join(header)} |", "|---" * len(header) + "|")
    for cells in rows:
        yield f"| {' | '.join(cells)} |"


def coverage_rows() -> Iterator[list[str]]:
    """Yield how often the exact interval covers the difference, at least."""
    for n in SIZES:
        errors = [greatest_errors(exact_interval, n, level) for level in LEVELS]
        yield [f"{n}", *(floored(1.0 - x.both) for x in errors)]


def margin_rows() -> Iterator[list[str]]:
    """Yield how often a system that is worse by a margin up to 20 points passes, at most."""
    for n in SIZES:
        errors = [greatest_errors(exact_interval, n, level) for level in TEST_LEVELS]
        yield [f"{n}", *(f"{x.margin:.2%}" for x in errors)]


def power_rows() -> Iterator[list[str]]:
    """Yield how often a system that is equally good passes."""
    for n, margin, share in POWER:
        found = power(exact_interval, n, margin, share, TEST_LEVELS[-1])
        yield [f"{n:,}", f"{margin:.0%}", f"{share:.0%}", f"{found:.3f}"]


def width_rows() -> Iterator[list[str]]:
    """Yield the widths of all intervals where wins and losses are as many."""
    for n in WIDTHS:
        each = round(SHARE * n / 2.0)
        values, counts = np.array([-1.0, 0.0, 1.0]), np.array([each, n - 2 * each, each])
        ends = exact_interval(each, each, n, LEVEL), guaranteed_interval(values, counts, 1.0, LEVEL)
        widths = [high - low for low, high in ends]
        least, most = order_statistic_widths(n, each, LEVEL)
        ratio = f"{widths[1] / widths[0]:.2f}"
        yield [f"{n:,}", *(f"{x:.4f}" for x in widths), ratio, f"{least:.4f} to {most:.4f}"]


def lines() -> Iterator[str]:
    """Yield all tables."""
    yield from markdown(
        "How often the exact interval covers the difference, at least",
        ["n", *(f"{level:.0%}" for level in LEVELS)],
        coverage_rows(),
    )
    yield from markdown(
        "How often a system worse by a margin up to 20 points passes as not worse, at most",
        ["n", *(f"{(1 - x) / 2:.1%} promised" for x in TEST_LEVELS)],
        margin_rows(),
    )
    yield from markdown(
        "How often a system that is equally good passes as not worse, at 5 %",
        ["n", "margin", "examples that differ", "passes"],
        power_rows(),
    )
    yield from markdown(
        "How wide the 95 % intervals are where 10 % are won, and 10 % lost",
        ["n", "exact", "guaranteed", "guaranteed / exact", "Phan et al. 2021, between"],
        width_rows(),
    )
