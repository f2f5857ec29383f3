"""A metric: which rows it makes of predictions and references, and which score of their sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from pairedperm.errors import InputError, describe, shown
from pairedperm.inputs.ignored import without_ignored
from pairedperm.inputs.labels import (
    Columns,
    Labels,
    check_comparable,
    check_lengths,
    read_columns,
    read_labels,
)
from pairedperm.options import IGNORE_LABEL, is_whole
from pairedperm.scoring.misnamed import misnamed_option, options_beside, unknown_metric
from pairedperm.scoring.occurring import check_meant, occurring, warn_of_strangers
from pairedperm.scoring.waist import Rows, Score

Average = Literal["binary", "micro", "macro", "weighted", "samples"]
AVERAGES: tuple[str, ...] = get_args(Average)


def _follows(default: Any) -> Any:
    """A field that is no option: what follows from them."""
    return field(init=False, compare=False, default=default)


@dataclass(frozen=True, kw_only=True, repr=False)
class Metric(ABC):
    """A metric, whose fields are its options; each is in a file of `pairedperm.scoring.metrics`.

    Its docstring says the definition, in the first paragraph, and how it is reported: lists of
    metrics say the same, which `python tests/scoring/metric_lists.py` writes.

    Attributes
    ----------
    name : str
        What users call it.
    words : str
        What reports call it; "" is `name` without underscores.
    aliases : tuple of str
        What others call it, for messages.
    is_of_labels : bool
        Whether its columns hold labels: those may be mapped to others, and predicted by pipelines.
    has_references : bool
        Whether it needs a column of references.
    unit : {"share", "percent", "number"}
        In which the score comes, as the library everyone uses reports it.
    lower_is_better : bool
        Whether it counts errors.
    largest_difference : float
        What no difference of two scores exceeds.
    is_of_spans : bool
        Whether its references are tags, and its labels types of entities.
    may_be_text : bool
        Whether labels may be free text, so that predictions need not be labels of the references.
    is_plain : bool
        Whether a stream of labels counts it, without options, beside that named when loading.
    instead_of_option : str
        What to write for an option that it has not, for messages.
    hint_of_absent : str
        What else a selected label that does not occur may mean, for messages.
    selected : tuple of labels or None
        The labels, or types of entities, that count; None for all.
    is_binary : bool
        Whether one label counts: that in `selected`, or 1 among labels that are 0 and 1.
    has_order : bool
        Whether all labels have an order, which `labels` says.
    has_sets : bool
        Whether each example has a set of labels.
    ignored : int or None
        The label of references that stands for none, in sequences of integers.
    """

    name: ClassVar[str]
    words: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    is_of_labels: ClassVar[bool] = False
    has_references: ClassVar[bool] = True
    unit: ClassVar[Literal["share", "percent", "number"]] = "share"
    largest_difference: ClassVar[float] = 1.0
    is_of_spans: ClassVar[bool] = False
    may_be_text: ClassVar[bool] = False
    is_plain: ClassVar[bool] = False
    instead_of_option: ClassVar[str] = ""
    hint_of_absent: ClassVar[str] = ""
    selected: tuple[Hashable, ...] | None = _follows(None)
    is_binary: bool = _follows(False)
    has_order: bool = _follows(False)
    has_sets: bool = _follows(False)
    ignored: int | None = _follows(None)
    lower_is_better: bool = _follows(False)

    def __init_subclass__(cls, **arguments: Any) -> None:
        """A class with a name is a metric that there is."""
        super().__init_subclass__(**arguments)
        if "name" in vars(cls):
            METRICS[cls.name] = cls

    def __repr__(self) -> str:
        return f"{type(self).__name__}({as_arguments(self.options or {})})"

    @classmethod
    def takes(cls) -> tuple[str, ...]:
        """The options it has."""
        return tuple(option.name for option in cls.fields())

    @classmethod
    def fields(cls) -> list[Field[Any]]:
        """The same with their defaults."""
        return [option for option in fields(cls) if option.init]

    def _set(self, **values: Any) -> None:
        """Options as they are read, or what follows from them."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def options(self) -> dict[str, Any] | None:
        """The options as keyword arguments, those that matter; None without any."""
        return None

    @property
    def in_words(self) -> str:
        """What a sentence calls it, with its options."""
        return self.words or self.name.replace("_", " ")

    @property
    def choice(self) -> str:
        """The option that selects labels, for messages."""
        return "pos_label" if self.is_binary else "labels"

    def read(self, columns: Sequence[Any], start: int = 0) -> Any:
        """Both systems' predictions and the references as the metric takes them.

        `start` is the first example's number in messages.
        """
        return read_columns(read_labels, columns, start, sets=self.has_sets, names=[])

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


class CountsLabels(Metric):
    """A metric whose columns hold labels, one an example, a sequence or a set of them."""

    is_of_labels = True

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """See `Metric`."""
        columns = predictions1, predictions2, references
        check_columns(columns, sets=self.has_sets, aligned=not self.may_be_text)
        ignored = references.ignored(None if self.is_of_spans else self.ignored)
        if ignored is not None:
            columns = without_ignored(columns, ignored)
        rows = self.count(columns)
        rows = rows if references.in_order else rows.counted_if_few()
        n = len(rows.classes) or 1  # columns of correct labels, which come first
        one, two = np.atleast_2d(rows.rows1.T)[:n], np.atleast_2d(rows.rows2.T)[:n]
        selected, found = self.selected or (), rows.occurring
        are_right = len(selected) < 2 and one.any() and two.any()  # about the one selected label
        if found is None and not self.may_be_text and (self.has_sets or not are_right):
            found = occurring(columns, selected, sets=self.has_sets)
        return replace(rows, n_ignored=columns[2].n_ignored, occurring=found)

    @abstractmethod
    def count(self, columns: Columns) -> Rows:
        """What each example contributes, of columns that fit each other.

        Raises
        ------
        InputError
            If they do not fit the metric.
        """


@dataclass(frozen=True, kw_only=True, repr=False)
class IgnoresLabel(Metric):
    """A metric in whose references an integer may stand for no label."""

    ignore_label: int | None = IGNORE_LABEL

    def __post_init__(self) -> None:
        label = self.ignore_label
        if label is not None and label is not IGNORE_LABEL:
            if not is_whole(label) or not -(2**63) <= label < 2**63:
                raise InputError(
                    "`ignore_label` must be an integer, the label of references that stands for "
                    f"none, or None, got {describe(label)}."
                )
            label = int(label)
        self._set(ignore_label=label, ignored=None if self.has_sets else label)

    @property
    def options(self) -> dict[str, Any] | None:
        """See `Metric`."""
        return given_label(self.ignore_label) or None


class LabelMetric(IgnoresLabel, CountsLabels):
    """A metric of labels, in references of which one may stand for none."""


METRICS: dict[str, type[Metric]] = {}  # by name


def metric_options() -> tuple[str, ...]:
    """The options that some metric has."""
    return tuple(dict.fromkeys(option for kind in METRICS.values() for option in kind.takes()))


def as_arguments(options: Mapping[str, Any]) -> str:
    """Options as they are written in a call."""
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def given_label(ignore_label: Any) -> dict[str, Any]:
    """The option `ignore_label` as a keyword argument, unless it is the default."""
    is_default = isinstance(ignore_label, int) and ignore_label == IGNORE_LABEL
    return {} if is_default else {"ignore_label": ignore_label}


def read_metric(metric: Any, ignore_label: int | None = IGNORE_LABEL, **options: Any) -> Metric:
    """The metric, by its name and options, or as an object.

    Raises
    ------
    InputError
        For an unknown metric, an option that it has not, or a value that there is not.
    TypeError
        For an option that no metric has.
    """
    options |= given_label(ignore_label)
    if isinstance(metric, Metric) and not options:
        return metric
    if isinstance(metric, Metric):
        raise options_beside(metric, options)
    kind = METRICS.get(metric) if isinstance(metric, str) else None
    if kind is None:
        raise unknown_metric(metric, METRICS, AVERAGES)
    try:
        return kind(**options)
    except TypeError as error:
        raise misnamed_option(kind, options, METRICS) or error from None


def is_lower_better(found: Mapping[str, Any]) -> bool:
    """Of a result under the keys of `to_dict`; False of a metric that is unknown here."""
    try:
        return read_metric(found["metric"], **(found["metric_options"] or {})).lower_is_better
    except (InputError, TypeError):  # of counts, or of another version's result
        return False


def check_columns(columns: Columns, *, sets: bool, aligned: bool) -> None:
    """Raise InputError unless all fit each other; sets, or if not `aligned`, are of any sizes."""
    references = columns[2]
    check = check_lengths if aligned and not sets else check_comparable
    check(columns[0], references)
    check(columns[1], references)
    if sets and references.lengths is None:
        raise InputError(
            f"`{references.name}` must hold a set of labels per example, got single labels "
            f"({shown(references.first)}). Give sets or lists, also of one label."
        )
