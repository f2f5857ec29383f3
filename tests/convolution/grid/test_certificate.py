"""The certificate of masses by a Fourier transform on a grid: rounding, windows, pruning."""

import functools
import math
from fractions import Fraction

import numpy as np
import pytest

from convolution.coarse import machine
from corpora.planar_laws import pmf, tail_cases
from pairedperm.options import Budget
from properties import one_in

PASSES = ("characteristic", "PASS = 16.0", "PASS = 0.0")  # the transform itself is no worse there


@functools.cache
def small_laws():
    """40 laws with their sums, how many assignments give each, and their masses."""
    laws, found = [law for law, _, _ in tail_cases() if int(law.counts.sum()) >= 8], []
    for law in laws[:40]:
        points, ways = zip(*pmf(law).items(), strict=True)
        total = 2 ** int(law.counts.sum())
        found.append((law, np.array(points), ways, np.array([n / total for n in ways])))
    return found


def excess(copy, law, points, ways, truths):
    """By how much masses, and all of them together, are off beyond what is said."""
    grid_law = copy.grid_frequencies.GridLaw(law.vectors, law.counts)
    box, leak = grid_law.window()
    found = copy.grid_frequencies.transformed(grid_law, box, leak, Budget())
    places = points - np.array(found.origin)
    is_within = ((places >= 0) & (places < found.masses.shape)).all(axis=1)
    outside = sum(n for n, within in zip(ways, is_within, strict=True) if not within)
    assert Fraction(outside, 2 ** int(law.counts.sum())) <= found.lost
    truth = np.zeros(found.masses.shape)
    truth[tuple(places[is_within].T)] = truths[is_within]
    errors = np.abs(found.masses - truth)
    return errors.max() / found.point_error, math.fsum(errors.ravel()) / found.error


@one_in(2)
@pytest.mark.parametrize(
    "seed", [None, 0, *(pytest.param(k, marks=pytest.mark.thorough) for k in (1, 2, 3))]
)
def test_no_mass_is_off_by_more_than_is_said(seed):
    copy = machine(seed, edits=[PASSES])
    for law in small_laws():
        of_one, of_all = excess(copy, *law)
        assert of_one <= 1.0
        assert of_all <= 1.0


@pytest.mark.parametrize("tolerance", ["2.0**-5", "2.0**-10", "2.0**-20"])
def test_what_is_dropped_is_counted(tolerance):
    """With windows that leave out what matters, and frequencies too."""
    copy = machine(
        edits=[
            ("law", "LEAK = 2.0**-62", f"LEAK = {tolerance}"),
            ("grid_frequencies", "DROPPED_PHI = 2.0**-64", f"DROPPED_PHI = {tolerance}"),
        ]
    )
    dropped = 0
    for law in small_laws():
        of_one, of_all = excess(copy, *law)
        assert of_one <= 1.0
        assert of_all <= 1.0
        dropped += of_all > 1e-6
    assert dropped


@pytest.mark.parametrize(
    ("edit", "seeds"),
    [
        pytest.param(
            ("grid_frequencies", "phi_error + passes, 0.0", "passes, 0.0"),
            range(4),
            marks=pytest.mark.thorough,
        ),
        (("grid_frequencies", "n_points + DROPPED_PHI", "n_points"), [None]),
        (("grid_frequencies", "point_error + leak", "point_error"), [None]),
    ],
)
def test_every_term_is_needed(edit, seeds):
    """Without one of them some mass is off by more."""
    loose = [
        ("law", "LEAK = 2.0**-62", "LEAK = 2.0**-3"),
        ("grid_frequencies", "DROPPED_PHI = 2.0**-64", "DROPPED_PHI = 2.0**-8"),
    ]
    worst = 0.0
    for seed in seeds:
        edits = [PASSES, edit, *(loose if seed is None else [])]
        if "leak" in edit[1]:
            edits.remove(loose[1])
        if "DROPPED" in edit[1]:
            edits.remove(loose[0])
        copy = machine(seed, edits=edits)
        for law in small_laws():
            worst = max(worst, excess(copy, *law)[0])
    assert worst > 1.0
