"""May the candidate replace the baseline, by all tasks together?"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pairedperm.comparison.decide import (
    MARGIN,
    MARGIN_ALPHA,
    Margin,
    check_asked,
    check_constant,
    check_margin,
    check_reported,
    detectable_loss,
    equivalence_test,
    reason_beside,
    reason_within,
)
from pairedperm.comparison.suite import check_tasks, of_task
from pairedperm.errors import (
    InputError,
    NoIntervalError,
    advised,
    called,
    counted,
    describe,
    heard_by,
    shown,
    warn,
)
from pairedperm.options import ALPHA, Alpha, reads_options
from pairedperm.population.intervals import (
    ConfidenceInterval,
    is_doubtful,
)
from pairedperm.results.decisions import (
    EquivalenceResult,
    Reason,
    Requirement,
    SuiteGateResult,
    SuiteReason,
    Verdict,
)
from pairedperm.results.result import PairedResult
from pairedperm.results.several import holm_of_some
from pairedperm.results.suite import SuiteResult, n_telling
from pairedperm.results.words import least_pvalue


@reads_options
def gate_suite(
    suite: SuiteResult,
    *,
    margin: Margin | None = None,
    task_margin: Margin | Mapping[str, float] | None = None,
    require: Requirement = "not worse",
    alpha: Alpha = ALPHA,
) -> SuiteGateResult:
    """May the candidate replace the baseline, by all tasks together?

    It fails if it is significantly worse on average, or on a task. It passes if neither is so and,
    with margins, its losses are shown to be below them. Tasks without an average pass only by
    `task_margin`.

    Parameters
    ----------
    suite : SuiteResult
        A two-sided result of `compare_suite`: system 1 is the candidate, system 2 the baseline.
    margin : float or None
        The smallest loss of the average that matters, positive, in units of the score. None: no
        margin.
    task_margin : float, dict from task to float, or None
        The smallest loss on a single task that matters, or that of each task. All tasks must be
        shown to be within it.
    require : {"not worse", "better"}
        "better": the candidate passes only if it is significantly better on average.
    alpha : float
        The level, between 0 and 1; with a margin from 1e-12 to below 0.5.

    Returns
    -------
    SuiteGateResult
        To print; `passed`, `verdict` and `exit_code` are for programs.

    Raises
    ------
    InputError
        If `suite` is not two-sided. If a task's system may be a number, or a margin is given and a
        log's tool reports another number, see `gate`. If `margin` comes with ``require="better"``.
        If a margin is not below the largest difference that the metric can have. If `suite` has no
        average, and one of these is given, or one `task_margin` for all tasks. If `task_margin`
        lacks a task. If an option has no accepted value.

    Notes
    -----
    "worse on average" is p ≤ alpha, of the two-sided test of the average, with a lower score.
    "worse on tasks" is a one-sided Holm procedure at alpha / 2. Tasks that cannot be significant do
    not count among its tests, see `compare_suite`. So a candidate whose outputs on each task are
    exchangeable with the baseline's fails in at most alpha of all cases: by the average in at most
    alpha / 2, and by the tasks in as many. Any task with exchangeable outputs is called worse in at
    most alpha / 2. Equal means are not enough: scores that are not right or wrong may differ in
    other ways, and then set margins. Tasks of weight 0 are among the tasks.

    With a margin, the average passes if its confidence interval at the level 1 - 2 alpha lies above
    -margin. With `task_margin` each task must pass in this way at the level alpha, and none is
    adjusted: all must pass, and so a candidate that is worse by the margin on some task passes in
    at most alpha of all cases [1]_. The more tasks there are, the less likely it is that all pass.
    A significantly worse average, or task, fails if its interval excludes 0, and its loss is not
    shown to be below its margin. The result has intervals at the level 1 - 2 alpha then.

    Scores with different units have no average, see `compare_suite`. Then "worse on tasks" alone
    fails, in at most alpha / 2 of all cases with exchangeable outputs. Without `task_margin`
    all else is inconclusive, for the reason "no average": that no task is significantly worse says
    little of many small ones.

    References
    ----------
    .. [1] R. L. Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics
       24, 1982.

    Examples
    --------
    >>> from pairedperm import compare_suite, gate_suite
    >>> old, new = [1] * 90 + [0] * 10, [0] * 8 + [1] * 82 + [1] * 2 + [0] * 8
    >>> tasks = {"arithmetic": (new, old, [1] * 100), "logic": (old, old, [1] * 100)}
    >>> found = gate_suite(compare_suite(tasks))
    >>> found.verdict, found.reasons, found.p_worse
    ('pass', ('not shown worse',), {'arithmetic': 0.109375, 'logic': 1.0})
    """
    _check_suite(suite, margin, require)
    margins = _read_margins(suite, task_margin)
    is_of_margins = margin is not None or task_margin is not None
    if is_of_margins:
        MARGIN_ALPHA.read("alpha", alpha)
    suite = suite.at(alpha, 1.0 - 2.0 * alpha if is_of_margins else None)
    results = suite.results
    for name, x in results.items():
        with of_task(name):
            check_constant(x, alpha)
            if is_of_margins:
                check_reported(x)
    p_worse = _pvalues_of_losses(results, alpha)
    of_margins = _of_tasks(results, margins, alpha)
    open_tasks = [name for name, x in of_margins.items() if not (x and x.noninferior)]
    worse = [name for name, p in p_worse.items() if p <= alpha]
    if margins:  # their intervals decide
        doubtful = {name for name, x in of_margins.items() if not x or x.interval.includes_0}
        worse = [name for name in worse if name in open_tasks and name not in doubtful]
    worse.sort(key=lambda x: p_worse[x] if suite.no_average else results[x].lead())
    of_average = _of_average(suite, margin, alpha)
    failures: dict[SuiteReason, bool] = {
        "worse on average": of_average in ("worse", "worse, perhaps beyond the margin"),
        "worse on tasks": bool(worse),
    }
    against = [reason for reason, holds in failures.items() if holds]
    if require == "better" and of_average != "better" and not against:
        against = ["not shown better"]
    openings: dict[SuiteReason, bool] = {
        "perhaps beyond the margin": of_average == "perhaps beyond the margin",
        "perhaps beyond the margin of tasks": bool(open_tasks),
        "no average": bool(suite.no_average) and not margins,
    }
    doubts = [reason for reason, holds in openings.items() if holds]
    verdict: Verdict = "fail" if against else "inconclusive" if doubts else "pass"
    reason: SuiteReason = "within the margin of tasks" if margins else "not shown worse"
    if of_average in ("within the margin", "worse within the margin"):
        reason = "within the margin"
    return SuiteGateResult(
        verdict=verdict,
        reasons=tuple(against or doubts or ["better" if of_average == "better" else reason]),
        suite=suite,
        require=require,
        margin=margin,
        task_margin=None if isinstance(task_margin, Mapping) else task_margin,
        task_margins=margins,
        alpha=alpha,
        p_worse=p_worse,
        worse_tasks=tuple(worse),
        open_tasks=tuple(open_tasks),
        detectable={x: detectable_loss(y, alpha / len(results)) for x, y in results.items()},
    )


def _check_suite(suite: Any, margin: float | None, require: Requirement) -> None:
    """Raise InputError unless the suite is two-sided, and has an average if one is asked for."""
    is_one = isinstance(suite, SuiteResult)
    if not is_one or any(x.alternative != "two-sided" for x in suite.results.values()):
        raise InputError(
            "suite",
            must="be a two-sided result of compare_suite: the candidate and the baseline",
            got=describe(suite),
        )
    check_asked(margin, require)
    if suite.no_average and (margin is not None or require == "better"):
        asked = "require='better'" if margin is None else "`margin`"
        what = f" is of the average, and there is none: {suite.no_average}"
        raise InputError(f"{asked}{what}", remedy="Give each task a `task_margin`")


def _read_margins(suite: SuiteResult, task_margin: Any) -> dict[str, float]:
    """Read the margin of each task; there are none without `task_margin`."""
    names, name = [*suite.results], "task_margin"
    if task_margin is None:
        return {}
    if isinstance(task_margin, Mapping):
        check_tasks(name, task_margin, names)
        return {x: MARGIN.read(name, task_margin[x], (x,)) for x in names}
    margin = MARGIN.read(name, task_margin)
    if suite.no_average:
        raise InputError(
            name,
            must="be one for each task, a dict from task to margin",
            got=describe(margin),
            remedy=suite.no_average,
        )
    return dict.fromkeys(names, margin)


def _pvalues_of_losses(results: Mapping[str, PairedResult], alpha: float) -> dict[str, float]:
    """Return for each task twice the adjusted one-sided p of "the candidate is worse".

    D has the same law as -D under swaps. So the one-sided p of a system that is behind is half the
    two-sided one, and so is the least p. Where the candidate is not behind, its one-sided p is at
    least 1/2, and twice that is at least 1.
    """
    pvalues = [x.pvalue if x.lead() < 0.0 else 1.0 for x in results.values()]
    least = [*map(least_pvalue, results.values())]
    return dict(zip(results, holm_of_some(pvalues, least, alpha), strict=True))


def _of_tasks(
    results: Mapping[str, PairedResult], margins: Mapping[str, float], alpha: float
) -> dict[str, EquivalenceResult | None]:
    """Return what the interval of each task says of its margin, with one warning for all tasks."""
    told: list[str] = []
    with heard_by(told.append):
        of_margins = {name: _of_task(name, results[name], x, alpha) for name, x in margins.items()}
    for message in told[:1]:
        more = f"The same holds for {counted(len(told) - 1, 'more task')}"
        warn(advised(message, *[more] * (len(told) > 1)))
    return of_margins


def _of_task(
    task: str, result: PairedResult, margin: float, alpha: float
) -> EquivalenceResult | None:
    """Return what the interval of a task says of the margin; None if there is none."""
    words = {"margin": f"`task_margin` of task {shown(task)}"}
    with called(words), suppress(NoIntervalError):
        return equivalence_test(result, margin=margin, alpha=alpha)
    return None


def _of_average(suite: SuiteResult, margin: float | None, alpha: float) -> Reason | None:
    """Return what decides of the average, as of a single task; None if there is no average."""
    average = suite.average
    if average is None:
        return None
    if margin is None:
        return reason_beside(average, alpha, "not worse")
    interval = _interval_of_average(suite, average, margin, alpha)
    shown = interval and EquivalenceResult(average, margin, alpha, interval)
    return reason_within(average, alpha, shown)


def _interval_of_average(
    suite: SuiteResult, average: PairedResult, margin: float, alpha: float
) -> ConfidenceInterval | None:
    """Return the interval of the average that tests the margin; None if there is none."""
    results = [*suite.results.values()]
    bound = max(x.evidence_for("gate").bound for x in results)
    check_margin(margin, bound, results[0].metric)
    with suppress(NoIntervalError):
        interval = average.confidence_interval(level := 1.0 - 2.0 * alpha)
        if not is_doubtful(interval.method, n_telling(suite), level):
            return interval
    return None
