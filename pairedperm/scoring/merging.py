"""Rows in one unit and with the same classes, of systems or parts of a corpus; or floats."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError, Name, NoLatticeError, Parts, Words, shown
from pairedperm.inputs.labels import COLUMNS
from pairedperm.inputs.lattice import (
    LARGEST_DENOMINATOR,
    LIMITS,
    are_apart,
    are_widened,
    common_unit,
    float_limit,
    largest_size,
    n_decimals,
    on_lattice,
    scaled,
)
from pairedperm.inputs.numbers import largest_score
from pairedperm.scoring.rows import Provenance, Rows, check_total
from pairedperm.scoring.vocabulary import to_check_in_all

NOTHING = Rows(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)).distinct()


def rows_of_scores(
    name1: str, scores1: NDArray[Any], name2: str, scores2: NDArray[Any], start: int = 0
) -> Rows:
    """Return rows of columns that `read_scores` gave: integers of one unit, or floats.

    Raises
    ------
    InputError
        If there are floats, and an integer is too large to be an exact float.
    """
    try:
        whole1, whole2, unit = on_lattice(name1, scores1, name2, scores2, start)
    except NoLatticeError as error:
        return of_floats(name1, scores1, name2, scores2, error.fact)
    limit = max(float_limit(scores1), float_limit(scores2))
    return Rows(whole1, whole2, unit=unit).noting(float_limit=limit)


def check_range(
    name: str, scores: NDArray[Any], score_range: tuple[float, float], unit: int = 1
) -> None:
    """Raise InputError for a score outside of the range that is known; scores are in 1 / unit."""
    low, high = score_range
    values, near = scores / unit, near_ends(score_range)
    is_outside = (values < low - near) | (values > high + near)
    if is_outside.any():
        score = float(values[int(is_outside.argmax())])
        raise InputError(
            Name("score_range"),
            must=f"hold all scores; it is {low:g} to {high:g}",
            got=Parts("a score of ", shown(score), " in ", Name(name)),
            remedy="Give the range of the scores' scale, not that of these scores",
        )


def near_ends(score_range: tuple[float, float]) -> float:
    """Return how far from an end of a range a number may be that is read as it: 0.1 + 0.2 is 0.3.

    Floats stand for decimals of up to 13 digits.
    """
    return 1e-13 * max(map(abs, score_range))


def of_floats(
    name1: str, rows1: NDArray[Any], name2: str, rows2: NDArray[Any], fact: Words
) -> Rows:
    """Return rows of floats that lie on no lattice; `fact` says why.

    Raises
    ------
    InputError
        If an integer is too large to be an exact float.
    """
    rounding = max(two_ulps(rows1), two_ulps(rows2))
    floats = float_column(name1, rows1), float_column(name2, rows2)
    return Rows(*floats).noting(no_lattice=fact, rounding=rounding, float_limit=math.inf)


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


def float_column(name: str, scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return the scores as float64; narrow floats are read as the decimals that they print.

    Raises
    ------
    InputError
        If an integer is no exact float.
    """
    if scores.dtype in (np.float16, np.float32):
        return scores.astype(str).astype(np.float64)
    floats = scores.astype(np.float64)
    if scores.dtype.kind in "iu" and (np.abs(floats) >= 2.0**53).any():
        at, value = largest_score(name, scores, np.abs(floats))
        raise InputError(
            at,
            f" is {value}, and other scores are floats",
            remedy="a float is an exact integer only below 2^53. Divide by a common unit, or round "
            "the floats to fewer digits",
        )
    return floats


def narrow_type(limit: float) -> Any:
    """Return the type of floats that have a limit of `LIMITS`; float64 for others."""
    sizes = {limit: size for size, (limit, _) in LIMITS.items()}
    return np.dtype(f"f{sizes.get(limit, 8)}")


def merged(parts: Sequence[Rows], fact: Words = "") -> Rows:
    """Return the counted rows of all parts together.

    A part that lacks a class has no labels of that class. All numbers become floats if some part,
    or all parts together, lie on no lattice. `fact`, if given, is the reason for floats.
    """
    filled = [part for part in parts if part.n]
    fact = fact or why_floats(filled)
    if len(filled) < 2 and (not filled or filled[0].no_lattice or not fact):
        return filled[0] if filled else parts[0]
    if not fact:
        try:
            return sum_of_parts([part.counted() for part in filled])
        except NoLatticeError as error:
            fact = error.fact
    floats = [as_floats(part, fact) for part in filled]
    one, two = (np.concatenate([getattr(x, name) for x in floats]) for name in ("rows1", "rows2"))
    rounding = max(x.provenance.rounding for x in floats)
    return floats[0].having(rows1=one, rows2=two).noting(rounding=rounding)


def as_floats(part: Rows, fact: Words) -> Rows:
    """Return the same numbers as floats on no lattice, a row for each example; `fact` says why."""
    one, two = _floats(COLUMNS[0], part.rows1, part), _floats(COLUMNS[1], part.rows2, part)
    rounding = part.provenance.rounding or 2.0**-53
    rows = Rows(one, two, groups=part.groups)
    return rows.noting(no_lattice=fact, rounding=rounding, float_limit=math.inf)


def _floats(name: str, rows: NDArray[Any], part: Rows) -> NDArray[np.float64]:
    """Return one system's rows as floats, one per example; each number is rounded once."""
    if part.no_lattice or part.unit == 1:
        floats = float_column(name, rows)
    elif np.abs(rows).max(initial=0) < 2**53:
        narrow = narrow_type(part.provenance.float_limit)
        floats = float_column(name, (rows / float(part.unit)).astype(narrow))
    else:
        flat = [number / part.unit for number in rows.reshape(-1).tolist()]
        floats = np.array(flat).reshape(rows.shape)
    return np.repeat(floats, part.how_often, axis=0)


def sum_of_parts(parts: Sequence[Rows]) -> Rows:
    """Return the counted rows of all parts together; there must be at least one part.

    Raises
    ------
    InputError
        If the parts do not fit each other; `PairedCounts.__add__` has the reasons.
    """
    shaped = [x for x in parts if x.n or x.rows1.ndim == 2 or x.provenance.metric]  # no empty lists
    first = shaped[0] if shaped else parts[0]
    if len(shaped) < 2:
        return first
    facts = of_all([part.provenance for part in shaped])
    if why_floats(shaped):
        raise InputError(
            "cannot add counts of scores that lie on no lattice",
            remedy="Compare the scores of all parts in one call",
        )
    shaped = [part.spread_to(facts.classes) for part in shaped]
    other = next((x for x in shaped if x.rows1.shape[1:] != shaped[0].rows1.shape[1:]), None)
    if other is not None:
        raise InputError(
            "cannot add paired counts of different shapes: one was made of columns of shape "
            f"{shaped[0].shape}, the other of {other.shape}",
            remedy="Count the same numbers of every example in all parts",
        )
    if len({part.sizes is None for part in shaped}) > 1:
        raise InputError(
            "cannot add counts of groups to counts without groups",
            remedy="Give the groups of all parts, or of none",
        )
    shaped = in_common_unit("the parts", shaped)
    check_total([part.n for part in shaped])
    names = ["rows1", "rows2", *(["sizes"] if first.sizes is not None else [])]
    columns = {x: np.concatenate([getattr(part, x) for part in shaped]) for x in names}
    how_often = np.concatenate([part.how_often for part in shaped])
    rows = Rows(**columns, multiplicities=how_often, unit=shaped[0].unit, provenance=facts)
    return rows.in_least_unit().distinct()


def of_all(parts: Sequence[Provenance]) -> Provenance:
    """Return the provenance of all parts of a corpus together.

    Raises
    ------
    InputError
        If the parts differ in metric, options or type of labels, or if classes are numbered.
    """
    first = parts[0]
    for other in parts[1:]:
        if (other.metric, other.metric_options) != (first.metric, first.metric_options):
            raise InputError(
                *("cannot add counts of different metrics: one is of ", first.call),
                *(", another of ", other.call),
                remedy="Count all parts under the same metric, with the same options",
            )
    of_labels = {part.kind for part in parts if part.kind is not None}
    if len(of_labels) > 1:
        raise InputError(
            f"cannot add counts of labels of different types: some parts have {min(of_labels)}, "
            f"others {max(of_labels)}",
            remedy="Give the labels of all parts in one type",
        )
    if not all(part.is_labelled for part in parts):
        raise InputError(
            "cannot add counts whose classes are numbered: their labels were left out, so classes "
            "cannot be matched",
            remedy="Add counts with labels, as `to_json()` writes them",
        )
    labels = [label for part in parts for label in part.classes]
    kinds = {type(y) for x in labels for y in (x if isinstance(x, tuple) else (x,))}
    if len(kinds) > 1:
        names = sorted(kind.__name__ for kind in kinds)
        raise InputError(
            f"cannot add counts of classes of different types: some parts have {names[0]}, others "
            f"{names[1]}",
            remedy="Give the labels of all parts in one type",
        )
    are_by_id = all(part.paired_by == "id" for part in parts)
    return replace(
        first,
        kind=next(iter(of_labels), None),
        paired_by="id" if are_by_id else "position",
        classes=all_classes([part.classes for part in parts]),
        n_ignored=sum(part.n_ignored for part in parts),
        to_check=to_check_in_all([part.to_check for part in parts]),
    )


def all_classes(several: Sequence[tuple[Hashable, ...]]) -> tuple[Hashable, ...]:
    """Return the classes of all parts: as they are if all parts have the same, otherwise sorted."""
    if all(classes == several[0] for classes in several):
        return several[0]
    return tuple(sorted({label for classes in several for label in classes}))  # type: ignore[type-var]


def why_floats(parts: Iterable[Rows]) -> Words:
    """Return why the numbers of some part are floats; "" if no part has any."""
    return next((part.no_lattice for part in parts if part.no_lattice), "")


def in_common_unit(what: Words, parts: Sequence[Rows]) -> list[Rows]:
    """Return parts in one unit; `what` names them in messages.

    Raises
    ------
    NoLatticeError
        If there is none up to 2^40, or numbers in it leave int64.
    """
    unit = common_unit(what, [part.unit for part in parts])
    in_unit = []
    for part in parts:
        factor = unit // part.unit
        one, two = (scaled(x, getattr(part, x), factor) for x in ("rows1", "rows2"))
        in_unit.append(part.having(rows1=one, rows2=two, unit=unit) if factor > 1 else part)
    return in_unit


class Fineness(NamedTuple):
    """What decides whether a column has a unit; batches are `joined` to the whole column."""

    unit: int  # least common denominator of floats
    largest: float  # largest |score| of floats
    limit: float  # how many units of the last decimal it may be
    whole: float  # largest |score| of integers

    @classmethod
    def of(cls, numbers: NDArray[np.int64], unit: int, limit: float) -> Fineness:
        """Return the fineness of a column that is written as integers of a unit.

        `limit` is the `float_limit` of the numbers.
        """
        least = 1 if unit == 1 else unit // math.gcd(int(np.gcd.reduce(numbers, axis=None)), unit)
        largest = largest_size(numbers) / unit
        whole = largest if least == 1 else 0.0
        if limit in (0.0, math.inf):  # exact numbers
            return cls(1, 0.0, 0.0, whole)
        return cls(least, largest, limit, whole)

    def joined(self, other: Fineness) -> Fineness:
        """Return the fineness of both batches together."""
        unit = math.lcm(self.unit, other.unit)
        return Fineness(unit, *map(max, self[1:], other[1:]))

    @property
    def is_lattice(self) -> bool:
        """True if the floats have a unit as one column."""
        n_digits = n_decimals(self.unit)
        are_decimals = n_digits is not None and self.largest * 10.0**n_digits <= self.limit
        are_shares = self.unit <= LARGEST_DENOMINATOR and are_apart(
            self.largest, narrow_type(self.limit)
        )
        return self.unit == 1 or are_decimals or are_shares
