"""A proven interval for the tail of a sum of real two-point variables, on a lattice or not.

B = Σ_k values[k] · Binomial(counts[k], 1/2) with real values > 0, and b is the sum of the values
that were observed to be taken. Three identities make the values alike, however far apart they are:

    P(B ≤ b) = P(B' ≤ b) / 2^m     without the m values above b, which cannot be taken,
    P(B ≤ b) = 1 - P(B* < b*)      for B* the sum of what is not taken, b* as observed,
    P(B ≤ b) = P(X < x) + P(X = x) P(B' ≤ b')

In the third, the largest value is above the sum B' of all others. X counts how often that value is
taken; x and b' are the observed X and B'. The identities also hold with < and ≤ exchanged.

The second is used if b > b*. Then no value is above b, and b ≤ b*. Few values are listed in two
halves. Many are put between two sums of rounded values (`rounded`).

The values come as floats (`RealSplit`) or as integers (`WholeSplit`), with the same methods. Both
hold distinct positive `values`, ascending, their `counts`, and the part of them that is `taken`.

Floats may have been rounded before they came, such as 1/3. Then a `slack` s says how far B - b may
be from its true value, and P(B ≤ b - s) … P(B ≤ b + s) contains P(B ≤ b) of the true values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import UNIT, CertifiedProbability
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.line.tail import MAX_APART
from pairedperm.convolution.reals.rounded import QUICK_TAILS, rounded_tails
from pairedperm.options import Budget

LISTED = 36  # tuned: variables whose sums are listed in two halves


class Scaled(NamedTuple):
    """A split's values, the sums of those taken and not taken, and the slack, in one unit."""

    values: FloatArray
    bound: float
    other: float
    slack: float


@dataclass(frozen=True)
class RealSplit:
    """A split of floats, each within a relative 2^-53; `taken` says how many of each are taken."""

    values: FloatArray
    counts: IntArray
    taken: IntArray
    slack: float = 0.0

    def scaled(self) -> Scaled:
        """Return the values, the sums of those taken and not taken, within 2^-52, and the slack.

        They are in a unit in which the largest value is from 1/2 to 1; much smaller ones may be 0.
        """
        exponent = -math.frexp(float(self.values[-1]))[1]
        values = np.ldexp(self.values, exponent)
        counts = self.taken, self.counts - self.taken
        taken, other = (math.fsum((n * values).tolist()) for n in counts)
        with np.errstate(over="ignore"):  # it may be that of a far larger value, left out since
            slack = float(np.ldexp(self.slack, exponent))
        return Scaled(values, taken, other, min(slack, 2.0 * (taken + other)))

    def kept(self, n: int) -> RealSplit:
        """Return the split of the first n values, if none of the others is taken."""
        return RealSplit(self.values[:n], self.counts[:n], self.taken[:n], self.slack)

    def turned(self) -> RealSplit:
        """Exchange the values that are taken for those that are not."""
        return replace(self, taken=self.counts - self.taken)

    def is_apart(self) -> bool:
        """Tell whether the largest value is above the sum of all others, whatever the slack."""
        others = math.fsum((self.counts * self.values)[:-1].tolist())
        return others * (1.0 + 8.0 * UNIT) + self.slack < float(self.values[-1])

    def set_apart(self) -> tuple[int, RealSplit]:
        """Return how many of the largest value are taken, and the split of all others."""
        return int(self.taken[-1]), self.kept(-1)


@dataclass(frozen=True)
class WholeSplit:
    """A split of integers of any size; `taken` is the sum of those that are taken."""

    values: Sequence[int] | NDArray[Any]
    counts: IntArray
    taken: int
    slack: ClassVar[float] = 0.0

    def total(self) -> int:
        """Return the sum of all values, each as often as it occurs."""
        pairs = zip(self.values, self.counts.tolist(), strict=True)
        return sum(int(value) * count for value, count in pairs)

    def scaled(self) -> Scaled:
        """Return the split in units of a power of two that exceeds every value."""
        scale = 1 << int(self.values[-1]).bit_length()
        values = np.array([int(value) / scale for value in self.values])  # correctly rounded
        return Scaled(values, self.taken / scale, (self.total() - self.taken) / scale, 0.0)

    def kept(self, n: int) -> WholeSplit:
        """Return the split of the n smallest values."""
        return WholeSplit(self.values[:n], self.counts[:n], self.taken)

    def turned(self) -> WholeSplit:
        """Return the split with taken values left, and left ones taken."""
        return WholeSplit(self.values, self.counts, self.total() - self.taken)

    def is_apart(self) -> bool:
        """Tell whether the largest value exceeds all others together."""
        return self.kept(-1).total() < int(self.values[-1])

    def set_apart(self) -> tuple[int, WholeSplit]:
        """Return how often the largest value is taken, and the split of the others."""
        taken, rest = divmod(self.taken, int(self.values[-1]))
        return taken, WholeSplit(self.values[:-1], self.counts[:-1], rest)


Split = RealSplit | WholeSplit


def bracket_lower_tail(
    split: Split, strict: bool, budget: Budget, patience: float = QUICK_TAILS
) -> CertifiedProbability:
    """Return an interval for P(B ≤ b), or for P(B < b) if `strict`; its value is the upper end.

    `split` holds the values and which of them are observed to be taken; b is the sum of these. The
    relative width is 1e-6, or what `patience` nanoseconds allow, mostly 1e-3 or less. It is more if
    much mass lies at b. Cost: some transforms, and some ten frequencies.

    Raises
    ------
    BudgetError
        If the budget allows no interval of `rounded_tails`.
    """
    # variables left out, None for the second identity, or (count, taken) for the third
    steps: list[int | tuple[int, int] | None] = []
    p = CertifiedProbability.exactly(1.0)
    while split.counts.size:
        # make the values alike by the three identities, as long as one applies
        scaled = values, bound, other, slack = split.scaled()
        most = bound * (1.0 + 8.0 * UNIT) + slack
        n_kept = int(np.searchsorted(values, most, side="right"))
        if n_kept < values.size:
            steps.append(int(split.counts[n_kept:].sum()))
            split = split.kept(n_kept)
        elif split.counts.sum() > LISTED and split.counts[-1] <= MAX_APART and split.is_apart():
            count = int(split.counts[-1])
            taken, split = split.set_apart()
            steps.append((count, taken))
        elif bound > other:
            steps.append(None)
            split, strict = split.turned(), not strict
        else:
            p = _bracketed(scaled, split.counts, strict, budget, patience)
            break
    else:  # B = b = 0
        if strict:
            p = CertifiedProbability.from_ratio(0, 1)
    # lead back to the tail that is wanted
    for step in reversed(steps):
        if isinstance(step, tuple):
            p = p.among(*step)
        else:
            p = p.complement() if step is None else p.times_power_of_half(step)
    return CertifiedProbability.spanning(p, p)


def _bracketed(
    scaled: Scaled, counts: IntArray, strict: bool, budget: Budget, patience: float
) -> CertifiedProbability:
    """Return the interval if no value is above b + s, and b is at most the middle."""
    values, bound, _, slack = scaled
    n = int(counts.sum())
    if n <= LISTED:
        return listed_tail(np.repeat(values, counts), bound, strict, slack)
    is_there = values > 0.0  # a value may be 0 beside the largest
    p = rounded_tails(values[is_there], counts[is_there], bound, budget, slack, patience)
    least = CertifiedProbability.power_of_half(n)  # the observed assignment has B = b
    is_known = strict or p.log_low >= least.log_low
    return p if is_known else CertifiedProbability.spanning(least, p)


def listed_tail(
    each: FloatArray, bound: float, strict: bool, slack: float = 0.0
) -> CertifiedProbability:
    """List all sums of two halves, in floats: sums that are too near to b widen the interval.

    The observed assignment has the sum b, which `strict` leaves out.
    """
    # count the pairs of sums that are certainly up to b, and those that may be
    left, right = (_subset_sums(half) for half in (each[::2], each[1::2]))
    error = 8.0 * each.size * UNIT * float(each.sum()) + slack
    low, high = (
        int(np.searchsorted(left, bound + shift - right, side="right").sum())
        for shift in (-error, error)
    )
    low, high = (low, high - 1) if strict else (max(low, 1), high)
    bottom, top = (CertifiedProbability.from_ratio(n, 1 << each.size) for n in (low, high))
    return CertifiedProbability.spanning(bottom, top)


def _subset_sums(values: FloatArray) -> FloatArray:
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums, sums + value))
    sums.sort()
    return sums
