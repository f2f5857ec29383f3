"""What a predicted label means among the references' labels."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pairedperm.columns import INTEGERS, describe
from pairedperm.errors import InputError

__all__ = ["Label", "Mappings", "Meaning", "Vocabulary", "read_label_mapping"]

Label = int | str
Mappings = tuple[Mapping[Any, Label], Mapping[Any, Label]]

_SHOWN = 8  # labels in an error message
_NAMELESS = re.compile(r"LABEL_\d+")  # what transformers calls labels that have no name


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
    first, second = (
        {_plain(key): _plain(label) for key, label in mapping.items()} for mapping in mappings
    )
    return first, second


def _plain(label: Any) -> Label:
    if isinstance(label, str):
        return str.__str__(label)  # of a subclass: numpy's, an Enum's
    if isinstance(label, INTEGERS):
        return int(label)
    raise InputError(
        "`label_mapping` must map labels to labels, strings or integers, got "
        f"{describe(label)} in it."
    )


class Meaning(NamedTuple):
    """What a predicted label, or its name, means."""

    name: Label
    label: Label  # in the references' terms
    is_mapped: bool
    is_itself: bool  # mapped to itself: it counts as wrong


class Vocabulary:
    """The references' labels: all names of a ClassLabel, or strings or integers as they come.

    Parameters
    ----------
    names : list of str, or None
        Of the ClassLabel.

    Attributes
    ----------
    is_text : bool or None
        Whether they are names or strings; None while there is no label.
    """

    def __init__(self, names: list[str] | None) -> None:
        self._names = names
        self._labels: dict[Label, None] = dict.fromkeys(names or ())
        self.is_text: bool | None = None if names is None else True

    @property
    def is_closed(self) -> bool:
        """Whether no other label may come."""
        return self._names is not None

    @property
    def n_labels(self) -> int:
        """Number of distinct labels."""
        return len(self._labels)

    def add(self, label: Label) -> Label:
        """A reference's label, which is returned."""
        if self.is_text is None:
            self.is_text = isinstance(label, str)
        self._labels[label] = None
        return label

    def meanings(
        self, who: str, predicted: Iterable[tuple[Label, Label]], mapping: Mapping[Any, Label]
    ) -> list[Meaning]:
        """What predicted labels mean; each is given with its name, or again if it has none.

        Raises
        ------
        InputError
            If one can be no label of the references: of the other type, or no name of theirs.
        """
        found = []
        for label, name in predicted:
            mapped = mapping.get(name, mapping.get(label))
            target = (label if self.is_text is False else name) if mapped is None else mapped
            if self._names is not None and target in range(len(self._names)):
                target = self._names[int(target)]
            is_itself = bool(self.is_text) and mapped in (name, label)
            found.append(Meaning(name, target, mapped is not None, is_itself))
        unknown = [x.name for x in found if not self._can_be(x.label) and not x.is_itself]
        if unknown:
            raise self._unknown(who, unknown)
        return found

    def check(self, who: str, predicted: Iterable[Meaning]) -> None:
        """Check what all labels mean that were predicted, when all references are known.

        Raises
        ------
        InputError
            If no reference has a label that a mapping leaves out, or that is called LABEL_0 or
            so; or if no reference has any of them, though there are several labels.

        Warns
        -----
        UserWarning
            If a label is mapped to one that no reference has.
        """
        predicted = list(predicted)
        foreign = [x for x in predicted if x.label not in self._labels and not x.is_itself]
        is_mapping = any(x.is_mapped for x in predicted)
        unknown = [x for x in foreign if not x.is_mapped and (is_mapping or _is_nameless(x.name))]
        if not unknown and self.n_labels > 1 and len(foreign) == len(predicted):
            unknown = foreign
        if unknown:
            raise self._unknown(who, [x.name for x in unknown])
        if self.is_text and foreign:
            for x in (x for x in foreign if x.is_mapped):
                warnings.warn(
                    f"{who} {x.name!r}, which `label_mapping` takes for {x.label!r}: no reference "
                    "has that, so it counts as wrong.",
                    stacklevel=2,
                )

    def _can_be(self, label: Label) -> bool:
        if self._names is not None:
            return label in self._labels
        return self.is_text is None or isinstance(label, str) is self.is_text

    def _unknown(self, who: str, unknown: Iterable[Label]) -> InputError:
        unknown = sorted(unknown, key=str)
        known = [*self._labels] if self.is_closed else sorted(self._labels, key=str)
        target = known[0] if known else "..."
        wrong = "itself" if self.is_text else "a number that no reference has"
        return InputError(
            f"{who} labels that no reference has: {_listed(unknown)}. The references' labels are "
            f"{_listed(known)}. Say which are meant: label_mapping={{{unknown[0]!r}: {target!r}, "
            f"...}}. A label that is mapped to {wrong} counts as wrong."
        )


def _is_nameless(label: Label) -> bool:
    return isinstance(label, str) and _NAMELESS.fullmatch(label) is not None


def _listed(labels: list[Label]) -> str:
    shown = ", ".join(repr(label) for label in labels[:_SHOWN])
    more = len(labels) - _SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown
