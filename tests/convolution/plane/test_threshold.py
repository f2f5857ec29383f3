"""Regions of the plane that bisection finds: bounds, corners, and what they bound."""

from fractions import Fraction

import numpy as np
import pytest

from corpora.planar_laws import pmf, region_of, tail_cases
from oracles import swaps as oracle
from pairedperm.convolution.plane.law import PlanarLaw
from properties import some


def between(first, last):
    return np.arange(first, last + 1)


def random_bounds(rng, law):
    (left, right), (bottom, top) = law.support
    bounds = rng.integers(left - 1, right + 1, top - bottom + 1)
    kind = rng.integers(0, 4, bounds.size)
    return np.where(kind == 0, left - 1, np.where(kind == 1, right, bounds))


@pytest.mark.parametrize("width", [*range(1, 20), 63, 64, 65, 2**20, 2**40])
def test_every_bound_of_a_row_is_found(width):
    """For any number of columns, all or the first and last of their bounds, one for each row."""
    chosen = np.unique(np.concatenate((np.arange(-1, min(width, 70)), [width // 2, width - 1])))
    law = PlanarLaw(np.array([[width - 1, 0], [0, 1]]), np.array([1, chosen.size - 1]))
    assert np.array_equal(region_of(law, chosen).bounds(np.arange(chosen.size)), chosen)


# Corners


def on_line(corners, rows):
    (i, j), (k, m) = corners
    slope = (k - i) / (m - j) if m > j else 0.0
    return i + slope * (np.asarray(rows) - j)


def test_corners_bound_every_point_and_its_mass():
    """Their line is beyond all rows' ends and touches one; the best tilt towards them bounds p."""
    rng = np.random.default_rng(6)
    for law, parabola, _ in some(tail_cases()[::6], every=4):
        (left, right), (bottom, top) = law.support
        ways, rows = pmf(law), between(bottom, top)
        for bounds in (parabola.bounds(rows).clip(left - 1, right), random_bounds(rng, law)):
            region = region_of(law, bounds)
            chosen = np.sort(rng.integers(bottom, top + 1, (3, 2)))
            for first, last in [*chosen.tolist(), [(bottom + top) // 2] * 2]:
                rows = np.arange(first, last + 1)
                rows = rows[bounds[rows - bottom] >= left]
                corners = region.corners(first, last)
                assert (corners is None) == (not rows.size)
                if corners is None:
                    continue
                assert (corners[0][1], corners[1][1]) == (rows[0], rows[-1])
                gaps = on_line(corners, rows) - bounds[rows - bottom]
                assert 0.0 < gaps.min() < 1e-5
                n_tail = sum(
                    n
                    for (i, j), n in ways.items()
                    if first <= j <= last and i <= bounds[j - bottom]
                )
                log_bound = law.log_bound(law.tilt_to(*corners), *corners)
                p = Fraction(n_tail, 2 ** int(law.counts.sum()))
                assert not n_tail or log_bound >= float(oracle.log(p))
