"""The plan of a test, made before the test runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The method that a test will use and its cost, as `plan` returns it.

    Attributes
    ----------
    method : str
        The method that will run, never "auto".
    rank : int
        The number of sums that the swaps move independently: the dimension of the lattice that the
        differences span. 0 if no example differs.
    grid : tuple of int or None
        The approximate number of points of the exact p in each dimension. There may be fewer
        dimensions than `rank` if p is already known, and more if differences are taken one by one.
        None if there are too many points to lay out, and for "bracket", which finds out how many
        frequencies it needs.
    n_points : int
        The number of points of the grid; a lower bound if `grid` is None.
    n_bytes : int
        The approximate memory for the exact p.
    seconds : float
        The approximate time of the method without reading the input. It is estimated from counts
        of work, so it is the same on every machine. If "auto" samples, it is the time for a small
        p; a large p takes fewer samples and far less.
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
