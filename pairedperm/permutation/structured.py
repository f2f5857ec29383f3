"""The paired-permutation test in the paper's general form: any statistic of sums."""

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
    with their systems. It adds its row of `swap` if they are swapped. The observed sum is Σ stay.
    The p-value is the share of all 2^n swaps in which statistic(S) ≥ statistic(Σ stay). It is
    one-sided and never doubled: for both sides, take the statistic's absolute value.

    Parameters
    ----------
    stay, swap : array_like of int or float, shape (n,) or (n, m)
        What each example adds to the m sums, or to the one sum. Lists, arrays and dataset columns
        are accepted. Floats must be decimals of up to 13 significant digits.
    statistic : callable
        A function from sums, a float64 array of shape (…, m), to values of shape (…). If `stay`
        and `swap` have shape (n,), it gets shape (…). It is called with many rows of sums at
        once, and only with sums that some swaps give. Where a denominator is 0 it must still
        return a number; NumPy's warnings are off inside.
    groups, method, n_resamples, rng, budget
        As in `paired_permutation_test`. A point of the budget is a point of the sums' grid.

    Returns
    -------
    PairedPermutationResult
        `statistic` is the observed one, `score1` and `score2` are None, and `alternative` is
        "greater". p = 1 if no example's rows differ.

    Raises
    ------
    InputError
        If a column is empty, is no sequence, or holds anything but finite numbers within int64.
        If a float is no decimal.
        If `stay` and `swap` differ in shape.
        If the statistic is not vectorised, or returns another shape, NaN, an infinite value or
        something that is no number.
        If an option is unknown, or `method` is "bracket".
    BudgetError
        If `method` would exceed the budget: for "exact", if the sums have too many points.
        If the samples would take more than an hour.

    Warns
    -----
    UserWarning
        If `method` is "auto" and p is sampled because "exact" would exceed the budget.

    Notes
    -----
    Accuracy: p is within 1e-12 absolutely. Up to some million points of the sums' grid, the
    relative error is as small. If p is below this error, the upper end of the interval is
    returned. `pvalue_interval` contains the true p, apart from rounding within the statistic.

    Cost: O(points), about a second for a million. The grid has as many dimensions as swaps move
    sums independently, however many columns there are.

    Ties: two values tie if they differ by at most 1e-12 of the larger one, or by 1e-14 of the
    largest of some random swaps. Round the values, if yours are coarser.

    References
    ----------
    .. [1] R. Zmigrod, T. Vieira, R. Cotterell, "Exact Paired-Permutation Testing for
       Structured Test Statistics", NAACL 2022. Appendix B, equations (12) and (16), Algorithm 5.

    Examples
    --------
    The difference of two F1 scores by the paper's equation (16). The sums tp1, in1, tp2, in2 are
    the true positives and the incorrect predictions of both systems.

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
