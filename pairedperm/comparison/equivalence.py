"""The equivalence test: is a system as good as another, within a margin?"""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from pairedperm.comparison.compare import metric_or_counts, rows_and_score
from pairedperm.errors import (
    InputError,
    Name,
    NoIntervalError,
    Parts,
    Setting,
    called,
    describe,
    warn,
)
from pairedperm.nulls.swaps import run
from pairedperm.options import ALPHA, Interval, read_options, reads_options
from pairedperm.population.evidence import Evidence
from pairedperm.population.intervals import (
    EXACT_INTERVAL,
    FEWEST_DIFFERING,
    GUARANTEED,
    MOST_MEASURED,
    ConfidenceInterval,
    is_doubtful,
)
from pairedperm.results.decisions import EquivalenceResult
from pairedperm.results.result import PairedPermutationResult, PairedResult
from pairedperm.results.words import sampling_unit
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import ScoreArgument, read_arguments
from pairedperm.scoring.metric import Metric, split_call
from pairedperm.scoring.scores import Mean

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
_GIVE_RANGE = Parts(
    "If you know the range of a score, give it: ",
    *(Setting("metric", "'mean_score'"), " and ", Setting("score_range", "(low, high)")),
)
_GIVE_LARGEST = Parts(
    "If you know the largest size that a group may have, give it: ", Setting("largest_group", "N")
)
_NOT_TAKEN = ("test", "alternative", "confidence_level", "ties")  # options of `compare`


@reads_options
def equivalence_test(
    predictions1: Any,
    predictions2: Any = None,
    references: Any = None,
    metric: MetricName | Metric | None = None,
    *,
    margin: Margin,
    alpha: Annotated[float, MARGIN_ALPHA] = ALPHA,
    score: ScoreArgument | None = None,
    groups: Any = None,
    **options: Any,
) -> EquivalenceResult:
    """Is one system as good as another, or not worse by more than a margin?

    A difference that is not significant does not show this: the examples may be too few. This test
    shows it if a confidence interval of the difference lies within the margin.

    Parameters
    ----------
    predictions1, predictions2, references, metric
        See `compare`; the default metric is "accuracy" if there are references. Without references
        and metric, the first two are scores or counts, see `paired_permutation_test`. Or
        `predictions1` is a result of one of these tests, and nothing else but `margin` and `alpha`
        is given.
    margin : float
        The smallest difference that matters, positive, in units of the score: 0.01 for a percentage
        point of accuracy, 1.0 for a point of BLEU. Choose it before the results are known.
    alpha : float
        The level of each statement, from 1e-12 to below 0.5.
    score
        See `paired_permutation_test`.
    groups
        See `compare`.
    **options
        `method`, `n_resamples`, `rng`, `budget` and `constant`, see `paired_permutation_test`. Of
        the metric, and `largest_group`: see `compare`.

    Returns
    -------
    EquivalenceResult
        To print; `verdict` is "better", "worse", "equivalent", "not worse" or "inconclusive".

    Raises
    ------
    InputError
        If `margin` is not positive, or not below the largest difference that the metric can have.
        If `alpha` is out of range. If `predictions1` is a result of another test or a one-sided
        one. If fewer than 30 examples or groups differ or `alpha` is below 0.005, and single scores
        have no known range. If the difference has no standard error. Also as `compare` or
        `paired_permutation_test`.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If `margin` is as large as the scores themselves. If p is sampled without being asked for.

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
    >>> from pairedperm import equivalence_test
    >>> large = [1] * 900 + [0] * 100
    >>> small = [1] * 890 + [0] * 95 + [1] * 15
    >>> print(equivalence_test(small, large, [1] * 1000, margin=0.02).verdict)
    equivalent
    """
    metric_options, of_test = split_call(options, without=_NOT_TAKEN)
    chosen = read_options(**of_test)
    if isinstance(predictions1, PairedResult):
        others = (predictions2, references, metric, score, groups)
        given = [x for x in of_test.items() if x[1] is not None and x != ("method", "auto")]
        is_alone = not given and not metric_options and all(x is None for x in others)
        result = _read_result(predictions1, is_alone)
    elif own_metric := metric_or_counts(references, metric, score, metric_options):
        columns = own_metric.read((predictions1, predictions2, references))
        result = run(*rows_and_score(own_metric, columns, groups), own_metric, chosen)
    else:
        with called({"counts1": Name("predictions1"), "counts2": Name("predictions2")}):
            read = read_arguments(predictions1, predictions2, score, groups)
        result = run(*read, chosen)
    evidence = result.evidence_for("interval")
    check_margin(margin, evidence.bound, result.metric or "scores 0 or 1")
    _warn_of_unit(evidence, result, margin)
    interval = _interval(evidence, result, alpha)
    return EquivalenceResult(result, margin, alpha, interval)


def check_margin(margin: float, bound: float, metric: str | None) -> None:
    """Raise InputError if a margin is not below the largest difference of a metric."""
    if not margin < bound:
        raise InputError(
            Name("margin"),
            must=f"be below {bound:g}, which no difference of {metric} exceeds",
            got=describe(margin),
            remedy="A percentage point of a share is 0.01" if bound <= 2.0 else "",
        )


def _read_result(result: PairedResult, is_alone: bool) -> PairedPermutationResult:
    """Return the result if it is of a two-sided permutation test of scores, and alone."""
    if not is_alone:
        remedy = "it has its predictions, metric and options already"
        raise InputError("give a result alone", remedy=remedy)
    if result.score1 is None:
        raise InputError(
            "a result of `structured_permutation_test` has no scores to compare",
            remedy="Give that of `compare` or `paired_permutation_test`",
        )
    if not isinstance(result, PairedPermutationResult) or result.alternative != "two-sided":
        raise InputError(
            Name("predictions1"),
            must="be predictions, or the result of a two-sided permutation test",
            got=repr(result),
        )
    return result


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
        warn(Name("margin"), f" is {margin:g}, and {seen}", remedy=remedy)


def _interval(
    evidence: Evidence, result: PairedPermutationResult, alpha: float
) -> ConfidenceInterval:
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
                f"an asymptotic interval of such scores was measured up to a level of "
                f"{MOST_MEASURED:.0%}",
                got=f"{level:.12g}",
                remedy=(Parts("Use ", Setting("alpha", "0.005"), " or more"), give_range),
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
