"""Sums of terms integer / √integer, compared exactly."""

from __future__ import annotations

import math
from fractions import Fraction


class RootSum:
    """The sum Σ coefficients / √radicands: a correlation has one term, a difference two.

    Parameters
    ----------
    terms : mapping of int to Fraction or int
        Positive radicands and their coefficients.
    """

    def __init__(self, terms: dict[int, Fraction]) -> None:
        self._terms = {radicand: x for radicand, x in terms.items() if x}

    @classmethod
    def ratio(cls, numerator: int, radicand: int) -> RootSum:
        """Return numerator / √radicand, or 0 if the radicand is 0."""
        return cls({radicand: Fraction(numerator)} if radicand else {})

    def __sub__(self, other: RootSum) -> RootSum:
        terms = dict(self._terms)
        for radicand, x in other._terms.items():
            terms[radicand] = terms.get(radicand, Fraction(0)) - x
        return RootSum(terms)

    def __abs__(self) -> RootSum:
        return self if self.sign() >= 0 else RootSum({}) - self

    def __ge__(self, other: RootSum) -> bool:
        return (self - other).sign() >= 0

    def __le__(self, other: RootSum) -> bool:
        return (self - other).sign() <= 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int) and other == 0:
            return self.sign() == 0
        return isinstance(other, RootSum) and (self - other).sign() == 0

    __hash__ = None  # type: ignore[assignment]

    def sign(self) -> int:
        """Return the sign: -1, 0 or 1.

        Since x / √r = (x / r) √r, the sum in units of the common denominator is S = Σ ± √N of
        integers N. S is an algebraic integer, and its conjugates are among Σ ± √N with other signs.
        The product of all conjugates is an integer, and each is at most U = Σ √N in size. So S is
        0, or at least U^-(2^k - 1) in size for k terms. Integer square roots of N 4^b are within
        one of 2^b √N; b grows until they decide.
        """
        terms = [(x / radicand, radicand) for radicand, x in self._terms.items()]
        common = math.lcm(*(x.denominator for x, _ in terms)) if terms else 1
        squares = [(x > 0, int(x * common) ** 2 * radicand) for x, radicand in terms]
        k = len(squares)
        bits_of_u = max((n.bit_length() // 2 + 1 for _, n in squares), default=0) + k
        enough = bits_of_u * (2**k - 1) + k + 2
        bits = 64
        while True:
            roots = [(1 if up else -1) * math.isqrt(n << 2 * bits) for up, n in squares]
            if abs(sum(roots)) > k:
                return 1 if sum(roots) > 0 else -1
            if bits >= enough:
                return 0
            bits *= 2
