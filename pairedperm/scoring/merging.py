"""Rows of several systems or parts of a corpus, in the same unit and classes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import NoLatticeError
from pairedperm.errors.wording import Words
from pairedperm.inputs.fineness import narrow_type
from pairedperm.inputs.labels import COLUMNS
from pairedperm.inputs.numbers import float_column
from pairedperm.scoring.pairs import all_classes
from pairedperm.scoring.rows import Rows, added, in_common_unit, why_floats


def merged(parts: Sequence[Rows], fact: Words = "") -> Rows:
    """Return the counted rows of all parts together.

    A part that lacks a class has no labels of that class. All numbers become floats if some part,
    or all parts together, lie on no lattice. `fact`, if given, is the reason for floats.
    """
    found = [part for part in parts if part.n]
    fact = fact or why_floats(found)
    if len(found) < 2 and (not found or found[0].no_lattice or not fact):
        return found[0] if found else parts[0]
    if not fact:
        try:
            return added([part.counted() for part in found])
        except NoLatticeError as error:
            fact = error.fact
    floats = [as_floats(part, fact) for part in found]
    one, two = (np.concatenate([getattr(x, name) for x in floats]) for name in ("rows1", "rows2"))
    rounding = max(x.provenance.rounding for x in floats)
    return floats[0].having(rows1=one, rows2=two).noting(rounding=rounding)


def as_floats(part: Rows, fact: Words) -> Rows:
    """Return the same numbers as floats on no lattice, a row for each example; `fact` says why."""
    one, two = _floats(COLUMNS[0], part.rows1, part), _floats(COLUMNS[1], part.rows2, part)
    rounding = part.provenance.rounding or 2.0**-53
    return Rows(one, two).noting(no_lattice=fact, rounding=rounding, float_limit=math.inf)


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


class Systems:
    """The rows of each system in the order of the examples, in the same unit and classes.

    Each element of `pairs` holds two systems: the first and the second, the third and the fourth,
    and so on.
    """

    def __init__(self, pairs: Sequence[Rows]) -> None:
        fact = why_floats(pairs)
        if not fact:
            classes = all_classes([pair.classes for pair in pairs])
            try:
                pairs = in_common_unit("the systems", [pair.spread_to(classes) for pair in pairs])
            except NoLatticeError as error:
                fact = error.fact
        if fact:
            pairs = [as_floats(pair, fact) for pair in pairs]
        self._tables: list[NDArray[Any]] = [x for pair in pairs for x in (pair.rows1, pair.rows2)]
        self._first = pairs[0]

    def pair(self, i: int, j: int) -> Rows:
        """Return the rows of two systems."""
        rows = self._first.having(rows1=self._tables[i], rows2=self._tables[j])
        return rows.counted_if_few()


NOTHING = Rows(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)).distinct()
