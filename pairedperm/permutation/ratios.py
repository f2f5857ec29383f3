"""P-values of a difference of ratios: on a line, or in the plane."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pairedperm.convolution import (
    Budget,
    CertifiedProbability,
    Engine,
    Lattice,
    PlanarLaw,
    exact_dot,
    planar_tail,
    spanned,
    tail_engine,
)
from pairedperm.permutation.problem import Size, known, size_in_the_plane, size_on_a_line
from pairedperm.permutation.ratio_differences import RatioDifferences
from pairedperm.permutation.ratio_region import RatioRegion

__all__ = ["ratio_pvalue", "ratio_size"]


def ratio_pvalue(
    differences: RatioDifferences, alternative: str, budget: Budget
) -> CertifiedProbability:
    """P(D at least as extreme as observed) for the difference D of the two systems' scores.

    D is odd under swapping everything, so that its law is symmetric. Up to d ≤ 0 the tail
    P(D ≥ d) is 1 - P(D > -d), where no digits are lost.
    """
    wanted = _wanted(differences, alternative)
    if wanted is None:
        return CertifiedProbability.exactly(1.0)
    tail = _tail(differences, *wanted, budget)
    if alternative == "two-sided":
        return tail.doubled()
    return tail.complement() if wanted[1] else tail


def ratio_size(differences: RatioDifferences, alternative: str, budget: Budget) -> Size:
    """What `ratio_pvalue` takes."""
    wanted = _wanted(differences, alternative)
    lattice = spanned(differences.vectors, differences.multiplicities)
    if wanted is None:
        return known(lattice.rank)
    threshold, strict = wanted
    if lattice.rank == 1:

        def engine() -> Engine | None:
            found = _on_a_line(differences, lattice, threshold, strict, budget)
            return None if isinstance(found, CertifiedProbability) else found[0]

        sizes = lattice.multiples(differences.vectors)
        return size_on_a_line(sizes, differences.multiplicities, engine)
    law = PlanarLaw(lattice.coordinates(differences.vectors), differences.multiplicities)
    return size_in_the_plane(law, budget, RatioRegion(differences, lattice, threshold, strict))


def _wanted(differences: RatioDifferences, alternative: str) -> tuple[Fraction, bool] | None:
    """Which tail: P(D ≥ a) for a > 0, or P(D > a) whose complement it is; None where p is 1."""
    observed = differences.observed
    if differences.v == 0 or not differences.n_differing:  # no swap changes anything
        return None
    if alternative == "two-sided":
        return None if observed == 0 else (abs(observed), False)
    threshold = observed if alternative == "greater" else -observed
    return abs(threshold), threshold <= 0


def _tail(
    differences: RatioDifferences, threshold: Fraction, strict: bool, budget: Budget
) -> CertifiedProbability:
    """P(D ≥ threshold) for a positive one, or with `strict` P(D > threshold): at most one half."""
    lattice = spanned(differences.vectors, differences.multiplicities)
    if lattice.rank == 1:
        found = _on_a_line(differences, lattice, threshold, strict, budget)
        if isinstance(found, CertifiedProbability):
            return found
        engine, n_ends = found
        return engine.run().with_powers_of_half(n_ends, differences.n_differing)
    law = PlanarLaw(lattice.coordinates(differences.vectors), differences.multiplicities)
    region = RatioRegion(differences, lattice, threshold, strict)
    return planar_tail(law, region, is_complement=strict, budget=budget)


def _on_a_line(
    differences: RatioDifferences,
    lattice: Lattice,
    threshold: Fraction,
    strict: bool,
    budget: Budget,
) -> CertifiedProbability | tuple[Engine, int]:
    """The same where S = M · direction, M = W - 2B a sum of independent ± integers.

    D(M) = 2M (VX - UY) / (V² - M² Y²), (X, Y) the direction, is monotone where no denominator
    vanishes, which happens at |M| = W only. So D reaches the threshold up to some B, found by
    bisection in integers, except perhaps at the two ends.

    The tail if it is known; otherwise how it is computed, and how many ends to add.
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
        return tail_engine(values, counts, low, total, budget), 0
    n_ends = is_extreme(0) + is_extreme(total)
    if low < int(values[0]):  # only an end
        if n_ends == 0:
            return CertifiedProbability.near(0.0)
        return CertifiedProbability.power_of_half(n - n_ends + 1)
    return tail_engine(values, counts, low, total, budget), n_ends - 1
