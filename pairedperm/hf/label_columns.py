"""Columns of a dataset as labels that can be compared: by name or by id, and mapped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from datasets import ClassLabel
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.hf.meaning import REMEMBERED, Label, Mappings, Meaning, Vocabulary
from pairedperm.inputs.columns import INTEGERS, place
from pairedperm.inputs.labels import Labels, read_labels, renumbered
from pairedperm.scoring.metric import METRICS, read_metric, split_options

_Coded = tuple[list[Any], NDArray[np.int64], NDArray[np.int64] | None]
"""A column's distinct labels, which of them each label is, and the lengths of sequences."""

_PREDICTIONS = ("predictions1", "predictions2")
_HIDDEN = "; test splits have hidden labels, -1: use one that is labelled"


def class_label(feature: Any) -> ClassLabel | None:
    """The ClassLabel of a column of labels, or of sequences of labels; None without one."""
    feature = _of_label(feature)
    return feature if isinstance(feature, ClassLabel) else None


def options_by_name(options: Mapping[str, Any], references: Any) -> dict[str, Any]:
    """The options of a metric, labels that are ids of the references' ClassLabel by name.

    Where it has two names, the second is what 1 means.

    Raises
    ------
    InputError
        For an id that it has not.
    """
    found, feature = dict(options), class_label(references)
    if feature is None or METRICS[found["metric"]].is_of_spans:
        return found
    names = list(feature.names)

    def named(option: str, label: Any) -> Any:
        if not isinstance(label, INTEGERS):
            return label
        if int(label) not in range(len(names)):
            raise InputError(
                f"`{option}` has {label!r}, which the ClassLabel of `references` has not: its ids "
                f"are 0 to {len(names) - 1}, {', '.join(map(repr, names[:8]))}."
            )
        return names[int(label)]

    spec = read_metric(found["metric"], **split_options(found)[0])
    if spec.is_binary and (spec.selected is not None or len(names) == 2):
        found["pos_label"] = named("pos_label", 1 if spec.selected is None else spec.selected[0])
    elif spec.selected is not None:
        found["labels"] = [named("labels", label) for label in spec.selected]
    return found


def _of_label(feature: Any) -> Any:
    if isinstance(feature, (list, tuple)) and len(feature) == 1:
        feature = feature[0]
    return getattr(feature, "feature", feature)


class LabelColumns:
    """Reads batches of predictions and references so that equal labels are equal.

    Parameters
    ----------
    features : mapping of str to datasets feature
        What is known of the columns "predictions1", "predictions2" and "references".
    mappings : pair of mappings
        What system 1, and system 2, mean by a label.
    """

    def __init__(self, features: Mapping[str, Any], mappings: Mappings) -> None:
        self._mappings = dict(zip(_PREDICTIONS, mappings, strict=True))
        self._names = {
            name: None if (found := class_label(feature)) is None else list(found.names)
            for name, feature in features.items()
        }
        dtype = str(getattr(_of_label(features["references"]), "dtype", None))
        is_text = "string" in dtype if "string" in dtype or "int" in dtype else None
        self.vocabulary = Vocabulary(self._names["references"], is_text)
        self._seen: dict[str, dict[Meaning, None]] = {name: {} for name in _PREDICTIONS}

    def read(self, columns: Mapping[str, Any], start: int) -> dict[str, Labels]:
        """The next batch, lists or Arrow arrays, whose first row has this number.

        Of the references at least; predictions are checked against them.

        Raises
        ------
        InputError
            For what `read_labels` does not take, for ids that a ClassLabel has not, and for
            predictions that can be no label of the references.
        """
        coded = {name: _coded(name, column, start) for name, column in columns.items()}
        spelled = {name: self._spelled(name, column, start) for name, column in coded.items()}
        meant = {"references": [*map(self.vocabulary.add, spelled["references"])]}
        self._check_ids_are_one()
        for name in (name for name in _PREDICTIONS if name in coded):
            if len(self._seen[name]) >= REMEMBERED and self._is_plain(name, spelled[name]):
                meant[name] = spelled[name]  # free text, whose meaning need not be kept
                continue
            pairs = zip(coded[name][0], spelled[name], strict=True)
            meanings = self.vocabulary.meanings(f"`{name}` holds", pairs, self._mappings[name])
            meant[name] = [meaning.label for meaning in meanings]
            if len(self._seen[name]) < REMEMBERED:
                self._seen[name].update(dict.fromkeys(meanings))
        numbers: dict[Label, int] = {}
        codes = {
            name: [numbers.setdefault(label, len(numbers)) for label in labels]
            for name, labels in meant.items()
        }
        names = list(numbers)
        found = {}
        for name, (_, which, lengths) in coded.items():
            flat = np.array(codes[name], dtype=np.int64)[which]
            found[name] = Labels(name, flat, "strings" if codes[name] else None, lengths, names)
        return found

    def _is_plain(self, name: str, labels: list[Label]) -> bool:
        """Whether labels can only mean themselves, and are strings as the references are."""
        is_open = not self._mappings[name] and self._names["references"] is None
        return is_open and self.vocabulary.is_text is True and set(map(type, labels)) == {str}

    def check_overlap(self) -> list[str]:
        """What to warn of; InputError for labels that cannot be those of the references."""
        found = [
            self.vocabulary.check(f"`{name}` holds", seen, self._mappings[name])
            for name, seen in self._seen.items()
        ]
        return [warning for warning in found if warning is not None]

    def _spelled(self, name: str, column: _Coded, start: int) -> list[Label]:
        """The distinct labels by name, if the column has a ClassLabel."""
        names, (distinct, codes, lengths) = self._names[name], column
        if names is None:
            return distinct
        found: list[Label] = []
        for number, label in enumerate(distinct):
            if label not in (range(len(names)) if isinstance(label, int) else names):
                position = int((codes == number).argmax())
                raise InputError(
                    f"`{name}`{place(position, lengths, start)} is {label!r}, which its ClassLabel "
                    f"of {len(names)} names has not{_HIDDEN if name == 'references' else ''}. "
                    "Filter those rows out."
                )
            found.append(names[label] if isinstance(label, int) else label)
        return found

    def _check_ids_are_one(self) -> None:
        """Where the references are numbers, two ClassLabels must mean the same by a name."""
        if self.vocabulary.is_text is not False:
            return
        one, two = (
            {
                name: self._mappings[column].get(name, self._mappings[column].get(number, number))
                for number, name in enumerate(self._names.get(column) or ())
            }
            for column in _PREDICTIONS
        )
        differ = [name for name in one if name in two and one[name] != two[name]]
        if differ:
            raise InputError(
                f"`references` holds numbers, and {differ[0]!r} is {one[differ[0]]!r} in "
                f"`predictions1` and {two[differ[0]]!r} in `predictions2`, whose ClassLabels "
                "number their names differently. Give the references names: "
                "dataset.cast_column(name, ClassLabel(names=[...]))."
            )


def _coded(name: str, column: Any, start: int) -> _Coded:
    if isinstance(column, pa.ChunkedArray):
        coded = _coded_arrow(column.combine_chunks())
        if coded is not None:
            return coded
        column = column.to_pylist()
    labels = read_labels(name, column, start)
    numbers: dict[Label, int] = {}
    codes = renumbered(labels, numbers)
    return list(numbers), codes, labels.lengths


def _coded_arrow(array: Any) -> _Coded | None:
    """None for an array that holds other things than labels, or nothing in some place."""
    lengths = None
    types = pa.types
    if array.null_count:
        return None
    if types.is_list(array.type) or types.is_large_list(array.type):
        lengths = array.value_lengths().to_numpy(zero_copy_only=False).astype(np.int64)
        array = array.flatten()
    is_text = types.is_string(array.type) or types.is_large_string(array.type)
    is_integer = types.is_integer(array.type) and array.type != pa.uint64()
    if array.null_count or not (is_text or is_integer):
        return None
    encoded = array.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return encoded.dictionary.to_pylist(), codes, lengths
