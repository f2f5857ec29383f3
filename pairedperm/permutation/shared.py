"""Many tests of one call: their time, estimated before they run, and one bar that counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from pairedperm.errors import BudgetError, InputError
from pairedperm.options import Options
from pairedperm.permutation.choose import chosen, likely_seconds, problem_of
from pairedperm.permutation.problem import Problem
from pairedperm.results.sampled import sampling_bar, sharing
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

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
        problem: Problem = problem_of(*rows_of(test), options.alternative)
        choice = chosen(problem, options)
        return _BESIDE + likely_seconds(choice.engine, choice.cost)
    return _BESIDE
