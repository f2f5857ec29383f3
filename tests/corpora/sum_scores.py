"""Scores of column sums, each twice: without rounding of a row of integers, in floats of arrays."""

from fractions import Fraction

import numpy as np


def ratio_or(x, y, otherwise):
    return Fraction(x, y) if y else Fraction(otherwise)


def ratios_or(x, y, otherwise):
    return np.where(y == 0, otherwise, x / np.where(y == 0, 1, y))


def exact_precision(row):
    return ratio_or(row[0], sum(row), 0)


def precision(sums):
    return ratios_or(sums[..., 0], sums.sum(axis=-1), 0.0)


def deviation(n):
    """The standard deviation of n numbers, of their sum and that of their squares."""

    def score(sums):
        return np.sqrt(np.maximum(sums[..., 1] / n - (sums[..., 0] / n) ** 2, 0.0))

    return score


def exact_macro(row):
    """The mean of the shares x / (x + y) of the columns' halves; 1 where there is nothing."""
    half = len(row) // 2
    pairs = [*zip(row[:half], row[half : 2 * half], strict=True), (row[-1], 1)]
    return sum(ratio_or(x, x + y, 1) for x, y in pairs) / len(pairs)


def macro(sums):
    half = sums.shape[-1] // 2
    x, y = sums[..., :half], sums[..., half : 2 * half]
    last = sums[..., -1]
    return (ratios_or(x, x + y, 1.0).sum(axis=-1) + ratios_or(last, last + 1, 1.0)) / (half + 1)


def exact_polynomial(row):
    return Fraction(sum((-1) ** k * x**2 for k, x in enumerate(row)) + 3 * row[0])


def polynomial(sums):
    signs = (-1.0) ** np.arange(sums.shape[-1])
    return (signs * sums**2).sum(axis=-1) + 3 * sums[..., 0]


def exact_brevity(row):
    """A share times what a short output is punished by, as in BLEU."""
    return ratio_or(row[0], row[-1], 0) * min(Fraction(1), ratio_or(sum(row), 4 * row[0], 1))


def brevity(sums):
    first, last = sums[..., 0], sums[..., -1]
    penalty = np.minimum(1.0, ratios_or(sums.sum(axis=-1), 4 * first, 1.0))
    return ratios_or(first, last, 0.0) * penalty


def exact_largest(row):
    return Fraction(max(row) - 2 * min(row))


def largest(sums):
    return sums.max(axis=-1) - 2 * sums.min(axis=-1)


def exact_steps(row):
    return Fraction(sum(row) // 3 % 4)


def steps(sums):
    return sums.sum(axis=-1) // 3 % 4


SCORES = {
    "precision": (exact_precision, precision),
    "macro": (exact_macro, macro),
    "polynomial": (exact_polynomial, polynomial),
    "brevity": (exact_brevity, brevity),
    "largest": (exact_largest, largest),
    "steps": (exact_steps, steps),
}


def small_rows(rng):
    """Up to 10 rows of up to 4 counts, with zeros, ties and columns that depend on each other."""
    n, m = int(rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 10])), int(rng.integers(1, 5))
    rows = rng.integers(0, rng.choice([2, 3, 6]), (2, n, m))
    kind = rng.integers(4)
    if kind == 0:
        rows[:, :, rng.integers(m)] = 0
    elif kind == 1 and m > 1:
        rows[:, :, -1] = rows[:, :, :-1].sum(axis=-1)
    elif kind == 2:
        rows[1] = np.where(rng.random((n, 1)) < 0.4, rows[0], rows[1])
    return rows
