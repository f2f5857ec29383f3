"""What a test will do, before it does it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """What a test will do, made by `plan`, which computes nothing.

    Attributes
    ----------
    method : str
        What will run, never "auto".
    rank : int
        How many sums the swaps move independently: the dimension of the lattice that the
        differences span. 0 if no example differs.
    grid : tuple of int or None
        How many points the exact p-value needs in each dimension, nearly; they may be fewer
        dimensions than `rank` where p is known, more where differences are taken one by one.
        None where there are so many points that they were not laid out, and of a bracket, which
        takes as many frequencies as it turns out to need.
    n_points : int
        Of the grid; a lower bound if there is none.
    n_bytes : int
        Memory for the exact p-value, about.
    seconds : float
        About how long the method takes, by counts of work and not by a clock, so that it is the
        same on every machine. Reading the input is not part of it. Where "auto" samples, it is
        what a small p takes, which needs more samples: a large one is there long before.
    reason : str
        Why this method, in words.
    """

    method: str
    rank: int
    grid: tuple[int, ...] | None
    n_points: int
    n_bytes: int
    seconds: float
    reason: str
