"""What a test will do, before it does it."""

from __future__ import annotations

import inspect
from typing import Any

from pairedperm.comparison.compare import compare
from pairedperm.errors import InputError
from pairedperm.options import OPTIONS, read_options
from pairedperm.permutation.run import decide, pose
from pairedperm.permutation.structured import structured_permutation_test
from pairedperm.permutation.test import paired_permutation_test
from pairedperm.results.plan import Plan
from pairedperm.scoring.arguments import read_rows, read_statistic
from pairedperm.scoring.groups import metric_rows
from pairedperm.scoring.metric import metric_options, read_metric
from pairedperm.scoring.ratio import Ratio

_OF_STRUCTURED = {"stay", "swap", "statistic"}
_OF_COMPARE = {"predictions1", "predictions2", "references", "metric", "test", "ties"}


def plan(*arguments: Any, **options: Any) -> Plan:
    """What a test would do with the same arguments. Nothing is computed.

    `method="auto"` decides by this list. The first that applies, is within the budget and takes
    about 3 s at most, or no longer than sampling would:

    1. "exact", if p is known without a sum: no example differs, the scores are the same and the
       test two-sided, or only one assignment is as extreme.
    2. "exact", if the score is a mean, or the differences lie on a line (rank 1) under a ratio of
       sums: unless the sums need more frequencies than the budget's `max_points`, and the few
       examples that could be counted otherwise more memory than its `max_bytes`.
    3. "exact", if the score is a ratio of sums in the plane (rank 2), or one of two classes that
       grows with the number of correct ones: unless that needs more frequencies than `max_points`,
       or the rows of the plane more memory than `max_bytes`. All swaps of up to 26 differing
       examples are counted, however large their counts are.
    4. "exact", if the score is any other function of the sums and there are no more points of
       the sums' grid than `max_points`, nor, at 40 bytes each, more than `max_bytes`.
    5. "enumeration", if the score is a mean, of scores that lie on no lattice (floats of more
       than 13 digits) or a too fine one: up to 44 differing examples. A ratio is a mean where both
       systems' denominators are the same in each example. Also if it is any other score, of rows
       that lie on no lattice, up to some 22 examples, or on one that is too much.
    6. "bracket", if the score is a mean as in 5.
    7. "monte_carlo" otherwise, with a warning: 9,999 swaps; where fewer than 100 of these are as
       extreme as observed on to the 100th, or to 10^6, or what takes some 3 s. With `n_resamples`
       so many.

    The seconds are those of the plan: estimated by counts of work and not by a clock, so that the
    same input always goes the same way. With another `method` the budget alone decides; what takes
    more than 3 s then shows a progress bar.

    A test takes another way than its plan only where something turns out to be too much while it
    is computed: then it takes the next of the list, and warns if that is to sample. So does a
    bracket that the budget leaves more than 10 % wide, and not for ties.

    "dp", "fft" and "rational" run on request only.

    Parameters
    ----------
    *arguments, **options
        Those of `compare`, `paired_permutation_test` or `structured_permutation_test`. Which
        test is meant is known by them: by a statistic (a third function), by references (a third
        column) or a metric, and otherwise it is `paired_permutation_test`.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        If the test would refuse the input.
    BudgetError
        If `method` is "exact" and that would exceed the budget, for sure.
    TypeError
        If the test has no such argument.

    Examples
    --------
    Macro-averaged F1 of two classes, from tp and predicted of each: four columns of rank 2.

    >>> import pairedperm
    >>> gold, large, small = [0, 1, 1, 0, 1, 1], [0, 1, 1, 0, 0, 1], [1, 1, 0, 0, 0, 0]
    >>> plan = pairedperm.plan(large, small, gold, metric="f1", average="macro")
    >>> plan.method, plan.rank
    ('exact', 2)

    A function of ten columns of large counts has too many sums.

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
        return decide(pose(*read_statistic(**given), read.alternative), read)
    if {*_OF_COMPARE, *metric_options()} & options.keys() or len(arguments) > 2:
        given, of_test = _bound(compare, arguments, options)
        read = read_options(**of_test)
        if read.test == "bootstrap":
            raise InputError("plan is for permutation tests: leave out test='bootstrap'.")
        columns = [given.pop(name) for name in ("predictions1", "predictions2", "references")]
        groups = given.pop("groups")
        metric = read_metric(**given.pop("metric_options"), **given)
        rows = metric_rows(metric, metric.read(columns), groups)
        return decide(pose(rows, metric.checked_score(rows), read.alternative), read)
    given, of_test = _bound(paired_permutation_test, arguments, options)
    read = read_options(**of_test)
    return decide(pose(*read_rows(**given), read.alternative), read)


def _bound(
    test: Any, arguments: tuple[Any, ...], options: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the test is given: what it is about, and how it is computed."""
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
