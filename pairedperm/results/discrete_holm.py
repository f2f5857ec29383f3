"""Holm's procedure for p-values that can take few values, whose laws are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pairedperm.convolution.law import FloatArray

PvalueLaw = Callable[[float], float]
"""Returns an upper bound of P(p ≤ t) under the null hypothesis, of at most t and rising in t."""


@dataclass(frozen=True, slots=True, eq=False)
class AttainablePvalues:
    """The law of a p-value that takes some values: P(p ≤ x) = x for each of them.

    Attributes
    ----------
    low, high : float64 array, shape (k,), ascending
        The proven ends of each value.
    """

    low: FloatArray
    high: FloatArray

    def __call__(self, t: float) -> float:
        """Return an upper bound of P(p ≤ t): the largest value up to t, or 0 if all are above.

        A value counts if its lower end is up to t, so t may be the upper end of an observed p.
        """
        n_below = int(np.searchsorted(self.low, t, side="right"))
        return min(float(self.high[n_below - 1]), t) if n_below else 0.0


def unknown_law(t: float) -> float:
    """Return t, which bounds P(p ≤ t) for every valid p-value."""
    return t


def law_from(least: float) -> PvalueLaw:
    """Return the law of a p-value of which only the least value is known."""
    return lambda t: t if t >= least else 0.0


def discrete_holm(pvalues: Sequence[float], laws: Sequence[PvalueLaw]) -> list[float]:
    """Adjust p-values for their number, given the law of each.

    A test is significant at level α if its adjusted p-value is at most α. The probability that
    any true null hypothesis is rejected is then at most α, however the tests depend on each other.

    Parameters
    ----------
    pvalues : sequence of float, length m
        The upper ends of proven intervals of the p-values. A sampled one is as it is.
    laws : sequence of callable, length m
        F_j(t), an upper bound of P(p_j ≤ t) under the null hypothesis of test j. It is at most t
        and does not fall in t, as those of `AttainablePvalues`. `unknown_law` is that of a sampled
        p-value. A law may be that given some data, such as the sizes of the differences, if it
        holds for all true null hypotheses given these data.

    Returns
    -------
    list of float, length m
        The adjusted p-values, at most 1, in the order of `pvalues`. None is above Holm's.

    Notes
    -----
    For p_(1) ≤ … ≤ p_(m), the adjusted p_(i) is the maximum over k ≤ i of
    min(1, Σ_{j ≥ k} F_(j)(p_(k))) [1]_ [2]_. Holm's has (m - k + 1) p_(k) in place of the sum.

    Proof. Let T be the true null hypotheses, G(t) = Σ_{j in T} F_j(t), and p* the least p-value in
    T. If one in T is rejected, let k be the first place of one. T is among the tests from k on,
    p_(k) = p*, and so G(p*) ≤ Σ_{j ≥ k} F_(j)(p_(k)) ≤ α. It remains to show P(G(p*) ≤ α) ≤ α. G
    rises, so {t : G(t) ≤ α} is all t up to some c, with or without c itself. For t in this set,
    P(p* ≤ t) ≤ Σ_{j in T} P(p_j ≤ t) ≤ G(t) ≤ α, and P(p* in the set) is the limit of P(p* ≤ t)
    for t that rise to its end.

    Cost: O(m²) calls of laws.

    References
    ----------
    .. [1] P. H. Westfall, R. D. Wolfinger, "Multiple tests with discrete distributions", The
       American Statistician 51, 1997.
    .. [2] S. Döhler, "Validation of credit default probabilities using multiple-testing
       procedures", Journal of Risk Model Validation 4, 2010.

    Examples
    --------
    >>> few = AttainablePvalues(*[np.array([0.25, 1.0])] * 2)
    >>> discrete_holm([0.25, 0.02], [few, unknown_law])
    [0.25, 0.02]
    """
    order = np.argsort(pvalues, kind="stable").tolist()
    adjusted_p, largest = [0.0] * len(order), 0.0
    for k, i in enumerate(order):
        total = math.fsum(laws[j](pvalues[i]) for j in order[k:])
        largest = max(largest, min(total, 1.0))
        adjusted_p[i] = largest
    return adjusted_p
