"""What the examples of a corpus contribute to a metric, counted: parts are added."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.scoring.counts import PairedCounts, merged, of_units

__all__ = ["NOTHING", "Tally", "added"]


class Tally(NamedTuple):
    """Distinct pairs of contributions and how often each occurs.

    Attributes
    ----------
    counts : PairedCounts
        Of contributions: of shape (n,), where the denominator of each is 1, or of rows
        (numerator, denominator); with `classes` of rows of the correct labels of each, the
        predicted ones and the right ones.
    seen : frozenset
        Those of the labels that the metric selects that occur.
    classes : tuple of labels
        Over which the metric averages; none for other metrics.
    """

    counts: PairedCounts
    seen: frozenset[Hashable] = frozenset()
    classes: tuple[Hashable, ...] = ()


IntArray = NDArray[np.int64]
NOTHING = Tally(PairedCounts.from_rows([], []))


def added(parts: Sequence[Tally]) -> Tally:
    """The tally of all parts together; classes that one lacks have no labels there."""
    found = [part for part in parts if part.counts.n]
    if len(found) < 2:
        return found[0] if found else parts[0]
    classes = found[0].classes
    if any(part.classes != classes for part in found):
        classes = tuple(sorted({label for part in found for label in part.classes}))  # type: ignore[type-var]
    if not classes:
        counts = merged([part.counts for part in found])
        return Tally(counts, frozenset().union(*(part.seen for part in found)))
    place = {label: k for k, label in enumerate(classes)}
    columns = [np.array([place[x] for x in part.classes], dtype=np.int64) for part in found]
    rows1, rows2 = (
        np.concatenate([_spread(x, y, len(classes)) for x, y in zip(rows, columns, strict=True)])
        for rows in ([part.counts.rows1 for part in found], [part.counts.rows2 for part in found])
    )
    multiplicities = np.concatenate([part.counts.multiplicities for part in found])
    return Tally(
        of_units(rows1, rows2, multiplicities, 0),
        frozenset().union(*(part.seen for part in found)),
        classes,
    )


def _spread(rows: IntArray, columns: IntArray, n_classes: int) -> IntArray:
    """Rows (correct, predicted, right) of some classes, with columns for all."""
    if columns.size == n_classes and (np.diff(columns) == 1).all():
        return rows
    spread = np.zeros((len(rows), 3 * n_classes), dtype=np.int64)
    all_three = np.concatenate([columns + k * n_classes for k in range(3)])
    spread[:, all_three] = rows[:, : all_three.size]  # without any class there are three of zeros
    return spread
