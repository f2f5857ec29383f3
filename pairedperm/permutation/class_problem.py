"""The test of a score that averages over classes: which sums it depends on."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution import exact_dot
from pairedperm.permutation.additive import of_whole_numbers
from pairedperm.permutation.mean_problem import mean_problem
from pairedperm.permutation.means import DifferenceCounts
from pairedperm.permutation.problem import Problem, first_that_fits
from pairedperm.permutation.sum_differences import SumDifferences
from pairedperm.permutation.sums import score_problem
from pairedperm.permutation.two_sums import plane_problem
from pairedperm.scoring.class_score import ClassScore
from pairedperm.scoring.counts import PairedCounts, of_units
from pairedperm.scoring.metric import MetricSpec

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
    A score that is linear in the correct labels is a mean. Any other is a function of the
    sums of the classes on which the systems differ.
    """
    if len(gold) == 2 and spec.selected is None and not spec.multilabel:
        second = _SecondOfTwo(spec, gold)
        return plane_problem(second.differences(counts), second, alternative)
    columns = _Columns(counts, spec, gold)
    problem = score_problem(columns.differences(counts), columns, alternative)
    there = gold > 0
    if spec.name == "balanced_accuracy" or (spec.name == "recall" and there.all()):
        unit, n_classes = math.lcm(*gold[there].tolist()), int(there.sum())
        if unit * n_classes < _LARGEST:
            weights = np.array([unit // g if g else 0 for g in gold.tolist()], dtype=np.int64)
            one, two = (x[:, : len(gold)] @ weights for x in (counts.rows1, counts.rows2))
            scores = DifferenceCounts.from_counts(of_units(one, two, counts.multiplicities, 0))
            mean = mean_problem(scores, unit * n_classes, alternative)
            return first_that_fits(mean, problem)
        exact = np.array([unit // g if g else 0 for g in gold.tolist()], dtype=object)
        differences = (counts.rows1 - counts.rows2)[:, : len(gold)].astype(object) @ exact
        additive = of_whole_numbers(
            differences.tolist(), counts.multiplicities.tolist(), alternative
        )
        return replace(problem, additive=additive)
    return problem


class _OfSums:
    """A score of sums, from which the correct and predicted labels of each class are restored."""

    _score: ClassScore

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Of sums of shape (n, m)."""
        return self._score.values(*self._restored(sums))

    def exact(self, sums: list[int]) -> Any:
        """Of one row, without rounding."""
        correct, predicted = self._restored(np.array([sums], dtype=np.int64))
        return self._score.exactly(correct[0].tolist(), predicted[0].tolist())

    def _restored(self, sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Correct and predicted labels, shape (n, K) each."""
        raise NotImplementedError


class _SecondOfTwo(_OfSums):
    """A score of two classes, of the sums (y, x): labels of the second, predicted and correct.

    Of the first class all labels but y are predicted, and of its g ones g - y + x correctly.
    Sums that cannot be are taken to the nearest ones that can.
    """

    def __init__(self, spec: MetricSpec, gold: IntArray) -> None:
        self._score = ClassScore(spec, gold, np.zeros((3, 0), dtype=np.int64))
        self._first, self._second = gold.tolist()

    def differences(self, counts: PairedCounts) -> SumDifferences:
        """Of y and x."""
        rows1, rows2 = counts.rows1[:, [3, 1]], counts.rows2[:, [3, 1]]
        return SumDifferences.from_rows(rows1, rows2, counts.multiplicities)

    def _restored(self, sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        y = sums[:, 0]
        x = np.clip(sums[:, 1], np.maximum(y - self._first, 0), np.minimum(y, self._second))
        correct = np.stack((self._first - y + x, x), axis=1)
        return correct, np.stack((self._first + self._second - y, y), axis=1)


class _Columns(_OfSums):
    """A score of those columns of the classes that differ which it depends on."""

    def __init__(self, counts: PairedCounts, spec: MetricSpec, gold: IntArray) -> None:
        n_classes = len(gold)
        is_different = (counts.rows1 != counts.rows2).any(axis=0)
        differs = is_different[:n_classes] | is_different[n_classes:]
        differs[0] |= not differs.any()
        rows = counts.rows1[:, np.concatenate((~differs, ~differs))]
        sums = [exact_dot(counts.multiplicities, column) for column in rows.T]
        fixed = np.array([*sums, *gold[~differs].tolist()], dtype=np.int64).reshape(3, -1)
        self._score = ClassScore(spec, gold[differs], fixed)
        self._differs, gold = differs, gold[differs]
        self._n_classes = int(differs.sum())
        self._is_correlation = spec.name == "matthews_correlation"
        self._correct = np.ones(gold.size, dtype=np.bool_)
        self._predicted = np.ones(gold.size, dtype=np.bool_)
        if spec.name in ("balanced_accuracy", "recall"):
            self._correct = gold > 0
            counts_present = spec.name == "recall" and spec.selected is None
            self._predicted = (gold == 0) & counts_present

    def differences(self, counts: PairedCounts) -> SumDifferences:
        """Of the columns; for a correlation, of the correct labels of all classes together."""
        parts = []
        for rows in (counts.rows1, counts.rows2):
            correct, predicted = np.hsplit(rows, 2)
            correct, predicted = correct[:, self._differs], predicted[:, self._differs]
            if self._is_correlation:
                correct = correct.sum(axis=1, keepdims=True)
            else:
                correct = correct[:, self._correct]
            chosen = np.hstack((correct, predicted[:, self._predicted]))
            parts.append(chosen if chosen.shape[1] else np.zeros((len(rows), 1), dtype=np.int64))
        return SumDifferences.from_rows(parts[0], parts[1], counts.multiplicities)

    def _restored(self, sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Correct and predicted labels of each class; what the score does not depend on is 0."""
        correct, predicted = (
            np.zeros((len(sums), self._n_classes), dtype=sums.dtype) for _ in range(2)
        )
        if self._is_correlation:
            correct[:, 0], n_first = sums[:, 0], 1
        else:
            n_first = int(self._correct.sum())
            correct[:, self._correct] = sums[:, :n_first]
        n_second = int(self._predicted.sum())
        predicted[:, self._predicted] = sums[:, n_first : n_first + n_second]
        return correct, predicted
