"""The best ways to tails on a line and in the plane, as the permutation test takes them."""

from pairedperm.convolution.line.tail import LINE, Line, LineTail
from pairedperm.convolution.plane.tail import PLANE, PlaneTail
from pairedperm.options import Budget


def line_tail(values, counts, total, bound):
    """P(B ≤ bound)."""
    tail = LineTail(Line(values, counts, total), bound, int(counts.sum()))
    return LINE.run(tail, Budget(), LINE.cost(tail, Budget())).p


def plane_tail(law, region, budget=Budget(), *, is_absolute=False):  # noqa: B008, it is frozen
    """P(B ∈ region)."""
    tail = PlaneTail(law, region, is_absolute)
    return PLANE.run(tail, budget, PLANE.cost(tail, budget)).p
