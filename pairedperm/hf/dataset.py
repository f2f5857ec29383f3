"""Compare two systems' predictions in the columns of a dataset.

Columns as labels that can be compared: by name or id, and mapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

import numpy as np
import pyarrow as pa
from datasets import ClassLabel

from pairedperm.comparison.compare import TESTS
from pairedperm.errors import InputError, called, describe, in_brackets, shown, warn
from pairedperm.hf.dataset_columns import (
    STREAMED_ROWS,
    batches,
    check_dataset,
    entries_of_batch,
    in_one_batch,
    label_feature,
    no_rows,
    warn_of_repeated_ids,
)
from pairedperm.inputs.columns import is_integer, place, plain_label
from pairedperm.inputs.labels import COLUMNS, Labels, read_labels
from pairedperm.options import Options, Test, read_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import columns_in_order
from pairedperm.scoring.classes import numbered
from pairedperm.scoring.merging import NOTHING, grouped, merged
from pairedperm.scoring.metric import Metric, read_metric, split_call
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean
from pairedperm.scoring.vocabulary import FREE_TEXT, NAMELESS, are_strangers, named, strangers

Label = int | str
_HIDDEN = "; test splits have hidden labels, -1: use one that is labelled"
_SETTING = "label_mapping={labels}. A label that is mapped to itself counts as wrong"
Mappings = tuple[Mapping[Any, Label], Mapping[Any, Label]]


def read_label_mapping(label_mapping: Any) -> Mappings:
    """Return a mapping for each system, given one for both, a pair, or None.

    Raises
    ------
    InputError
        For anything else, and for a mapping with an entry that is no label.
    """
    given = label_mapping if isinstance(label_mapping, (tuple, list)) else (label_mapping,) * 2
    some = [{} if x is None else x for x in given]
    if len(some) == 2 and all(isinstance(x, Mapping) for x in some):
        plain: list[dict[Any, Any]] = [
            {plain_label(x): plain_label(y) for x, y in each.items()} for each in some
        ]
        if None not in chain(*plain, *(each.values() for each in plain)):
            return plain[0], plain[1]
    raise InputError(
        "label_mapping",
        must="be a dict from predicted labels to the references' labels, strings or integers, or "
        "a pair of them, one for each system",
        got=describe(label_mapping),
    )


@dataclass(frozen=True)
class _System:
    """A system's labels: what its names, and those that count as wrong, mean; what it predicts."""

    mapping: Mapping[Label, Label]
    wrong: Set[Label]
    seen: dict[Label, Label] = field(default_factory=dict)


class LabelColumns:
    """A reader of batches, in whose columns the same label is always the same value.

    That is the references' label: the name in their ClassLabel, or a string or integer as it comes.

    Parameters
    ----------
    features : mapping of str to datasets feature
        The types of "predictions1", "predictions2" and "references".
    mappings : pair of mappings
        For each system, from its labels, or their ids, to the references' labels.
    metric : Metric
        Of labels. It says which label of references stands for none in sequences, and whether
        labels may be free text.

    Attributes
    ----------
    names : list of str, or None
        The names of the references' ClassLabel, if there is one.
    is_text : bool or None
        True if the references are names or strings, False if integers, None if not known yet.
    labels : dict
        The names and the labels so far, as keys; no more are added once there are 4,096.
    """

    def __init__(self, features: Mapping[str, Any], mappings: Mappings, metric: Metric) -> None:
        self._metric = metric
        self._names = {
            name: None if (known := class_label(feature)) is None else list(known.names)
            for name, feature in features.items()
        }
        self.names = self._names["references"]
        self.is_text = None if self.names is None else True
        self.labels: dict[Label, None] = dict.fromkeys(self.names or ())
        self._systems = {
            name: self._system(mapping, self._names.get(name) or ())
            for name, mapping in zip(COLUMNS, mappings, strict=False)
        }

    def _system(self, mapping: Mapping[Label, Label], names: Sequence[str]) -> _System:
        """Return what is known of a system whose labels have these names by id."""
        named: dict[Any, Any] = dict(enumerate(names))
        right: dict[Any, Any] = dict(enumerate(self.names or ()))
        meant = {named.get(x, x): right.get(y, y) for x, y in mapping.items()}
        wrong = {y for x, y in mapping.items() if named.get(x, x) == named.get(y, y)}
        return _System(meant, wrong)

    def read(self, columns: Mapping[str, Any], start: int) -> dict[str, Labels]:
        """Read the next batch, lists or Arrow arrays, whose first row has the number `start`.

        The batch has references, and may have predictions, which are checked against these.

        Raises
        ------
        InputError
            If `read_labels` refuses a column; for an id outside its ClassLabel; for a prediction
            that can be no label of the references.
        """
        coded = {name: _coded(name, column, start) for name, column in columns.items()}
        ignored = None if coded["references"].lengths is None else self._metric.ignored
        distinct = {x: _distinct_names(y, self._names[x], ignored) for x, y in coded.items()}
        right = [x for x in distinct["references"] if x != ignored]
        if right and self.is_text is None:
            self.is_text = isinstance(right[0], str)
        if len(self.labels) < FREE_TEXT:
            self.labels |= dict.fromkeys(right)
        for name, labels in coded.items():
            if name in self._systems:
                own = labels.names or ()
                distinct[name] = self.translated(name, own, distinct[name], ignored)
                declared = frozenset(self._systems[name].mapping.values())
                coded[name] = replace(labels, declared=declared)
        known = [
            replace(labels, names=distinct[name], kind="strings" if distinct[name] else None)
            for name, labels in coded.items()
        ]
        return {labels.name: labels for labels in numbered(known)}

    def translated(
        self, name: str, labels: Sequence[Label], names: Sequence[Label], ignored: Any = None
    ) -> list[Label]:
        """Return the references' labels for a system's labels, which are called by these names.

        Raises
        ------
        InputError
            If one can be no label of the references: it has another type, or is no name of their
            ClassLabel.
        """
        system = self._systems[name]
        by_id: dict[Any, Any] = dict(enumerate(self.names or ()))
        own = labels if self.is_text is False else [by_id.get(x, x) for x in names]
        right = {x: system.mapping.get(x, y) for x, y in zip(names, own, strict=True)}
        right.pop(ignored, None)
        unknown = {x: y for x, y in right.items() if not self.can_have(y) and y not in system.wrong}
        if unknown:
            raise self._unknown(name, unknown)
        if len(system.seen) < FREE_TEXT:
            system.seen.update(right)
        return [right.get(x, x) for x in names]

    def can_have(self, label: object) -> bool:
        """Tell whether references can have the label: by the ClassLabel's names, or by type."""
        if self.names is not None:
            return label in self.labels
        return self.is_text is None or isinstance(label, str) is self.is_text

    def check(self) -> list[str]:
        """Check all predicted labels, once all references are known.

        Returns
        -------
        list of str
            Warnings about labels that are mapped to labels that no reference has.

        Raises
        ------
        InputError
            If no reference has a label that the mapping leaves out, one that is called like
            LABEL_0, or any of several labels.
        """
        self._check_ids_are_one()
        return [said for name in self._systems if (said := self._checked(name))]

    def _checked(self, name: str) -> str:
        """Check the labels of one system; return a warning, or an empty text."""
        system = self._systems[name]
        seen = {*system.seen.values()}
        right = {*self.labels, *(system.wrong & seen)}
        if self._metric.may_be_text or max(len(system.seen), len(right)) >= FREE_TEXT:
            return ""
        foreign = {x: y for x, y in system.seen.items() if y not in right}
        left_out = {x: y for x, y in foreign.items() if x not in system.mapping}
        if not system.mapping:  # others are classes that the references lack
            left_out = {x: y for x, y in left_out.items() if NAMELESS.fullmatch(str(x))}
        if not left_out and are_strangers(seen, right):
            left_out = foreign
        if left_out:
            raise self._unknown(name, left_out)
        if not (foreign and system.mapping):
            return ""
        return (
            f"`{name}` has {named([*foreign])}, which `label_mapping` maps to "
            f"{named([*foreign.values()])}: no reference has that, so it counts as wrong"
        )

    def _check_ids_are_one(self) -> None:
        """Raise InputError if references are numbers, and a name has two of them."""
        one, two = (
            {x: system.mapping.get(x, k) for k, x in enumerate(self._names.get(name) or ())}
            for name, system in self._systems.items()
        )
        differ = [x for x in one if x in two and one[x] != two[x]]
        if self.is_text is False and differ:
            name = differ[0]
            raise InputError(
                f"`references` holds numbers, and {shown(name)} is {shown(one[name])} in "
                f"`predictions1` and {shown(two[name])} in `predictions2`, whose ClassLabels "
                "number their names differently",
                remedy="Give the references names: dataset.cast_column(name, "
                "ClassLabel(names=[...]))",
            )

    def _unknown(self, name: str, unknown: Mapping[Label, Label]) -> InputError:
        """Return the error for a system's labels, each with what it is mapped to."""
        system, known = self._systems[name], self.names or self.labels.keys()
        labels = {
            x: f" (mapped to {shown(y)})" if x in system.mapping else "" for x, y in unknown.items()
        }
        are_all = unknown == system.seen
        return InputError(strangers(name, labels, known, _SETTING, are_all=are_all))


def class_label(feature: Any) -> ClassLabel | None:
    """Return the ClassLabel of a column of labels, or of sequences of labels; None without one."""
    feature = label_feature(feature)
    return feature if isinstance(feature, ClassLabel) else None


def metric_by_names(metric: Metric, references: Any) -> Metric:
    """Return the metric with ids of the references' ClassLabel replaced by its names.

    If it has two names, the second is the default of `pos_label`. If the metric needs an order of
    all labels, that of the names is the default.

    Raises
    ------
    InputError
        For an id outside the ClassLabel.
    """
    feature = class_label(references)
    if feature is None or metric.is_of_spans:
        return metric
    names = list(feature.names)

    def named(option: str, labels: Sequence[Any]) -> list[Any]:
        if wrong := [x for x in labels if is_integer(x) and not 0 <= x < len(names)]:
            raise InputError(
                f"`{option}` has {shown(wrong[0])}, which the ClassLabel of `references` has not",
                remedy=f"its ids are 0 to {len(names) - 1}, {', '.join(map(shown, names[:8]))}",
            )
        return [names[int(x)] if is_integer(x) else x for x in labels]

    if metric.is_binary and (metric.selected is not None or len(names) == 2):
        (label,) = named("pos_label", metric.selected or names[1:])
        return replace(metric, pos_label=label)  # type: ignore[call-arg]
    order = (metric.options or {}).get("labels", names) if metric.has_order else metric.selected
    if order is None:
        return metric
    return replace(metric, labels=named("labels", order))  # type: ignore[call-arg]


def named_columns(
    columns: Mapping[str, Any], features: Mapping[str, Any], start: int
) -> dict[str, list[Any]]:
    """Replace ids by names in the columns that have a ClassLabel, or integers beside one.

    Integers are ids of the references' ClassLabel. Only metrics that do not read labels need this.
    The batch's first row has the number `start`.

    Raises
    ------
    InputError
        For an id outside the ClassLabel.
    """
    columns_of_names: dict[str, list[Any]] = {}
    for name, column in columns.items():
        feature = class_label(features[name])
        if feature is None and "int" in str(getattr(label_feature(features[name]), "dtype", None)):
            feature = class_label(features.get("references"))
        if feature is not None:
            labels = _coded(name, column, start)
            names = _distinct_names(labels, list(feature.names))
            flat = replace(labels, names=names).spelled
            rest, lengths = iter(flat), labels.lengths
            columns_of_names[name] = (
                flat if lengths is None else [[*islice(rest, n)] for n in lengths.tolist()]
            )
    return columns_of_names


def _distinct_names(
    labels: Labels, names: list[str] | None, ignored: int | None = None
) -> list[Label]:
    """Return the distinct labels, by name if the column has a ClassLabel; some may be ids.

    The label that stands for none stays as it is.

    Raises
    ------
    InputError
        For a label that the ClassLabel has not.
    """
    distinct: list[Label] = []
    for number, label in enumerate(labels.names or ()):
        if names is None or label == ignored:
            distinct.append(label)
            continue
        if label not in (range(len(names)) if isinstance(label, int) else names):
            position = int((np.asarray(labels.flat) == number).argmax())
            where = place(position, labels.lengths, labels.start)
            what = f" is {shown(label)}, which the ClassLabel of {len(names)} names has not"
            hidden = _HIDDEN if labels.name == "references" else ""
            entry = f"`{labels.name}`{in_brackets(where)}"
            raise InputError(f"{entry}{what}{hidden}", remedy="Filter those rows out")
        distinct.append(names[label] if isinstance(label, int) else label)
    return distinct


def _coded(name: str, column: Any, start: int) -> Labels:
    """Read a column, with labels as numbers in a list of the distinct ones."""
    if isinstance(column, pa.ChunkedArray):
        coded = _coded_arrow(name, column.combine_chunks(), start)
        if coded is not None:
            return coded
        column = column.to_pylist()
    return numbered([read_labels(name, column, start)])[0]


def _coded_arrow(name: str, array: Any, start: int) -> Labels | None:
    """Read an Arrow array as `_coded` does; None if an entry is missing, or no label."""
    lengths = None
    types = pa.types
    if array.null_count:
        return None
    if types.is_list(array.type) or types.is_large_list(array.type):
        lengths = array.value_lengths().to_numpy(zero_copy_only=False).astype(np.int64)
        array = array.flatten()
    is_text = types.is_string(array.type) or types.is_large_string(array.type)
    is_integer = types.is_integer(array.type) and array.type != pa.uint64()
    if array.null_count or not (is_text or is_integer):
        return None
    encoded = array.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return Labels(name, codes, "strings", lengths, encoded.dictionary.to_pylist(), start)


def compare_dataset(
    dataset: Any,
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    *,
    label_mapping: Any = None,
    test: Test = "permutation",
    groups: str | None = None,
    **options: Any,
) -> Any:
    """Compare two systems whose predictions are columns of a dataset.

    The result is that of `pairedperm.compare`. Columns are read in batches and counted, so memory
    does not grow with their length. ``datasets.disable_progress_bars()`` hides the progress bar.

    Parameters
    ----------
    dataset : Dataset, IterableDataset, DatasetDict or IterableDatasetDict
        With n rows. Of a dict, each split is compared. Columns are read as stored: formats and
        transforms do not matter.
    predictions1, predictions2 : str
        The columns of what system 1 and system 2 predict: labels, sequences of labels, or what
        `metric` takes. Without `references`: scores, a number for each row.
    references : str or None
        The column of the right answers. None: the other columns hold scores, or runs as for
        "pass_at_k".
    metric : str, Metric or None
        A name of `pairedperm.scoring.MetricName`, or an object such as ``F1(average="macro")``.
        None: "accuracy", or the mean if there are no `references`. Free text needs "exact_match",
        because other metrics of labels refuse predictions none of which occurs in the references.
        Metrics of texts take texts or token sequences, or answers as in SQuAD:
        ``{"text": [...], "answer_start": [...]}``.
    label_mapping : dict, pair of dicts, or None
        The meaning of predicted labels: ``{"LABEL_0": "negative", "LABEL_1": "positive"}``. The
        first dict of a pair is for system 1. Labels outside the dict keep their meaning. A label
        mapped to itself counts as wrong if no reference has it.
    test : {"permutation", "bootstrap"}
        See `pairedperm.compare`.
    groups : str or None
        The column with an id for each row, an integer or string. Rows with the same id are swapped,
        or drawn, together. All columns are then held in memory.
    **options
        Of the test and of the metric, see `pairedperm.compare`; an object has its own.

    Returns
    -------
    PairedResult
        For a dict of splits: a dict of results by split.

    Raises
    ------
    InputError
        If `pairedperm.compare` would refuse the values or options; and

        - if a column is not there, or a split has no rows;
        - if a label is missing, or is an id outside its ClassLabel, such as -1;
        - if a prediction has another type than the references, or is no name of their ClassLabel;
        - if no reference has a label that is called like LABEL_0, that `label_mapping` leaves
          out, or any label of a system. This is checked for up to 4,096 distinct labels, and not
          for "exact_match".
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If a label is mapped to one that no reference has, if ids of the rows repeat, and as
        `pairedperm.compare` warns.

    Notes
    -----
    ClassLabels are compared by name, so two columns may number them differently. Predictions,
    `pos_label` and `labels` may be names or ids. If the references' ClassLabel has two names, the
    second is the default of `pos_label`. For metrics with `weights`, its order is the default of
    `labels`.

    A million rows on disk take some tenths of a second; a million sequences of 25 labels take
    some seconds.

    Examples
    --------
    >>> from datasets import ClassLabel, Dataset
    >>> from pairedperm.hf import compare_dataset
    >>> reviews = Dataset.from_dict({
    ...     "label": [0, 1, 1, 0, 1, 1],
    ...     "small": ["neg", "neg", "neg", "neg", "pos", "neg"],
    ...     "large": ["neg", "pos", "pos", "neg", "pos", "pos"],
    ... }).cast_column("label", ClassLabel(names=["neg", "pos"]))
    >>> compare_dataset(reviews, "large", "small", "label").pvalue
    0.25
    """
    names = {"predictions1": predictions1, "predictions2": predictions2}
    more = {"references": references, "groups": groups}
    names |= {argument: name for argument, name in more.items() if name is not None}
    of_metric, of_test = split_call(options)
    chosen = read_options(test=test, **of_test)
    spec = _metric_of_columns(references, metric, of_metric)
    if label_mapping is not None and not (spec and spec.is_of_labels):
        must = "be left out where no labels are compared"
        raise InputError("label_mapping", must=must, got=describe(label_mapping))
    mappings = read_label_mapping(label_mapping)
    if isinstance(dataset, dict) and not dataset:
        raise InputError("dataset", "has no splits")
    are_splits = isinstance(dataset, dict)
    splits = dataset if are_splits else {"": dataset}
    for split, part in splits.items():  # check all before one is read
        with called({}, f"split {shown(split)}" if are_splits else ""):
            check_dataset(part, names)
    results, notes = {}, list[str]()
    for split, part in splits.items():
        with called({}, f"split {shown(split)}" if are_splits else ""):
            title = f"Comparing ({split})" if are_splits else "Comparing"
            if groups is None:
                warn_of_repeated_ids(part)
            results[split] = _compare_split(part, names, mappings, spec, chosen, notes, title)
    for note in dict.fromkeys(notes):
        warn(note)
    return results if are_splits else results[""]


def _metric_of_columns(references: Any, metric: Any, options: dict[str, Any]) -> Metric | None:
    """Return the metric; None if the columns hold scores."""
    if references is None and metric is None:
        check_scores(None, options)
        return None
    spec = read_metric("accuracy" if metric is None else metric, **options)
    if references is None and spec.has_references:
        raise InputError(
            "references",
            f"is missing, and metric {spec.name!r} needs a column of them",
            remedy="If the columns hold scores, leave `metric` out: their means are compared",
        )
    return spec


def _compare_split(
    dataset: Any,
    names: Mapping[str, str],
    mappings: Mappings,
    metric: Metric | None,
    options: Options,
    notes: list[str],
    title: str,
) -> PairedResult:
    """Compare one split; warnings are appended to `notes`, and the progress bar has this title."""
    of_columns = dataset.features or {}
    features = {argument: of_columns.get(name) for argument, name in names.items()}
    columns = None
    if metric is not None and metric.is_of_labels:
        columns = LabelColumns(features, mappings, metric)
        metric = metric_by_names(metric, features["references"])

    def read(batch: dict[str, Any], start: int) -> dict[str, Any]:
        if columns is not None:
            return columns.read(batch, start)
        given = batch if metric is None else batch | named_columns(batch, features, start)
        return {name: entries_of_batch(given[name], features[name]) for name in given}

    parts = batches(dataset, names, title)
    if metric is None or "groups" in names or not metric.has_references:
        whole = in_one_batch(parts)
        groups = whole.pop("groups", None)
        given = read(whole, 0)
        if metric is None:
            return compare_scores(given["predictions1"], given["predictions2"], options, groups)
        rows = metric.rows_of(metric.read(_in_order(given)), groups)
    else:
        rows = _summed(metric.rows(*metric.read(_in_order(read(x, n)), n)) for n, x in parts)
        if not rows.n:
            raise no_rows()
    if columns is not None:
        notes += columns.check()
    return TESTS[options.test](rows, metric.checked_score(rows), metric, options)


def compare_scores(one: Any, two: Any, options: Options, groups: Any) -> PairedResult:
    """Compare the means of two columns of scores."""
    rows = columns_in_order(one, two, None, COLUMNS[:2])
    rows = rows.counted_if_few() if groups is None else grouped(rows, groups)
    return TESTS[options.test](rows, Mean(), None, options)


def check_scores(metric: Any, options: Mapping[str, Any]) -> None:
    """Raise InputError if scores, whose means are compared, get a metric or an option of one."""
    for name, value in {"metric": metric, **options}.items():
        if value is not None:
            must = "be left out where means of scores are compared"
            raise InputError(name, must=must, got=describe(value))


def _in_order(given: Mapping[str, Any]) -> list[Any]:
    return [given.get(name) for name in COLUMNS]


def _summed(parts: Iterable[Rows]) -> Rows:
    """Return the counted rows of all parts, which are merged as they come."""
    whole, n = [NOTHING], 0
    for part in parts:
        whole.append(part.counted())
        n += len(whole[-1].rows1)
        if n >= max(STREAMED_ROWS, len(whole[0].rows1)):
            whole, n = [merged(whole)], 0
    return merged(whole)
