"""The p-value of a sum of scores by the engines that need no lattice: enumeration, bracket."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.line.enumeration import (
    enumerate_lower_tail,
    enumeration_bytes,
    enumeration_size,
)
from pairedperm.convolution.reals.bracket import bracket_lower_tail
from pairedperm.convolution.reals.split import Split, WholeSplit
from pairedperm.options import Budget

__all__ = [
    "Additive",
    "Sides",
    "WholeSizes",
    "bracketed",
    "enumerated",
    "enumeration_cost",
    "of_sizes",
    "of_whole_numbers",
    "sides",
]

IntArray = NDArray[np.int64]
_TOO_MANY = 2**40  # sums that fit into no memory
_SUM_BYTES = 64
Sides = Literal["all", "one", "both", "but one"]


class WholeSizes(NamedTuple):
    """The same in exact integers: `lesser` is known up to `slack`, the rounding of the scores."""

    values: list[int]
    counts: list[int]
    lesser: int
    slack: int = 0


class Additive(NamedTuple):
    """The sum S of |differences| with random signs, and what p is in terms of its lower tail.

    With B the sum of those that are against system 1, S = Σ |differences| - 2B, and S and -S have
    the same law. What `split` takes is B as observed, or what it is with the systems' names
    exchanged, the smaller of the two. p is by `sides`: "one", P(B ≤ b); "both", twice that;
    "but one", 1 - P(B < b); "all", 1.
    """

    split: Split
    sides: Sides
    in_integers: Callable[[], WholeSizes]


def of_whole_numbers(
    differences: Sequence[int], multiplicities: Sequence[int], alternative: str
) -> Additive:
    """Of scores' differences in a common unit, of any size, and how often each occurs."""
    counts: dict[int, int] = {}
    observed = 0
    for difference, count in zip(differences, multiplicities, strict=True):
        observed += difference * count
        if difference:
            counts[abs(difference)] = counts.get(abs(difference), 0) + count
    values = sorted(counts)
    total = sum(value * counts[value] for value in values)
    how_often = np.array([counts[value] for value in values], dtype=np.int64)
    return of_sizes(values, how_often, total, observed, alternative)


def of_sizes(
    values: Sequence[int] | IntArray, counts: IntArray, total: int, observed: int, alternative: str
) -> Additive:
    """Of distinct sizes of differences, ascending, with the sum of all and that of the signed."""
    lesser = (total - abs(observed)) // 2

    def in_integers() -> WholeSizes:
        return WholeSizes([int(value) for value in values], counts.tolist(), lesser)

    kind = sides((observed > 0) - (observed < 0), alternative)
    return Additive(WholeSplit(values, counts, lesser), kind, in_integers)


def sides(sign: int, alternative: str) -> Sides:
    """How p follows from the lower tail, for the sign of the observed difference."""
    if alternative == "two-sided":
        return "both" if sign else "all"
    return "one" if sign == (1 if alternative == "greater" else -1) else "but one"


def enumeration_cost(additive: Additive) -> tuple[int, int]:
    """How many sums `enumerated` lists of each half, and the memory for them."""
    n_sums = enumeration_size(additive.split.counts.tolist())
    if n_sums > _TOO_MANY:
        return n_sums, _SUM_BYTES * n_sums
    values, counts, _, _ = additive.in_integers()
    total = sum(v * c for v, c in zip(values, counts, strict=True))
    return enumeration_size(counts), enumeration_bytes(counts, total)


def enumerated(additive: Additive) -> tuple[CertifiedProbability, Fraction]:
    """P, of all 2^n assignments, by meeting in the middle; exactly too.

    Ties are decided in exact integers. The interval reaches up to the p of assignments that tie
    with the observed one up to the rounding of the scores.
    """
    values, counts, lesser, slack = additive.in_integers()
    n = sum(counts)
    if additive.sides == "all" or not n:
        return CertifiedProbability.exactly(1.0), Fraction(1)
    if additive.sides == "but one":
        bounds = [lesser - 1, lesser - slack - 1]
        exact, near = (2**n - k for k in enumerate_lower_tail(values, counts, bounds))
    else:
        bounds = [lesser, lesser + slack]
        exact, near = enumerate_lower_tail(values, counts, bounds)
    power = 2 ** (n - 1 if additive.sides == "both" else n)
    p = CertifiedProbability.from_ratio(min(exact, power), power)
    highest = CertifiedProbability.from_ratio(min(near, power), power)
    return replace(p, high=highest.high, log_high=highest.log_high), Fraction(exact, power)


def bracketed(additive: Additive, budget: Budget) -> CertifiedProbability:
    """A proven interval for p; p is its upper end.

    Raises
    ------
    BudgetError
        If the budget leaves it too wide.
    """
    if additive.sides == "all" or not additive.split.counts.size:
        return CertifiedProbability.exactly(1.0)
    is_strict = additive.sides == "but one"
    p = bracket_lower_tail(additive.split, is_strict, budget).at_most_half()
    if is_strict:
        p = p.complement()
    elif additive.sides == "both":
        p = p.doubled()
    return replace(p, value=p.high, log=p.log_high)
