"""Gates over one task or several: may a candidate replace a baseline?"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pairedperm.comparison.compare import (
    MARGIN,
    MARGIN_ALPHA,
    Margin,
    check_margin,
    equivalence_test,
)
from pairedperm.comparison.power import POWER
from pairedperm.comparison.suite import check_tasks, of_task
from pairedperm.errors import (
    InputError,
    Message,
    Name,
    NoIntervalError,
    Parts,
    Python,
    Setting,
    called,
    counted,
    describe,
    heard_by,
    shown,
    warn,
)
from pairedperm.options import ALPHA, Alpha, reads_options
from pairedperm.population.intervals import EXACT_INTERVAL, ConfidenceInterval, is_doubtful
from pairedperm.population.shares import OutcomesLaw
from pairedperm.results.decisions import (
    EquivalenceResult,
    GateResult,
    Reason,
    Requirement,
    SuiteGateResult,
    SuiteReason,
    Verdict,
)
from pairedperm.results.result import PairedPermutationResult, about_constant, known
from pairedperm.results.several import holm_of_some, least_pvalue
from pairedperm.results.suite import SuiteResult, n_telling
from pairedperm.results.words import fewest_differing, n_sampling_units

_DIGITS = 0.01  # tuned: relative error of a loss that is detected
_VERDICTS: dict[Reason, Verdict] = {  # of other reasons: "pass"
    "worse": "fail",
    "not shown better": "fail",
    "worse, perhaps beyond the margin": "fail",
    "perhaps beyond the margin": "inconclusive",
}


@reads_options
def gate(
    result: PairedPermutationResult,
    *,
    margin: Margin | None = None,
    require: Requirement = "not worse",
    alpha: Alpha = ALPHA,
) -> GateResult:
    """May the candidate replace the baseline?

    Without a margin, the candidate passes unless it is significantly worse. This does not show that
    it is as good; `detectable` says which loss the examples would have shown. With a margin, it
    passes only if its loss is shown to be below the margin, by a confidence interval.

    Parameters
    ----------
    result : PairedPermutationResult
        A two-sided result of `compare`: system 1 is the candidate, system 2 the baseline.
    margin : float or None
        The smallest loss that matters, positive, in units of the score. None: no margin.
    require : {"not worse", "better"}
        "better": the candidate passes only if it is significantly better.
    alpha : float
        The level of each statement, between 0 and 1; with a margin below 0.5.

    Returns
    -------
    GateResult
        To print; `passed`, `verdict` and `exit_code` are for programs.

    Raises
    ------
    InputError
        If `result` is not of a two-sided permutation test of scores. If it was pickled without its
        score function. If one of its systems may be a number, its `constant`, and p can be at most
        alpha. If `margin` comes with ``require="better"``, or the result is of logs whose tool
        reports another number. If `require` or `alpha` has no accepted value. If
        `equivalence_test` refuses the margin.

    Notes
    -----
    "worse" and "better" come from the exact two-sided test: p is at most alpha. Its null hypothesis
    is that the outputs are exchangeable. Scores that are not right or wrong may differ in other
    ways than in their mean, and then p may be small although the means are the same.

    So with a margin the interval decides, of the level 1 - 2 alpha: "better" and "worse" are then
    said only if it excludes 0 as well. A worse candidate fails unless its loss is shown to be below
    the margin. Otherwise the verdict is "inconclusive", also if there is no interval. It is exact
    where examples are right or wrong; see `equivalence_test`. `detectable` uses the exact power for
    wins, losses and ties, and the normal approximation for other scores.

    Examples
    --------
    >>> from pairedperm import compare, gate
    >>> old = [1] * 90 + [0] * 10
    >>> new = [0] * 8 + [1] * 82 + [1] * 2 + [0] * 8
    >>> print(gate(compare(new, old, [1] * 100)))
    PASS: no significant loss of candidate against baseline was found. This does not
      show that the candidate is as good: for that, set a margin.
    This run could detect a loss of about 11 percentage points (with a power of
      80%).
    accuracy (higher is better): 84.00% against 90.00% on 100 examples
    difference: -6.00 percentage points, 95% interval -13.66 to 1.16 percentage
      points (exact), p = 0.109
    exact two-sided paired-permutation test
    null: exchangeable outputs (p); no difference in the population (interval)
    gained: 2
    lost: 8
    """
    _check(result)
    check_constant(result, alpha)
    check_asked(margin, require)
    if margin is not None:
        check_reported(result)
    equivalence = None
    if margin is not None:
        with suppress(NoIntervalError):
            equivalence = equivalence_test(result, margin=margin, alpha=alpha)
    case = _Case(result, alpha, margin, equivalence)
    reason = case.reason(require)
    verdict = _VERDICTS.get(reason, "pass")
    return GateResult(
        verdict=verdict,
        reason=reason,
        test=result,
        equivalence=equivalence,
        require=require,
        margin=margin,
        alpha=alpha,
        power=POWER,
        detectable=case.detectable(),
        fewest_to_pass=None if verdict == "pass" else case.fewest_to_pass(),
    )


def detectable_loss(result: PairedPermutationResult, alpha: float) -> float | None:
    """Return the loss that a two-sided test at this level would have found, as of `GateResult`."""
    return _Case(result, alpha).detectable()


def check_asked(margin: float | None, require: Requirement) -> None:
    """Raise InputError if a candidate that must be better has a margin."""
    if margin is not None and require == "better":
        what = " is for a candidate that may be as good"
        remedy = Parts("leave it out with ", Setting("require", "'better'"))
        raise InputError(Name("margin"), what, remedy=remedy)


def _check(result: Any) -> None:
    """Raise InputError unless the result is of a two-sided permutation test with its score."""
    is_one = isinstance(result, PairedPermutationResult) and result.score1 is not None
    if not is_one or result.alternative != "two-sided":
        raise InputError(
            Name("result"),
            must="be that of a two-sided permutation test of the candidate and the baseline, such "
            "as compare(new, old, references)",
            got=describe(result),
        )
    result.evidence_for("gate")


def check_constant(result: PairedPermutationResult, alpha: float) -> None:
    """Raise InputError if a system may be a number, about which p says little."""
    if about := about_constant(result, alpha):
        raise InputError(about)


def check_reported(result: PairedPermutationResult) -> None:
    """Raise InputError if the log's tool reports other numbers, which a margin is of."""
    if result._unreported:
        other = "decide without one, or write tables of id and score whose mean is that number"
        raise InputError(result._unreported, remedy=f"A margin is of the reported number: {other}.")


@dataclass(frozen=True)
class _Case:
    """A candidate's test: what it decides, and what more examples like its own would show.

    With a margin there is an equivalence test, unless the examples are too few for one.
    """

    result: PairedPermutationResult
    alpha: float
    margin: float | None = None
    equivalence: EquivalenceResult | None = None

    def reason(self, require: Requirement) -> Reason:
        """Return what decides."""
        is_significant, lead = self.result.pvalue <= self.alpha, self.result.lead()
        shown = self.equivalence
        if self.margin is not None:  # the interval decides
            is_significant &= shown is not None and not shown.interval.includes_0
        is_better, is_worse = (is_significant and x > 0.0 for x in (lead, -lead))
        if self.margin is not None and not (shown and shown.noninferior):
            return "worse, perhaps beyond the margin" if is_worse else "perhaps beyond the margin"
        if is_better:
            return "better"
        if self.margin is not None:
            return "worse within the margin" if is_worse else "within the margin"
        if require == "better":
            return "not shown better"
        return "worse" if is_worse else "not shown worse"

    @property
    def n(self) -> int:
        """The number of examples, or of groups."""
        return n_sampling_units(self.result)

    @property
    def error(self) -> float:
        """The standard error of the difference; 0 if it is not known."""
        return known(self.result, "standard_error") or 0.0

    @property
    def law(self) -> OutcomesLaw | None:
        """The shares of wins and losses, which have an exact power; None for other scores."""
        return self.result.evidence_for("gate").law if self.n > 1 else None

    @property
    def both_quantiles(self) -> float:
        """The normal quantiles of the test and of its power, added up."""
        from scipy.special import ndtri

        return float(ndtri(1.0 - self.alpha / 2.0)) + float(ndtri(POWER))

    def has_power(self, law: OutcomesLaw) -> bool:
        """Tell whether as many examples with these shares of wins and losses have the power."""
        return law.power(self.n, self.alpha).power >= POWER

    def detectable(self) -> float | None:
        """Return the loss that this test finds; None if no score is so bad."""
        loss, limits = self._detected(), self.result.evidence_for("gate").limits
        if loss is None or self.result.score2 is None:
            return loss
        worst = limits[self.result.lower_is_better()]
        return loss if loss <= abs(worst - self.result.score2) else None

    def _detected(self) -> float | None:
        """Return the loss that this test finds if as many examples are gained as observed."""
        law = self.law
        if law is None:
            if not self.error or self.result.n_differing < fewest_differing(self.alpha):
                return None
            return float(self.both_quantiles * self.error)
        gained = law.worse if self.result.lower_is_better() else law.better
        low, high = 0.0, 1.0 - 2.0 * gained
        if high <= 0.0 or not self.has_power(OutcomesLaw(gained, gained + high)):
            return None
        while high - low > _DIGITS * high:
            loss = 0.5 * (low + high)
            is_enough = self.has_power(OutcomesLaw(gained, gained + loss))
            low, high = (low, loss) if is_enough else (loss, high)
        return law.size * high

    def fewest_to_pass(self) -> int | None:
        """Return how many examples without a loss would pass, if these are fewer; else None."""
        is_exact = self.equivalence and self.equivalence.interval_method == EXACT_INTERVAL
        if self.margin is None or not is_exact:
            return None
        sample = self.result.evidence_for("gate").sample
        fewest = sample.fewest_without_loss(self.margin, self.alpha)
        return None if fewest is None or fewest <= self.n else fewest


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
    of_margins: dict[str, EquivalenceResult | None] = {}
    if margins:
        told: list[Message] = []
        with heard_by(told.append):  # one warning for all tasks follows
            of_margins = {
                name: _of_task(name, x, margins[name], alpha) for name, x in results.items()
            }
        for message in told[:1]:
            more = f"The same holds for {counted(len(told) - 1, 'more task')}"
            warn(message.advised(*[more] * (len(told) > 1)))
    open_tasks = [name for name, x in of_margins.items() if not (x and x.noninferior)]
    worse = [name for name, p in p_worse.items() if p <= alpha]
    if margins:  # their intervals decide
        doubtful = {name for name, x in of_margins.items() if not x or x.interval.includes_0}
        worse = [name for name in worse if name in open_tasks and name not in doubtful]
    worse.sort(key=lambda x: p_worse[x] if suite.no_average else results[x].lead())
    is_significant, is_within = not suite.no_average and suite.pvalue <= alpha, False
    if margin is not None:
        interval = _interval_of_average(suite, margin, alpha)
        is_significant &= interval is not None and not interval.includes_0
        if interval is not None:
            loss = interval.high if suite.lower_is_better() else -interval.low
            is_within = loss < margin
    is_better = is_significant and suite.lead() > 0.0
    against: list[SuiteReason] = []
    if is_significant and suite.lead() < 0.0 and not is_within:
        against.append("worse on average")
    if worse:
        against.append("worse on tasks")
    doubts: list[SuiteReason] = []
    if margin is not None and not is_within:
        doubts.append("perhaps beyond the margin")
    if open_tasks:
        doubts.append("perhaps beyond the margin of tasks")
    if suite.no_average and not margins:
        doubts.append("no average")
    if require == "better" and not is_better and not against:
        against.append("not shown better")
    verdict: Verdict = "fail" if against else "inconclusive" if doubts else "pass"
    reason: SuiteReason = "within the margin of tasks" if margins else "not shown worse"
    if is_within:
        reason = "within the margin"
    return SuiteGateResult(
        verdict=verdict,
        reasons=tuple(against or doubts or ["better" if is_better else reason]),
        suite=suite,
        require=require,
        margin=margin,
        task_margin=None if isinstance(task_margin, Mapping) else task_margin,
        task_margins=margins,
        alpha=alpha,
        p_worse=p_worse,
        worse_tasks=tuple(worse),
        open_tasks=tuple(open_tasks),
        _detect=detectable_loss,
    )


def _check_suite(suite: Any, margin: float | None, require: Requirement) -> None:
    """Raise InputError unless the suite is two-sided, and has an average if one is asked for."""
    if not isinstance(suite, SuiteResult) or suite.alternative != "two-sided":
        raise InputError(
            Name("suite"),
            must="be a two-sided result of compare_suite: the candidate and the baseline",
            got=describe(suite),
        )
    check_asked(margin, require)
    if suite.no_average and (margin is not None or require == "better"):
        asked = Setting("require", "'better'") if margin is None else Name("margin")
        what = f" is of the average, and there is none: {suite.no_average}"
        raise InputError(asked, what, remedy=Parts("Give each task a ", Name("task_margin")))


def _read_margins(suite: SuiteResult, task_margin: Any) -> dict[str, float]:
    """Read the margin of each task; there are none without `task_margin`."""
    names, name = [*suite.results], "task_margin"
    if task_margin is None:
        return {}
    if isinstance(task_margin, Mapping):
        check_tasks(name, task_margin, names, all_of_them=True)
        return {x: MARGIN.read(name, task_margin[x], (x,)) for x in names}
    margin = MARGIN.read(name, task_margin)
    if suite.no_average:
        raise InputError(
            Name(name),
            must=Parts(
                "be one for each task, ", Python("a dict from task to margin", "TASK=NUMBER")
            ),
            got=describe(margin),
            remedy=suite.no_average,
        )
    return dict.fromkeys(names, margin)


def _pvalues_of_losses(
    results: Mapping[str, PairedPermutationResult], alpha: float
) -> dict[str, float]:
    """Return for each task twice the adjusted one-sided p of "the candidate is worse".

    D has the same law as -D under swaps. So the one-sided p of a system that is behind is half the
    two-sided one, and so is the least p. Where the candidate is not behind, its one-sided p is at
    least 1/2, and twice that is at least 1.
    """
    pvalues = [x.pvalue if x.lead() < 0.0 else 1.0 for x in results.values()]
    least = [*map(least_pvalue, results.values())]
    return dict(zip(results, holm_of_some(pvalues, least, alpha), strict=True))


def _of_task(
    task: str, result: PairedPermutationResult, margin: float, alpha: float
) -> EquivalenceResult | None:
    """Return what the interval of a task says of the margin; None if there is none."""
    words = {"margin": Parts(Name("task_margin"), f" of task {shown(task)}")}
    with called(words), suppress(NoIntervalError):
        return equivalence_test(result, margin=margin, alpha=alpha)
    return None


def _interval_of_average(
    suite: SuiteResult, margin: float, alpha: float
) -> ConfidenceInterval | None:
    """Return the interval of the average that tests the margin; None if there is none."""
    results = [*suite.results.values()]
    bound = max(x.evidence_for("gate").bound for x in results)
    check_margin(margin, bound, results[0].metric)
    with suppress(NoIntervalError):
        interval = suite.confidence_interval(level := 1.0 - 2.0 * alpha)
        if not is_doubtful(interval.method, n_telling(suite), level):
            return interval
    return None
