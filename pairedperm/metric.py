"""Which score is compared: a metric's name with its options, as in scikit-learn."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np

from pairedperm.columns import INTEGERS, describe, materialise
from pairedperm.errors import InputError
from pairedperm.options import check_option
from pairedperm.ratio import read_zero_division

__all__ = ["METRICS", "METRIC_OPTIONS", "Average", "Metric", "MetricSpec", "read_metric"]

Metric = Literal[
    "accuracy", "exact_match", "precision", "recall", "f1", "fbeta", "jaccard", "span_f1"
]
Average = Literal["binary", "micro"]
METRICS: tuple[str, ...] = get_args(Metric)
METRIC_OPTIONS = ("average", "pos_label", "labels", "beta", "zero_division", "multilabel")
_OF_LABELS = ("precision", "recall", "f1", "fbeta", "jaccard")  # counts of chosen labels
_LARGEST = 1000  # numerator and denominator of beta


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A metric and its options, checked.

    Attributes
    ----------
    name : str
        One of `METRICS`.
    selected : tuple of labels or None
        The labels, or for "span_f1" the entity types, that count; None for all.
    is_binary : bool
        Whether one label counts: that in `selected`, or 1 among labels that are 0 and 1.
    beta : Fraction or None
    zero_division : Fraction
    multilabel : bool
        Whether each example has a set of labels.
    """

    name: str
    selected: tuple[Hashable, ...] | None = None
    is_binary: bool = False
    beta: Fraction | None = None
    zero_division: Fraction = Fraction(0)
    multilabel: bool = False

    @property
    def counts_labels(self) -> bool:
        """Whether it is a ratio of numbers of chosen labels."""
        return self.name in _OF_LABELS


def read_metric(
    metric: Any,
    *,
    average: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    beta: Any = None,
    zero_division: Any = 0.0,
    multilabel: Any = False,
) -> MetricSpec:
    """The metric with its options, if it has them.

    Raises
    ------
    InputError
        For an unknown metric, an option that it has not, or a value that there is not.
    """
    name = check_option("metric", metric, METRICS)
    given = {
        "average": average is not None,
        "pos_label": pos_label is not None,
        "labels": labels is not None,
        "beta": beta is not None,
        "zero_division": not _is_zero(zero_division),
        "multilabel": multilabel is not False,
    }
    has = {
        "average": name in _OF_LABELS or name == "span_f1",
        "pos_label": name in _OF_LABELS,
        "labels": name in _OF_LABELS or name == "span_f1",
        "beta": name == "fbeta",
        "zero_division": name in _OF_LABELS or name == "span_f1",
        "multilabel": name in _OF_LABELS,
    }
    for option, is_given in given.items():
        if is_given and not has[option]:
            raise InputError(
                f"`{option}` is no option of metric {name!r}: leave it out, or choose another "
                f"metric ({', '.join(map(repr, METRICS))})."
            )
    if not isinstance(multilabel, (bool, np.bool_)):
        raise InputError(f"`multilabel` must be True or False, got {describe(multilabel)}.")
    default = "micro" if name == "span_f1" else "binary"
    average = check_option("average", default if average is None else average, get_args(Average))
    if name == "span_f1" and average == "binary":
        raise InputError(
            "`average` must be 'micro' for metric 'span_f1', got 'binary'. For one type of entity: "
            "labels=['PER']."
        )
    is_binary = name in _OF_LABELS and average == "binary"
    return MetricSpec(
        name=name,
        selected=_selected(average, pos_label, labels, bool(multilabel)) if has["labels"] else None,
        is_binary=is_binary,
        beta=_read_beta(beta) if name == "fbeta" else None,
        zero_division=read_zero_division(zero_division),
        multilabel=bool(multilabel),
    )


def _is_zero(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and value == 0


def _selected(
    average: str, pos_label: Any, labels: Any, multilabel: bool
) -> tuple[Hashable, ...] | None:
    """The labels that count, None for all, or, if `average` is "binary", for 1 among 0 and 1."""
    if average == "binary":
        if labels is not None:
            raise InputError(
                f"`labels` is for average='micro', got {describe(labels)} with average='binary', "
                "which counts one label: say which, pos_label=..., or average='micro'."
            )
        if pos_label is None and multilabel:
            raise InputError(
                "`pos_label` is missing: with multilabel=True and average='binary' say which label "
                "counts. All do with average='micro'."
            )
        return None if pos_label is None else (_label("pos_label", pos_label),)
    if pos_label is not None:
        raise InputError(
            f"`pos_label` is for average='binary', got {describe(pos_label)} with "
            f"average='micro'. For one label: labels=[{pos_label!r}]."
        )
    if labels is None:
        return None
    values: Sequence[Any] = list(materialise("labels", labels))
    found = tuple(dict.fromkeys(_label(f"labels[{k}]", x) for k, x in enumerate(values)))
    if not found:
        raise InputError("`labels` is empty: name the labels that count, or leave it out for all.")
    return found


def _label(name: str, value: Any) -> Hashable:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, INTEGERS):
        return int(value)
    raise InputError(
        f"`{name}` must be a label, an integer, bool or string, got {describe(value)}."
    )


def _read_beta(beta: Any) -> Fraction:
    if beta is None:
        raise InputError(
            "`beta` is missing: metric 'fbeta' weighs recall beta times as much as precision."
        )
    is_number = isinstance(beta, (int, float, np.integer, np.floating))
    if not is_number or isinstance(beta, bool) or not 0.0 <= beta <= _LARGEST:
        raise InputError(f"`beta` must be a number from 0 to {_LARGEST}, got {describe(beta)}.")
    fraction = Fraction(float(beta)).limit_denominator(_LARGEST)
    if float(fraction) != float(beta):
        raise InputError(
            f"`beta` must be a ratio of integers up to {_LARGEST}, such as 0.5, 2 or 1/3, got "
            f"{describe(beta)}: the test counts in integers."
        )
    return fraction
