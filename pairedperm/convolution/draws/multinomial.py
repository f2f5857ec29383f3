"""Resamples of examples with replacement: sums over them, from the distinct rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray

_CELLS = 2**21  # random variables drawn together
_SINGLE = 16.0  # examples for each distinct row, below which examples are drawn one by one


def resampled_sums(
    table: NDArray[np.float64], counts: IntArray, n_samples: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Samples of Σ_k M_k table[k], M multinomial with n = Σ counts draws, blocks of shape (b, m).

    Where rows repeat often a binomial variable is drawn for each distinct one, otherwise n
    examples. Cost: O(n_samples · distinct rows) or O(n_samples · n), and that many products.
    """
    n = int(counts.sum())
    one_by_one = counts.size * _SINGLE > n
    n_rows = max(_CELLS // (n if one_by_one else counts.size), 1)
    which = np.repeat(np.arange(counts.size), counts) if one_by_one else None
    for start in range(0, n_samples, n_rows):
        size = min(n_rows, n_samples - start)
        if which is None:
            drawn = rng.multinomial(n, counts / n, size=size)
        else:
            cells = which[rng.integers(n, size=(size, n))]
            cells += np.arange(size)[:, None] * counts.size
            drawn = np.bincount(cells.reshape(-1), minlength=size * counts.size)
            drawn = drawn.reshape(size, counts.size)
        yield np.asarray(drawn.astype(np.float64) @ table)
