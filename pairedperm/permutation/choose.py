"""The choice of the engine of a test under swaps, and the plan that tells it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pairedperm.convolution.engine import Answer, Choice, Cost, choose
from pairedperm.errors import BudgetError, InputError, other_ways
from pairedperm.message import Message
from pairedperm.options import Options
from pairedperm.permutation.engines.bracket import BRACKET
from pairedperm.permutation.engines.dp import DP
from pairedperm.permutation.engines.enumeration import ENUMERATION
from pairedperm.permutation.engines.exact import EXACT
from pairedperm.permutation.engines.fft import FFT
from pairedperm.permutation.engines.monte_carlo import MONTE_CARLO
from pairedperm.permutation.engines.rational import RATIONAL
from pairedperm.permutation.problem import Problem
from pairedperm.results.plan import Plan, asked_for
from pairedperm.results.sampled import QUICK, SAMPLE
from pairedperm.wording import Parts, Setting

ENGINES = {x.name: x for x in (EXACT, DP, FFT, RATIONAL, ENUMERATION, BRACKET, MONTE_CARLO)}
AUTO = (EXACT, ENUMERATION, BRACKET, MONTE_CARLO)


def choices(problem: Problem, options: Options) -> Iterator[Choice]:
    """Return the engines that may run, in order: the next one if an engine proves too costly.

    Raises
    ------
    BudgetError
        If an explicit method would exceed the budget.
        If only sampling is left, and the samples would take more than an hour.
    InputError
        If an explicit method cannot solve this problem.
    """
    engines = AUTO if options.method == "auto" else (ENGINES[options.method],)
    found = choose([(x, problem) for x in engines], options, partial(_is_quick, problem, options))
    return map(_affordable, found)


def _affordable(choice: Choice) -> Choice:
    """Return a choice; raise an error if it is over the budget."""
    if choice.cost.excess is not None:
        raise refusal(choice, choice.cost.excess)
    return choice


def _is_quick(problem: Problem, options: Options, cost: Cost) -> bool:
    """Return whether an engine of this cost is not slower than sampling, or takes seconds only."""
    if cost.seconds <= QUICK:
        return True
    [sampling] = choose([(MONTE_CARLO, problem)], options, lambda _: True)
    return sampling.cost.excess is not None or cost.seconds <= sampling.cost.seconds


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


def why_passed(cost: Cost | None) -> Message | None:
    """Return why the first engine of the list is not the one that runs; None if it is."""
    if cost is None or cost.excess is not None:
        return cost and cost.excess
    return Message(
        f"the exact p-value takes about {cost.seconds:,.0f} s, and ",
        *(Setting("method", "'auto'"), " does not wait so long"),
        remedy=Parts("Ask for it by ", Setting("method", "'exact'")),
    )


def plan_of(
    choice: Choice,
    why: Message | None = None,
    size: Cost | None = None,
    ran: Answer | None = None,
) -> Plan:
    """Return the plan that a choice makes, or what a run has made of it.

    `why` says why it is not the first engine of the list, and `size` is what that would have taken.
    """
    name, cost = choice.engine.name, choice.cost
    if ran is not None and ran.instead is not None:
        return Plan.of(name, ran.instead, ran.why)
    if choice.engine is not MONTE_CARLO:
        return Plan.of(name, cost, why)
    most, each = cost.work  # and the size is that of the exact p
    if why is None:
        cost = cost._replace(how=asked_for(name))
    return Plan.of(name, cost._replace(seconds=most * each), why, size)


def decide(problem: Problem, options: Options) -> Plan:
    """Return the plan for a test; see `choices` for the errors."""
    choice = next(choices(problem, options))
    return plan_of(choice, why_passed(choice.passed), choice.passed)
