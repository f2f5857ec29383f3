"""Count the correct, predicted and right labels of each class in each example."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray, distinct_rows
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Setting, Words, shown
from pairedperm.inputs.codes import coded, compact, right_labels, without_ignored
from pairedperm.inputs.labels import Columns, Labels, check_comparable, check_lengths
from pairedperm.options import IGNORE_LABEL
from pairedperm.options.constraints import Whole
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.pairs import LEAST, few_rows
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.vocabulary import labels_to_check

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


_IGNORED = Whole(
    -(2**63),
    2**63 - 1,
    words="an integer, the label of references that stands for none",
    is_name=True,
)


class CountsLabels(Metric):
    """A metric whose columns hold labels: each example has one, a sequence or a set of them."""

    is_of_labels = True

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """See `Metric`."""
        columns = predictions1, predictions2, references
        check_columns(columns, sets=self.has_sets, aligned=not self.may_be_text)
        ignored = references.ignored(None if self.is_of_spans else self.ignored)
        if ignored is not None:
            columns = without_ignored(columns, ignored)
        rows = self.count(columns)
        rows = rows if references.in_order else rows.counted_if_few()
        n = len(rows.classes) or 1  # columns of correct labels come first
        one, two = np.atleast_2d(rows.rows1.T)[:n], np.atleast_2d(rows.rows2.T)[:n]
        selected, found = self.selected or (), rows.provenance.occurring
        are_right = len(selected) < 2 and one.any() and two.any()  # then the selected label occurs
        is_clear = self.may_be_text or (are_right and references.lengths is None)
        if found is None and not is_clear:
            found = labels_to_check(columns, selected, sets=self.has_sets)
        return rows.noting(n_ignored=columns[2].n_ignored, occurring=found)

    @abstractmethod
    def count(self, columns: Columns) -> Rows:
        """Return what each example contributes, from columns that fit each other.

        Raises
        ------
        InputError
            If the columns do not fit the metric.
        """


@dataclass(frozen=True, kw_only=True, repr=False)
class IgnoresLabel(Metric):
    """A metric for which an integer in the references may stand for no label."""

    ignore_label: Annotated[int | None, _IGNORED] = IGNORE_LABEL

    @property
    def ignored(self) -> int | None:
        """See `Metric`."""
        return None if self.has_sets else self.ignore_label


class LabelMetric(IgnoresLabel, CountsLabels):
    """A metric of labels, where a label of the references may stand for none."""


def check_columns(columns: Columns, *, sets: bool, aligned: bool) -> None:
    """Raise InputError unless all columns fit each other.

    Examples need equally many labels, unless they are sets or the columns are not `aligned`.
    """
    references = columns[2]
    check = check_lengths if aligned and not sets else check_comparable
    check(columns[0], references)
    check(columns[1], references)
    if sets and references.lengths is None:
        raise InputError(
            Name(references.name),
            must="hold a set of labels per example",
            got=f"single labels ({shown(references.first)})",
            remedy="Give sets or lists, also of one label",
        )
