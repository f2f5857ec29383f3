"""The wealth of bets on differences, and the means that such bets leave.

There are two null hypotheses. If two outputs are exchangeable, a difference d is as likely as -d,
and exp(λ d) / cosh(λ d) has the expectation 1. If only the mean Δ of differences in [-R, R] is
given, the bet b = tanh λ > 0 that the mean is larger, and -b that it is smaller, have the factors

    1 + b (d - Δ n) / (N (R + Δ))  and  1 - b (d - Δ n) / (N (R - Δ)),

with the sum d of a group of n ≤ N examples. Single examples have n = N = 1. Here all is in units:
d in N R, Δ in R, n in N. K(Δ) is the mean over all bets of the products of their factors.

Why it is valid. As -R n ≤ d ≤ R n, each factor is at least 1 - b n / N > 0. Let Δ be the true mean:
given what came before, and the size n, the sum of the next group has the expectation Δ n. Then
every factor has the expectation 1, and K(Δ) is a martingale that starts with 1 and is never
negative. By Ville's inequality it ever reaches 1 / α with a probability of at most α. N and the
bets are fixed before the differences are seen.

Why the means with K(Δ) < 1 / α are an interval. The first factor is (1 - b n / N) plus
b (d + R n) / N times 1 / (R + Δ), and neither is negative. So a product is a polynomial in
1 / (R + Δ) without negative coefficients. 1 / (R + Δ) is convex and positive, so are its powers,
and so is the product. The second factor has R - d / n in place of R + d / n, and R - Δ. So K is
convex, and the means are an interval. It has the mean of the examples so far, Σ d / Σ n, where the
factors of a bet have the mean 1: by the inequality of means their product is at most 1, and K too.

Each look leaves an interval. Those of all looks so far have in common what the sequence leaves: its
limits are the largest lower and the smallest upper limit. Δ is outside of it exactly if K(Δ) was
1 / α or more at a look. For Δ = 0 this is p ≤ α, as p is 1 over the largest K(0).

Rounding of K(0), with the unit u = 2^-53. It is rounded down, so that p is never too small.

- A difference in units is wrong by at most e = u (4 M / R + 8), if M is the largest absolute score:
  two scores, their range and their difference are rounded, and divided by N R. log(1 + b d) is then
  wrong by at most |b| e / (1 + b d). Exchangeable outputs stay so when rounded: d and -d alike.
- numpy's log1p and logaddexp err by at most 4 units in the last place, 8 u |x|. log 2 less a
  logaddexp of L errs by 16 u (1 + L).
- The factors are added one after the other. An addition errs by u |S|, S being its result. So after
  n factors the error is at most the sum of all errors of factors and of all u |S|. That sum has n
  roundings itself; twice as much is allowed for, enough for n < 2^50.
- Each bet's logarithm is lowered by this. The mean of the bets takes 14 additions of logarithms,
  each wrong by 8 u (1 + |log K|): 2^-46 (1 + |log K|) is subtracted.

References
----------
.. [1] I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting",
   Journal of the Royal Statistical Society B 86, 2024.
"""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.convolution.root import crossing
from pairedperm.population.guaranteed import distinct_groups

_LAMBDAS = 0.05 * 2.0 ** np.arange(7)  # tuned: 0.05 to 3.2, for 52 % to 100 % wins
_BETS = np.tanh(np.append(_LAMBDAS, -_LAMBDAS))
BATCH = 2**16  # tuned: differences that are bet on in one call
_LEAST_STEP = 2.0**-30  # tuned: a lower limit is -1, or at least that much above it
_NEXT_STEP = 2.0**-36  # tuned: from a limit to a mean that is left, at first
_LOG_ROUNDING = 2.0**-30  # tuned: of log K; the limits are where K is larger than 1 / α by this
_LOG_NOTHING = -30.0  # tuned: a search leaves out bets whose product is nowhere larger
_LARGEST_MEAN = 1.0 - 2.0**-52  # proof: below 1, where bets on a smaller mean have no factor
_UNIT = 2.0**-52  # proof: twice the unit of rounding
_INEXACT = 2.0**-46  # proof: 14 additions of logarithms
_SHAPE = (2, _LAMBDAS.size)  # of bets: λ and -λ


Factors = tuple[FloatArray, FloatArray]  # their logarithms, and bounds of errors, shape (2, k, n)


def exchangeable_factors(differences: FloatArray) -> Factors:
    """Return log(exp(λ d) / cosh(λ d)) for all λ and -λ."""
    with np.errstate(over="ignore"):
        exponents = np.multiply.outer([-2.0, 2.0], np.multiply.outer(_LAMBDAS, differences))
    logs = np.logaddexp(0.0, exponents)
    return math.log(2.0) - logs, 16.0 * _UNIT * (1.0 + logs)


def factors_at_0(differences: FloatArray, largest_score: float) -> Factors:
    """Return the logarithms of the factors for bets on the mean 0; the largest score is in R."""
    logs = mean_factors(differences, 0.0, 0.0).reshape(*_SHAPE, -1)
    inexact = _UNIT * (4.0 * largest_score + 8.0)
    errors = inexact * np.abs(_BETS).reshape(*_SHAPE, 1) * np.exp(-logs)
    return logs, errors + 8.0 * _UNIT * np.abs(logs)


class Wealth:
    """The wealth of all bets together, rounded down."""

    def __init__(self) -> None:
        self._logs, self._errors = np.zeros((2, *_SHAPE))

    def after(self, factors: Factors) -> tuple[FloatArray, FloatArray]:
        """Multiply the factors one after the other.

        Returns
        -------
        tuple of float array, shapes (2, n) and (n,)
            After each factor: the logarithms of what the bets of both signs add to the wealth, and
            that of the wealth.
        """
        logs, errors = factors
        logs[..., 0] += self._logs
        logs = np.cumsum(logs, axis=-1)
        errors = errors + _UNIT * np.abs(logs)
        errors[..., 0] += self._errors
        errors = np.cumsum(errors, axis=-1)
        self._logs, self._errors = logs[..., -1], errors[..., -1]
        sides = np.logaddexp.reduce(logs - errors, axis=1) - math.log(_BETS.size)
        wealth = np.logaddexp(*sides)
        return sides, np.asarray(wealth - _INEXACT * (1.0 + np.abs(wealth)))


def pvalue_of(log_wealth: float) -> float:
    """Return 1 / wealth, at most 1, rounded up; exp is right to a unit in the last place."""
    p = math.exp(min(-log_wealth, 0.0))
    return min(math.nextafter(math.nextafter(p, 1.0), 1.0), 1.0)


def mean_factors(
    sums: FloatArray, sizes: FloatArray | float, mean: float, bets: FloatArray = _BETS
) -> FloatArray:
    """Return the logarithms of the factors for bets on the mean; shape (k, n)."""
    shares = bets / (1.0 + np.sign(bets) * mean)
    return np.asarray(np.log1p(np.multiply.outer(shares, sums - mean * sizes)))


def _log_mean(logs: FloatArray) -> FloatArray:
    """Return the logarithm of the mean of all products."""
    return np.asarray(np.logaddexp.reduce(logs, axis=0) - math.log(_BETS.size))


class ConfidenceSequence:
    """The interval of means that the bets leave, after every look.

    Examples wait until the limits are asked for, or a batch is full. Then all their looks are made.
    """

    def __init__(self, alpha: float) -> None:
        self._past = _SeenExamples()
        self._limits = _LowerLimit(1.0, alpha), _LowerLimit(-1.0, alpha)
        self._waiting: list[FloatArray] = []
        self._n_waiting = 0

    def add(self, sums: FloatArray, sizes: FloatArray) -> None:
        """Add examples or groups in their order."""
        self._waiting.append(np.stack([sums, sizes]))
        self._n_waiting += sums.size
        if self._n_waiting >= BATCH:
            self._look()

    def limits(self) -> tuple[float, float]:
        """Return both limits; no mean is left if the first is not below the second."""
        self._look()
        low, minus_high = (x.mean for x in self._limits)
        return low, -minus_high

    def _look(self) -> None:
        """Look after each of the examples that wait."""
        new = np.concatenate([np.zeros((2, 0)), *self._waiting], axis=1)
        self._waiting, self._n_waiting = [], 0
        for start in range(0, new.shape[1], BATCH):
            batch = new[:, start : start + BATCH]
            for limit in self._limits:
                limit.look(self._past, batch)
            self._past.add(batch)


class _SeenExamples:
    """Examples or groups in any order: distinct sums and sizes, and how often they occur."""

    def __init__(self) -> None:
        self._parts = [np.zeros((3, 0))]
        self._n_new = 0
        self.totals = np.zeros(2)

    def add(self, batch: FloatArray) -> None:
        """Add sums and sizes; shape (2, n)."""
        self._parts.append(np.vstack([batch, np.ones(batch.shape[1])]))
        self._n_new += batch.shape[1]
        self.totals = self.totals + batch.sum(axis=1)
        if self._n_new >= BATCH:
            self.table()

    def table(self) -> FloatArray:
        """Return sums, sizes and counts; shape (3, k)."""
        if len(self._parts) > 1:
            self._parts, self._n_new = [np.stack(distinct_groups(*np.hstack(self._parts)))], 0
        return self._parts[0]


class _LowerLimit:
    """The largest lower limit of all looks; the sign is -1 for differences turned round."""

    def __init__(self, sign: float, alpha: float) -> None:
        self._sign, self._log_needed = sign, -math.log(alpha)
        self.mean = -1.0
        self._next = -1.0 + _LEAST_STEP  # a mean next to the limit, which is left
        self._logs = np.zeros(_BETS.size)  # the products there, of all past examples

    def look(self, past: _SeenExamples, batch: FloatArray) -> None:
        """Raise the limit to that of any look in the batch.

        A look has a higher limit only if its wealth at the present one suffices. The limit is
        raised to that of the wealthiest such look, until none is left.
        """
        sums, sizes = self._sign * batch[0], batch[1]
        total, n = past.totals
        means = (self._sign * total + np.cumsum(sums)) / (n + np.cumsum(sizes))
        is_new = np.ones(sums.size, bool)
        while True:
            factors = mean_factors(sums, sizes, self._next)
            logs = self._logs[..., None] + np.cumsum(factors, axis=-1)
            wealth = _log_mean(logs)
            wealth[~is_new | (means <= self._next)] = -math.inf
            best = int(wealth.argmax())
            if wealth[best] < self._log_needed + _LOG_ROUNDING:
                break
            is_new[best] = False
            looked = distinct_groups(*np.vstack([batch, np.ones(is_new.size)])[:, : best + 1])
            table = np.hstack([past.table(), np.stack(looked)])
            self._raise(table, min(float(means[best]), 1.0))
            self._logs = self._products(past.table(), self._next)
        self._logs = logs[..., -1]

    def _raise(self, table: FloatArray, high: float) -> None:
        """Raise the limit to that of a look; the mean `high` of its examples is above.

        In Δ, products of bets above 0 fall and those of others rise. So each is at most that at one
        of the ends, which shows the bets that add nothing. Leaving them out lowers the limit.
        """
        first, last = (self._products(table, x) for x in (self._next, min(high, _LARGEST_MEAN)))
        bets = _BETS[np.where(_BETS > 0.0, first, last) > _LOG_NOTHING]

        def lack(mean: float) -> float:
            wealth = float(_log_mean(self._products(table, mean, bets)))
            return self._log_needed + _LOG_ROUNDING - wealth

        low, slope = self._next, self._log_needed / (high - self._next)
        self.mean = crossing(lack, low, high, low + (high - low) / 2.0, slope)
        step = _NEXT_STEP
        while lack(min(self.mean + step, high)) <= 0.0 and self.mean + step < high:
            step *= 2.0
        self._next = min(self.mean + step, high)

    def _products(self, table: FloatArray, mean: float, bets: FloatArray = _BETS) -> FloatArray:
        """Return the logarithms of the products of all factors; shape (k,)."""
        sums, sizes, counts = table
        return np.asarray(mean_factors(self._sign * sums, sizes, mean, bets) @ counts)
