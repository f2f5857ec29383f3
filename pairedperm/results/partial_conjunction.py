"""On how many tasks at least a system is better: partial conjunctions of p-values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from itertools import accumulate

from pairedperm.results.correction import adjusted
from pairedperm.results.permutation_result import PairedPermutationResult

_PRECISE = Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)  # proof: of `_erlang_tail`


def partial_conjunction(log_pvalues: Sequence[float]) -> Iterator[float]:
    """Test, for each k, whether fewer than k null hypotheses are false, of independent tests.

    Parameters
    ----------
    log_pvalues : sequence of float, length K
        The natural logarithms of the p-values, which are independent under the null hypotheses.

    Yields
    ------
    float
        The p-value of "at most k - 1 null hypotheses are false", for k from 1 to K. They need not
        ascend.

    Notes
    -----
    With p_(1) ≤ … ≤ p_(K), the k-th one is Fisher's combination [1]_ of the K - k + 1 largest:
    P(χ² ≥ -2 Σ_{i ≥ k} ln p_(i)) with 2 (K - k + 1) degrees of freedom [2]_.

    Proof. If at most k - 1 are false, then at least K - k + 1 are true. The K - k + 1 largest
    p-values are, one by one, at least as large as any K - k + 1 others. So -2 Σ ln p of the largest
    is at most that of true ones. Each true p-value is at least as large as a uniform one, in
    distribution, and -2 ln of a uniform one is χ² with 2 degrees of freedom.

    References
    ----------
    .. [1] R. A. Fisher, "Statistical Methods for Research Workers", 4th edition, 1932, section
       21.1.
    .. [2] Y. Benjamini, R. Heller, "Screening for partial conjunction hypotheses", Biometrics 64,
       2008, equation 4.

    Examples
    --------
    >>> from math import log
    >>> [round(p, 4) for p in partial_conjunction([log(0.01), log(0.04), log(0.3)])]
    [0.0061, 0.0651, 0.3]
    """
    with localcontext(_PRECISE):
        descending = sorted(map(Decimal, log_pvalues), reverse=True)
        sums = [*accumulate(-x for x in descending)]
    for r in range(len(sums), 0, -1):
        yield _erlang_tail(r, sums[r - 1])


def _erlang_tail(r: int, x: Decimal) -> float:
    """Return P(χ²_{2r} ≥ 2x) = e^-x Σ_{i < r} x^i / i!, the tail of r exponential variables.

    Values from 1e-307 err by less than 1e-15 of themselves, for up to 10^9 tests. Proof. All terms
    are positive. Each of the 3 r steps of Horner's rule, e^-x, and each sum that makes x err by at
    most 10^-39. The logarithm of the tail changes at most as much as x, which is below 10^10 for
    such values. So these errors are below 10^-19, and the float is rounded by 1.2e-16.
    """
    if x.is_infinite():
        return 0.0
    with localcontext(_PRECISE):
        total = Decimal(1)
        for i in range(r - 1, 0, -1):
            total = 1 + total * x / i
        return float(total * (-x).exp())


def at_least(log_pvalues: Sequence[float], alpha: float, *, are_independent: bool = True) -> int:
    """Return a number k such that at least k null hypotheses are false, with confidence 1 - α.

    With one-sided p-values, one for each task, system 1 is better on at least k tasks. For both
    directions at once, each takes α / 2.

    Parameters
    ----------
    log_pvalues : sequence of float, length K
        The natural logarithms of the p-values.
    alpha : float
        The level: with at most this probability, fewer than k are false.
    are_independent : bool
        Whether the p-values are independent under the null hypotheses. Those of tasks with groups
        in common are not. If they are not, k is the number of those that Holm rejects.

    Returns
    -------
    int
        From 0 to K: the largest k such that all of p^{1/K}, …, p^{k/K} are at most α, see
        `partial_conjunction`.

    Notes
    -----
    If k* are false and the bound exceeds k*, then p^{(k* + 1)/K} ≤ α was found although its null
    hypothesis is true. That has a probability of at most α.

    Examples
    --------
    >>> from math import log
    >>> some = [log(0.01), log(0.02), log(0.04), log(0.3)]
    >>> at_least(some, 0.05), at_least(some, 0.05, are_independent=False)
    (2, 1)
    """
    if not are_independent:
        return sum(p <= alpha for p in adjusted([*map(math.exp, log_pvalues)], "holm"))
    pvalues = enumerate(partial_conjunction(log_pvalues))
    return next((k for k, p in pvalues if p > alpha), len(log_pvalues))


def n_better(
    results: Sequence[PairedPermutationResult], alpha: float, *, are_independent: bool
) -> tuple[int | None, int | None]:
    """Return on how many tasks, at least, system 1 is better, and system 2.

    Both numbers are right with confidence 1 - α. Of one-sided tests the number of the other
    direction is None.

    Parameters
    ----------
    results : sequence of PairedPermutationResult, length K ≥ 1
        The test of each task, all two-sided, or all of the same system being better: where lower is
        better on some tasks only, these have the other alternative.
    alpha : float
        The level. Each direction of two-sided tests takes α / 2.
    are_independent : bool
        Whether no group is in several tasks. Sampled p-values may share their samples, and so count
        as dependent.

    Notes
    -----
    A one-sided p follows from a two-sided one. Under swaps the difference D has the same law as -D,
    so P(D ≥ d) = P(|D| ≥ d) / 2 for d > 0. The p of the direction in which a system does not lead
    counts as 1, which it is at most. A sampled p may be halved too: it depends on |d| alone, and
    each sign of d has probability 1/2, given |d| and the samples.
    """
    is_exact = all(x.interval == "certified" for x in results)
    logs = [(x.log_pvalue_interval[1] if is_exact else x.log_pvalue, x.lead()) for x in results]

    def bound(log_pvalues: list[float], level: float) -> int:
        return at_least(log_pvalues, level, are_independent=are_independent and is_exact)

    if results[0].alternative == "two-sided":
        halves = [
            [log - math.log(2.0) if sign * lead > 0.0 else 0.0 for log, lead in logs]
            for sign in (1, -1)
        ]
        first, second = (bound(x, alpha / 2.0) for x in halves)
        return first, second
    found = bound([log for log, _ in logs], alpha)
    is_first = (results[0].alternative == "greater") is not results[0].lower_is_better()
    return (found, None) if is_first else (None, found)
