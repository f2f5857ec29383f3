"""Run one pipeline, and write its labels in the references' terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import tee, zip_longest
from typing import Any

from datasets.utils import tqdm

from pairedperm.errors import InputError
from pairedperm.hf.label_mapping import Label, PredictedLabels, ReferenceLabels
from pairedperm.hf.tasks import Task
from pairedperm.inputs.columns import plain_label
from pairedperm.wording import Name, Parts, called, describe

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
