"""P(τ (2θ - 1) ≥ c), or ≤ c, of independent beta variables, in 50 digits.

If τ is t, the product is at least c where θ is at least (1 + c / t) / 2. So this is an integral
over t, of the density of τ times a tail of θ, which is an integral over t itself. On short panels
all is the polynomial through 16 nodes. A panel is short if no density changes by more than e² on
it, but for densities that are e^-90 of their peak.
"""

import math
from functools import cache
from itertools import pairwise

from flint import arb, arb_mat, ctx

_DIGITS, _NODES = 50, 16
_NEGLIGIBLE, _SHORT = 90.0, 2.0  # in logarithms


@cache
def _polynomials():
    """Nodes x from -1 to 1, their weights, and the integrals up to each x of what is 1 at one x."""
    nodes, weights = zip(
        *(arb.legendre_p_root(_NODES, k, weight=True) for k in range(_NODES)), strict=True
    )
    values = [[x.legendre_p(k) for k in range(_NODES + 1)] for x in nodes]
    until = []
    for x, p in zip(nodes, values, strict=True):
        degrees = [x + 1, *(p[k + 1] - p[k - 1] for k in range(1, _NODES))]
        until.append(
            [
                w * sum((d * v for d, v in zip(degrees, row, strict=False)), arb(0)) / 2
                for w, row in zip(weights, values, strict=True)
            ]
        )
    return nodes, weights, arb_mat(until)


def _log_beta(a, b):
    return arb(a).lgamma() + arb(b).lgamma() - arb(a + b).lgamma()


def _times_log(k, x):
    return 0.0 if k == 0 else k * math.log(x) if x > 0.0 else -math.inf


def _panels(start, stop, logs, peaks):
    low, high = ([log(t) for log in logs] for t in (start, stop))
    ends = [
        (x, y)
        for x, y, peak in zip(low, high, peaks, strict=True)
        if max(x, y) > peak - _NEGLIGIBLE
    ]
    if all(abs(x - y) < _SHORT for x, y in [*ends, (math.log(start), math.log(stop))]):
        return [(start, stop)]
    middle = (start + stop) / 2.0
    if not ends or not start < middle < stop:
        return []
    return _panels(start, middle, logs, peaks) + _panels(middle, stop, logs, peaks)


def _short_panels(theta, tau, c):
    """From c to 1; the densities rise and fall once, and are split where they are greatest."""

    def log_theta(t):
        return _times_log(theta[0] - 1, (t + c) / t) + _times_log(theta[1] - 1, (t - c) / t)

    def log_tau(t):
        return _times_log(tau[0] - 1, t) + _times_log(tau[1] - 1, 1.0 - t)

    (a, b), (p, q) = theta, tau
    at_theta, at_tau = c * (a + b - 2) / max(a - b, 1), (p - 1) / max(p + q - 2, 1)
    modes = [min(max(mode, c), 1.0) for mode in (at_theta if a > b else 1.0, at_tau)]
    logs = log_theta, log_tau
    peaks = [log(mode) for log, mode in zip(logs, modes, strict=True)]
    splits = sorted({c, *modes, 1.0})
    return [x for start, stop in pairwise(splits) for x in _panels(start, stop, logs, peaks)]


def tail(theta, tau, c, *, is_above):
    """As an arb. Parameters are whole, 0 < c < 1. With a second parameter of 0, a share is 1."""
    with ctx.workdps(_DIGITS):
        (a, b), (p, q), x = theta, tau, arb(c)
        if b == 0 or q == 0:
            alone, rest = (tau, 1 - x) if b == 0 else (theta, (1 - x) / 2)
            above = rest.beta_lower(alone[1], alone[0], 1)
            return above if is_above else 1 - above
        nodes, weights, until = _polynomials()
        scale = -_log_beta(a, b) - (a + b - 1) * arb(2).log(), -_log_beta(p, q)
        total = arb(0) if is_above else x.beta_lower(p, q, 1)
        below = arb(0) if is_above else ((1 + x) / 2).beta_lower(a, b, 1)
        panels = _short_panels(theta, tau, c)
        for start, stop in panels if is_above else panels[::-1]:
            half = (arb(stop) - arb(start)) / 2
            shares = [arb(start) + half * (1 + node) for node in nodes]
            of_theta, of_tau = [], []
            for t in shares:
                ratio = x / t
                log = scale[0] + (a - 1) * (1 + ratio).log() + (b - 1) * (1 - ratio).log()
                of_theta.append(half * log.exp() * ratio / t)
                of_tau.append(half * (scale[1] + (p - 1) * t.log() + (q - 1) * (1 - t).log()).exp())
            whole = sum((w * g for w, g in zip(weights, of_theta, strict=True)), arb(0))
            insides = (until * arb_mat(_NODES, 1, of_theta)).entries()
            for w, f, inside in zip(weights, of_tau, insides, strict=True):
                total += w * f * (below + (inside if is_above else whole - inside))
            below += whole
        return total


def exact(fraction):
    """An integer or a fraction in as many digits."""
    with ctx.workdps(_DIGITS):
        return arb(fraction.numerator) / fraction.denominator
