"""Which frequencies of a characteristic function in the plane have not died away."""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.budget import Budget
from pairedperm.convolution.certified import UNIT
from pairedperm.convolution.law import IntArray
from pairedperm.convolution.planar_law import TiltedPlanarLaw
from pairedperm.errors import BudgetError

__all__ = ["surviving_planar_frequencies"]

_BOXES = 2**10  # that the frequencies are first divided into
_TOGETHER = 2**12  # boxes that are looked at together
_FACTORS = 32  # factors that are looked at between two choices of boxes
_SLACK = 1e-9  # much more than the rounding of a factor
_SAMPLE = 2**12


def surviving_planar_frequencies(
    law: TiltedPlanarLaw, lengths: tuple[int, int], log_tolerance: float, budget: Budget
) -> IntArray:
    """The frequencies, shape (n, 2), at which |φ| may exceed e^log_tolerance.

    The first coordinate is from 0 to lengths[0] / 2, for φ is symmetric, the second from
    0 to lengths[1] - 1.

    A box of frequencies is dropped for good if |φ| is small in all of it, and otherwise
    divided. Every factor has modulus at most 1, so that some of them suffice to drop a box.
    """
    _check_number(law, lengths, log_tolerance, budget)
    half = lengths[0] // 2
    size = 1 << max(math.ceil(math.log2((half + 1) * lengths[1] / _BOXES) / 2.0), 0)
    corners = np.stack(
        np.meshgrid(np.arange(0, half + 1, size), np.arange(0, lengths[1], size), indexing="ij"),
        axis=-1,
    ).reshape(-1, 2)
    order = np.argsort(-law.counts * law.sech2 * (law.vectors**2).sum(axis=1), kind="stable")
    # the powers of the factors may be off by so much, in nats
    log_limit = log_tolerance - 4.0 * UNIT * float(law.counts.sum())
    pending = [(corners, size)]
    found = []
    n_found = 0
    while pending:
        corners, size = pending.pop()
        if len(corners) > _TOGETHER:
            pending += [(corners[_TOGETHER:], size), (corners[:_TOGETHER], size)]
            continue
        alive = corners[_is_alive(law, order, corners, size, lengths, log_limit)]
        if not len(alive):
            continue
        if size == 1:
            n_found += len(alive)
            if n_found > budget.max_frequencies:
                raise _too_many(n_found, budget)
            found.append(alive)
            continue
        size //= 2
        steps = size * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        children = (alive[:, None, :] + steps).reshape(-1, 2)
        inside = (children[:, 0] <= half) & (children[:, 1] < lengths[1])
        pending.append((children[inside], size))
    return np.concatenate(found)  # the frequency 0 always survives


def _is_alive(
    law: TiltedPlanarLaw,
    order: IntArray,
    corners: IntArray,
    size: int,
    lengths: tuple[int, int],
    log_limit: float,
) -> IntArray:
    """Where in the boxes |φ| may exceed e^log_limit somewhere: their positions.

    A squared factor is 1 - sech² sin² πx, x = f · (vector / lengths), and sin² πx ≥ 8 s (1 - 2s)
    for s ≤ x² ≤ 1/4 with x reduced to |x| ≤ 1/2. In a box x is no nearer to an integer than in
    its centre, less than the vector's reach in half a box.
    """
    alive = np.arange(len(corners))
    centres = corners + (size - 1) / 2.0
    total = np.zeros(len(corners))
    for start in range(0, order.size, _FACTORS):
        some = order[start : start + _FACTORS]
        slopes = law.vectors[some] / np.array(lengths)
        reach = np.abs(slopes).sum(axis=1) * ((size - 1) / 2.0)
        useful = reach < 0.5
        if not useful.any():
            continue
        some, slopes, reach = some[useful], slopes[useful], reach[useful]
        x = centres[alive] @ slopes.T
        x -= np.rint(x)
        s = np.maximum(np.abs(x) - reach - 8.0 * UNIT * float(sum(lengths)), 0.0) ** 2
        lost = 8.0 * (1.0 - _SLACK) * law.sech2[some] * s * (1.0 - 2.0 * s)
        total = total + 0.5 * (np.log1p(-lost) @ law.counts[some])
        kept = total > log_limit
        alive, total = alive[kept], total[kept]
        if not alive.size:
            break
    return alive


def _check_number(
    law: TiltedPlanarLaw, lengths: tuple[int, int], log_tolerance: float, budget: Budget
) -> None:
    """Raise BudgetError if by a sample of all frequencies too many survive."""
    n = (lengths[0] // 2 + 1) * lengths[1]
    if n <= budget.max_frequencies:
        return
    # a lattice that is as even as it can be: multiples of the golden ratio
    k = np.arange(_SAMPLE)
    first = k * (lengths[0] // 2) // _SAMPLE
    second = ((k * 0.6180339887498949) % 1.0 * lengths[1]).astype(np.int64)
    order = np.arange(law.counts.size)
    sample = np.stack((first, second), axis=1)
    share = _is_alive(law, order, sample, 1, lengths, log_tolerance).size / _SAMPLE
    if share > 0.02 and share * n > budget.max_frequencies:
        raise _too_many(share * n, budget)


def _too_many(n: float, budget: Budget) -> BudgetError:
    return BudgetError(
        f"the exact p-value needs {n:.3g} frequencies of a Fourier transform in two dimensions, "
        f"or more; `max_frequencies` allows {budget.max_frequencies:.3g}. Raise it (a million take "
        "some seconds), or sample: method='monte_carlo'."
    )
