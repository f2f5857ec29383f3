"""A metric: which rows it makes of predictions and references, and which score of their sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np

from pairedperm.errors import InputError, describe
from pairedperm.inputs.ignored import without_ignored
from pairedperm.inputs.labels import Columns, Labels, check_columns, read_columns, read_labels
from pairedperm.options import IGNORE_LABEL, check_option, read_ignore_label
from pairedperm.scoring.occurring import check_meant, occurring, warn_of_strangers
from pairedperm.scoring.waist import Rows, Score

MetricName = Literal[
    # metrics:start
    "accuracy",
    "exact_match",
    "balanced_accuracy",
    "precision",
    "recall",
    "f1",
    "fbeta",
    "jaccard",
    "matthews_correlation",
    "span_f1",
    "squad_exact_match",
    "squad_f1",
    "word_error_rate",
    # metrics:end
]
Average = Literal["binary", "micro", "macro"]
METRIC_OPTIONS = (
    *("average", "pos_label", "labels", "beta", "zero_division", "multilabel"),
    "ignore_label",
)


@dataclass(frozen=True)
class Metric(ABC):
    """A metric with its options, checked; each is in a file of `pairedperm.scoring.metrics`.

    The first paragraph of its docstring is what short lists of metrics say, a line; the long one
    of `compare` says all (`python tests/scoring/metric_lists.py` writes both).

    Attributes
    ----------
    name : str
        What users call it.
    words : str
        What reports call it; "" is `name` without underscores.
    takes : tuple of str
        The options it has, of `METRIC_OPTIONS`.
    is_of_texts : bool
        Whether it reads texts, and not labels.
    is_share : bool
        Whether the score is a share, which reports give in percent.
    is_of_spans : bool
        Whether its references are tags, and its labels types of entities.
    may_be_text : bool
        Whether labels may be free text, so that predictions need not be labels of the references.
    is_plain : bool
        Whether a stream of labels counts it in any case, without options, beside the metric that
        was named when loading.
    average : str or None
        How several labels make one score; None where there is no choice.
    selected : tuple of labels or None
        The labels, or types of entities, that count; None for all.
    zero_division : Fraction
        The score where the denominator is 0.
    multilabel : bool
        Whether each example has a set of labels.
    ignore_label : int or None
        The label of references that stands for none, in sequences of integers.
    """

    name: ClassVar[str]
    words: ClassVar[str] = ""
    takes: ClassVar[tuple[str, ...]] = ()
    is_of_texts: ClassVar[bool] = False
    is_share: ClassVar[bool] = True
    is_of_spans: ClassVar[bool] = False
    may_be_text: ClassVar[bool] = False
    is_plain: ClassVar[bool] = False
    average: Average | None = None
    selected: tuple[Hashable, ...] | None = None
    zero_division: Fraction = Fraction(0)
    multilabel: bool = False
    ignore_label: int | None = IGNORE_LABEL

    def __init_subclass__(cls, **arguments: Any) -> None:
        """A class with a name is a metric that there is."""
        super().__init_subclass__(**arguments)
        if "name" in vars(cls):
            METRICS[cls.name] = cls

    @classmethod
    def of(cls, **options: Any) -> Metric:
        """With these options, which are of `takes` and differ from their defaults."""
        return cls(**options)

    @property
    def is_binary(self) -> bool:
        """Whether one label counts: that in `selected`, or 1 among labels that are 0 and 1."""
        return self.average == "binary"

    @property
    def choice(self) -> str:
        """The option that selects labels, for messages."""
        return "pos_label" if self.is_binary else "labels"

    @property
    def options(self) -> dict[str, Any] | None:
        """The options as keyword arguments, those that matter; None without any."""
        is_default = self.ignore_label == IGNORE_LABEL
        return None if is_default else {"ignore_label": self.ignore_label}

    def read(self, columns: Sequence[Any], start: int = 0) -> Any:
        """Both systems' predictions and the references as the metric takes them.

        `start` is the first example's number in messages.
        """
        return read_columns(read_labels, columns, start, sets=self.multilabel)

    @abstractmethod
    def rows(self, predictions1: Any, predictions2: Any, references: Any) -> Rows:
        """What each example contributes, of columns that `read` gave.

        Raises
        ------
        InputError
            If the columns do not fit each other, or the metric.
        """

    @abstractmethod
    def score(self, rows: Rows) -> Score:
        """The score of the sums of the rows of a whole corpus.

        Raises
        ------
        InputError
            If it has none.
        """

    def checked_score(self, rows: Rows, *, compares_labels: bool = True) -> Score:
        """The score, if labels that cannot be meant do not occur; it warns of others.

        Without `compares_labels` those of predictions and references have been compared.

        Raises
        ------
        InputError
            If they do, or there is no score.
        """
        if rows.occurring is not None:
            check_meant(rows.occurring, self.selected or (), self.choice, self.hint_of_absent)
            if compares_labels:
                warn_of_strangers(rows.occurring)
        return self.score(rows)

    instead_of_option: ClassVar[str] = ""
    """What to write for an option that it has not, for messages."""

    hint_of_absent: ClassVar[str] = ""
    """What else a selected label that does not occur may mean, for messages."""


class LabelMetric(Metric):
    """A metric whose columns hold labels, one an example, a sequence or a set of them."""

    takes: ClassVar[tuple[str, ...]] = ("ignore_label",)

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """See `Metric`."""
        columns = predictions1, predictions2, references
        check_columns(columns, sets=self.multilabel, aligned=not self.may_be_text)
        ignored = None
        if "ignore_label" in self.takes and not self.multilabel:
            ignored = references.ignored(self.ignore_label)
        if ignored is not None:
            columns = without_ignored(columns, ignored)
        rows = self.count(columns)
        n = len(rows.classes) or 1  # columns of correct labels, which come first
        one, two = np.atleast_2d(rows.rows1.T)[:n], np.atleast_2d(rows.rows2.T)[:n]
        selected, found = self.selected or (), rows.occurring
        are_right = len(selected) < 2 and one.any() and two.any()  # about the one selected label
        if found is None and not self.may_be_text and (self.multilabel or not are_right):
            found = occurring(columns, selected, sets=self.multilabel)
        return replace(rows, n_ignored=columns[2].n_ignored, occurring=found)

    @abstractmethod
    def count(self, columns: Columns) -> Rows:
        """What each example contributes, of columns that fit each other.

        Raises
        ------
        InputError
            If they do not fit the metric.
        """


METRICS: dict[str, type[Metric]] = {}  # by name


def in_words(options: Mapping[str, Any]) -> str:
    """Options as they are written in a call."""
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of a metric, and the others."""
    of_metric = {name: x for name, x in options.items() if name in METRIC_OPTIONS}
    return of_metric, {name: x for name, x in options.items() if name not in METRIC_OPTIONS}


def explicit(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are said: None says something of `ignore_label` alone."""
    return {name: x for name, x in options.items() if x is not None or name == "ignore_label"}


def is_given(option: str, value: Any) -> bool:
    """Whether an option has another value than its default."""
    if option == "ignore_label":
        return not isinstance(value, int) or value != IGNORE_LABEL
    if isinstance(value, (bool, np.bool_)):
        return option != "multilabel" or bool(value)
    if option == "zero_division" and isinstance(value, (int, float, np.number)):
        return isinstance(value, np.timedelta64) or bool(value != 0)
    return value is not None


def is_of_texts(name: Any) -> bool:
    """Whether this names a metric that reads texts, and not labels."""
    return isinstance(name, str) and name in METRICS and METRICS[name].is_of_texts


def words_of(name: str) -> str:
    """What reports call a metric, also one that is unknown here: of another version's result."""
    words = METRICS[name].words if name in METRICS else ""
    return words or name.replace("_", " ")


def read_metric(metric: Any, **options: Any) -> Metric:
    """The metric with its options, those of `METRIC_OPTIONS`, if it has them.

    Raises
    ------
    InputError
        For an unknown metric, an option that it has not, or a value that there is not.
    """
    if not isinstance(metric, str) or metric not in METRICS:
        check_option("metric", metric, tuple(METRICS))
    name = str.__str__(metric)
    kind, given = METRICS[name], {}
    for option in METRIC_OPTIONS:
        if option not in options or not is_given(option, options[option]):
            continue
        if option not in kind.takes:
            others = ", ".join(repr(x) for x, other in METRICS.items() if option in other.takes)
            raise InputError(
                f"`{option}` is no option of metric {name!r}{kind.instead_of_option}: leave it "
                f"out, or choose a metric that has it ({others})."
            )
        given[option] = options[option]
        if option == "ignore_label":
            given[option] = read_ignore_label(options[option])
    multilabel = options.get("multilabel")
    if not isinstance(multilabel, (bool, np.bool_, type(None))):
        raise InputError(f"`multilabel` must be True or False, got {describe(multilabel)}.")
    return kind.of(**given)
