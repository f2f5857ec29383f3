"""Scores that average over classes: from the numbers of correct and of predicted labels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.metric import MetricSpec
from pairedperm.roots import RootSum

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
    """

    def __init__(self, spec: MetricSpec, gold: IntArray) -> None:
        self._spec, self._gold = spec, gold
        self._zero_division = spec.zero_division
        # scikit-learn averages over the classes that occur, or those that are named
        self.counts_present = spec.selected is None and not spec.multilabel

    def values(self, correct: FloatArray, predicted: FloatArray) -> FloatArray:
        """In floats, of arrays of shape (n, K)."""
        gold = self._gold.astype(np.float64)
        if self._spec.name == "matthews_correlation":
            size = gold.sum()
            covariance = correct.sum(axis=1) * size - predicted @ gold
            variance = (size**2 - (predicted**2).sum(axis=1)) * (size**2 - (gold**2).sum())
            return np.where(variance > 0.0, covariance / np.sqrt(np.maximum(variance, 1.0)), 0.0)
        if self._spec.name == "balanced_accuracy":
            there = gold > 0.0
            return np.asarray((correct[:, there] / gold[there]).mean(axis=1))
        numerator, denominator = self._parts(correct, predicted, gold)
        is_zero = denominator == 0.0
        ratios = numerator / np.where(is_zero, 1.0, denominator)
        ratios = np.where(is_zero, float(self._zero_division), ratios)
        if not self.counts_present:
            return np.asarray(ratios.mean(axis=1))
        present = (predicted > 0.0) | (gold > 0.0)
        return np.asarray((ratios * present).sum(axis=1) / np.maximum(present.sum(axis=1), 1))

    def exactly(self, correct: list[int], predicted: list[int]) -> Fraction | RootSum:
        """The same of one row, without rounding."""
        gold: list[int] = self._gold.tolist()
        if self._spec.name == "matthews_correlation":
            size = sum(gold)
            covariance = sum(correct) * size - sum(
                p * g for p, g in zip(predicted, gold, strict=True)
            )
            variance = size**2 - sum(p * p for p in predicted)
            return RootSum.ratio(covariance, variance * (size**2 - sum(g * g for g in gold)))
        if self._spec.name == "balanced_accuracy":
            ratios = [Fraction(c, g) for c, g in zip(correct, gold, strict=True) if g]
            return sum(ratios, Fraction(0)) / len(ratios)
        total, n = Fraction(0), 0
        for c, p, g in zip(correct, predicted, gold, strict=True):
            if self.counts_present and not p and not g:
                continue
            numerator, denominator = self._parts(c, p, g)
            total += Fraction(numerator, denominator) if denominator else self._zero_division
            n += 1
        return total / max(n, 1)

    def _parts(self, correct: Any, predicted: Any, gold: Any) -> tuple[Any, Any]:
        """Numerator and denominator of a class's own score, of numbers or of arrays."""
        name = self._spec.name
        if name == "precision":
            return correct, predicted
        if name == "recall":
            return correct, gold + 0 * predicted
        if name == "jaccard":
            return correct, predicted + gold - correct
        a, b = (1, 1)
        if self._spec.beta is not None:
            a, b = self._spec.beta.numerator**2, self._spec.beta.denominator**2
        return (a + b) * correct, a * gold + b * predicted
