"""Random swaps and resamples: their sums, drawn from the distinct rows where those repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import exact_dot
from pairedperm.convolution.law import FloatArray, IntArray

CELLS = 2**21  # tuned: random variables drawn together
TOGETHER = 2**13  # tuned: random bits of a sample that are multiplied together
WIDE, SPARSE = 32, 0.1  # tuned: columns, and share of entries, of a matrix that is kept sparse
FEW = 32  # tuned: variables of a vector up to which each is a random bit
_SINGLE = 16.0  # tuned: examples for each distinct row, below which examples are drawn one by one
_FLOAT32, _FLOAT64, _INT64 = 2**24, 2**53, 2**62  # proof: below which integers are exact


def sampled_sums(
    vectors: IntArray, counts: IntArray, n_samples: int, rng: np.random.Generator
) -> Iterator[NDArray[Any]]:
    """Samples of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), blocks of shape (n, m).

    Of int64, or Python integers where sums exceed it. A vector that occurs up to 32 times takes
    a random bit each time, any other one a binomial variable; the sums are products of matrices,
    of floats that hold all of them. Cost: O(n_samples · vectors), however large the counts are.
    """
    largest = max((exact_dot(counts, np.abs(column)) for column in vectors.T), default=0)
    is_few = counts <= FEW if largest < _FLOAT64 else np.zeros(counts.size, dtype=np.bool_)
    bits = np.repeat(vectors[is_few], counts[is_few], axis=0)
    bits = bits.astype(np.float32 if int(np.abs(bits).sum(axis=0).max()) < _FLOAT32 else np.float64)
    others, how_often = vectors[~is_few], counts[~is_few]
    if largest < _FLOAT64:
        others = others.astype(np.float64)
    elif largest > _INT64:
        others = others.astype(object)
    # a stream for each kind: up to TOGETHER bits the blocks do not matter
    of_bits, of_others = map(np.random.default_rng, rng.integers(2**63, size=2))
    n_rows = max(CELLS // max(min(len(bits), TOGETHER) + len(others), 1), 1)
    taken_by = [_product(bits[at : at + TOGETHER]) for at in range(0, len(bits), TOGETHER)]
    for start in range(0, n_samples, n_rows):
        n = min(n_rows, n_samples - start)
        sums: Any = 0
        for number, product in enumerate(taken_by):
            size = min(TOGETHER, len(bits) - number * TOGETHER)
            random = of_bits.integers(2**64, size=(n, -(-size // 64)), dtype=np.uint64)
            drawn = np.unpackbits(random.view(np.uint8), axis=1, count=size)
            sums = sums + product(drawn.astype(bits.dtype)).astype(np.int64)
        if len(others):
            turned = of_others.binomial(how_often, 0.5, size=(n, len(others)))
            taken = turned.astype(others.dtype) @ others
            sums = sums + (taken if taken.dtype == object else taken.astype(np.int64))
        yield sums if len(vectors) else np.zeros((n, vectors.shape[1]), dtype=np.int64)


def _product(vectors: NDArray[Any]) -> Callable[[NDArray[Any]], NDArray[Any]]:
    """Multiplication by a matrix on the right, of which most entries may be 0."""
    if vectors.shape[1] < WIDE or np.count_nonzero(vectors) > SPARSE * vectors.size:
        return lambda drawn: np.asarray(drawn @ vectors)
    from scipy.sparse import csr_array

    transposed = csr_array(vectors.T)
    return lambda drawn: np.asarray(transposed @ drawn.T).T


def resampled_sums(
    table: NDArray[np.float64], counts: IntArray, n_samples: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Samples of Σ_k M_k table[k], M multinomial with n = Σ counts draws, blocks of shape (b, m).

    Where rows repeat often a binomial variable is drawn for each distinct one, otherwise n
    examples. Cost: O(n_samples · distinct rows) or O(n_samples · n), and that many products.
    """
    n = int(counts.sum())
    one_by_one = counts.size * _SINGLE > n
    n_rows = max(CELLS // (n if one_by_one else counts.size), 1)
    which = np.repeat(np.arange(counts.size), counts) if one_by_one else None
    for start in range(0, n_samples, n_rows):
        size = min(n_rows, n_samples - start)
        if which is None:
            drawn = rng.multinomial(n, counts / n, size=size)
        else:
            cells = which[rng.integers(n, size=(size, n))]
            cells += np.arange(size)[:, None] * counts.size
            drawn = np.bincount(cells.reshape(-1), minlength=size * counts.size).reshape(size, -1)
        yield np.asarray(drawn.astype(np.float64) @ table)
