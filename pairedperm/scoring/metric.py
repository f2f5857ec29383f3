"""Which score is compared: a metric's name with its options, as in scikit-learn."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set, Sized
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np

from pairedperm.errors import InputError
from pairedperm.inputs.columns import INTEGERS, describe, materialise
from pairedperm.options import check_option
from pairedperm.scoring.ratio import read_zero_division

__all__ = [
    "METRICS",
    "METRIC_OPTIONS",
    "OPTIONS_OF",
    "PLAIN",
    "TEXT_METRICS",
    "Average",
    "Metric",
    "MetricSpec",
    "in_words",
    "is_given",
    "read_metric",
    "split_options",
]

Metric = Literal[
    "accuracy",
    "exact_match",
    "precision",
    "recall",
    "f1",
    "fbeta",
    "jaccard",
    "span_f1",
    "balanced_accuracy",
    "matthews_correlation",
    "word_error_rate",
    "squad_exact_match",
    "squad_f1",
]
Average = Literal["binary", "micro", "macro"]
METRICS: tuple[str, ...] = get_args(Metric)
METRIC_OPTIONS = ("average", "pos_label", "labels", "beta", "zero_division", "multilabel")
_OF_LABELS = ("precision", "recall", "f1", "fbeta", "jaccard")  # counts of chosen labels
OPTIONS_OF: dict[str, tuple[str, ...]] = {  # which a metric has
    "accuracy": (),
    "exact_match": (),
    **dict.fromkeys(_OF_LABELS, ("average", "pos_label", "labels", "zero_division", "multilabel")),
    "fbeta": METRIC_OPTIONS,
    "span_f1": ("average", "labels", "zero_division"),
    "balanced_accuracy": (),
    "matthews_correlation": (),
    "word_error_rate": (),
    "squad_exact_match": (),
    "squad_f1": (),
}
TEXT_METRICS = ("word_error_rate", "squad_exact_match", "squad_f1")
PLAIN = ("accuracy", "exact_match")  # what is counted beside the metric that is named at load
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
    is_macro : bool
        Whether the scores of all classes, or of those in `selected`, are averaged.
    beta : Fraction or None
    zero_division : Fraction
    multilabel : bool
        Whether each example has a set of labels.
    """

    name: str
    selected: tuple[Hashable, ...] | None = None
    is_binary: bool = False
    is_macro: bool = False
    beta: Fraction | None = None
    zero_division: Fraction = Fraction(0)
    multilabel: bool = False

    @property
    def counts_labels(self) -> bool:
        """Whether it is a ratio of numbers of chosen labels."""
        return self.name in _OF_LABELS

    @property
    def averages_classes(self) -> bool:
        """Whether it depends on the numbers of labels of each class."""
        return self.is_macro or self.name in ("balanced_accuracy", "matthews_correlation")

    @property
    def choice(self) -> str:
        """The option that selects labels, for messages."""
        return "pos_label" if self.is_binary else "labels"

    @property
    def options(self) -> dict[str, Any] | None:
        """The options as keyword arguments, those that matter; None without any."""
        found: dict[str, Any] = {}
        if self.beta is not None:
            is_integer = self.beta.denominator == 1
            found["beta"] = int(self.beta) if is_integer else float(self.beta)
        if self.is_binary:
            found["pos_label"] = 1 if self.selected is None else self.selected[0]
        elif self.counts_labels:
            found["average"] = "macro" if self.is_macro else "micro"
        if self.selected is not None and not self.is_binary:
            found["labels"] = list(self.selected)
        if self.zero_division:
            found["zero_division"] = float(self.zero_division)
        if self.multilabel:
            found["multilabel"] = True
        return found or None


def in_words(options: Mapping[str, Any]) -> str:
    """Options as they are written in a call."""
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of a metric, and the others."""
    of_metric = {name: x for name, x in options.items() if name in METRIC_OPTIONS}
    return of_metric, {name: x for name, x in options.items() if name not in METRIC_OPTIONS}


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
    values = (average, pos_label, labels, beta, zero_division, multilabel)
    given = {x: is_given(x, value) for x, value in zip(METRIC_OPTIONS, values, strict=True)}
    for option in METRIC_OPTIONS:
        if given[option] and option not in OPTIONS_OF[name]:
            others = ", ".join(repr(x) for x, has in OPTIONS_OF.items() if option in has)
            instead = " (one type of entity: labels=['PER'])" if name == "span_f1" else ""
            raise InputError(
                f"`{option}` is no option of metric {name!r}{instead}: leave it out, or choose a "
                f"metric that has it ({others})."
            )
    if not isinstance(multilabel, (bool, np.bool_, type(None))):
        raise InputError(f"`multilabel` must be True or False, got {describe(multilabel)}.")
    default = "micro" if name == "span_f1" else "binary"
    average = check_option("average", default if average is None else average, get_args(Average))
    if name == "span_f1" and average != "micro":
        raise InputError(
            f"`average` must be 'micro' for metric 'span_f1', got {average!r}. For one type of "
            "entity: labels=['PER']."
        )
    is_binary = name in _OF_LABELS and average == "binary"
    return MetricSpec(
        name=name,
        selected=_selected(name, average, pos_label, labels, bool(multilabel)),
        is_binary=is_binary,
        is_macro=average == "macro",
        beta=_read_beta(beta) if name == "fbeta" else None,
        zero_division=read_zero_division(0 if zero_division is None else zero_division),
        multilabel=bool(multilabel),
    )


def is_given(option: str, value: Any) -> bool:
    """Whether an option has another value than its default."""
    if option == "zero_division":
        is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
        return value is not None and not (is_number and value == 0)
    if option == "multilabel":
        return value is not None and not (isinstance(value, (bool, np.bool_)) and not value)
    return value is not None


def _selected(
    name: str, average: str, pos_label: Any, labels: Any, multilabel: bool
) -> tuple[Hashable, ...] | None:
    """The labels that count, None for all, or, if `average` is "binary", for 1 among 0 and 1."""
    if name in _OF_LABELS and average == "binary":
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
            f"average={average!r}. For one label: labels=[{pos_label!r}]."
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
    number = next((x for x in found if isinstance(x, int)), None)
    if name == "span_f1" and number is not None:
        raise InputError(f"`labels` must be types of entities, such as 'PER', got {number}.")
    return tuple(sorted(found, key=repr))  # in whatever order they came


def _label(name: str, value: Any) -> Hashable:
    if isinstance(value, str):
        return str.__str__(value)  # of a subclass: numpy's, an Enum's
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
    is_number = isinstance(beta, (int, float, np.integer, np.floating, Fraction))
    if not is_number or isinstance(beta, bool) or not 0.0 <= beta <= _LARGEST:
        raise InputError(f"`beta` must be a number from 0 to {_LARGEST}, got {describe(beta)}.")
    value = float(str(beta)) if isinstance(beta, np.floating) else float(beta)  # as it prints
    fraction = Fraction(value).limit_denominator(_LARGEST)
    if float(fraction) != value:
        raise InputError(
            f"`beta` must be a ratio of integers up to {_LARGEST}, such as 0.5, 2 or 1/3, got "
            f"{describe(beta)}: the test counts in integers."
        )
    return fraction
