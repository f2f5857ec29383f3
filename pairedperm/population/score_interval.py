"""Tango's interval of the difference of the shares of wins and losses."""

from __future__ import annotations

import math
from statistics import NormalDist

from pairedperm.convolution.root import find_root

_MOST_HALVINGS = 2000  # proof: enough to get from 1 to the least float


def score_interval(wins: int, losses: int, n: int, confidence_level: float) -> tuple[float, float]:
    """Return the ends of the differences δ that a score test at 1 - confidence_level accepts.

    Of n examples, `wins` have the difference 1 and `losses` have -1. The observed difference is
    d = (wins - losses) / n. The interval holds all δ with

        |d - δ| ≤ z √(v(δ) / n),  v(δ) = p + q - δ²,

    where p and q are the likeliest probabilities of a win and a loss with p - q = δ [1]_,
    equations (24) to (26). The ends solve this equation within rounding. The interval is
    asymptotic. At 0.95 and for 10 to 100 examples it covers true differences of up to 0.2 with a
    probability of 0.95 to 0.975 on average over p and q. At the worst p and q it is 0.91 to 0.94.
    If all examples differ and δ is near 1 or -1, it is down to 0.835, however many there are.

    Parameters
    ----------
    wins, losses, n : int
        Not negative; n is positive, and at least wins + losses.
    confidence_level : float
        Between 0 and 1.

    Returns
    -------
    tuple of float, length 2
        Both ends, from -1 to 1. They are ± z² / (n + z²) without wins and losses, and
        (n - z²) / (n + z²) and 1 with n wins.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions
       for the paired-sample design", Statistics in Medicine 17, 1998.
    """
    z = -NormalDist().inv_cdf((1.0 - confidence_level) / 2.0)
    low, high = _low(wins, losses, n, z), -_low(losses, wins, n, z)
    return low + 0.0, high + 0.0  # no -0.0


def _low(wins: int, losses: int, n: int, z: float) -> float:
    """Return the lower end: the δ with d - δ = z √(v(δ) / n)."""
    if wins == losses == 0:
        return -z * z / (n + z * z)
    if wins == n:
        return (n - z * z) / (n + z * z)
    if losses == n:
        return -1.0

    def excess(delta: float) -> float:
        distance = (wins - losses) - n * delta
        return distance - z * math.sqrt(n * _variance(wins, losses, n, delta))

    difference = (wins - losses) / n
    if excess(difference) >= 0.0:  # rounding, as z is next to 0
        return difference
    return find_root(excess, -1.0, difference, xtol=1e-20, rtol=1e-15, most_steps=_MOST_HALVINGS)


def _variance(wins: int, losses: int, n: int, delta: float) -> float:
    """Return v(δ) = p + q - δ²; for δ ≥ 0 as 2 q + δ (1 - δ), which loses no digits."""
    if delta < 0.0:
        return _variance(losses, wins, n, -delta)
    return 2.0 * likeliest(wins, losses, n, delta)[1] + delta * (1.0 - delta)


def likeliest(wins: int, losses: int, n: int, delta: float) -> tuple[float, float]:
    """Return the likeliest probabilities of a win and of a loss whose difference is δ."""
    if delta < 0.0:
        q, p = likeliest(losses, wins, n, -delta)
        return p, q
    half = (2 * n - wins + losses) * delta - (wins + losses)  # 2 n q² + half q = rest
    rest = losses * delta * (1.0 - delta)
    root = math.sqrt(half * half + 8.0 * n * rest)
    q = 2.0 * rest / (root + half) if half > 0.0 else (root - half) / (4.0 * n)
    return q + delta, q
