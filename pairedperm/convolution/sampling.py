"""Random swaps and resamples: their sums, drawn from distinct rows if rows repeat often."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import size_sums
from pairedperm.convolution.law import FloatArray, IntArray

DRAWN_AT_ONCE = 2**18  # tuned: random variables drawn together
SUMS_AT_ONCE = 2**16  # tuned: entries of the sums that are drawn together
BLOCK_BITS = 2**13  # tuned: random bits of a sample that are multiplied together
WIDE, SPARSE = 32, 0.1  # tuned: columns, and share of entries, of a matrix that is kept sparse
MOST_BITS = 32  # tuned: variables of a vector up to which each is a random bit
_FEWEST_ALIKE = 16.0  # tuned: with fewer examples per distinct row, examples are drawn one by one
_SAMPLE, _BIT, _BINOMIAL = 1000.0, 1.5, 150.0  # tuned: ns of each
_DRAWN, _ROW = 15.0, 100.0  # tuned: ns of a drawn example, and of a drawn distinct row
_PRODUCT, _NUMBER = 0.2, 50.0  # tuned: ns of a product, and of an entry of a sum
_SPARSE_PRODUCT = 1.0  # tuned: ns of a product with an entry of a sparse table
_SWAPPED_BYTES, _RESAMPLED_BYTES = 28, 12  # tuned: of a table's entry, beside its own bytes
_SPARSE_BYTES = 3  # tuned: of a sparse table's entry, beside twice its own bytes
_VARIABLE_BYTES, _SUM_BYTES = 32, 200  # tuned: of a variable, and of an entry of a sum
LEAST_BYTES = 2**23  # tuned: memory for what is drawn together, however small the budget is
_FLOAT32, _FLOAT64, _INT64 = 2**24, 2**53, 2**62  # proof: integers below these are exact


class SamplingCost(NamedTuple):
    """The estimated time of one sample, and the memory of the samples that are drawn together."""

    nanoseconds: float
    n_bytes: float


def swapping_cost(vectors: IntArray, counts: IntArray, max_bytes: float = math.inf) -> SamplingCost:
    """Estimate the cost of `sampled_sums` and of the scores of its sums."""
    is_few = counts <= MOST_BITS
    n_bits, n_others = int(counts[is_few].sum()), int((~is_few).sum())
    variables = _BIT * n_bits + _BINOMIAL * n_others
    n_rows = n_bits + n_others
    together = n_rows - n_bits + min(n_bits, BLOCK_BITS)
    return _cost(variables, n_rows, together, vectors, _SWAPPED_BYTES, max_bytes)


def drawing_cost(
    table: NDArray[Any], counts: IntArray, max_bytes: float = math.inf
) -> SamplingCost:
    """Estimate the cost of `resampled_sums` and of the scores of its sums."""
    n = int(counts.sum())
    is_single = draws_one_by_one(counts)
    variables = _DRAWN * n if is_single else _ROW * counts.size
    together = n if is_single else counts.size
    return _cost(variables, counts.size, together, table, _RESAMPLED_BYTES, max_bytes)


def _cost(
    variables: float,
    n_rows: int,
    together: int,
    table: NDArray[Any],
    entry_bytes: int,
    max_bytes: float,
) -> SamplingCost:
    width = table.shape[1]
    product, own = _PRODUCT, table.dtype.itemsize
    per_entry = own + entry_bytes
    if _is_sparse(table):
        product = _SPARSE_PRODUCT * np.count_nonzero(table) / max(table.size, 1)
        per_entry = 2 * own + _SPARSE_BYTES
    nanoseconds = _SAMPLE + variables + width * (product * n_rows + _NUMBER)
    n_cells, n_sums = _block_sizes(max_bytes)
    n_bytes: float = per_entry * n_rows * width
    n_bytes += _VARIABLE_BYTES * max(n_cells, together) + _SUM_BYTES * max(n_sums, width)
    return SamplingCost(nanoseconds, n_bytes)


def _block_sizes(max_bytes: float) -> tuple[int, int]:
    """Return how much is drawn at once, scaled down to half of the budget or `LEAST_BYTES`."""
    allowed = max(max_bytes / 2.0, LEAST_BYTES)
    share = min(allowed / (_VARIABLE_BYTES * DRAWN_AT_ONCE + _SUM_BYTES * SUMS_AT_ONCE), 1.0)
    return math.ceil(share * DRAWN_AT_ONCE), math.ceil(share * SUMS_AT_ONCE)


def _samples_at_once(n_drawn: int, width: int, max_bytes: float) -> int:
    """Return how many samples are drawn at once, of so many variables and entries of a sum."""
    n_cells, n_sums = _block_sizes(max_bytes)
    return max(min(n_cells // n_drawn, n_sums // width), 1)


def sampled_sums(
    vectors: IntArray,
    counts: IntArray,
    n_samples: int,
    rng: np.random.Generator,
    max_bytes: float = math.inf,
    pause: int = 0,
) -> Iterator[NDArray[Any]]:
    """Yield samples of B = Σ_k vectors[k] · Binomial(counts[k], 1/2), in blocks of shape (n, m).

    A block ends after the first `pause` samples, for callers who may need no more.

    Sums are int64, or Python integers if int64 may not hold them. A vector that occurs up to 32
    times takes a random bit each time, any other vector a binomial variable. Bits are multiplied by
    vectors as matrices of floats, which hold all these sums exactly. Cost: O(n_samples · vectors),
    however large the counts are.
    """
    # integers stay exact: floats where they hold every sum, else Python integers
    largest = max(size_sums(vectors, counts), default=0)
    is_few = (counts <= MOST_BITS) & (largest < _FLOAT64)
    bits = np.repeat(np.flatnonzero(is_few), counts[is_few])
    dtype = np.float32 if largest < _FLOAT32 else np.float64
    others, how_often = vectors[~is_few], counts[~is_few]
    if largest < _FLOAT64:
        others = others.astype(np.float64)
    elif largest > _INT64:
        others = others.astype(object)
    starts = range(0, bits.size, BLOCK_BITS)
    # each group of variables has its own stream, so that the size of blocks does not matter
    seeds = rng.integers(2**63, size=max(1 + len(starts), 2))
    streams = [np.random.default_rng(seed) for seed in seeds]
    of_others, of_bits = streams.pop(1), streams[: len(starts)]
    # as many samples at once as fit
    n_drawn = max(min(bits.size, BLOCK_BITS) + len(others), 1)
    n_rows = _samples_at_once(n_drawn, vectors.shape[1], max_bytes)
    parts = [bits[at : at + BLOCK_BITS] for at in starts]
    taken_by = _multipliers(vectors, parts, dtype)
    start = 0
    while start < n_samples:
        n = min(n_rows, (pause if start < pause else n_samples) - start)
        start += n
        sums: Any = 0
        for part, stream, product in zip(parts, of_bits, taken_by, strict=True):
            random = _random_bits(stream, n, part.size).view(np.uint8)
            drawn = np.unpackbits(random, axis=1, count=part.size)
            sums = sums + product(drawn.astype(dtype)).astype(np.int64)
        if len(others):
            turned = of_others.binomial(how_often, 0.5, size=(n, len(others)))
            taken = turned.astype(others.dtype) @ others
            sums = sums + (taken if taken.dtype == object else taken.astype(np.int64))
        yield sums if len(vectors) else np.zeros((n, vectors.shape[1]), dtype=np.int64)


def _random_bits(stream: np.random.Generator, n: int, n_bits: int) -> NDArray[np.uint64]:
    """Return rows of fair bits, 64 in each random integer."""
    words: NDArray[np.uint64] = stream.integers(2**64, size=(n, -(-n_bits // 64)), dtype=np.uint64)
    return words


def _is_sparse(table: NDArray[Any]) -> bool:
    """Tell whether a table is kept sparse: wide, of integers, and with few entries other than 0."""
    if table.dtype.kind == "f" or table.shape[1] < WIDE:
        return False
    return bool(np.count_nonzero(table) <= SPARSE * table.size)


def _multipliers(
    table: NDArray[Any], parts: Sequence[IntArray | slice], dtype: Any
) -> list[Callable[[NDArray[Any]], NDArray[Any]]]:
    """Return for each part of the rows a function that multiplies a matrix by them, in floats."""
    if not _is_sparse(table):
        dense = [table[part].astype(dtype, copy=False) for part in parts]
        return [lambda drawn, rows=rows: np.asarray(drawn @ rows) for rows in dense]  # type: ignore[misc]
    from scipy.sparse import csr_array

    matrix = csr_array(table)  # keeps the type: only entries that are not 0 are copied
    few = [csr_array(matrix[part].T, dtype=dtype) for part in parts]
    return [lambda drawn, rows=rows: np.asarray(rows @ drawn.T).T for rows in few]  # type: ignore[misc]


def resampled_sums(
    table: NDArray[Any],
    counts: IntArray,
    n_samples: int,
    rng: np.random.Generator,
    max_bytes: float = math.inf,
) -> Iterator[FloatArray]:
    """Yield samples of Σ_k M_k table[k], M multinomial with n = Σ counts draws, in blocks (b, m).

    If rows repeat often, a binomial number is drawn for each distinct row, otherwise n examples.
    Cost: O(n_samples · distinct rows) or O(n_samples · n), and as many products.
    """
    n = int(counts.sum())
    n_drawn = n if draws_one_by_one(counts) else counts.size
    n_rows = _samples_at_once(n_drawn, table.shape[1], max_bytes)
    (product,) = _multipliers(table, [np.s_[:]], np.float64)
    for drawn in resampled_counts(counts, n_samples, rng, n_rows):
        yield np.ascontiguousarray(product(drawn.astype(np.float64)))


def resampled_counts(
    counts: IntArray, n_samples: int, rng: np.random.Generator, n_rows: int
) -> Iterator[IntArray]:
    """Yield how often samples of n = Σ counts draws take each row, in blocks (n_rows, k)."""
    n = int(counts.sum())
    which = np.repeat(np.arange(counts.size), counts) if draws_one_by_one(counts) else None
    for start in range(0, n_samples, n_rows):
        size = min(n_rows, n_samples - start)
        if which is None:
            yield rng.multinomial(n, counts / n, size=size)
        else:
            cells = which[rng.integers(n, size=(size, n))]
            cells += np.arange(size)[:, None] * counts.size
            yield np.bincount(cells.reshape(-1), minlength=size * counts.size).reshape(size, -1)


def draws_one_by_one(counts: IntArray) -> bool:
    """Tell whether examples are drawn one by one, instead of a binomial number of each row."""
    return bool(counts.size * _FEWEST_ALIKE > counts.sum())
