"""What a result decides: is a system as good within a margin, and may it replace a baseline?"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from pairedperm.comparison.reruns import gate_reruns
from pairedperm.comparison.suite import check_tasks, of_task
from pairedperm.comparison.threshold import gate_score
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
from pairedperm.options import ALPHA, Alpha, Interval, reads_options
from pairedperm.population.evidence import Evidence
from pairedperm.population.intervals import (
    EXACT_INTERVAL,
    FEWEST_DIFFERING,
    GUARANTEED,
    MOST_MEASURED,
    ConfidenceInterval,
    is_doubtful,
)
from pairedperm.population.laws import OutcomesLaw, fewest_differing
from pairedperm.population.relative import limit_of_loss
from pairedperm.results.decisions import (
    EquivalenceResult,
    GateResult,
    NumberGateResult,
    Reason,
    RelativeMargin,
    Requirement,
    SuiteGateResult,
    SuiteReason,
    Verdict,
)
from pairedperm.results.reruns import RerunGateResult, RerunResult
from pairedperm.results.result import PairedResult, about_constant
from pairedperm.results.score import ScoreInterval
from pairedperm.results.several import holm_of_some
from pairedperm.results.suite import SuiteResult, n_telling
from pairedperm.results.words import least_pvalue, n_sampling_units, sampling_unit
from pairedperm.scoring.scores import Mean

POWER = 0.8  # proof: the power that is customary
_DIGITS = 0.01  # tuned: relative error of a loss that is detected
_VERDICTS: dict[Reason, Verdict] = {  # of other reasons: "pass"
    "worse": "fail",
    "not shown better": "fail",
    "worse, perhaps beyond the margin": "fail",
    "perhaps beyond the margin": "inconclusive",
}
THRESHOLD = Interval(-math.inf, math.inf, "neither", words="a number in units of the score")
LEAST_ALPHA = 1e-12  # proof: the float 1 - 2 α keeps four digits of such an α
MARGIN = Interval(
    0.0,
    math.inf,
    "neither",
    words="a positive number in units of the score, such as 0.01 for a percentage point of "
    "accuracy",
)
MARGIN_ALPHA = Interval(
    LEAST_ALPHA, 0.5, "left", remedy="Other levels have no interval at the level 1 - 2 alpha."
)
Margin = Annotated[float, MARGIN]
_PERCENT = re.compile(r"(\d+\.?\d*|\.\d+)%")


@dataclass(frozen=True)
class _MarginOrShare(Interval):
    """A number in units of the score, or a share of the baseline's score, "2%"."""

    def kept(self, value: Any) -> Any:
        """Return a plain float; or a text that is a share between 0 and 100%."""
        if not isinstance(value, str):
            return super().kept(value)
        found = _PERCENT.fullmatch(value)
        return value if found and 0.0 < float(found[1]) < 100.0 else self.refused


_MARGIN_OR_SHARE = _MarginOrShare(
    0.0,
    math.inf,
    "neither",
    words="a positive number in units of the score, such as 0.01 for a percentage point of "
    "accuracy, or a share of the baseline's score, such as '2%'",
)
MarginOrShare = Annotated[float | str, _MARGIN_OR_SHARE]


_GIVE_RANGE = (
    "If you know the range of a score, give it: metric='mean_score' and score_range=(low, high)"
)
_GIVE_LARGEST = "If you know the largest size that a group may have, give it: largest_group=N"


@reads_options
def equivalence_test(
    result: PairedResult,
    *,
    margin: Margin,
    alpha: Annotated[float, MARGIN_ALPHA] = ALPHA,
) -> EquivalenceResult:
    """Is one system as good as another, or not worse by more than a margin?

    A difference that is not significant does not show this: the examples may be too few. This test
    shows it if a confidence interval of the difference lies within the margin.

    Parameters
    ----------
    result : PairedResult
        A two-sided result of `compare` or `paired_permutation_test`.
    margin : float
        The smallest difference that matters, positive, in units of the score: 0.01 for a percentage
        point of accuracy, 1.0 for a point of BLEU. Choose it before the results are known.
    alpha : float
        The level of each statement, from 1e-12 to below 0.5.

    Returns
    -------
    EquivalenceResult
        To print; `verdict` is "better", "worse", "equivalent", "not worse" or "inconclusive".

    Raises
    ------
    InputError
        If `margin` is not positive, or not below the largest difference that the metric can have.
        If `alpha` is out of range. If `result` is not of a two-sided permutation test of scores. If
        it keeps no rows. If fewer than 30 examples or groups differ or
        `alpha` is below 0.005, and single scores have no known range. If the difference has no
        standard error.

    Warns
    -----
    UserWarning
        If `margin` is as large as the scores themselves.

    Notes
    -----
    The test is two one-sided tests [1]_ at the level α, which is an interval at the level 1 - 2 α.
    If each example is right or wrong by the metric, or given scores are all 0 or 1, it is exact
    [2]_: a system that is worse by the margin or more is called "not worse" in at most α of all
    cases, for any number of examples. Unless more are won than lost, no margin below 1 - α^(1/n)
    can be shown: at α = 0.05 it takes 59 examples for 0.05, 149 for 0.02 and 299 for 0.01.

    For other scores it is the studentised bootstrap [3]_, which is asymptotic. If fewer than 30
    examples or groups differ, or α is below 0.005, it gives way to the guaranteed interval, where
    the range of the scores is known, and the groups have one size or a `largest_group`; see
    `confidence_interval`. "better" and "worse" come from the exact test of `compare`, which
    supposes exchangeable outputs.

    References
    ----------
    .. [1] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power
       approach for assessing the equivalence of average bioavailability", 1987.
    .. [2] M. P. Fay, K. Lumbard, "Confidence intervals for difference in proportions for matched
       pairs compatible with exact McNemar's or sign tests", Statistics in Medicine 40, 2021.
    .. [3] A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", 1997.

    Examples
    --------
    >>> from pairedperm import compare, equivalence_test
    >>> large = [1] * 900 + [0] * 100
    >>> small = [1] * 890 + [0] * 95 + [1] * 15
    >>> equivalence_test(compare(small, large, [1] * 1000), margin=0.02).verdict
    'equivalent'
    """
    evidence = _evidence_of(result, "interval")
    check_margin(margin, evidence.bound, result.metric or "scores 0 or 1")
    _warn_of_unit(evidence, result, margin)
    return EquivalenceResult(result, margin, alpha, _interval(evidence, result, alpha))


def check_margin(margin: float, bound: float, metric: str | None) -> None:
    """Raise InputError if a margin is not below the largest difference of a metric."""
    if not margin < bound:
        raise InputError(
            "margin",
            must=f"be below {bound:g}, which no difference of {metric} exceeds",
            got=describe(margin),
            remedy="A percentage point of a share is 0.01" if bound <= 2.0 else "",
        )


def _warn_of_unit(evidence: Evidence, result: PairedResult, margin: float) -> None:
    """Warn if scores without a bound are all within the margin."""
    rows, mean = evidence.rows, evidence.score
    if math.isfinite(evidence.bound):
        return
    largest = max(abs(result.score1 or 0.0), abs(result.score2 or 0.0))
    seen = f"both scores are at most {largest:g}"
    if evidence.metric is None and isinstance(mean, Mean) and mean.sizes is None:
        largest = float(np.ptp([rows.rows1, rows.rows2])) / rows.unit
        seen = f"all scores lie within {largest:g}"
    if 0.0 < largest <= margin:
        remedy = "Is it in units of the score?"
        warn("margin", f"is {margin:g}, and {seen}", remedy=remedy)


def _interval(evidence: Evidence, result: PairedResult, alpha: float) -> ConfidenceInterval:
    """Return the interval of the difference at the level 1 - 2 alpha.

    Where few examples differ, an asymptotic one gives way to the guaranteed one.

    Raises
    ------
    NoIntervalError
        If fewer than 30 examples or groups differ, and scores have no known range. If the
        difference has no standard error.
    """
    sample, level = evidence.sample, 1.0 - 2.0 * alpha
    if sample.own_kind in (EXACT_INTERVAL, GUARANTEED):
        return sample.interval(level)
    what = f"{sampling_unit(result)}s"
    if is_doubtful(sample.own_kind, sample.rows.n_differing, level):
        if sample.has_guarantee:
            return sample.interval(level, kind=GUARANTEED)
        give_range = _GIVE_RANGE if isinstance(sample.simple, Mean) else ""
        give_range = _GIVE_LARGEST if sample.has_range else give_range
        if sample.rows.n_differing >= FEWEST_DIFFERING:
            raise NoIntervalError(
                "an asymptotic interval of such scores was measured up to a level of "
                f"{MOST_MEASURED:.0%}",
                got=f"{level:.12g}",
                remedy=("Use alpha=0.005 or more", give_range),
            )
        raise NoIntervalError(
            f"only {sample.rows.n_differing:,} of {sample.rows.n:,} {what} differ, too few for an "
            f"asymptotic interval of such scores, which needs {FEWEST_DIFFERING}",
            remedy=(f"Collect more {what}", give_range),
        )
    if not result.standard_error:
        raise NoIntervalError(
            "the difference has no standard error, or it is 0",
            remedy=(
                f"all {what} say the same of the two systems, or the score has no derivatives",
                "There is no bootstrap interval then",
            ),
        )
    return sample.interval(level, result.seed or 0)


@reads_options
def gate(
    result: PairedResult | ScoreInterval | RerunResult,
    *,
    threshold: Annotated[float, THRESHOLD] | None = None,
    margin: MarginOrShare | None = None,
    require: Requirement = "not worse",
    alpha: Alpha = ALPHA,
) -> GateResult | NumberGateResult | RerunGateResult:
    """May the candidate replace the baseline? Or: is a score as good as a number?

    Of two systems: without a margin, the candidate passes unless it is significantly worse. This
    does not show that it is as good; `detectable` says which loss the examples would have shown.
    With a margin, it passes only if its loss is shown to be below the margin, by a confidence
    interval.

    Parameters
    ----------
    result : PairedResult, ScoreInterval or RerunResult
        A two-sided result of `compare`: system 1 is the candidate, system 2 the baseline. Or the
        score of one system, by `score_interval`, beside a `threshold`. Or runs beside reruns of
        the old build, by `rerun_test`: they fail if both p are at most alpha, and they are worse.
    threshold : float or None
        Of one system: the number. It fails if its score is significantly below it, one-sided; above
        it, where lower is better.
    margin : float, str or None
        The smallest loss that matters, positive, in units of the score; or "2%", a share of the
        baseline's score. None: no margin. Beside a number, a score passes that is shown above the
        threshold less the margin, and fails if it is significantly below the threshold.
    require : {"not worse", "better", "above"}
        "better": the candidate passes only if it is significantly better. "above": a score passes
        only if it is significantly above the threshold.
    alpha : float
        The level of each statement, between 0 and 1; with a margin below 0.5.

    Returns
    -------
    GateResult, NumberGateResult or RerunGateResult
        To print; `passed`, `verdict` and `exit_code` are for programs.

    Raises
    ------
    InputError
        If `result` is none of these. If a share of the baseline's score means nothing, as it is 0
        or scores may be negative. If no score could pass beside the threshold, or none fail. If it
        was pickled without its score function. If one of its systems may be a number, its
        `constant`, and p can be at most alpha. If `margin` comes with ``require="better"``, or the
        result is of logs whose tool reports another number. If `require` or `alpha` has no accepted
        value. If `equivalence_test` refuses the margin.

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

    A share r of the baseline's score: of right and wrong, the loss is shown to be less if the lower
    limit of the difference at the level 1 - 0.9 alpha, plus r times that of the baseline's score at
    1 - alpha / 10, is above 0. Of scores in a known range it is the guaranteed limit of
    s1 - (1 - r) s2, of others its studentised bootstrap; see `population.relative`.

    Beside a number, p is exact for right and wrong, a binomial tail, and the interval of the level
    1 - 2 alpha agrees with it. A threshold that was measured on these same examples shares their
    noise: give the runs behind it as a baseline instead.

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
    The accuracy of candidate does not differ significantly from that of baseline:
      84.0% against 90.0%.
    Higher is better.
    The difference is -6.0 percentage points (95% exact confidence interval -13.7 to
      1.2).
    The exact two-sided paired-permutation test gives p = 0.109 (n = 100, 10 differ,
      α = 0.05).
    p is the share of swaps of the systems' outputs whose difference is at least as
      large; the interval is of the population.
    Gained: 2.
    Lost: 8.
    """
    if isinstance(result, RerunResult):
        _check_left_out(threshold=threshold, margin=margin, require=require)
        return gate_reruns(result, alpha)
    if isinstance(result, ScoreInterval):
        if margin is not None or alpha >= 0.5:
            MARGIN_ALPHA.read("alpha", alpha)
        return gate_score(result, threshold, margin, require, alpha)
    check_no_threshold(threshold, require)
    evidence = _evidence_of(result, "gate")
    check_constant(result, alpha)
    check_asked(margin, require)
    if margin is not None:
        check_reported(result)
    if isinstance(margin, str):
        return _beside_share(result, evidence, float(margin[:-1]) / 100.0, alpha)
    return _beside_pair(result, margin, require, alpha)


def _check_left_out(**given: Any) -> None:
    """Raise InputError for an option that has no meaning beside reruns."""
    for name, value in given.items():
        if value not in (None, "not worse"):
            raise InputError(name, must="be left out beside reruns", got=describe(value))


def _beside_pair(
    result: PairedResult, margin: float | None, require: Requirement, alpha: float
) -> GateResult:
    """Decide on two systems, with a margin in units of the score or without one."""
    sample, equivalence = result.evidence_for("gate").sample, None
    if margin is None:
        reason = _reason_beside(result, alpha, require)
    else:
        with suppress(NoIntervalError):
            equivalence = equivalence_test(result, margin=margin, alpha=alpha)
        reason = _reason_within(result, alpha, equivalence)
    verdict, fewest_to_pass = _VERDICTS.get(reason, "pass"), None
    if verdict != "pass" and equivalence and equivalence.interval.method == EXACT_INTERVAL:
        fewest = sample.fewest_without_loss(equivalence.margin, alpha)
        if fewest and fewest > n_sampling_units(result):
            fewest_to_pass = fewest
    return GateResult(
        verdict=verdict,
        reason=reason,
        test=result,
        equivalence=equivalence,
        require=require,
        margin=margin,
        alpha=alpha,
        power=POWER,
        detectable=detectable_loss(result, alpha),
        fewest_to_pass=fewest_to_pass,
    )


def check_no_threshold(threshold: float | None, require: Requirement) -> None:
    """Raise InputError if two systems are compared with a number."""
    if threshold is not None:
        remedy = "Pass score_interval(...) of one system, or leave it out"
        raise InputError("threshold", "is for one system", remedy=remedy)
    if require == "above":
        raise InputError("require", must="be 'not worse' or 'better'", got="'above'")


def detectable_loss(result: PairedResult, alpha: float) -> float | None:
    """Return the loss that this test finds, as of `GateResult`; None if no score is so bad."""
    evidence = result.evidence_for("gate")
    loss = _detected(result, evidence.law, alpha)
    if loss is None or result.score2 is None:
        return loss
    worst = evidence.limits[result.lower_is_better]
    return loss if loss <= abs(worst - result.score2) else None


def _detected(result: PairedResult, law: OutcomesLaw | None, alpha: float) -> float | None:
    """Return the loss that this test finds if as many examples are gained as observed.

    Shares of wins and losses, the law, have an exact power; it is None for other scores.
    """
    n = n_sampling_units(result)
    if law is None or n < 2:
        error = result.standard_error
        if not error or result.n_differing < fewest_differing(alpha):
            return None
        from scipy.special import ndtri

        return float((float(ndtri(1.0 - alpha / 2.0)) + float(ndtri(POWER))) * error)
    gained = law.worse if result.lower_is_better else law.better

    def is_found(loss: float) -> bool:
        return OutcomesLaw(gained, gained + loss).power(n, alpha).power >= POWER

    low, high = 0.0, 1.0 - 2.0 * gained
    if high <= 0.0 or not is_found(high):
        return None
    while high - low > _DIGITS * high:
        loss = 0.5 * (low + high)
        low, high = (low, loss) if is_found(loss) else (loss, high)
    return law.size * high


def _beside_share(
    result: PairedResult, evidence: Evidence, share: float, alpha: float
) -> GateResult:
    """Decide with a margin that is a share of the baseline's score."""
    MARGIN_ALPHA.read("alpha", alpha)
    _check_share(result, evidence)
    interval = limit = None
    with suppress(NoIntervalError):
        interval = _interval(evidence, result, alpha)
        limit = limit_of_loss(evidence, share, alpha, result.seed or 0)
    is_shown = limit is not None and limit.low > 0.0
    reason = _reason_of(result, alpha, interval, is_shown=is_shown)
    if interval is not None:
        result = replace(result, interval=interval, confidence_level=1.0 - 2.0 * alpha)
    return GateResult(
        verdict=_VERDICTS.get(reason, "pass"),
        reason=reason,
        test=result,
        equivalence=None,
        require="not worse",
        margin=None,
        alpha=alpha,
        power=POWER,
        detectable=detectable_loss(result, alpha),
        relative=RelativeMargin(share, *(limit or (None, None))),
    )


def _check_share(result: PairedResult, evidence: Evidence) -> None:
    """Raise InputError if a share of the baseline's score is no loss that means something."""
    rows, simple = evidence.drawn
    low, least = evidence.limits[0], min(result.score1 or 0.0, result.score2 or 0.0)
    if not math.isfinite(low) and isinstance(simple, Mean):
        low = min(float(x.min()) for x in rows.tables)
    if low < 0.0 and (math.isfinite(low) or least < 0.0):
        what = "is a share of the baseline's score, and such scores may be negative"
        raise InputError("margin", what, remedy="Give it in units of the score")
    if not result.score2:
        what = "is a share of the baseline's score, which is 0"
        raise InputError("margin", what, remedy="Give it in units of the score")


def _reason_beside(result: PairedResult, alpha: float, require: Requirement) -> Reason:
    """Return what decides without a margin: the exact test."""
    is_significant, lead = result.pvalue <= alpha, result.lead()
    if is_significant and lead > 0.0:
        return "better"
    if require == "better":
        return "not shown better"
    return "worse" if is_significant and lead < 0.0 else "not shown worse"


def _reason_within(result: PairedResult, alpha: float, shown: EquivalenceResult | None) -> Reason:
    """Return what decides with a margin in units; None if the examples are too few."""
    interval = None if shown is None else shown.interval
    is_shown = shown is not None and shown.noninferior
    return _reason_of(result, alpha, interval, is_shown=is_shown)


def _reason_of(
    result: PairedResult, alpha: float, interval: ConfidenceInterval | None, *, is_shown: bool
) -> Reason:
    """Return what decides by an interval, and by whether the loss is shown to be small."""
    is_significant = result.pvalue <= alpha and interval is not None and not interval.includes_0
    is_better, is_worse = (is_significant and x > 0.0 for x in (result.lead(), -result.lead()))
    if not is_shown:
        return "worse, perhaps beyond the margin" if is_worse else "perhaps beyond the margin"
    if is_better:
        return "better"
    return "worse within the margin" if is_worse else "within the margin"


def check_asked(margin: float | str | None, require: Requirement) -> None:
    """Raise InputError if a candidate that must be better has a margin."""
    if margin is not None and require == "better":
        what = " is for a candidate that may be as good"
        remedy = "leave it out with require='better'"
        raise InputError(f"`margin`{what}", remedy=remedy)


def _evidence_of(result: Any, what: str) -> Evidence:
    """Return the rows and score of a two-sided permutation test; raise InputError for others."""
    is_one = isinstance(result, PairedResult) and result.score1 is not None
    if not is_one or (result.test, result.alternative) != ("permutation", "two-sided"):
        raise InputError(
            "result",
            must="be that of a two-sided permutation test of the candidate and the baseline, such "
            "as compare(new, old, references)",
            got=describe(result),
        )
    evidence: Evidence = result.evidence_for(what)
    return evidence


def check_constant(result: PairedResult, alpha: float) -> None:
    """Raise InputError if a system may be a number, about which p says little."""
    if about := about_constant(result, alpha):
        raise InputError(about)


def check_reported(result: PairedResult) -> None:
    """Raise InputError if the log's tool reports other numbers, which a margin is of."""
    if result.unreported:
        other = "decide without one, or write tables of id and score whose mean is that number"
        raise InputError(result.unreported, remedy=f"A margin is of the reported number: {other}.")


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
        return _reason_beside(average, alpha, "not worse")
    interval = _interval_of_average(suite, average, margin, alpha)
    shown = interval and EquivalenceResult(average, margin, alpha, interval)
    return _reason_within(average, alpha, shown)


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
