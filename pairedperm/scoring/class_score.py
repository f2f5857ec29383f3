"""Scores of classes, from the correct, predicted and right labels of each class."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import column_sums
from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Null, Score, SumScore, TwoSums

Triple = tuple[int, int, int]  # correct, predicted and right labels of a class
_LARGEST_UNIT = 2**62  # proof: sum in int64


@dataclass(frozen=True)
class ClassScore(SumScore):
    """A score of rows (correct, predicted, right) of K classes each.

    Swaps do not change the numbers of right labels. If every label is in one of two classes, two
    sums remain: the predicted and the correct labels of the second class. The score then grows with
    the correct labels. A score that is linear in the correct labels is a mean. Any other score is a
    function of the sums of the classes on which the systems differ.
    """

    over: Literal["right", "seen", "all"]
    """The classes that count: "right" (in the references), "seen" (also if predicted), or "all"
    that are named. Unless classes are named, each label is in one class that counts."""

    adds_correct: ClassVar[bool] = False
    """Whether only the sum of all correct labels matters; the first class then holds this sum."""

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return the score of the sums that vary under swaps; under draws all columns vary."""
        if null == "draws":
            return rows, self
        n = len(rows.classes)
        sums = column_sums(rows.rows1, rows.multiplicities)  # three columns if there is no class
        gold = np.array(sums[2 * n :][:n], dtype=np.int64)
        of_systems = Rows(rows.rows1[:, : 2 * n], rows.rows2[:, : 2 * n], rows.multiplicities)
        if n == 2 and self.over != "all":
            second = _SecondOfTwo(self, gold, of_systems)
            return second.rows, second
        columns = _Columns(self, sums, of_systems)
        linear = self.linear(gold)
        if linear is None:
            return columns.rows, columns
        weights, unit = linear
        one, two = (x[:, :n] for x in (of_systems.rows1, of_systems.rows2))
        if unit < _LARGEST_UNIT:
            small = weights.astype(np.int64)
            mean = Mean(unit, total=1, otherwise=(columns.rows, columns))
            return Rows(one @ small, two @ small, of_systems.multiplicities), mean
        columns.whole = ((one - two).astype(object) @ weights).tolist()
        return columns.rows, columns

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the scores of sums (correct, predicted, right), shape (n, 3 K), that all vary."""
        correct, predicted, gold = np.hsplit(sums, 3)
        return self.values(correct, predicted, gold, None)

    @abstractmethod
    def values(
        self, correct: FloatArray, predicted: FloatArray, gold: FloatArray, fixed: Any
    ) -> FloatArray:
        """Return the scores in floats, from arrays of shape (n, K).

        If `fixed` is what the method `fixed` returned, `gold` has shape (K,). If `fixed` is None,
        the right labels vary too, and `gold` has shape (n, K).
        """

    def exactly(self, classes: list[Triple], fixed: Any) -> Fraction:
        """Return the exact score of the classes that vary and what `fixed` gave for the others."""
        raise NotImplementedError

    @abstractmethod
    def fixed(self, classes: list[Triple], gold: list[int]) -> Any:
        """Return what constant classes contribute; `gold` are the right labels of all classes."""

    def used(self, gold: IntArray) -> NDArray[np.bool_]:
        """Return which columns matter: first K of correct labels, then K of predicted ones."""
        return np.ones(2 * gold.size, dtype=np.bool_)

    def linear(self, gold: IntArray) -> tuple[NDArray[Any], int] | None:
        """Return weights and their unit if the score is Σ weights · correct / unit, else None."""
        return None


@dataclass(frozen=True)
class ClassAverage(ClassScore):
    """The mean over the classes of the ratio (numerator · counts) / (denominator · counts).

    The counts of a class are its correct, predicted and right labels. With `is_weighted` the right
    labels are the weights, and some class must have one. In a resample without right labels all
    classes count alike, as in scikit-learn.
    """

    numerator: Triple
    denominator: Triple
    zero_division: Fraction
    is_weighted: bool = False
    is_exact = True

    def values(
        self, correct: FloatArray, predicted: FloatArray, gold: FloatArray, fixed: Any
    ) -> FloatArray:
        total, n = fixed or (0, 0)
        numerator, denominator = self._parts(correct, predicted, gold)
        is_zero = denominator == 0.0
        ratios = numerator / np.where(is_zero, 1.0, denominator)
        ratios = np.where(is_zero, float(self.zero_division), ratios)
        weights = self._weight(predicted, gold)
        if self.is_weighted and fixed is None:
            weights += (weights.sum(axis=1) == 0.0)[:, None]
        n = weights.sum(axis=1) + n
        total_score = (ratios * weights).sum(axis=1) + float(total)
        return np.asarray(total_score / np.where(n == 0.0, 1.0, n))  # n may lie below 1, for slopes

    def exactly(self, classes: list[Triple], fixed: Any) -> Fraction:
        total, n = fixed
        more, n_more = self.fixed(classes, [])
        return Fraction(total + more, max(n + n_more, 1))

    def fixed(self, classes: list[Triple], gold: list[int]) -> tuple[Fraction, int]:
        """Return the weighted sum of the ratios of some classes, and the sum of their weights."""
        total, n = Fraction(0), 0
        for correct, predicted, right in classes:
            if weight := self._weight(predicted, right):
                numerator, denominator = self._parts(correct, predicted, right)
                ratio = Fraction(numerator, denominator) if denominator else self.zero_division
                total += weight * ratio
                n += weight
        return total, n

    def used(self, gold: IntArray) -> NDArray[np.bool_]:
        """Return which columns of correct and which of predicted labels matter.

        If the right labels are the denominator, the correct labels of classes with right labels
        matter. The predicted labels matter where they alone decide if a class is "seen". For other
        denominators both matter, unless the weight of the class is 0.
        """
        if self.is_weighted:
            return np.tile(gold > 0, 2)
        if self.denominator != (0, 0, 1):
            return np.ones(2 * gold.size, dtype=np.bool_)
        predicted = (gold == 0) & (self.over == "seen")
        return np.concatenate((gold > 0, predicted))

    def linear(self, gold: IntArray) -> tuple[NDArray[Any], int] | None:
        """Return weights and their unit if right labels are all denominators, else None."""
        there = gold > 0
        is_linear = self.denominator == (0, 0, 1) and not self.is_weighted
        if not is_linear or not (self.over == "right" or there.all()):
            return None
        unit, n_classes = math.lcm(*gold[there].tolist()), int(there.sum())
        weights = np.array([unit // g if g else 0 for g in gold.tolist()], dtype=object)
        return weights, unit * n_classes

    def _weight(self, predicted: Any, gold: Any) -> Any:
        """Return how often a class counts, or if it counts, for numbers or arrays."""
        if self.is_weighted:
            return gold + 0 * predicted  # broadcast to the shape of both
        if self.over == "right":
            return (gold > 0) | (predicted < 0)  # broadcast to the shape of both
        if self.over == "seen":
            return (gold > 0) | (predicted > 0)
        return predicted >= 0

    def _parts(self, correct: Any, predicted: Any, gold: Any) -> tuple[Any, Any]:
        """Return numerator and denominator of a class, for numbers or arrays."""
        (a, b, c), (x, y, z) = self.numerator, self.denominator
        numerator = a * correct + b * predicted + c * gold
        return numerator, x * correct + y * predicted + z * gold


class _OfClasses(SumScore):
    """A score of sums, from which the correct and predicted labels of each class are restored."""

    rows: Rows  # the rows that are summed
    score: ClassScore
    gold: IntArray
    fixed: Any

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the scores of sums of shape (n, m)."""
        return self.score.values(*self.restored(sums), self.gold.astype(np.float64), self.fixed)

    @property
    def is_exact(self) -> bool:  # type: ignore[override]
        """Whether the score has exact values, which decide ties."""
        return self.score.is_exact

    def exact(self, sums: list[int]) -> Fraction:
        """Return the exact score of one row of sums."""
        correct, predicted = self.restored(np.array([sums], dtype=np.int64))
        classes = zip(correct[0].tolist(), predicted[0].tolist(), self.gold.tolist(), strict=True)
        return self.score.exactly([*classes], self.fixed)

    @abstractmethod
    def restored(self, sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the correct and the predicted labels, shape (n, K) each."""


class _SecondOfTwo(_OfClasses, TwoSums):
    """A score of two classes from (y, x), the predicted and the correct labels of the second class.

    All labels but y are predicted as the first class. It has g right labels, and g - y + x of them
    are predicted correctly. Impossible sums are moved to the nearest possible ones.
    """

    def __init__(self, score: ClassScore, gold: IntArray, of_systems: Rows) -> None:
        self.score, self.gold, self.fixed = score, gold, score.fixed([], gold.tolist())
        one, two = of_systems.rows1[:, [3, 1]], of_systems.rows2[:, [3, 1]]
        self.rows = Rows(one.astype(np.int64), two.astype(np.int64), of_systems.multiplicities)

    def restored(self, sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        (first, second), y = self.gold.tolist(), sums[:, 0]
        x = np.clip(sums[:, 1], np.maximum(y - first, 0), np.minimum(y, second))
        correct = np.stack((first - y + x, x), axis=1)
        return correct, np.stack((first + second - y, y), axis=1)


class _Columns(_OfClasses):
    """A score of the columns that it depends on, in the classes on which the systems differ.

    `sums` are those of the first system's columns: correct, predicted and right.
    """

    def __init__(self, score: ClassScore, sums: list[int], of_systems: Rows) -> None:
        rows1, rows2 = of_systems.rows1, of_systems.rows2
        n = rows1.shape[1] // 2
        is_different = (rows1 != rows2).any(axis=0)
        differs = is_different[:n] | is_different[n:]
        differs[0] |= not differs.any()
        classes = np.array(sums[: 3 * n]).reshape(3, n).T
        gold = classes[:, 2]
        same = [*map(tuple, classes[~differs].tolist())]
        self.score, self.gold = score, gold[differs]
        self.fixed = score.fixed(same, gold.tolist())
        self._used = score.used(self.gold)
        if score.adds_correct:
            self._used[1 : self.gold.size] = False
        parts = []
        for rows in (rows1, rows2):
            some = rows[:, np.tile(differs, 2)]
            if score.adds_correct:
                some[:, 0] = some[:, : self.gold.size].sum(axis=1)
            chosen = some[:, self._used]
            parts.append(chosen if chosen.shape[1] else np.zeros((len(rows), 1), dtype=np.int64))
        self.rows = Rows(parts[0], parts[1], of_systems.multiplicities)

    def restored(self, sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the labels; columns that the score does not depend on are 0."""
        counts = np.zeros((len(sums), self._used.size), dtype=sums.dtype)
        counts[:, self._used] = sums[:, : np.count_nonzero(self._used)]
        correct, predicted = np.hsplit(counts, 2)
        return correct, predicted
