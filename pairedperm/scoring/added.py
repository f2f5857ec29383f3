"""Join the rows of several parts of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import NoLatticeError
from pairedperm.inputs.labels import COLUMNS
from pairedperm.inputs.numbers import float_column
from pairedperm.scoring.counts import PairedCounts, merged
from pairedperm.scoring.waist import Rows
from pairedperm.wording import Words


def added(parts: Sequence[Rows], fact: Words = "") -> Rows:
    """Return the counted rows of all parts together.

    A part that lacks a class has no labels of that class. All numbers become floats if some part,
    or all parts together, lie on no lattice. `fact`, if given, is the reason for floats.
    """
    found = [part for part in parts if part.n]
    fact = fact or next((part.no_lattice for part in found if part.no_lattice), "")
    if len(found) < 2 and (not found or found[0].no_lattice or not fact):
        return found[0] if found else parts[0]
    if not fact:
        try:
            return Rows.of(merged([part.counts for part in found]))
        except NoLatticeError as error:
            fact = error.fact
    floats = [as_floats(part, fact) for part in found]
    one, two = (np.concatenate([getattr(x, name) for x in floats]) for name in ("rows1", "rows2"))
    return replace(floats[0], rows1=one, rows2=two, rounding=max(x.rounding for x in floats))


def as_floats(part: Rows, fact: Words) -> Rows:
    """Return the same numbers as floats on no lattice, a row for each example; `fact` says why."""
    one, two = _floats(COLUMNS[0], part.rows1, part), _floats(COLUMNS[1], part.rows2, part)
    rounding = part.rounding or 2.0**-53
    return Rows(one, two, no_lattice=fact, rounding=rounding, is_float=True)


def _floats(name: str, rows: NDArray[Any], part: Rows) -> NDArray[np.float64]:
    """Return one system's rows as floats, one per example; each number is rounded once."""
    unit = part.unit * 10**part.decimals
    if part.no_lattice or unit == 1:
        floats = float_column(name, rows)
    elif np.abs(rows).max(initial=0) < 2**53:
        floats = rows / float(unit)
    else:
        flat = [number / unit for number in rows.reshape(-1).tolist()]
        floats = np.array(flat).reshape(rows.shape)
    return np.repeat(floats, part.how_often, axis=0)


NOTHING = Rows.of(PairedCounts.from_rows([], []))
