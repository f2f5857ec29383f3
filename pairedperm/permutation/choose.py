"""The choice of the engine of a test under swaps, its run, and that of many tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import Any, TypeVar

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Choice, Cost, Engine, choose, watched
from pairedperm.convolution.integers import n_sums
from pairedperm.errors import (
    BudgetError,
    InputError,
    NoLatticeError,
    other_ways,
    two_digits,
    warn,
)
from pairedperm.errors.message import Message
from pairedperm.errors.wording import Parts, Setting
from pairedperm.options import Budget, Options
from pairedperm.options.progress import progress_bar
from pairedperm.permutation.bracket import BRACKET
from pairedperm.permutation.enumeration import ENUMERATION
from pairedperm.permutation.grid import DP, FFT
from pairedperm.permutation.means import Means, RealMeans
from pairedperm.permutation.monte_carlo import MONTE_CARLO
from pairedperm.permutation.problem import Problem
from pairedperm.permutation.ratios import Ratios
from pairedperm.permutation.sums import Sums, SumsOfTwo
from pairedperm.population.evidence import Evidence
from pairedperm.results.permutation_result import PairedPermutationResult, about_constant
from pairedperm.results.sampled import (
    OWN_SHARE,
    PATIENCE,
    QUICK,
    SAMPLE,
    SampledProbability,
    asked_for,
    estimated,
    fields_of_test,
    sampling_bar,
    sharing,
)
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.ratio import Quotient
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score, TwoSums, simplified


class Exact(Engine[Problem, Options]):
    """The engine of "exact": the first of a problem's tails that is quick, or else the quickest."""

    name = "exact"

    def cost(self, problem: Problem, limits: Options) -> Cost:
        if problem.is_known:
            return Cost(problem.rank)
        if problem.no_lattice:
            n = n_sums(problem.multiplicities)
            return Cost(problem.rank, "", None, n, excess=Message(problem.why_not_exact))
        choice = self._tail(problem, limits.budget)
        assert choice is not None  # every problem on a lattice has a tail
        return choice.cost._replace(settles=False, work=choice)

    def run(self, problem: Problem, limits: Options, cost: Cost) -> Answer:
        if problem.is_known:
            return Answer(CertifiedProbability.exactly(1.0))
        tail: Choice = cost.work
        return tail.run(limits.budget, partial(self._tail, problem, limits.budget))

    def _tail(self, problem: Problem, budget: Budget, *failed: Engine[Any, Any]) -> Choice | None:
        return choose(problem.tails(), budget, lambda tail: tail.cost.seconds <= QUICK, failed)


EXACT = Exact()
ENGINES = {x.name: x for x in (EXACT, DP, FFT, ENUMERATION, BRACKET, MONTE_CARLO)}
AUTO = (EXACT, ENUMERATION, BRACKET, MONTE_CARLO)
_PROMPT = 0.03  # tuned: seconds that nobody notices
_FEW = 44  # tuned: examples whose swaps are counted in seconds: p is exact


def chosen(problem: Problem, options: Options, *failed: Engine[Any, Any]) -> Choice:
    """Return the engine that shall run, other than those that have proved to be too much.

    Raises
    ------
    BudgetError
        If an explicit method would exceed the budget.
        If only sampling is left, and the samples would take more than an hour.
    InputError
        If an explicit method cannot solve this problem.
    """
    engines = AUTO if options.method == "auto" else (ENGINES[options.method],)
    candidates = [(engine, problem) for engine in engines]
    choice = choose(candidates, options, partial(_is_quick, options, failed), failed)
    assert choice is not None  # samples can be drawn of every problem
    if choice.cost.excess is not None:
        raise refusal(choice, choice.cost.excess)
    return choice


def _is_quick(options: Options, failed: Collection[Engine[Any, Any]], choice: Choice) -> bool:
    """Tell whether an engine is not slower than sampling, or takes seconds only.

    One of many tests may take its share of these, or the time of the samples that it needs. If
    "auto" may take a bracket, the exact p may take no longer than that, or `_PROMPT` seconds. So
    few examples that enumeration counts all swaps are always exact.
    """
    engine, problem, cost, _ = choice
    seconds = cost.seconds
    is_optional = engine is EXACT and options.method == "auto" and BRACKET not in failed
    if is_optional and seconds > _PROMPT and problem.n_differing > _FEW:
        bracket = BRACKET.cost(problem, options)
        if bracket is not None and bracket.excess is None and bracket.seconds < seconds:
            return False
    if seconds <= min(QUICK, OWN_SHARE.get().seconds):
        return True
    sampling = MONTE_CARLO.cost(problem, options)
    if sampling.excess is not None:
        return True
    each: float = sampling.work[1]
    return seconds <= max(sampling.seconds, OWN_SHARE.get().n_samples * each)


def refusal(choice: Choice, why: Message) -> BudgetError | InputError:
    """Return the error for an engine over the budget; InputError if fewer decimals would help."""
    engine, problem = choice.engine, choice.problem
    if engine is MONTE_CARLO:
        return BudgetError(why)
    others = ["'auto'"] * (engine not in (EXACT, BRACKET))
    others += ["'bracket'"] * (problem.additive is not None and engine is not BRACKET)
    ways = [SAMPLE]
    if others:
        more = (f" or {x}" for x in others[1:])
        ways.insert(0, Parts("use ", Setting("method", others[0]), *more))
    advised = other_ways(why, *ways)
    if problem.no_lattice and engine is EXACT:
        return problem.needs_lattice(engine.name)  # type: ignore[no-any-return]
    if engine is not EXACT or not problem.decimals:
        return BudgetError(advised)
    return InputError(
        f"the scores have {problem.decimals} decimals, too many for a lattice within the budget: ",
        advised,
    )


def _in_words(seconds: float) -> str:
    """Write seconds in two digits, or to the second."""
    return two_digits(seconds) if seconds < 100.0 else f"{seconds:,.0f}"


def why_passed(cost: Cost | None) -> Message | None:
    """Return why the first engine of the list is not the one that runs; None if it is."""
    if cost is None or cost.excess is not None:
        return cost and cost.excess
    return Message(
        f"the exact p-value takes about {_in_words(cost.seconds)} s, and ",
        *(Setting("method", "'auto'"), " does not wait so long"),
        remedy=Parts("Ask for it by ", Setting("method", "'exact'")),
    )


def likely_seconds(engine: Engine[Any, Any], cost: Cost) -> float:
    """Return the seconds that a run may take; samples are drawn until enough are extreme."""
    if engine is not MONTE_CARLO:
        return cost.seconds
    most, each = cost.work
    return float(most * each)


def reason_of(choice: Choice, why: Message | None = None, ran: Answer | None = None) -> str:
    """Return why an engine runs, and how it computes p.

    `why` says why it is not the first engine of the list, and `ran` which way the run went.
    """
    how = choice.cost.how
    if ran is not None and ran.instead is not None:
        how, why = ran.instead.how, ran.why
    if why is None:
        return how if choice.engine is not MONTE_CARLO else asked_for(choice.engine.name)
    return f"{how}, because {why.clause()}"


_SHAPE = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"


@contextmanager
def computing(seconds: float) -> Iterator[None]:
    """Show a progress bar inside the block."""
    with (
        progress_bar(seconds, "Computing p", bar_format=_SHAPE, delay=PATIENCE) as bar,
        watched(lambda done: bar.update(min(1e-9 * done, max(seconds - bar.n, 0.0)))),
    ):
        yield


def problem_of(rows: Rows, score: Score, alternative: str) -> Problem:
    """Simplify the score, and return the problem of a difference in it on these rows."""
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
    Evidence(rows, score, metric, options.largest_group).check_largest_group()
    problem = problem_of(rows, score, options.alternative)
    why: Message | None = None
    failed: list[Engine[Any, Any]] = []
    while True:
        choice = chosen(problem, options, *failed)
        if not failed:
            why = why_passed(choice.passed)
        is_long = choice.engine is not MONTE_CARLO and choice.cost.seconds > QUICK
        is_long = is_long and not OWN_SHARE.get().is_of_many
        try:
            with computing(choice.cost.seconds) if is_long else nullcontext():
                answer = choice.engine.run(problem, options, choice.cost)
            break
        except (BudgetError, NoLatticeError) as error:
            if options.method != "auto" or choice.engine is MONTE_CARLO:
                raise refusal(choice, error.message) from error
            why = why or error.message
            failed.append(choice.engine)
    if why and isinstance(answer.p, SampledProbability):
        warn(estimated(answer.p, why))
    of_test = fields_of_test(problem, answer.p, rows, score, metric, options)
    result = PairedPermutationResult(
        method=choice.engine.name,
        confidence_level=options.confidence_level,
        reason=reason_of(choice, why, answer),
        **of_test,
        fraction=answer.fraction,
        constant=None if options.constant else of_test["_evidence"].constant,
        _problem=problem,
    )
    if about := about_constant(result):
        warn(about)
    if options.confidence_level is not None:
        result.confidence_interval(options.confidence_level)  # errors come now, not in `to_dict`
    return result


_ESTIMATED = 16  # tuned: tests whose time is estimated, for all
_BESIDE = 1e-3  # tuned: seconds of a test beside its engine

Tested = TypeVar("Tested")
RowsOf = Callable[[Tested], tuple[Rows, Score]]


@contextmanager
def shared_patience(
    tests: Sequence[Tested],
    rows_of: RowsOf[Tested],
    options: Options,
    alpha: float,
    unit: str,
) -> Iterator[Any]:
    """Run the tests inside the block with one patience, and yield the bar that counts them."""
    step = -(-len(tests) // _ESTIMATED)
    some = tests[step // 2 :: step]
    seconds = len(tests) / len(some) * sum(_likely(test, rows_of, options) for test in some)
    bar = sampling_bar(len(tests), seconds, unit, "Testing")
    with bar, sharing(len(tests), seconds, alpha):
        yield bar


def _likely(test: Tested, rows_of: RowsOf[Tested], options: Options) -> float:
    """Return the seconds of a test; its run says why if it cannot run."""
    with suppress(BudgetError, InputError):
        choice = chosen(problem_of(*rows_of(test), options.alternative), options)
        return _BESIDE + likely_seconds(choice.engine, choice.cost)
    return _BESIDE
