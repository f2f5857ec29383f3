"""Columns of scores, of rows of counts and of labels, for plans."""

import numpy as np


def largest(sums):
    return sums.max(axis=-1)


def scores(n, size, seed=0):
    return np.random.default_rng(seed).integers(0, size, (2, n))


def rows(n, size, m=2, seed=0):
    return np.random.default_rng(seed).integers(0, size, (2, n, m))


def labels(n, n_classes=2, seed=0):
    return np.random.default_rng(seed).integers(0, n_classes, (3, n))
