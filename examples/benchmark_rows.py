"""What a row of the benchmarks is: how to make its data, our call, and what does the same.

A row names public parts of the package only, and finds them when it is called. So the same rows run
on older and on later versions, and a name that one of them lacks ends no other row.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ACCURACIES = (0.9, 0.899)


class Inputs(NamedTuple):
    """What data are made of: a size, random numbers, and an empty folder."""

    n: int
    rng: np.random.Generator
    folder: Path


Make = Callable[[Inputs], Any]
Call = Callable[[Any], Any]
Agree = Callable[[Any, Any, Any], bool]  # whether our answer for the data and another one agree


def unchecked(data: Any, ours: Any, theirs: Any) -> bool:
    """Accept any answer: it is none of the same question."""
    return True


@dataclass(frozen=True)
class Peer:
    """Another way to the answer.

    Attributes
    ----------
    call : callable
        Takes the row's data.
    agrees : callable
        Tells whether its answer is right, given the data and our answer.
    scale : float
        What its time is multiplied with, if it does a part of the work.
    """

    call: Call
    agrees: Agree = unchecked
    scale: float = 1.0


@dataclass(frozen=True)
class Row:
    """A row of a table of times.

    Attributes
    ----------
    section, label : str
        The table, and the row in it. "{n:,}" stands for the size.
    make : callable
        Makes the data. Rows that follow each other share data if they share this object and n.
    ours : callable
        Takes the data; its time is the row's.
    n, quick : int, and int or None
        The size, and that of a quick run; None is left out of it.
    peers : dict from str to Peer
        Those that take less than about 20 s. "samples" are 20,000 random swaps, if nothing else is
        said.
    clock : bool
        Whether the time is read from a clock, and not the processor's: for several threads or
        processes.
    limit, reason : float, str
        How many times as long as an older version it may take, and why if that is not 1.1.
    gone : str
        Why a later version does not have it.
    """

    section: str
    label: str
    make: Make
    ours: Call
    n: int
    quick: int | None = None
    peers: Mapping[str, Peer] = field(default_factory=dict)
    clock: bool = False
    limit: float = 1.1
    reason: str = ""
    gone: str = ""

    def size(self, is_quick: bool) -> int | None:
        """Return the size of a run, or None if the row is left out of it."""
        return self.quick if is_quick else self.n

    def name(self, is_quick: bool) -> str:
        """Return the label with the size of a run."""
        return self.label.format(n=self.size(is_quick))

    def title(self, is_quick: bool) -> str:
        """Return the section and the name."""
        return f"{self.section}: {self.name(is_quick)}"


def by(name: str, of: Callable[[Any], Any] = tuple, **options: Any) -> Call:
    """Return a call of a public name, which is looked up each time, with these parts of data."""
    module, _, function = f"pairedperm.{name}".rpartition(".")

    def call(data: Any) -> Any:
        return getattr(importlib.import_module(module), function)(*of(data), **options)

    return call


def by_f1(name: str, **options: Any) -> Call:
    """Return such a call of rows of 2 tp and predicted + gold."""

    def call(data: Any) -> Any:
        from pairedperm import Ratio

        return by(name, score=Ratio([1, 0], [0, 1]), **options)(data)

    return call


def p_of(answer: Any) -> float | None:
    """Return the p-value of an answer, if it has one."""
    p = answer.get("p") if isinstance(answer, dict) else getattr(answer, "pvalue", answer)
    return p if isinstance(p, float) else None


def same_p(data: Any, ours: Any, theirs: Any) -> bool:
    """Tell whether both p are the same; those of FFTs have an absolute error."""
    return math.isclose(p_of(ours) or 0.0, p_of(theirs) or 0.0, rel_tol=1e-9, abs_tol=1e-10)


def in_interval(data: Any, ours: Any, theirs: Any) -> bool:
    """Tell whether their p is in our proven interval."""
    (low, high), p = ours.pvalue_interval, p_of(theirs)
    return p is not None and low * (1 - 1e-9) <= p <= high * (1 + 1e-9)


def sampled(n: int) -> Agree:
    """Return a check that the p-values agree if one of them is of n samples, or twice a tail."""

    def agrees(data: Any, ours: Any, theirs: Any) -> bool:
        p, q = p_of(ours) or 0.0, p_of(theirs) or 0.0
        return abs(p - q) <= 8.0 * math.sqrt(max(p * (1 - p), q * (1 - q)) / n) + 4.0 / n

    return agrees


def equal(data: Any, ours: Any, theirs: Any) -> bool:
    """Tell whether both answers are equal."""
    return bool(ours == theirs)


def ids(n_classes: int, inputs: Inputs) -> list[np.ndarray]:
    """Draw two systems' labels and the right ones, as numbers."""
    n, rng = inputs.n, inputs.rng
    gold = rng.integers(0, n_classes, n)
    return [
        *(np.where(rng.random(n) < a, gold, rng.integers(0, n_classes, n)) for a in ACCURACIES),
        gold,
    ]
