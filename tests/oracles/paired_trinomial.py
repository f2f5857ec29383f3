"""Wins, losses and ties of n examples: the likeliest shares by brute force, and the law.

The likelihood is maximised by halving an interval, in numbers of 50 digits.
"""

import decimal

_HALVINGS = 150


def _halved(low, high, is_low):
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return (low + high) / 2


def constrained_variance(wins, losses, n, delta):
    """Of p + q - δ² where w log p + l log q + (n - w - l) log(1 - p - q) is greatest."""
    ties = n - wins - losses  # and q = p - δ
    least, largest = max(decimal.Decimal(0), delta), (1 + delta) / 2

    def rises(p):  # the derivative, times what is positive
        q, rest = p - delta, 1 - 2 * p + delta
        return wins * q * rest + losses * p * rest - 2 * ties * p * q > 0

    p = _halved(least, largest, rises)
    return 2 * p - delta - delta * delta
