"""Run a test under swaps: pose the problem, choose an engine, compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any, NamedTuple

from pairedperm.errors import BudgetError, InputError, NoLatticeError, other_ways, warn
from pairedperm.message import Message
from pairedperm.options import Budget, Options
from pairedperm.permutation.engines.bracket import BRACKET
from pairedperm.permutation.engines.dp import DP
from pairedperm.permutation.engines.enumeration import ENUMERATION
from pairedperm.permutation.engines.fft import FFT
from pairedperm.permutation.engines.monte_carlo import MONTE_CARLO
from pairedperm.permutation.engines.rational import RATIONAL
from pairedperm.permutation.means import Means
from pairedperm.permutation.problem import (
    Answer,
    Cost,
    Engine,
    Prepared,
    Problem,
)
from pairedperm.permutation.ratios import Ratios
from pairedperm.permutation.reals import RealMeans
from pairedperm.permutation.sums import Sums
from pairedperm.permutation.two_sums import SumsOfTwo
from pairedperm.results.computing import computing
from pairedperm.results.evidence import Evidence
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.plan import Plan
from pairedperm.results.report import asked_for
from pairedperm.results.sampled import QUICK, SAMPLE, SampledProbability, estimated
from pairedperm.scoring.groups import simplified
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.waist import Mean, Rows, Score, TwoSums
from pairedperm.wording import Parts, Setting


def pose(rows: Rows, score: Score, alternative: str) -> Problem:
    """Simplify the score, and return the problem that it poses on these rows."""
    rows, simple = simplified(rows, score, "swaps")
    kind: Any = Sums
    if isinstance(simple, Mean):
        kind = RealMeans if rows.no_lattice else Means
    elif isinstance(simple, Quotient) and not rows.no_lattice:
        kind = Ratios
    elif isinstance(simple, TwoSums):
        kind = SumsOfTwo
    return kind(rows, simple, alternative)  # type: ignore[no-any-return]


class Exact(Engine):
    """The engine of "exact": a problem's first quick form, otherwise its quickest one."""

    name = "exact"

    def cost(self, problem: Problem, budget: Budget) -> Cost:
        """See `Engine`."""
        return problem.prepared(budget, QUICK).cost

    def run(self, problem: Problem, options: Options) -> Answer:
        """See `Engine`."""
        return self.prepared(problem, options).answer()

    def prepared(self, problem: Problem, options: Options) -> Prepared:
        """See `Engine`."""
        return problem.prepared(options.budget, QUICK)


EXACT = Exact()
ENGINES = {x.name: x for x in (EXACT, DP, FFT, RATIONAL, ENUMERATION, BRACKET, MONTE_CARLO)}
AUTO: tuple[Engine, ...] = (EXACT, ENUMERATION, BRACKET, MONTE_CARLO)


class _Choice(NamedTuple):
    """An engine that may run, its cost and its function, and why "auto" does not run "exact"."""

    engine: Engine
    cost: Cost | None
    answer: Callable[[], Answer]
    why_not_exact: Message | None


def _choices(problem: Problem, options: Options) -> Iterator[_Choice]:
    """Yield the engines that may run, in order: the next one if an engine proves too costly.

    Raises
    ------
    BudgetError
        If an explicit method would exceed the budget.
        If only sampling is left, and the samples would take more than an hour.
    InputError
        If an explicit method cannot solve this problem.
    """
    is_auto, why = options.method == "auto", None
    for engine in AUTO if is_auto else (ENGINES[options.method],):
        if is_auto and engine is BRACKET and problem.additive is None:
            continue
        cost, answer = engine.prepared(problem, options)
        if cost is None:
            yield _Choice(engine, None, answer, why)
        elif cost.excess and not is_auto:
            raise _refusal(problem, engine, cost.excess)
        elif cost.excess:
            why = why or cost.excess
        elif is_auto and cost.seconds > QUICK and _is_slow(cost.seconds, problem, options):
            why = why or _too_long(cost.seconds)
        else:
            yield _Choice(engine, cost, answer, why)


def _is_slow(seconds: float, problem: Problem, options: Options) -> bool:
    """Return whether an engine that takes these seconds is slower than sampling."""
    try:
        return seconds > MONTE_CARLO.check_samples(problem, options)
    except BudgetError:
        return False


def _too_long(seconds: float) -> Message:
    return Message(
        f"the exact p-value takes about {seconds:,.0f} s, and ",
        *(Setting("method", "'auto'"), " does not wait so long"),
        remedy=Parts("Ask for it by ", Setting("method", "'exact'")),
    )


def decide(problem: Problem, options: Options) -> Plan:
    """Return the plan for a test: `pairedperm.plan` has the list, `_choices` the errors."""
    engine, cost, _, why = next(_choices(problem, options))
    if cost is None:  # sampling
        most, each = MONTE_CARLO.how_many(problem, options)
        cost = EXACT.cost(problem, options.budget)._replace(seconds=most * each)
    if not why:
        reason = asked_for(engine.name) if engine is MONTE_CARLO else cost.how
    else:
        how = "p is sampled" if engine is MONTE_CARLO else cost.how
        reason = f"{how}, because {why}"
    size = cost.rank, cost.grid, cost.n_points, cost.n_bytes
    return Plan(engine.name, *size, float(f"{cost.seconds:.2g}"), reason)


def run(
    rows: Rows, score: Score, metric: Metric | None, options: Options
) -> PairedPermutationResult:
    """Run the engine that `decide` names; "auto" tries the next one if its cost is too high."""
    problem, failed = pose(rows, score, options.alternative), None
    for choice in _choices(problem, options):
        try:
            seconds = choice.cost.seconds if choice.cost else 0.0
            with computing(seconds) if seconds > QUICK else nullcontext():
                p, fraction = choice.answer()
            break
        except (BudgetError, NoLatticeError) as error:
            if choice.engine is MONTE_CARLO:
                raise
            if options.method != "auto":
                raise _refusal(problem, choice.engine, error.message) from error
            failed = failed or error.message
    why = choice.why_not_exact or failed
    sampled = p if isinstance(p, SampledProbability) else None
    if why and sampled:
        warn(estimated(sampled, why))
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
        method=choice.engine.name,
        n=rows.n,
        n_differing=problem.n_differing,
        n_groups=rows.n_groups,
        n_resamples=sampled.n if sampled else None,
        confidence_level=options.confidence_level,
        n_ignored=rows.n_ignored,
        seed=sampled.seed if sampled else None,
        _why_not_exact="" if why is None else str(why),
        _evidence=Evidence(rows, score, metric),
        fraction=fraction,
        _problem=problem,
    )
    if options.confidence_level is not None:
        result.confidence_interval(options.confidence_level)  # errors come now, not in `to_dict`
    return result


def _refusal(problem: Problem, engine: Engine, why: Message) -> BudgetError | InputError:
    """Return the error for a method over the budget; InputError if fewer decimals would help."""
    others = [] if problem.additive is None or engine is BRACKET else ["'bracket'"]
    if engine not in (EXACT, BRACKET):
        others.insert(0, "'auto'")
    use = Parts("use ", Setting("method", " or ".join(others)))
    advised = other_ways(why, *[use] * bool(others), SAMPLE)
    if problem.no_lattice and engine is EXACT:
        return problem.needs_lattice(engine.name)
    if engine is not EXACT or not problem.decimals:
        return BudgetError(advised)
    return InputError(
        f"the scores have {problem.decimals} decimals, too many for a lattice within the budget: ",
        advised,
    )
