"""Agreement of labels beyond chance: Matthews correlation and Cohen's kappa, as in scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, describe, first_of, shown, warn
from pairedperm.inputs.labels import Columns
from pairedperm.options import Interval, printed_fraction
from pairedperm.scoring.classes import ClassScore, Triple, coded, compact, count_classes
from pairedperm.scoring.metric import LabelMetric
from pairedperm.scoring.metrics.labels import listed_labels
from pairedperm.scoring.rows import Rows, check_some_right
from pairedperm.scoring.scores import Null, Quotient, Score, SumScore


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


_POWERS = {None: 0, "linear": 1, "quadratic": 2}  # proof: of distances, as the names say
_WEIGHTS_IN_WORDS = {
    None: "",
    "linear": "linearly weighted ",
    "quadratic": "quadratically weighted ",
}
_LARGEST_PRODUCT = 2**61  # proof: sums up to it fit int64
_UNDEFINED = Interval(-1.0, 1.0, is_exact=True, remedy="A score must be a number.")


@dataclass(frozen=True, kw_only=True, repr=False)
class CohenKappa(LabelMetric):
    """1 - observed / expected disagreement of predictions and references, as in scikit-learn.

    The expected disagreement is that of the same labels in random order. Kappa is at most 1, and 0
    if predictions agree with references as by chance.

    Reported as a number; higher is better. p is exact (two sums) for two classes: 20 ms for a
    million examples. For more classes it is exact up to some thousand examples, then sampled.

    Parameters
    ----------
    weights : {None, "linear", "quadratic"}
        The disagreement of two different labels. None: 1. "linear": how many places they are apart
        in the order of all labels. "quadratic": the square of that.
    labels : sequence of labels or None
        With `weights`, all labels in their order, also those that never occur. None: the labels
        that occur in any column, sorted. (scikit-learn sorts those of one system and the
        references.)
    replace_undefined_by : float
        The score of a system for which no disagreement is expected, because all labels are the
        same; from -1 to 1.
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [1, 2, 3, 3, 2, 1]
    >>> one, two = [1, 2, 3, 2, 2, 1], [1, 3, 3, 1, 2, 2]
    >>> result = compare(one, two, right, metric="cohen_kappa", weights="quadratic")
    >>> result.score1, result.score2
    (0.8571428571428571, 0.25)
    """

    name = "cohen_kappa"
    words = "Cohen's kappa"
    aliases = ("kappa", "cohens_kappa")
    unit = "number"
    limits = -1.0, 1.0
    weights: Literal["linear", "quadratic"] | None = None
    labels: Sequence[int | str] | None = None
    replace_undefined_by: Annotated[float, _UNDEFINED] = 0.0
    without: Fraction = field(init=False, compare=False)

    def following(self) -> dict[str, Any]:
        if self.weights is None and self.labels is not None:
            raise InputError(
                "labels",
                "is the order of all labels, for weights='linear' or 'quadratic'",
                remedy="leave it out",
            )
        without = printed_fraction(self.replace_undefined_by)
        return {
            "has_order": self.weights is not None,
            "labels": _read_order(self.labels),
            "replace_undefined_by": float(without),
            "without": without,
        }

    @property
    def in_words(self) -> str:
        return f"{_WEIGHTS_IN_WORDS[self.weights]}{self.words}"

    def count(self, columns: Columns) -> Rows:
        """Return numbers of labels (correct, predicted, right) of each class or pair of classes."""
        if self.weights is None:
            return count_classes(columns, options=("labels",))
        if self.labels is None:
            _warn_of_order(columns)
        else:
            for column in columns:
                other = next(iter(column.distinct.difference(self.labels)), None)
                if other is not None:
                    raise InputError(
                        "labels",
                        f"lacks {shown(other)}, which `{column.name}` holds",
                        remedy="name all labels in their order, this one too",
                    )
        return count_classes(_paired(columns), options=("labels",))

    def score(self, rows: Rows) -> Score:
        """Return the kappa of all labels."""
        check_some_right(rows)
        if self.weights is None:
            return _Kappa(self.without, None)
        order = self.labels or sorted({label for pair in rows.classes for label in pair})  # type: ignore[attr-defined]
        place = {label: k for k, label in enumerate(order)}
        pairs = np.array([[place[label] for label in pair] for pair in rows.classes])  # type: ignore[attr-defined]
        return _Kappa(self.without, pairs, _POWERS[self.weights])


@dataclass(frozen=True, eq=False)
class _Kappa(SumScore):
    """Kappa of rows (correct, predicted, right) of classes, or of pairs of classes.

    There are N right labels, g(i) of class i. Two classes disagree by w. A prediction p disagrees
    with its reference by e, and with all references by v(p) = Σ g(i) w(i, p). Then
    kappa = 1 - N Σ e / Σ v. Swaps do not change g, so kappa is a ratio of two sums,
    Σ (v - N e) / Σ v.
    """

    undefined: Fraction
    pairs: IntArray | None  # places of each pair's right and predicted class; None: no pairs
    power: int = 0

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return the ratio of two sums; under draws, a function of all columns."""
        if null == "draws":
            return rows, self
        right = np.array(rows.sums[0][2 * len(rows.classes) :], dtype=np.int64)
        n, expected = int(right.sum()), self.expected(right)
        if n * n * self._farthest >= _LARGEST_PRODUCT:
            raise InputError(
                "references",
                f"holds {n:.3g} labels, too many for kappa in int64",
                remedy="Compare a part of them",
            )
        parts = []
        for table in (rows.rows1, rows.rows2):
            chance = np.hsplit(table, 3)[1] @ expected
            parts.append(np.stack((chance - n * self.disagreement(table), chance), axis=1))
        return Rows(parts[0], parts[1], rows.multiplicities), Quotient(self.undefined)

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the scores of sums of all columns, shape (n, 3 K)."""
        _, predicted, right = np.hsplit(sums, 3)
        chance = (predicted * self.expected(right)).sum(axis=1)
        observed = right.sum(axis=1) * self.disagreement(sums)
        is_none = chance == 0.0
        kappa = 1.0 - observed / np.where(is_none, 1.0, chance)
        return np.where(is_none, float(self.undefined), kappa)

    @property
    def _farthest(self) -> int:
        """The largest disagreement of two labels."""
        return 1 if self.pairs is None else int(np.ptp(self.pairs)) ** self.power

    def disagreement(self, table: NDArray[Any]) -> NDArray[Any]:
        """Return the disagreement of predictions and references, of rows or sums (k, 3 n)."""
        correct, predicted, right = np.hsplit(table, 3)
        if self.pairs is None:
            return np.asarray(right.sum(axis=1) - correct.sum(axis=1))
        weights = np.abs(self.pairs[:, 0] - self.pairs[:, 1]) ** self.power
        return np.asarray(predicted @ weights)

    def expected(self, right: NDArray[Any]) -> NDArray[Any]:
        """Return the disagreement of each prediction with all right labels, shape (…, n)."""
        if self.pairs is None:
            return np.asarray(right.sum(axis=-1, keepdims=True) - right)
        right_place, place = self.pairs.T
        is_same = right_place == place  # references are counted as such pairs
        weights = np.abs(right_place[is_same, None] - place) ** self.power
        return np.asarray(right[..., is_same] @ weights)


def _paired(columns: Columns) -> Columns:
    """Return pairs as labels: (right, predicted) for predictions, (right, right) for references."""
    codes, _, labels = coded(columns)
    there, places = compact(codes)
    names = there.tolist() if labels is None else [labels[k] for k in there.tolist()]
    there, numbers = compact([len(names) * places[2] + x for x in places])
    pairs: Any = [(names[k // len(names)], names[k % len(names)]) for k in there.tolist()]
    parts = zip(columns, numbers, strict=True)
    return tuple(replace(x, flat=flat, names=pairs) for x, flat in parts)  # type: ignore[return-value]


def _warn_of_order(columns: Columns) -> None:
    """Warn if the order of a Categorical's labels is not that of their weights."""
    for column in columns:
        if column.order is not None and list(column.order) != sorted(column.order):
            order = f"[{first_of([*map(shown, column.order)])}]"
            warn(
                f"`{column.name}` is an ordered Categorical, but weights use the sorted labels",
                remedy=f"name its order, labels={order}",
            )
            return


def _read_order(labels: Any) -> tuple[int | str, ...] | None:
    """Read all labels in their order, each once."""
    if labels is None:
        return None
    if isinstance(labels, (Set, Mapping)):
        must = "be a list of all labels in their order"
        raise InputError("labels", must=must, got=describe(labels))
    order: list[Any] = listed_labels(labels)
    if len({*order}) < len(order):
        twice = next(label for k, label in enumerate(order) if label in order[:k])
        remedy = "name each label once, in order"
        raise InputError("labels", f"has {shown(twice)} twice", remedy=remedy)
    return tuple(order)
