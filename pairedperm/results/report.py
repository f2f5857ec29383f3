"""The plan of a test: which method, what it takes, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The method that a test will use, or has used, and its cost.

    Attributes
    ----------
    method : str
        The method that will run, never "auto".
    rank : int
        The number of sums that the swaps move independently: the dimension of the lattice that the
        differences span. 0 if no example differs. An upper bound if sampling was asked for. For a
        bootstrap, the number of sums that are drawn.
    grid : tuple of int or None
        The approximate number of points of the exact p in each dimension. There may be fewer
        dimensions than `rank` if p is already known, and more if differences are taken one by one.
        None if there are too many points to lay out, and for "bracket", which finds out how many
        frequencies it needs. None also if sampling was asked for.
    n_points : int
        The number of points of the grid; a lower bound if `grid` is None. If sampling was asked
        for, the number of sums of all swaps. For the ideal bootstrap, the points of the law of the
        difference; 0 if resamples are drawn.
    n_bytes : int
        The approximate memory for the exact p, or for the sampling that was asked for. 0 for the
        ideal bootstrap, which finds out while it runs.
    seconds : float
        The approximate time of the method without reading the input. It is estimated from counts
        of work, so it is the same on every machine. If "auto" samples, it is the time for a small
        p; a large p takes fewer samples and far less. 0 for the ideal bootstrap.
    reason : str
        Why this method was chosen.
    """

    method: str
    rank: int
    grid: tuple[int, ...] | None
    n_points: int
    n_bytes: int
    seconds: float
    reason: str


def asked_for(method: str) -> str:
    """Return the reason for sampling that the caller asked for."""
    return f"asked for with method={method!r}"
