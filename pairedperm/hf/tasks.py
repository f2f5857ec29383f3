"""The tasks of pipelines: what they read of a row, the labels in their output, their models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import tee, zip_longest
from operator import index, itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from pairedperm.errors import InputError, Name, Parts, Setting, called, describe, shown, warn
from pairedperm.hf.label_mapping import Label, PredictedLabels, ReferenceLabels
from pairedperm.inputs.columns import plain_label
from pairedperm.options import progress_bar
from pairedperm.results.words import is_utf8
from pairedperm.scoring.metric import Metric

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
                what = Name("input_column"), f": row {number} of {shown(input_column)}"
                raise InputError(*what, must="be a list of words", got=describe(words))
            if len(words) != len(labels):
                n_words = f"row {number} has {len(words)} words in {shown(input_column)}"
                n_labels = f" and {len(labels)} labels in {shown(label_column)}"
                raise InputError(n_words, n_labels, remedy="each word needs one")
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


def check_metric(spec: Metric, task: PipelineTask, references: ReferenceLabels) -> None:
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
            what = Name(name), ": its model's config.id2label"
            raise InputError(*what, must="be a dict", got=describe(id2label))
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
            raise InputError(Name(self._name), must="give an output for each row", got=got)
        predictions: list[Any] = []
        title = f"Predicting with {self._name}"
        with progress_bar(len(dataset), title, unit=" examples") as bar:
            pairs = zip_longest(rows, outputs, fillvalue=_NOTHING)
            for number, (row, output) in enumerate(pairs):
                if row is _NOTHING or output is _NOTHING:
                    raise InputError(
                        Name(self._name),
                        must=f"give an output for each of {len(dataset):,} rows",
                        got=f"{number:,}{' and more' if row is _NOTHING else ''}",
                    )
                with called({}, Parts(Name(self._name), f", row {number}")):
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
            warn(*note.parts)

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
            *(Name(self._name), " has the label ", describe(label)),
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
        what = Name(argument), f": row {number} of {shown(column)}"
        raise InputError(*what, must="be a text", got=describe(text))
    return text


def _no_output(what: str, output: Any) -> InputError:
    return InputError("the pipeline", must=f"give {what}", got=describe(output))
