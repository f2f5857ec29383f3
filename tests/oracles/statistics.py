"""The paper's equation (16) as a statistic, and p-values of statistics by brute force."""

from fractions import Fraction

import numpy as np


def all_sums(stay, swap):
    """Of all 2^n ways of swapping, shape (2^n, m)."""
    n = len(stay)
    stays = np.arange(2**n)[:, None] >> np.arange(n) & 1
    return stays @ np.asarray(stay) + (1 - stays) @ np.asarray(swap)


def brute_force(stay, swap, exact):
    """The share of all 2^n ways of swapping in which the statistic is as large as observed."""
    sums, how_often = np.unique(all_sums(stay, swap), axis=0, return_counts=True)
    observed = exact(np.sum(stay, axis=0).tolist())
    n_extreme = sum(
        int(ways)
        for row, ways in zip(sums.tolist(), how_often, strict=True)
        if exact(row) >= observed
    )
    return Fraction(n_extreme, 2 ** len(stay))


def exact_f1_difference(row):
    """Equation (16) of the first four columns, 0 where a denominator is."""
    tp1, in1, tp2, in2 = (*row, 0, 0, 0)[:4]
    f1 = [Fraction(2 * tp, 2 * tp + x) if 2 * tp + x else 0 for tp, x in ((tp1, in1), (tp2, in2))]
    return Fraction(f1[0] - f1[1])


def f1_difference(sums):
    """Equation (16): h(x) = x1 / (x1 + x2 / 2) - x3 / (x3 + x4 / 2)."""
    columns = [sums[..., k] if k < sums.shape[-1] else 0.0 * sums[..., 0] for k in range(4)]
    denominators = [columns[k] + columns[k + 1] / 2 for k in (0, 2)]
    f1 = [
        np.where(y == 0, 0.0, x / np.where(y == 0, 1.0, y))
        for x, y in zip(columns[::2], denominators, strict=True)
    ]
    return f1[0] - f1[1]


def columns_of_equation_16(rows):
    """(tp1, in1, tp2, in2) of rows (2 tp, predicted + gold) of both systems."""
    columns = np.stack(
        (rows[:, 0] // 2, rows[:, 1] - rows[:, 0], rows[:, 2] // 2, rows[:, 3] - rows[:, 2]),
        axis=1,
    )
    return columns, columns[:, [2, 3, 0, 1]]
