"""The rows of many systems on the same examples; each system is read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from pairedperm.errors import NoLatticeError
from pairedperm.inputs.decimals import common_unit, scaled
from pairedperm.inputs.labels import COLUMNS
from pairedperm.scoring.added import as_floats
from pairedperm.scoring.pairs import all_classes
from pairedperm.scoring.waist import Rows
from pairedperm.wording import Words


class Systems:
    """The rows of each system in the order of the examples, in the same units and classes.

    Each element of `pairs` holds two systems: the first and the second, the third and the fourth,
    and so on.
    """

    def __init__(self, pairs: Sequence[Rows]) -> None:
        fact: Words = next((pair.no_lattice for pair in pairs if pair.no_lattice), "")
        if not fact:
            try:
                pairs = _in_decimals(_alike([*pairs]))
            except NoLatticeError as error:
                fact = error.fact
        if fact:
            pairs = [as_floats(pair, fact) for pair in pairs]
        self._tables: list[NDArray[Any]] = [x for pair in pairs for x in (pair.rows1, pair.rows2)]
        self._said = pairs[0]

    def pair(self, i: int, j: int) -> Rows:
        """Return the rows of two systems."""
        rows = replace(self._said, rows1=self._tables[i], rows2=self._tables[j])
        return rows.counted_if_few()


def _in_decimals(pairs: Sequence[Rows]) -> list[Rows]:
    """Return all pairs in units of the last digit that some pair has."""
    most, found = max(pair.decimals for pair in pairs), []
    for pair in pairs:
        factor = 10 ** (most - pair.decimals)
        one, two = scaled(COLUMNS[0], pair.rows1, factor), scaled(COLUMNS[1], pair.rows2, factor)
        found.append(replace(pair, rows1=one, rows2=two, decimals=most))
    return found


def _alike(parts: list[Rows]) -> list[Rows]:
    """Return parts on lattices with the same unit and classes; fractions get a common denominator.

    Raises
    ------
    NoLatticeError
        If the common denominator is too large.
    """
    if any(part.unit > 1 for part in parts):
        unit = common_unit("the systems", [part.unit * 10**part.decimals for part in parts])
        parts = [_in_unit(part, unit) for part in parts]
    classes = all_classes([part.classes for part in parts])
    return [part if part.classes == classes else part.spread_to(classes) for part in parts]


def _in_unit(part: Rows, unit: int) -> Rows:
    """Return the same numbers in units of 1 / unit; `unit` is a multiple of the part's own."""
    factor = unit // (part.unit * 10**part.decimals)
    one, two = scaled(COLUMNS[0], part.rows1, factor), scaled(COLUMNS[1], part.rows2, factor)
    return replace(part, rows1=one, rows2=two, decimals=0, unit=unit)
