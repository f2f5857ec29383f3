"""Small p-values by sampling: from swaps that are tilted towards the observed difference.

A sample is drawn under the law of S = Σ ± vectors with each sign + with chance
e^θ / (e^θ + e^{-θ}), θ = λ · vector, which makes S proportional to e^{λ·S} more likely. It
counts with its weight under fair coins,

    dP / dQ_λ (S) = e^{K(λ) - λ·S},   K(λ) = Σ counts log cosh(λ · vectors).

So the mean of the weights of extreme samples is p, whatever λ is (unbiased), and its variance is
small where λ makes the extreme S that are likely themselves about half of the samples. Samples
are drawn from a mixture of such laws, of which one is the fair one: no weight exceeds the inverse
of its share, also where λ has missed a part of what is extreme.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logsumexp, ndtri

from pairedperm.errors import warn
from pairedperm.montecarlo import SampledProbability, sampling_bar
from pairedperm.options import Options
from pairedperm.problem import Problem
from pairedperm.sampling import sampled_sums

__all__ = ["importance_sampled_pvalue"]

FloatArray = NDArray[np.float64]
_PILOT = 2**11  # samples of a round in which the tilt is found
_ROUNDS = 60
_STEP = 6.0  # standard deviations of the statistic that a round moves at most
_STEEPEST = 25.0  # |λ · vector|, beyond which a sign is as good as certain
_FAIR = 0.1  # share of the mixture that is not tilted
_GOOD = (0.2, 0.8)  # share of the samples that are extreme, with a good tilt


def importance_sampled_pvalue(problem: Problem, options: Options) -> SampledProbability:
    """P(S is extreme), by `n_resamples` weighted samples, besides those that find the tilt.

    The interval is that of a normal law of the logarithm: p e^{±z σ}, σ the relative standard
    error. Where no sample is extreme, p is the upper end of an interval that the fair samples give.

    Warns
    -----
    UserWarning
        If fewer than ten samples were extreme.
    """
    rng = options.generator()
    tilt = _found_tilt(problem, options, rng)
    tilts = [np.zeros(tilt.size), tilt]
    if _share(problem, -tilt, rng) > 0.0:
        tilts.append(-tilt)
    n = options.n_resamples
    n_fair = min(max(math.ceil(_FAIR * n), 1), n)
    sizes = [n_fair, *(len(x) for x in np.array_split(np.arange(n - n_fair), len(tilts) - 1))]
    mixture = _Mixture(problem, tilts, sizes)
    weights = []
    with sampling_bar(options, n) as bar:
        for chosen, size in zip(tilts, sizes, strict=True):
            found = []
            for sums in _drawn(problem, chosen, size, rng):
                found.append(mixture.log_weights(sums[problem.extreme(sums)]))
                bar.update(len(sums))
            weights.append(np.concatenate(found) if found else np.zeros(0))
    n_extreme = sum(map(len, weights))
    if n_extreme < 10:
        warn(
            f"only {n_extreme} of {n} samples were extreme, too few to know p: raise `n_resamples`."
        )
    return _estimate(weights, sizes, options.confidence_level, problem.n_differing)


def _estimate(
    weights: list[FloatArray], sizes: list[int], confidence_level: float, n: int
) -> SampledProbability:
    """The mean of the weights and its interval, from logarithms; the first are of fair samples."""
    log_least = -n * math.log(2.0)  # the observed assignment is one of 2^n
    alpha = 1.0 - confidence_level
    if not sum(map(len, weights)):
        high = -math.expm1(math.log(alpha) / sizes[0])
        return SampledProbability(
            high, math.ldexp(1.0, -n), high, math.log(high), log_least, math.log(high)
        )
    scale = max(float(w.max()) for w in weights if w.size)
    total = squares = 0.0
    for w, size in zip(weights, sizes, strict=True):
        scaled = np.exp(w - scale)
        total += float(scaled.sum())
        squares += float((scaled**2).sum()) - float(scaled.sum()) ** 2 / max(size, 1)
    error = math.sqrt(max(squares, 0.0)) / total
    log = max(min(scale + math.log(total / sum(sizes)), 0.0), log_least)
    reach = float(ndtri(1.0 - alpha / 2.0)) * error
    log_low, log_high = max(log - reach, log_least), min(log + reach, 0.0)
    return SampledProbability(
        math.exp(log), math.exp(log_low), math.exp(log_high), log, log_low, log_high
    )


class _Mixture:
    """Laws with different tilts, each of which so many samples are drawn from."""

    def __init__(self, problem: Problem, tilts: list[FloatArray], sizes: list[int]) -> None:
        used = [k for k, size in enumerate(sizes) if size]
        self._tilts = np.array([tilts[k] for k in used])
        shares = np.array([sizes[k] for k in used]) / sum(sizes)
        self._constants = np.log(shares) - [_log_scale(problem, tilts[k]) for k in used]

    def log_weights(self, sums: NDArray[Any]) -> FloatArray:
        """Log dP / dQ of each sum, Q the mixture (Veach's balance heuristic)."""
        exponents = sums.astype(np.float64) @ self._tilts.T + self._constants
        return -np.asarray(logsumexp(exponents, axis=1))


def _found_tilt(problem: Problem, options: Options, rng: np.random.Generator) -> FloatArray:
    """λ along which the statistic grows, and far enough for half of the samples to be extreme.

    Where a linear statistic β · S is wanted to be large, the best λ is a multiple of β that
    moves the mean of S just there. So β is a regression of the statistic on the samples of
    the last round; each round goes on from there, for the statistic is no linear one.
    """
    side = -1.0 if options.alternative == "less" else 1.0
    if options.alternative == "two-sided" and problem.statistic < 0.0:
        side = -1.0
    wanted = side * problem.statistic
    tilt = np.zeros(problem.vectors.shape[1])
    was_good = False
    for _ in range(_ROUNDS):
        sums = np.concatenate(list(_drawn(problem, tilt, _PILOT, rng)))
        share = float(problem.extreme(sums).mean())
        is_good = _GOOD[0] < share < _GOOD[1]
        if (is_good and was_good) or (share >= _GOOD[1] and not tilt.any()):
            break
        was_good = is_good
        values = side * problem.values(sums)
        spread = float(values.std())
        if not spread:
            break
        centre = sums.astype(np.float64).mean(axis=0)
        slope = np.linalg.lstsq(sums - centre, values - values.mean(), rcond=1e-9)[0]
        goal = min(wanted, float(values.mean()) + _STEP * spread)
        tilt = _reaching(problem, slope, goal - float(values.mean()) + float(slope @ centre))
    return tilt


def _reaching(problem: Problem, slope: FloatArray, goal: float) -> FloatArray:
    """The multiple of the slope, not negative, that moves the mean of slope · S to the goal."""
    steps = problem.vectors.astype(np.float64) @ slope
    counts = problem.multiplicities
    largest = float(np.abs(steps).max())
    if largest == 0.0:
        return np.zeros_like(slope)
    low, high = 0.0, _STEEPEST / largest
    for _ in range(60):
        middle = (low + high) / 2.0
        if float((counts * steps * np.tanh(middle * steps)).sum()) < goal:
            low = middle
        else:
            high = middle
    return np.asarray(high * slope)


def _share(problem: Problem, tilt: FloatArray, rng: np.random.Generator) -> float:
    """Which share of samples is extreme."""
    sums = np.concatenate(list(_drawn(problem, tilt, _PILOT, rng)))
    return float(problem.extreme(sums).mean())


def _drawn(
    problem: Problem, tilt: FloatArray, n_samples: int, rng: np.random.Generator
) -> Iterator[NDArray[Any]]:
    """Samples of S under a tilt."""
    chance = expit(-2.0 * (problem.vectors.astype(np.float64) @ tilt))
    total = problem.total
    for sums in sampled_sums(problem.vectors, problem.multiplicities, n_samples, rng, chance):
        yield total - 2 * sums


def _log_scale(problem: Problem, tilt: FloatArray) -> float:
    """K(λ)."""
    theta = problem.vectors.astype(np.float64) @ tilt
    return float((problem.multiplicities * (np.logaddexp(theta, -theta) - math.log(2.0))).sum())
