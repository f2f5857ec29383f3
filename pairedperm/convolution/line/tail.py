"""The choice of the engine that computes the tail of a sum of two-point variables."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.integers import count_lower_tail
from pairedperm.convolution.law import IntArray, sum_of_squares
from pairedperm.convolution.line.enumeration import (
    MAX_ENUMERATED,
    enumerate_lower_tail,
    enumeration_bytes,
    enumeration_size,
)
from pairedperm.convolution.line.frequencies import is_long
from pairedperm.convolution.line.halves import halved_lower_tail, halves_bytes, halves_cost
from pairedperm.convolution.line.intervals import MOST, POINTS
from pairedperm.convolution.line.tilted import check_tilted, tilted_lower_tail
from pairedperm.convolution.line.window import fit, hoeffding_length
from pairedperm.errors import MOST_BYTES, BudgetError
from pairedperm.options import Budget
from pairedperm.wording import Python

COUNTABLE = 2**22  # tuned: n² · bound up to which one integer is as fast as the tilted sum
MAX_APART = 2**11  # tuned: how often a value may occur that is set apart
FITTING, FITTING_LONG = 3e5, 2e6  # tuned: below so many ns, a comparison does not pay
_COUNTED = 1e4  # tuned: ns of an example that is counted in one big integer
LISTED, IN_LIMBS = 250.0, 600.0  # tuned: ns of a listed sum, as an int64 or in limbs
_POINT_BYTES = 64  # tuned: bytes of a point of the first transform


class Engine(NamedTuple):
    """An engine that computes a tail, with what it takes."""

    name: str
    n_points: int
    n_bytes: int
    run: Callable[[], CertifiedProbability]
    nanoseconds: float = 0.0  # about


def tail_engine(
    values: IntArray, counts: IntArray, bound: int, total: int, budget: Budget
) -> Engine:
    """Choose how to compute P(B ≤ bound) for B = Σ_k values[k] · Binomial(counts[k], 1/2).

    The first of these that applies is chosen:

    1. The ends and the middle of the symmetric law are known.
    2. Above the middle, p is one minus the other tail.
    3. If the largest value is above the sum of all others, the tail of these suffices.
    4. If one big integer is small, it counts all assignments.
    5. Enumeration in halves is chosen if it fits into memory and a half has few sums, 2^(n/2):
       fewer than a transform would have points, some √(Σ counts values²).
    6. The laws of two halves are chosen for up to 1000 examples, if they fit and cost less than
       the tilted sum. They do if the characteristic function hardly dies away.
    7. Otherwise the tilted sum is chosen.

    Parameters
    ----------
    values : int64 array, shape (k,)
        Positive, ascending, distinct, with greatest common divisor 1.
    counts : int64 array, shape (k,)
        How often each value occurs; positive.
    bound : int
        From 0 to `total`.
    total : int
        Σ counts · values, a Python integer that may exceed int64.
    budget : Budget
        What the enumeration, the halves and the tilted sum may cost.

    Raises
    ------
    BudgetError
        If the tilted sum would cost more; nothing has been computed then.
    """
    if bound >= total:
        return Engine("known", 1, 0, lambda: CertifiedProbability.exactly(1.0))
    if 2 * bound + 1 == total:  # B and total - B have the same law
        return Engine("known", 1, 0, lambda: CertifiedProbability.exactly(0.5))
    if 2 * bound >= total:
        other = tail_engine(values, counts, total - bound - 1, total, budget)
        return other._replace(run=lambda: other.run().complement())
    n = int(counts.sum())
    others = total - int(values[-1]) * int(counts[-1])
    is_apart = values.size > 1 and others < values[-1] and counts[-1] <= MAX_APART
    if is_apart and is_long(hoeffding_length(values, counts)):
        return _apart(values, counts, bound, others, budget)
    if bound < values[0]:
        return Engine("known", 1, 0, lambda: CertifiedProbability.power_of_half(n))
    if n * n * (bound + 1) <= COUNTABLE:
        n_bytes = (n + 1) * (bound + 1) // 8
        run = partial(_counted, values, counts, bound)
        return Engine("counting", bound + 1, n_bytes, run, _COUNTED * n)
    if n <= MAX_ENUMERATED:
        n_sums = enumeration_size(counts.tolist())
        n_bytes = enumeration_bytes(counts.tolist(), total)
        if n_bytes <= budget.max_bytes and float(n_sums) ** 2 <= sum_of_squares(values, counts):
            run = partial(_enumerated, values, counts, bound)
            return Engine("enumeration", n_sums, n_bytes, run, LISTED * n_sums)
    n_bytes = halves_bytes(bound)
    cost = halves_cost(n, bound) if n_bytes <= budget.max_bytes else math.inf
    run = partial(halved_lower_tail, values, counts, bound)
    halves = Engine("halves", bound + 1, n_bytes, run, cost)
    is_fine = is_long(hoeffding_length(values, counts))
    if cost < (FITTING_LONG if is_fine else FITTING):
        return halves
    fitted = fit(values, counts, bound, total, cost)
    if cost < fitted.cost:
        return halves
    try:
        check_tilted(fitted, budget)
    except BudgetError as error:
        if cost < math.inf:
            return halves
        if n <= MAX_ENUMERATED:
            n_bytes = min(n_bytes, enumeration_bytes(counts.tolist(), total))
        if halves_cost(n, bound) == math.inf or n_bytes > MOST_BYTES:
            raise
        larger = Python(f"Or set `max_bytes` to {n_bytes:.3g}, if it fits")
        raise BudgetError(error.message.advised(larger)) from None
    n_bytes = _POINT_BYTES * int(min(POINTS * fitted.expected.n_looked_at, MOST))
    run = partial(tilted_lower_tail, fitted, bound, budget)
    return Engine("tilted", fitted.window.length, n_bytes, run, fitted.cost)


def _apart(values: IntArray, counts: IntArray, bound: int, others: int, budget: Budget) -> Engine:
    """Return P(X < x) + P(X = x) P(B' ≤ rest) for the number X of largest values that are taken.

    B' is the sum of all other values, of at most `others`, which is below the largest value.
    """
    count, (taken, rest) = int(counts[-1]), divmod(bound, int(values[-1]))
    unit = int(np.gcd.reduce(values[:-1]))
    found = tail_engine(
        values[:-1] // unit, counts[:-1], min(rest, others) // unit, others // unit, budget
    )
    return found._replace(run=lambda: found.run().among(count, taken))


def _counted(values: IntArray, counts: IntArray, bound: int) -> CertifiedProbability:
    n_tail = count_lower_tail(values.tolist(), counts.tolist(), bound)
    return CertifiedProbability.from_ratio(n_tail, 1 << int(counts.sum()))


def _enumerated(values: IntArray, counts: IntArray, bound: int) -> CertifiedProbability:
    [n_tail] = enumerate_lower_tail(values.tolist(), counts.tolist(), [bound])
    return CertifiedProbability.from_ratio(n_tail, 1 << int(counts.sum()))
