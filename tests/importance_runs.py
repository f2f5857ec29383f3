"""Importance sampling as tests ask for it, and how well it says that it knows p."""

import numpy as np
import pytest
from ratio_rows import sentences

SAMPLED = {"method": "importance_sampling", "progress": False}
UNSURE = pytest.mark.filterwarnings("ignore:the weights of the samples vary so much")
Z99 = 2.5758293035489004  # of the normal law, for an interval of 99 %


def within(result, exact, n_errors=5.0):
    """The estimate is no further than so many standard errors from the exact p-value."""
    reach = n_errors * relative_error(result) + 1e-9
    return abs(result.log_pvalue - exact.log_pvalue) <= reach


def relative_error(result):
    """The relative standard error that the interval says."""
    low, high = result.log_pvalue_interval
    return (high - low) / (2 * Z99)


def f1_columns():
    """Of a p-value near 1e-12."""
    rows = sentences(np.random.default_rng(1), 370, 0.2, 0.9)
    return rows[:, :2], rows[:, 2:]


def mean_of_ratios(sums):
    x, y = sums[..., 0::2], sums[..., 1::2]
    return np.where(y == 0, 0.0, x / np.where(y == 0, 1.0, y)).mean(axis=-1)
