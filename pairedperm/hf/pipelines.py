"""Run two pipelines on a dataset, and compare what they predict."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from operator import itemgetter
from typing import Any, NamedTuple

import datasets

from pairedperm.errors import InputError, called, describe, heard_by, shown, warn
from pairedperm.hf.dataset import (
    Label,
    LabelColumns,
    compare_dataset,
    read_label_mapping,
)
from pairedperm.hf.dataset_columns import batches, check_dataset
from pairedperm.inputs.columns import plain_label
from pairedperm.inputs.labels import COLUMNS
from pairedperm.options import progress_bar
from pairedperm.results.result import PairedResult
from pairedperm.scoring import MetricName
from pairedperm.scoring.metric import Metric, read_metric, split_call

_OF_WORDS = "token-classification"
_NO_TOKEN = "", sys.maxsize, sys.maxsize  # proof: behind the last one
_RUN: dict[str, dict[str, Any]] = {  # as evaluate.evaluator calls a pipeline
    "text-classification": {"truncation": True},
    _OF_WORDS: {"ignore_labels": [], "aggregation_strategy": "none"},
}


def _task_of(*pipelines: Any) -> str:
    """Return the task of both pipelines, or raise InputError."""
    tasks = [getattr(pipeline, "task", None) for pipeline in pipelines]
    kinds = [getattr(_config_of(pipeline), "problem_type", None) for pipeline in pipelines]
    if tasks[0] != tasks[1] or tasks[0] not in _RUN or "multi_label_classification" in kinds:
        raise InputError(
            "`pipeline1` and `pipeline2`",
            must=f"be transformers pipelines for one task, {' or '.join(map(repr, _RUN))}, that "
            "give one label and not several",
            got=" and ".join(map(describe, tasks if tasks[0] != tasks[1] else kinds)),
        )
    return str(tasks[0])


def _config_of(pipeline: Any) -> Any:
    """Return the configuration of the pipeline's model; None if it has none."""
    return getattr(getattr(pipeline, "model", None), "config", None)


def _inputs(dataset: Any, names: Mapping[str, str], task: str) -> list[Any]:
    """Return what the pipelines get: texts, or dicts of two, or lists of words.

    Raises
    ------
    InputError
        For a row of another kind, or with another number of labels.
    """
    stored, fits = dataset.with_format(None), _fits_words if task == _OF_WORDS else _fits_text
    each = "a list of words with a label for each" if task == _OF_WORDS else "a text with a label"
    label_column, *others = names
    labels = stored[names[label_column]][:]
    columns: list[list[Any]] = [stored[names[argument]][:] for argument in others]
    for argument, column in zip(others, columns, strict=True):
        for k, (entry, label) in enumerate(zip(column, labels, strict=True)):
            if not fits(entry, label):
                raise InputError(
                    f"`{argument}`: row {k} of {shown(names[argument])}",
                    must=f"be {each} in {shown(names[label_column])}",
                    got=f"{describe(entry)} and {describe(label)}",
                )
    if len(columns) == 1:
        return columns[0]
    return [{"text": x, "text_pair": y} for x, y in zip(*columns, strict=True)]


def _fits_text(text: Any, label: Any) -> bool:
    return isinstance(text, str) and not isinstance(label, list)


def _fits_words(words: Any, labels: Any) -> bool:
    are_lists = isinstance(words, list) and isinstance(labels, list)
    return are_lists and len(words) == len(labels) and all(map(_is_word, words))


def _is_word(word: Any) -> bool:
    return isinstance(word, str) and not word.isspace()


def _label_of_text(row: Any, output: Any) -> list[Label]:
    """Return the most likely label alone; some pipelines are set to give several."""
    choices = output if isinstance(output, list) else [output]
    best = choices[0] if len(choices) == 1 else max(choices, key=itemgetter("score"))
    return [best["label"]]


def _labels_of_words(words: Sequence[str], output: Sequence[Any]) -> list[Label]:
    """Return for each word the label of its first token."""
    spans = [(token["entity"], token["start"], token["end"]) for token in output]
    if any(None in span for span in spans):
        raise InputError(
            "the pipeline's tokenizer does not say where its tokens stand",
            remedy="use a fast one (AutoTokenizer.from_pretrained(..., use_fast=True))",
        )
    labels, begin, tokens = [], 0, iter(spans)
    label, start, stop = next(tokens, _NO_TOKEN)
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


def _predictions(name: str, pipeline: Any, inputs: Sequence[Any]) -> Iterator[list[Label]]:
    """Run the pipeline, and yield the labels of each row as it gives them."""
    is_of_words = pipeline.task == _OF_WORDS
    labels_of = _labels_of_words if is_of_words else _label_of_text
    given = (" ".join(x) if is_of_words else x for x in inputs)
    outputs = pipeline(given, **_RUN[pipeline.task])
    each = zip_longest(inputs, outputs if hasattr(outputs, "__iter__") else ())
    with progress_bar(len(inputs), f"Predicting with {name}", unit=" examples") as bar:
        for number, (row, output) in enumerate(each):
            with called({}, f"`{name}`, row {number}"):
                yield _checked(labels_of, row, output)
            bar.update()


def _checked(labels_of: Callable[[Any, Any], list[Label]], row: Any, output: Any) -> list[Label]:
    """Return the labels of an output, or raise InputError for one that no pipeline gives.

    A row without an output, and an output without a row, is None.
    """
    try:
        labels = [plain_label(x) for x in labels_of(row, output)]
        "".join(map(str, labels)).encode()  # no column of Arrow holds lone surrogates
    except InputError:
        raise
    except (LookupError, TypeError, ValueError):
        labels = [None]
    if row is None or None in labels:
        what = "the pipeline must give each row one output of labels, as transformers does"
        raise InputError(what, got=describe(output))
    return labels  # type: ignore[return-value]


def _stored(
    columns: LabelColumns, name: str, labels: Sequence[Label], meant: dict[Label, Label]
) -> list[Label]:
    """Return the references' labels for a system's; among numbers, a negative one for none."""
    new = [x for x in dict.fromkeys(labels) if x not in meant]
    for label, right in zip(new, columns.translated(name, new, new), strict=True):
        is_none = isinstance(right, str) and columns.is_text is False
        meant[label] = min(0, *map(int, columns.labels)) - 1 if is_none else right
    return [meant[x] for x in labels]


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


def predict_and_compare(
    pipeline1: Any,
    pipeline2: Any,
    dataset: Any,
    input_column: str = "text",
    label_column: str = "label",
    *,
    second_input_column: str | None = None,
    label_mapping: Any = None,
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
    metric : str or Metric
        A metric of labels, by name ("accuracy" by default) or as an object such as
        ``F1(average="macro")``. An object has its options; a name takes them as `**options`.

        A metric of one label, as "f1", needs `pos_label` unless the references are 0 and 1, or a
        ClassLabel with two names. Metrics of spans, as "span_f1", need token classification with
        tags such as "B-PER". `pairedperm.scoring` documents each metric and its options.
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
        - If `compare_dataset` would refuse the labels or the options.
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
    than the model takes is cut, as by `evaluate.evaluator`. Give the pipelines their batch size
    where they are made.

    Examples
    --------
    >>> from pairedperm.hf import predict_and_compare
    >>> result, reviews = predict_and_compare(
    ...     large, small, reviews, label_mapping={"LABEL_0": "neg", "LABEL_1": "pos"}
    ... )  # doctest: +SKIP
    """
    groups = options.pop("groups", None)
    of_metric, of_test = split_call(options)
    spec, mappings = read_metric(metric, **of_metric), read_label_mapping(label_mapping)
    pipelines = {"pipeline1": pipeline1, "pipeline2": pipeline2}
    task = _task_of(pipeline1, pipeline2)
    if not spec.is_of_labels:
        raise InputError("metric", must="be a metric of labels", got=repr(spec.name))
    names = {"label_column": label_column, "input_column": input_column}
    if second_input_column is not None:
        names["second_input_column"] = second_input_column
    _check_split(dataset, names)
    listed = [getattr(_config_of(x), "id2label", None) or {} for x in pipelines.values()]
    one, two = (
        {labels.get(x, x): y for x, y in mapping.items()}
        for labels, mapping in zip(listed, mappings, strict=True)
    )
    columns = LabelColumns({"references": dataset.features[label_column]}, (one, two), spec)
    with called(dict.fromkeys(COLUMNS, "`label_column`")), heard_by(lambda note: None):
        for number, batch in batches(dataset, {"references": label_column}, "Reading"):
            columns.read(batch, number)
        # before models run for hours: the labels against themselves, with all options
        right = label_column
        compare_dataset(dataset, right, right, right, spec, groups=groups, **of_test)
    inputs = _inputs(dataset, names, task)
    whole, meant = dataset, [dict[Label, Label](), dict[Label, Label]()]
    with called({"predictions1": "`pipeline1`", "predictions2": "`pipeline2`"}):
        for column, labels, of_system in zip(COLUMNS, listed, meant, strict=False):
            _stored(columns, column, [*labels.values()], of_system)
        columns.check()
        for column, name, of_system in zip(COLUMNS, pipelines, meant, strict=False):
            rows: list[Any] = [
                _stored(columns, column, labels, of_system)
                for labels in _predictions(name, pipelines[name], inputs)
            ]
            whole = whole.add_column(column, rows if task == _OF_WORDS else [*chain(*rows)])
        for note in columns.check():  # models may predict labels that they did not list
            warn(note)
    # The new columns hold labels in the references' terms: each stands for itself.
    options = of_test | {"groups": groups}
    options["label_mapping"] = [{label: label for label in x.values()} for x in meant]
    result = compare_dataset(whole, references=label_column, metric=spec, **options)
    return PipelineComparison(result, whole)


def _check_split(dataset: Any, names: Mapping[str, str]) -> None:
    """Raise InputError unless this is one split, to which columns can be added."""
    if not isinstance(dataset, datasets.Dataset):
        must = "be a Dataset, to hold the predictions as columns"
        remedy = "Pass one split. Dataset.from_list(list(dataset)) makes one of a stream"
        raise InputError("dataset", must=must, got=describe(dataset), remedy=remedy)
    check_dataset(dataset, names)
    if taken := [name for name in COLUMNS[:2] if name in dataset.column_names]:
        other = "rename it (rename_column) or remove it (remove_columns)"
        raise InputError("dataset", f"already has a column {taken[0]!r}", remedy=other)
