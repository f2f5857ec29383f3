"""An interval for the tail of a sum of real two-point variables, from two extremal functions.

P(B ≤ b) is wanted for B = Σ_k values[k] · Binomial(counts[k], 1/2) with real values > 0. As in
`tilted`, under the law Q tilted by e^{-tau B}

    P(B ≤ b) = e^E · E_Q f(δ (b - B)),    f(x) = e^{-λx} for x ≥ 0, else 0,    λ = tau / δ,

for any scale δ > 0. Without a lattice, Q has no period, and no transform of finite length
holds it. So f is put between two functions whose Fourier transforms end, L ≤ f ≤ M. They are the
closest ones (Graham & Vaaler, "A class of extremal functions for the Fourier transform",
Transactions of the AMS 265, 1981). For |y| ≤ 1, and 0 beyond,

    M^(y) = (1 - |y|) A(y) + sgn(y) (A(0) - A(y)) λ / 2πi,    A(y) = 1 / (1 - e^{-λ - 2πiy}),
    L^(y) = M^(y) - (1 - |y|).

M touches f at all integers, L at all but 0. Let g(u) = u / (e^u - 1), which decreases with a slope
above -1. For x < 0, M(x) is

    (sin πx / π)² ∫_0^∞ (s + g(λ + s) - g(λ)) e^{sx} ds ≥ 0,

For x > 0, M(x) - f(x) is minus the same integral from -∞ to 0, whose integrand is not
positive. M(x) - L(x) = (sin πx / πx)² leaves g(λ + s) - g(λ) for L, of the other sign.

Poisson's summation formula with the step 1/P in y, P an integer, T = P / δ:

    Σ_j M(δ (b - B) + j P) = 1/P Σ_{|k| < P} M^(k/P) e^{iω_k (b - B)},    ω_k = 2πk / T,

So a sum over P - 1 frequencies of Q's characteristic function is E_Q of the left side. That is at
least E_Q f(δ (b - B)), since all terms are ≥ 0. For L, the terms with j ≠ 0 must be subtracted;
they are at most those of f. Times e^E, these are e^{-tau j T} P(B ≤ b + jT). Chernoff's bound
e^{κ(s) + s (b + jT)} makes them geometric series, with s < tau for j > 0 and s > tau for j < 0.
If T > b, there are none for j < 0, since B ≥ 0.

T is a few standard deviations of Q. The width of the interval is Q's density at b times T / P. So a
thousandth of a standard deviation takes some thousand frequencies, however many variables there
are. L vanishes at 0, so the mass that ties with b is in the upper end only. One assignment ties:
the observed one.

The certificate. Values and b are within a relative 2u, u = 2^-53, of the true numbers; the tilt is
exact. A factor is cos h + i tanh(y/2) sin h, h = ω value / 2. Neither part of it is off by more
than 8 u |h| + 16 u. No factor exceeds 1, and a product is off by 4 u. So the product of all factors
is off by at most the sum of these errors: 8 u Σ |h| + 32 u n, with powers by squaring and a turn by
b. A frequency is dropped if |φ| is at most 2^-44, beside the errors of the factors looked at.
|M^(k/P)| is at most 0.6 P e^λ / k (twice that for k and -k); their sum is at most
P e^λ (2 + log P). M^ itself, of a few sines, is within 64 u, and its products with φ and their sum
within 256 u, generously. If b - B may be off by a slack, φ may be off by ω · slack, E by
tau · slack, and Chernoff's exponent at the tilt s by s · slack. Values that underflow beside the
largest do not move B by a rounding.
"""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.certified import UNIT, CertifiedProbability
from pairedperm.convolution.characteristic import exponent, one_minus_exp
from pairedperm.convolution.law import ComplexArray, FloatArray, IntArray, TiltedLaw, tilted_to

_ALIASED = 1e-7  # tuned: share of p that the neighbours in Poisson's formula may add, about
_LEAST_TILT = 3.0  # tuned: in units of one over the standard deviation
_STEPS = (1.5, 3.0, 4.5, 6.0, 8.0, 12.0)  # tuned: in this unit, of the tilts in Chernoff's bounds
_DROPPED_PHI = 2.0**-44  # tuned: |φ| of a dropped frequency
BLOCK_VALUES = 2**18  # tuned: frequencies times values that are looked at together
STAGE = 64  # tuned: values after which frequencies are dropped for the first time
_CLEAR = 1.1  # proof: above 1: a period longer than b folds nothing onto the tail
_STEEPEST = 1.0  # tuned: largest decay of f between integers
_ERROR_UP = 1.01  # proof: covers the rounding of the error bounds themselves


class ExtremalSums:
    """The sums over the first frequencies; each interval may take more of them.

    Parameters
    ----------
    values : float64 array, shape (k,)
        Positive, ascending, at most 1, some at least 1/2.
    counts : int64 array, shape (k,)
        How often each occurs; positive.
    n : int
        How many variables there are, with those that are too small to be among the values.
    bound : float
        b: one of the sums that B takes, at least the largest value, at most half of all.
    strict : bool
        Whether P(B < b) is wanted; the observed assignment has no part in it.
    slack : float
        How far b - B may be from its true value; less than a tenth of b.
    """

    def __init__(
        self,
        values: FloatArray,
        counts: IntArray,
        n: int,
        bound: float,
        strict: bool,
        slack: float = 0.0,
    ) -> None:
        total = math.fsum((counts * values).tolist())
        self._excess, self._n, self._strict = max(total - 2.0 * bound, 0.0), n, strict
        self._slack = slack
        # the tilt to b, but at least a few over the deviation: e^{-λx} must decay
        fair = TiltedLaw(values, counts, 0.0)
        law = tilted_to(values, counts, bound, total) if self._excess > 0.0 else fair
        least = _LEAST_TILT / math.sqrt(fair.variance)
        self._law = law if law.tau >= least else fair.at(least)
        self._exponent, self._exponent_error = self._exponents()
        # the period T, and what its repetitions add
        self._period, self._log_aliased = self._periods(bound)
        # frequencies below which the decay between integers is steep
        self.least = math.ceil(self._law.tau * self._period / _STEEPEST)
        self._turn = 2.0 * math.pi * slack / self._period  # of the first frequency by the slack
        # the values that make φ small come first, so that frequencies are dropped early
        order = np.argsort(-counts * values**2 * self._law.sech2, kind="stable")
        self._half_values = (values * (math.pi / self._period))[order]
        self._counts, self._tanh = counts[order].astype(np.float64), self._law.tanh[order]
        self._next = 1  # the first frequency that has not been looked at
        self._k = np.zeros(0, dtype=np.int64)
        self._psi = np.zeros(0, dtype=np.complex128)
        self._errors = np.zeros(0)
        self._dropped_errors = 0.0
        self.n_factors = 0  # factors of the characteristic function that were looked at

    @property
    def n_kept(self) -> int:
        """The number of frequencies that were not dropped."""
        return int(self._k.size)

    def of_a_further_one(self) -> tuple[float, float]:
        """Estimate how likely a further frequency is kept, and how many factors it takes."""
        half = self._next // 2
        share = float((self._k >= half).sum()) / (self._next - half)
        return share, min(self._counts.size, STAGE) + share * self._counts.size

    def interval(self, n: int) -> CertifiedProbability:
        """Return the interval that n - 1 frequencies give."""
        self._look_at(n)
        # M^ and L^ at the frequencies, by the formulas above
        decay = self._law.tau * self._period / n
        y = self._k / n
        of_zero = -1.0 / math.expm1(-decay)
        remainder = np.where(2 * self._k <= n, -self._k, n - self._k)
        a = 1.0 / one_minus_exp(decay, remainder, n)
        upper = (1.0 - y) * a - 1j * (decay / (2.0 * math.pi)) * (of_zero - a)
        lower = upper - (1.0 - y)
        # errors of φ, of what was dropped, and of the functions themselves
        size = np.abs(upper) + np.abs(lower)
        error = 2.0 * float((size * (self._errors + 256.0 * UNIT * np.abs(self._psi))).sum())
        dropped = 2.0 * _DROPPED_PHI * (2.0 + math.log(n)) + 1.2 * self._dropped_errors
        error = _ERROR_UP * (error / n + math.exp(decay) * dropped)
        error += 64.0 * UNIT * of_zero / n
        # frequencies -k are the conjugates of k
        high = (of_zero + 2.0 * math.fsum((upper * self._psi).real.tolist())) / n + error
        low = (of_zero - 1.0 + 2.0 * math.fsum((lower * self._psi).real.tolist())) / n - error
        log_aliased = self._log_aliased - self._exponent
        low -= _ERROR_UP * math.exp(log_aliased) if log_aliased < 700.0 else math.inf
        return self._between(low, high)

    def _between(self, low: float, high: float) -> CertifiedProbability:
        """Return the interval from e^E low to e^E high; one assignment is known to have B = b."""
        one = CertifiedProbability.power_of_half(self._n)
        top = CertifiedProbability.from_product(self._exponent, high, self._exponent_error)
        bottom = CertifiedProbability.near(0.0)
        if low > 0.0:
            bottom = CertifiedProbability.from_product(self._exponent, low, self._exponent_error)
        log_high, p_high, log_low, p_low = top.log_high, top.high, bottom.log_low, bottom.low
        # the observed assignment has B = b: it is in the tail, or certainly not
        if not self._strict:
            log_low = float(np.logaddexp(log_low, one.log_low))
            log_low -= 8.0 * UNIT * (1.0 + abs(log_low))
            p_low = math.nextafter(p_low + one.low, 0.0) if p_low else one.low
            log_high, p_high = max(log_high, one.log_high), max(p_high, one.high)
        elif p_high > 2.0 * one.high > 0.0:
            p_high = math.nextafter(p_high - one.low, 1.0)
            log_high = min(log_high, math.log(p_high) + 4.0 * UNIT * (1.0 + abs(log_high)))
        p_high, log_high = min(p_high, 1.0), min(log_high, 0.0)
        p_low, log_low = min(p_low, p_high), min(log_low, log_high)
        return CertifiedProbability(p_high, p_low, p_high, log_high, log_low, log_high)

    def _exponents(self) -> tuple[float, float]:
        """Return E = κ(tau) + tau b and its error; linear terms are taken together with tau b."""
        law = self._law
        rare = float((law.counts[law.n_centred :] * law.values[law.n_centred :]).sum())
        linear = law.tau * ((rare - self._excess) / 2.0)
        log_scale, error = exponent(law, linear)
        size = float((law.counts * law.y).sum()) + law.tau * self._excess
        error += (8.0 + 2.0 * math.log2(self._n + 2)) * UNIT * size
        return log_scale, error + law.tau * self._slack

    def _periods(self, b: float) -> tuple[float, float]:
        """Return T, and the logarithm of the most that the neighbours in Poisson's formula have."""
        law = self._law
        spread = math.sqrt(law.variance)
        # a period is long enough if its neighbours have a tiny share of p
        goal = math.log(_ALIASED) + self._exponent - math.log1p(law.tau * spread * 2.5)
        below = {max(law.tau - step / spread, 0.0) for step in _STEPS}
        above = {law.tau + step / spread for step in _STEPS}
        bounds = {s: self._log_chernoff(s, b) for s in below | above}

        def period(s: float) -> float:
            return (bounds[s] - goal + 1.0) / abs(s - law.tau)

        first, second = min(below, key=period), min(above, key=period)
        # a period longer than b leaves no neighbour below
        is_all = _CLEAR * b < period(second)  # then B = 0 is not folded onto the tail
        longest = max(period(first), _CLEAR * b if is_all else period(second))
        tilts = (first, second)[: 2 - is_all]
        ratios = [longest * abs(s - law.tau) for s in tilts]
        parts = [
            bounds[s] - r - math.log(-math.expm1(-r)) for s, r in zip(tilts, ratios, strict=True)
        ]
        return longest, float(np.logaddexp.reduce(parts))

    def _log_chernoff(self, tilt: float, b: float) -> float:
        """Return κ(tilt) + tilt b, or a little more."""
        law = self._law.at(tilt)
        scale, linear = law.log_scale, tilt * (b + self._slack)
        size = abs(scale) + linear + float((law.counts * law.y).sum())
        return scale + linear + 2.0**-40 * (1.0 + size)

    def _look_at(self, n: int) -> None:
        """Find the frequencies below n at which φ does not vanish, and E_Q e^{iω(b - B)} there."""
        n_rows = max(BLOCK_VALUES // STAGE, 1)
        for start in range(self._next, n, n_rows):
            k = self._surviving(np.arange(start, min(start + n_rows, n)))
            psi, errors = self._characteristic(k)
            self._k = np.concatenate((self._k, k))
            self._psi = np.concatenate((self._psi, psi))
            self._errors = np.concatenate((self._errors, errors))
        self._next = max(self._next, n)

    def _surviving(self, k: IntArray) -> IntArray:
        """Drop frequencies, stage by stage, if the values seen so far make φ small enough there."""
        log_modulus = np.zeros(k.size)
        start, n_values = 0, self._counts.size
        size = n_seen = 0.0
        while k.size and start < min(n_values, 64 * STAGE):
            stop = min(max(2 * start, STAGE), n_values)
            for block in _cache_blocks(k.size, stop - start):
                cosine, sine = self._parts(k[block], slice(start, stop))
                with np.errstate(divide="ignore"):
                    logs = np.log(cosine**2 + sine**2)
                log_modulus[block] += 0.5 * (logs @ self._counts[start:stop])
            size += float(self._counts[start:stop] @ self._half_values[start:stop])
            n_seen += float(self._counts[start:stop].sum())
            # every factor is at most 1: what is small now stays small
            is_kept = log_modulus > math.log(_DROPPED_PHI)
            errors = UNIT * (8.0 * size + 32.0 * n_seen / k[~is_kept]) + self._turn
            self._dropped_errors += float(errors.sum())
            k, log_modulus, start = k[is_kept], log_modulus[is_kept], stop
        return k

    def _characteristic(self, k: IntArray) -> tuple[ComplexArray, FloatArray]:
        """Return E_Q e^{iω(b - B)}, and bounds on its errors."""
        phi = np.ones(k.size, dtype=np.complex128)
        for values in _cache_blocks(self._counts.size, 1):
            for block in _cache_blocks(k.size, values.stop - values.start):
                cosine, sine = self._parts(k[block], values)
                factors = _powers(cosine + 1j * sine, self._counts[values].astype(np.int64))
                phi[block] *= factors.prod(axis=1)
        size = k * float(self._counts @ self._half_values)
        turned = k * (math.pi * self._excess / self._period)
        errors = UNIT * (8.0 * (size + np.abs(turned)) + 32.0 * self._n) + k * self._turn
        return phi * np.exp(-1j * turned), np.minimum(errors * _ERROR_UP, 2.0)

    def _parts(self, k: IntArray, values: slice) -> tuple[FloatArray, FloatArray]:
        """Return cos h and tanh(y/2) sin h of these values at these frequencies."""
        h = k[:, None].astype(np.float64) * self._half_values[values]
        self.n_factors += h.size
        return np.cos(h), self._tanh[values] * np.sin(h)


def _powers(base: ComplexArray, exponents: IntArray) -> ComplexArray:
    """Raise each column to its power, by squaring."""
    result = np.where(exponents & 1, base, 1.0)
    while (exponents := exponents >> 1).any():
        base = base * base
        result = np.where(exponents & 1, result * base, result)
    return result


def _cache_blocks(n: int, width: int) -> list[slice]:
    """Return slices of n rows of this width that stay in the cache."""
    step = max(BLOCK_VALUES // max(width, 1), 1)
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]
