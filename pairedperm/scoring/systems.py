"""The rows of many systems on the same examples, each read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from pairedperm.errors import NoLatticeError
from pairedperm.inputs.decimals import scaled
from pairedperm.inputs.labels import COLUMNS
from pairedperm.scoring.added import alike, as_floats
from pairedperm.scoring.waist import Rows


class Systems:
    """The rows of each system in the order of the examples, in the same units and classes.

    Made of pairs: the first and the second system, the third and the fourth, and so on.
    """

    def __init__(self, pairs: Sequence[Rows]) -> None:
        fact = next((pair.no_lattice for pair in pairs if pair.no_lattice), "")
        if not fact:
            try:
                pairs = _in_decimals(alike([*pairs]))
            except NoLatticeError as error:
                fact = error.fact
        if fact:
            pairs = [as_floats(pair, fact) for pair in pairs]
        self._tables: list[NDArray[Any]] = [x for pair in pairs for x in (pair.rows1, pair.rows2)]
        self._said = pairs[0]

    def pair(self, i: int, j: int) -> Rows:
        """The rows of two systems."""
        rows = replace(self._said, rows1=self._tables[i], rows2=self._tables[j])
        return rows.counted_if_few()


def _in_decimals(pairs: Sequence[Rows]) -> list[Rows]:
    """All in units of the last digit that some have."""
    most, found = max(pair.decimals for pair in pairs), []
    for pair in pairs:
        factor = 10 ** (most - pair.decimals)
        one, two = scaled(COLUMNS[0], pair.rows1, factor), scaled(COLUMNS[1], pair.rows2, factor)
        found.append(replace(pair, rows1=one, rows2=two, decimals=most))
    return found
