"""Pilots of labels, of real scores and of F1, which plans start from."""

import numpy as np

from pairedperm import compare, paired_permutation_test


def labels(wins, losses, n):
    """Predictions of two systems, and references."""
    ties = n - wins - losses
    one = [1] * wins + [0] * losses + [1] * ties
    two = [0] * wins + [1] * losses + [1] * ties
    return one, two, [1] * n


PILOT = compare(*labels(20, 8, 100))


def real_pilot():
    rng = np.random.default_rng(0)
    return paired_permutation_test(rng.normal(0.5, 1, 60).round(2), rng.normal(0, 1, 60).round(2))


def f1_pilot(groups=None):
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 2, 120)
    one, two = (np.where(rng.random(120) < x, gold, 1 - gold) for x in (0.9, 0.75))
    return compare(one, two, gold, "f1", pos_label=1, groups=groups)
