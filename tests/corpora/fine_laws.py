"""Differences on fine lattices, adversarial ones among them, and what is said of their laws."""

import math
from contextlib import ExitStack
from unittest import mock

import numpy as np

from pairedperm.convolution.line import intervals as intervals_module
from pairedperm.options import Budget


def _primes(n):
    is_prime = np.ones(20 * n, dtype=bool)
    is_prime[:2] = False
    for p in range(2, math.isqrt(is_prime.size) + 1):
        is_prime[p * p :: p] = False
    return np.flatnonzero(is_prime)[:n]


SHAPES = {  # positive differences of n examples, up to some size: adversarial ones among them
    "uniform": lambda rng, n, size: rng.integers(1, size + 1, n),
    "skewed": lambda rng, n, size: np.ceil(size * rng.random(n) ** 4).astype(np.int64),
    "ranks": lambda rng, n, size: np.arange(1, n + 1),
    "progression": lambda rng, n, size: 1 + max(size // n, 1) * np.arange(n),
    "near a large one": lambda rng, n, size: size + rng.integers(0, 10, n),
    "powers of two": lambda rng, n, size: 2 ** rng.integers(0, size.bit_length(), n),
    "primes": lambda rng, n, size: _primes(n),
    "squares": lambda rng, n, size: np.arange(1, n + 1) ** 2,
    "two scales": lambda rng, n, size: np.where(rng.random(n) < 0.7, 1, size // 3 + 1),
    "many of one": lambda rng, n, size: np.where(rng.random(n) < 0.9, 3, rng.integers(1, 9, n)),
    "one outlier": lambda rng, n, size: np.append(rng.integers(1, 4, n), size),
}


def searched(source, length, rng):
    """What a search finds with drawn settings, which frequencies it drops, and its tolerance."""
    log_tolerance = float(-rng.uniform(1, 60))
    with _settings(rng):
        found = intervals_module.search(source, length, log_tolerance, Budget())
    is_lost = np.ones(length // 2 + 1, dtype=bool)
    is_lost[found.frequencies] = False
    return found, is_lost, log_tolerance


def shown(waves, length):
    """What they say at the frequencies 0 … length / 2."""
    angles = np.outer(np.arange(length // 2 + 1), waves.distances) * (np.pi / length)
    s = np.sin(angles) ** 2
    return s @ waves.linear + s**3 @ waves.cubic


def _settings(rng):
    """Sizes of transforms, intervals and blocks, much smaller than in use."""
    chosen = {
        "FIRST_POINTS": 2 ** int(rng.integers(0, 8)),
        "CACHED_POINTS": 2 ** int(rng.integers(2, 6)),
        "SINGLE": float(rng.choice([0.3, 1.0, 5.0])),
        "BLOCK_INTERVALS": int(rng.integers(1, 50)),
        "BLOCK_TERMS": int(rng.integers(1, 500)),
    }
    stack = ExitStack()
    for name, value in chosen.items():
        stack.enter_context(mock.patch.object(intervals_module, name, value))
    return stack
