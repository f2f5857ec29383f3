"""Run a test under draws: pose the problem, choose an engine, compute."""

from __future__ import annotations

from dataclasses import replace

from pairedperm.bootstrap.engines.ideal import ideal
from pairedperm.bootstrap.engines.monte_carlo import monte_carlo
from pairedperm.bootstrap.problem import Draws, Functions, RealMeans
from pairedperm.bootstrap.shared_ratio import SharedRatio
from pairedperm.errors import BudgetError, InputError, other_ways, warn
from pairedperm.inputs.decimals import on_rational_lattice
from pairedperm.message import Message
from pairedperm.options import Budget, Options
from pairedperm.results.bootstrap_result import ConfidenceInterval, PairedBootstrapResult
from pairedperm.results.evidence import Evidence
from pairedperm.results.sampled import SAMPLE, SampledProbability, estimated
from pairedperm.scoring.groups import drawn
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.waist import Mean, Rows, Score
from pairedperm.wording import Name

ENGINES = {"exact": ideal, "monte_carlo": monte_carlo}
_MOST = 2**50  # proof: draws; their numbers and shares are exact enough in floats
_QUICK = Budget(max_points=2**20)  # tuned: for each of up to five sums: some three seconds


def pose(name: str, rows: Rows, score: Score) -> Draws:
    """Simplify the score, and return the problem that it poses on these rows.

    `name` is the column that messages name.

    Raises
    ------
    InputError
        If there is only one example, or one group.
    BudgetError
        If there are more than 2^50 examples.
    """
    if 1 in (rows.n, rows.n_groups):
        name, what = (name, "example") if rows.n_groups is None else ("groups", "group")
        raise InputError(
            *(
                Name(name),
                f" holds one {what}: a bootstrap draws {what}s with replacement, and all ",
            ),
            "resamples of one are the same",
            remedy="At least two are needed, some dozens to be of use",
        )
    if rows.n > _MOST:
        raise BudgetError(f"a bootstrap draws up to 2^50 examples, and there are {rows.n:.3g}.")
    rows, simple = drawn(rows, score)
    if not isinstance(simple, Mean):
        return Functions(rows, simple)  # type: ignore[arg-type]
    if not rows.no_lattice:
        return SharedRatio(rows, simple)
    fractions = None if simple.scores else on_rational_lattice((rows.rows1, rows.rows2))
    if fractions is None:
        return RealMeans(rows, simple)
    (one, two), unit = fractions
    return SharedRatio(Rows(one, two), Mean(unit, simple.sizes))


def _methods(problem: Draws, options: Options) -> list[str]:
    """List the methods to try, in order; "auto" ends with sampling, which is always possible."""
    if options.method != "auto":
        return [options.method]
    return ["monte_carlo"] if problem.inexact else ["exact", "monte_carlo"]


def _limited(options: Options) -> Options:
    """Lower the budget of "auto", if the caller gave none."""
    if options.method == "auto" and options.budget == Budget():
        return replace(options, budget=_QUICK)
    return options


def run(rows: Rows, score: Score, metric: Metric | None, options: Options) -> PairedBootstrapResult:
    """Run the test; "auto" samples if the ideal bootstrap does not apply or fit the budget.

    Raises
    ------
    InputError
        If the method cannot solve this problem at all.
    BudgetError
        If the method would exceed the budget.

    Warns
    -----
    UserWarning
        If `method` is "auto" and the ideal bootstrap would exceed the budget.
    """
    problem = pose("counts1" if metric is None else "references", rows, score)
    why: Message | None = None
    for method in _methods(problem, options):
        try:
            p, intervals = ENGINES[method](problem, _limited(options))
            break
        except BudgetError as error:
            if method == "monte_carlo":
                raise
            if options.method != "auto":
                raise BudgetError(other_ways(error.message, SAMPLE)) from error
            why = error.message
    sampled = p if isinstance(p, SampledProbability) else None
    if why and sampled:
        warn(estimated(sampled, why, "resamples"))
    return PairedBootstrapResult(
        statistic=problem.statistic,
        pvalue=p.value,
        log_pvalue=p.log,
        pvalue_interval=(p.low, p.high),
        log_pvalue_interval=(p.log_low, p.log_high),
        interval="confidence" if sampled else "certified",
        score1=problem.score1,
        score2=problem.score2,
        metric=None if metric is None else metric.name,
        metric_options=None if metric is None else metric.options,
        alternative=options.alternative,
        method=method,
        n=rows.n,
        n_differing=problem.n_differing,
        n_groups=rows.n_groups,
        n_resamples=sampled.n if sampled else None,
        confidence_level=options.level,
        n_ignored=rows.n_ignored,
        seed=sampled.seed if sampled else None,
        _why_not_exact=str(why or (problem.inexact if options.method == "auto" else "")),
        _evidence=Evidence(rows, score, metric),
        confidence_interval=ConfidenceInterval(*intervals[0]),
        score1_interval=ConfidenceInterval(*intervals[1]),
        score2_interval=ConfidenceInterval(*intervals[2]),
        ties=options.ties,
    )
