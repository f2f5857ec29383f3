"""What the examples of a corpus contribute to a metric, counted: parts are added."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from pairedperm.counts import PairedCounts, merged, of_units

__all__ = ["NOTHING", "Tally", "added"]


class Tally(NamedTuple):
    """Distinct pairs of contributions and how often each occurs.

    Attributes
    ----------
    counts : PairedCounts
        Of rows of contributions; with `classes` of the correct and the predicted labels of each.
    shared : tuple of int
        What no swap changes: a part of the denominator, or how many there are of each class.
    seen : frozenset
        Those of the labels that the metric selects that occur.
    classes : tuple of labels
        Over which the metric averages; none for other metrics.
    """

    counts: PairedCounts
    shared: tuple[int, ...]
    seen: frozenset[Hashable] = frozenset()
    classes: tuple[Hashable, ...] = ()


NOTHING = Tally(PairedCounts.from_rows([], []), ())


def added(parts: Sequence[Tally]) -> Tally:
    """The tally of all parts together; classes that one lacks have no labels there."""
    found = [part for part in parts if part.counts.n]
    if len(found) < 2:
        return found[0] if found else parts[0]
    classes = found[0].classes
    if any(part.classes != classes for part in found):
        classes = tuple(sorted({label for part in found for label in part.classes}))  # type: ignore[type-var]
        found = [_with_classes(part, classes) for part in found]
    return Tally(
        merged([part.counts for part in found]),
        tuple(map(sum, zip(*(part.shared for part in found), strict=True))),
        frozenset().union(*(part.seen for part in found)),
        classes,
    )


def _with_classes(part: Tally, classes: tuple[Hashable, ...]) -> Tally:
    """The same with a column for each of these classes, among which are its own."""
    columns = np.array([classes.index(label) for label in part.classes], dtype=np.int64)
    columns = np.concatenate((columns, columns + len(classes)))
    rows = []
    for own in (part.counts.rows1, part.counts.rows2):
        row = np.zeros((len(own), 2 * len(classes)), dtype=np.int64)
        row[:, columns] = own[:, : columns.size]  # without any class there are two of zeros
        rows.append(row)
    shared = np.zeros(len(classes), dtype=np.int64)
    shared[columns[: len(part.classes)]] = part.shared
    counts = of_units(rows[0], rows[1], part.counts.multiplicities, 0)
    return Tally(counts, tuple(shared.tolist()), part.seen, classes)
