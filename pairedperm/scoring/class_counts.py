"""How many labels of each class are right, predicted and correct, in each example."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.inputs.columns import place
from pairedperm.inputs.labels import Columns, Labels, check_columns, coded
from pairedperm.scoring.counts import PairedCounts, of_units
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.waist import Rows

IntArray = NDArray[np.int64]
_MAX_CELLS = 3 * 2**25  # of all tables: 0.75 GiB, and some copies


def count_classes(columns: Columns, metric: Metric) -> Rows:
    """Rows (correct, predicted, right) of all classes that occur, or those that the metric selects.

    Where each example has one label there are few distinct ones, (prediction, prediction,
    reference), which are counted; otherwise there is a row for each example.

    Raises
    ------
    InputError
        If the columns do not fit each other, or there are too many classes.
    """
    references, selected = columns[2], metric.selected
    check_columns(columns, sets=metric.multilabel)
    codes, _, labels = coded(columns)
    present = np.unique(np.concatenate(codes))
    if not present.size and selected is None:  # of other parts of the corpus there may be
        none = np.zeros((references.n, 3), dtype=np.int64)
        return Rows.of(of_units(none, none, None, 0))
    there = present.tolist() if labels is None else [labels[k] for k in present.tolist()]
    classes = sorted(there) if selected is None else selected
    n_classes = len(classes)
    place_of = {label: k for k, label in enumerate(classes)}
    where = np.array([place_of.get(label, n_classes) for label in there], dtype=np.int64)
    places = [where[np.searchsorted(present, code)] for code in codes]
    if references.lengths is None:
        counts = _single(places, n_classes)
    else:
        rows, gold = [], _table(places[2], references, n_classes)
        for column, code, predicted in zip(columns[:2], codes[:2], places[:2], strict=True):
            if metric.multilabel:
                right = in_sets(column, code, references, codes[2])
            else:
                right = code == codes[2]
            correct = _table(predicted, column, n_classes, right)
            rows.append(np.hstack((correct, _table(predicted, column, n_classes), gold)))
        counts = of_units(rows[0], rows[1], None, 0)
    return Rows.of(counts, frozenset(selected or ()).intersection(there), tuple(classes))


def in_sets(
    predictions: Labels, predicted: IntArray, references: Labels, gold: IntArray
) -> NDArray[np.bool_]:
    """Which predicted labels are in the set of their example's references."""
    _, both = np.unique(np.concatenate((predicted, gold)), return_inverse=True)
    n_codes = int(both.max(initial=0)) + 1
    keys = []
    parts = np.split(both, [predicted.size])
    for column, codes in zip((predictions, references), parts, strict=True):
        lengths = np.asarray(column.lengths)
        key = np.repeat(np.arange(lengths.size), lengths) * n_codes + codes
        ordered = np.argsort(key, kind="stable")
        twice = np.flatnonzero(np.diff(key[ordered]) == 0)
        if twice.size:
            position = int(ordered[twice[0] + 1])
            raise InputError(
                f"`{column.name}`{place(position, column.lengths, column.start)} is in its set "
                "twice: with multilabel=True give each label once. Of an indicator matrix: "
                "[np.flatnonzero(row) for row in matrix]."
            )
        keys.append(key)
    return np.isin(keys[0], keys[1])


def check_some_right(rows: Rows) -> None:
    """Raise InputError if the references have no label."""
    if not rows.rows1[:, 2 * len(rows.classes) :].any():
        raise InputError("`references` holds no label: every sequence is empty.")


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
        row = np.zeros((distinct.size, 3, n), dtype=np.int64)
        k = np.arange(distinct.size)
        row[k, 0, predicted] = predicted == gold
        row[k, 1, predicted] = 1
        row[k, 2, gold] = 1
        rows.append(row[:, :, :n_classes].reshape(distinct.size, 3 * n_classes))
    return of_units(rows[0], rows[1], how_often, 0)


def _table(
    places: IntArray, labels: Labels, n_classes: int, chosen: NDArray[np.bool_] | None = None
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
