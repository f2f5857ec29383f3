"""Scores that average over classes: from the numbers of correct and of predicted labels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.scoring.metric import MetricSpec
from pairedperm.scoring.roots import RootSum

__all__ = ["ClassScore"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class ClassScore:
    """A metric of the numbers of labels of each class, correct ones and predicted ones.

    Parameters
    ----------
    spec : MetricSpec
        With the average "macro", or the name "balanced_accuracy" or "matthews_correlation".
    gold : int64 array, shape (K,)
        How many of each class there are, which no swap changes.
    fixed : tuple of int64 array, shape (3, F)
        Correct, predicted and right labels of further classes, whose numbers no swap changes.
    """

    def __init__(self, spec: MetricSpec, gold: IntArray, fixed: IntArray) -> None:
        self._spec, self._gold = spec, gold
        self._zero_division = spec.zero_division
        # scikit-learn averages over the classes that occur, or those that are named
        self._counts_present = spec.selected is None and not spec.multilabel
        correct, predicted, right = fixed.tolist()
        self._size = sum(gold.tolist()) + sum(right)
        pairs = list(zip(correct, predicted, right, strict=True))
        if spec.name == "matthews_correlation":
            self._correct = sum(correct)
            self._expected = sum(p * g for _, p, g in pairs)
            self._spread = sum(p * (self._size - p) for p in predicted)
            both = [*gold.tolist(), *right]
            self._spread_of_gold = sum(g * (self._size - g) for g in both)
        else:
            self._total, self._n = self._sum(pairs)

    def values(self, correct: FloatArray, predicted: FloatArray) -> FloatArray:
        """In floats, of arrays of shape (n, K)."""
        gold = self._gold.astype(np.float64)
        if self._spec.name == "matthews_correlation":
            covariance = (correct.sum(axis=1) + self._correct) * float(self._size)
            covariance -= predicted @ gold + float(self._expected)
            spread = (predicted * (self._size - predicted)).sum(axis=1) + float(self._spread)
            return _correlation(covariance, spread * float(self._spread_of_gold))
        return self._averages(correct, predicted, gold)

    def of_resamples(
        self, correct: FloatArray, predicted: FloatArray, gold: FloatArray
    ) -> FloatArray:
        """The same where the numbers of right labels, shape (n, K), vary too; without `fixed`."""
        if self._spec.name == "matthews_correlation":
            size = gold.sum(axis=1)
            covariance = correct.sum(axis=1) * size - (predicted * gold).sum(axis=1)
            spread, of_gold = ((x * (size[:, None] - x)).sum(axis=1) for x in (predicted, gold))
            return _correlation(covariance, spread * of_gold)
        return self._averages(correct, predicted, gold)

    def _averages(self, correct: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
        numerator, denominator = self._parts(correct, predicted, gold)
        is_zero = denominator == 0.0
        ratios = numerator / np.where(is_zero, 1.0, denominator)
        ratios = np.where(is_zero, float(self._zero_division), ratios)
        counted = self._is_counted(predicted, gold)
        n = counted.sum(axis=1) + self._n
        return np.asarray(((ratios * counted).sum(axis=1) + float(self._total)) / np.maximum(n, 1))

    def exactly(self, correct: list[int], predicted: list[int]) -> Fraction | RootSum:
        """The same of one row, without rounding."""
        gold: list[int] = self._gold.tolist()
        if self._spec.name == "matthews_correlation":
            expected = sum(p * g for p, g in zip(predicted, gold, strict=True)) + self._expected
            covariance = (sum(correct) + self._correct) * self._size - expected
            spread = sum(p * (self._size - p) for p in predicted) + self._spread
            return RootSum.ratio(covariance, spread * self._spread_of_gold)
        total, n = self._sum(list(zip(correct, predicted, gold, strict=True)))
        return (total + self._total) / max(n + self._n, 1)

    def _sum(self, classes: list[tuple[int, int, int]]) -> tuple[Fraction, int]:
        """The sum of the scores of some classes, and how many count."""
        total, n = Fraction(0), 0
        for correct, predicted, gold in classes:
            if self._is_counted(predicted, gold):
                numerator, denominator = self._parts(correct, predicted, gold)
                total += Fraction(numerator, denominator) if denominator else self._zero_division
                n += 1
        return total, n

    def _is_counted(self, predicted: Any, gold: Any) -> Any:
        """Whether a class is averaged over, of numbers or of arrays."""
        if self._spec.name == "balanced_accuracy":
            return (gold > 0) | (predicted < 0)  # of the shape of both
        if self._counts_present:
            return (gold > 0) | (predicted > 0)
        return predicted >= 0

    def _parts(self, correct: Any, predicted: Any, gold: Any) -> tuple[Any, Any]:
        """Numerator and denominator of a class's own score, of numbers or of arrays."""
        name = self._spec.name
        if name == "precision":
            return correct, predicted
        if name in ("recall", "balanced_accuracy"):
            return correct, gold + 0 * predicted
        if name == "jaccard":
            return correct, predicted + gold - correct
        a, b = (1, 1)
        if self._spec.beta is not None:
            a, b = self._spec.beta.numerator**2, self._spec.beta.denominator**2
        return (a + b) * correct, a * gold + b * predicted


def _correlation(covariance: FloatArray, variance: FloatArray) -> FloatArray:
    """0 where one side has no variance."""
    return np.where(variance > 0.0, covariance / np.sqrt(np.maximum(variance, 1.0)), 0.0)
