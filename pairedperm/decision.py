"""Which method a test runs, decided before anything is computed; and running it."""

from __future__ import annotations

from dataclasses import dataclass

from pairedperm.convolution import CertifiedProbability
from pairedperm.errors import BudgetError, InputError, warn
from pairedperm.importance import importance_sampled_pvalue
from pairedperm.metric import MetricSpec
from pairedperm.montecarlo import SampledProbability, sampled_pvalue
from pairedperm.options import Options
from pairedperm.problem import Problem
from pairedperm.result import PairedPermutationResult

__all__ = ["Plan", "decide", "run"]

_ASKED = "asked for with method={!r}"
_AT_LEAST = (
    " No sample was as extreme: p may be much smaller, which method='importance_sampling' tells."
)
_SAMPLE = "Or sample: method='monte_carlo', or 'importance_sampling' if p is small."


@dataclass(frozen=True, slots=True)
class Plan:
    """What a test will do, made by `plan`, which computes nothing.

    Attributes
    ----------
    method : str
        "exact", "monte_carlo" or "importance_sampling": what will run, never "auto".
    rank : int
        How many sums the swaps move independently: the dimension of the lattice that the
        differences span. 0 if no example differs.
    grid : tuple of int or None
        How many points the exact p-value needs in each dimension, nearly; they may be fewer
        dimensions than `rank` where p is known, more where differences are taken one by one.
        None where there are so many points that they were not laid out.
    n_points : int
        Of the grid; a lower bound if there is none.
    n_bytes : int
        Memory for the exact p-value, about.
    reason : str
        Why this method, in words.
    """

    method: str
    rank: int
    grid: tuple[int, ...] | None
    n_points: int
    n_bytes: int
    reason: str


def decide(problem: Problem, options: Options) -> Plan:
    """The plan for a test; see `pairedperm.plan` for the list.

    Raises
    ------
    BudgetError
        If `method` is "exact" and that would exceed the budget.
    """
    size = problem.size(options.budget)
    if size.excess and options.method == "exact":
        raise _refusal(problem, size.excess)
    if options.method not in ("auto", "exact"):
        method, reason = options.method, _ASKED.format(options.method)
    elif size.excess:
        method, reason = "monte_carlo", f"p is sampled, for {size.excess}"
    else:
        method, reason = "exact", size.how
    return Plan(method, size.rank, size.grid, size.n_points, size.n_bytes, reason)


def run(problem: Problem, metric: MetricSpec | None, options: Options) -> PairedPermutationResult:
    """The p-value as `decide` says; "auto" samples also what turns out to exceed the budget."""
    p: CertifiedProbability | SampledProbability
    method, why = options.method, ""
    if method in ("auto", "exact"):
        try:
            p, method = problem.exact(options.budget), "exact"
        except BudgetError as error:
            why = problem.size(options.budget).excess or str(error)  # as `decide` says
            if options.method == "exact":
                raise _refusal(problem, why) from error
            method = "monte_carlo"
    if method == "monte_carlo":
        p = sampled_pvalue(problem, options)
    elif method == "importance_sampling":
        p = importance_sampled_pvalue(problem, options)
    if why:
        is_least = p.value <= 1.0 / (options.n_resamples + 1)
        warn(f"p is sampled, for {why}{_AT_LEAST if is_least else ''}")
    is_exact = method == "exact"
    return PairedPermutationResult(
        statistic=problem.statistic,
        pvalue=p.value,
        log_pvalue=p.log,
        pvalue_interval=(p.low, p.high),
        log_pvalue_interval=(p.log_low, p.log_high),
        interval="certified" if is_exact else "confidence",
        score1=problem.score1,
        score2=problem.score2,
        metric=None if metric is None else metric.name,
        metric_options=None if metric is None else metric.options,
        alternative=options.alternative,
        method=method,
        n=problem.n,
        n_differing=problem.n_differing,
        n_resamples=None if is_exact else options.n_resamples,
        confidence_level=None if is_exact else options.confidence_level,
        _null=problem.null,
    )


def _refusal(problem: Problem, why: str) -> BudgetError | InputError:
    """The error for what exceeds the budget: of decimals the input could do with fewer."""
    if not problem.decimals:
        return BudgetError(f"{why} {_SAMPLE}")
    return InputError(
        f"the scores have {problem.decimals} decimals, too many for a lattice within the budget: "
        f"{why} {_SAMPLE}"
    )
