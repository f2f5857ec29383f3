"""Columns of scores, of rows of counts and of labels, for plans."""

from fractions import Fraction

import numpy as np

MANY_PRIMES = [Fraction(1, p) for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)]


def largest(sums):
    return sums.max(axis=-1)


def scores(n, size, seed=0):
    return np.random.default_rng(seed).integers(0, size, (2, n))


def rows(n, size, m=2, seed=0):
    return np.random.default_rng(seed).integers(0, size, (2, n, m))


def labels(n, n_classes=2, seed=0):
    return np.random.default_rng(seed).integers(0, n_classes, (3, n))
