"""Random resamples, drawn from the distinct rows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pairedperm.bootstrap.problem import DrawnScores, Draws
from pairedperm.convolution.engine import Answer, Cost, Engine
from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.sampling import drawing_cost, resampled_sums
from pairedperm.options import Options
from pairedperm.results.sampled import sampled_share, sampling_bar, sampling_cost

_KEPT = 24  # tuned: bytes that a resample keeps: three scores
_TIE = 1e-12  # proof: differences tie within this share of the largest of four scores


class MonteCarlo(Engine[Draws, Options]):
    """The engine that estimates p, and the intervals, from `n_resamples` random resamples."""

    name = "monte_carlo"

    def cost(self, problem: Draws, limits: Options) -> Cost:
        max_bytes = limits.budget.max_bytes
        one_resample = drawing_cost(problem.table, problem.multiplicities, max_bytes)
        return sampling_cost(problem.table.shape[1], 0, limits, one_resample, kept=_KEPT)

    def run(self, problem: Draws, limits: Options, cost: Cost) -> Answer:
        """Return p = (k + 1) / (m + 1), as in Phipson & Smyth 2010, equation (2)."""
        m, k, done = limits.n_first, 0, 0
        drawn = problem.table, problem.multiplicities
        seed = limits.drawn_seed(*drawn)
        resampled = np.empty((3, m))
        with sampling_bar(m, cost.seconds) as bar:
            rng = np.random.default_rng(seed)
            for sums in resampled_sums(*drawn, m, rng, limits.budget.max_bytes):
                scores = problem.scores(sums)
                k += int(_extreme(problem, scores, limits).sum())
                resampled[:, done : done + len(sums)] = scores
                done += len(sums)
                bar.update(len(sums))
        level = (1.0 - limits.level) / 2.0
        return Answer(
            sampled_share(k, m, seed), intervals=[_percentiles(x, level) for x in resampled]
        )


MONTE_CARLO = MonteCarlo()


def _extreme(problem: Draws, scores: DrawnScores, options: Options) -> NDArray[np.bool_]:
    """Tell which resampled differences reach the threshold; those near it tie.

    "Near" is relative to the differences if they are sums themselves, otherwise to the scores.
    """
    difference, scores1, scores2 = scores
    largest, observed = np.abs(difference), abs(problem.statistic)
    if not problem.sums_differences:
        largest = np.maximum(np.abs(scores1), np.abs(scores2))
        observed = max(abs(problem.score1), abs(problem.score2))
    tie = _TIE * np.maximum(largest, observed) + problem.slack
    shifted, size = difference - problem.statistic, problem.statistic
    if options.alternative == "two-sided":
        shifted, size = np.abs(shifted), abs(size)
    elif options.alternative == "less":
        shifted, size = -shifted, -size
    return np.asarray(shifted >= size - tie if options.ties == "include" else shifted > size + tie)


def _percentiles(values: FloatArray, level: float) -> tuple[float, float]:
    """Return the least x with a share `level` of values ≤ x, and the greatest with ≥ x.

    The values are reordered in place.
    """
    rank = max(math.ceil(level * values.size * (1.0 - 1e-12)), 1) - 1
    values.partition((rank, values.size - 1 - rank))
    return float(values[rank]), float(values[values.size - 1 - rank])
