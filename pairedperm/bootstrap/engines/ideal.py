"""The ideal bootstrap: all n^n resamples at once."""

from __future__ import annotations

from pairedperm.bootstrap.problem import Answer, Draws
from pairedperm.bootstrap.shared_ratio import SharedRatio
from pairedperm.errors import InputError
from pairedperm.options import Options
from pairedperm.wording import Name, Parts, Setting


def ideal(problem: Draws, options: Options) -> Answer:
    """Compute p over all n^n resamples, and the percentile intervals.

    Raises
    ------
    InputError
        If the difference is no sum over a common denominator.
    BudgetError
        If a transform would be too long.
    """
    if problem.inexact or not isinstance(problem, SharedRatio):
        raise InputError(
            *(
                Name("method"),
                " 'exact', the ideal bootstrap, is for means of integers, decimals or ",
            ),
            "small fractions. It is also for ratios of such sums whose denominator is the same for "
            "both systems on every example",
            remedy=(
                Parts("Here ", problem.inexact),
                Parts("Use ", Setting("method", "'auto'"), " or 'monte_carlo'"),
            ),
        )
    p = problem.pvalue(options.alternative, options.ties, options.budget)
    level = (1.0 - options.level) / 2.0
    return Answer(p, problem.intervals(level, options.budget))
