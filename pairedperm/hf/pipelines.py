"""Run two pipelines on a dataset, and compare what they predict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import datasets

from pairedperm.errors import InputError, Name, shown
from pairedperm.hf.dataset import compare_split
from pairedperm.hf.label_columns import LabelColumns, metric_by_names
from pairedperm.hf.label_mapping import ReferenceLabels, read_label_mapping
from pairedperm.hf.metric_of_call import metric_of_call
from pairedperm.hf.tasks import Model, PipelineTask, check_metric, task_of
from pairedperm.inputs.dataset_columns import batches, check_dataset, is_dataset
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import Whole, read_options, reads_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric, split_options


class PipelineComparison(NamedTuple):
    """The predictions of two pipelines, and the result of the test.

    Attributes
    ----------
    result : PairedPermutationResult or PairedBootstrapResult
        The result of the test.
    dataset : Dataset
        The dataset that was passed, with the new columns "predictions1" and "predictions2". Each
        row holds the mapped label, or a list of them. If the references are a ClassLabel, labels
        are its names.
    """

    result: PairedResult
    dataset: Any


@reads_options
def predict_and_compare(
    pipeline1: Any,
    pipeline2: Any,
    dataset: Any,
    input_column: str = "text",
    label_column: str = "label",
    *,
    second_input_column: str | None = None,
    label_mapping: Any = None,
    batch_size: Annotated[int | None, Whole()] = None,
    metric: MetricName | Metric = "accuracy",
    **options: Any,
) -> PipelineComparison:
    """Run two `transformers` pipelines on a dataset and test which one is better.

    Inputs, labels and options are checked before a model runs.

    Parameters
    ----------
    pipeline1, pipeline2 : transformers.Pipeline
        Both for "text-classification", or both for "token-classification".
    dataset : Dataset
        One split, with n rows.
    input_column : str
        The column of texts. For token classification: of lists of words, which are joined by
        spaces; a word gets the label of its first token.
    label_column : str
        The column of right labels, names or ids: one a row, or for token classification a list
        with one for each word.
    second_input_column : str or None
        The column of second texts, for models of text pairs.
    label_mapping : dict, pair of dicts, or None
        The meaning of the models' labels, ``{"LABEL_0": "negative", "LABEL_1": "positive"}``, in
        names or ids. The first dict of a pair is for pipeline1. Labels outside the dict keep
        their meaning. A label mapped to itself counts as wrong if no reference has it. If the
        references are integers, the new columns hold a negative number for such a name.
    batch_size : int or None
        The batch size of the models; None: that of the pipelines.
    metric : str or Metric
        A metric of labels, by name ("accuracy" by default) or as an object such as
        ``F1(average="macro")``. An object has its options; a name takes them as `**options`.

        A metric of one label, as "f1", needs `pos_label` unless the references are 0 and 1, or a
        ClassLabel with two names. Metrics of spans, as "span_f1", need token classification with
        tags such as "B-PER". Sets of labels (`multilabel=True`, "subset_accuracy") and metrics of
        texts or numbers are refused. `pairedperm.scoring` documents each metric and its options.
    **options
        Of the metric, as above, and `ignore_label`. Of the test: `test`, `alternative`, `method`,
        `n_resamples`, `rng`, `budget`, `confidence_level`, `ties`, `largest_group`; see
        `pairedperm.compare`.
        `groups`: the column with an id for each row.

    Returns
    -------
    PipelineComparison
        A named tuple of `result` and `dataset`.

    Raises
    ------
    InputError
        - If a pipeline is for another task, or predicts several labels a row.
        - If `dataset` is no Dataset, has no rows, lacks a column, or has one of the new names.
        - If an input is missing or no text, or a row has more or fewer words than labels.
        - If `metric` does not fit, as above.
        - If a model's label can be no label of the references.
        - If no reference has a label that is called like LABEL_0 or left out by `label_mapping`.
        - If a word has no token, as in a sentence that is longer than the model takes.
    TypeError
        For an unknown option.
    BudgetError
        If the method asked for would exceed the budget.

    Warns
    -----
    UserWarning
        If a label is mapped to one that no reference has, or if p had to be sampled.

    Notes
    -----
    Needs `transformers` (extra ``transformers``). In text classification, a text that is longer
    than the model takes is cut, as by `evaluate.evaluator`.

    Examples
    --------
    >>> from pairedperm.hf import predict_and_compare
    >>> result, reviews = predict_and_compare(
    ...     large, small, reviews, label_mapping={"LABEL_0": "neg", "LABEL_1": "pos"}
    ... )  # doctest: +SKIP
    """
    groups = options.pop("groups", None)
    of_metric, of_test = split_options(options)
    spec, chosen = metric_of_call(metric, of_metric), read_options(**of_test)
    mappings = read_label_mapping(label_mapping)
    pipelines = {"pipeline1": pipeline1, "pipeline2": pipeline2}
    task = task_of(pipelines)
    names = {"input_column": input_column, "label_column": label_column}
    if second_input_column is not None:
        names["second_input_column"] = second_input_column
    kept = {} if groups is None else {"groups": groups}
    _check_split(dataset, names | kept)
    references = _read_references(dataset, label_column, spec, task)
    for _ in task.rows(dataset, names):
        pass  # check the inputs before the models run for hours
    named = metric_by_names(spec, dataset.features[label_column])
    check_metric(named, task, references)
    if named.is_binary and named.selected is None:  # models may predict others than 0 and 1
        spec = replace(spec, pos_label=1)  # type: ignore[call-arg]
    models = [
        Model(name, pipeline, mapping, references)
        for (name, pipeline), mapping in zip(pipelines.items(), mappings, strict=True)
    ]
    for model in models:
        model.warn_of_strays()
    predicted = dataset
    for column, model in zip(COLUMNS[:2], models, strict=True):
        labels = model.predictions(task, dataset, names, batch_size)
        predicted = predicted.add_column(column, labels)
    for model in models:
        model.warn_of_strays()  # it may predict labels that it did not list
    # The new columns hold labels in the references' terms: each stands for itself.
    first, second = ({label: label for label in model.stored.values()} for model in models)
    columns = {name: name for name in COLUMNS[:2]} | {"references": label_column} | kept
    result = compare_split(predicted, columns, (first, second), spec, chosen, notes=None)
    return PipelineComparison(result, predicted)


def _read_references(
    dataset: Any, column: str, metric: Metric, task: PipelineTask
) -> ReferenceLabels:
    """Return the labels in the column of right labels; in sequences the ignored one is left out.

    Raises
    ------
    InputError
        For an entry that is no label, with its row; the message calls the column `references`.
        If the column has another form than the task's labels, or no label.
    """
    names = {"references": column}
    columns = LabelColumns({"references": dataset.features[column]}, ({}, {}), metric)
    read = [columns.read(batch, n)["references"] for n, batch in batches(dataset, names, None)]
    are_sequences = any(labels.lengths is not None for labels in read)
    what = Name("label_column"), f": {shown(column)}"
    if are_sequences is not task.gives_sequences:
        each = "word, a list of them a row" if task.gives_sequences else "row, not a list"
        raise InputError(*what, must=f"hold one label for each {each}")
    if not any(len(labels.flat) for labels in read):
        raise InputError(*what, " holds no label, all rows are empty")
    return columns.references


def _check_split(dataset: Any, names: Mapping[str, str]) -> None:
    if isinstance(dataset, dict) and any(map(is_dataset, dataset.values())):
        splits = " or ".join(f"dataset[{shown(split)}]" for split in dataset)
        raise InputError(Name("dataset"), must="be one split", remedy=f"pass {splits}")
    check_dataset(dataset, names, "a Dataset")
    if not isinstance(dataset, datasets.Dataset):
        raise InputError(
            Name("dataset"),
            must="be a Dataset, to hold the predictions as columns",
            got=f"an {type(dataset).__name__}",
            remedy="Dataset.from_list(list(dataset)) makes one",
        )
    for name in COLUMNS[:2]:
        if name in dataset.column_names:
            other = "rename it (rename_column) or remove it (remove_columns)"
            raise InputError(Name("dataset"), f" already has a column {name!r}", remedy=other)
