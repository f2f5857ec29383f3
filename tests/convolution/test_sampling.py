"""Samples of sums: of the right law, and the same in blocks of any size."""

import math
from unittest import mock

import numpy as np
import pytest

from pairedperm.convolution import sampling
from pairedperm.convolution.sampling import (
    resampled_counts,
    resampled_sums,
    sampled_sums,
    swapping_cost,
)

SWAPPED = {
    "bits": ([[1, 0], [2, 1], [0, -3]], [3, 1, 2]),
    "both": ([[1, 0], [2, 1], [0, 1]], [40, 1, 64]),
    "binomial": ([[1, 0], [2, 1]], [600, 1]),
    "as doubles": ([[2**40, 1], [1, -1], [3, 1]], [2, 50, 513]),
    "as int64": ([[2**60, 1], [1, -1]], [2, 5]),
    "beyond int64": ([[2**62, 1], [1, -1]], [2, 5]),
}


def swaps(kind, n, seed=0):
    vectors, counts = map(np.array, SWAPPED[kind])
    return np.concatenate([*sampled_sums(vectors, counts, n, np.random.default_rng(seed))])


@pytest.mark.parametrize("kind", SWAPPED)
def test_swaps_have_the_right_moments(kind):
    """Means and covariances, which tell the laws apart; the seeds are fixed."""
    vectors, counts = (np.array(x, dtype=object) for x in SWAPPED[kind])
    sums = swaps(kind, 20_000)
    assert sums.shape == (20_000, 2)
    centred = sums - (counts @ vectors) / 2  # Python numbers where sums leave int64
    scale = [max(float(np.sqrt(float(c))), 1.0) for c in (counts @ (vectors * vectors)) / 4]
    standard = (centred / np.array(scale, dtype=object)).astype(float)
    expected = ((vectors * counts[:, None]).T @ vectors / 4 / np.outer(scale, scale)).astype(float)
    assert np.abs(standard.mean(axis=0)).max() < 0.03
    assert np.cov(standard.T) == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize("wide", [1, 100], ids=["sparse", "dense"])
def test_sparse_vectors(wide):
    vectors, counts = np.eye(50, dtype=np.int64) * np.arange(1, 51), np.full(50, 3)
    with mock.patch.object(sampling, "WIDE", wide):
        (sums,) = sampled_sums(vectors, counts, 500, np.random.default_rng(1))
    assert ((sums % np.arange(1, 51)) == 0).all()
    assert (sums / np.arange(1, 51)).mean() == pytest.approx(1.5, abs=0.03)


@pytest.mark.parametrize("width", [2, 100])
def test_no_vectors(width):
    empty = np.zeros((0, width), dtype=np.int64), np.zeros(0, dtype=np.int64)
    (sums,) = sampled_sums(*empty, 3, np.random.default_rng(0))
    assert sums.tolist() == [[0] * width] * 3
    assert 0.0 < swapping_cost(*empty).nanoseconds < math.inf


@pytest.mark.parametrize("counts", [[3, 1, 2], [300, 100, 200]], ids=["examples", "multinomial"])
def test_resamples(counts):
    """The row numbers drawn: as many as there are examples, each as likely as it is frequent."""
    counts = np.array(counts)
    n = counts.sum()
    (drawn,) = resampled_sums(np.eye(3), counts, 20_000, np.random.default_rng(2))
    assert (drawn.sum(axis=1) == n).all()
    chance = counts / n
    expected = n * (np.diag(chance) - np.outer(chance, chance))
    assert drawn.mean(axis=0) == pytest.approx(counts, rel=0.02)
    assert np.cov(drawn.T) == pytest.approx(expected, abs=0.03 * n)
    table = np.array([[1.0, 5.0], [2.0, -1.0], [0.5, 7.0]])
    (sums,) = resampled_sums(table, counts, 100, np.random.default_rng(3))
    blocks = [*resampled_counts(counts, 100, np.random.default_rng(3), 40)]
    assert [len(block) for block in blocks] == [40, 40, 20]
    assert (np.concatenate(blocks) @ table == sums).all()
