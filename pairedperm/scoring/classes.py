"""Scores of classes, from the correct, predicted and right labels of each class in each example."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.integers import column_sums
from pairedperm.convolution.law import FloatArray, IntArray, distinct_rows
from pairedperm.errors import InputError, in_brackets
from pairedperm.inputs.columns import OF_MATRICES, place
from pairedperm.inputs.labels import Columns, Labels, numbers_of
from pairedperm.scoring.rows import LEAST, Rows, few_rows
from pairedperm.scoring.scores import Mean, Null, Score, SumScore, TwoSums

MAX_CELLS = 3 * 2**25  # tuned: in all tables, 0.1 GiB of bytes and their differences in int64
_REMEDIES = {
    "labels": "name fewer, labels=[...]",
    "average": "use average='micro'",
}
LEAST_ROWS = 32  # tuned: so many rows take as much memory as the names of all classes


def count_classes(
    columns: Columns,
    selected: Sequence[Hashable] | None = None,
    *,
    sets: bool = False,
    options: Collection[str] = (),
) -> Rows:
    """Return rows (correct, predicted, right) of all classes that occur, or of the selected ones.

    In indicator matrices every column is a class, even if it never occurs, as in scikit-learn.
    `options` are those of the metric that messages may name.

    If each example has one label, the distinct triples (prediction, prediction, reference) are
    counted, since they are few. Otherwise each example has its own row at first.

    Raises
    ------
    InputError
        If there are too many classes.
    """
    references = columns[2]
    codes, _, labels = coded(columns)
    codes, how_often = counted_early(references, codes, is_named=labels is not None)
    right = right_labels(columns, codes, sets=sets)
    # the place of each label among the classes that count; all others share the place behind them
    present, numbers = compact(codes)
    there = present.tolist() if labels is None else [labels[k] for k in present.tolist()]
    classes = (references.every or sorted(there)) if selected is None else selected
    place_of = dict(zip(classes, range(len(classes)), strict=True))
    n_classes = max(len(classes), 1)  # other parts of the corpus may have classes
    where = np.array([place_of.get(label, n_classes) for label in there], dtype=np.int64)
    places = [where[column] for column in numbers]
    if references.lengths is None:
        if not references.in_order:  # examples that differ in other classes only are alike now
            first, how_often = distinct_rows(places, how_often)
            places, right = [x[first] for x in places], [x[first] for x in right]
        n, examples = len(places[0]), [np.arange(len(places[0]))] * 3
    else:
        n = references.n
        examples = [np.repeat(np.arange(n), np.asarray(x.lengths)) for x in columns]
    # the smallest type keeps rows of many classes small
    most = max(int(np.bincount(example).max(initial=0)) for example in examples)
    dtype = np.min_scalar_type(-2 * most - 1)  # holds differences, and differences of differences
    _check_cells(n, n_classes, dtype.itemsize, options)
    rows, labelled = [], [*zip(examples, places, strict=True)]
    for k in (0, 1):
        correct = examples[k][right[k]], places[k][right[k]]
        rows.append(_table((correct, labelled[k], labelled[2]), n, n_classes, dtype))
    counted = Rows(rows[0], rows[1], how_often).noting(classes=tuple(classes))
    return counted if references.in_order else counted.distinct()


def counted_early(
    references: Labels, codes: list[IntArray], *, is_named: bool = False
) -> tuple[list[IntArray], IntArray | None]:
    """Return the distinct triples of labels, as `coded`, and how often each occurs.

    Few examples, and many triples, are left as they are, unless labels have names to look up.
    Sequences of labels, and labels that must stay in their order, always are.
    """
    if references.lengths is not None or references.in_order:
        return codes, None
    few = few_rows(codes) if len(codes[2]) >= LEAST else None
    if few is None and is_named:
        first, how_often = distinct_rows(codes, None)
        few = [code[first] for code in codes], how_often
    return few or (codes, None)


def _check_cells(n: int, n_classes: int, itemsize: int, options: Collection[str]) -> None:
    """Raise InputError if the tables of both systems take too much memory."""
    allowed = MAX_CELLS // max(itemsize // 2, 1)
    needed = 6 * max(n, LEAST_ROWS) * n_classes
    if needed > allowed:
        ways = ", or ".join(way for name, way in _REMEDIES.items() if name in options)
        raise InputError(
            f"{n_classes:,} classes in {n:,} distinct examples are too many to average over",
            remedy=(
                f"that takes {needed:.3g} counts, and {allowed:.3g} are allowed",
                ways or "give rare ones one name in all columns",
            ),
        )


def _table(
    parts: Sequence[tuple[IntArray, IntArray]], n: int, n_classes: int, dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Count each class in each example, for three parts: shape (n, 3 K).

    A part has an example and a class for each of its labels; the last class does not count.
    """
    width = n_classes + 1
    table = np.zeros(3 * n * width, dtype=dtype)
    for k, (examples, places) in enumerate(parts):
        np.add.at(table, (3 * examples + k) * width + places, 1)
    return table.reshape(n, 3, width)[:, :, :n_classes].reshape(n, 3 * n_classes)


def coded(
    columns: Columns, wanted: Sequence[Hashable] = ()
) -> tuple[list[IntArray], list[int | None], list[Any] | None]:
    """Return the labels as integers alike in all columns, and the integers of `wanted` labels.

    An integer is None if its label cannot occur. The third item lists the labels by their
    integers; None if they are integers themselves.
    """
    one, two, three = columns
    names = one.names
    if names is two.names is three.names:  # one list for all, or None for all
        codes: list[Any] = [one.flat, two.flat, three.flat]
        if names is not None:
            numbers: dict[Any, int] = {label: number for number, label in enumerate(names)}
            return codes, [*map(numbers.get, wanted)], [*names]
        if not {type(one.flat), type(two.flat), type(three.flat)} & {list}:
            fitting = [x if isinstance(x, int) and -(2**63) <= x < 2**63 else None for x in wanted]
            return codes, fitting, None
    numbers = {}
    codes = [renumbered(column, numbers) for column in columns]
    return codes, [*map(numbers.get, wanted)], list(numbers)


def numbered(columns: Sequence[Labels]) -> list[Labels]:
    """Return the same columns with labels as numbers in one common list of names."""
    numbers: dict[Any, int] = {}
    flat = [renumbered(column, numbers) for column in columns]
    names = list(numbers)
    return [replace(x, flat=codes, names=names) for x, codes in zip(columns, flat, strict=True)]


def renumbered(labels: Labels, numbers: dict[Any, int]) -> IntArray:
    """Return each label's number in `numbers`, to which new labels are added."""
    if labels.names is not None and not isinstance(labels.flat, list):
        number = np.zeros(len(labels.names), dtype=np.int64)
        for k in np.flatnonzero(np.bincount(labels.flat, minlength=number.size)).tolist():
            number[k] = numbers.setdefault(labels.names[k], len(numbers))
        return number[labels.flat]
    return numbers_of(labels.spelled, numbers)


def compact(codes: Sequence[IntArray]) -> tuple[IntArray, list[IntArray]]:
    """Return the distinct codes of all columns, ascending, and each column's numbers in them."""
    together = np.concatenate(codes)
    low, high = int(together.min(initial=0)), int(together.max(initial=0))
    if high - low <= together.size:
        there = np.bincount(together - low) > 0
        distinct, numbers = np.flatnonzero(there) + low, (np.cumsum(there) - 1)[together - low]
    else:
        distinct, numbers = np.unique(together, return_inverse=True)
    first, second, _ = codes
    return distinct, np.split(numbers, [first.size, first.size + second.size])


def right_labels(
    columns: Columns, codes: Sequence[IntArray], *, sets: bool
) -> list[NDArray[np.bool_]]:
    """Mark each system's right predictions: those equal to references, or in their sets.

    Raises
    ------
    InputError
        If a set holds a label twice.
    """
    if not sets:
        return [codes[0] == codes[2], codes[1] == codes[2]]
    distinct, parts = compact(codes)
    keys = []
    for column, part in zip(columns, parts, strict=True):
        lengths = np.asarray(column.lengths)
        key = np.repeat(np.arange(lengths.size), lengths) * distinct.size + part
        ordered = np.argsort(key, kind="stable")
        twice = np.flatnonzero(np.diff(key[ordered]) == 0)
        if twice.size:
            position = int(ordered[twice[0] + 1])
            raise InputError(
                f"`{column.name}`{in_brackets(place(position, column.lengths, column.start))} is "
                "in its set twice",
                remedy=("give each label once", OF_MATRICES),
            )
        keys.append(key)
    return [np.isin(keys[0], keys[2]), np.isin(keys[1], keys[2])]


def without_ignored(columns: Columns, ignored: NDArray[np.bool_]) -> Columns:
    """Return the columns of sequences without the places where references are ignored.

    A prediction that differs in length from its reference stays as it is.
    """
    references, systems = columns[2], []
    for column in columns[:2]:
        same = np.asarray(column.lengths == references.lengths)
        kept = np.ones(len(column.flat), dtype=np.bool_)
        kept[column.spread(same)] = ~ignored[references.spread(same)]
        systems.append(column.where(kept))
    n_ignored = references.n_ignored + int(ignored.sum())
    return systems[0], systems[1], replace(references.where(~ignored), n_ignored=n_ignored)


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
