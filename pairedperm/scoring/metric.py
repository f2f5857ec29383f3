"""A metric: the rows that it makes of predictions and references, and the score of their sums.

The options that a call gives by keyword, which are of the test or of the metric, are read here, and
unknown names are refused with a guess at what is meant.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeGuard, get_args

from pairedperm import options
from pairedperm.errors import InputError, describe
from pairedperm.inputs.labels import Columns, Labels, check_fit, read_columns, read_labels
from pairedperm.options import Whole, read_fields
from pairedperm.scoring.classes import without_ignored
from pairedperm.scoring.merging import kept_in_order, with_groups
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score
from pairedperm.scoring.vocabulary import check_meant, check_no_indicators, labels_to_check

IGNORE_LABEL = -100  # proof: the label that losses of transformers and torch ignore

METRICS: dict[str, type[Metric]] = {}  # by name; each class of a metric adds itself
Average = Literal["binary", "micro", "macro", "weighted", "samples"]
AVERAGES: tuple[str, ...] = get_args(Average)
_MEANS = (
    "rouge",
    "meteor",
    "bert",
    "comet",
    "bleurt",
    "ndcg",
    "mrr",
    "map",
    "mse",
    "mae",
    "mean_squared",
    "mean_absolute",
    "log_loss",
)
_SURPLUS = ("score", "avg", "average", "averaged")  # words of other tools' names
_OBJECT = ", or an object such as pairedperm.scoring.F1(average='macro')"
_OF_COLUMNS = (
    *("auc", "roc", "auroc", "auprc", "precisionrecall", "spearman", "spearmanr", "pearson"),
    *("pearsonr", "kendall", "kendalltau", "median", "quantile", "p95", "rmse", "r2", "brier"),
)
_FUNCTION = (
    "Pass `compare` a function of (predictions, references), as metric=lambda p, r: "
    "roc_auc_score(r, p)"
)
_MEANS_OF_SCORES = (
    "It is a mean of scores of the examples: compute these, and compare them with "
    "paired_permutation_test(scores1, scores2) or evaluate.load(…, 'scores')"
)


def split_options(
    given: Mapping[str, Any], without: Collection[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options of the metric and those of the test; `metric` itself is in neither.

    Options of the test that a function is `without` count as the metric's, which refuses them.
    """
    of_test = {x for x in options.OPTIONS if x not in without}
    others = {*of_test, "metric"}
    of_metric = {name: x for name, x in given.items() if name not in others}
    return of_metric, {name: x for name, x in given.items() if name in of_test}


def metric_options() -> tuple[str, ...]:
    """Return the options of all metrics."""
    return tuple(dict.fromkeys(option for kind in METRICS.values() for option in kind.takes()))


def is_function(metric: Any) -> TypeGuard[Callable[[Any, Any], Any]]:
    """Tell whether a metric is a function of (predictions, references), which `compare` takes."""
    return callable(metric) and not isinstance(metric, (type, Metric))


def unknown_metric(metric: Any) -> InputError:
    """Return the error for an unknown metric, with a guess from a name such as "f1_macro"."""
    known = {alias: name for name, kind in METRICS.items() for alias in (name, *kind.aliases)}
    words = metric.lower().replace("-", "_").split("_") if isinstance(metric, str) else []
    average = next((word for word in words if word in AVERAGES), None)
    plain = "_".join(word for word in words if word not in (*AVERAGES, *_SURPLUS))
    name = next((known[x] for x in get_close_matches(plain, known, 1)), None)
    hint = ""
    if is_function(metric):
        hint = "A function of (predictions, references) is for `compare`, of two systems"
    elif plain.startswith(_MEANS):
        hint = _MEANS_OF_SCORES
    elif {*words} & {*_OF_COLUMNS}:
        hint = _FUNCTION
    elif plain in ("preference", "pairwise", "win_rate", "winrate"):
        hint = "Verdicts on pairs of answers are one column: pairedperm.preference(verdicts)"
    elif name is not None:
        has_average = average and "average" in METRICS[name].takes()
        hint = f"Did you mean metric={name!r}{f', average={average!r}' if has_average else ''}?"
    return InputError(
        "metric",
        must=f"be one of {', '.join(map(repr, METRICS))}{_OBJECT}",
        got=describe(metric),
        remedy=hint,
    )


def misnamed_option(kind: type[Metric], given: Iterable[str]) -> Exception | None:
    """Return the error for the first option that a metric lacks, or for one that is missing."""
    own = kind.takes()
    for option in given:
        if option in own:
            continue
        others = [repr(name) for name, other in METRICS.items() if option in other.takes()]
        if option in options.OPTIONS:
            return TypeError(
                f"unexpected option {option!r}: `compare` has it, and this function has not."
            )
        if not others:
            return options.unknown_option(
                option, (*own, *options.OPTIONS), f"metric {kind.name!r} and of the test"
            )
        return InputError(
            f"`{option}` is no option of metric {kind.name!r}{kind.instead_of_option}",
            remedy=f"leave it out, or choose a metric that has it ({', '.join(others)})",
        )
    missing = [x.name for x in kind.fields() if x.default is MISSING and x.name not in given]
    if missing:
        why = f"metric {kind.name!r} has no default for it"
        return InputError(f"`{missing[0]}` is missing", remedy=why)
    return None


def options_beside(metric: Metric, given: Iterable[str]) -> InputError:
    """Return the error for options beside a metric object, which has its own options."""
    name = next(iter(given))
    return InputError(
        f"`{name}` is an option of the metric, but `metric` is an object with its own options, "
        f"{metric!r}",
        remedy=f"write {type(metric).__name__}({name}=...), or metric={metric.name!r}",
    )


def as_arguments(given: Mapping[str, Any]) -> str:
    """Write options as they stand in a call."""
    return ", ".join(f"{name}={value!r}" for name, value in given.items())


def _follows(default: Any) -> Any:
    """Return a field that is no option, but follows from the options."""
    return field(init=False, compare=False, default=default)


@dataclass(frozen=True, kw_only=True, repr=False)
class Metric(ABC):
    """A metric, whose fields are its options; each has a class in `pairedperm.scoring.metrics`.

    Its docstring begins with the definition. Before its sections it ends with "Reported as a share;
    lower is better. p is exact (one sum): 3 ms for a million examples.", which `python
    tests/scoring/metric_lists.py` writes to the guide. What never changes is a plain attribute,
    such as ``lower_is_better = True``; what depends on options is returned by `following`. A class
    with fields is a ``@dataclass(frozen=True, kw_only=True, repr=False)``. Aliases are inherited.

    Attributes
    ----------
    name : str
        The name that users give as `metric`.
    words : str
        The name in reports; "" is `name` without underscores.
    aliases : tuple of str
        The names that others use, for messages.
    is_of_labels : bool
        Whether its columns hold labels. Labels may be mapped to others, and predicted by pipelines.
    has_references : bool
        Whether it needs a column of references.
    unit : {"share", "percent", "number"}
        The unit of the score, as in the library that most people use.
    lower_is_better : bool
        Whether it counts errors.
    limits, largest_difference
        The least and the greatest score that there may be; how far two can be apart.
    is_of_spans : bool
        Whether its references are tags, and its labels types of entities.
    may_be_text : bool
        Whether labels may be free text, so that predictions need not be labels of the references.
    instead_of_option : str or Part
        What to write in place of an option that it lacks, for messages.
    hint_of_absent : str or Part
        What else a selected label that does not occur may mean, for messages.
    always_told : tuple of str
        The options that results tell even where they have their defaults.
    selected : tuple of labels or None
        The labels, or types of entities, that count; None for all.
    is_binary : bool
        Whether one label counts: the one in `selected`, or 1 if all labels are 0 and 1.
    has_order : bool
        Whether all labels have an order, which `labels` gives.
    has_sets : bool
        Whether each example has a set of labels.
    """

    name: ClassVar[str]
    words: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    is_of_labels: ClassVar[bool] = False
    has_references: ClassVar[bool] = True
    unit: ClassVar[Literal["share", "percent", "number"]] = "share"
    limits: ClassVar[tuple[float, float]] = (0.0, 1.0)
    is_of_spans: ClassVar[bool] = False
    may_be_text: ClassVar[bool] = False
    instead_of_option: ClassVar[str] = ""
    hint_of_absent: ClassVar[str] = ""
    always_told: ClassVar[tuple[str, ...]] = ()
    selected: tuple[Hashable, ...] | None = _follows(None)
    is_binary: bool = _follows(False)
    has_order: bool = _follows(False)
    has_sets: bool = _follows(False)
    lower_is_better: bool = _follows(False)

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Register a class that has a name as a metric."""
        super().__init_subclass__(**arguments)
        if "name" in vars(cls):
            METRICS[cls.name] = cls

    def __post_init__(self) -> None:
        if not hasattr(self, "name"):
            own, kinds = type(self).__name__, [x.__name__ for x in type(self).__subclasses__()]
            raise TypeError(f"{own} is no metric by itself, but the base of {', '.join(kinds)}.")
        read_fields(self)
        for name, value in self.following().items():
            object.__setattr__(self, name, value)

    def following(self) -> dict[str, Any]:
        """Return options in their plain form, and what follows from them."""
        return {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({as_arguments(self.options or {})})"

    @classmethod
    def takes(cls) -> tuple[str, ...]:
        """Return the names of its options."""
        return tuple(option.name for option in cls.fields())

    @classmethod
    def fields(cls) -> list[Field[Any]]:
        """Return its options with their defaults."""
        return [option for option in fields(cls) if option.init]

    @property
    def options(self) -> dict[str, Any] | None:
        """The options that matter, as keyword arguments; None if there are none."""
        defaults = {x.name: x.default for x in self.fields()}
        given = {x: getattr(self, x) for x in _own_first(type(self))}
        told = {x: y for x, y in given.items() if x in self.always_told or y != defaults[x]}
        return {x: [*y] if isinstance(y, tuple) else y for x, y in told.items()} or None

    @property
    def largest_difference(self) -> float:
        """The upper limit of the difference of two scores."""
        return self.limits[1] - self.limits[0]

    @property
    def in_words(self) -> str:
        """The metric as a sentence names it, with its options."""
        return self.words or self.name.replace("_", " ")

    @property
    def ignored(self) -> int | None:
        """The integer in sequences of references that stands for no label."""
        return None

    @property
    def choice(self) -> str:
        """The option that selects labels, for messages."""
        return "pos_label" if self.is_binary else "labels"

    def read(self, columns: Sequence[Any], start: int = 0) -> Any:
        """Read the columns for this metric; `start` is the first example's number in messages."""
        return read_columns(self.read_column, columns, start)

    @staticmethod
    @abstractmethod
    def read_column(name: str, column: Any, start: int) -> Any:
        """Read one of the columns."""

    @abstractmethod
    def rows(self, predictions1: Any, predictions2: Any, references: Any) -> Rows:
        """Return what each example contributes, from columns that `read` gave.

        Raises
        ------
        InputError
            If the columns do not fit each other, or the metric.
        """

    def are_runs(self, columns: Sequence[Any]) -> bool:
        """Tell whether predictions have several labels for an item, and references one."""
        return False

    def rows_of(self, columns: Sequence[Any], groups: Any = None) -> Rows:
        """Return the rows of columns that `read` gave, with the group of each."""
        if groups is None and not self.are_runs(columns):
            return self.rows(*columns)
        return self.rows_in_order(columns, groups)

    def rows_in_order(self, columns: Sequence[Any], groups: Any = None) -> Rows:
        """Return one row for each example, in the order of the examples; nothing is counted."""
        columns, numbers = kept_in_order(columns, groups, are_runs=self.are_runs(columns))
        return with_groups(self.rows(*columns), numbers)

    def is_right_or_wrong(self, rows: Rows) -> bool:
        """Tell whether examples are right or wrong, not by how their scores happen to be."""
        return False

    def score(self, rows: Rows) -> Score:
        """Return the score of all rows' sums: here the mean; raise InputError if they have none."""
        return Mean()

    def checked_score(self, rows: Rows) -> Score:
        """Return the score after a check of the labels that occur, which may warn.

        Raises
        ------
        InputError
            If labels cannot be meant, or there is no score.
        """
        if (to_check := rows.provenance.to_check) is not None:
            check_no_indicators(to_check, rows.n, self.has_sets)
            check_meant(to_check, self.selected or (), self.choice, self.hint_of_absent)
        return self.score(rows)


_FORMER = {"zero_one": "subset_accuracy"}  # names that are still accepted
_IGNORED = Whole(
    -(2**63),
    2**63 - 1,
    words="an integer, the label of references that stands for none",
    is_name=True,
)


class CountsLabels(Metric):
    """A metric whose columns hold labels: each example has one, a sequence or a set of them."""

    is_of_labels = True

    read_column = staticmethod(read_labels)

    def read(self, columns: Sequence[Any], start: int = 0) -> Any:
        return read_columns(self.read_column, columns, start, sets=self.has_sets, names=[])

    def are_runs(self, columns: Sequence[Any]) -> bool:
        if self.has_sets or self.is_of_spans:
            return False
        one, two, references = columns
        are_lists = one.lengths is not None and two.lengths is not None
        return are_lists and isinstance(references, Labels) and references.lengths is None

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        columns = predictions1, predictions2, references
        label = None if self.is_of_spans else self.ignored
        check_fit(columns, sets=self.has_sets, aligned=not self.may_be_text)
        ignored = references.ignored(label)
        if ignored is not None:
            columns = without_ignored(columns, ignored)
        rows = self.count(columns)
        rows = rows if references.in_order else rows.counted_if_few()
        n = len(rows.classes) or 1  # columns of correct labels come first
        (one, two), selected = rows.tables, self.selected or ()
        are_right = len(selected) < 2 and one[:, :n].any() and two[:, :n].any()  # it occurs, then
        is_clear = self.may_be_text or (are_right and references.lengths is None)
        to_check = rows.provenance.to_check
        if to_check is None and not is_clear:
            to_check = labels_to_check(columns, selected, sets=self.has_sets)
        return rows.noting(n_ignored=columns[2].n_ignored, to_check=to_check)

    def is_right_or_wrong(self, rows: Rows) -> bool:
        return not (rows.classes or self.has_sets or self.is_of_spans)

    @abstractmethod
    def count(self, columns: Columns) -> Rows:
        """Return what each example contributes, from columns that fit each other."""


@dataclass(frozen=True, kw_only=True, repr=False)
class IgnoresLabel(Metric):
    """A metric for which an integer in the references may stand for no label."""

    ignore_label: Annotated[int | None, _IGNORED] = IGNORE_LABEL

    @property
    def ignored(self) -> int | None:
        return None if self.has_sets else self.ignore_label


class LabelMetric(IgnoresLabel, CountsLabels):
    """A metric of labels, where a label of the references may stand for none."""


@cache
def _own_first(kind: type[Metric]) -> list[str]:
    """Return the names of a metric's options, its own before those of its families."""
    families = [getattr(x, "__dataclass_fields__", ()) for x in kind.__mro__]
    return sorted(kind.takes(), key=lambda name: sum(name in x for x in families))


def metric_class(name: Any) -> type[Metric] | None:
    """Return the class of a metric's name; None for anything else."""
    return METRICS.get(_FORMER.get(name, name)) if isinstance(name, str) else None


def given_label(ignore_label: Any) -> dict[str, Any]:
    """Return the option `ignore_label` as a keyword argument, unless it is the default."""
    is_default = isinstance(ignore_label, int) and ignore_label == IGNORE_LABEL
    return {} if is_default else {"ignore_label": ignore_label}


def split_call(
    given: Mapping[str, Any], without: Collection[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split the options of a whole call; the default of `ignore_label` is for every metric."""
    of_metric, of_test = split_options(given, without)
    label = of_metric.pop("ignore_label", IGNORE_LABEL)
    return of_metric | given_label(label), of_test


def metric_of_columns(metric: Any, references: Any, options: Mapping[str, Any]) -> Metric | None:
    """Return the metric of a call that may also pass scores, without references and a metric."""
    if metric is None and references is not None:
        metric = "accuracy"
    of_metric, _ = split_call({**options, "metric": metric})
    return None if metric is None else read_metric(metric, **of_metric)


def read_metric(metric: Any, /, ignore_label: int | None = IGNORE_LABEL, **options: Any) -> Metric:
    """Return the metric that a name with options, or an object, means.

    Raises
    ------
    InputError
        If the metric is unknown, lacks one of the options, or refuses a value.
    TypeError
        If no metric has one of the options.
    """
    options |= given_label(ignore_label)
    if isinstance(metric, Metric) and not options:
        return metric
    if isinstance(metric, Metric):
        raise options_beside(metric, options)
    if (kind := metric_class(metric)) is None:
        raise unknown_metric(metric)
    try:
        return kind(**options)
    except TypeError as error:
        raise misnamed_option(kind, options) or error from None
