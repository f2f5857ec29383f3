"""Accuracy: of labels, of whole examples, or balanced over classes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from operator import eq

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.inputs.labels import Columns, Labels
from pairedperm.scoring.class_score import ClassAverage
from pairedperm.scoring.label_counts import count_classes
from pairedperm.scoring.metric import LabelMetric
from pairedperm.scoring.pairs import CACHED_ROWS, LEAST
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.rows import Rows, check_some_right
from pairedperm.scoring.scores import Mean, Score


class Accuracy(LabelMetric):
    """Correct labels / all labels.

    If examples are sequences, a swap moves the whole sequence, since its labels are not
    independent.

    Reported as a share; higher is better. p is exact (one sum): 3 ms for a million examples.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large, small = ["a", "b", "b", "b"], ["a", "b", "b", "a"], ["b", "b", "a", "a"]
    >>> result = compare(large, small, right)
    >>> result.score1, result.score2, result.pvalue
    (0.75, 0.25, 0.5)
    """

    name = "accuracy"
    aliases = ("acc",)
    is_plain = True

    def count(self, columns: Columns) -> Rows:
        """Return correct labels; for sequences rows (correct, all)."""
        references = columns[2]
        if references.lengths is None:
            return _counted_hits(columns)
        rows = []
        for predictions in columns[:2]:
            correct = references.sums(_equal(predictions, references))
            rows.append(np.array((correct, references.lengths)).T)
        return Rows(rows[0], rows[1])

    def score(self, rows: Rows) -> Score:
        """Return correct / all."""
        return share_of_labels(rows)


class ExactMatch(LabelMetric):
    """Examples that are right as a whole / all examples.

    A sequence of another length than its reference is wrong.

    Reported as a share; higher is better. p is exact (one sum): 3 ms for a million examples.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large = [["A", "B"], ["B"]], [["A", "B"], ["B"]]
    >>> result = compare(large, [["A", "A"], ["B"]], right, "exact_match")
    >>> result.score1, result.score2, result.pvalue
    (1.0, 0.5, 1.0)
    """

    name = "exact_match"
    aliases = ("em",)
    may_be_text = True
    is_plain = True

    def count(self, columns: Columns) -> Rows:
        """Return 1 for each example that is right, else 0."""
        if columns[2].lengths is None:
            return _counted_hits(columns)
        one, two = (_exact_matches(x, columns[2]) for x in columns[:2])
        return Rows(one, two)


class BalancedAccuracy(LabelMetric):
    """The mean of the recalls of all classes that the references have, as in scikit-learn.

    Reported as a share; higher is better. p is exact (two sums) for two classes: 0.2 s for a
    million examples. For more classes it is exact (one sum), or bounded by an interval if the class
    sizes have no small common multiple.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large, small = ["a", "b", "b", "b"], ["a", "b", "b", "a"], ["b", "b", "a", "a"]
    >>> result = compare(large, small, right, "balanced_accuracy")
    >>> result.score1, result.score2, result.pvalue
    (0.8333333333333333, 0.16666666666666666, 0.5)
    """

    name = "balanced_accuracy"
    aliases = ("bacc", "uar")

    def count(self, columns: Columns) -> Rows:
        """Return the numbers of labels (correct, predicted, right) of each class."""
        return count_classes(columns)

    def score(self, rows: Rows) -> Score:
        """Return the mean of the classes' recalls."""
        check_some_right(rows)
        return ClassAverage("right", (1, 0, 0), (0, 0, 1), Fraction(0))


def share_of_labels(rows: Rows) -> Score:
    """Return the score of 1 or 0 for each example, or of rows (some of the labels, all labels)."""
    if rows.rows1.ndim == 1:
        return Mean()
    check_some_right(rows)
    return Ratio((1, 0), (0, 1))


def _counted_hits(columns: Columns) -> Rows:
    """Return 1 for each example whose label is right, else 0; many examples are counted at once."""
    n, of_first, of_second, of_both = len(columns[2].flat), 0, 0, 0
    if n < LEAST or columns[2].in_order:
        hit1, hit2 = _equal(columns[0], columns[2]), _equal(columns[1], columns[2])
        return Rows(hit1.astype(np.int64), hit2.astype(np.int64))
    for start in range(0, n, CACHED_ROWS):
        one, two, right = columns
        if n > CACHED_ROWS:
            one, two, right = (
                replace(x, flat=x.flat[start : start + CACHED_ROWS]) for x in columns
            )
        hit1, hit2 = _equal(one, right), _equal(two, right)
        of_first += int(np.count_nonzero(hit1))
        of_second += int(np.count_nonzero(hit2))
        of_both += int(np.count_nonzero(hit1 & hit2))
    others = n - of_first - of_second + of_both, of_second - of_both, of_first - of_both
    how_often = np.array((*others, of_both), dtype=np.int64)
    there = np.flatnonzero(how_often)  # index: 2 · right of system 1 + right of system 2
    return Rows(there >> 1, there & 1, how_often[there])


def _exact_matches(predictions: Labels, references: Labels) -> IntArray:
    """Return 1 for each sequence that is right as a whole, else 0, shape (n,).

    A sequence of another length than its reference is not right.
    """
    same_length = np.asarray(predictions.lengths == references.lengths)
    given, right = (x.where(x.spread(same_length)) for x in (predictions, references))
    all_agree = right.sums(_equal(given, right)) == right.lengths
    return np.asarray(same_length & all_agree, dtype=np.int64)


def _equal(one: Labels, other: Labels) -> NDArray[np.bool_]:
    """Return which labels are the same."""
    if one.names is other.names and not (
        isinstance(one.flat, list) or isinstance(other.flat, list)
    ):
        return np.asarray(one.flat == other.flat)
    # Compare strings one by one: an array of them would be as wide as the longest string.
    return np.fromiter(map(eq, one.spelled, other.spelled), dtype=np.bool_, count=len(one.flat))
