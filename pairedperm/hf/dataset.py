"""Compare two systems' predictions in the columns of a dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, overload

import datasets

from pairedperm.errors import InputError, Name, Parts, called, shown, warn
from pairedperm.hf.accumulator import metric_or_scores, new_accumulator
from pairedperm.hf.dataset_labels import (
    LabelColumns,
    Mappings,
    metric_by_names,
    named_columns,
    read_label_mapping,
)
from pairedperm.inputs.dataset_columns import (
    batches,
    check_dataset,
    entries_of_batch,
    in_one_batch,
    is_dataset,
    no_rows,
    warn_of_repeated_ids,
)
from pairedperm.options import Options, Test, read_options
from pairedperm.results.result import PairedBootstrapResult, PairedPermutationResult, PairedResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric, split_call


@overload
def compare_dataset(
    dataset: datasets.Dataset | datasets.IterableDataset,
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    *,
    label_mapping: Any = None,
    test: Literal["permutation"] = "permutation",
    groups: str | None = None,
    **options: Any,
) -> PairedPermutationResult: ...


@overload
def compare_dataset(
    dataset: datasets.Dataset | datasets.IterableDataset,
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    *,
    label_mapping: Any = None,
    test: Literal["bootstrap"],
    groups: str | None = None,
    **options: Any,
) -> PairedBootstrapResult: ...


@overload
def compare_dataset(
    dataset: datasets.Dataset | datasets.IterableDataset,
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    *,
    label_mapping: Any = None,
    test: Test,
    groups: str | None = None,
    **options: Any,
) -> PairedPermutationResult | PairedBootstrapResult: ...


@overload
def compare_dataset(
    dataset: Mapping[str, Any],
    predictions1: str = "predictions1",
    predictions2: str = "predictions2",
    references: str | None = "references",
    metric: MetricName | Metric | None = None,
    *,
    label_mapping: Any = None,
    test: Test = "permutation",
    groups: str | None = None,
    **options: Any,
) -> dict[str, PairedResult]: ...


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
) -> PairedResult | dict[str, Any]:
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
    PairedPermutationResult, or PairedBootstrapResult if test="bootstrap"
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
    of_metric, of_test = split_call(options)
    if references is not None:
        names["references"] = references
        metric = "accuracy" if metric is None else metric
    elif label_mapping is not None:
        needs = Name("label_mapping"), " needs ", Name("references")
        raise InputError(*needs, remedy="without them, columns hold scores")
    spec = metric_or_scores(metric, of_metric)
    if references is None and spec is not None and spec.has_references:
        what = f" is missing, and metric {spec.name!r} needs a column of them"
        scores = "If the columns hold scores, leave ", Name("metric")
        remedy = Parts(*scores, " out: their means are compared")
        raise InputError(Name("references"), what, remedy=remedy)
    if groups is not None:
        names["groups"] = groups
    chosen = read_options(test=test, **of_test)
    if label_mapping is not None and spec is not None and not spec.is_of_labels:
        raise InputError(Name("label_mapping"), f" is for labels; metric {spec.name!r} reads none")
    mappings = read_label_mapping(label_mapping)
    notes: list[Parts] = []
    result: PairedResult | dict[str, PairedResult]
    if isinstance(dataset, dict) and not dataset:
        raise InputError(Name("dataset"), " has no splits")
    if isinstance(dataset, dict) and any(map(is_dataset, dataset.values())):
        for split, part in dataset.items():  # check all before one is read
            with called({}, f"split {shown(split)}"):
                check_dataset(part, names)
        result = {}
        for split, part in dataset.items():
            with called({}, f"split {shown(split)}"):
                title = f" ({split})"
                result[split] = compare_split(part, names, mappings, spec, chosen, notes, title)
    else:
        check_dataset(dataset, names, "a Dataset, an IterableDataset, or a dict of splits of them")
        result = compare_split(dataset, names, mappings, spec, chosen, notes)
    for note in {str(x): x for x in notes}.values():
        warn(*note.parts)
    return result


def compare_split(
    dataset: Any,
    names: Mapping[str, str],
    mappings: Mappings,
    metric: Metric | None,
    options: Options,
    notes: list[Parts] | None,
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

    stream = new_accumulator(metric)
    parts = batches(dataset, names, None if notes is None else split)
    given: dict[str, Any] = {}
    groups = None
    if "groups" in names:
        whole = in_one_batch(parts)
        groups = whole.pop("groups")
        given = read(whole, 0)
    else:
        if notes is not None:
            warn_of_repeated_ids(dataset)
        for start, batch in parts:
            stream.add(read(batch, start), start)
        if len(stream) == 0:
            raise no_rows()
    if notes is not None and columns is not None:
        notes += columns.check_overlap()
    return stream.test(given, metric, options, groups)
