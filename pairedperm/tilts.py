"""Tilts for importance sampling: where among all swaps the extreme ones are.

Under a tilt λ an assignment of signs is e^{λ·S} times as likely, up to a constant, S = Σ ± vectors.
Of a linear statistic β · S that is wanted to be large, the best tilt is the multiple of β that
makes about half of the samples extreme. Other statistics are nearly linear near the likeliest
extreme sums; there may be several such places (the maximum of two scores, |D| on both sides), so
the search starts from the observed sum and from the most extreme ones of fair samples. Where
what is extreme has corners, or the statistic jumps, its slope says little; then the tilt under
which the mean of S is that of the extreme sums is better (the cross-entropy method, Rubinstein
1999).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logsumexp

from pairedperm.problem import Problem
from pairedperm.sampling import sampled_sums

__all__ = ["drawn", "found_tilts", "log_scale"]

FloatArray = NDArray[np.float64]
_FAIR = 2**12  # fair samples that say whether a tilt is needed, and where to begin
_PILOT = 2**9  # samples by which a tilt is judged
_PER_COLUMN = 64  # samples from which a slope is regressed
_COMMON = 0.05  # share of extreme samples from which on no tilt is needed
_STARTS, _PATIENCE = 32, 8  # and how many may lead to tilts that are known
_ALIKE = 0.9  # cosine of the angle between a start and a mean from which on it is not tried
_ROUNDS, _REFINED = 10, 3  # slopes that are tried, and how many of them once samples are extreme
_GOOD = (0.15, 0.85)  # share of extreme samples under a good tilt
_STEEPEST = 25.0  # |λ · vector|, beyond which a sign is as good as certain
_CENTRING, _CENTRED, _ENOUGH = 2**11, 12, 20  # samples of a round, rounds, extreme samples needed
_STILL = 0.2  # standard deviations that a mean moves in the last of these rounds
_ALMOST = 0.9  # share of extreme samples from which on the others' weights are not known
_LESS, _MORE = math.log(4.0), 0.5  # of the mass seen, by which a tilt is worse, or better
_NEWTON = 30
_GROWTH, _HALVINGS = 2.0, 12  # steps along a direction, until some samples are extreme, and back
_NEAR = 1.0  # standard deviations by which the means of two tilts must differ
_NEGLIGIBLE = math.log(1e-4)  # beside the largest part of p that a tilt finds


def found_tilts(problem: Problem, rng: np.random.Generator, sign: float) -> list[FloatArray]:
    """Tilts that together find what is extreme; none if fair samples do.

    The statistic times `sign` is large where the sum is extreme.
    """
    search = _Search(problem, rng, sign)
    sums, extreme = search.sampled(np.zeros(problem.vectors.shape[1]), _FAIR)
    if extreme.mean() >= _COMMON:
        return []
    values = search.values(sums)
    order = np.argsort(-values, kind="stable")[:_STARTS]
    starts = [problem.observed, *sums[order].astype(np.float64)]
    tilts: list[FloatArray] = []
    n_in_vain = 0
    for start in starts:
        if any(search.cosine(start, search.mean(tilt)) > _ALIKE for tilt in tilts):
            continue
        tilt = search.refined(search.inverse @ start, tilts)
        if tilt is None:
            n_in_vain += 1
            if n_in_vain == _PATIENCE:
                break
            continue
        tilts.append(tilt)
        if search.is_new(-tilt, tilts) and search.share(-tilt) > 0.0:
            tilts.append(-tilt)
    found: list[float] = [search.log_mass(tilt) for tilt in tilts]
    least = max(found, default=0.0) + _NEGLIGIBLE
    return [tilt for tilt, log_mass in zip(tilts, found, strict=True) if log_mass >= least]


class _Search:
    """Samples of a problem under different tilts."""

    def __init__(self, problem: Problem, rng: np.random.Generator, sign: float) -> None:
        self._problem, self._rng, self._sign = problem, rng, sign
        vectors = problem.vectors.astype(np.float64)
        spread = np.sqrt(problem.multiplicities @ vectors**2)
        self._spread = np.where(spread > 0.0, spread, 1.0)  # of the columns, far apart perhaps
        scaled = vectors / self._spread
        correlation = (scaled.T * problem.multiplicities) @ scaled
        inverse = np.linalg.pinv(correlation, rcond=1e-12, hermitian=True)
        self.inverse = inverse / np.outer(self._spread, self._spread)
        self._vectors = vectors

    def sampled(self, tilt: FloatArray, n: int = _PILOT) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Samples under a tilt, and which are extreme."""
        sums = np.concatenate(list(drawn(self._problem, tilt, n, self._rng)))
        return sums, self._problem.extreme(sums)

    def share(self, tilt: FloatArray) -> float:
        """Of samples that are extreme."""
        return float(self.sampled(tilt)[1].mean())

    def values(self, sums: NDArray[Any]) -> FloatArray:
        """The statistic, large where it is extreme."""
        return self._sign * self._problem.values(sums)

    def mean(self, tilt: FloatArray) -> FloatArray:
        """Of S."""
        tanh = np.tanh(self._vectors @ tilt)
        return np.asarray((self._problem.multiplicities * tanh) @ self._vectors)

    def distance(self, one: FloatArray, other: FloatArray) -> float:
        """Between the means under two tilts, in standard deviations of fair samples."""
        step = self.mean(one) - self.mean(other)
        return float(np.sqrt(max(step @ self.inverse @ step, 0.0)))

    def cosine(self, one: FloatArray, other: FloatArray) -> float:
        """Of the angle between two sums, in standard deviations of fair samples."""
        sizes = (one @ self.inverse @ one) * (other @ self.inverse @ other)
        return float(one @ self.inverse @ other / np.sqrt(sizes)) if sizes > 0.0 else 1.0

    def log_mass(self, tilt: FloatArray) -> float:
        """How much of p a tilt finds, about."""
        sums, extreme = self.sampled(tilt, _CENTRING)
        weights = log_scale(self._problem, tilt) - sums[extreme].astype(np.float64) @ tilt
        return float(logsumexp(weights)) if weights.size else -math.inf

    def is_new(self, tilt: FloatArray, known: list[FloatArray]) -> bool:
        """Whether its mean is apart from those under the known tilts."""
        return all(self.distance(tilt, other) >= _NEAR for other in known)

    def refined(self, direction: FloatArray, known: list[FloatArray]) -> FloatArray | None:
        """A good tilt near this direction, unless there is none, or it is known.

        Each is along the statistic's slope at the last one, which need not have reached what is
        extreme yet.
        """
        tilt, is_good = self._along(direction)
        n_good, first = 0, tilt if is_good else None
        for _ in range(_ROUNDS):
            if tilt is None or (is_good and not self.is_new(tilt, known)):
                return None
            if n_good == _REFINED:
                break
            sums, _ = self.sampled(tilt, max(_PILOT, _PER_COLUMN * self._spread.size))
            values, points = self.values(sums), sums.astype(np.float64)
            if not np.ptp(values):
                break
            centred = (points - points.mean(axis=0)) / self._spread
            slope = np.linalg.lstsq(centred, values - values.mean(), rcond=1e-9)[0]
            new, is_new_good = self._along(slope / self._spread)
            if is_good and not is_new_good:
                break
            tilt, is_good = new, is_new_good
            n_good += is_good
            if is_good and first is None:
                first = tilt
        if not is_good or tilt is None or first is None:
            return None
        mass = self.log_mass(tilt)
        for start in (tilt, first):  # slopes lead astray where a statistic jumps
            centred = self._centred(start)
            found = self.log_mass(centred)
            if found > mass + _MORE:
                tilt, mass = centred, found
        return tilt if self.is_new(tilt, known) else None

    def _centred(self, tilt: FloatArray) -> FloatArray:
        """The tilt under which the mean of S is that of the extreme sums under fair coins.

        Of all tilts it is nearest to the law that is wanted (cross-entropy); it finds the corner of
        what is extreme. The mean is that of weighted samples, so that it takes some rounds.
        """
        n = max(_CENTRING, _PER_COLUMN * self._spread.size)
        mass, before = -math.inf, tilt
        for _ in range(_CENTRED):
            sums, extreme = self.sampled(tilt, n)
            points = sums[extreme].astype(np.float64)
            if len(points) > _ALMOST * n:  # no telling what the others weigh
                return before
            if len(points) < _ENOUGH:
                return tilt
            weights = log_scale(self._problem, tilt) - points @ tilt
            found = float(logsumexp(weights))
            if found < mass - _LESS:  # the last tilt saw more of what is extreme
                return before
            shares = np.exp(weights - found)
            if 1.0 / float((shares**2).sum()) < _ENOUGH:
                shares = np.sqrt(shares)  # a step on the way
                shares /= shares.sum()
            mass, before = found, tilt
            tilt = self._with_mean(shares @ points, tilt)
            if self.distance(tilt, before) < _STILL:
                break
        return tilt

    def _with_mean(self, mean: FloatArray, start: FloatArray) -> FloatArray:
        """The tilt with this mean of S, by Newton's method: K(λ) - λ · mean is convex."""
        tilt, counts = start, self._problem.multiplicities

        def value(at: FloatArray) -> float:
            return log_scale(self._problem, at) - float(at @ mean)

        best = value(tilt)
        for _ in range(_NEWTON):
            theta = self._vectors @ tilt
            variance = counts * (1.0 - np.tanh(theta) ** 2)
            scaled = self._vectors / self._spread
            curvature = (scaled.T * variance) @ scaled
            gradient = (mean - self.mean(tilt)) / self._spread
            step = np.linalg.pinv(curvature, rcond=1e-10, hermitian=True) @ gradient / self._spread
            size = 1.0
            while size > 1e-3:
                new = tilt + size * step
                steepest = float(np.abs(self._vectors @ new).max())
                if steepest <= _STEEPEST and value(new) < best:
                    break
                size /= 2.0
            else:
                return tilt
            tilt, best, gain = new, value(new), best - value(new)
            if gain < 1e-4:
                return tilt
        return tilt

    def _along(self, direction: FloatArray) -> tuple[FloatArray | None, bool]:
        """The multiple of a direction, not negative, under which the share is good, or nearly.

        If there is none, that under which the statistic is largest; and whether there is.
        """
        steps = self._vectors @ direction
        largest = float(np.abs(steps).max(initial=0.0))
        if not largest > 0.0:
            return None, False
        end = _STEEPEST / largest
        spread = float(np.sqrt((self._problem.multiplicities * steps**2).sum()))
        low, high = 0.0, min(1.0 / spread, end)
        best, best_value = high, -math.inf
        while True:  # up to where some samples are extreme
            sums, extreme = self.sampled(high * direction)
            share = float(extreme.mean())
            if share >= _GOOD[0]:
                break
            values = self.values(sums)
            if np.ptp(values) and float(values.mean()) > best_value:
                best, best_value = high, float(values.mean())
            if high >= end:
                return np.asarray(best * direction), False
            low, high = high, min(high * _GROWTH, end)
        for _ in range(_HALVINGS):
            if share <= _GOOD[1]:
                break
            middle = (low + high) / 2.0
            of_middle = self.share(middle * direction)
            if of_middle >= _GOOD[0]:
                high, share = middle, of_middle
            else:
                low = middle
        return np.asarray(high * direction), True


def drawn(
    problem: Problem, tilt: FloatArray, n_samples: int, rng: np.random.Generator
) -> Iterator[NDArray[Any]]:
    """Samples of S under a tilt: a sign is + with chance e^θ / (e^θ + e^{-θ}), θ = λ · vector."""
    chance = None
    if tilt.any():
        chance = expit(-2.0 * (problem.vectors.astype(np.float64) @ tilt))
    total = problem.total
    for sums in sampled_sums(problem.vectors, problem.multiplicities, n_samples, rng, chance):
        yield total - 2 * sums


def log_scale(problem: Problem, tilt: FloatArray) -> float:
    """K(λ) = Σ counts log cosh(λ · vectors)."""
    theta = problem.vectors.astype(np.float64) @ tilt
    log_cosh = np.logaddexp(theta, -theta) - math.log(2.0)
    return float((problem.multiplicities * log_cosh).sum())
