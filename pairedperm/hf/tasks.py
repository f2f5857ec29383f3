"""Read rows for each pipeline task, and the labels in its output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import tee, zip_longest
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from datasets.utils import tqdm

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, called, describe, shown
from pairedperm.hf.label_mapping import Label, PredictedLabels, ReferenceLabels
from pairedperm.inputs.columns import is_integer, plain_label
from pairedperm.options.constraints import is_number

_ROWS = 1000  # tuned: rows read at once
_INPUTS = ("input_column", "second_input_column")


class TextClassification:
    """The task that gives a text, or a pair of texts, one label."""

    options = MappingProxyType({"truncation": True})  # as evaluate.evaluator calls a pipeline
    gives_sequences = False  # whether a row gets a list of labels

    def rows(self, dataset: Any, names: Mapping[str, str]) -> Iterator[Any]:
        """Yield the inputs in order, texts or dicts of two; raise InputError for another entry."""
        first, second = _INPUTS
        for number, row in _rows(dataset, names):
            text = _text(first, names[first], number, row)
            if second in names:
                text = {"text": text, "text_pair": _text(second, names[second], number, row)}
            yield text

    def model_input(self, row: Any) -> Any:
        """Return the row as it is."""
        return row

    def labels(self, row: Any, output: Any) -> Any:
        """Return the most likely label; some pipelines are set to give several."""
        found = output if isinstance(output, list) else [output]
        is_one = len(found) == 1
        if not found or not all(_has(x, "label") and (is_one or _has_score(x)) for x in found):
            raise _no_output("a dict with 'label' and 'score', or a list of them", output)
        return found[0]["label"] if is_one else max(found, key=itemgetter("score"))["label"]


class TokenClassification:
    """The task that gives each word of a sentence a label, that of its first token."""

    options = MappingProxyType({"ignore_labels": [], "aggregation_strategy": "none"})
    gives_sequences = True

    def rows(self, dataset: Any, names: Mapping[str, str]) -> Iterator[Any]:
        """Yield the inputs in order, lists of words; raise InputError unless labels are as many."""
        input_column, label_column = names["input_column"], names["label_column"]
        for number, row in _rows(dataset, names):
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

    def labels(self, row: Any, output: Any) -> Any:
        """Return for each word the label of its first token, which may be the space before it."""
        if not isinstance(output, list) or not all(map(_is_token, output)):
            raise _no_output("a list of dicts with 'entity', 'start' and 'end'", output)
        tokens = iter(output)
        token = next(tokens, None)
        labels = []
        begin = 0
        for position, word in enumerate(row):
            end = begin + len(word)
            while token is not None and _is_before(token, begin):
                token = next(tokens, None)
            if token is None or _offset(token, "start") >= end:
                raise InputError(
                    f"word {position} of {len(row)}, {shown(word)}, has no token: the sentence is "
                    "longer than the model takes, or the tokenizer drops the word",
                    remedy="Split such sentences, or leave them out",
                )
            labels.append(token["entity"])
            begin = end + 1
        return labels


Task = TextClassification | TokenClassification
TASKS: dict[str, Task] = {
    "text-classification": TextClassification(),
    "token-classification": TokenClassification(),
}


def _rows(dataset: Any, names: Mapping[str, str]) -> Iterator[tuple[int, dict[str, Any]]]:
    columns = list(dict.fromkeys(names.values()))
    number = 0
    for batch in dataset.select_columns(columns).with_format(None).iter(_ROWS):
        for values in zip(*(batch[name] for name in columns), strict=True):
            yield number, dict(zip(columns, values, strict=True))
            number += 1


def _text(argument: str, column: str, number: int, row: Mapping[str, Any]) -> Any:
    text = row[column]
    if not isinstance(text, str):
        what = Name(argument), f": row {number} of {shown(column)}"
        raise InputError(*what, must="be a text", got=describe(text))
    return text


def _has(output: Any, key: str) -> bool:
    """Tell whether the output has a label under this key."""
    return isinstance(output, Mapping) and plain_label(output.get(key)) is not None


def _has_score(output: Mapping[str, Any]) -> bool:
    return is_number(output.get("score"))


def _is_token(output: Any) -> bool:
    sides = ("start", "end")
    return _has(output, "entity") and all(
        side in output and (output[side] is None or is_integer(output[side])) for side in sides
    )


def _no_output(what: str, output: Any) -> InputError:
    return InputError("the pipeline", must=f"give {what}", got=describe(output))


def _is_before(token: Mapping[str, Any], begin: int) -> bool:
    """Tell whether a token belongs to a word before the one that begins here, after a space."""
    return _offset(token, "end") <= begin and _offset(token, "start") < begin - 1


def _offset(token: Mapping[str, Any], side: str) -> int:
    if token[side] is None:
        raise InputError(
            "the pipeline's tokenizer does not say where its tokens stand",
            remedy="use a fast one (AutoTokenizer.from_pretrained(..., use_fast=True))",
        )
    return int(token[side])


_NONE = object()  # stands for a row, or an output, that is lacking


class Model:
    """A pipeline and its labels.

    Attributes
    ----------
    predicted : PredictedLabels
        The labels that the model lists, and those that it has predicted.
    stored : dict
        From these labels to the labels of the new column.
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
        self.predicted = PredictedLabels(name, references, mapping)
        self.stored: dict[Label, Label] = {}
        self._add([*id2label.values()])

    def predictions(
        self, task: Task, dataset: Any, names: Mapping[str, str], batch_size: int | None
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
        found: list[Any] = []
        title = f"Predicting with {self._name}"
        with tqdm(total=len(dataset), desc=title, unit=" examples") as bar:
            pairs = zip_longest(rows, outputs, fillvalue=_NONE)
            for number, (row, output) in enumerate(pairs):
                if row is _NONE or output is _NONE:
                    raise InputError(
                        Name(self._name),
                        must=f"give an output for each of {len(dataset):,} rows",
                        got=f"{number:,}{' and more' if row is _NONE else ''}",
                    )
                with called({}, Parts(Name(self._name), f", row {number}")):
                    labels = task.labels(row, output)
                self._add(labels if task.gives_sequences else [labels])
                found.append(labels)
                bar.update()
        if task.gives_sequences:
            return [[self.stored[label] for label in labels] for labels in found]
        return [self.stored[label] for label in found]

    def _add(self, labels: Sequence[Label]) -> None:
        labels = [label for label in labels if label not in self.stored]
        for label, found in zip(labels, self.predicted.translated(labels, labels), strict=True):
            if isinstance(found, str) and not _can_be_stored(found):
                raise self._no_label(label)
            is_none = isinstance(found, str) and self._references.is_text is False
            self.stored[label] = self._references.number_for_none() if is_none else found

    def _no_label(self, label: Any) -> InputError:
        accepted = "it must be an integer, or a string without lone surrogates"
        return InputError(
            *(Name(self._name), " has the label ", describe(label)),
            remedy=(accepted, "Mend the id2label of its model's config"),
        )


def config_of(pipeline: Any) -> Any:
    """Return the configuration of the pipeline's model; None if it has none."""
    return getattr(getattr(pipeline, "model", None), "config", None)


def _can_be_stored(text: str) -> bool:
    """Tell whether Arrow can hold the text: lone surrogates have no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
