"""Small p-values by sampling: from swaps that are tilted towards the extreme ones.

A sample under a tilt λ (`tilts`) counts with its weight under fair coins,

    dP / dQ_λ (S) = e^{K(λ) - λ·S},   K(λ) = Σ counts log cosh(λ · vectors).

So the mean of the weights of extreme samples is p, whatever λ is (unbiased). Samples are drawn
from a mixture of such laws, of which one is the fair one: no weight exceeds the inverse of its
share, also where the tilts have missed a part of what is extreme.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, logsumexp, ndtri

from pairedperm.errors import warn
from pairedperm.montecarlo import SampledProbability, sampled_pvalue, sampling_bar
from pairedperm.options import Options
from pairedperm.problem import Problem
from pairedperm.tilts import drawn, found_tilts, log_scale

__all__ = ["importance_sampled_pvalue"]

FloatArray = NDArray[np.float64]
_FAIR = 0.1  # share of the mixture that is not tilted
_FEW = 10  # extreme samples, too few to know p
_UNSURE = 0.2  # relative standard error
_ROUNDING = 1e-12  # of a logarithm, generously


def importance_sampled_pvalue(problem: Problem, options: Options) -> SampledProbability:
    """P(S is extreme), by `n_resamples` weighted samples, besides those that find the tilts.

    The interval is that of a normal law of the logarithm: p e^{±z σ}, σ the relative standard
    error; with fewer than ten extreme samples, what the fair ones tell. If 5 % of fair samples are
    extreme, p is that of `sampled_pvalue`, which then is better.

    Warns
    -----
    UserWarning
        If fewer than ten samples were extreme, or the relative standard error is above 20 %.
    """
    rng = options.generator()
    is_less = options.alternative == "less"
    is_negative = options.alternative == "two-sided" and problem.statistic < 0.0
    tilts = found_tilts(problem, rng, -1.0 if is_less or is_negative else 1.0)
    if not tilts:
        p = sampled_pvalue(problem, options)
        if p.log <= math.log(_FEW / options.n_resamples):
            warn("no swaps were found towards which to sample: p is that of plain sampling.")
        return p
    n = options.n_resamples
    n_fair = min(max(math.ceil(_FAIR * n), 1), n)
    sizes = [n_fair, *(len(x) for x in np.array_split(np.arange(n - n_fair), len(tilts)))]
    tilts = [np.zeros_like(tilts[0]), *tilts]
    mixture = _Mixture(problem, tilts, sizes)
    weights = []
    with sampling_bar(options, n) as bar:
        for tilt, size in zip(tilts, sizes, strict=True):
            found = [np.zeros(0)]
            for sums in drawn(problem, tilt, size, rng):
                found.append(mixture.log_weights(sums[problem.extreme(sums)]))
                bar.update(len(sums))
            weights.append(np.concatenate(found))
    n_extreme = sum(map(len, weights))
    if n_extreme < _FEW:
        warn(
            f"only {n_extreme} of {n} samples were extreme, too few to know p: raise `n_resamples`."
        )
    p, error = _estimate(weights, sizes, options.confidence_level, problem.n_differing)
    if n_extreme < _FEW:
        p = _bounded(p, weights[0].size, sizes[0], options.confidence_level, problem.n_differing)
    if n_extreme >= _FEW and error > _UNSURE:
        warn(
            "the weights of the samples vary so much that p is hardly known, to a factor of "
            f"{1.0 + error:.1f} as a standard error: raise `n_resamples`."
        )
    return p


def _estimate(
    weights: list[FloatArray], sizes: list[int], confidence_level: float, n: int
) -> tuple[SampledProbability, float]:
    """The mean of the weights and its interval, from logarithms, and its relative standard error.

    The first weights are of fair samples.

    Where no sample is extreme, p is the upper end of an interval that the fair samples give.
    """
    log_least = -n * math.log(2.0)  # the observed assignment is one of 2^n
    alpha = 1.0 - confidence_level
    if not sum(map(len, weights)):
        high = -math.expm1(math.log(alpha) / sizes[0])
        log = math.log(high)
        p = SampledProbability(high, math.ldexp(1.0, -n), high, log, log_least, log)
        return p, math.inf
    scale = max(float(w.max()) for w in weights if w.size)
    total = squares = 0.0
    for w, size in zip(weights, sizes, strict=True):
        scaled = np.exp(w - scale)
        total += float(scaled.sum())
        squares += float((scaled**2).sum()) - float(scaled.sum()) ** 2 / max(size, 1)
    error = math.sqrt(max(squares, 0.0)) / total
    log = max(min(scale + math.log(total / sum(sizes)), 0.0), log_least)
    reach = float(ndtri(1.0 - alpha / 2.0)) * error
    slack = _ROUNDING * (1.0 + abs(log))
    log_low, log_high = max(log - reach - slack, log_least), min(log + reach + slack, 0.0)
    low = min(math.exp(log_low), math.ldexp(1.0, -n) if log_low == log_least else 1.0)
    p = SampledProbability(math.exp(log), low, math.exp(log_high), log, log_low, log_high)
    return p, error


def _bounded(
    p: SampledProbability, k: int, n_fair: int, confidence_level: float, n: int
) -> SampledProbability:
    """The same with an interval that the fair samples alone give, of which k are extreme."""
    alpha = 1.0 - confidence_level
    high = float(betaincinv(k + 1, n_fair - k, 1.0 - alpha)) if k < n_fair else 1.0
    high = max(high, p.value)
    low = min(math.ldexp(1.0, -n), p.value)
    log_low = min(-n * math.log(2.0), p.log)
    return SampledProbability(p.value, low, high, p.log, log_low, max(math.log(high), p.log))


class _Mixture:
    """Laws with different tilts, each of which so many samples are drawn from."""

    def __init__(self, problem: Problem, tilts: list[FloatArray], sizes: list[int]) -> None:
        used = [k for k, size in enumerate(sizes) if size]
        self._tilts = np.array([tilts[k] for k in used])
        shares = np.array([sizes[k] for k in used]) / sum(sizes)
        self._constants = np.log(shares) - [log_scale(problem, tilts[k]) for k in used]

    def log_weights(self, sums: NDArray[Any]) -> FloatArray:
        """Log dP / dQ of each sum, Q the mixture (Veach's balance heuristic)."""
        exponents = sums.astype(np.float64) @ self._tilts.T + self._constants
        return -np.asarray(logsumexp(exponents, axis=1))
