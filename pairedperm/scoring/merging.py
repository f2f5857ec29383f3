"""Counted rows of the parts of a corpus, added."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pairedperm.scoring.counts import PairedCounts, merged, of_units
from pairedperm.scoring.waist import Rows

__all__ = ["NOTHING", "added"]

IntArray = NDArray[np.int64]
NOTHING = Rows.of(PairedCounts.from_rows([], []))


def added(parts: Sequence[Rows]) -> Rows:
    """The counted rows of all parts together; classes that one lacks have no labels there."""
    found = [part for part in parts if part.n]
    if len(found) < 2:
        return found[0] if found else parts[0]
    seen = frozenset().union(*(part.seen for part in found))
    classes = found[0].classes
    if any(part.classes != classes for part in found):
        classes = tuple(sorted({label for part in found for label in part.classes}))  # type: ignore[type-var]
    if not classes:
        return Rows.of(merged([part.counts for part in found]), seen)
    place = {label: k for k, label in enumerate(classes)}
    columns = [np.array([place[x] for x in part.classes], dtype=np.int64) for part in found]
    rows1, rows2 = (
        np.concatenate([_spread(x, y, len(classes)) for x, y in zip(rows, columns, strict=True)])
        for rows in ([part.rows1 for part in found], [part.rows2 for part in found])
    )
    multiplicities = np.concatenate([part.counts.multiplicities for part in found])
    return Rows.of(of_units(rows1, rows2, multiplicities, 0), seen, classes)


def _spread(rows: IntArray, columns: IntArray, n_classes: int) -> IntArray:
    """Rows (correct, predicted, right) of some classes, with columns for all."""
    if columns.size == n_classes and (np.diff(columns) == 1).all():
        return rows
    spread = np.zeros((len(rows), 3 * n_classes), dtype=np.int64)
    all_three = np.concatenate([columns + k * n_classes for k in range(3)])
    spread[:, all_three] = rows[:, : all_three.size]  # without any class there are three of zeros
    return spread
