"""Write columns of numbers as integers of a common unit.

Decimals have the unit of their last digit; other floats are read as fractions of small
denominators.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import NoLatticeError
from pairedperm.inputs.numbers import largest_entry
from pairedperm.wording import Name, Parts, Python, Words

FloatArray = NDArray[np.float64]
_EXACT = 2**53  # proof: floats are exact integers below it
# For each float type, by its bytes: the limit of a score in units of its last decimal, and the
# limit's digits. These are about two less than the type holds. So at most one other number in some
# hundred is taken for a decimal. Several distinct numbers hardly ever are.
_LIMITS = {2: (500.0, 2), 4: (1e5, 5), 8: (1e13, 13)}  # proof: by itemsize: units, digits
_MAX_DECIMALS = 22  # proof: powers of ten up to it are floats
# A float up to 1 is the nearest one to a fraction with such a denominator by accident once in 10^10
# times, and several floats hardly ever are.
_LARGEST = 1000  # proof: largest denominator
_UNIQUE = 2**52 / _LARGEST**2  # proof: below it no float is nearest to two of such fractions
_FINEST = 2**40  # proof: largest common denominator
_LARGEST_WHOLE = 2**62  # proof: differences of smaller integers fit into int64
_PRINTED = 5.1e-15  # proof: relative rounding to 15 significant digits
_MEANT = Parts(
    "Multiply both systems' scores by a common denominator, or round them to the digits that they "
    "mean",
    Python(" (np.round(scores, 4))"),
)


class Fineness(NamedTuple):
    """The fineness of a column's lattice; batches are `joined` to that of the whole column."""

    decimals: int
    largest: float  # largest |score| of floats
    limit: float  # how many units of the last decimal it may be
    whole: float  # largest |score| of integers

    def joined(self, other: Fineness) -> Fineness:
        """Return the fineness of both batches together."""
        return Fineness._make(map(max, self, other))

    @property
    def is_lattice(self) -> bool:
        """True if the scores are decimals as one column."""
        return self.decimals == 0 or self.largest * 10.0**self.decimals <= self.limit


def fineness(name: str, scores: NDArray[Any], start: int = 0) -> Fineness:
    """Find the fewest decimals k for which every score x is rint(x 10^k) / 10^k.

    Raises
    ------
    NoLatticeError
        If a float is no decimal.
    """
    largest = max(float(scores.max(initial=0)), -float(scores.min(initial=0)))
    if scores.dtype.kind != "f":
        return Fineness(0, 0.0, 0.0, largest)
    limit, n_digits = _LIMITS[scores.dtype.itemsize]
    rest = scores[scores != np.rint(scores)]
    decimals = 0
    while rest.size:
        decimals += 1
        if decimals > _MAX_DECIMALS or largest * 10.0**decimals > limit:
            at, value = largest_entry(name, scores, scores == rest[0], start)
            got = (
                f"{value}, no decimal of at most {n_digits} digits (with more, a {scores.dtype} "
                f"does not tell decimals from others) or {_MAX_DECIMALS} after the point; the "
                f"largest score is {largest:.6g}"
            )
            must, fact = "hold integers or decimals", Parts(at, f" is {got}")
            raise NoLatticeError(Name(name), must=must, at=at, got=got, remedy=_MEANT, fact=fact)
        scale = 10.0**decimals
        nearest = np.rint(rest.astype(np.float64) * scale) / scale
        rest = rest[nearest.astype(rest.dtype) != rest]
    return Fineness(decimals, largest, limit, 0.0)


def are_decimals(scores: NDArray[Any]) -> bool:
    """Tell whether the scores are decimals as one column."""
    try:
        return fineness("", scores).is_lattice
    except NoLatticeError:
        return False


def are_widened(scores: FloatArray) -> bool:
    """Tell whether each number is a float32, and not all are decimals: they once were float32."""
    with np.errstate(over="ignore", under="ignore"):
        is_narrow = (scores.astype(np.float32) == scores).all()
    return bool(is_narrow) and not are_decimals(scores)


def two_ulps(scores: NDArray[Any]) -> float:
    """Return two units of a score's last bit, relatively: what a step or two may leave it off by.

    1 / 3 is within half of such a unit; 0.1 + 0.2 is the float after 0.3. Numbers that were widened
    have the unit of float32.
    """
    if scores.dtype == object:
        return 2.0**-53
    if scores.dtype.kind != "f":
        return 0.0
    is_widened = scores.dtype == np.float64 and are_widened(scores)
    return 2.0 * float(np.finfo(np.float32 if is_widened else scores.dtype).eps)


def on_one_lattice(
    name1: str, scores1: NDArray[Any], name2: str, scores2: NDArray[Any], start: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return two columns as integers in units of 10^-decimals, and the fewest such decimals.

    Floats must be decimals: each the nearest float, of its own precision, to a number with few
    digits. A column of integers stays as it is.

    Raises
    ------
    NoLatticeError
        If a float or a fraction is no decimal, or the columns need too many digits.
    """
    if object in (scores1.dtype, scores2.dtype):
        whole1, whole2, decimals, unit = on_common_denominator(
            name1, scores1, name2, scores2, start
        )
        if unit > 1:
            raise NoLatticeError(
                *(Name(name1), " and ", Name(name2)),
                f" hold fractions, of the common denominator {unit}",
                remedy=f"they must hold integers or decimals. Multiply both by {unit}",
            )
        return whole1, whole2, decimals
    if "f" not in scores1.dtype.kind + scores2.dtype.kind:
        return scores1, scores2, 0
    own1, own2 = fineness(name1, scores1, start), fineness(name2, scores2, start)
    decimals = max(own1.decimals, own2.decimals)
    whole1 = _in_units(name1, scores1, own1, decimals, start)
    whole2 = _in_units(name2, scores2, own2, decimals, start)
    return whole1, whole2, decimals


def _in_units(
    name: str, scores: NDArray[Any], own: Fineness, decimals: int, start: int
) -> NDArray[np.int64]:
    """Return the scores times 10^decimals as integers; `own` is their own fineness.

    Raises
    ------
    NoLatticeError
        If a float is too large to be an exact integer; if an integer leaves int64.
    """
    whole = scores
    if scores.dtype.kind == "f":  # a float rounds to the integer meant for sure only in own units
        scale = 10.0**own.decimals
        if own.largest * scale >= _EXACT:  # happens only without decimals
            at, value = largest_entry(name, scores, np.abs(scores), start)
            what = f" is {value}, and floats are exact integers only below 2^53"
            raise NoLatticeError(at, what, remedy="Give integers, or subtract a constant")
        whole = np.rint(scores.astype(np.float64) * scale).astype(np.int64)
    return scaled(name, whole, 10 ** (decimals - own.decimals))


def scaled(name: str, scores: NDArray[np.int64], factor: int) -> NDArray[np.int64]:
    """Multiply the scores by a positive factor.

    Raises
    ------
    NoLatticeError
        If a product leaves int64.
    """
    if factor == 1 or not scores.any():
        return scores
    largest = max(int(scores.max()), -int(scores.min()))
    if largest * factor >= 2**63:
        raise NoLatticeError(
            Name(name),
            f" holds {largest:.3g}, which exceeds int64 in units of {1 / factor:g}, those of the "
            "other scores",
            remedy="Round the other scores to fewer digits",
        )
    return scores * factor


def on_common_denominator(
    name1: str, scores1: NDArray[Any], name2: str, scores2: NDArray[Any], start: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], int, int]:
    """Return two columns as integers in units of 1 / (unit 10^decimals), decimals and unit.

    Columns may hold Decimals and Fractions; floats are read as decimals. The unit is 1 if all are
    decimals.

    Raises
    ------
    NoLatticeError
        If a float is no decimal; if there is no common denominator up to 2^40; if differences may
        exceed int64.
    """
    own1, unit1 = _in_own_unit(name1, scores1, start)
    own2, unit2 = _in_own_unit(name2, scores2, start)
    both = Parts(Name(name1), " and ", Name(name2))
    unit = common_unit(both, (unit1, unit2))
    decimals = next((k for k in range(_MAX_DECIMALS + 1) if 10**k % unit == 0), 0)
    whole = unit if 10**decimals % unit else 10**decimals
    one, two = scaled(name1, own1, whole // unit1), scaled(name2, own2, whole // unit2)
    if max(np.abs(one).max(initial=0), np.abs(two).max(initial=0)) >= _LARGEST_WHOLE:
        raise _too_large(both, whole)
    return one, two, decimals, whole // 10**decimals


def common_unit(what: Words, units: Iterable[int]) -> int:
    """Return the least common denominator of `units`; `what` names their owners in messages.

    Raises
    ------
    NoLatticeError
        If it is above 2^40 and does not divide 10^22.
    """
    unit = 1
    for own in units:
        unit = math.lcm(unit, own)
        if unit > _FINEST and 10**_MAX_DECIMALS % unit:
            remedy = "Round the scores to the digits that they mean"
            raise NoLatticeError(what, " have no common denominator up to 2^40", remedy=remedy)
    return unit


def _in_own_unit(name: str, scores: NDArray[Any], start: int) -> tuple[NDArray[np.int64], int]:
    """Return a column as integers in units of 1 / denominator, and the denominator."""
    if scores.dtype != object:
        own = fineness(name, scores, start)
        return _in_units(name, scores, own, own.decimals, start), 10**own.decimals
    exact = scores.reshape(-1)
    is_float = np.array([type(x) is float for x in exact.tolist()])
    if is_float.any():
        floats = np.where(is_float, exact, 0.0).astype(np.float64).reshape(scores.shape)
        numbers, unit = _in_own_unit(name, floats, start)
        of_floats = [Fraction(x, unit) for x in numbers.reshape(-1)[is_float].tolist()]
        exact = exact.copy()
        exact[is_float] = of_floats
    ratios = [x.as_integer_ratio() for x in exact.tolist()]
    denominators = {denominator for _, denominator in ratios}
    what = Parts("the scores of ", Name(name))
    unit = common_unit(what, denominators)
    factors = {denominator: unit // denominator for denominator in denominators}
    whole = [numerator * factors[denominator] for numerator, denominator in ratios]
    if max(map(abs, whole), default=0) >= _LARGEST_WHOLE:
        raise _too_large(what, unit)
    return np.array(whole, dtype=np.int64).reshape(scores.shape), unit


def _too_large(what: Words, unit: int) -> NoLatticeError:
    remedy = "Round them to the digits that they mean"
    return NoLatticeError(what, f", in units of 1/{unit}, exceed int64", remedy=remedy)


def on_rational_lattice(
    columns: Sequence[FloatArray],
) -> tuple[list[NDArray[np.int64]], int] | None:
    """Return the columns in units of 1 / denominator, and the denominator; None if there is none.

    Each float must be the nearest one to a fraction with a denominator up to 1000. Cost: O(n) for
    each prime power of the common denominator.
    """
    rest = np.concatenate(columns)
    largest, unit = float(np.abs(rest).max(initial=0.0)), 1
    if largest >= _UNIQUE:
        return None
    while rest.size:
        fraction = _fraction(float(rest[0]))
        if fraction is None:
            return None
        unit = math.lcm(unit, fraction.denominator)
        fits = np.rint(rest * unit) / unit == rest
        if unit > _FINEST or largest * unit >= _EXACT or not fits[0]:
            return None
        rest = rest[~fits]
    found = [np.rint(column * unit).astype(np.int64) for column in columns]
    for column, numbers in zip(columns, found, strict=True):  # products may have been rounded
        is_same = (numbers / unit == column) & (unit // np.gcd(numbers, unit) <= _LARGEST)
        if not is_same.all():
            return None
    return found, unit


def _fraction(value: float, tolerance: float = 0.0) -> Fraction | None:
    """Return the fraction of least denominator, up to 1000, within `tolerance` of the value."""
    denominators = np.arange(1.0, _LARGEST + 1.0)
    numerators = np.rint(value * denominators)
    is_near = np.abs(numerators / denominators - value) <= tolerance
    least = int(is_near.argmax())
    return Fraction(int(numerators[least]), least + 1) if is_near.any() else None


def as_printed(values: FloatArray) -> FloatArray:
    """Restore fractions among numbers that were printed to 15 significant digits.

    2.83333333333333 becomes the float nearest to 17/6. A number that is near no fraction with a
    denominator up to 1000 stays.
    """
    distinct, place = np.unique(values, return_inverse=True)
    restored = [float(_fraction(x, _PRINTED * abs(x)) or x) for x in distinct.tolist()]
    return np.array(restored)[place].reshape(values.shape)
