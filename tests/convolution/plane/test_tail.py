"""The lattice that vectors of the plane span."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from pairedperm.convolution.plane.tail import spanned
from properties import cases, generators


@cases(3)
@given(rng=generators, size=st.integers(3, 60))
def test_lattice(rng, size):
    """Coordinates beyond int64, too: shear times row may be of the size of the vectors' cubes."""
    largest = 2**size if size > 19 else 9
    vectors = rng.integers(-largest, largest, (2 if size > 19 else int(rng.integers(1, 6)), 2))
    if rng.random() < 0.3 and size < 20:
        vectors = np.outer(rng.integers(-5, 6, len(vectors)), rng.integers(-4, 5, 2))
    vectors = vectors[vectors.any(axis=1)]
    assume(len(vectors))
    lattice, exact = spanned(vectors, np.ones(len(vectors), dtype=np.int64)), vectors.astype(object)
    minors = np.outer(exact[:, 0], exact[:, 1])
    determinant = np.gcd.reduce((minors - minors.T).ravel())
    if lattice.rank == 1:
        sizes = lattice.multiples(vectors)
        assert np.array_equal(np.outer(sizes, lattice.direction), vectors)
        assert np.gcd.reduce(sizes) == 1
        assert determinant == 0
        return
    assume(determinant < 2**62)
    i, j = lattice.coordinates(vectors).astype(object).T
    found = np.stack((i * lattice.step + j * lattice.shear, j * lattice.rise), axis=1)
    assert np.array_equal(found, exact)
    assert determinant == lattice.step * lattice.rise
