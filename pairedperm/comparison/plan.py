"""The plan of a test: the method that it will use, and the cost."""

from __future__ import annotations

import inspect
from typing import Any

from pairedperm.comparison.compare import compare
from pairedperm.errors import InputError
from pairedperm.errors.wording import Parts, Setting
from pairedperm.options import OPTIONS, read_options
from pairedperm.permutation.choose import decide, problem_of
from pairedperm.permutation.test import paired_permutation_test, structured_permutation_test
from pairedperm.results.report import Plan
from pairedperm.scoring.arguments import read_rows, read_statistic
from pairedperm.scoring.groups import metric_rows
from pairedperm.scoring.metric import metric_options, read_metric
from pairedperm.scoring.ratio import Ratio

_OF_STRUCTURED = {"stay", "swap", "statistic"}
_OF_COMPARE = {"predictions1", "predictions2", "references", "metric", "test", "ties"}


def plan(*arguments: Any, **options: Any) -> Plan:
    """Which method would a test use, and what would it cost? Nothing is computed.

    ``method="auto"`` uses the first method of this list that applies and fits the budget. It must
    also take about 3 s at most, or no longer than sampling would.

    1. "exact", if p is known without a sum: no example differs, or a two-sided test has equal
       scores, or only one assignment is as extreme.
    2. "exact", if the score is a mean, or a ratio of sums whose differences lie on a line (rank 1).
       It does not fit if the sums need more frequencies than the budget's `max_points`. Few
       examples can be counted instead, if this fits into its `max_bytes`.
    3. "exact", if the score is a ratio of sums in the plane (rank 2). Also for scores of two
       classes that grow with the number of correct labels. It does not fit if it needs more
       frequencies than `max_points`, or more memory than `max_bytes` for the rows of the plane. Up
       to 26 differing examples always fit: their swaps are counted.
    4. "exact", if the score is any other function of the sums. It does not fit if the grid of the
       sums has more points than `max_points`, or needs more than `max_bytes` at 40 bytes a point.
    5. "enumeration", if the scores lie on no lattice (floats of more than 13 digits) or on one that
       is too fine. A mean may have up to 44 differing examples, any other score about 22. A ratio
       counts as a mean if both systems have the same denominator in each example.
    6. "bracket", if the score is a mean as in 5.
    7. "monte_carlo" otherwise, with a warning: `n_resamples` swaps, or 9,999 if it is None. If
       fewer than 100 of the 9,999 are as extreme as observed, sampling goes on. It ends when 100
       are, or after 10^6 swaps or about 3 s.

    The seconds are estimated from counts of work, not by a clock: the same input always gives the
    same plan. With another `method`, only the budget decides, and more than 3 s show a progress
    bar. "dp", "fft" and "rational" run on request only.

    A test leaves its plan only if a method turns out to cost too much while it runs. It then uses
    the next method of the list, and warns if that is sampling. The same happens if the budget
    leaves a bracket more than 10 % wide for another reason than ties.

    Parameters
    ----------
    *arguments, **options
        The arguments of `compare`, `paired_permutation_test` or `structured_permutation_test`. A
        third function means `structured_permutation_test`. References (a third column) or a metric
        mean `compare`. Otherwise it is `paired_permutation_test`.

    Returns
    -------
    Plan
        The method, its cost and the reason for it.

    Raises
    ------
    InputError
        If the test would refuse the input, or is a bootstrap.
    BudgetError
        If `method` is "exact" and is sure to exceed the budget.
    TypeError
        If the test has no such argument.

    Examples
    --------
    Macro-averaged F1 of two classes has four columns (tp and predicted of each) of rank 2.

    >>> import pairedperm
    >>> gold, large, small = [0, 1, 1, 0, 1, 1], [0, 1, 1, 0, 0, 1], [1, 1, 0, 0, 0, 0]
    >>> plan = pairedperm.plan(large, small, gold, metric="f1", average="macro")
    >>> plan.method, plan.rank
    ('exact', 2)

    A function of ten columns of large counts has too many points.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> counts = rng.integers(0, 30, size=(2, 500, 10))
    >>> plan = pairedperm.plan(*counts, score=lambda sums: sums.max(axis=-1))
    >>> plan.method, plan.rank, plan.n_points > 1e20
    ('monte_carlo', 10, True)
    """
    if arguments and callable(arguments[0]):
        raise TypeError("plan takes the arguments of a test, not the test itself.")
    if len(arguments) > 2 and isinstance(arguments[2], Ratio):
        raise TypeError("give a Ratio by name: plan(counts1, counts2, score=Ratio(...)).")
    if _OF_STRUCTURED & options.keys() or (len(arguments) > 2 and callable(arguments[2])):
        given, of_test = _bound(structured_permutation_test, arguments, options)
        read = read_options(alternative="greater", **of_test)
        return decide(problem_of(*read_statistic(**given), read.alternative), read)
    if {*_OF_COMPARE, *metric_options()} & options.keys() or len(arguments) > 2:
        given, of_test = _bound(compare, arguments, options)
        read = read_options(**of_test)
        if read.test == "bootstrap":
            remedy = Parts("leave out ", Setting("test", "'bootstrap'"))
            raise InputError("plan is for permutation tests", remedy=remedy)
        columns = [given.pop(name) for name in ("predictions1", "predictions2", "references")]
        groups = given.pop("groups")
        metric = read_metric(given["metric"], given["ignore_label"], **given["metric_options"])
        rows = metric_rows(metric, metric.read(columns), groups)
        return decide(problem_of(rows, metric.checked_score(rows), read.alternative), read)
    given, of_test = _bound(paired_permutation_test, arguments, options)
    read = read_options(**of_test)
    return decide(problem_of(*read_rows(**given), read.alternative), read)


def _bound(
    test: Any, arguments: tuple[Any, ...], options: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Bind the arguments of the test: first its data, then how it is computed."""
    try:
        bound = inspect.signature(test).bind(*arguments, **options)
    except TypeError as error:
        raise TypeError(
            f"taken for the arguments of {test.__name__}: {error}. It has "
            f"{', '.join(inspect.signature(test).parameters)}."
        ) from None
    bound.apply_defaults()
    of_test = {name: x for name, x in bound.arguments.items() if name in OPTIONS}
    return {name: x for name, x in bound.arguments.items() if name not in OPTIONS}, of_test
