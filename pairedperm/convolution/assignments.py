"""All sums of vectors with random signs, listed block by block."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.convolution.line.enumeration import TOO_MANY

SUM_BYTES = 64  # tuned: of a sum that is listed with others
TOGETHER = 2**18  # tuned: sums that are listed at once
_INT64_BITS = 62  # proof: variables whose numbers of assignments are int64


def n_sums(counts: IntArray) -> int:
    """How many sums there are of values that occur so often, or `TOO_MANY`."""
    if np.log2(counts + 1.0).sum() >= math.log2(TOO_MANY):
        return TOO_MANY
    return math.prod(count + 1 for count in counts.tolist())


def listed_sums(
    vectors: IntArray, multiplicities: IntArray
) -> Iterator[tuple[IntArray, NDArray[Any]]]:
    """All sums of Σ vectors · (0 … multiplicities), block by block, and the ways to each.

    The sums of the first vectors are listed once, and added to each of the others'.
    """
    counts = multiplicities.tolist()
    kind: Any = np.int64 if sum(counts) <= _INT64_BITS else object
    binomials = [np.array([math.comb(c, k) for k in range(c + 1)], dtype=kind) for c in counts]
    n_first = 0
    while n_first < len(counts) and math.prod(c + 1 for c in counts[: n_first + 1]) <= TOGETHER:
        n_first += 1

    def listed(part: slice, start: int, stop: int) -> tuple[IntArray, NDArray[Any]]:
        shape = [c + 1 for c in counts[part]]
        ways: NDArray[Any] = np.ones(stop - start, dtype=kind)
        if not shape:
            return np.zeros((1, vectors.shape[1]), dtype=np.int64), ways
        taken = np.stack(np.unravel_index(np.arange(start, stop), shape), axis=1)
        for binomial, column in zip(binomials[part], taken.T, strict=True):
            ways *= binomial[column]
        return taken @ vectors[part], ways

    first, others = slice(n_first), slice(n_first, None)
    n_together, n = (math.prod(c + 1 for c in counts[part]) for part in (first, others))
    sums, ways = listed(first, 0, n_together)
    step = TOGETHER // n_together
    for start in range(0, n, step):
        more, more_ways = listed(others, start, min(start + step, n))
        together = (more[:, None] + sums).reshape(-1, vectors.shape[1])
        yield together, np.multiply.outer(more_ways, ways).reshape(-1)
