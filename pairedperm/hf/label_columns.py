"""Columns of a dataset as labels that can be compared: by name or by id, and mapped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from datasets import ClassLabel
from numpy.typing import NDArray

from pairedperm.columns import INTEGERS, describe
from pairedperm.errors import InputError
from pairedperm.labels import Labels, place, read_labels

__all__ = [
    "Label",
    "LabelColumns",
    "Mappings",
    "class_label",
    "read_label_mapping",
    "unknown_labels",
]

IntArray = NDArray[np.int64]
Label = int | str
Mappings = tuple[Mapping[Any, Label], Mapping[Any, Label]]

_PREDICTIONS = ("predictions1", "predictions2")
_SHOWN = 8  # labels in an error message
_REMEMBERED = 2**16  # distinct labels of each column that are compared at the end


def class_label(feature: Any) -> ClassLabel | None:
    """The ClassLabel of a column of labels, or of sequences of labels; None without one."""
    if isinstance(feature, (list, tuple)) and len(feature) == 1:
        feature = feature[0]
    feature = getattr(feature, "feature", feature)
    return feature if isinstance(feature, ClassLabel) else None


def read_label_mapping(label_mapping: Any) -> Mappings:
    """One mapping for each system, from one for both, a pair of them, or None.

    Raises
    ------
    InputError
        For anything else, and for what is no label in them.
    """
    given = label_mapping if isinstance(label_mapping, (tuple, list)) else (label_mapping,) * 2
    mappings: list[Any] = [{} if mapping is None else mapping for mapping in given]
    if len(mappings) != 2 or not all(isinstance(mapping, Mapping) for mapping in mappings):
        raise InputError(
            "`label_mapping` must be a dict from predicted labels to the references' labels, or a "
            f"pair of them, one for each system, got {describe(label_mapping)}."
        )
    for mapping in mappings:
        for label in (*mapping, *mapping.values()):
            if not isinstance(label, (str, *INTEGERS)):
                raise InputError(
                    f"`label_mapping` must map labels to labels, strings or integers, got "
                    f"{describe(label)} in it."
                )
    first, second = (
        {key: label if isinstance(label, str) else int(label) for key, label in mapping.items()}
        for mapping in mappings
    )
    return first, second


def unknown_labels(who: str, unknown: Iterable[Label], known: Iterable[Label]) -> InputError:
    """The error for predicted labels that no reference has."""
    unknown, known = list(unknown), list(known)
    target = known[0] if known else "..."
    return InputError(
        f"{who} labels that no reference has: {_listed(unknown)}. The references' labels are "
        f"{_listed(known)}. Say which are meant: label_mapping={{{unknown[0]!r}: {target!r}, ...}}."
        " A label that is mapped to itself counts as wrong."
    )


def _listed(labels: list[Label]) -> str:
    shown = ", ".join(repr(label) for label in labels[:_SHOWN])
    more = len(labels) - _SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown


class LabelColumns:
    """Reads batches of predictions and references so that equal labels are equal.

    The references stay as they are stored: ids, if they are a ClassLabel. A prediction is
    mapped, then turned to an id or a name if that is what the references are.

    Parameters
    ----------
    features : mapping of str to datasets feature
        What is known of the columns "predictions1", "predictions2" and "references".
    mappings : pair of mappings
        From what system 1, and system 2, predict.
    """

    def __init__(self, features: Mapping[str, Any], mappings: Mappings) -> None:
        self._class_labels = {name: class_label(feature) for name, feature in features.items()}
        self._mappings = dict(zip(_PREDICTIONS, mappings, strict=True))
        reference = self._class_labels["references"]
        self._names = None if reference is None else list(reference.names)
        self._ids: dict[Label, int] = {name: i for i, name in enumerate(self._names or ())}
        if self._names is not None:
            for mapping in mappings:  # labels that are to count as wrong
                for label in (x for x, y in mapping.items() if x == y and isinstance(x, str)):
                    self._ids.setdefault(label, len(self._ids))
        self._seen: dict[str, set[Label]] = {name: set() for name in features}

    def read(self, columns: Mapping[str, Any], start: int) -> dict[str, Labels]:
        """The next batch, lists or Arrow arrays, whose first row has this number.

        Of the references at least; predictions are checked against them.

        Raises
        ------
        InputError
            For what `read_labels` does not take, for ids that a ClassLabel has not, and for
            predictions that are no name of the references' ClassLabel, or of another type.
        """
        coded = {name: _coded(name, column, start) for name, column in columns.items()}
        for name, column in coded.items():
            self._check_ids(name, column, start)
        references = [self._ids.get(label, label) for label in coded["references"].distinct]
        meant = {"references": references}
        self._remember("references", references)
        of_type = int if self._names is not None else type(references[0]) if references else None
        for name in (name for name in _PREDICTIONS if name in coded):
            meant[name] = self._meant(name, coded[name].distinct, of_type)
            self._remember(name, meant[name])
        strings: list[str] = []  # of this batch; their numbers are shared by its columns
        numbers: dict[str, int] = {}
        return {
            name: _labels(name, distinct, coded[name], strings, numbers)
            for name, distinct in meant.items()
        }

    @property
    def known_by_name(self) -> bool:
        """Whether the references are a ClassLabel."""
        return self._names is not None

    def known(self) -> list[Label]:
        """The references' labels: all that their ClassLabel names, or those read so far."""
        return sorted(self._seen["references"], key=str) if self._names is None else [*self._names]

    def check_overlap(self) -> None:
        """Raise InputError if a system predicted none of the references' two or more labels."""
        references = self._seen["references"]
        if self._names is not None or not 2 <= len(references) < _REMEMBERED:
            return
        for name in _PREDICTIONS:
            unknown = self._seen[name] - set(self._mappings[name].values())
            if unknown and references.isdisjoint(self._seen[name]):
                raise unknown_labels(f"`{name}` holds", sorted(unknown, key=str), self.known())

    def _meant(self, name: str, predicted: list[Label], of_type: type | None) -> list[Label]:
        """The distinct predictions in the references' terms, which are of this type."""
        own, mapping = self._class_labels[name], self._mappings[name]
        by_name = self._names is not None or of_type is str
        meant: list[Label] = []
        unknown: list[Label] = []
        for label in predicted:
            spelled = own.names[label] if own is not None and isinstance(label, int) else label
            mapped = mapping.get(spelled, mapping.get(label))
            unmapped = spelled if by_name else label
            target: Label = unmapped if mapped is None else mapped
            target = self._ids.get(target, target)
            of_type = of_type or type(target)
            is_no_id = isinstance(mapped, int) and by_name and mapped not in range(len(self._ids))
            if is_no_id or type(target) is not of_type:
                unknown.append(label)
            meant.append(target)
        if unknown:
            raise unknown_labels(f"`{name}` holds", unknown, self.known())
        return meant

    def _remember(self, name: str, labels: list[Label]) -> None:
        if len(self._seen[name]) < _REMEMBERED:
            self._seen[name].update(labels)

    def _check_ids(self, name: str, column: _Coded, start: int) -> None:
        own = self._class_labels[name]
        if own is None:
            return
        for number, label in enumerate(column.distinct):
            if isinstance(label, int) and not 0 <= label < len(own.names):
                position = int((column.codes == number).argmax())
                raise InputError(
                    f"`{name}`{place(position, column.lengths, start)} is {label}, no id of its "
                    f"ClassLabel, which has {len(own.names)} names; -1 marks hidden labels. Use a "
                    "split that is labelled, or filter those rows out."
                )


class _Coded(NamedTuple):
    """A column of labels: the distinct ones, and which of them each label is."""

    distinct: list[Any]
    codes: IntArray
    lengths: IntArray | None


def _labels(
    name: str, distinct: list[Label], column: _Coded, strings: list[str], numbers: dict[str, int]
) -> Labels:
    """The column with other distinct labels; strings get the next number, or have one."""
    values: list[int] = []
    for label in distinct:
        if isinstance(label, str) and label not in numbers:
            numbers[label] = len(strings)
            strings.append(label)
        values.append(numbers[label] if isinstance(label, str) else label)
    flat = np.array(values, dtype=np.int64)[column.codes]
    if distinct and isinstance(distinct[0], str):
        return Labels(name, flat, "strings", column.lengths, strings)
    return Labels(name, flat, "integers" if distinct else None, column.lengths)


def _coded(name: str, column: Any, start: int) -> _Coded:
    if isinstance(column, pa.ChunkedArray):
        coded = _coded_arrow(column.combine_chunks())
        if coded is not None:
            return coded
        column = column.to_pylist()
    labels = read_labels(name, column, start)
    flat = labels.flat.tolist() if isinstance(labels.flat, np.ndarray) else labels.flat
    numbers = {label: number for number, label in enumerate(dict.fromkeys(flat))}
    codes = np.fromiter(map(numbers.__getitem__, flat), dtype=np.int64, count=len(flat))
    return _Coded(list(numbers), codes, labels.lengths)


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
    if array.null_count or not (is_text or _fits_int64(array.type)):
        return None
    encoded = array.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return _Coded(encoded.dictionary.to_pylist(), codes, lengths)


def _fits_int64(arrow_type: Any) -> Any:
    return pa.types.is_integer(arrow_type) and arrow_type != pa.uint64()
