"""A sum of scores, as the engines take it that need no lattice: enumeration, bracket."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.convolution.reals.bracket import Split, WholeSplit

Sides = Literal["all", "one", "both", "but one"]


class Additive(NamedTuple):
    """The sum S of |differences| with random signs, and what p is in terms of its lower tail.

    With B the sum of those that are against system 1, S = Σ |differences| - 2B, and S and -S have
    the same law. What `split` takes is B as observed, or what it is with the systems' names
    exchanged, the smaller of the two. p is by `sides`: "one", P(B ≤ b); "both", twice that;
    "but one", 1 - P(B < b); "all", 1. `in_integers` is the same split in exact numbers, and by how
    much the rounding of all scores may have moved what is taken.
    """

    split: Split
    sides: Sides
    in_integers: Callable[[], tuple[WholeSplit, int]]


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
    split = WholeSplit(values, counts, (total - abs(observed)) // 2)
    kind = sides((observed > 0) - (observed < 0), alternative)
    return Additive(split, kind, lambda: (split, 0))


def sides(sign: int, alternative: str) -> Sides:
    """How p follows from the lower tail, for the sign of the observed difference."""
    if alternative == "two-sided":
        return "both" if sign else "all"
    return "one" if sign == (1 if alternative == "greater" else -1) else "but one"
