"""Count the correct, predicted and right labels of each class in each example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.counting import LEAST, few_rows
from pairedperm.convolution.integers import distinct_rows
from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.inputs.codes import coded, compact, right_labels
from pairedperm.inputs.labels import Columns, Labels
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.wording import Name, Parts, Setting, Words

MAX_CELLS = 3 * 2**25  # tuned: in all tables, 0.1 GiB of bytes and their differences in int64
_REMEDIES = {
    "labels": Parts("name fewer, ", Setting("labels", "[...]")),
    "average": Parts("use ", Setting("average", "'micro'")),
}
LEAST_ROWS = 32  # tuned: so many rows take as much memory as the names of all classes


def count_classes(columns: Columns, metric: Metric) -> Rows:
    """Return rows (correct, predicted, right) of all classes that occur, or of the selected ones.

    In indicator matrices every column is a class, even if it never occurs, as in scikit-learn.

    If each example has one label, the distinct triples (prediction, prediction, reference) are
    counted, since they are few. Otherwise each example has its own row at first.

    Raises
    ------
    InputError
        If there are too many classes.
    """
    references, selected = columns[2], metric.selected
    codes, _, labels = coded(columns)
    how_often = None
    if references.lengths is None:
        few = counted_early(references, codes)
        if few is not None:
            codes, how_often = few
        elif labels is not None and not references.in_order:
            first, how_often = distinct_rows(codes, None)
            codes = [code[first] for code in codes]
    right = right_labels(columns, codes, sets=metric.has_sets)
    present, numbers = compact(codes)
    there = present.tolist() if labels is None else [labels[k] for k in present.tolist()]
    classes = (references.every or sorted(there)) if selected is None else selected
    place_of = dict(zip(classes, range(len(classes)), strict=True))
    n_classes = max(len(classes), 1)  # other parts of the corpus may have classes
    where = np.array([place_of.get(label, n_classes) for label in there], dtype=np.int64)
    places = [where[column] for column in numbers]
    if references.lengths is None:
        if not references.in_order:
            first, how_often = distinct_rows(places, how_often)
            places, right = [x[first] for x in places], [x[first] for x in right]
        n, examples = len(places[0]), [np.arange(len(places[0]))] * 3
    else:
        n = references.n
        examples = [np.repeat(np.arange(n), np.asarray(x.lengths)) for x in columns]
    most = max(int(np.bincount(example).max(initial=0)) for example in examples)
    dtype = np.min_scalar_type(-2 * most - 1)  # holds differences, and differences of differences
    _check_cells(n, n_classes, dtype.itemsize, metric)
    rows, labelled = [], [*zip(examples, places, strict=True)]
    for k in (0, 1):
        correct = examples[k][right[k]], places[k][right[k]]
        rows.append(_table((correct, labelled[k], labelled[2]), n, n_classes, dtype))
    if references.in_order:
        return Rows(rows[0], rows[1]).noting(classes=tuple(classes))
    return Rows(rows[0], rows[1], how_often).distinct().noting(classes=tuple(classes))


def counted_early(
    references: Labels, codes: Sequence[IntArray]
) -> tuple[list[IntArray], IntArray] | None:
    """Return the distinct triples of labels, as `coded`, and how often each occurs.

    The result is None for few examples, many triples, sequences of labels, and labels that must
    stay in their order.
    """
    if references.lengths is not None or references.in_order or len(codes[2]) < LEAST:
        return None
    return few_rows(codes)


def check_some_right(rows: Rows) -> None:
    """Raise InputError if the references hold no label."""
    if not rows.rows1[:, 2 * len(rows.classes) :].any():
        why: Words = "every sequence is empty"
        if rows.provenance.n_ignored:
            why = Parts(
                f"all {rows.provenance.n_ignored:,} are left out, as ",
                Name("ignore_label"),
                " says",
            )
        raise InputError(Name("references"), " holds no label", remedy=why)


def _table(
    parts: Sequence[tuple[IntArray, IntArray]], n: int, n_classes: int, dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Count each class in each example, for three parts: shape (n, 3 K).

    A part has an example and a class for each of its labels; the last class does not count.
    """
    width = n_classes + 1
    table = np.zeros(3 * n * width, dtype=dtype)
    for k, (examples, places) in enumerate(parts):
        np.add.at(table, (3 * examples + k) * width + places, 1)
    return table.reshape(n, 3, width)[:, :, :n_classes].reshape(n, 3 * n_classes)


def _check_cells(n: int, n_classes: int, itemsize: int, metric: Metric) -> None:
    allowed = MAX_CELLS // max(itemsize // 2, 1)
    needed = 6 * max(n, LEAST_ROWS) * n_classes
    if needed > allowed:
        ways = [
            x for name, way in _REMEDIES.items() if name in metric.takes() for x in (", or ", way)
        ]
        raise InputError(
            f"{n_classes:,} classes in {n:,} distinct examples are too many to average over",
            remedy=(
                f"that takes {needed:.3g} counts, and {allowed:.3g} are allowed",
                Parts(*ways[1:]) if ways else "give rare ones one name in all columns",
            ),
        )
