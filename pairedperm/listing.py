"""The p-value of any statistic by listing all swaps of the distinct differences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import TOO_MANY
from pairedperm.problem import Problem

__all__ = ["SUM_BYTES", "n_extreme_swaps", "n_sums", "n_sums_of"]

SUM_BYTES = 64  # of a sum that is listed with others
_TOGETHER = 2**18  # sums that are listed at once
_INT64_BITS = 62


def n_sums(counts: NDArray[np.int64]) -> int:
    """How many sums there are of values that occur so often, or `TOO_MANY`."""
    if np.log2(counts + 1.0).sum() >= math.log2(TOO_MANY):
        return TOO_MANY
    return math.prod(count + 1 for count in counts.tolist())


def n_sums_of(problem: Problem) -> tuple[int, int]:
    """How many sums there are, and the memory for those that are listed at once."""
    n, width = n_sums(problem.multiplicities), sum(problem.vectors.shape)
    return n, (SUM_BYTES + 8 * width) * min(n, _TOGETHER)


def n_extreme_swaps(problem: Problem) -> int:
    """How many of the 2^n swaps are at least as extreme as observed, n examples differing."""
    counts = problem.multiplicities.tolist()
    shape = [count + 1 for count in counts]
    kind: Any = np.int64 if sum(counts) <= _INT64_BITS else object
    binomials = [np.array([math.comb(c, k) for k in range(c + 1)], dtype=kind) for c in counts]
    total, found = np.asarray(problem.total, dtype=np.int64), 0
    n = math.prod(shape)
    for start in range(0, n, _TOGETHER):
        numbers = np.arange(start, min(start + _TOGETHER, n))
        taken = np.stack(np.unravel_index(numbers, shape), axis=1)
        taken = taken[problem.extreme(total - 2 * (taken @ problem.vectors))]
        ways: NDArray[Any] = np.ones(len(taken), dtype=kind)
        for binomial, column in zip(binomials, taken.T, strict=True):
            ways *= binomial[column]
        found += int(ways.sum())
    return found
