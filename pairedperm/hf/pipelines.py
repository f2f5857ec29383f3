"""Two `transformers` pipelines on one dataset: predictions, then the test."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import datasets

from pairedperm.errors import InputError, describe, shown
from pairedperm.hf.batches import batches, check_columns
from pairedperm.hf.call_options import name_and_options, split_options
from pairedperm.hf.columns import compare_columns
from pairedperm.hf.label_columns import LabelColumns, options_by_name
from pairedperm.hf.meaning import Vocabulary, read_label_mapping
from pairedperm.hf.model import Model, config_of
from pairedperm.hf.tasks import TASKS, Task
from pairedperm.options import positive_integer, read_options
from pairedperm.results.result import PairedResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric, read_metric

_COLUMNS = ("predictions1", "predictions2")


class PipelineComparison(NamedTuple):
    """What two pipelines predict, and how they compare.

    Attributes
    ----------
    result : PairedResult
        Of the test.
    dataset : Dataset
        The one that was passed, with the new columns "predictions1" and "predictions2": the
        mapped labels (names where the references are a ClassLabel), or a list of them a row.
    """

    result: PairedResult
    dataset: Any


def predict_and_compare(
    pipeline1: Any,
    pipeline2: Any,
    dataset: Any,
    input_column: str = "text",
    label_column: str = "label",
    *,
    second_input_column: str | None = None,
    label_mapping: Any = None,
    batch_size: int | None = None,
    metric: MetricName | Metric = "accuracy",
    **options: Any,
) -> PipelineComparison:
    """Run two `transformers` pipelines on a dataset and test which one is better.

    Everything that can be checked (inputs, labels, options) is, before a model runs.

    Parameters
    ----------
    pipeline1, pipeline2 : transformers.Pipeline
        For "text-classification" or for "token-classification", both for the same.
    dataset : Dataset
        Of n rows.
    input_column : str
        Texts; for token classification lists of words, which are joined by spaces. A word's
        label is that of its first token.
    label_column : str
        The right label of each row, or of each of its words: names or ids.
    second_input_column : str or None
        The second text of each row, for models of text pairs.
    label_mapping : dict, pair of dicts, or None
        What the models' labels mean, ``{"LABEL_0": "negative", "LABEL_1": "positive"}``, in
        names or ids; of a pair the first is for pipeline1. Labels that are not in it stay. A
        label that is mapped to itself may be one that no reference has: it counts as wrong. Where
        the references are integers, it is -1 in the new columns, or less if some of them are.
    batch_size : int or None
        That the models run on; None leaves it to the pipelines.
    metric : str or Metric
    **options
        See `pairedperm.compare`. Of the metric, such as average="macro", and ignore_label.
        Of the test: test, alternative, method, n_resamples, rng, budget, confidence_level, ties,
        and groups, the column with an id for each row.

    Returns
    -------
    PipelineComparison
        A named tuple: `result`, and `dataset` with the new columns "predictions1" and
        "predictions2".

    Raises
    ------
    InputError
        If a pipeline is for another task, or predicts several labels at once; if `dataset` is
        no Dataset, has no rows, lacks a column or has one of the new names; if an input is
        missing or no text, or has not as many words as labels; if a label of a model can be no
        label of the references, or is called LABEL_0 or so, or is left out by the mapping and
        no reference has it; if a word has no token, for the text is longer than the model takes.

    Warns
    -----
    UserWarning
        If a label is mapped to one that no reference has.

    Notes
    -----
    Needs `transformers` (``pip install ".[transformers]"``). Texts that are longer
    than the model takes are cut, as `evaluate.evaluator` does.

    Examples
    --------
    >>> from pairedperm.hf import predict_and_compare
    >>> result, reviews = predict_and_compare(
    ...     large, small, reviews, label_mapping={"LABEL_0": "neg", "LABEL_1": "pos"}
    ... )  # doctest: +SKIP
    """
    groups = options.pop("groups", None)
    of_metric, of_test = split_options(options)
    metric, of_metric = name_and_options(metric, of_metric)
    ignored = read_metric(metric, **of_metric).ignored
    read_options(**of_test)
    mappings = read_label_mapping(label_mapping)
    pipelines = {"pipeline1": pipeline1, "pipeline2": pipeline2}
    task = _task(pipelines)
    if batch_size is not None:
        batch_size = positive_integer("batch_size", batch_size)
    names = {"input_column": input_column, "label_column": label_column}
    if second_input_column is not None:
        names["second_input_column"] = second_input_column
    kept = {} if groups is None else {"groups": groups}
    _check_dataset(dataset, names | kept)
    vocabulary, are_sequences = _read_references(dataset, label_column, ignored)
    if are_sequences is not task.gives_sequences:
        raise InputError(
            f"`label_column`: {shown(label_column)} must hold one label for each "
            f"{'word, a list of them a row' if task.gives_sequences else 'row, not a list'}."
        )
    for _ in task.rows(dataset, names):
        pass  # rather now than after hours
    if vocabulary.is_empty:
        raise InputError(
            f"`label_column`: {shown(label_column)} holds no label, all rows are empty."
        )
    by_name = options_by_name({"metric": metric, **of_metric}, dataset.features[label_column])
    spec = read_metric(**by_name)
    _check_metric(spec, task, vocabulary)
    if spec.is_binary and spec.selected is None:  # whatever else the models predict
        of_metric["pos_label"] = 1
    models = [
        Model(name, pipeline, mapping, vocabulary)
        for (name, pipeline), mapping in zip(pipelines.items(), mappings, strict=True)
    ]
    notes = {note for model in models if (note := model.predicted.check())}
    for note in sorted(notes):
        warnings.warn(note, stacklevel=2)
    predicted = dataset
    for column, model in zip(_COLUMNS, models, strict=True):
        labels = model.predictions(task, dataset, names, batch_size)
        predicted = predicted.add_column(column, labels)
    for model in models:  # again: a model may not list its labels
        if (note := model.predicted.check()) and note not in notes:
            warnings.warn(note, stacklevel=2)
    # What they mean is known: each label stands for itself.
    first, second = ({label: label for label in model.values()} for model in models)
    columns = {name: name for name in _COLUMNS} | {"references": label_column} | kept
    test = {"metric": metric, **of_metric, **of_test}
    result = compare_columns(predicted, columns, (first, second), test, notes=None)
    return PipelineComparison(result, predicted)


def _task(pipelines: Mapping[str, Any]) -> Task:
    """What both pipelines do."""
    for name, pipeline in pipelines.items():
        task = getattr(pipeline, "task", None)
        if not callable(pipeline) or not isinstance(task, str) or task not in TASKS:
            raise InputError(
                f"`{name}` must be a transformers pipeline for {' or '.join(map(repr, TASKS))}, "
                f"got {describe(pipeline) if task is None else f'one for {describe(task)}'}."
            )
        if getattr(config_of(pipeline), "problem_type", None) == "multi_label_classification":
            raise InputError(
                f"`{name}` predicts several labels a row (problem_type is multi_label_"
                "classification): one a row can be compared here."
            )
    first, second = (pipeline.task for pipeline in pipelines.values())
    if first != second:
        raise InputError(f"`pipeline1` is for {first!r} and `pipeline2` for {second!r}.")
    return TASKS[first]


def _read_references(dataset: Any, column: str, ignored: int | None) -> tuple[Vocabulary, bool]:
    """The labels in a column of right ones, and whether each row has a sequence of them.

    In sequences `ignored` is none.

    Raises
    ------
    InputError
        For what is no label, with the row's number; it calls the column `references`.
    """
    names = {"references": column}
    features = {"references": (dataset.features or {}).get(column)}
    columns = LabelColumns(features, ({}, {}), ignored)
    are_sequences = False
    for start, batch in batches(dataset, names, None):
        are_sequences = columns.read(batch, start)["references"].lengths is not None
    return columns.vocabulary, are_sequences


def _check_dataset(dataset: Any, names: Mapping[str, str]) -> None:
    if isinstance(dataset, dict) and dataset:
        raise InputError(
            "`dataset` must be one split: pass "
            + " or ".join(f"dataset[{shown(split)}]" for split in dataset)
            + "."
        )
    check_columns(dataset, names)
    if not isinstance(dataset, datasets.Dataset):
        raise InputError(
            "`dataset` must be a Dataset, to hold the predictions as columns, got an "
            f"{type(dataset).__name__}. Dataset.from_list(list(dataset)) makes one."
        )
    for name in _COLUMNS:
        if name in dataset.column_names:
            raise InputError(
                f"`dataset` has a column {name!r} already: rename_column or remove_columns it."
            )


def _check_metric(spec: Metric, task: Task, vocabulary: Vocabulary) -> None:
    """Check that the metric fits what the pipelines predict, and the references' labels.

    Raises
    ------
    InputError
        If it does not.
    """
    if spec.has_sets and "multilabel" in spec.takes():
        raise InputError("`multilabel` must be False: the pipelines give each row one label.")
    if spec.has_sets:
        raise InputError(
            f"`metric` {spec.name!r} is of sets of labels, and the pipelines give each row one "
            "label: choose another, such as 'accuracy'."
        )
    if not spec.is_of_labels:
        raise InputError(
            f"`metric` must be one of labels, which the pipelines predict, got {spec.name!r}: run "
            "the models yourself and pass what they give to compare."
        )
    if spec.is_of_spans:
        if not task.gives_sequences or vocabulary.is_text is False:
            raise InputError(
                f"`metric` {spec.name!r} needs tags such as 'B-PER' for each word: token "
                "classification, and a label column of tag names, or of a ClassLabel that has them."
            )
        return
    if spec.is_binary and spec.selected is None and not vocabulary.is_of_0_and_1:
        raise InputError(
            "`pos_label` is missing: with average='binary' it is 1 where all labels are 0 or 1, "
            "and the references' are others. Say which label counts, or count all, average='micro' "
            "or 'macro'."
        )
    for label in spec.selected or ():
        if isinstance(label, str) is not vocabulary.is_text:
            kind = "names" if vocabulary.is_text else "numbers"
            raise InputError(
                f"`{spec.choice}` has {shown(label)}, but the references' labels are {kind}."
            )
        if not vocabulary.can_have(label):
            raise InputError(
                f"`{spec.choice}` has {shown(label)}, which is no "
                "name of the references' ClassLabel: it means a label of theirs."
            )
