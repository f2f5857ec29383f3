"""Run two `transformers` pipelines on one dataset, and test their predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import datasets

from pairedperm.errors import InputError, warn
from pairedperm.errors.wording import Name, Parts, Setting, describe, shown
from pairedperm.hf.batches import batches, check_columns, is_dataset
from pairedperm.hf.columns import compare_columns
from pairedperm.hf.label_columns import LabelColumns, by_name
from pairedperm.hf.label_mapping import ReferenceLabels, read_label_mapping
from pairedperm.hf.metric_of_call import metric_of_call
from pairedperm.hf.tasks import TASKS, Model, Task, config_of
from pairedperm.options import read_options
from pairedperm.options.constraints import Whole, reads_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.call_options import lists_options, split_options
from pairedperm.scoring.metric import Metric

_COLUMNS = ("predictions1", "predictions2")


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


@lists_options()
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

        - "accuracy", "exact_match", "balanced_accuracy", "matthews_correlation", "hamming_loss";
          "cohen_kappa" with `weights` and `labels`.
        - "precision", "recall", "f1", "jaccard", "fbeta" (needs `beta`), with `average`,
          `pos_label` or `labels`, and `zero_division`; "specificity" with `pos_label` and
          `zero_division`. For one label, `pos_label` is needed unless the references are 0 and 1,
          or a ClassLabel with two names.
        - "span_precision", "span_recall", "span_f1", for token classification with tags such as
          "B-PER": with `average`, `labels` (types of entities), `mode`, `scheme`, `zero_division`.

        Sets of labels (`multilabel=True`, "subset_accuracy") and metrics of texts or numbers are
        refused.
        `pairedperm.scoring` documents each metric, as ``help(pairedperm.scoring.F1)``.
    **options
        Of the metric, as above, and `ignore_label`. Of the test: `test`, `alternative`, `method`,
        `n_resamples`, `rng`, `budget`, `confidence_level`, `ties`; see `pairedperm.compare`.
        `groups`: the column with an id for each row.

    Returns
    -------
    PipelineComparison
        A named tuple: `result`, and `dataset` with the new columns "predictions1" and
        "predictions2".

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
    Needs `transformers` (extra ``transformers``). In text classification, a text that
    is longer than the model takes is cut, as by `evaluate.evaluator`.

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
    task = _task(pipelines)
    names = {"input_column": input_column, "label_column": label_column}
    if second_input_column is not None:
        names["second_input_column"] = second_input_column
    kept = {} if groups is None else {"groups": groups}
    _check_dataset(dataset, names | kept)
    references = _read_references(dataset, label_column, spec, task)
    for _ in task.rows(dataset, names):
        pass  # check the inputs before the models run for hours
    named = by_name(spec, dataset.features[label_column])
    _check_metric(named, task, references)
    if named.is_binary and named.selected is None:  # models may predict others than 0 and 1
        positive: dict[str, Any] = {"pos_label": 1}
        spec = replace(spec, **positive)
    models = [
        Model(name, pipeline, mapping, references)
        for (name, pipeline), mapping in zip(pipelines.items(), mappings, strict=True)
    ]
    said: set[str] = set()
    _warn_of_strays(models, said)
    predicted = dataset
    for column, model in zip(_COLUMNS, models, strict=True):
        found = model.predictions(task, dataset, names, batch_size)
        predicted = predicted.add_column(column, found)
    _warn_of_strays(models, said)  # a model may predict labels that it did not list
    # The new columns hold labels in the references' terms: each stands for itself.
    first, second = ({label: label for label in model.stored.values()} for model in models)
    columns = {name: name for name in _COLUMNS} | {"references": label_column} | kept
    result = compare_columns(predicted, columns, (first, second), spec, chosen, notes=None)
    return PipelineComparison(result, predicted)


def _task(pipelines: Mapping[str, Any]) -> Task:
    """Return the task of both pipelines, or raise InputError."""
    for name, pipeline in pipelines.items():
        task = getattr(pipeline, "task", None)
        if not callable(pipeline) or not isinstance(task, str) or task not in TASKS:
            raise InputError(
                Name(name),
                must=f"be a transformers pipeline for {' or '.join(map(repr, TASKS))}",
                got=describe(pipeline) if task is None else Parts("one for ", describe(task)),
            )
        if getattr(config_of(pipeline), "problem_type", None) == "multi_label_classification":
            raise InputError(
                Name(name),
                " predicts several labels a row (problem_type is multi_label_classification), and "
                "only one a row can be compared here",
            )
    first, second = (pipeline.task for pipeline in pipelines.values())
    if first != second:
        raise InputError(
            *(Name("pipeline1"), f" is for {first!r} and ", Name("pipeline2"), f" for {second!r}"),
            remedy="pass two for one task",
        )
    return TASKS[first]


def _read_references(dataset: Any, column: str, metric: Metric, task: Task) -> ReferenceLabels:
    """Return the labels in the column of right labels; in sequences the ignored one is left out.

    Raises
    ------
    InputError
        For an entry that is no label, with its row; the message calls the column `references`.
        If the column has another form than the task's labels, or no label.
    """
    names = {"references": column}
    features = {"references": (dataset.features or {}).get(column)}
    columns = LabelColumns(features, ({}, {}), metric)
    read = [columns.read(batch, n)["references"] for n, batch in batches(dataset, names, None)]
    are_sequences = any(labels.lengths is not None for labels in read)
    what = Name("label_column"), f": {shown(column)}"
    if are_sequences is not task.gives_sequences:
        each = "word, a list of them a row" if task.gives_sequences else "row, not a list"
        raise InputError(*what, must=f"hold one label for each {each}")
    if not any(len(labels.flat) for labels in read):
        raise InputError(*what, " holds no label, all rows are empty")
    return columns.references


def _warn_of_strays(models: Iterable[Model], said: set[str]) -> None:
    """Warn of labels that count as wrong, unless that has been `said` before."""
    for model in models:
        note = model.predicted.check()
        if note is not None and str(note) not in said:
            said.add(str(note))
            warn(*note.parts)


def _check_dataset(dataset: Any, names: Mapping[str, str]) -> None:
    if isinstance(dataset, dict) and any(map(is_dataset, dataset.values())):
        splits = " or ".join(f"dataset[{shown(split)}]" for split in dataset)
        raise InputError(Name("dataset"), must="be one split", remedy=f"pass {splits}")
    check_columns(dataset, names, "a Dataset")
    if not isinstance(dataset, datasets.Dataset):
        raise InputError(
            Name("dataset"),
            must="be a Dataset, to hold the predictions as columns",
            got=f"an {type(dataset).__name__}",
            remedy="Dataset.from_list(list(dataset)) makes one",
        )
    for name in _COLUMNS:
        if name in dataset.column_names:
            other = "rename it (rename_column) or remove it (remove_columns)"
            raise InputError(Name("dataset"), f" already has a column {name!r}", remedy=other)


def _check_metric(spec: Metric, task: Task, references: ReferenceLabels) -> None:
    """Raise InputError unless the metric fits the pipelines' task and the references' labels."""
    if spec.has_sets and "multilabel" in spec.takes():
        one = "the pipelines give each row one label"
        raise InputError(Name("multilabel"), must="be False", remedy=one)
    if spec.has_sets:
        what = f" {spec.name!r} takes sets of labels, but the pipelines give each row one label"
        raise InputError(Name("metric"), what, remedy="choose another, such as 'accuracy'")
    if not spec.is_of_labels:
        raise InputError(
            Name("metric"),
            must="be a metric of labels, as the pipelines predict labels",
            got=repr(spec.name),
            remedy="Run the models yourself, and pass their predictions to compare",
        )
    if spec.is_of_spans:
        if not task.gives_sequences or references.is_text is False:
            raise InputError(
                Name("metric"),
                f" {spec.name!r} needs tags such as 'B-PER' for each word",
                remedy="Pass pipelines for token classification, and a label column of tag names "
                "or of their ClassLabel",
            )
        return
    are_0_and_1 = references.is_text is False and references.labels.keys() <= {0, 1}
    if spec.is_binary and spec.selected is None and not are_0_and_1:
        binary, micro = (Setting("average", repr(x)) for x in ("binary", "micro"))
        others = " it is 1 where all labels are 0 or 1, and the references have others"
        every = Parts("Say which label counts, or count all, ", micro, " or 'macro'")
        raise InputError(
            Name("pos_label"), " is missing", remedy=(Parts("with ", binary, others), every)
        )
    for label in spec.selected or ():
        if isinstance(label, str) is not references.is_text:
            kind = "names" if references.is_text else "numbers"
            what = f" has {shown(label)}, but the references' labels are {kind}"
            raise InputError(Name(spec.choice), what)
        if not references.can_have(label):
            what = f" has {shown(label)}, which is no name of the references' ClassLabel"
            other = "name a label of the references, not of the models"
            raise InputError(Name(spec.choice), what, remedy=other)
