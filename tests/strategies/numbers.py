"""Columns of numbers as people hold them, with the fractions that they stand for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from hypothesis import strategies as st

Number: TypeAlias = "int | float"
Entry: TypeAlias = tuple[Number, Fraction]  # what is held, and what it stands for
PLAIN = ("integers", "decimals", "shares", "sums of decimals")
OF_REALS = ("reals", "two scales", "clusters")
KINDS = (*PLAIN, "huge", "tiny", *OF_REALS)


@dataclass(frozen=True)
class Pair:
    """The scores of two systems, and the fractions that these spell."""

    one: list[Number]
    two: list[Number]
    exact1: list[Fraction]
    exact2: list[Fraction]


_NO_SHARE = 0.1 * math.pi  # whose multiples by a power of ten are no decimals, nor k/q
_UNIT = st.floats(0, 1, allow_subnormal=False)
_SHARE_UNITS = (3, 7, 6, 9, 11, 12, 13, 30)  # k/3: no decimals, and as floats on no lattice


def _shares(unit: int, most: int) -> st.SearchStrategy[Entry]:
    return st.integers(0, most).map(lambda k: (k / unit, Fraction(k, unit)))


def _real(number: float) -> Entry:
    return number, Fraction(number)


def _spelt(entries: list[Entry]) -> list[Entry]:
    """Floats that are all decimals, such as 0.3, stand for these, not for themselves."""
    decimals = [Fraction(repr(number)) for number, _ in entries]
    is_exact = all(abs(number) < 2**53 for number, _ in entries)
    if not is_exact or max(x.denominator for x in decimals) > 2**40:
        return entries
    return [(number, x) for (number, _), x in zip(entries, decimals, strict=True)]


@cache
def _entries(kind: str, most: int, which: int) -> st.SearchStrategy[Entry]:
    """What a column of this kind is made of; `which` chooses a unit or scale."""
    if kind == "decimals":
        return _shares(10 ** (1 + which % 4), 10 * most)
    if kind == "shares":
        unit = _SHARE_UNITS[which]
        return _shares(unit, unit)
    if kind == "sums of decimals":  # 0.1 + 0.2
        tenths = st.tuples(st.integers(0, 10), st.integers(0, 10))
        return tenths.map(lambda x: (x[0] / 10 + x[1] / 10, Fraction(sum(x), 10)))
    if kind == "huge":
        unit = 2**50 if which % 2 else 10**15
        return st.integers(-most, most).map(lambda k: (k * unit, Fraction(k * unit)))
    if kind == "tiny":
        n = (9, 17, 300)[which % 3]
        return st.integers(0, most).map(lambda k: (float(f"{k}e-{n}"), Fraction(k, 10**n)))
    if kind == "reals":
        return _UNIT.map(_real)
    if kind == "two scales":
        scales = st.sampled_from([1.0, (1e-9, 1e4, 1e100)[which % 3]])
        return st.tuples(_UNIT, scales).map(lambda x: _real(x[0] * x[1]))
    if kind == "clusters":  # which tie nearly
        centres = st.sampled_from([0.3, 0.5, 0.1 + which / 7])
        return st.tuples(centres, _UNIT).map(lambda x: _real(x[0] + 1e-7 * (x[1] + _NO_SHARE)))
    return st.integers(0, most).map(lambda k: (k, Fraction(k)))


@cache
def _rows(kinds: tuple[Any, Any]) -> st.SearchStrategy[tuple[Entry, Entry]]:
    """Examples of two such systems, of which some tie."""
    one, two = (_entries(*kind) for kind in kinds)
    return st.tuples(one, two) | one.map(lambda x: (x, x))


def _kinds(kinds: tuple[str, ...]) -> st.SearchStrategy[tuple[str, int, int]]:
    return st.tuples(st.sampled_from(kinds), st.sampled_from([1, 3, 20, 1000]), st.integers(0, 7))


@st.composite
def pairs(draw: Any, min_size: int = 1, max_size: int = 12, kinds: tuple[str, ...] = KINDS) -> Pair:
    """Scores of two systems, mostly of one kind; some examples tie, a system may be constant."""
    kind, others = draw(_kinds(kinds)), draw(st.sampled_from(["", "", "", "own", "constant"]))
    rows = _rows((kind, draw(_kinds(kinds)) if others == "own" else kind))
    listed = draw(st.lists(rows, min_size=min_size, max_size=max_size))
    if others == "constant":
        listed = [(listed[0][0], row[1]) for row in listed]
    columns = list(map(list, zip(*listed, strict=True)))
    if kind[0] in OF_REALS:
        both = _spelt(columns[0] + columns[1])
        columns = [both[: len(listed)], both[len(listed) :]]
    first, second = columns
    return Pair(
        *([value for value, _ in column] for column in (first, second)),
        *([exact for _, exact in column] for column in (first, second)),
    )


@st.composite
def columns(draw: Any, n: int, kinds: tuple[str, ...] = KINDS) -> list[Number]:
    """Scores of one system on n examples."""
    entries = st.lists(_entries(*draw(_kinds(kinds))), min_size=n, max_size=n)
    return [value for value, _ in draw(entries)]
