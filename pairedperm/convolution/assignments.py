"""Listing of all sums of vectors with random signs, block by block."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.convolution.line.enumeration import TOO_MANY

SUM_BYTES = 64  # tuned: bytes of a listed sum
TOGETHER = 2**18  # tuned: sums in a block
_INT64_BITS = 62  # proof: up to so many variables, numbers of assignments are int64


def n_sums(counts: IntArray) -> int:
    """Return Π (counts + 1), the number of sums that are listed, or `TOO_MANY` if that is less."""
    if np.log2(counts + 1.0).sum() >= math.log2(TOO_MANY):
        return TOO_MANY
    return math.prod(count + 1 for count in counts.tolist())


def listed_sums(
    vectors: IntArray, multiplicities: IntArray
) -> Iterator[tuple[IntArray, NDArray[Any]]]:
    """Yield all sums Σ vectors · (0 … multiplicities) in blocks, with the number of ways to each.

    The sums of the first vectors are listed once. They are added to each sum of the other vectors.
    """
    counts = multiplicities.tolist()
    kind: Any = np.int64 if sum(counts) <= _INT64_BITS else object
    binomials: list[NDArray[Any]] = []
    sums, ways = np.zeros((1, vectors.shape[1]), dtype=np.int64), np.ones(1, dtype=kind)
    n_first = 0
    for k, count in enumerate(counts):
        binomials.append(np.array([*map(partial(math.comb, count), range(count + 1))], dtype=kind))
        if n_first == k and len(sums) * (count + 1) <= TOGETHER:
            n_first += 1
            steps = np.arange(count + 1)[:, None] * vectors[k]
            sums = (sums[:, None] + steps).reshape(-1, vectors.shape[1])
            ways = np.multiply.outer(ways, binomials[k]).reshape(-1)
    shape = [c + 1 for c in counts[n_first:]]
    n, step = math.prod(shape), TOGETHER // len(sums)
    for start in range(0, n, step):
        numbers = np.arange(start, min(start + step, n))
        taken = np.stack(np.unravel_index(numbers, shape or [1]), axis=1)
        more: NDArray[Any] = np.ones(numbers.size, dtype=kind)
        for binomial, column in zip(binomials[n_first:], taken.T, strict=bool(shape)):
            more *= binomial[column]
        moved = taken @ vectors[n_first:] if shape else np.zeros_like(sums[:1])
        together = (moved[:, None] + sums).reshape(-1, vectors.shape[1])
        yield together, np.multiply.outer(more, ways).reshape(-1)
