"""The shape of every engine, and the one place that picks among engines.

An engine computes one kind of answer to one kind of problem, and says first what that takes. Those
that may solve a problem stand in a list, and `choose` asks each. An engine whose problem has
several ways of its own lists these, and chooses among them in the same way (`Best`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from fractions import Fraction
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from pairedperm.errors import BudgetError, during
from pairedperm.options import NANOSECONDS, Budget, raised

Problem_ = TypeVar("Problem_")
Limits_ = TypeVar("Limits_")


class Cost(NamedTuple):
    """What an engine takes, by counts of work: the same on every machine.

    `rank` is the dimension of the lattice that the differences span. `how` says in words how p is
    computed. `grid` has the points in each dimension; None if there are too many to lay out.
    `excess` says why this exceeds the budget, as the BudgetError would. An engine that `settles`
    the choice is quicker than all after it. `work` is what the estimate has computed and the run
    uses again: numbers, records and functions that pickle.
    """

    rank: int
    how: str = "p is known without a sum"
    grid: tuple[int, ...] | None = (1,)
    n_points: int = 1
    n_bytes: int = 0
    seconds: float = 0.0
    excess: str | None = None
    settles: bool = False
    work: Any = None


class Answer(NamedTuple):
    """A p-value, the same as a fraction if it is known, and which way the run went.

    `intervals` are those of a bootstrap: of the difference and of both scores. `instead` is the
    cost of the way that ran, if the chosen one proved to be too much, and `why` says so.
    """

    p: Any
    fraction: Fraction | None = None
    intervals: Sequence[tuple[float, float]] = ()
    instead: Cost | None = None
    why: str | None = None


class Engine(ABC, Generic[Problem_, Limits_]):
    """A way to compute p; results call it by its `name`."""

    name: str

    @abstractmethod
    def cost(self, problem: Problem_, limits: Limits_) -> Cost | None:
        """Estimate what it takes, cheaply; None if it is not for this problem.

        Raises
        ------
        InputError
            If it cannot solve such a problem at all, and was asked for by name.
        """

    @abstractmethod
    def run(self, problem: Problem_, limits: Limits_, cost: Cost) -> Answer:
        """Compute p for a problem whose `cost` has no excess.

        Raises
        ------
        BudgetError
            If it turns out to take too much.
        """


class Known(Engine[Any, Any]):
    """The engine of a p-value that is known: its problem is the p-value."""

    name = "known"

    def cost(self, problem: Any, limits: Any) -> Cost:
        return Cost(1, settles=True)

    def run(self, problem: Any, limits: Any, cost: Cost) -> Answer:
        return Answer(problem)


KNOWN = Known()


class Choice(NamedTuple):
    """An engine that may run on a problem, what it takes, and the first that was passed over.

    One that ran, and proved to be too much, was not passed over.
    """

    engine: Engine[Any, Any]
    problem: Any
    cost: Cost
    passed: Cost | None = None

    def run(self, limits: Any, next_choice: Callable[[Engine[Any, Any]], Choice | None]) -> Answer:
        """Run the engine, or the one of the next choice if it proves to be too much.

        Raises
        ------
        BudgetError
            If no engine fits the limits, or the next one proves to be too much as well.
        """
        if self.cost.excess is not None:
            raise BudgetError(self.cost.excess)
        try:
            return self.engine.run(self.problem, limits, self.cost)
        except BudgetError as error:
            other = next_choice(self.engine)
            if other is None or other.cost.excess is not None:
                raise
            answer = other.engine.run(other.problem, limits, other.cost)
            return answer._replace(instead=other.cost, why=str(error))


Candidates = Iterable[tuple[Engine[Any, Any], Any]]


def choose(
    candidates: Candidates,
    limits: Any,
    is_quick: Callable[[Choice], bool],
    failed: Collection[Engine[Any, Any]] = (),
) -> Choice | None:
    """Return the engine that shall run on the problem that it is listed with.

    That is the first one that is quick, or settles the choice; otherwise the quickest. If all
    exceed their limits, it is the last one, and its cost says so. Those that `failed` in a run are
    left out; None if there are no others.
    """
    best = passed = refused = None
    for engine, problem in candidates:
        cost = None if engine in failed else engine.cost(problem, limits)
        if cost is None:
            continue
        choice = Choice(engine, problem, cost, passed)
        if cost.excess is not None:
            refused = choice
        elif cost.settles or is_quick(choice):
            return choice
        elif best is None or cost.seconds < best.cost.seconds:
            best = choice
        passed = passed or cost
    return best or refused


class Best(Engine[Problem_, Limits_]):
    """An engine that runs the best of others, its `ways`; the work of its cost is this choice."""

    ways: tuple[Engine[Any, Any], ...]

    def candidates(self, problem: Problem_) -> Candidates:
        """List the ways in order, each with its problem."""
        return [(way, problem) for way in self.ways]

    @abstractmethod
    def is_quick(self, choice: Choice) -> bool:
        """Tell whether a choice is not compared with those after it."""

    def choice(
        self, problem: Problem_, limits: Limits_, *failed: Engine[Any, Any]
    ) -> Choice | None:
        """Choose among those that have not failed."""
        return choose(self.candidates(problem), limits, self.is_quick, failed)

    def cost(self, problem: Problem_, limits: Limits_) -> Cost:
        choice = self.choice(problem, limits)
        assert choice is not None  # the last candidate is for every problem
        return choice.cost._replace(settles=False, work=choice)

    def run(self, problem: Problem_, limits: Limits_, cost: Cost) -> Answer:
        first: Choice = cost.work
        return first.run(limits, partial(self.choice, problem, limits))


_WATCHER: ContextVar[Callable[[float], object] | None] = ContextVar("watcher", default=None)


def watched(watcher: Callable[[float], object]) -> AbstractContextManager[None]:
    """Report all work done meanwhile to the watcher, in the nanoseconds that it should take."""
    return during(_WATCHER, watcher)


def advance(nanoseconds: float) -> None:
    """Report work of so many nanoseconds as done; they are known from counts, not from a clock."""
    watcher = _WATCHER.get()
    if watcher is not None:
        watcher(nanoseconds)


class Meter:
    """The cost of a computation in two dimensions so far, measured against its budget."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._spent = 0.0

    def spend(self, nanoseconds: float) -> None:
        """Add so many nanoseconds to what has been spent; raise BudgetError if it is too much."""
        self.check(nanoseconds)
        self._spent += nanoseconds
        advance(nanoseconds)

    def check(self, nanoseconds: float) -> None:
        """Raise BudgetError if so many nanoseconds more would be too much."""
        n = (self._spent + nanoseconds) / NANOSECONDS
        self._budget.check(
            "the exact p-value needs a Fourier transform in two dimensions that takes at least "
            f"as long as {n:.3g} frequencies",
            n_points=n,
            remedy=raised(1e-9 * (self._spent + nanoseconds)),
        )

    def check_bytes(self, n_bytes: int) -> None:
        """Raise BudgetError if arrays of so many bytes would not fit."""
        self._budget.check(
            f"the exact p-value needs {n_bytes:.3g} bytes for a Fourier transform in two "
            "dimensions",
            n_bytes=n_bytes,
        )
