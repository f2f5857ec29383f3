"""Precision, recall, F-scores, Jaccard index and correlation of labels, as scikit-learn's."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set, Sized
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from pairedperm.errors import InputError, describe, shown
from pairedperm.inputs.codes import coded, right_labels
from pairedperm.inputs.columns import materialise, plain_label
from pairedperm.inputs.labels import Columns
from pairedperm.options import check_option, is_number, read_zero_division
from pairedperm.scoring.class_counts import check_some_right, count_classes
from pairedperm.scoring.class_score import ClassAverage, ClassCorrelation
from pairedperm.scoring.metric import Average, LabelMetric, Metric
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.waist import Rows, Score

_OPTIONS = ("average", "pos_label", "labels", "zero_division", "multilabel", "ignore_label")
_LARGEST = 1000  # tuned: numerator and denominator of beta
Weights = tuple[int, int, int]  # of correct, predicted and right labels


class LabelScore(LabelMetric):
    """A ratio of numbers of chosen labels, (numerator · counts) / (denominator · counts).

    With average "binary" and "micro" the labels are counted together; with "macro" the ratios
    of the classes are averaged.
    """

    numerator = (1, 0, 0)
    denominator: ClassVar[Weights]
    takes: ClassVar[tuple[str, ...]] = _OPTIONS

    @classmethod
    def of(
        cls,
        average: Any = "binary",
        pos_label: Any = None,
        labels: Any = None,
        zero_division: Any = 0,
        multilabel: Any = False,
        **others: Any,
    ) -> Metric:
        """See `Metric`."""
        found: Any = check_option("average", average, get_args(Average))
        ratio_of_none = read_zero_division(zero_division)
        selected = read_labels_chosen(found, pos_label, labels, bool(multilabel))
        return cls(found, selected, ratio_of_none, bool(multilabel), **others)

    @property
    def options(self) -> dict[str, Any] | None:
        """See `Metric`."""
        found: dict[str, Any] = {}
        if self.average == "binary":
            found["pos_label"] = 1 if self.selected is None else self.selected[0]
        else:
            if self.average is not None:
                found["average"] = self.average
            if self.selected is not None:
                found["labels"] = list(self.selected)
        if self.zero_division:
            found["zero_division"] = float(self.zero_division)
        if self.multilabel:
            found["multilabel"] = True
        return found | (super().options or {}) or None

    def count(self, columns: Columns) -> Rows:
        """Numbers of labels (correct, predicted, right), together or of each class."""
        if self.average == "macro":
            return count_classes(columns, self)
        return _count(columns, self)

    def score(self, rows: Rows) -> Score:
        """Of all chosen labels, or the mean of the classes' own."""
        if self.average != "macro":
            return Ratio(self.numerator, self.denominator, zero_division=self.zero_division)
        if self.selected is None:
            check_some_right(rows)
        # scikit-learn averages over the classes that occur, or those that are named
        is_named = self.selected is not None or self.multilabel
        over: Literal["seen", "all"] = "all" if is_named else "seen"
        return ClassAverage(over, self.numerator, self.denominator, self.zero_division)


class Precision(LabelScore):
    """Correct / predicted, of chosen labels, as scikit-learn's."""

    name = "precision"
    denominator = (0, 1, 0)


class Recall(LabelScore):
    """Correct / right, of chosen labels, as scikit-learn's."""

    name = "recall"
    denominator = (0, 0, 1)


class F1(LabelScore):
    """2 correct / (predicted + right), of chosen labels, as scikit-learn's."""

    name = "f1"
    words = "F1"
    numerator = (2, 0, 0)
    denominator = (0, 1, 1)


@dataclass(frozen=True)
class FBeta(LabelScore):
    """(1 + beta^2) correct / (beta^2 right + predicted), of chosen labels, as scikit-learn's."""

    name = "fbeta"
    words = "F-beta"
    takes = (*_OPTIONS, "beta")
    beta: Fraction = Fraction(1)

    @classmethod
    def of(cls, beta: Any = None, **others: Any) -> Metric:  # type: ignore[override]
        """See `Metric`."""
        return super().of(beta=_read_beta(beta), **others)

    @property
    def options(self) -> dict[str, Any]:
        """See `Metric`."""
        beta = int(self.beta) if self.beta.denominator == 1 else float(self.beta)
        return {"beta": beta, **(super().options or {})}

    @property
    def numerator(self) -> Weights:  # type: ignore[override]
        """With β² = a / b, a + b of the correct labels."""
        return self.beta.numerator**2 + self.beta.denominator**2, 0, 0

    @property
    def denominator(self) -> Weights:  # type: ignore[override]
        """And a of the right labels, b of the predicted ones."""
        return 0, self.beta.denominator**2, self.beta.numerator**2


class Jaccard(LabelScore):
    """Correct / (predicted + right - correct), of chosen labels, as scikit-learn's."""

    name = "jaccard"
    words = "Jaccard index"
    denominator = (-1, 1, 1)


class MatthewsCorrelation(LabelMetric):
    """The correlation of predictions and references, from -1 to 1, as scikit-learn's."""

    name = "matthews_correlation"
    words = "Matthews correlation"
    is_share = False

    def count(self, columns: Columns) -> Rows:
        """Numbers of labels (correct, predicted, right) of each class."""
        return count_classes(columns, self)

    def score(self, rows: Rows) -> Score:
        """The correlation of all labels."""
        check_some_right(rows)
        return ClassCorrelation("seen")


def _count(columns: Columns, metric: LabelScore) -> Rows:
    """Numbers (correct, predicted, right) of the labels that the metric selects."""
    is_plain = metric.average == "binary" and metric.selected is None
    selected = (1,) if is_plain else metric.selected
    codes, numbers, labels = coded(columns, selected or ())
    if is_plain:
        for column, code in zip(columns, codes, strict=True):
            _check_binary(column.name, np.unique(code).tolist(), labels)
    chosen = [np.ones(len(code), dtype=np.bool_) for code in codes]
    if selected is not None:
        values = np.array([x for x in numbers if x is not None], dtype=np.int64)
        chosen = [np.isin(code, values) for code in codes]
    references, rows = columns[2], []
    gold = references.sums(chosen[2])
    rights = right_labels(columns, codes, sets=metric.multilabel)
    for column, right, counted in zip(columns[:2], rights, chosen[:2], strict=True):
        rows.append(np.array((column.sums(right & counted), column.sums(counted), gold)).T)
    return Rows(rows[0], rows[1])


def _check_binary(name: str, distinct: list[int], labels: list[Any] | None) -> None:
    """Raise InputError unless the distinct labels of a column, coded, are 0 or 1, or bools."""
    spelled = distinct if labels is None else [labels[k] for k in distinct]
    other = next((label for label in spelled if label not in (0, 1)), None)
    if other is not None:
        raise InputError(
            f"`pos_label` is missing: with average='binary' it is 1 where all labels are 0 or 1, "
            f"but `{name}` holds {describe(other)}. Say which label counts, pos_label=..., "
            "or count all, average='micro' or 'macro'."
        )


def read_labels_chosen(
    average: str, pos_label: Any, labels: Any, multilabel: bool = False
) -> tuple[Hashable, ...] | None:
    """The labels that count, None for all, or, if `average` is "binary", for 1 among 0 and 1."""
    if average == "binary":
        if labels is not None:
            raise InputError(
                "`labels` is for average='micro' or 'macro', got "
                f"{describe(labels)} with average='binary', which counts one label: say which, "
                "pos_label=..., or another average."
            )
        if pos_label is None and multilabel:
            raise InputError(
                "`pos_label` is missing: with multilabel=True and average='binary' say which label "
                "counts. All do with average='micro' or 'macro'."
            )
        return None if pos_label is None else (_label("pos_label", pos_label),)
    if pos_label is not None:
        raise InputError(
            f"`pos_label` is for average='binary', got {describe(pos_label)} with "
            f"average={average!r}. For one label: labels=[{shown(pos_label)}]."
        )
    if labels is None:
        return None
    if (
        isinstance(labels, (str, bytes, Mapping))
        or not isinstance(labels, Sized)
        or (isinstance(labels, np.ndarray) and labels.ndim != 1)
    ):
        raise InputError(
            f"`labels` must be a list of the labels that count, such as ['a'], got "
            f"{describe(labels)}."
        )
    values = list(labels if isinstance(labels, Set) else materialise("labels", labels))
    found = {_label(f"labels[{k}]", x) for k, x in enumerate(values)}
    if not found:
        raise InputError("`labels` is empty: name the labels that count, or leave it out for all.")
    return tuple(sorted(found, key=repr))  # in whatever order they came


def _label(name: str, value: Any) -> Hashable:
    label = plain_label(value)
    if label is None:
        raise InputError(
            f"`{name}` must be a label, an integer, bool or string, got {describe(value)}."
        )
    return label


def _read_beta(beta: Any) -> Fraction:
    if beta is None:
        raise InputError(
            "`beta` is missing: metric 'fbeta' weighs recall beta times as much as precision."
        )
    if not (is_number(beta) or isinstance(beta, Fraction)) or not 0.0 <= beta <= _LARGEST:
        raise InputError(f"`beta` must be a number from 0 to {_LARGEST}, got {describe(beta)}.")
    value = float(str(beta)) if isinstance(beta, np.floating) else float(beta)  # as it prints
    fraction = Fraction(value).limit_denominator(_LARGEST)
    if float(fraction) != value:
        raise InputError(
            f"`beta` must be a ratio of integers up to {_LARGEST}, such as 0.5, 2 or 1/3, got "
            f"{describe(beta)}: the test counts in integers."
        )
    return fraction
