"""Accuracy of ranked lists of labels: the right label must be among the first k."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, Words, describe, shown
from pairedperm.inputs.columns import first_float, is_sequence, materialise
from pairedperm.inputs.label_errors import one_hot
from pairedperm.inputs.labels import COLUMNS, Labels, check_alike, check_lengths, read_labels
from pairedperm.options import IGNORE_LABEL
from pairedperm.options.constraints import Whole
from pairedperm.scoring.label_counts import coded
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.vocabulary import LabelsToCheck

_RANKED = "hold a list of labels per example, the best first"
_RANK_THE_SCORES = Parts(
    "For scores of classes 0, 1, ..., ",
    Python("pass np.argsort(-scores, axis=1)", "write the classes, the best first"),
)


@dataclass(frozen=True, kw_only=True, repr=False)
class TopKAccuracy(Metric):
    """Examples whose label is among the first k predicted / all examples, as in scikit-learn.

    Predictions are a list of at least k labels for each example, the best first. A repeated label
    takes two places. References are one label for each example. For scores of classes 0, 1, ...,
    pass `np.argsort(-scores, axis=1)`.

    Reported as a share; higher is better. p is exact (one sum): 0.1 s for a million examples.

    Parameters
    ----------
    k : int
        How many of the first predictions count.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large = [["cat", "dog", "cow"], ["dog", "cow", "cat"], ["cow", "dog", "cat"]]
    >>> small = [["cow", "dog", "cat"], ["dog", "cat", "cow"], ["cow", "cat", "dog"]]
    >>> result = compare(large, small, ["dog", "cow", "dog"], "top_k_accuracy", k=2)
    >>> result.score1, result.score2, result.pvalue
    (1.0, 0.3333333333333333, 0.5)
    """

    name = "top_k_accuracy"
    aliases = ("top_k", "top_k_accuracy_score", "hits_at_k", "accuracy_at_k")
    always_told = ("k",)
    k: Annotated[int, Whole()] = 2

    @property
    def in_words(self) -> str:
        return f"top-{self.k} accuracy"

    @staticmethod
    def read_column(name: str, column: Any, start: int) -> Labels:
        """Read ranked labels, or the right ones; the first example shows a wrong type."""
        if name == COLUMNS[2] or column is None:
            return read_labels(name, column, start)
        values = materialise(name, column)
        first = values[0] if len(values) else None
        entries = materialise(Name(name, (start,)), first) if is_sequence(first) else [first]
        number = first_float(entries)
        if isinstance(first, Set) or number is not None:
            what: Words = Parts("floats, ", describe(number))
            what = "a set, which has no order" if number is None else what
            raise InputError(Name(name), must=_RANKED, got=what, remedy=_RANK_THE_SCORES)
        return read_labels(name, values, start)

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """Return 1 for each example whose label is among the first k, else 0."""
        columns = predictions1, predictions2, references
        if references.lengths is not None:
            must = "hold one label per example"
            raise InputError(Name(references.name), must=must, got="a list of them")
        if references.has(IGNORE_LABEL):
            index = references.start + references.spelled.index(IGNORE_LABEL)
            raise InputError(
                Name(references.name, (index,)),
                f" is {IGNORE_LABEL}, which stands for no label",
                remedy="leave such examples out of all columns",
            )
        for column in columns[:2]:
            self._check(column, references)
        codes, _, _ = coded(columns)
        one, two = (self._hits(columns[i].lengths, codes[i], codes[2]) for i in (0, 1))
        to_check, labels = None, [column.distinct for column in columns]
        if any(labels[2].isdisjoint(predicted) for predicted in labels[:2]):
            to_check = LabelsToCheck(labels=(labels[0], labels[1], labels[2]))
        return Rows(one, two).noting(to_check=to_check)

    def is_right_or_wrong(self, rows: Rows) -> bool:
        return True

    def _check(self, predictions: Labels, references: Labels) -> None:
        """Raise InputError unless there are lists of at least k labels of the references' type."""
        name, lengths = predictions.name, predictions.lengths
        check_lengths(name, predictions.n, references.name, references.n)
        if lengths is None:
            got = f"single labels ({shown(predictions.first)})"
            raise InputError(Name(name), must=_RANKED, got=got, remedy=_RANK_THE_SCORES)
        if lengths.min() < self.k:
            index = int((lengths < self.k).argmax())
            raise InputError(
                *(Name("k"), f" is {shown(self.k)}, and "),
                *(Name(name, (predictions.start + index,)), f" has {lengths[index]} labels"),
                remedy="give at least k, or a smaller k",
            )
        if one_hot([predictions]) > 2:  # two may be a ranking of the classes 0 and 1
            raise InputError(
                Name(name),
                f" must {_RANKED}, and looks one-hot: {lengths[0]} numbers, a single 1 among zeros",
                remedy=_RANK_THE_SCORES,
            )
        check_alike(replace(predictions, lengths=None), references)

    def _hits(self, lengths: Any, codes: IntArray, right: IntArray) -> IntArray:
        """Return 1 for each example with the right label among its first k, else 0."""
        starts = np.cumsum(lengths) - lengths
        first = starts[:, None] + np.arange(self.k)
        return np.asarray((codes[first] == right[:, None]).any(axis=1), dtype=np.int64)
