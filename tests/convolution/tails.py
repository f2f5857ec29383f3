"""The best ways to tails on a line and in the plane, as the permutation test takes them."""

from pairedperm.convolution.plane.tail import PLANE, PlaneTail
from pairedperm.options import Budget


def plane_tail(law, region, budget=Budget(), *, is_absolute=False):  # noqa: B008, it is frozen
    """P(B ∈ region)."""
    tail = PlaneTail(law, region, is_absolute)
    return PLANE.run(tail, budget, PLANE.cost(tail, budget)).p
