"""How a test of either null model runs: one loop, sampled p-values, and what "auto" waits for."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.certified import CertifiedProbability
from pairedperm.convolution.engine import Answer, Choice, Cost, Engine, Problem_, choose, watched
from pairedperm.convolution.sampling import LEAST_BYTES, SamplingCost
from pairedperm.errors import (
    BudgetError,
    InputError,
    NoLatticeError,
    clause,
    during,
    message,
    shown,
    warn,
)
from pairedperm.options import (
    HOUR,
    P_LEVEL,
    PATIENCE,
    Budget,
    NoBar,
    Options,
    bar_after,
    progress_bar,
    two_digits,
)
from pairedperm.population.evidence import Evidence
from pairedperm.results.result import facts_of
from pairedperm.results.words import format_pvalue

SAMPLE = "sample: method='monte_carlo'"
_YEAR = 8766  # proof: hours
MOST = 10**9  # tuned: more resamples teach nothing new
ENOUGH = 100  # tuned: with so many extreme samples the standard error of p is 10 % of it
QUICK = 3.0  # tuned: the seconds that "auto" may take, estimated; longer methods show a bar
_ALL = 60.0  # tuned: seconds of all tests of a call, estimated; beyond, each has its share of them
_MOST = 10**6  # tuned: the most samples of "auto" until enough are extreme


@dataclass(frozen=True, slots=True)
class SampledProbability(CertifiedProbability):
    """A sampled p and log p with their confidence intervals, the number of samples and the seed."""

    n: int = 0
    seed: int = 0


def sampled_pvalue(
    blocks: Iterator[NDArray[np.bool_]], first: int, most: int, seconds: float, seed: int
) -> SampledProbability:
    """Return p of `first` samples, or of up to `most` until 100 samples are as extreme.

    If k ≥ 100 of m = `first` samples are extreme, p is (k + 1) / (m + 1), and also if k < 100 of
    m = `most` samples are. If the 100th extreme one is sample L in between, p is 100 / L, and later
    samples of its block are ignored. The test is valid: P(p ≤ α) ≤ α (Besag & Clifford 1991).

    Parameters
    ----------
    blocks : iterator of bool arrays
        True for each sample that is as extreme, in the order of drawing. One block ends after
        exactly `first` samples.
    first, most : int
        Numbers of samples.
    seconds : float
        The estimated time of one sample.
    seed : int
        The seed of the samples, for the result.
    """
    k = n = 0
    for end in dict.fromkeys((first, most)):
        if k >= ENOUGH:
            break
        goes_on, likely = n > 0, end - n
        if goes_on:
            likely = min(likely, n * (ENOUGH - k) // max(k, 1))
        with sampling_bar(end - n, likely * seconds) as bar:
            while n < end:
                block = next(blocks)
                places = np.flatnonzero(block)
                if goes_on and k + places.size >= ENOUGH:
                    last = n + int(places[ENOUGH - k - 1]) + 1
                    return sampled_share(ENOUGH, last, seed, is_last=True)
                k, n = k + places.size, n + block.size
                bar.update(block.size)
    return sampled_share(k, n, seed)


def sampled_share(k: int, m: int, seed: int, is_last: bool = False) -> SampledProbability:
    """Return (k + 1) / (m + 1) with Clopper and Pearson's interval for k of m, at 99 %.

    With `is_last`, sampling stopped at sample m, the k-th extreme one, and the value is k / m. The
    upper end is that for k - 1 of m - 1: P(the k-th is sample m or later) = P(at most k - 1 of
    m - 1). The lower end is that for k of m: P(the k-th is sample m or earlier) = P(k or more of
    m). Both lie within the interval for k of m, and are exact for `sampled_pvalue`: if p equals an
    end, outcomes at least as far from it have a probability of 0.5 %.
    """
    from scipy.special import betaincinv  # takes longer to import than numpy

    others, chances = (k - 1, m - 1) if is_last else (k, m)
    value = (others + 1) / (chances + 1)
    alpha = 1.0 - P_LEVEL
    high = 1.0
    if others < chances:
        high = float(betaincinv(others + 1, chances - others, 1.0 - alpha / 2.0))
    low = float(betaincinv(k, m - k + 1, alpha / 2.0)) if k else 0.0
    log_low = math.log(low) if low > 0.0 else -math.inf
    logs = math.log(value), log_low, math.log(high)
    return SampledProbability(value, low, high, *logs, n=m, seed=seed)


def most_samples(options: Options, seconds: float) -> int:
    """Return the largest number of samples; "auto" may draw for about `QUICK` seconds.

    One of many tests may draw for its share of the patience, and as many as all tests need.
    """
    first = options.n_first
    if options.method != "auto" or options.n_resamples is not None:
        return first
    most = max(ALLOWANCE.get().n_samples, int(min(QUICK, ALLOWANCE.get().seconds) / seconds))
    return max(first, min(_MOST, most))


def estimated(p: SampledProbability, why: str, of: str = "swaps") -> str:
    """Return the warning that p was sampled although nobody asked for it."""
    is_none = p.value * (p.n + 1) < 2
    ends = f"{format_pvalue(p.log_low)} to {format_pvalue(p.log_high)}"
    return message(
        f"p is estimated from {p.n:,} random {of} ({P_LEVEL:.0%} interval {ends}), because "
        f"{clause(why)}",
        remedy=(
            f"No {of[:-1]} was as extreme: p may be much smaller" if is_none else "",
            f"Set `rng` for other samples (here rng={p.seed!s}), `n_resamples` for more",
        ),
    )


def sampling_cost(
    rank: int, n_points: int, options: Options, each: SamplingCost, kept: int = 0
) -> Cost:
    """Return what the resamples take that are always drawn; each keeps `kept` bytes.

    It exceeds the limits if they take more than an hour, estimated by counts of work and not by a
    clock, or do not fit into memory.
    """
    m, seconds = options.n_first, 1e-9 * each.nanoseconds
    n_bytes = int(each.n_bytes) + kept * m
    if m >= MOST or m * seconds > HOUR:
        most = min(int(HOUR / seconds), MOST - 1)
        hours = min(m, 10**100) * seconds / HOUR
        time = f"about {hours:,.1f} hours" if hours < _YEAR else "more than a year"
        excess: str | None = message(
            "n_resamples",
            must=f"be at most {most:,} here",
            got=f"{shown(m)}, which would take {time}",
            remedy="Draw fewer: the standard error of p = 0.05 is 0.0007 with "
            "n_resamples=100_000, 0.0002 with 1_000_000",
        )
        return Cost(rank, "p is sampled", None, n_points, n_bytes, excess=excess)
    # small problems are always sampled, whatever the budget allows
    budget = Budget(max_bytes=max(options.budget.max_bytes, 2 * LEAST_BYTES))
    instead = (
        "draw fewer resamples" if kept * m > each.n_bytes else "compare fewer columns or classes"
    )
    remedy = f"Raise it, or {instead}"
    what = f"{m:,} resamples need {n_bytes:.3g} bytes"
    excess = budget.excess(what, n_bytes=n_bytes, remedy=remedy)
    return Cost(rank, "p is sampled", None, n_points, n_bytes, m * seconds, excess)


class Allowance(NamedTuple):
    """What "auto" may take for a test.

    `seconds` are estimated by counts of work. So many `n_samples` may be drawn in any case.
    `is_of_many` tells whether the test is one of many, which have one bar.
    """

    seconds: float = math.inf
    n_samples: int = 0
    is_of_many: bool = False


_ALONE = Allowance()
ALLOWANCE: ContextVar[Allowance] = ContextVar("allowance", default=_ALONE)  # of the test that runs


def sharing(n_tests: int, seconds: float, alpha: float) -> AbstractContextManager[None]:
    """Run so many tests, of so many seconds in all, with one patience and no bars of their own.

    If they take too long, each has the same share. It may draw n / α samples all the same: the
    sampled p-values of n tests can be at most α after a correction for their number.
    """
    if seconds <= _ALL:
        return during(ALLOWANCE, Allowance(is_of_many=True))
    return during(ALLOWANCE, Allowance(_ALL / n_tests, math.ceil(n_tests / alpha), is_of_many=True))


def sampling_bar(
    total: int, seconds: float, unit: str = "resamples", what: str = "Sampling"
) -> Any:
    """Return a progress bar, which short work does not show.

    One of many tests has none of its own.
    """
    return NoBar() if ALLOWANCE.get().is_of_many else bar_after(seconds, total, unit, what)


class Sampler(Engine[Problem_, Options]):
    """The engine that estimates p from random samples: they can be drawn of every problem."""

    name = "monte_carlo"


class NullModel(NamedTuple):
    """What the run of a test under swaps has otherwise than that of one under draws.

    `engines` are all engines by their names, and `auto` those that "auto" may take, in order.
    `is_quick` tells whether "auto" waits for a choice, given the options and the engines that
    failed. `refusal` makes the error for a choice that exceeds the budget, given why. `samples`
    says what is drawn.
    """

    engines: Mapping[str, Engine[Any, Any]]
    auto: Sequence[Engine[Any, Any]]
    is_quick: Callable[[Options, Collection[Engine[Any, Any]], Choice], bool]
    refusal: Callable[[Choice, str], BudgetError | InputError]
    samples: str

    def refused(self, choice: Choice, why: str) -> BudgetError | InputError:
        """Return the error for a choice over the budget."""
        is_last = isinstance(choice.engine, Sampler)
        return BudgetError(why) if is_last else self.refusal(choice, why)


def chosen(problem: Any, null: NullModel, options: Options, *failed: Engine[Any, Any]) -> Choice:
    """Return the engine that shall run, other than those that have proved to be too much.

    Raises
    ------
    BudgetError
        If an explicit method would exceed the budget.
        If only sampling is left, and the samples would take more than an hour.
    InputError
        If an explicit method cannot solve this problem.
    """
    engines = null.auto if options.method == "auto" else (null.engines[options.method],)
    candidates = [(engine, problem) for engine in engines]
    choice = choose(candidates, options, partial(null.is_quick, options, failed), failed)
    assert choice is not None  # samples can be drawn of every problem
    if choice.cost.excess is not None:
        raise null.refused(choice, choice.cost.excess)
    return choice


def solve(
    problem: Any, null: NullModel, options: Options, of_data: Mapping[str, Any]
) -> tuple[Choice, Answer, dict[str, Any]]:
    """Run the engine that is chosen; "auto" tries the next one if its cost is too high.

    Return the choice that ran, its answer, and the fields of a result that all tests share, with
    those that are `of_data`.

    Raises
    ------
    BudgetError, InputError
        See `chosen`. If an explicit method proves to exceed the budget.

    Warns
    -----
    UserWarning
        If "auto" samples because the exact p-value takes too much.
    """
    why: str | None = None
    failed: list[Engine[Any, Any]] = []
    while True:
        choice = chosen(problem, null, options, *failed)
        if not failed:
            why = why_passed(choice.passed)
        try:
            with _computing(choice):
                answer = choice.engine.run(problem, options, choice.cost)
            break
        except (BudgetError, NoLatticeError) as error:
            if options.method != "auto" or isinstance(choice.engine, Sampler):
                raise null.refused(choice, str(error)) from error
            why = why or str(error)
            failed.append(choice.engine)
    p = answer.p
    sampled = p if isinstance(p, SampledProbability) else None
    if why and sampled:
        warn(estimated(sampled, why, null.samples))
    fields = {
        "statistic": problem.statistic,
        "pvalue": p.value,
        "log_pvalue": p.log,
        "pvalue_interval": (p.low, p.high),
        "log_pvalue_interval": (p.log_low, p.log_high),
        "pvalue_kind": "confidence" if sampled else "certified",
        "score1": problem.score1,
        "score2": problem.score2,
        "alternative": options.alternative,
        "method": choice.engine.name,
        "n_differing": problem.n_differing,
        "n_resamples": sampled.n if sampled else None,
        "seed": sampled.seed if sampled else None,
        "reason": reason_of(choice, options, why, answer),
        **of_data,
    }
    return choice, answer, fields


def fields_of(evidence: Evidence) -> dict[str, Any]:
    """Return the fields of a result that are of the rows and of the metric."""
    rows = evidence.rows
    return {
        **facts_of(evidence.metric),
        "n": rows.n,
        "n_groups": rows.n_groups,
        "n_ignored": rows.provenance.n_ignored,
        "sample": evidence,
    }


def _in_words(seconds: float) -> str:
    """Write seconds in two digits, or to the second."""
    return two_digits(seconds) if seconds < 100.0 else f"{seconds:,.0f}"


def why_passed(cost: Cost | None) -> str | None:
    """Return why the first engine of the list is not the one that runs; None if it is."""
    if cost is None or cost.excess is not None:
        return cost and cost.excess
    return message(
        f"the exact p-value takes about {_in_words(cost.seconds)} s, and method='auto' does not "
        "wait so long",
        remedy="Ask for it by method='exact'",
    )


def likely_seconds(choice: Choice) -> float:
    """Return the seconds that a run may take; samples are drawn until enough are extreme."""
    if not isinstance(choice.engine, Sampler):
        return choice.cost.seconds
    most, each = choice.cost.work
    return float(most * each)


def reason_of(choice: Choice, options: Options, why: str | None, ran: Answer | None = None) -> str:
    """Return why an engine runs, and how it computes p.

    `why` says why it is not the first engine of the list, and `ran` which way the run went.
    """
    how = choice.cost.how
    if ran is not None and ran.instead is not None:
        how, why = ran.instead.how, ran.why
    if why is not None:
        return f"{how}, because {clause(why)}"
    if not isinstance(choice.engine, Sampler):
        return how
    if options.method != "auto":
        return f"asked for with method={options.method!r}"
    return str(choice.problem.why_not_exact)


_SHAPE = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"


@contextmanager
def _computing(choice: Choice) -> Iterator[None]:
    """Show a progress bar inside the block, if the engine is slow and has none of its own."""
    seconds = choice.cost.seconds
    if isinstance(choice.engine, Sampler) or seconds <= QUICK or ALLOWANCE.get().is_of_many:
        yield
        return
    with (
        progress_bar(seconds, "Computing p", bar_format=_SHAPE, delay=PATIENCE) as bar,
        watched(lambda done: bar.update(min(1e-9 * done, max(seconds - bar.n, 0.0)))),
    ):
        yield


_ESTIMATED = 16  # tuned: tests whose time is estimated, for all
_BESIDE = 1e-3  # tuned: seconds of a test beside its engine

Tested = TypeVar("Tested")


@contextmanager
def shared_patience(
    tests: Sequence[Tested], seconds_of: Callable[[Tested], float], alpha: float, unit: str
) -> Iterator[Any]:
    """Run the tests inside the block with one patience, and yield the bar that counts them."""
    step = -(-len(tests) // _ESTIMATED)
    some = tests[step // 2 :: step]
    seconds = len(tests) / len(some) * sum(_likely(seconds_of, test) for test in some)
    bar = sampling_bar(len(tests), seconds, unit, "Testing")
    with bar, sharing(len(tests), seconds, alpha):
        yield bar


def _likely(seconds_of: Callable[[Tested], float], test: Tested) -> float:
    """Return the seconds of a test; its run says why if it cannot run."""
    with suppress(BudgetError, InputError):
        return _BESIDE + seconds_of(test)
    return _BESIDE
