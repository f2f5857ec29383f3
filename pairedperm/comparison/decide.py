"""What a result decides: is a system as good within a margin, and may it replace a baseline?"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, overload

import numpy as np

from pairedperm.comparison.reruns import gate_reruns
from pairedperm.comparison.threshold import gate_score
from pairedperm.errors import (
    InputError,
    NoIntervalError,
    describe,
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
    AnyRequirement,
    EquivalenceResult,
    GateResult,
    NumberRequirement,
    Reason,
    RelativeMargin,
    Requirement,
    Verdict,
)
from pairedperm.results.missing import MissingBounds
from pairedperm.results.reruns import RerunGateResult, RerunResult
from pairedperm.results.result import PairedResult, about_constant
from pairedperm.results.score import NumberGateResult, ScoreInterval
from pairedperm.results.words import n_sampling_units, sampling_unit
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


@overload
def gate(
    result: PairedResult,
    *,
    margin: MarginOrShare | None = ...,
    require: Requirement = ...,
    alpha: Alpha = ...,
) -> GateResult: ...


@overload
def gate(
    result: ScoreInterval,
    *,
    threshold: float,
    margin: Margin | None = ...,
    require: NumberRequirement = ...,
    alpha: Alpha = ...,
) -> NumberGateResult: ...


@overload
def gate(result: RerunResult, *, alpha: Alpha = ...) -> RerunGateResult: ...


@overload
def gate(
    result: MissingBounds,
    *,
    threshold: float | None = ...,
    margin: Margin | None = ...,
    require: AnyRequirement = ...,
    alpha: Alpha = ...,
) -> MissingBounds: ...


@reads_options
def gate(
    result: PairedResult | ScoreInterval | RerunResult | MissingBounds,
    *,
    threshold: Annotated[float, THRESHOLD] | None = None,
    margin: MarginOrShare | None = None,
    require: AnyRequirement = "not worse",
    alpha: Alpha = ALPHA,
) -> GateResult | NumberGateResult | RerunGateResult | MissingBounds:
    """May the candidate replace the baseline? Or: is a score as good as a number?

    Of two systems: without a margin, the candidate passes unless it is significantly worse. This
    does not show that it is as good; `detectable` says which loss the examples would have shown.
    With a margin, it passes only if its loss is shown to be below the margin, by a confidence
    interval.

    Parameters
    ----------
    result : PairedResult, ScoreInterval, RerunResult or MissingBounds
        A two-sided result of `compare`: system 1 is the candidate, system 2 the baseline. Or the
        score of one system, by `score_interval`, beside a `threshold`. Or runs beside reruns of
        the old build, by `rerun_test`: they fail if both p are at most alpha, and they are worse.
        Bounds of missing scores have one verdict, "inconclusive" if it depends on these.
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
    GateResult, NumberGateResult, RerunGateResult or MissingBounds
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
      large; the interval is for other examples of this kind.
    Gained: 2.
    Lost: 8.
    """
    if isinstance(result, MissingBounds):
        asked = {"threshold": threshold, "margin": margin, "require": require, "alpha": alpha}
        return _at_both_ends(result, asked)
    if isinstance(result, RerunResult):
        _check_left_out(threshold=threshold, margin=margin, require=require)
        return gate_reruns(result, alpha)
    if isinstance(result, ScoreInterval):
        if margin is not None or alpha >= 0.5:
            MARGIN_ALPHA.read("alpha", alpha)
        return gate_score(result, threshold, margin, require, alpha)
    require = _of_pair(threshold, require)
    evidence = _evidence_of(result, "gate")
    check_constant(result, alpha)
    check_asked(margin, require)
    if margin is not None:
        check_reported(result)
    if isinstance(margin, str):
        return _beside_share(result, evidence, float(margin[:-1]) / 100.0, alpha)
    return _beside_pair(result, margin, require, alpha)


def _at_both_ends(result: MissingBounds, asked: Mapping[str, Any]) -> MissingBounds:
    """Decide if all missing scores favour one side, and if they favour the other."""
    if isinstance(asked["margin"], str):
        what = "is a share of the baseline's score, which missing scores move too"
        raise InputError("margin", what, remedy="Give it in units of the score")
    best, worst = (gate(x, **asked) for x in (result.best, result.worst))
    methods = {x.to_dict()["interval_method"] for x in (best, worst)}
    is_by_interval = asked["margin"] is not None or asked["threshold"] is not None
    if is_by_interval and not methods <= {EXACT_INTERVAL, GUARANTEED}:
        what = "is 'bounds', and a verdict by a studentised interval is not bounded by two"
        remedy = "Its limits may fall as a missing score rises", "Decide without a margin"
        raise InputError("on_missing", what, remedy=remedy)
    return replace(result, best=best, worst=worst)


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
        reason = reason_beside(result, alpha, require)
    else:
        with suppress(NoIntervalError):
            equivalence = equivalence_test(result, margin=margin, alpha=alpha)
        reason = reason_within(result, alpha, equivalence)
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


def _of_pair(threshold: float | None, require: AnyRequirement) -> Requirement:
    """Return what is required of two systems; raise InputError if they are set beside a number."""
    if threshold is not None:
        remedy = "Pass score_interval(...) of one system, or leave it out"
        raise InputError("threshold", "is for one system", remedy=remedy)
    if require == "above":
        raise InputError("require", must="be 'not worse' or 'better'", got="'above'")
    return require


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


def reason_beside(result: PairedResult, alpha: float, require: Requirement) -> Reason:
    """Return what decides without a margin: the exact test."""
    is_significant, lead = result.pvalue <= alpha, result.lead()
    if is_significant and lead > 0.0:
        return "better"
    if require == "better":
        return "not shown better"
    return "worse" if is_significant and lead < 0.0 else "not shown worse"


def reason_within(result: PairedResult, alpha: float, shown: EquivalenceResult | None) -> Reason:
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
