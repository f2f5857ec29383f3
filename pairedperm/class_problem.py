"""The test of a score that averages over classes: which sums it depends on."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.class_scores import ClassScore
from pairedperm.counts import PairedCounts, of_units
from pairedperm.differences import DifferenceCounts
from pairedperm.mean_test import mean_problem
from pairedperm.metric import MetricSpec
from pairedperm.plane_test import plane_problem
from pairedperm.problem import Problem, first_that_fits
from pairedperm.sum_differences import SumDifferences
from pairedperm.sum_test import score_problem

__all__ = ["class_problem"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_LARGEST = 2**62


def class_problem(
    counts: PairedCounts, gold: IntArray, spec: MetricSpec, alternative: str
) -> Problem:
    """Of rows (correct, predicted) of K classes each, and how many of each class there are.

    Of two classes, all labels being one or the other, two sums are left: the labels of the second
    class that are predicted, and those of them that are correct; each score grows with these.
    A score that is linear in the correct labels is a mean. Any other is a function of those
    sums that it depends on.
    """
    score = ClassScore(spec, gold)
    if len(gold) == 2 and score.counts_present:
        second = _Combined(score, *_of_two_classes(gold), bounds=gold)
        return plane_problem(second.differences(counts), second, alternative)
    combined = _Combined(score, *_combination(spec, gold, score.counts_present))
    problem = score_problem(combined.differences(counts), combined, alternative)
    there = gold > 0
    if spec.name == "balanced_accuracy" or (spec.name == "recall" and there.all()):
        unit, n_classes = math.lcm(*gold[there].tolist()), int(there.sum())
        if unit * n_classes < _LARGEST:
            weights = np.where(there, unit // np.maximum(gold, 1), 0)
            one, two = (x[:, : len(gold)] @ weights for x in (counts.rows1, counts.rows2))
            scores = DifferenceCounts.from_counts(of_units(one, two, counts.multiplicities, 0))
            mean = mean_problem(scores, unit * n_classes, alternative)
            return first_that_fits(mean, problem)
    return problem


class _Combined:
    """A score of combinations of the columns (correct, predicted), shape (2K, m).

    Of their sums `restore`, shape (m, 2K), and `constant` make numbers with the same score. With
    `bounds`, how many there are of two classes, sums (y, x) that cannot be are taken to the
    nearest ones that can.
    """

    def __init__(
        self,
        score: ClassScore,
        combine: IntArray,
        restore: IntArray,
        constant: IntArray,
        bounds: IntArray | None = None,
    ) -> None:
        self._score, self._combine, self._bounds = score, combine, bounds
        self._restore, self._constant = restore, constant

    def differences(self, counts: PairedCounts) -> SumDifferences:
        """Of the combined columns."""
        rows1, rows2 = counts.rows1 @ self._combine, counts.rows2 @ self._combine
        return SumDifferences.from_rows(rows1, rows2, counts.multiplicities)

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Of sums of the combinations, shape (n, m)."""
        columns: FloatArray = self._possible(sums) @ self._restore.astype(np.float64)
        columns = columns + self._constant
        n_classes = columns.shape[1] // 2
        return self._score.values(columns[:, :n_classes], columns[:, n_classes:])

    def exact(self, sums: list[int]) -> Any:
        """Of one row, without rounding."""
        row = self._possible(np.array([sums], dtype=np.int64))[0] @ self._restore + self._constant
        columns = row.tolist()
        n_classes = len(columns) // 2
        return self._score.exactly(columns[:n_classes], columns[n_classes:])

    def _possible(self, sums: NDArray[Any]) -> NDArray[Any]:
        if self._bounds is None:
            return sums
        first, second = self._bounds
        predicted = sums[:, 0]
        correct = np.clip(
            sums[:, 1], np.maximum(predicted - first, 0), np.minimum(predicted, second)
        )
        return np.stack((predicted, correct), axis=1)


def _of_two_classes(gold: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Of (y, x), the predicted and the correct labels of the second class.

    Of the first class gold - y + x are correct, and all labels but y are predicted.
    """
    combine = np.array([[0, 0], [0, 1], [0, 0], [1, 0]])
    restore = np.array([[-1, 0, -1, 1], [1, 1, 0, 0]])
    return combine, restore, np.array([gold[0], 0, gold.sum(), 0])


def _combination(
    spec: MetricSpec, gold: IntArray, counts_present: bool
) -> tuple[IntArray, IntArray, IntArray]:
    """The columns that a score depends on, or for a correlation the correct labels together."""
    n_classes = len(gold)
    whole = np.eye(2 * n_classes, dtype=np.int64)
    constant = np.zeros(2 * n_classes, dtype=np.int64)
    if spec.name == "matthews_correlation":
        combine = whole[:, n_classes - 1 :].copy()
        combine[:n_classes, 0] = 1
        return combine, whole[[0, *range(n_classes, 2 * n_classes)]], constant
    if spec.name in ("balanced_accuracy", "recall"):
        needed = np.concatenate((gold > 0, (gold == 0) & (spec.name == "recall") & counts_present))
        if not needed.any():  # the score is constant
            return np.zeros_like(whole[:, :1]), np.zeros_like(whole[:1]), constant
        return whole[:, needed], whole[needed], constant
    return whole, whole, constant
