"""The sums over the points of a region of the plane: a geometric series in each row.

They are the H(f, g) of `band`. Rows are taken in blocks: with the first row j' of a block,

    e^{-iηj} = e^{-iηj'} e^{-iη(j - j')},

and the last factor is the same in every block. Its cosines and sines serve g and -g. So H is a
product of real matrices, rows × f and rows × |g|, whose blocks are turned and added.

Rounding, in u (`band` counts the rest). A term has three roots of unity, 20 each (`ROOTS`): for the
bound, the block and the row in it. A matrix product adds `_ROWS` real numbers, in whatever order.
Four of these make a complex number, which is off by at most 2 `_ROWS` of what all the terms have in
modulus. Then blocks are added.
"""

from __future__ import annotations

import math

import numpy as np

from pairedperm.convolution.characteristic import nearest, residues
from pairedperm.convolution.law import ComplexArray, FloatArray, IntArray
from pairedperm.convolution.plane.law import Tilt

_ROWS = 2**7  # tuned: rows in a block
_TOGETHER = 2**15  # tuned: rows times f that are summed together
_ONE_THREAD = 2**18  # tuned: numbers multiplied, up to which OpenBLAS starts no threads
_LEAST_ROWS = 8  # tuned: rows of a part, below which parts cost more than they save
ROOTS = 3 * 20.0  # proof: u of three roots of unity


class Series:
    """The rows of a region from the first on, each from the `lowest` i up to its bound.

    A row without points has the bound `lowest` - 1. Bounds, rows and `lowest` are those of
    B - shift.
    """

    def __init__(self, tilt: Tilt, first: int, bounds: IntArray, lowest: int) -> None:
        self._first, self._bounds, self._lowest = first, bounds, lowest
        self.n_rows = bounds.size
        n_terms = bounds - lowest + 1
        products = bounds * tilt.i + np.arange(first, first + bounds.size) * tilt.j
        self.greatest = int(products[n_terms > 0].max())  # 2^exponent m
        self.mu = math.ldexp(tilt.i, -tilt.exponent)
        exponents = tilt.as_float(np.minimum(products - self.greatest, 0))
        self._weights = np.where(n_terms > 0, np.exp(exponents), 0.0)
        self.total = float(self._weights.sum())
        self._last = self._weights * np.exp(-self.mu * n_terms)
        lengths = np.expm1(-self.mu * n_terms) / math.expm1(-self.mu) if self.mu else n_terms
        self._at_zero = self._weights * lengths
        self.at_zero = float(self._at_zero.sum())

    @property
    def additions(self) -> int:
        """The most additions that a term goes through, in u."""
        return 2 * _ROWS + self.n_rows // _ROWS + 2

    def transformed(
        self, f: IntArray, g: IntArray, centre: tuple[int, int], lengths: tuple[int, int]
    ) -> ComplexArray:
        """Return (1 - z) H(f, g) for all f and g, H itself at f = 0, with the centre as origin."""
        root_f, root_g = _roots(lengths[0]), _roots(lengths[1])
        after_last = root_f[f * (self._lowest - 1 - centre[0]) % lengths[0]]
        signed = nearest(g, lengths[1])
        sizes, place = np.unique(np.abs(signed), return_inverse=True)
        in_block = root_g[np.arange(_ROWS)[:, None] * sizes % lengths[1]]
        waves = np.concatenate((in_block.real, in_block.imag), axis=1)
        forwards = np.zeros((f.size, sizes.size), dtype=np.complex128)
        backwards = np.zeros_like(forwards)  # H(f, -g)
        n_together = max(_TOGETHER // (_ROWS * f.size), 1) * _ROWS
        for start in range(0, self.n_rows, n_together):
            some = slice(start, start + n_together)
            i = self._bounds[some] - centre[0]
            n_blocks = -(-i.size // _ROWS)
            by_f = np.zeros((f.size, n_blocks * _ROWS), dtype=np.complex128)
            terms = by_f[:, : i.size]  # the last block may have fewer rows
            np.multiply(root_f[f[:, None] * i % lengths[0]], self._weights[some], out=terms)
            terms -= after_last[:, None] * self._last[some]
            terms[f == 0] = self._at_zero[some]
            (rc, rs), (ic, is_) = _by_parts(by_f, waves, n_blocks)
            j = self._first - centre[1] + start + _ROWS * np.arange(n_blocks)
            turns = root_g[j[:, None] * sizes % lengths[1]]
            forwards += ((rc - is_ + 1j * (ic + rs)) * turns).sum(axis=1)
            backwards += ((rc + is_ + 1j * (ic - rs)) * turns.conj()).sum(axis=1)
        return np.where(signed < 0, backwards[:, place], forwards[:, place])


def _by_parts(by_f: ComplexArray, waves: FloatArray, n_blocks: int) -> FloatArray:
    """Return the products of real and imaginary parts with the waves' two halves.

    The shape is (2, 2, f, blocks, |g|).
    """
    parts = np.concatenate((by_f.real, by_f.imag)).reshape(-1, _ROWS)
    products = product(parts, waves).reshape(2, len(by_f), n_blocks, 2, -1)
    return np.moveaxis(products, 3, 1)


def product(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the product of matrices; small parts of it are left to one BLAS thread each.

    If something else runs on the cores, BLAS's threads wait for each other far longer than the
    product takes.
    """
    n_rows = _ONE_THREAD // other.size
    if n_rows < min(_LEAST_ROWS, len(one)):
        return np.asarray(one @ other)
    return np.concatenate([one[k : k + n_rows] @ other for k in range(0, len(one), n_rows)])


def _roots(length: int) -> ComplexArray:
    """Return e^{-2πi r / length} for r = 0 … length - 1."""
    angle = (2.0 * math.pi / length) * residues(np.arange(length), 1, length)
    return np.asarray(np.cos(angle) - 1j * np.sin(angle))
