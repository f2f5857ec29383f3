"""The test under swaps: posed, an engine chosen, run."""

from __future__ import annotations

from typing import Any

from pairedperm.convolution.assignments import n_sums
from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.errors import BudgetError, InputError, NoLatticeError, warn
from pairedperm.options import Budget, Options
from pairedperm.permutation.engines.bracket import BRACKET
from pairedperm.permutation.engines.dp import DP
from pairedperm.permutation.engines.enumeration import ENUMERATION
from pairedperm.permutation.engines.fft import FFT
from pairedperm.permutation.engines.monte_carlo import MONTE_CARLO
from pairedperm.permutation.engines.rational import RATIONAL
from pairedperm.permutation.means import Means
from pairedperm.permutation.problem import Answer, Cost, Engine, Problem, known
from pairedperm.permutation.ratios import Ratios
from pairedperm.permutation.reals import RealMeans
from pairedperm.permutation.sums import Sums
from pairedperm.permutation.two_sums import SumsOfTwo
from pairedperm.results.evidence import Evidence
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.plan import Plan
from pairedperm.results.report import asked_for
from pairedperm.results.sampled import SampledProbability, estimated
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.waist import Mean, Rows, Score, TwoSums

QUICKLY_LISTED = 2**22  # tuned: sums, of a mean those of a half: 22 or 44 examples, some seconds
_SAMPLE = "Or sample: method='monte_carlo'."


def pose(rows: Rows, score: Score, alternative: str) -> Problem:
    """The problem that the score, as it simplifies itself, poses on these rows."""
    rows, simple = score.simplify(rows, "swaps")
    kind: Any = Sums
    if isinstance(simple, Mean):
        kind = RealMeans if rows.no_lattice else Means
    elif isinstance(simple, Quotient) and not rows.no_lattice:
        kind = Ratios
    elif isinstance(simple, TwoSums):
        kind = SumsOfTwo
    return kind(rows, simple, alternative)  # type: ignore[no-any-return]


class Exact(Engine):
    """The first of a problem's forms that the budget allows."""

    name = "exact"

    def cost(self, problem: Problem, budget: Budget) -> Cost:
        """See `Engine`."""
        if problem.is_known:
            return known(problem.rank)
        n = n_sums(problem.multiplicities)
        cost = Cost(problem.rank, None, n, 0, "", problem.why_not_exact)
        for form in problem.forms():
            cost = form.cost(budget)
            if not cost.excess:
                break
        return cost

    def run(self, problem: Problem, options: Options) -> Answer:
        """See `Engine`."""
        if problem.is_known:
            return Answer(CertifiedProbability.exactly(1.0))
        refusal: BudgetError | None = None
        for form in problem.forms():
            try:
                p = form.pvalue(options.budget)
                break
            except BudgetError as error:
                refusal = error
        else:
            raise refusal or NoLatticeError(problem.why_not_exact, problem.no_lattice)
        return Answer(p)


EXACT = Exact()
ENGINES = {x.name: x for x in (EXACT, DP, FFT, RATIONAL, ENUMERATION, BRACKET, MONTE_CARLO)}
AUTO: tuple[Engine, ...] = (EXACT, ENUMERATION, BRACKET, MONTE_CARLO)


def _is_worth(engine: Engine, problem: Problem) -> bool:
    """Whether "auto" tries it: a listing must be quick, and a bracket is of sums."""
    if engine is ENUMERATION:
        return ENUMERATION.size(problem)[0] <= QUICKLY_LISTED
    return engine is not BRACKET or problem.additive is not None


def decide(problem: Problem, options: Options) -> Plan:
    """The plan for a test; see `pairedperm.plan` for the list.

    Raises
    ------
    BudgetError
        If `method` is not "auto", and that would exceed the budget; if what is left is to
        sample, and so many samples would take more than an hour.
    InputError
        If the method cannot be used for this problem.
    """
    exact = EXACT.cost(problem, options.budget)
    is_auto = options.method == "auto"
    for engine in AUTO if is_auto else (ENGINES[options.method],):
        if is_auto and not _is_worth(engine, problem):
            continue
        cost = exact if engine is EXACT else engine.cost(problem, options.budget) or exact
        if engine is MONTE_CARLO:
            MONTE_CARLO.check_samples(problem, options)
            reason = f"p is sampled, for {exact.excess}" if is_auto else asked_for(engine.name)
        elif cost.excess:
            continue
        elif is_auto and engine is not EXACT:
            reason = f"{cost.how}, for {exact.excess}"
        else:
            reason = cost.how
        return Plan(engine.name, cost.rank, cost.grid, cost.n_points, cost.n_bytes, reason)
    raise _refusal(problem, engine, cost.excess or "")


def run(
    rows: Rows, score: Score, metric: Metric | None, options: Options
) -> PairedPermutationResult:
    """The p-value as `decide` says; "auto" goes on where something turns out to be too much."""
    problem = pose(rows, score, options.alternative)
    is_auto, why = options.method == "auto", ""
    for engine in AUTO if is_auto else (ENGINES[options.method],):
        if why and not _is_worth(engine, problem):
            continue
        try:
            p, fraction = engine.run(problem, options)
            break
        except (BudgetError, NoLatticeError) as error:
            if engine is MONTE_CARLO:
                raise
            if not is_auto:
                cost = engine.cost(problem, options.budget)  # as `decide` says
                raise _refusal(problem, engine, (cost and cost.excess) or str(error)) from error
            why = why or EXACT.cost(problem, options.budget).excess or str(error)  # likewise
    sampled = p if isinstance(p, SampledProbability) else None
    if why and sampled:
        warn(estimated(sampled, options.n_resamples, why))
    result = PairedPermutationResult(
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
        method=engine.name,
        n=problem.n,
        n_differing=problem.n_differing,
        n_resamples=options.n_resamples if sampled else None,
        confidence_level=options.confidence_level,
        n_ignored=rows.n_ignored,
        seed=sampled.seed if sampled else None,
        _why_not_exact=why,
        _evidence=Evidence(rows, score, metric),
        fraction=fraction,
        _problem=problem,
    )
    if options.confidence_level is not None:
        result.confidence_interval(options.confidence_level)  # rather now than in `to_dict`
    return result


def _refusal(problem: Problem, engine: Engine, why: str) -> BudgetError | InputError:
    """The error for what exceeds the budget: of decimals the input could do with fewer."""
    others = [] if problem.additive is None or engine is BRACKET else ["'bracket'"]
    if engine not in (EXACT, BRACKET):
        others.insert(0, "'auto'")
    instead = f" Or use method={' or '.join(others)}." if others else ""
    advice = f"{instead} {_SAMPLE}"
    if problem.no_lattice and engine is EXACT:
        return problem.needs_lattice(engine.name)
    if engine is not EXACT or not problem.decimals:
        return BudgetError(f"{why}{advice}")
    return InputError(
        f"the scores have {problem.decimals} decimals, too many for a lattice within the budget: "
        f"{why}{advice}"
    )
