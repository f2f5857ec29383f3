"""Simulated tests of drawn examples, as many as the planned seconds allow."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count

import numpy as np

from pairedperm.errors import BudgetError, InputError, NoLatticeError
from pairedperm.errors.wording import Name
from pairedperm.options import Options
from pairedperm.permutation.choose import chosen, decide, plan_of, problem_of
from pairedperm.permutation.engines.monte_carlo import CALL, MONTE_CARLO
from pairedperm.permutation.problem import Problem
from pairedperm.population.flips import MOST, Planned, Power
from pairedperm.results.sampled import sampling_bar
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.waist import Score

FEWEST = 100  # tuned: fewer simulated tests, if more are asked for, tell less than it
_SWAPS, _MOST_SWAPS = 999, 10**6  # proof: with these a sampled p may be 0.001, and 0.000001
_IN_TAILS = 20  # tuned: the expected number of sampled swaps with p ≤ α
_QUICK = 0.002  # tuned: a test that takes more seconds is sampled
_TRIED = 3  # tuned: if none of so many tests is quick, all are sampled
_TEST, _NUMBER = 3e-3, 3e-8  # tuned: seconds of a test, and of each number that it draws
_SAMPLED = 3.0  # tuned: times the estimate of sums; small samples take longer, with their scores
_ROUNDS, _MOST_ROUNDS = 4, 10  # tuned: simulations until a search halves, and until it ends


def simulated(
    draw: Callable[[np.random.Generator], Rows],
    score: Score,
    n: int,
    n_numbers: float,
    test: Planned,
    *,
    is_higher: bool,
) -> Power | None:
    """Return the share of significant tests, and of those that name the wrong system.

    `draw` draws the rows of n examples, with so many numbers, and `is_higher` says whether system 1
    really scores higher. None if too few tests fit into the planned seconds, by counts of work. The
    same seed gives the same power.
    """
    rng = np.random.default_rng([test.seed, n])
    seconds, fewest = _TEST + _NUMBER * n_numbers, min(test.n_simulations, FEWEST)
    if seconds * fewest > test.seconds:  # not even one is drawn
        return None
    options = Options(n_resamples=max(_SWAPS, round(_IN_TAILS / test.alpha) - 1))
    sources = [rng, *([np.random.default_rng([test.seed, n, 1])] * (_TRIED - 1))]
    tried = [_quick(problem_of(draw(x), score, "two-sided"), n, test, options) for x in sources]
    seconds += sum(x for _, x in tried) / _TRIED
    if not any(is_quick for is_quick, _ in tried):
        options = replace(options, method="monte_carlo")
    n_tests = min(test.n_simulations, int(test.seconds / seconds))
    if n_tests < fewest:
        return None
    n_rejected = n_wrong = 0
    with sampling_bar(n_tests, n_tests * seconds, "tests") as bar:
        for _ in range(n_tests):
            problem, seed = problem_of(draw(rng), score, "two-sided"), int(rng.integers(2**32))
            if _pvalue(problem, replace(options, rng=seed)) <= test.alpha:
                n_rejected += 1
                n_wrong += problem.statistic < 0.0 if is_higher else problem.statistic > 0.0
            bar.update()
    share = n_rejected / n_tests
    error = math.sqrt(share * (1.0 - share) / n_tests)
    return Power(share, n_wrong / n_tests, error, n_tests)


def _quick(problem: Problem, n: int, test: Planned, options: Options) -> tuple[bool, float]:
    """Return whether an exact p of this problem is quick, and the seconds of the test.

    Raises
    ------
    InputError
        If sampled p cannot be as small as the level.
    """
    calls = CALL * options.n_first if problem.calls_function else 0.0
    plan = decide(problem, options)
    if plan.method != MONTE_CARLO.name and plan.seconds <= _QUICK:
        return True, plan.seconds + calls
    if options.n_first > _MOST_SWAPS:
        raise InputError(
            Name("alpha"),
            must=f"be at least {_IN_TAILS / _MOST_SWAPS:g} where p is sampled, as it is for tests "
            f"of {n:,} examples like these",
            got=f"{test.alpha:g}",
        )
    sampling = chosen(problem, replace(options, method="monte_carlo"))
    return False, _SAMPLED * sampling.cost.seconds + calls


def _pvalue(problem: Problem, options: Options) -> float:
    """Return the exact p if that is quick, otherwise a sampled one."""
    if options.method == "auto":
        choice = chosen(problem, options)
        if plan_of(choice).seconds <= _QUICK:
            with suppress(BudgetError, NoLatticeError):
                return float(choice.engine.run(problem, options, choice.cost).p.value)
    sampled = replace(options, method="monte_carlo")
    cost = chosen(problem, sampled).cost
    return float(MONTE_CARLO.run(problem, sampled, cost).p.value)


def corrected(change: Callable[[int], float], first: int, least: int, power: int) -> int | None:
    """Return about the least integer up to `MOST` that is large enough, or None.

    `change` is the factor by which the difference must grow there, by simulated tests; at 1 the
    search ends. An integer as large as factor^`power` times would do. The answer was simulated.
    """
    x, low, high = first, (least - 1, 0.0), (MOST + 1, 0.0)  # with their changes, less 1
    for n_tried in count(1):
        factor = change(x)
        if factor == 1.0:
            return x
        low, high = ((x, factor - 1.0), high) if factor > 1.0 else (low, (x, factor - 1.0))
        if high[0] - low[0] == 1 or (high[1] and n_tried >= _MOST_ROUNDS):
            break
        guess = x * min(max(factor**power, 0.5), 2.0)
        if low[1] and high[1]:
            share = low[1] / (low[1] - high[1]) if n_tried <= _ROUNDS else 0.5
            start, end = (side[0] ** (1.0 / power) for side in (low, high))
            guess = (start + (end - start) * share) ** power
        x = min(max(math.ceil(guess), low[0] + 1), high[0] - 1)
    return high[0] if high[1] else None
