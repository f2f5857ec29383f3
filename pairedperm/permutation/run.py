"""Which method a test runs, decided before anything is computed; and running it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pairedperm.errors import BudgetError, InputError, NoLatticeError, warn
from pairedperm.options import Options
from pairedperm.permutation.additive import enumeration_cost
from pairedperm.permutation.listing import n_sums_of
from pairedperm.permutation.methods import answer, needs_lattice, size_of
from pairedperm.permutation.problem import Problem, Size
from pairedperm.results.result import PairedPermutationResult
from pairedperm.scoring.metric import MetricSpec

__all__ = ["Plan", "decide", "run"]

_AT_LEAST = " No sample was as extreme: p may be much smaller. Raise `n_resamples` to find out."
_QUICKLY_LISTED = 2**22  # sums, of a mean those of a half: 22 or 44 examples, some seconds
_SAMPLE = "Or sample: method='monte_carlo'."


@dataclass(frozen=True, slots=True)
class Plan:
    """What a test will do, made by `plan`, which computes nothing.

    Attributes
    ----------
    method : str
        What will run, never "auto".
    rank : int
        How many sums the swaps move independently: the dimension of the lattice that the
        differences span. 0 if no example differs.
    grid : tuple of int or None
        How many points the exact p-value needs in each dimension, nearly; they may be fewer
        dimensions than `rank` where p is known, more where differences are taken one by one.
        None where there are so many points that they were not laid out, and of a bracket, which
        takes as many frequencies as it turns out to need.
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
        If `method` is neither "auto" nor "monte_carlo", and that would exceed the budget.
    InputError
        If the method cannot be used for this problem.
    """
    if options.method != "auto":
        size = size_of(problem, options.method, options.budget)
        if options.method == "monte_carlo":
            return _plan("monte_carlo", size, "asked for with method='monte_carlo'")
        if size.excess:
            raise _refusal(problem, options.method, size.excess)
        return _plan(options.method, size, size.how)
    for method in _candidates(problem):
        size = size_of(problem, method, options.budget)
        if not size.excess:
            reason = size.how
            if method != "exact":
                reason = f"{size.how}, for {problem.size(options.budget).excess}"
            return _plan(method, size, reason)
    size = problem.size(options.budget)
    return _plan("monte_carlo", size, f"p is sampled, for {size.excess}")


def _plan(method: str, size: Size, reason: str) -> Plan:
    return Plan(method, size.rank, size.grid, size.n_points, size.n_bytes, reason)


def _candidates(problem: Problem) -> Iterator[str]:
    """What "auto" tries before it samples."""
    yield "exact"
    if problem.additive is not None:
        if enumeration_cost(problem.additive)[0] <= _QUICKLY_LISTED:
            yield "enumeration"
        yield "bracket"
    elif n_sums_of(problem)[0] <= _QUICKLY_LISTED:
        yield "enumeration"


def run(problem: Problem, metric: MetricSpec | None, options: Options) -> PairedPermutationResult:
    """The p-value as `decide` says; "auto" goes on where something turns out to be too much."""
    method, why = options.method, ""
    if method == "auto":
        for method in _candidates(problem):
            try:
                p, fraction = answer(problem, method, options)
                break
            except (BudgetError, NoLatticeError) as error:
                why = why or problem.size(options.budget).excess or str(error)  # as `decide` says
        else:
            method = "monte_carlo"
            p, fraction = answer(problem, method, options)
            is_least = p.value <= 1.0 / (options.n_resamples + 1)
            warn(f"p is sampled, for {why}{_AT_LEAST if is_least else ''}")
    else:
        try:
            p, fraction = answer(problem, method, options)
        except (BudgetError, NoLatticeError) as error:
            excess = size_of(problem, method, options.budget).excess  # as `decide` says
            raise _refusal(problem, method, excess or str(error)) from error
    is_sampled = method == "monte_carlo"
    return PairedPermutationResult(
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
        confidence_level=options.confidence_level if is_sampled else None,
        fraction=fraction,
        _null=problem.null,
    )


def _refusal(problem: Problem, method: str, why: str) -> BudgetError | InputError:
    """The error for what exceeds the budget: of decimals the input could do with fewer."""
    others = [] if problem.additive is None or method == "bracket" else ["'bracket'"]
    if method in ("dp", "fft", "rational", "enumeration"):
        others.insert(0, "'auto'")
    instead = f" Or use method={' or '.join(others)}." if others else ""
    advice = f"{instead} {_SAMPLE}"
    if problem.no_lattice and method == "exact":
        return needs_lattice(method, problem)
    if method != "exact" or not problem.decimals:
        return BudgetError(f"{why}{advice}")
    return InputError(
        f"the scores have {problem.decimals} decimals, too many for a lattice within the budget: "
        f"{why}{advice}"
    )
