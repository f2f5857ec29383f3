"""P-values of a difference of ratios: on a line, or in the plane."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pairedperm.convolution import (
    Budget,
    CertifiedProbability,
    Lattice,
    PlanarLaw,
    exact_dot,
    lower_tail,
    planar_tail,
    spanned,
)
from pairedperm.ratio_differences import RatioDifferences
from pairedperm.ratio_region import RatioRegion

__all__ = ["ratio_pvalue"]


def ratio_pvalue(
    differences: RatioDifferences, alternative: str, budget: Budget
) -> CertifiedProbability:
    """P(D at least as extreme as observed) for the difference D of the two systems' scores.

    D is odd under swapping everything, so that its law is symmetric. Up to d ≤ 0 the tail
    P(D ≥ d) is 1 - P(D > -d), where no digits are lost.
    """
    observed = differences.observed
    if differences.v == 0 or not differences.n_differing:  # no swap changes anything
        return CertifiedProbability.exactly(1.0)
    if alternative == "two-sided":
        if observed == 0:
            return CertifiedProbability.exactly(1.0)
        return _tail(differences, abs(observed), False, budget).doubled()
    threshold = observed if alternative == "greater" else -observed
    if threshold > 0:
        return _tail(differences, threshold, False, budget)
    return _tail(differences, -threshold, True, budget).complement()


def _tail(
    differences: RatioDifferences, threshold: Fraction, strict: bool, budget: Budget
) -> CertifiedProbability:
    """P(D ≥ threshold) for a positive one, or with `strict` P(D > threshold): at most one half."""
    lattice = spanned(differences.vectors, differences.multiplicities)
    if lattice.rank == 1:
        return _tail_on_a_line(differences, lattice, threshold, strict, budget)
    law = PlanarLaw(lattice.coordinates(differences.vectors), differences.multiplicities)
    region = RatioRegion(differences, lattice, threshold, strict)
    return planar_tail(law, region, is_complement=strict, budget=budget)


def _tail_on_a_line(
    differences: RatioDifferences,
    lattice: Lattice,
    threshold: Fraction,
    strict: bool,
    budget: Budget,
) -> CertifiedProbability:
    """The same where S = M · direction, M = W - 2B a sum of independent ± integers.

    D(M) = 2M (VX - UY) / (V² - M² Y²), (X, Y) the direction, is monotone where no denominator
    vanishes, which happens at |M| = W only. So D reaches the threshold up to some B, found by
    bisection in integers, except perhaps at the two ends.
    """
    x, y = lattice.direction
    sizes = lattice.multiples(differences.vectors)
    order = np.argsort(sizes)
    values, counts = sizes[order], differences.multiplicities[order]
    total = exact_dot(counts, values)
    if differences.v * x < differences.u * y:
        x, y = -x, -y  # the law is symmetric

    def is_extreme(b: int) -> bool:
        m = total - 2 * b
        found = differences.difference(m * x, m * y)
        return found > threshold if strict else found >= threshold

    ends_apart = abs(total * y) == differences.v
    low, high = (0 if ends_apart else -1), (total + 1) // 2  # extreme, if at all; not extreme
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_extreme(middle) else (low, middle)
    n = differences.n_differing
    if not ends_apart:
        if low < 0:
            return CertifiedProbability.near(0.0)
        return lower_tail(values, counts, low, total, budget)
    n_ends = is_extreme(0) + is_extreme(total)
    if low < int(values[0]):  # only an end
        if n_ends == 0:
            return CertifiedProbability.near(0.0)
        return CertifiedProbability.power_of_half(n - n_ends + 1)
    return lower_tail(values, counts, low, total, budget).with_powers_of_half(n_ends - 1, n)
