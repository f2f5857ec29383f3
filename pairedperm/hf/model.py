"""A pipeline that predicts: its labels in the references' terms."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import tee
from typing import Any

from datasets.utils import tqdm

from pairedperm.errors import InputError
from pairedperm.hf.meaning import Label, Predicted, Vocabulary
from pairedperm.hf.tasks import Task


class Model(dict[str, Label]):
    """A pipeline, and what its labels mean in the references' terms, for the new column."""

    def __init__(
        self, name: str, pipeline: Any, mapping: Mapping[Any, Label], vocabulary: Vocabulary
    ) -> None:
        self._name, self._pipeline, self._vocabulary = name, pipeline, vocabulary
        id2label = getattr(config_of(pipeline), "id2label", None) or {}
        mapping = {id2label.get(key, key): label for key, label in mapping.items()}
        self.predicted = Predicted(f"`{name}` has", vocabulary, mapping)
        self._add(list(id2label.values()))

    def predictions(
        self, task: Task, dataset: Any, names: Mapping[str, str], batch_size: int | None
    ) -> list[Any]:
        """The pipeline's labels for each row, in the references' terms."""
        run = dict(task.options)
        if batch_size is not None:
            run["batch_size"] = batch_size
        rows, read_ahead = tee(task.rows(dataset, names))  # by a batch of the model's
        outputs = self._pipeline((task.model_input(row) for row in read_ahead), **run)
        found: list[Any] = []
        title = f"Predicting with {self._name}"
        with tqdm(total=len(dataset), desc=title, unit=" examples") as bar:
            for number, (row, output) in enumerate(zip(rows, outputs, strict=True)):
                try:
                    labels = task.labels(row, output)
                except InputError as error:
                    raise InputError(f"`{self._name}`, row {number}: {error}") from None
                if task.gives_sequences:
                    found.append([self[label] for label in labels])
                else:
                    found.append(self[labels])
                bar.update()
        return found

    def __missing__(self, label: str) -> Label:
        """Of a label that the model does not list."""
        self._add([label])
        return self[label]

    def _add(self, labels: list[str]) -> None:
        for label, meant in zip(labels, self.predicted.meant(labels, labels), strict=True):
            is_none = isinstance(meant, str) and self._vocabulary.is_text is False
            self[label] = self._vocabulary.number_for_none() if is_none else meant


def config_of(pipeline: Any) -> Any:
    """The model's configuration; None for what only looks like a pipeline."""
    return getattr(getattr(pipeline, "model", None), "config", None)
