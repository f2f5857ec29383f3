"""Run a test under swaps: pose the problem, choose an engine, compute."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from pairedperm.convolution.engine import Cost
from pairedperm.errors import BudgetError, NoLatticeError, warn
from pairedperm.message import Message
from pairedperm.options import Options
from pairedperm.permutation.choose import choices, plan_of, refusal, why_passed
from pairedperm.permutation.engines.monte_carlo import MONTE_CARLO
from pairedperm.permutation.means import Means
from pairedperm.permutation.problem import Problem
from pairedperm.permutation.ratios import Ratios
from pairedperm.permutation.reals import RealMeans
from pairedperm.permutation.sums import Sums
from pairedperm.permutation.two_sums import SumsOfTwo
from pairedperm.results.computing import computing
from pairedperm.results.evidence import Evidence
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.sampled import QUICK, SampledProbability, estimated
from pairedperm.scoring.groups import simplified
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.waist import Mean, Score, TwoSums


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


def run(
    rows: Rows, score: Score, metric: Metric | None, options: Options
) -> PairedPermutationResult:
    """Run the engine that is chosen; "auto" tries the next one if its cost is too high."""
    problem = pose(rows, score, options.alternative)
    failed: tuple[Message, Cost] | None = None
    for choice in choices(problem, options):
        is_long = choice.engine is not MONTE_CARLO and choice.cost.seconds > QUICK
        try:
            with computing(choice.cost.seconds) if is_long else nullcontext():
                answer = choice.run(options)
            break
        except (BudgetError, NoLatticeError) as error:
            if options.method != "auto" or choice.engine is MONTE_CARLO:
                raise refusal(choice, error.message) from error
            first = why_passed(choice.passed) or error.message, choice.passed or choice.cost
            failed = failed or first
    why, size = failed or (why_passed(choice.passed), choice.passed)
    p = answer.p
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
        _metric=metric,
        alternative=options.alternative,
        method=choice.engine.name,
        n=rows.n,
        n_differing=problem.n_differing,
        n_groups=rows.n_groups,
        n_resamples=sampled.n if sampled else None,
        confidence_level=options.confidence_level,
        n_ignored=rows.provenance.n_ignored,
        seed=sampled.seed if sampled else None,
        plan=plan_of(choice, why, size, answer),
        _evidence=Evidence(rows, score, metric),
        fraction=answer.fraction,
        _problem=problem,
    )
    if options.confidence_level is not None:
        result.confidence_interval(options.confidence_level)  # errors come now, not in `to_dict`
    return result
