"""Accuracy: of labels, of whole examples, or balanced over classes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import compress
from operator import eq

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.inputs.labels import Labels, check_columns, check_comparable
from pairedperm.scoring.class_counts import check_some_right, count_classes
from pairedperm.scoring.class_score import ClassAverage
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.waist import Mean, Rows, Score


class Accuracy(Metric):
    """Correct labels / all labels.

    Where examples are sequences the whole sequence is swapped, since its labels are not
    independent.
    """

    name = "accuracy"
    is_plain = True

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """Correct labels; of sequences (correct, all)."""
        check_columns((predictions1, predictions2, references))
        one, two = _equal(predictions1, references), _equal(predictions2, references)
        if references.lengths is None:
            return Rows(one, two)
        rows1, rows2 = (np.array((references.sums(x), references.lengths)).T for x in (one, two))
        return Rows(rows1, rows2)

    def score(self, rows: Rows) -> Score:
        """Correct / all."""
        if rows.rows1.ndim == 1:
            return Mean()
        check_some_right(rows)
        return Ratio((1, 0), (0, 1))


class ExactMatch(Metric):
    """Examples that are right as a whole / all examples.

    A sequence of another length than its reference is wrong.
    """

    name = "exact_match"
    may_be_text = True
    is_plain = True

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """1 where the example is right, or 0."""
        one, two = (_exact_matches(x, references) for x in (predictions1, predictions2))
        return Rows(one, two)

    def score(self, rows: Rows) -> Score:
        """The mean."""
        return Mean()


class BalancedAccuracy(Metric):
    """The mean of the recalls of all classes that the references have, as scikit-learn's."""

    name = "balanced_accuracy"

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """Numbers of labels (correct, predicted, right) of each class."""
        return count_classes((predictions1, predictions2, references), self)

    def score(self, rows: Rows) -> Score:
        """The mean of the classes' recalls."""
        check_some_right(rows)
        return ClassAverage("right", (1, 0, 0), (0, 0, 1), Fraction(0))


def _exact_matches(predictions: Labels, references: Labels) -> IntArray:
    """1 for each example that is right as a whole, 0 for the others, shape (n,).

    A sequence of another length than its reference is not right.
    """
    check_comparable(predictions, references)
    if predictions.lengths is None or references.lengths is None:
        return _equal(predictions, references)
    same_length = predictions.lengths == references.lengths
    right = _chosen(references, same_length)
    agree = _equal(_chosen(predictions, same_length), right)
    result = np.zeros(references.n, dtype=np.int64)
    result[same_length] = right.sums(agree) == right.lengths
    return result


def _equal(one: Labels, other: Labels) -> IntArray:
    if one.names is other.names and not (
        isinstance(one.flat, list) or isinstance(other.flat, list)
    ):
        return np.asarray(one.flat == other.flat, dtype=np.int64)
    # Strings one by one: an array of them would be as wide as the longest.
    return np.fromiter(map(eq, one.spelled, other.spelled), dtype=np.int64, count=len(one.flat))


def _chosen(labels: Labels, examples: NDArray[np.bool_]) -> Labels:
    """The sequences of some examples."""
    assert labels.lengths is not None
    mask, flat = np.repeat(examples, labels.lengths), labels.flat
    chosen = list(compress(flat, mask)) if isinstance(flat, list) else flat[mask]
    return replace(labels, flat=chosen, lengths=labels.lengths[examples])
