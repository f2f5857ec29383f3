"""The engine that a test of permutations chooses, with what it estimates; it does not run."""

from typing import Any, NamedTuple
from unittest import mock

from pairedperm import (
    Ratio,
    compare,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.comparison.compare import TESTS
from pairedperm.nulls import swaps as of_numbers
from pairedperm.nulls.engines import MONTE_CARLO
from pairedperm.nulls.solve import chosen, likely_seconds, reason_of, why_passed
from pairedperm.nulls.swaps import UNDER_SWAPS, problem_of


class Plan(NamedTuple):
    """The name of the engine, what it takes, and why; if p is sampled, the size of the exact p."""

    method: str
    rank: int
    grid: tuple[int, ...] | None
    n_points: int
    n_bytes: int
    seconds: float
    reason: str


def plan(*arguments: Any, **options: Any) -> Plan:
    """Of the test that has such arguments: a third column or a metric is for `compare`."""
    third = arguments[2] if len(arguments) > 2 else options.get("statistic")
    test: Any = paired_permutation_test
    if callable(third) and not isinstance(third, Ratio):
        test = structured_permutation_test
    elif third is not None or options.keys() & {"references", "metric"}:
        test = compare
    with (
        mock.patch.object(of_numbers, "run", _planned),
        mock.patch.dict(TESTS, permutation=_planned),
    ):
        found: Plan = test(*arguments, **options)
    return found


def _planned(rows: Any, score: Any, metric: Any, options: Any) -> Plan:
    """What `run` of `nulls/swaps.py` will choose."""
    choice = chosen(problem_of(rows, score, options.alternative), UNDER_SWAPS, options)
    cost = choice.cost
    size = choice.passed or cost if choice.engine is MONTE_CARLO else cost
    return Plan(
        choice.engine.name,
        *(size.rank, size.grid, size.n_points, size.n_bytes),
        float(f"{likely_seconds(choice):.2g}"),
        reason_of(choice, options, why_passed(choice.passed)),
    )
