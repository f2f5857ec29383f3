"""Correlation of predicted labels with the right ones, as in scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.inputs.labels import Columns
from pairedperm.scoring.class_score import ClassScore, Triple
from pairedperm.scoring.label_counts import count_classes
from pairedperm.scoring.metric import LabelMetric
from pairedperm.scoring.rows import Rows, check_some_right
from pairedperm.scoring.scores import Score


@dataclass(frozen=True)
class ClassCorrelation(ClassScore):
    """Matthews' correlation coefficient of any number of classes (Gorodkin 2004)."""

    adds_correct: ClassVar[bool] = True

    def values(
        self, correct: FloatArray, predicted: FloatArray, gold: FloatArray, fixed: Any
    ) -> FloatArray:
        """Return the correlations, 0 where predictions or references have no variance.

        Where all sums vary, predictions have the variance of their own number. If a system predicts
        one class only, small moves of its sums then leave the score at 0, as resamples do.
        """
        n_predicted = fixed[0] if fixed else predicted.sum(axis=1)
        if fixed is None:
            size = gold.sum(axis=1)
            fixed = size, 0, 0, 0, (gold * (size[:, None] - gold)).sum(axis=1)
        size, right, expected, spread, spread_of_gold = fixed
        covariance = (correct.sum(axis=1) + right) * size
        covariance -= (predicted * gold).sum(axis=1) + expected
        spread = (predicted * (np.reshape(n_predicted, (-1, 1)) - predicted)).sum(axis=1) + spread
        variance = spread * spread_of_gold
        return np.where(variance > 0.0, covariance / np.sqrt(np.maximum(variance, 1.0)), 0.0)

    def fixed(self, classes: list[Triple], gold: list[int]) -> tuple[int, ...]:
        """Return the number of labels, and the constant terms of the sums in the correlation."""
        size = sum(gold)
        return (
            size,
            sum(c for c, _, _ in classes),
            sum(p * g for _, p, g in classes),
            sum(p * (size - p) for _, p, _ in classes),
            sum(g * (size - g) for g in gold),
        )


class MatthewsCorrelation(LabelMetric):
    """The correlation of predictions and references, from -1 to 1, as in scikit-learn.

    It is 0 if all predictions, or all references, are the same.

    Reported as a number; higher is better. p is exact (two sums) for two classes: 0.2 s for a
    million examples. For more classes it is exact up to 10^7 sums, then sampled.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large, small = ["a", "b", "b", "b"], ["a", "b", "b", "a"], ["b", "b", "a", "a"]
    >>> result = compare(large, small, right, "matthews_correlation")
    >>> round(result.score1, 3), round(result.score2, 3), result.pvalue
    (0.577, -0.577, 0.5)
    """

    name = "matthews_correlation"
    words = "Matthews correlation"
    aliases = ("mcc", "phi", "matthews_corrcoef")
    unit = "number"
    limits = -1.0, 1.0

    def count(self, columns: Columns) -> Rows:
        """Return the numbers of labels (correct, predicted, right) of each class."""
        return count_classes(columns)

    def score(self, rows: Rows) -> Score:
        """Return the correlation of all labels."""
        check_some_right(rows)
        return ClassCorrelation("seen")
