"""Columns of numbers as integers: decimals in units of their last digit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import NoLatticeError
from pairedperm.inputs.numbers import place_of

_INT64 = np.iinfo(np.int64)
# So many units of the last decimal a score may have, by the bytes of its type: about two digits
# less than the type holds. Other numbers are then rarely taken for decimals, one in some hundred
# at worst, and all of several distinct ones hardly ever. With the digits that they all have.
_LIMITS = {2: (500.0, 2), 4: (1e5, 5)}
_LIMITS_OF_DOUBLES = (1e13, 13)
_MAX_DECIMALS = 22  # powers of ten up to it are floats


def on_one_lattice(
    name1: str, scores1: NDArray[Any], name2: str, scores2: NDArray[Any], start: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Two columns as integers in units of 10^-decimals, and the decimals, as few as will do.

    Floats must be decimals: the nearest float, of their own precision, to a number with few
    digits. A column that is not float is taken as it is.

    Raises
    ------
    NoLatticeError
        If a float is no decimal, or the columns need too many digits.
    """
    columns = (name1, scores1), (name2, scores2)
    own = [_decimals(name, scores, start) for name, scores in columns]
    decimals = max(own)
    # each in its own units first: only there is a float sure to round to what was meant
    integers1, integers2 = (
        scaled(name, _integral(name, scores, k, start), 10 ** (decimals - k))
        for (name, scores), k in zip(columns, own, strict=True)
    )
    return integers1, integers2, decimals


class Fineness(NamedTuple):
    """How fine a column's lattice is: of batches, that of the whole is their `joined` one."""

    decimals: int
    largest: float  # |score| of floats
    limit: float  # units of the last decimal that the largest may have
    whole: float  # |score| of integers

    def joined(self, other: Fineness) -> Fineness:
        """Of both together."""
        pairs = zip(self[1:], other[1:], strict=True)
        return Fineness(max(self.decimals, other.decimals), *(max(a, b) for a, b in pairs))

    @property
    def is_lattice(self) -> bool:
        """Whether they are decimals as one column."""
        return self.decimals == 0 or self.largest * 10.0**self.decimals <= self.limit


def fineness(name: str, scores: NDArray[Any]) -> Fineness:
    """Of a column as it is; NoLatticeError if a float is no decimal."""
    if scores.dtype.kind != "f":
        return Fineness(0, 0.0, 0.0, float(np.abs(scores.astype(np.float64)).max(initial=0.0)))
    limit, _ = _LIMITS.get(scores.dtype.itemsize, _LIMITS_OF_DOUBLES)
    decimals = _decimals(name, scores, 0)
    return Fineness(decimals, float(np.abs(scores).max(initial=0.0)), limit, 0.0)


def _decimals(name: str, scores: NDArray[Any], start: int) -> int:
    """The fewest decimals k for which every score x is rint(x 10^k) / 10^k."""
    if scores.dtype.kind != "f" or scores.size == 0:
        return 0
    limit, _ = _LIMITS.get(scores.dtype.itemsize, _LIMITS_OF_DOUBLES)
    largest = float(np.abs(scores).max())
    rest = scores.reshape(-1)
    rest = rest[rest != np.rint(rest)]
    decimals = 0
    while rest.size:
        decimals += 1
        if decimals > _MAX_DECIMALS or largest * 10.0**decimals > limit:
            raise _no_decimal(name, scores, rest[0], start)
        scale = 10.0**decimals
        nearest = np.rint(rest.astype(np.float64) * scale) / scale
        rest = rest[nearest.astype(rest.dtype) != rest]
    return decimals


def _no_decimal(name: str, scores: NDArray[Any], value: Any, start: int) -> NoLatticeError:
    index = int((scores.reshape(-1) == value).argmax())
    _, n_digits = _LIMITS.get(scores.dtype.itemsize, _LIMITS_OF_DOUBLES)
    fact = (
        f"`{name}`{place_of(scores.shape, start)(index)} is {value!s}, no decimal of at most "
        f"{n_digits} digits (with more, a {scores.dtype} does not tell decimals from others) "
        f"or {_MAX_DECIMALS} after the point; the largest score is "
        f"{float(np.abs(scores).max()):.6g}"
    )
    return NoLatticeError(
        f"`{name}` must hold integers or decimals: {fact}. Multiply both systems' scores by a "
        "common denominator, or round them to the digits that they mean (np.round(scores, 4)).",
        fact,
    )


def _integral(name: str, scores: NDArray[Any], decimals: int, start: int) -> NDArray[np.int64]:
    """The scores times 10^decimals, their own decimals: integers."""
    if scores.dtype.kind != "f":
        return scores
    if float(np.abs(scores).max(initial=0.0)) * 10.0**decimals >= 2.0**53:  # without decimals
        index = int(np.abs(scores).reshape(-1).argmax())
        fact = (
            f"`{name}`{place_of(scores.shape, start)(index)} is {scores.reshape(-1)[index]!s}, and "
            "floats are exact integers only below 2^53"
        )
        raise NoLatticeError(f"{fact}. Give integers, or subtract a constant.", fact)
    return np.rint(scores.astype(np.float64) * 10.0**decimals).astype(np.int64)


def scaled(name: str, scores: NDArray[np.int64], factor: int) -> NDArray[np.int64]:
    """The scores times a positive factor.

    Raises
    ------
    NoLatticeError
        If that leaves int64.
    """
    largest = max(int(scores.max()), -int(scores.min())) if scores.size else 0
    if factor == 1 or largest == 0:
        return scores
    if largest * factor > _INT64.max:
        fact = (
            f"`{name}` holds {largest:.3g}, which in units of {1 / factor:g}, those of the other "
            "scores, exceeds int64"
        )
        raise NoLatticeError(f"{fact}. Round the other scores to fewer digits.", fact)
    return scores * factor
