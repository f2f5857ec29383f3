"""The shape of every engine, and the one place that picks among engines.

An engine computes one kind of answer to one kind of problem, and says first what that takes. Those
that may solve a problem stand in a list, and `choose` asks each. An engine whose problem has
several ways of its own keeps a list of these, and chooses among them in the same way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from pairedperm.errors import BudgetError
from pairedperm.errors.message import Message

Problem_ = TypeVar("Problem_")
Limits_ = TypeVar("Limits_")


class Cost(NamedTuple):
    """What an engine takes, by counts of work: the same on every machine.

    `rank` is the dimension of the lattice that the differences span. `how` says in words how p is
    computed. `grid` has the points in each dimension; None if there are too many to lay out.
    `excess` says why this exceeds the budget, as the BudgetError would. An engine that `settles`
    the choice is quicker than all after it. `work` is what the estimate has found and the run uses
    again: numbers and records, never functions.
    """

    rank: int
    how: str = "p is known without a sum"
    grid: tuple[int, ...] | None = (1,)
    n_points: int = 1
    n_bytes: int = 0
    seconds: float = 0.0
    excess: Message | None = None
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
    why: Message | None = None


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


class Choice(NamedTuple):
    """An engine that may run on a problem, what it takes, and the first that was passed over.

    One that ran, and proved to be too much, was not passed over.
    """

    engine: Engine[Any, Any]
    problem: Any
    cost: Cost
    passed: Cost | None = None

    def run(self, limits: Any) -> Answer:
        """Run the engine."""
        return self.engine.run(self.problem, limits, self.cost)


Candidates = Iterable[tuple[Engine[Any, Any], Any]]


def choose(
    candidates: Candidates, limits: Any, is_quick: Callable[[Cost], bool]
) -> Iterator[Choice]:
    """Yield the choices among engines, each with its problem, in the order in which they shall run.

    First comes the first one that is quick, or settles the choice. The next ones are for a run
    that proves to be too much: further quick ones, and then the others, the quickest first. At the
    end comes the last of those that exceed their limits; its cost says so.
    """
    slow: list[Choice] = []
    passed = refused = None
    for engine, problem in candidates:
        cost = engine.cost(problem, limits)
        if cost is None:
            continue
        choice = Choice(engine, problem, cost, passed)
        if cost.excess is not None:
            refused = choice
        elif cost.settles or is_quick(cost):
            yield choice
            continue
        else:
            slow.append(choice)
        passed = passed or cost
    yield from sorted(slow, key=lambda choice: choice.cost.seconds)
    if refused is not None:
        yield refused


class Best(Engine[Problem_, Limits_]):
    """An engine that runs the best of others.

    `candidates` lists them for a problem, and `is_quick` says which cost needs no comparison.
    """

    def __init__(
        self,
        name: str,
        candidates: Callable[[Problem_], Candidates],
        is_quick: Callable[[Problem_, Cost], bool],
    ) -> None:
        self.name, self._candidates, self._is_quick = name, candidates, is_quick

    def choices(self, problem: Problem_, limits: Limits_) -> Iterator[Choice]:
        """Yield the choices among them."""
        return choose(self._candidates(problem), limits, partial(self._is_quick, problem))

    def cost(self, problem: Problem_, limits: Limits_) -> Cost:
        """Return the cost of the first choice; see `Engine`."""
        choice = next(self.choices(problem, limits))
        return choice.cost._replace(settles=False, work=choice)

    def run(self, problem: Problem_, limits: Limits_, cost: Cost) -> Answer:
        """Run the first choice, or the next one if that proves to be too much; see `Engine`."""
        first: Choice = cost.work
        if cost.excess is not None:
            raise BudgetError(cost.excess)
        try:
            return first.run(limits)
        except BudgetError as error:
            for other in self.choices(problem, limits):
                if other.engine is not first.engine and other.cost.excess is None:
                    return other.run(limits)._replace(instead=other.cost, why=error.message)
            raise


_WATCHER: ContextVar[Callable[[float], object] | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Callable[[float], object]) -> Iterator[None]:
    """Report all work done meanwhile to the watcher, in the nanoseconds that it should take."""
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def advance(nanoseconds: float) -> None:
    """Report work of so many nanoseconds as done; they are known from counts, not from a clock."""
    watcher = _WATCHER.get()
    if watcher is not None:
        watcher(nanoseconds)
