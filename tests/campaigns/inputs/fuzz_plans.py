"""The plan of tests of every kind and of some size, held against what then runs."""

from __future__ import annotations

import time
from random import Random
from typing import Any, NamedTuple

from campaigns.inputs.fuzz_call import Argument, Call
from corpora.sized import drawn, sized
from pairedperm import BudgetError, InputError, plan, structured_permutation_test

_TIMES, _ALLOWED = 3.0, 0.3  # what a test may take of the seconds in its plan, and beside them
_MAX_POINTS = 2**20  # of methods that are asked for
_REPEATS = 3  # of which the least time counts
_LOOP, _PACE = 10**6, 0.008  # steps that do nothing, and their seconds where plans were measured
_METHODS = ("exact", "dp", "fft", "enumeration", "bracket", "monte_carlo")


class PlanAndRun(NamedTuple):
    """What was planned, what ran, and the processor's seconds that it took."""

    planned: Any
    result: Any
    seconds: float
    pace: float = 1.0  # times that this machine takes what the plans' took

    def broken(self) -> str:
        """What does not hold of the plan; "" if it does."""
        refusals = [isinstance(x, Exception) for x in (self.planned, self.result)]
        if isinstance(self.result, BudgetError) and not refusals[0] and self.is_near_the_budget:
            return ""
        if refusals[0] is not refusals[1]:
            return "plan and run do not both refuse"
        if self.planned.method != self.result.method:
            return f"plan names {self.planned.method}, {self.result.method} runs"
        if not self.is_as_quick:
            return f"a run by {self.planned.method} takes longer than its plan says"
        return ""

    @property
    def is_near_the_budget(self) -> bool:
        """Whether a few times the work that was planned would exceed it: of the plane's, 0.6 µs."""
        in_the_plane = self.planned.reason.startswith("tilted sums in the plane")
        return in_the_plane and 5.0 * self.planned.seconds >= 6e-7 * _MAX_POINTS

    @property
    def is_as_quick(self) -> bool:
        """Whether it did not take much longer than planned."""
        if isinstance(self.planned, Exception):
            return True
        return self.seconds <= self.pace * (_TIMES * self.planned.seconds + _ALLOWED)


def planned_and_run(
    kind: str, n: int, size: int, shift: float, seed: int, **options: Any
) -> PlanAndRun:
    """Plan a test of `sized`, and run it; again if it takes longer than it should.

    Raises
    ------
    InputError, BudgetError
        If both refuse.
    """
    test, arguments, own = sized(kind, n, size, shift, seed)
    options = {**own, **options, "rng": 0}
    if test is structured_permutation_test:
        options.pop("alternative", None)
    planned, _ = _timed(plan, arguments, options)
    found = PlanAndRun(planned, *_timed(test, arguments, options))
    for _ in range(_REPEATS - 1):
        if found.is_as_quick:
            break
        again = PlanAndRun(planned, *_timed(test, arguments, options), _pace())
        found = min(found, again, key=_seconds)
    if isinstance(found.planned, Exception) and isinstance(found.result, Exception):
        raise found.result
    return found


def _seconds(found: PlanAndRun) -> float:
    return found.seconds


def _pace() -> float:
    """How many times as long a loop takes as where plans were measured; 1 on faster machines."""
    start = time.process_time()
    for _ in range(_LOOP):
        pass
    return max((time.process_time() - start) / _PACE, 1.0)


def _timed(function: Any, arguments: tuple, options: dict[str, Any]) -> tuple[Any, float]:
    """The answer or refusal, and the seconds of the processor, which other processes do not add."""
    start = time.process_time()
    try:
        answer = function(*arguments, **options)
    except (InputError, BudgetError) as error:
        answer = error
    return answer, time.process_time() - start


def plans(rng: Random) -> Call:
    """Mostly by method="auto" and with no budget; by another method with one that takes seconds."""
    given = [repr(x) for x in drawn(rng, most=1000)]
    alternative = rng.choice(("two-sided", "greater", "less"))
    options = {"alternative": repr(alternative)}
    if rng.random() < 0.4:
        budget = repr({"max_points": _MAX_POINTS})
        options |= {"method": repr(rng.choice(_METHODS)), "budget": budget}
    arguments = [Argument("", x, x) for x in given]
    arguments += [Argument(name, x, x) for name, x in options.items()]
    return Call("planned_and_run", tuple(arguments))


GRAMMARS = {plans: 4}
