"""An interval from one tail of a sum of integers to a slightly longer one, by one tilted law.

P(B ≤ low) and P(B ≤ high) are wanted for two bounds that are near each other. A tilt to a bound
between them serves both. So does its window: if bound, n_tail and n_guard (`Window`) become
bound + s, n_tail + s and n_guard - s, the period and both ends of the window stay where they were,
and so does the leak. A frequency is dropped by |φ| and the period alone. So the frequencies that
survive are the same for both tails.

The errors of `tilted` are not asked to be small here: they widen the interval. A law that is fitted
with a larger share to be dropped has a shorter window, and far fewer frequencies have to be looked
at.
"""

from __future__ import annotations

from pairedperm.convolution.certified import UP, CertifiedProbability
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.line.tilted import Fit, Window, exponent_at, tilted_sum
from pairedperm.options import Budget

NEVER, ALWAYS = CertifiedProbability.from_ratio(0, 1), CertifiedProbability.exactly(1.0)


def between_tilted_tails(
    fitted: Fit, bound: int, low: int, high: int, budget: Budget
) -> CertifiedProbability:
    """Return an interval from P(B ≤ low) to P(B ≤ high), by a law that `fit` tilted to `bound`.

    Raises
    ------
    BudgetError
        If more frequencies have to be looked at than the budget allows.
    """
    blocks = [*fitted.frequencies(budget)]
    return CertifiedProbability.spanning(
        _moved(fitted, bound, low - bound, blocks) or NEVER,
        _moved(fitted, bound, high - bound, blocks) or ALWAYS,
    )


def _moved(
    fitted: Fit, bound: int, step: int, blocks: list[IntArray]
) -> CertifiedProbability | None:
    """Return P(B ≤ bound + step); None if the window does not reach so far, or no digit is left."""
    n_tail, n_guard = fitted.window.n_tail + step, fitted.window.n_guard - step
    if min(n_tail, n_guard) < 1:
        return None
    window = Window(n_tail, n_guard, fitted.window.leak)
    log_scale, log_scale_error = exponent_at(fitted.law, bound + step)
    tail, rounding = tilted_sum(fitted, bound + step, window, blocks)
    tail_error = UP * (window.leak + fitted.tolerance + rounding)
    if tail_error >= tail:
        return None
    return CertifiedProbability.from_tilted(log_scale, log_scale_error, tail, tail_error)
