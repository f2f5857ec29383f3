"""Run two pipelines on a dataset, and compare what they predict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import tee, zip_longest
from operator import index, itemgetter
from types import MappingProxyType
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
from pairedperm.inputs.columns import plain_label
from pairedperm.inputs.dataset_columns import batches, check_dataset, is_dataset
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import Whole, progress_bar, read_options, reads_options
from pairedperm.results.result import PairedResult
from pairedperm.results.words import is_utf8
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric, read_metric, split_options

_ROWS = 1000  # tuned: rows read at once
_INPUTS = ("input_column", "second_input_column")
_NOTHING = object()  # stands for a row, or an output, that is lacking


class TextClassification:
    """The task that gives a text, or a pair of texts, one label."""

    options = MappingProxyType({"truncation": True})  # as evaluate.evaluator calls a pipeline
    gives_sequences = False  # whether a row gets a list of labels

    def rows(self, dataset: Any, names: Mapping[str, str]) -> Iterator[Any]:
        """Yield the inputs in order, texts or dicts of two; raise InputError for another entry."""
        first, second = _INPUTS
        for number, row in enumerate(_rows(dataset, names)):
            text = _text(first, names[first], number, row)
            if second in names:
                text = {"text": text, "text_pair": _text(second, names[second], number, row)}
            yield text

    def model_input(self, row: Any) -> Any:
        """Return the row as it is."""
        return row

    def labels(self, row: Any, output: Any) -> list[Label]:
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


class TokenClassification:
    """The task that gives each word of a sentence a label, that of its first token."""

    options = MappingProxyType({"ignore_labels": [], "aggregation_strategy": "none"})
    gives_sequences = True

    def rows(self, dataset: Any, names: Mapping[str, str]) -> Iterator[Any]:
        """Yield the inputs in order, lists of words; raise InputError unless labels are as many."""
        input_column, label_column = names["input_column"], names["label_column"]
        for number, row in enumerate(_rows(dataset, names)):
            words, labels = row[input_column], row[label_column]
            is_list = isinstance(words, list)
            if not is_list or not all(isinstance(x, str) and x.strip() for x in words):
                what = f": row {number} of {shown(input_column)}"
                raise InputError(
                    "input_column", what, must="be a list of words", got=describe(words)
                )
            if len(words) != len(labels):
                raise InputError(
                    f"row {number} has {len(words)} words in {shown(input_column)} and "
                    f"{len(labels)} labels in {shown(label_column)}",
                    remedy="each word needs one",
                )
            yield words

    def model_input(self, row: Any) -> Any:
        """Join the words by spaces."""
        return " ".join(row)

    def labels(self, row: Any, output: Any) -> list[Label]:
        """Return for each word the label of its first token."""
        try:
            tokens = iter([_Token.of(token) for token in output])
        except (LookupError, TypeError):  # no dict, or no integers
            what = "a list of dicts with 'entity', 'start' and 'end'"
            raise _no_output(what, output) from None
        token = next(tokens, None)
        labels = []
        begin = 0
        for position, word in enumerate(row):
            end = begin + len(word)
            # The first token of a word may be the space before it.
            while token is not None and token.end <= begin and token.start < begin - 1:
                token = next(tokens, None)
            if token is None or token.start >= end:
                raise InputError(
                    f"word {position} of {len(row)}, {shown(word)}, has no token: the sentence is "
                    "longer than the model takes, or the tokenizer drops the word",
                    remedy="Split such sentences, or leave them out",
                )
            labels.append(token.label)
            begin = end + 1
        return labels


class _Token(NamedTuple):
    """A token in a pipeline's output, and where it stands in the sentence."""

    label: Label
    start: int
    end: int

    @classmethod
    def of(cls, output: Mapping[str, Any]) -> _Token:
        """Read a token; raise LookupError or TypeError if it is none."""
        label, start, end = (output[key] for key in ("entity", "start", "end"))
        if (plain := plain_label(label)) is None:
            raise TypeError(label)
        if start is None or end is None:
            raise InputError(
                "the pipeline's tokenizer does not say where its tokens stand",
                remedy="use a fast one (AutoTokenizer.from_pretrained(..., use_fast=True))",
            )
        return cls(plain, index(start), index(end))


PipelineTask = TextClassification | TokenClassification
TASKS: dict[str, PipelineTask] = {
    "text-classification": TextClassification(),
    "token-classification": TokenClassification(),
}


def task_of(pipelines: Mapping[str, Any]) -> PipelineTask:
    """Return the task of both pipelines, or raise InputError."""
    for name, pipeline in pipelines.items():
        task = getattr(pipeline, "task", None)
        if not callable(pipeline) or not isinstance(task, str) or task not in TASKS:
            raise InputError(
                name,
                must=f"be a transformers pipeline for {' or '.join(map(repr, TASKS))}",
                got=describe(pipeline) if task is None else f"one for {describe(task)}",
            )
        if getattr(config_of(pipeline), "problem_type", None) == "multi_label_classification":
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
    return TASKS[first]


def check_metric(spec: Metric, task: PipelineTask, references: ReferenceLabels) -> None:
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
        if not task.gives_sequences or references.is_text is False:
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


class Model:
    """A pipeline and its labels.

    Attributes
    ----------
    stored : dict
        From the labels that the model lists or has predicted to the labels of the new column.
    """

    def __init__(
        self, name: str, pipeline: Any, mapping: Mapping[Any, Label], references: ReferenceLabels
    ) -> None:
        self._name, self._pipeline, self._references = name, pipeline, references
        id2label = getattr(config_of(pipeline), "id2label", None)
        id2label = {} if id2label is None else id2label
        if not isinstance(id2label, Mapping):
            what = f"`{name}`: its model's config.id2label"
            raise InputError(what, must="be a dict", got=describe(id2label))
        for label in id2label.values():
            if plain_label(label) is None:
                raise self._no_label(label)
        mapping = {id2label.get(key, key): label for key, label in mapping.items()}
        self._predicted = PredictedLabels(name, references, mapping)
        self._warnings: set[str] = set()
        self.stored: dict[Label, Label] = {}
        self._add([*id2label.values()])

    def predictions(
        self, task: PipelineTask, dataset: Any, names: Mapping[str, str], batch_size: int | None
    ) -> list[Any]:
        """Run the pipeline, and return each row's label or labels in the references' terms."""
        run = dict(task.options)
        if batch_size is not None:
            run["batch_size"] = batch_size
        rows, read_ahead = tee(task.rows(dataset, names))  # the model reads a batch ahead
        outputs = self._pipeline((task.model_input(row) for row in read_ahead), **run)
        if not hasattr(outputs, "__iter__"):
            got = describe(outputs)
            raise InputError(self._name, must="give an output for each row", got=got)
        predictions: list[Any] = []
        title = f"Predicting with {self._name}"
        with progress_bar(len(dataset), title, unit=" examples") as bar:
            pairs = zip_longest(rows, outputs, fillvalue=_NOTHING)
            for number, (row, output) in enumerate(pairs):
                if row is _NOTHING or output is _NOTHING:
                    raise InputError(
                        self._name,
                        must=f"give an output for each of {len(dataset):,} rows",
                        got=f"{number:,}{' and more' if row is _NOTHING else ''}",
                    )
                with called({}, f"`{self._name}`, row {number}"):
                    labels = task.labels(row, output)
                self._add(labels)
                stored = [self.stored[label] for label in labels]
                predictions.append(stored if task.gives_sequences else stored[0])
                bar.update()
        return predictions

    def warn_of_strays(self) -> None:
        """Warn of labels that count as wrong, unless it has been told before.

        Raises
        ------
        InputError
            If labels cannot be those of the references.
        """
        note = self._predicted.check()
        if note is not None and str(note) not in self._warnings:
            self._warnings.add(str(note))
            warn(note)

    def _add(self, labels: Sequence[Label]) -> None:
        labels = [label for label in labels if label not in self.stored]
        for label, right in zip(labels, self._predicted.translated(labels, labels), strict=True):
            if isinstance(right, str) and not is_utf8(right):  # Arrow could not hold it
                raise self._no_label(label)
            is_none = isinstance(right, str) and self._references.is_text is False
            self.stored[label] = self._references.number_for_none() if is_none else right

    def _no_label(self, label: Any) -> InputError:
        accepted = "it must be an integer, or a string without lone surrogates"
        return InputError(
            f"`{self._name}` has the label {describe(label)}",
            remedy=(accepted, "Mend the id2label of its model's config"),
        )


def config_of(pipeline: Any) -> Any:
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
    what = f"`label_column`: {shown(column)}"
    if are_sequences is not task.gives_sequences:
        each = "word, a list of them a row" if task.gives_sequences else "row, not a list"
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
