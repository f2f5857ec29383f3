"""Run two pipelines on a dataset, and compare what they predict."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import tee, zip_longest
from operator import index, itemgetter
from typing import Annotated, Any, NamedTuple

import datasets

from pairedperm.errors import InputError, called, describe, shown, warn
from pairedperm.hf.dataset import (
    Label,
    LabelColumns,
    PredictedLabels,
    ReferenceLabels,
    compare_split,
    metric_by_names,
    read_label_mapping,
)
from pairedperm.hf.dataset_columns import batches, check_dataset, is_dataset
from pairedperm.inputs.columns import plain_label
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import Whole, progress_bar, read_options, reads_options
from pairedperm.results.result import PairedResult
from pairedperm.results.words import is_utf8
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric, read_metric, split_options

_ROWS = 1000  # tuned: rows read at once
_INPUTS = ("input_column", "second_input_column")
_NOTHING = object()  # stands for a row, or an output, that is lacking


def _texts(dataset: Any, names: Mapping[str, str]) -> Iterator[Any]:
    """Yield the inputs in order, texts or dicts of two; raise InputError for another entry."""
    first, second = _INPUTS
    for number, row in enumerate(_rows(dataset, names)):
        text = _text(first, names[first], number, row)
        if second in names:
            text = {"text": text, "text_pair": _text(second, names[second], number, row)}
        yield text


def _label_of_text(row: Any, output: Any) -> list[Label]:
    """Return the most likely label alone; some pipelines are set to give several."""
    choices = output if isinstance(output, list) else [output]
    try:
        best = choices[0] if len(choices) == 1 else max(choices, key=itemgetter("score"))
        label = plain_label(best["label"])
    except (LookupError, TypeError, ValueError):  # no dict, no number, or no choice
        label = None
    if label is None:
        raise _no_output("a dict with 'label' and 'score', or a list of them", output)
    return [label]


def _sentences(dataset: Any, names: Mapping[str, str]) -> Iterator[Any]:
    """Yield the inputs in order, lists of words; raise InputError unless labels are as many."""
    input_column, label_column = names["input_column"], names["label_column"]
    for number, row in enumerate(_rows(dataset, names)):
        words, labels = row[input_column], row[label_column]
        is_list = isinstance(words, list)
        if not is_list or not all(isinstance(x, str) and x.strip() for x in words):
            what = f": row {number} of {shown(input_column)}"
            raise InputError("input_column", what, must="be a list of words", got=describe(words))
        if len(words) != len(labels):
            raise InputError(
                f"row {number} has {len(words)} words in {shown(input_column)} and "
                f"{len(labels)} labels in {shown(label_column)}",
                remedy="each word needs one",
            )
        yield words


def _labels_of_words(words: Any, output: Any) -> list[Label]:
    """Return for each word the label of its first token."""
    try:
        tokens = iter([_token(token) for token in output])
    except (LookupError, TypeError):  # no dict, or no integers
        what = "a list of dicts with 'entity', 'start' and 'end'"
        raise _no_output(what, output) from None
    labels, begin, (label, start, stop) = [], 0, next(tokens, _NO_TOKEN)
    for position, word in enumerate(words):
        end = begin + len(word)
        # The first token of a word may be the space before it.
        while stop <= begin and start < begin - 1:
            label, start, stop = next(tokens, _NO_TOKEN)
        if start >= end:
            raise InputError(
                f"word {position} of {len(words)}, {shown(word)}, has no token: the sentence is "
                "longer than the model takes, or the tokenizer drops the word",
                remedy="Split such sentences, or leave them out",
            )
        labels.append(label)
        begin = end + 1
    return labels


def _token(output: Mapping[str, Any]) -> tuple[Label, int, int]:
    """Return a token's label and where it stands; raise LookupError or TypeError if it is none."""
    label, start, end = (output[key] for key in ("entity", "start", "end"))
    if (plain := plain_label(label)) is None:
        raise TypeError(label)
    if start is None or end is None:
        raise InputError(
            "the pipeline's tokenizer does not say where its tokens stand",
            remedy="use a fast one (AutoTokenizer.from_pretrained(..., use_fast=True))",
        )
    return plain, index(start), index(end)


_NO_TOKEN = "", sys.maxsize, sys.maxsize  # proof: behind the last one
_OF_WORDS = "token-classification"
_TASKS = {
    "text-classification": (_texts, _label_of_text),
    _OF_WORDS: (_sentences, _labels_of_words),
}
_RUN: dict[str, dict[str, Any]] = {  # as evaluate.evaluator calls a pipeline
    "text-classification": {"truncation": True},
    _OF_WORDS: {"ignore_labels": [], "aggregation_strategy": "none"},
}


def _task_of(pipelines: Mapping[str, Any]) -> str:
    """Return the task of both pipelines, or raise InputError."""
    for name, pipeline in pipelines.items():
        task = getattr(pipeline, "task", None)
        if not callable(pipeline) or not isinstance(task, str) or task not in _TASKS:
            raise InputError(
                name,
                must=f"be a transformers pipeline for {' or '.join(map(repr, _TASKS))}",
                got=describe(pipeline) if task is None else f"one for {describe(task)}",
            )
        if getattr(_config_of(pipeline), "problem_type", None) == "multi_label_classification":
            raise InputError(
                f"`{name}` predicts several labels a row (problem_type is "
                "multi_label_classification), and only one a row can be compared here",
            )
    first, second = (pipeline.task for pipeline in pipelines.values())
    if first != second:
        raise InputError(
            "pipeline1",
            f"is for {first!r} and `pipeline2` for {second!r}",
            remedy="pass two for one task",
        )
    return str(first)


def _check_metric(spec: Metric, task: str, references: ReferenceLabels) -> None:
    """Raise InputError unless the metric fits the pipelines' task and the references' labels."""
    if spec.has_sets and "multilabel" in spec.takes():
        one = "the pipelines give each row one label"
        raise InputError("multilabel", must="be False", remedy=one)
    if spec.has_sets:
        what = f"{spec.name!r} takes sets of labels, but the pipelines give each row one label"
        raise InputError("metric", what, remedy="choose another, such as 'accuracy'")
    if not spec.is_of_labels:
        raise InputError(
            "metric",
            must="be a metric of labels, as the pipelines predict labels",
            got=repr(spec.name),
            remedy="Run the models yourself, and pass their predictions to compare",
        )
    if spec.is_of_spans:
        if task != _OF_WORDS or references.is_text is False:
            raise InputError(
                "metric",
                f"{spec.name!r} needs tags such as 'B-PER' for each word",
                remedy="Pass pipelines for token classification, and a label column of tag names "
                "or of their ClassLabel",
            )
        return
    are_0_and_1 = references.is_text is False and references.labels.keys() <= {0, 1}
    if spec.is_binary and spec.selected is None and not are_0_and_1:
        binary, micro = (f"average={x!r}" for x in ("binary", "micro"))
        others = " it is 1 where all labels are 0 or 1, and the references have others"
        every = f"Say which label counts, or count all, {micro} or 'macro'"
        raise InputError(
            "pos_label",
            "is missing",
            remedy=(f"with {binary}{others}", every),
        )
    for label in spec.selected or ():
        if isinstance(label, str) is not references.is_text:
            kind = "names" if references.is_text else "numbers"
            what = f"has {shown(label)}, but the references' labels are {kind}"
            raise InputError(f"`{spec.choice}` {what}")
        if not references.can_have(label):
            what = f"has {shown(label)}, which is no name of the references' ClassLabel"
            other = "name a label of the references, not of the models"
            raise InputError(f"`{spec.choice}` {what}", remedy=other)


def _listed(name: str, pipeline: Any) -> Mapping[Any, Label]:
    """Return the labels by id that a pipeline's model lists."""
    id2label = getattr(_config_of(pipeline), "id2label", None)
    id2label = {} if id2label is None else id2label
    if not isinstance(id2label, Mapping):
        what = f"`{name}`: its model's config.id2label"
        raise InputError(what, must="be a dict", got=describe(id2label))
    for label in id2label.values():
        if plain_label(label) is None:
            raise _no_label(name, label)
    return id2label


def _predictions(
    name: str,
    pipeline: Any,
    task: str,
    dataset: Any,
    names: Mapping[str, str],
    batch_size: int | None,
) -> Iterator[list[Label]]:
    """Run the pipeline, and yield the labels of each row as it gives them."""
    inputs, labels_of = _TASKS[task]
    run = _RUN[task] | ({} if batch_size is None else {"batch_size": batch_size})
    rows, read_ahead = tee(inputs(dataset, names))  # the model reads a batch ahead
    given = (" ".join(row) if task == _OF_WORDS else row for row in read_ahead)
    outputs = pipeline(given, **run)
    if not hasattr(outputs, "__iter__"):
        raise InputError(name, must="give an output for each row", got=describe(outputs))
    with progress_bar(len(dataset), f"Predicting with {name}", unit=" examples") as bar:
        pairs = zip_longest(rows, outputs, fillvalue=_NOTHING)
        for number, (row, output) in enumerate(pairs):
            if row is _NOTHING or output is _NOTHING:
                raise InputError(
                    name,
                    must=f"give an output for each of {len(dataset):,} rows",
                    got=f"{number:,}{' and more' if row is _NOTHING else ''}",
                )
            with called({}, f"`{name}`, row {number}"):
                yield labels_of(row, output)
            bar.update()


def _store(
    name: str,
    labels: Iterable[Label],
    stored: dict[Label, Label],
    predicted: PredictedLabels,
    references: ReferenceLabels,
) -> None:
    """Add what stands for new labels in the column of predictions, in the references' terms."""
    new = [label for label in labels if label not in stored]
    for label, right in zip(new, predicted.translated(new, new), strict=True):
        if isinstance(right, str) and not is_utf8(right):  # Arrow could not hold it
            raise _no_label(name, label)
        is_none = isinstance(right, str) and references.is_text is False
        stored[label] = references.number_for_none() if is_none else right


def _no_label(name: str, label: Any) -> InputError:
    accepted = "it must be an integer, or a string without lone surrogates"
    return InputError(
        f"`{name}` has the label {describe(label)}",
        remedy=(accepted, "Mend the id2label of its model's config"),
    )


def _config_of(pipeline: Any) -> Any:
    """Return the configuration of the pipeline's model; None if it has none."""
    return getattr(getattr(pipeline, "model", None), "config", None)


def _rows(dataset: Any, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the named columns of each row, faster than `datasets` makes single rows."""
    columns = list(dict.fromkeys(names.values()))
    for batch in dataset.select_columns(columns).with_format(None).iter(_ROWS):
        for values in zip(*batch.values(), strict=True):
            yield dict(zip(batch, values, strict=True))


def _text(argument: str, column: str, number: int, row: Mapping[str, Any]) -> Any:
    text = row[column]
    if not isinstance(text, str):
        what = f"`{argument}`: row {number} of {shown(column)}"
        raise InputError(what, must="be a text", got=describe(text))
    return text


def _no_output(what: str, output: Any) -> InputError:
    return InputError("the pipeline", must=f"give {what}", got=describe(output))


class PipelineComparison(NamedTuple):
    """The predictions of two pipelines, and the result of the test.

    Attributes
    ----------
    result : PairedResult
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
        `n_resamples`, `rng`, `budget`, `confidence_level`, `ties`, `constant`, `largest_group`; see
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
    spec, chosen = read_metric(metric, **of_metric), read_options(**of_test)
    mappings = read_label_mapping(label_mapping)
    pipelines = {"pipeline1": pipeline1, "pipeline2": pipeline2}
    task = _task_of(pipelines)
    names = {"input_column": input_column, "label_column": label_column}
    if second_input_column is not None:
        names["second_input_column"] = second_input_column
    kept = {} if groups is None else {"groups": groups}
    _check_split(dataset, names | kept)
    references = _read_references(dataset, label_column, spec, task)
    for _ in _TASKS[task][0](dataset, names):
        pass  # check the inputs before the models run for hours
    named = metric_by_names(spec, dataset.features[label_column])
    _check_metric(named, task, references)
    if named.is_binary and named.selected is None:  # models may predict others than 0 and 1
        spec = replace(spec, pos_label=1)  # type: ignore[call-arg]
    models: list[tuple[PredictedLabels, dict[Label, Label]]] = []
    for (name, pipeline), mapping in zip(pipelines.items(), mappings, strict=True):
        listed = _listed(name, pipeline)
        of_model = {listed.get(key, key): label for key, label in mapping.items()}
        predicted, stored = PredictedLabels(name, references, of_model), dict[Label, Label]()
        _store(name, listed.values(), stored, predicted, references)
        models.append((predicted, stored))
    notes = [predicted.check() for predicted, _ in models]
    for note in filter(None, notes):
        warn(note)
    whole = dataset
    for column, (name, pipeline), model in zip(COLUMNS, pipelines.items(), models, strict=False):
        predicted, stored = model
        rows: list[Any] = []
        for labels in _predictions(name, pipeline, task, dataset, names, batch_size):
            _store(name, labels, stored, predicted, references)
            rows.append([stored[label] for label in labels])
        whole = whole.add_column(column, rows if task == _OF_WORDS else [row[0] for row in rows])
    for predicted, _ in models:  # they may predict labels that they did not list
        if (said := predicted.check()) is not None and said not in notes:
            warn(said)
    # The new columns hold labels in the references' terms: each stands for itself.
    first, second = ({label: label for label in stored.values()} for _, stored in models)
    columns = {name: name for name in COLUMNS[:2]} | {"references": label_column} | kept
    result = compare_split(whole, columns, (first, second), spec, chosen, notes=None)
    return PipelineComparison(result, whole)


def _read_references(dataset: Any, column: str, metric: Metric, task: str) -> ReferenceLabels:
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
    what = f"`label_column`: {shown(column)}"
    if are_sequences is not (task == _OF_WORDS):
        each = "row, not a list" if are_sequences else "word, a list of them a row"
        raise InputError(what, must=f"hold one label for each {each}")
    if not any(len(labels.flat) for labels in read):
        raise InputError(f"{what} holds no label, all rows are empty")
    return columns.references


def _check_split(dataset: Any, names: Mapping[str, str]) -> None:
    if isinstance(dataset, dict) and any(map(is_dataset, dataset.values())):
        splits = " or ".join(f"dataset[{shown(split)}]" for split in dataset)
        raise InputError("dataset", must="be one split", remedy=f"pass {splits}")
    check_dataset(dataset, names, "a Dataset")
    if not isinstance(dataset, datasets.Dataset):
        raise InputError(
            "dataset",
            must="be a Dataset, to hold the predictions as columns",
            got=f"an {type(dataset).__name__}",
            remedy="Dataset.from_list(list(dataset)) makes one",
        )
    for name in COLUMNS[:2]:
        if name in dataset.column_names:
            other = "rename it (rename_column) or remove it (remove_columns)"
            raise InputError("dataset", f"already has a column {name!r}", remedy=other)
