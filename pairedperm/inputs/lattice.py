"""Write columns of numbers as integers of one unit.

Decimals have the unit of their last digit, shares their common denominator. Numbers that a step or
two of arithmetic left beside a decimal or a share are read as it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import NoLatticeError
from pairedperm.inputs.columns import IntArray
from pairedperm.inputs.numbers import largest_score

FloatArray = NDArray[np.float64]

# For each float type, by its bytes: the limit of a score in units of its last decimal, and the
# limit's digits. These are about two less than the type holds. So at most one other number in some
# hundred is taken for a decimal. Several distinct numbers hardly ever are.
LIMITS = {2: (500.0, 2), 4: (1e5, 5), 8: (1e13, 13)}  # proof: by itemsize: units, digits
MAX_DECIMALS = 22  # proof: powers of ten up to it are floats
# A float up to 1 is as near to a fraction with such a denominator by accident once in 10^9 times,
# and several floats hardly ever are.
LARGEST_DENOMINATOR = 1000  # proof: largest denominator


_EXACT_BELOW = 2**53  # proof: floats are exact integers below it
_ULPS = 2  # proof: 0.1 + 0.2 is one unit of the last bit above 0.3, and 1 - 0.9 is two above 0.1
_FINEST = 2**40  # proof: largest common denominator
_LARGEST_WHOLE = 2**62  # proof: differences of smaller integers fit into int64
_FIRST_FLOATS = 2**10  # tuned: floats that are looked at first
_SURE = 10  # tuned: digits of decimals that no share has by accident
_MEANT = (
    "Multiply both systems' scores by a common denominator, or round them to the digits "
    "that they mean (np.round(scores, 4))"
)


def n_decimals(unit: int) -> int | None:
    """Return the fewest digits k for which numbers in units of 1 / unit are decimals, or None."""
    return next((k for k in range(MAX_DECIMALS + 1) if 10**k % unit == 0), None)


def largest_size(scores: NDArray[Any]) -> float:
    """Return the largest |score|; 0 of none."""
    return max(float(scores.max(initial=0)), -float(scores.min(initial=0)))


def are_apart(largest: float, dtype: Any) -> bool:
    """Tell whether no float up to `largest` may be as near to two fractions."""
    return bool(8.0 * float(np.finfo(dtype).eps) * largest * LARGEST_DENOMINATOR**2 < 1.0)


def float_limit(scores: NDArray[Any]) -> float:
    """Return how many units of its last decimal a score may be; see `Provenance`."""
    if scores.dtype.kind == "f":
        return LIMITS[scores.dtype.itemsize][0]
    return math.inf if scores.dtype == object else 0.0


def common_unit(what: str, units: Iterable[int]) -> int:
    """Return the least power of ten that all `units` divide, or else their least common multiple.

    `what` names their owners in messages.

    Raises
    ------
    NoLatticeError
        If the multiple is above 2^40 and does not divide 10^22.
    """
    unit = 1
    for own in units:
        unit = math.lcm(unit, own)
        if unit > _FINEST and 10**MAX_DECIMALS % unit:
            remedy = "Round the scores to the digits that they mean"
            raise NoLatticeError(f"{what} have no common denominator up to 2^40", remedy=remedy)
    digits = n_decimals(unit)
    return unit if digits is None else 10**digits


def in_least_unit(
    numbers1: IntArray, numbers2: IntArray, unit: int
) -> tuple[IntArray, IntArray, int]:
    """Return the same numbers in the least unit; a power of ten loses its last zeros."""
    common = math.gcd(*(int(np.gcd.reduce(x, axis=None)) for x in (numbers1, numbers2)))
    if not common:
        return numbers1, numbers2, 1
    factor = math.gcd(common, unit)
    if unit == 10 ** (n_decimals(unit) or 0):
        factor = next(10**k for k in range(MAX_DECIMALS, -1, -1) if factor % 10**k == 0)
    if factor == 1:
        return numbers1, numbers2, unit
    return numbers1 // factor, numbers2 // factor, unit // factor


def on_lattice(
    name1: str, scores1: NDArray[Any], name2: str, scores2: NDArray[Any], start: int = 0
) -> tuple[IntArray, IntArray, int]:
    """Return two columns as integers in units of 1 / unit, and the unit.

    Columns hold integers, Decimals and Fractions, or floats. Floats must be decimals of few digits,
    or shares of one denominator up to 1000: each within two units of its last bit. A narrow float
    must be the decimal that it prints. The unit is a power of ten if possible, and as small as
    possible.

    Raises
    ------
    NoLatticeError
        If a column has no such unit, or both have no common one up to 2^40; if integers in the
        common unit leave int64.

    Notes
    -----
    Cost: O(n) for each digit.
    """
    if "i" == scores1.dtype.kind == scores2.dtype.kind:
        return scores1, scores2, 1
    own1, unit1 = _in_own_unit(name1, scores1, start)
    own2, unit2 = _in_own_unit(name2, scores2, start)
    both = f"`{name1}` and `{name2}`"
    unit = common_unit(both, (unit1, unit2))
    one, two = scaled(name1, own1, unit // unit1), scaled(name2, own2, unit // unit2)
    if object in (scores1.dtype, scores2.dtype):
        _check_small(both, max(np.abs(one).max(initial=0), np.abs(two).max(initial=0)), unit)
    return (one, two, unit) if n_decimals(unit) is not None else in_least_unit(one, two, unit)


def _in_own_unit(name: str, scores: NDArray[Any], start: int) -> tuple[IntArray, int]:
    """Return a column as integers in units of 1 / unit, and the unit."""
    if scores.dtype.kind == "i":
        return scores, 1
    if scores.dtype != object:
        unit = _unit_of_floats(name, scores, start)
        if largest_size(scores) * unit >= _EXACT_BELOW:  # happens only without decimals
            at, value = largest_score(name, scores, np.abs(scores), start)
            what = f" is {value}, and floats are exact integers only below 2^53"
            raise NoLatticeError(f"{at}{what}", remedy="Give integers, or subtract a constant")
        return in_units(scores, unit), unit
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
    of = f"the scores of `{name}`"
    unit = common_unit(of, denominators)
    factors = {denominator: unit // denominator for denominator in denominators}
    whole = [numerator * factors[denominator] for numerator, denominator in ratios]
    _check_small(of, max(map(abs, whole), default=0), unit)
    return np.array(whole, dtype=np.int64).reshape(scores.shape), unit


def _check_small(what: str, largest: int, unit: int) -> None:
    if largest >= _LARGEST_WHOLE:
        remedy = "Round them to the digits that they mean"
        raise NoLatticeError(f"{what}, in units of 1/{unit}, exceed int64", remedy=remedy)


def in_units(scores: NDArray[Any], unit: int) -> IntArray:
    """Return floats that are multiples of 1 / unit, but for rounding, as integers."""
    return np.rint(scores.astype(np.float64) * float(unit)).astype(np.int64)


def scaled(name: str, scores: IntArray, factor: int) -> IntArray:
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
            f"`{name}` holds {largest:.3g}, which exceeds int64 in units of {1 / factor:g}, those "
            "of the other scores",
            remedy="Round the other scores to fewer digits",
        )
    return scores * factor


def _unit_of_floats(name: str, scores: NDArray[Any], start: int) -> int:
    """Return the unit of a column of floats: 10^k for decimals, or the denominator of shares.

    Raises
    ------
    NoLatticeError
        If there is none.
    """
    largest, (limit, n_printed) = largest_size(scores), LIMITS[scores.dtype.itemsize]
    most = sum(largest * 10.0**k <= limit for k in range(1, MAX_DECIMALS + 1))
    n_digits, other = _n_digits(_no_integers(scores.reshape(-1)[:_FIRST_FLOATS]), most)
    if scores.size > _FIRST_FLOATS and not other.size:
        n_digits, other = _n_digits(_no_integers(scores), most)
    if not other.size and n_digits <= _SURE:
        return int(10**n_digits)
    unit = _denominator(_no_integers(scores), LARGEST_DENOMINATOR)
    if unit is None and not other.size:
        return int(10**n_digits)
    if unit is not None:
        return unit
    at, value = largest_score(name, scores, scores == other[0], start)
    got = (
        f"{value}, no decimal of at most {n_printed} digits (with more, a {scores.dtype} "
        f"does not tell decimals from others) or {MAX_DECIMALS} after the point; the "
        f"largest score is {largest:.6g}"
    )
    must, fact = "hold integers or decimals", f"{at} is {got}"
    raise NoLatticeError(name, must=must, at=at, got=got, remedy=_MEANT, fact=fact)


def _no_integers(scores: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(scores[scores != np.rint(scores)])


def _ulps(scores: NDArray[Any]) -> FloatArray:
    """Return how far a float may be from the number that is meant; a narrow one is the nearest."""
    sizes = np.abs(scores)  # the least floats of all have fewer digits than others
    ulps = np.minimum(np.spacing(sizes), np.finfo(scores.dtype).eps * sizes)
    n_ulps = _ULPS if scores.dtype == np.float64 else 0.5
    return np.asarray(n_ulps * ulps.astype(np.float64), dtype=np.float64)


def _n_digits(rest: NDArray[Any], most: int) -> tuple[int, NDArray[Any]]:
    """Return the fewest digits of decimals, and the floats that are none of at most `most`.

    A float must be the nearest one to a decimal, or of float64 be near it: of narrow floats, too
    many are.
    """
    fewest = 0
    for n_digits in range(1, most + 1):
        scale = 10.0**n_digits
        nearest = (np.rint(rest.astype(np.float64) * scale) / scale).astype(rest.dtype)
        others = rest[nearest != rest]
        fewest = fewest if others.size == rest.size else n_digits
        rest = others
        if not rest.size:
            break
    if not rest.size or rest.dtype != np.float64:
        return fewest, rest
    off = _ulps(rest)
    for n_digits in range(most + 1):
        scale = 10.0**n_digits
        is_other = np.abs(np.rint(rest * scale) / scale - rest) > off
        if not is_other.all():
            fewest, rest, off = max(fewest, n_digits), rest[is_other], off[is_other]
        if not rest.size:
            break
    return fewest, rest


def _denominator(scores: NDArray[Any], finest: int) -> int | None:
    """Return the least common denominator of floats; None if there is none up to `finest`.

    Each float must be within two units of its last bit of a fraction with a denominator up to 1000.
    Cost: O(n) for each prime power of the common denominator.
    """
    rest, off, unit = scores.astype(np.float64), _ulps(scores), 1
    largest = largest_size(scores)
    if not are_apart(largest, scores.dtype):
        return None
    while rest.size:
        fraction = nearest_fraction(float(rest[0]), float(off[0]))
        if fraction is None:
            return None
        unit = math.lcm(unit, fraction.denominator)
        is_other = np.abs(np.rint(rest * unit) / unit - rest) > off
        if unit > finest or largest * unit >= _EXACT_BELOW or is_other[0]:
            return None
        rest, off = rest[is_other], off[is_other]
    numbers = in_units(scores, unit)
    has_small = unit // np.gcd(numbers, unit) <= LARGEST_DENOMINATOR
    return unit if has_small.all() else None


def on_fractions(columns: Sequence[FloatArray]) -> tuple[list[IntArray], int] | None:
    """Return columns of fractions in units of 1 / unit, and the unit; None if they are others.

    The fractions may have several denominators up to 1000, whose common one is up to 2^40.
    """
    unit = _denominator(np.concatenate(columns), _FINEST)
    return None if unit is None else ([in_units(column, unit) for column in columns], unit)


def nearest_fraction(value: float, tolerance: float) -> Fraction | None:
    """Return the fraction of least denominator, up to 1000, within `tolerance` of the value."""
    denominators = np.arange(1.0, LARGEST_DENOMINATOR + 1.0)
    numerators = np.rint(value * denominators)
    is_near = np.abs(numerators / denominators - value) <= tolerance
    least = int(is_near.argmax())
    return Fraction(int(numerators[least]), least + 1) if is_near.any() else None


def unit_of_floats(scores: NDArray[Any]) -> int | None:
    """Return the unit of a column of floats, or None."""
    try:
        return _unit_of_floats("", scores, 0)
    except NoLatticeError:
        return None


def are_decimals(scores: NDArray[Any]) -> bool:
    """Tell whether the scores are decimals as one column."""
    unit = unit_of_floats(scores)
    return unit is not None and n_decimals(unit) is not None


def are_widened(scores: FloatArray) -> bool:
    """Tell whether each number is a float32, and not all are decimals: they once were float32."""
    with np.errstate(over="ignore", under="ignore"):
        is_narrow = (scores.astype(np.float32) == scores).all()
    return bool(is_narrow) and not are_decimals(scores)
