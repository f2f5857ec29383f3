"""The paired-permutation test in the paper's general form: any statistic of additive parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm import options
from pairedperm.permutation.run import run
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.scoring.arguments import read_statistic


def structured_permutation_test(
    stay: Any,
    swap: Any,
    statistic: Callable[[NDArray[np.float64]], Any],
    *,
    groups: Any = None,
    method: options.Method = "auto",
    n_resamples: int | None = None,
    rng: options.Seed = None,
    budget: options.BudgetLike = None,
) -> PairedPermutationResult:
    """Exact paired-permutation test of any statistic of sums over the examples.

    Null hypothesis: on every example the two systems' outputs are exchangeable, independently
    of the other examples. An example adds its row of `stay` to the sum S if the outputs stay
    with their systems, its row of `swap` if they are swapped. The p-value is the share of all 2^n
    ways of swapping in which statistic(S) ≥ statistic(Σ stay), which is the observed one. It
    is one-sided, and never doubled: for both sides take the statistic's absolute value.

    Parameters
    ----------
    stay, swap : array_like of int or decimal float, shape (n,) or (n, m)
        What each example adds to the m sums, or the one sum. Lists, arrays, dataset columns.
    statistic : callable
        From sums, a float64 array of shape (…, m), to values of shape (…); if stay and swap have
        shape (n,), from shape (…). It is called with many rows of sums at once, and only with
        sums that some swaps give. Where a denominator is 0 it must say what the value is; of
        warnings NumPy gives none.
    groups, method, n_resamples, rng, budget
        See `paired_permutation_test`. A point is one of the sums' grid.

    Returns
    -------
    PairedPermutationResult
        Its `statistic` is the observed one, `score1` and `score2` are None, `alternative` is
        "greater". p = 1 if no example's rows differ.

    Raises
    ------
    InputError
        If a column is empty, no sequence, not of finite numbers within int64, or a float is no
        decimal; if stay and swap differ in shape; if the statistic is not vectorised, or returns
        another shape, NaN, an infinite value or what is no number.
    BudgetError
        If `method` is "exact" and the sums have more points than the budget allows.

    Warns
    -----
    UserWarning
        If `method` is "auto" and p is sampled, for it would exceed the budget.

    Notes
    -----
    The differences stay - swap span a lattice, whose rank is found, whatever the number of
    columns is; if they fall into groups that share no linear relation, the law of S is a
    product. On its points the statistic is evaluated, once for each. Cost: O(points), about a
    second for a million. The p-value is within 1e-12 absolutely (relatively, where the law is
    summed from positive terms: up to some million points), and where it is too small to be told
    from 0 so the upper end of its interval; `pvalue_interval` is certified, apart from rounding
    within the statistic. Two values tie if they differ by at most 1e-12 of the
    larger one, or 1e-14 of the largest of some random swaps: round them, if yours are coarser.

    References
    ----------
    .. [1] R. Zmigrod, T. Vieira, R. Cotterell, "Exact Paired-Permutation Testing for
       Structured Test Statistics", NAACL 2022. Appendix B, equations (12) and (16), Algorithm 5.

    Examples
    --------
    The difference of two F1 scores by the paper's equation (16), of the sums tp1, in1, tp2, in2
    of true positives and incorrect predictions. They move in two dimensions only.

    >>> import numpy as np
    >>> from pairedperm import structured_permutation_test
    >>> large, small = np.array([[2, 0], [1, 0], [1, 1]]), np.array([[1, 1], [0, 2], [1, 3]])
    >>> stay, swap = np.hstack((large, small)), np.hstack((small, large))
    >>> def difference(sums):
    ...     tp1, in1, tp2, in2 = np.moveaxis(sums, -1, 0)
    ...     return tp1 / (tp1 + in1 / 2) - tp2 / (tp2 + in2 / 2)
    >>> result = structured_permutation_test(stay, swap, difference)
    >>> result.statistic, result.pvalue
    (0.4888888888888888, 0.125)
    >>> structured_permutation_test(stay, swap, lambda sums: abs(difference(sums))).pvalue
    0.25
    """
    chosen = options.read_options(
        alternative="greater",
        method=method,
        n_resamples=n_resamples,
        rng=rng,
        budget=budget,
    )
    rows, found = read_statistic(stay, swap, statistic, groups)
    return run(rows.owned(), found, None, chosen)
