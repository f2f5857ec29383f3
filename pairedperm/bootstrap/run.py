"""The test under draws: posed, an engine chosen, run."""

from __future__ import annotations

from pairedperm.bootstrap.engines.ideal import ideal
from pairedperm.bootstrap.engines.monte_carlo import monte_carlo
from pairedperm.bootstrap.problem import pose
from pairedperm.errors import BudgetError, warn
from pairedperm.options import Options
from pairedperm.results.bootstrap_result import ConfidenceInterval, PairedBootstrapResult
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.waist import Rows, Score

__all__ = ["run"]

ENGINES = {"exact": ideal, "monte_carlo": monte_carlo}


def run(rows: Rows, score: Score, metric: Metric | None, options: Options) -> PairedBootstrapResult:
    """The test as its options say; "auto" samples what the ideal bootstrap cannot do.

    Raises
    ------
    InputError
        If the method cannot be used for this problem at all.
    BudgetError
        If it would take too much.

    Warns
    -----
    UserWarning
        If `method` is "auto" and it would take too much.
    """
    problem = pose("counts1" if metric is None else "references", rows, score)
    methods = [options.method]
    if options.method == "auto":  # sampling is always possible
        methods = ["monte_carlo"] if problem.shared is None else ["exact", "monte_carlo"]
    for method in methods:
        try:
            p, intervals = ENGINES[method](problem, options)
            break
        except BudgetError as error:
            if options.method != "auto":
                raise BudgetError(f"{error} Or sample: method='monte_carlo'.") from error
            warn(f"p is sampled, for {error}")
    is_sampled = method == "monte_carlo"
    return PairedBootstrapResult(
        statistic=problem.statistic,
        pvalue=p.value,
        log_pvalue=p.log,
        pvalue_interval=(p.low, p.high),
        log_pvalue_interval=(p.log_low, p.log_high),
        interval="confidence" if is_sampled else "certified",
        score1=problem.score1,
        score2=problem.score2,
        metric=None if metric is None else metric.name,
        metric_options=None if metric is None else metric.options,
        alternative=options.alternative,
        method=method,
        n=problem.n,
        n_differing=problem.n_differing,
        n_resamples=options.n_resamples if is_sampled else None,
        confidence_level=options.confidence_level,
        confidence_interval=ConfidenceInterval(*intervals[0]),
        score1_interval=ConfidenceInterval(*intervals[1]),
        score2_interval=ConfidenceInterval(*intervals[2]),
        ties=options.ties,
    )
