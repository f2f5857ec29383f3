"""The ideal studentised bootstrap of a difference of ratios of sums: all resamples, by formula."""

import itertools

import numpy as np


def difference_and_error(rows1, rows2):
    """Σ x / Σ y of both systems, apart, and by the influences (x - ratio y) / Σ y its error.

    Rows are of shape (..., n, 2).
    """
    total = [rows.sum(axis=-2, keepdims=True) for rows in (rows1, rows2)]
    ratios = [sums[..., 0] / sums[..., 1] for sums in total]
    influences = [
        (rows[..., 0] - ratio * rows[..., 1]) / sums[..., 1]
        for rows, ratio, sums in zip((rows1, rows2), ratios, total, strict=True)
    ]
    error = np.sqrt(((influences[0] - influences[1]) ** 2).sum(axis=-1))
    return (ratios[0] - ratios[1])[..., 0], error


def all_pivots(*strata):
    """(d* - d) / s* of all resamples, ascending; ±∞ where s* is 0 and d* is not d.

    Each stratum (rows1, rows2, weight) is drawn on its own, in n^n ways. Then
    d* - d = Σ w_t (d_t* - d_t), and s*² = Σ w_t² s_t*².
    """
    distances, errors = np.zeros(1), np.zeros(1)
    for rows1, rows2, weight in strata:
        n = len(rows1)
        chosen = np.array([*itertools.product(range(n), repeat=n)])
        difference, _ = difference_and_error(rows1, rows2)
        resampled, own = difference_and_error(rows1[chosen], rows2[chosen])
        distances = np.add.outer(distances, weight * (resampled - difference)).ravel()
        errors = np.add.outer(errors, (weight * own) ** 2).ravel()
    errors = np.sqrt(errors)
    distances[np.abs(distances) < 1e-12] = 0.0
    errors[errors < 1e-12] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        pivots = distances / errors
    return np.sort(np.where(distances == 0.0, 0.0, pivots))
