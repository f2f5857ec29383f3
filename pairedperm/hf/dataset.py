"""Compare two systems' predictions in the columns of a dataset.

Columns as labels that can be compared: by name or id, and mapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
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
    is_dataset,
    label_feature,
    no_rows,
    warn_of_repeated_ids,
)
from pairedperm.inputs.columns import is_integer, place, plain_label
from pairedperm.inputs.labels import COLUMNS, Labels, check_fit, read_labels
from pairedperm.options import Options, Test, read_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.arguments import columns_in_order
from pairedperm.scoring.classes import numbered, without_ignored
from pairedperm.scoring.merging import NOTHING, grouped, merged
from pairedperm.scoring.metric import Metric, read_metric, split_call
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean
from pairedperm.scoring.vocabulary import FREE_TEXT, NAMELESS, are_strangers, named, strangers

Label = int | str
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
    if len(given) != 2 or not all(x is None or isinstance(x, Mapping) for x in given):
        raise InputError(
            "label_mapping",
            must="be a dict from predicted labels to the references' labels, or a pair of them, "
            "one for each system",
            got=describe(label_mapping),
        )
    first, second = ({_plain(x): _plain(y) for x, y in (some or {}).items()} for some in given)
    return first, second


def _plain(label: Any) -> Label:
    plain = plain_label(label)
    if plain is None:
        accepted, got = "map labels to labels, strings or integers", describe(label)
        raise InputError("label_mapping", must=accepted, got=f"{got} in it")
    return plain


class ReferenceLabels:
    """The references' labels: all names of a ClassLabel, or strings or integers as they come.

    Attributes
    ----------
    names : list of str, or None
        The names of the ClassLabel, if there is one.
    is_text : bool or None
        True if the labels are names or strings, False if integers, None if not known yet.
    labels : dict
        The names and the labels so far, as keys; no more are added once there are 4,096.
    """

    def __init__(self, names: list[str] | None, is_text: bool | None = None) -> None:
        self.names = names
        self.is_text = is_text if names is None else True
        self.labels: dict[Label, None] = dict.fromkeys(names or ())
        self._by_id: dict[Label, Label] = dict(enumerate(names or ()))

    def add(self, labels: Sequence[Label]) -> None:
        """Remember the labels of some references, all of one type."""
        if labels and self.is_text is None:
            self.is_text = isinstance(labels[0], str)
        if len(self.labels) < FREE_TEXT:
            self.labels |= dict.fromkeys(labels)

    def can_have(self, label: object) -> bool:
        """Tell whether references can have the label: by the ClassLabel's names, or by type."""
        if self.names is not None:
            return label in self.labels
        return self.is_text is None or isinstance(label, str) is self.is_text

    def by_name(self, label: Label) -> Label:
        """Return the name of an id of the ClassLabel; other labels as they are."""
        return self._by_id.get(label, label)

    def number_for_none(self) -> int:
        """Return a negative number that no reference has, for a label that is none of theirs."""
        return min((0, *(x for x in self.labels if isinstance(x, int)))) - 1


class PredictedLabels:
    """The labels that a system predicts, and the references' labels that they stand for.

    Parameters
    ----------
    name : str
        The argument, for messages.
    references : ReferenceLabels
        The references' labels.
    mapping : mapping
        From the system's labels, or their ids, to the references' labels.
    names : sequence of str
        The names of the system's labels by id, if it has ids.

    Attributes
    ----------
    mapping : dict
        From the names of the system's labels to the references' labels.
    """

    def __init__(
        self,
        name: str,
        references: ReferenceLabels,
        mapping: Mapping[Any, Label],
        names: Sequence[str] = (),
    ) -> None:
        self._name, self._references = name, references
        by_id: dict[Label, Label] = dict(enumerate(names))
        self.mapping = {by_id.get(x, x): references.by_name(y) for x, y in mapping.items()}
        self._wrong = {y for x, y in mapping.items() if by_id.get(x, x) == by_id.get(y, y)}
        self._seen: dict[Label, Label] = {}

    def translated(self, labels: Sequence[Label], names: Sequence[Label]) -> list[Label]:
        """Return the references' labels for these labels, which are called by these names.

        Raises
        ------
        InputError
            If one can be no label of the references: it has another type, or is no name of their
            ClassLabel.
        """
        known = self._references
        own = map(known.by_name, labels if known.is_text is False else names)
        right = {x: self.mapping.get(x, y) for x, y in zip(names, own, strict=True)}
        unknown = {x: y for x, y in right.items() if not known.can_have(y) and y not in self._wrong}
        if unknown:
            raise self._unknown(unknown)
        if len(self._seen) < FREE_TEXT:
            self._seen |= right
        return [right[x] for x in names]

    def check(self) -> str | None:
        """Check all predicted labels, once all references are known.

        Returns
        -------
        str or None
            A warning about labels that are mapped to labels that no reference has.

        Raises
        ------
        InputError
            If no reference has a label that the mapping leaves out, one that is called like
            LABEL_0, or any of several labels.
        """
        seen = {*self._seen.values()}
        right = {*self._references.labels, *(self._wrong & seen)}
        if max(len(self._seen), len(right)) >= FREE_TEXT:
            return None  # free text
        foreign = {x: y for x, y in self._seen.items() if y not in right}
        left_out = {x: y for x, y in foreign.items() if x not in self.mapping}
        if not self.mapping:  # others are classes that the references lack
            left_out = {x: y for x, y in left_out.items() if NAMELESS.fullmatch(str(x))}
        if not left_out and are_strangers(seen, right):
            left_out = foreign
        if left_out:
            raise self._unknown(left_out)
        if not (foreign and self.mapping):
            return None
        return (
            f"`{self._name}` has {named([*foreign])}, which `label_mapping` maps to "
            f"{named([*foreign.values()])}: no reference has that, so it counts as wrong"
        )

    def _unknown(self, unknown: Mapping[Label, Label]) -> InputError:
        known = self._references.names or self._references.labels.keys()
        labels = {
            x: f" (mapped to {shown(y)})" if x in self.mapping else "" for x, y in unknown.items()
        }
        are_all = unknown == self._seen
        return InputError(strangers(self._name, labels, known, _SETTING, are_all=are_all))


_HIDDEN = "; test splits have hidden labels, -1: use one that is labelled"


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

    def named(option: str, label: Any) -> Any:
        if not is_integer(label):
            return label
        if int(label) not in range(len(names)):
            raise InputError(
                f"`{option}` has {shown(label)}, which the ClassLabel of `references` has not",
                remedy=f"its ids are 0 to {len(names) - 1}, {', '.join(map(shown, names[:8]))}",
            )
        return names[int(label)]

    options: dict[str, Any] = {}
    selected = metric.selected
    if metric.is_binary and (selected is not None or len(names) == 2):
        options["pos_label"] = named("pos_label", 1 if selected is None else selected[0])
    elif selected is not None:
        options["labels"] = [named("labels", label) for label in selected]
    elif metric.has_order:
        order = (metric.options or {}).get("labels", names)
        options["labels"] = [named("labels", label) for label in order]
    return replace(metric, **options)


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
        feature, whose = class_label(features[name]), "its"
        if feature is None and "int" in str(getattr(label_feature(features[name]), "dtype", None)):
            feature, whose = class_label(features.get("references")), "the references'"
        if feature is not None:
            labels = _coded(name, column, start)
            labels = replace(labels, names=_distinct_names(labels, list(feature.names), whose))
            flat, lengths = iter(labels.spelled), labels.lengths
            lists = None if lengths is None else [[*islice(flat, n)] for n in lengths.tolist()]
            columns_of_names[name] = [*flat] if lists is None else lists
    return columns_of_names


class LabelColumns:
    """A reader of batches, in whose columns the same label is always the same value.

    Parameters
    ----------
    features : mapping of str to datasets feature
        The types of "predictions1", "predictions2" and "references".
    mappings : pair of mappings
        For each system, from its labels to the references' labels.
    metric : Metric
        Of labels. It says which label of references stands for none in sequences, and whether
        labels may be free text. If not, a prediction must have as many labels as its reference.
    """

    def __init__(self, features: Mapping[str, Any], mappings: Mappings, metric: Metric) -> None:
        self._metric = metric
        self._names = {
            name: None if (known := class_label(feature)) is None else list(known.names)
            for name, feature in features.items()
        }
        dtype = str(getattr(label_feature(features["references"]), "dtype", None))
        is_text = "string" in dtype if "string" in dtype or "int" in dtype else None
        self.references = ReferenceLabels(self._names["references"], is_text)
        self._predicted = {
            name: PredictedLabels(name, self.references, mapping, self._names.get(name) or ())
            for name, mapping in zip(COLUMNS[:2], mappings, strict=True)
        }

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
        coded = self._without_ignored(coded)
        distinct = {name: self._distinct(labels) for name, labels in coded.items()}
        self.references.add(distinct["references"])
        self._check_ids_are_one()
        for name, x in self._predicted.items():
            if name in coded:
                distinct[name] = x.translated(coded[name].names or (), distinct[name])
                coded[name] = replace(coded[name], declared=frozenset(x.mapping.values()))
        translated = [
            replace(labels, names=distinct[name], kind="strings" if distinct[name] else None)
            for name, labels in coded.items()
        ]
        return {labels.name: labels for labels in numbered(translated)}

    def _without_ignored(self, coded: dict[str, Labels]) -> dict[str, Labels]:
        references = coded["references"]
        if references.lengths is None:
            return coded  # single labels: the ClassLabel or the metric refuses such an id
        ignored = references.ignored(self._metric.ignored)
        if ignored is None:
            return coded
        rest = [references.where(~ignored)]
        if len(coded) == 3:
            columns = coded["predictions1"], coded["predictions2"], references
            check_fit(columns, sets=False, aligned=not self._metric.may_be_text)
            rest = [*without_ignored(columns, ignored)]
        return {labels.name: numbered([labels])[0] for labels in rest}  # names that still occur

    def check_overlap(self) -> list[str]:
        """Return warnings; raise InputError if a system's labels cannot be the references'."""
        if self._metric.may_be_text:
            return []
        return [note for x in self._predicted.values() if (note := x.check()) is not None]

    def _distinct(self, labels: Labels) -> Sequence[Label]:
        """Return the distinct labels, by name if the column has a ClassLabel."""
        names = self._names[labels.name]
        return labels.names or () if names is None else _distinct_names(labels, names)

    def _check_ids_are_one(self) -> None:
        """Raise InputError if references are numbers and a name has two meanings.

        That happens if the predictions' ClassLabels number their names differently.
        """
        if self.references.is_text is not False:
            return
        one, two = (
            {
                name: x.mapping.get(name, number)
                for number, name in enumerate(self._names.get(column) or ())
            }
            for column, x in self._predicted.items()
        )
        differ = [name for name in one if name in two and one[name] != two[name]]
        if differ:
            name = differ[0]
            holds = f" holds numbers, and {shown(name)} is {shown(one[name])} in "
            cast = "dataset.cast_column(name, ClassLabel(names=[...]))"
            raise InputError(
                f"`references`{holds}`predictions1` and {shown(two[name])} in `predictions2`, "
                "whose ClassLabels number their names differently",
                remedy=f"Give the references names: {cast}",
            )


def _distinct_names(labels: Labels, names: list[str], whose: str = "its") -> list[Label]:
    """Return the distinct labels by name; some of them may be ids.

    Raises
    ------
    InputError
        For a label that the ClassLabel has not.
    """
    distinct: list[Label] = []
    for number, label in enumerate(labels.names or ()):
        if label not in (range(len(names)) if isinstance(label, int) else names):
            position = int((np.asarray(labels.flat) == number).argmax())
            where = place(position, labels.lengths, labels.start)
            what = f" is {shown(label)}, which {whose} ClassLabel of {len(names)} names has not"
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
    if label_mapping is not None and references is None:
        without = "without them, columns hold scores"
        raise InputError("label_mapping", "needs `references`", remedy=without)
    if label_mapping is not None and spec is not None and not spec.is_of_labels:
        raise InputError("label_mapping", f"is for labels; metric {spec.name!r} reads none")
    mappings = read_label_mapping(label_mapping)
    notes: list[str] = []
    if isinstance(dataset, dict) and not dataset:
        raise InputError("dataset", "has no splits")
    are_splits = isinstance(dataset, dict) and any(map(is_dataset, dataset.values()))
    splits = dataset if are_splits else {"": dataset}
    accepted = "a Dataset, an IterableDataset, or a dict of splits of them"
    for split, part in splits.items():  # check all before one is read
        with called({}, f"split {shown(split)}" if are_splits else ""):
            check_dataset(
                part, names, "a Dataset or an IterableDataset" if are_splits else accepted
            )
    results = {}
    for split, part in splits.items():
        with called({}, f"split {shown(split)}" if are_splits else ""):
            title = f" ({split})" if are_splits else ""
            results[split] = compare_split(part, names, mappings, spec, chosen, notes, title)
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


def compare_split(
    dataset: Any,
    names: Mapping[str, str],
    mappings: Mappings,
    metric: Metric | None,
    options: Options,
    notes: list[str] | None,
    split: str = "",
) -> PairedResult:
    """Run `compare_dataset` on one split, with checked arguments.

    Warnings are appended to `notes`. None means that the labels were checked before; then there is
    no progress bar, which otherwise names the split.
    """
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

    parts = batches(dataset, names, None if notes is None else split)
    if notes is not None and "groups" not in names:
        warn_of_repeated_ids(dataset)
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
    if notes is not None and columns is not None:
        notes += columns.check_overlap()
    return TESTS[options.test](rows, metric.checked_score(rows), metric, options)


def compare_scores(one: Any, two: Any, options: Options, groups: Any) -> PairedResult:
    """Compare the means of two columns of scores."""
    for name, column in zip(COLUMNS, (one, two), strict=False):
        if column is None:
            raise InputError(f"`{name}` is missing", remedy="pass one score per example")
    rows = columns_in_order(one, two, None, COLUMNS[:2])
    rows = rows.counted_if_few() if groups is None else grouped(rows, groups)
    return TESTS[options.test](rows, Mean(), None, options)


def check_scores(metric: Any, options: Mapping[str, Any]) -> None:
    """Raise InputError if scores, whose means are compared, get a metric or an option of one."""
    for name, value in {"metric": metric, **options}.items():
        if value is not None:
            raise InputError(
                name,
                must="be left out with the configuration 'scores', and without references",
                got=describe(value),
                remedy="the means of the scores are compared",
            )


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
