"""How many labels of each class are right, predicted and correct, in each example."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.inputs.labels import Labels
from pairedperm.scoring.counts import PairedCounts, of_units
from pairedperm.scoring.label_counts import check_columns, coded, right_labels
from pairedperm.scoring.metric import MetricSpec
from pairedperm.scoring.tally import Tally

__all__ = ["count_classes"]

IntArray = NDArray[np.int64]
_MAX_CELLS = 3 * 2**25  # of all tables: 0.75 GiB, and some copies


def count_classes(
    predictions1: Labels, predictions2: Labels, references: Labels, spec: MetricSpec
) -> Tally:
    """Rows (correct, predicted, right) of all classes that occur, or those that the metric selects.

    Where each example has one label there are
    few distinct ones, (prediction, prediction, reference), which are counted; otherwise there is
    a row for each example.

    Raises
    ------
    InputError
        If the columns do not fit each other, or there are too many classes.
    """
    columns = (predictions1, predictions2, references)
    check_columns(columns, spec)
    codes, number_of, label_of = coded(columns)
    present = np.unique(np.concatenate(codes))
    if not present.size and spec.selected is None:  # of other parts of the corpus there may be
        none = np.zeros((references.n, 3), dtype=np.int64)
        return Tally(of_units(none, none, None, 0))
    seen = frozenset(label_of(present))
    if spec.selected is None:
        found = sorted(zip(label_of(present), present.tolist(), strict=True))
        classes, numbers = zip(*found, strict=True) if found else ((), ())
    else:
        classes = spec.selected
        numbers = tuple(number_of(label) if label in seen else None for label in classes)
    where = np.full(present.size + 1, len(classes))  # which class; the last is none of them
    known = np.array([-1 if x is None else np.searchsorted(present, x) for x in numbers], np.int64)
    where[known[known >= 0]] = np.flatnonzero(known >= 0)
    places = [where[np.searchsorted(present, code)] for code in codes]
    n_classes = len(classes)
    if references.lengths is None:
        counts = _single(places, n_classes)
    else:
        rows, gold = [], _table(places[2], references, n_classes, None)
        for column, code, place in zip(columns[:2], codes[:2], places[:2], strict=True):
            right = right_labels(column, code, references, codes[2], spec)
            correct = _table(place, column, n_classes, right)
            rows.append(np.hstack((correct, _table(place, column, n_classes, None), gold)))
        counts = of_units(rows[0], rows[1], None, 0)
    seen &= frozenset(spec.selected or ())
    return Tally(counts, seen, tuple(classes))


def _single(places: list[IntArray], n_classes: int) -> PairedCounts:
    """Of one label an example: the distinct triples."""
    n = n_classes + 1
    triples = (places[0] * n + places[1]) * n + places[2]
    if n**3 <= max(2**20, triples.size):
        how_often = np.bincount(triples, minlength=n**3)
        distinct = np.flatnonzero(how_often)
        how_often = how_often[distinct]
    else:
        distinct, how_often = np.unique(triples, return_counts=True)
    _check_cells(distinct.size, n_classes)
    gold = distinct % n
    rows = []
    for predicted in (distinct // n**2, distinct // n % n):
        row = np.zeros((distinct.size, 3 * n), dtype=np.int64)
        k = np.arange(distinct.size)
        row[k, predicted] = predicted == gold
        row[k, n + predicted] = 1
        row[k, 2 * n + gold] = 1
        others = (n_classes, n + n_classes, 2 * n + n_classes)
        rows.append(np.delete(row, others, axis=1))
    return of_units(rows[0], rows[1], how_often, 0)


def _table(
    places: IntArray, labels: Labels, n_classes: int, chosen: NDArray[np.bool_] | None
) -> IntArray:
    """How many labels of each class an example has, shape (n, K)."""
    assert labels.lengths is not None
    _check_cells(labels.n, n_classes)
    example = np.repeat(np.arange(labels.n), labels.lengths)
    cells = example * (n_classes + 1) + places
    cells = cells if chosen is None else cells[chosen]
    table = np.bincount(cells, minlength=labels.n * (n_classes + 1))
    return np.asarray(table.reshape(labels.n, n_classes + 1)[:, :n_classes])


def _check_cells(n: int, n_classes: int) -> None:
    if 6 * n * n_classes > _MAX_CELLS:
        raise InputError(
            f"{n_classes:,} classes in {n:,} distinct examples are too many to average over: that "
            f"takes {6 * n * n_classes:.3g} counts, and {_MAX_CELLS:.3g} are allowed. Name fewer, "
            "labels=[...], or use average='micro'."
        )
