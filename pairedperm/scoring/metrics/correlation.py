"""Correlation of predicted labels with the right ones, as in scikit-learn.

It is an integer divided by the root of another, so differences are sums of such terms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.inputs.labels import Columns
from pairedperm.scoring.class_score import ClassScore, Triple
from pairedperm.scoring.label_counts import count_classes
from pairedperm.scoring.metric import LabelMetric
from pairedperm.scoring.rows import Rows, check_some_right
from pairedperm.scoring.scores import Score


class RootSum:
    """The sum Σ coefficients / √radicands: a correlation has one term, a difference two.

    Parameters
    ----------
    terms : mapping of int to Fraction or int
        Positive radicands and their coefficients.
    """

    def __init__(self, terms: dict[int, Fraction]) -> None:
        self._terms = {radicand: x for radicand, x in terms.items() if x}

    @classmethod
    def ratio(cls, numerator: int, radicand: int) -> RootSum:
        """Return numerator / √radicand, or 0 if the radicand is 0."""
        return cls({radicand: Fraction(numerator)} if radicand else {})

    def __sub__(self, other: RootSum) -> RootSum:
        terms = dict(self._terms)
        for radicand, x in other._terms.items():
            terms[radicand] = terms.get(radicand, Fraction(0)) - x
        return RootSum(terms)

    def __abs__(self) -> RootSum:
        return self if self.sign() >= 0 else RootSum({}) - self

    def __ge__(self, other: RootSum) -> bool:
        return (self - other).sign() >= 0

    def __le__(self, other: RootSum) -> bool:
        return (self - other).sign() <= 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int) and other == 0:
            return self.sign() == 0
        return isinstance(other, RootSum) and (self - other).sign() == 0

    __hash__ = None  # type: ignore[assignment]

    def sign(self) -> int:
        """Return the sign: -1, 0 or 1.

        Since x / √r = (x / r) √r, the sum in units of the common denominator is S = Σ ± √N of
        integers N. S is an algebraic integer, and its conjugates are among Σ ± √N with other signs.
        The product of all conjugates is an integer, and each is at most U = Σ √N in size. So S is
        0, or at least U^-(2^k - 1) in size for k terms. Integer square roots of N 4^b are within
        one of 2^b √N; b grows until they decide.
        """
        terms = [(x / radicand, radicand) for radicand, x in self._terms.items()]
        common = math.lcm(*(x.denominator for x, _ in terms)) if terms else 1
        squares = [(x > 0, int(x * common) ** 2 * radicand) for x, radicand in terms]
        k = len(squares)
        bits_of_u = max((n.bit_length() // 2 + 1 for _, n in squares), default=0) + k
        enough = bits_of_u * (2**k - 1) + k + 2
        bits = 64
        while True:
            roots = [(1 if up else -1) * math.isqrt(n << 2 * bits) for up, n in squares]
            if abs(sum(roots)) > k:
                return 1 if sum(roots) > 0 else -1
            if bits >= enough:
                return 0
            bits *= 2


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

    def exactly(self, classes: list[Triple], fixed: Any) -> RootSum:
        size, right, expected, spread, spread_of_gold = map(int, fixed)
        covariance = (sum(c for c, _, _ in classes) + right) * size
        covariance -= sum(p * g for _, p, g in classes) + expected
        spread += sum(p * (size - p) for _, p, _ in classes)
        return RootSum.ratio(covariance, spread * spread_of_gold)

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
