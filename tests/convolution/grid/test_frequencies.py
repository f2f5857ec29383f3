"""The search for frequencies in several dimensions: none is lost, and it costs what it says."""

import math
from dataclasses import replace

import numpy as np
import pytest

from corpora.planar_laws import tail_cases
from pairedperm.convolution.engine import Meter
from pairedperm.convolution.grid import frequencies
from pairedperm.convolution.grid.frequencies import search_cost, surviving_grid_frequencies
from pairedperm.convolution.plane.law import NO_TILT, PlanarLaw, Tilt
from pairedperm.options import Budget
from properties import one_in, some

LENGTHS = 61, 96


def found(law, lengths=LENGTHS, share=1e-3, budget=Budget()):  # noqa: B008, it is frozen
    return surviving_grid_frequencies(law, lengths, math.log(share), Meter(budget))


@one_in(2)
@pytest.mark.parametrize(
    "settings", [{"BOXES": 1, "FEW_FREQUENCIES": 0, "BLOCK_BOXES": 8}, {"BOXES": 1}, {}]
)
def test_no_frequency_is_lost(monkeypatch, settings):
    """Whatever the boxes are that the search begins with, and with a sample of them."""
    for name, value in settings.items():
        monkeypatch.setattr(frequencies, name, value)
    f, g = np.meshgrid(np.arange(31), np.arange(96), indexing="ij")
    for small, _, _ in some(tail_cases()[:12], every=6):
        law = PlanarLaw(small.vectors, 20 * small.counts)
        mean = (law.counts[:, None] * law.vectors).sum(axis=0) / 2.0
        below = float(mean[0] - 20.0), float(mean[1])
        for tilt in (NO_TILT, law.tilt_to(below, below)):
            tilted = law.tilted(tilt)
            i, j = tilted.vectors.T / np.array(LENGTHS)[:, None]
            angles = 2.0 * math.pi * (f[..., None] * i + g[..., None] * j)
            factors = np.abs(1.0 - tilted.chance + tilted.chance * np.exp(1j * angles))
            modulus = (factors**tilted.counts).prod(axis=-1)
            numbers = found(tilted)
            assert len(np.unique(numbers, axis=0)) == len(numbers)
            is_found = np.zeros(modulus.shape, dtype=bool)
            is_found[tuple(numbers.T)] = True
            assert is_found[modulus > 1e-3].all()
            assert is_found.sum() <= 3 * (modulus > 1e-4).sum()


def test_vectors_count_modulo_the_lengths():
    """However long they are: a tilt can let them compensate, and the period be short."""
    law = tail_cases()[7][0].tilted(NO_TILT)
    turns = np.array([[2**47 - 9 * k, (-1) ** k * 2**45] for k in range(len(law.vectors))])
    long = replace(law, vectors=law.vectors + turns * LENGTHS)
    one, other = (found(x, share=0.3).tolist() for x in (law, long))
    assert one == other
    assert 0 < len(one) < 31 * 96 / 2


def test_where_hardly_any_variance_is_left():
    law = PlanarLaw(np.eye(2, dtype=int), np.ones(2, dtype=int)).tilted(Tilt(9, 9, -7))
    assert search_cost(law, LENGTHS, math.log(1e-18)).n_surviving >= 31 * 96
