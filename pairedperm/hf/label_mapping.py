"""Translate predicted labels into the references' labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pairedperm.errors import InputError, Name, Parts, describe, shown
from pairedperm.inputs.columns import plain_label
from pairedperm.scoring.vocabulary import FREE_TEXT, NAMELESS, are_strangers, named, strangers

Label = int | str
_SETTING = "label_mapping={labels}. A label that is mapped to itself counts as wrong"
Mappings = tuple[Mapping[Any, Label], Mapping[Any, Label]]


def read_label_mapping(label_mapping: Any) -> Mappings:
    """Return a mapping for each system, given one for both, a pair, or None.

    Raises
    ------
    InputError
        For anything else, and for a mapping with an entry that is no label.
    """
    given = label_mapping if isinstance(label_mapping, (tuple, list)) else (label_mapping,) * 2
    if len(given) != 2 or not all(x is None or isinstance(x, Mapping) for x in given):
        raise InputError(
            Name("label_mapping"),
            must="be a dict from predicted labels to the references' labels, or a pair of them, "
            "one for each system",
            got=describe(label_mapping),
        )
    first, second = ({_plain(x): _plain(y) for x, y in (some or {}).items()} for some in given)
    return first, second


def _plain(label: Any) -> Label:
    plain = plain_label(label)
    if plain is None:
        accepted, got = "map labels to labels, strings or integers", describe(label)
        raise InputError(Name("label_mapping"), must=accepted, got=Parts(got, " in it"))
    return plain


class ReferenceLabels:
    """The references' labels: all names of a ClassLabel, or strings or integers as they come.

    Attributes
    ----------
    names : list of str, or None
        The names of the ClassLabel, if there is one.
    is_text : bool or None
        True if the labels are names or strings, False if integers, None if not known yet.
    labels : dict
        The names and the labels so far, as keys; no more are added once there are 4,096.
    """

    def __init__(self, names: list[str] | None, is_text: bool | None = None) -> None:
        self.names = names
        self.is_text = is_text if names is None else True
        self.labels: dict[Label, None] = dict.fromkeys(names or ())
        self._by_id: dict[Label, Label] = dict(enumerate(names or ()))

    def add(self, labels: Sequence[Label]) -> None:
        """Remember the labels of some references, all of one type."""
        if labels and self.is_text is None:
            self.is_text = isinstance(labels[0], str)
        if len(self.labels) < FREE_TEXT:
            self.labels |= dict.fromkeys(labels)

    def can_have(self, label: object) -> bool:
        """Tell whether references can have the label: by the ClassLabel's names, or by type."""
        if self.names is not None:
            return label in self.labels
        return self.is_text is None or isinstance(label, str) is self.is_text

    def by_name(self, label: Label) -> Label:
        """Return the name of an id of the ClassLabel; other labels as they are."""
        return self._by_id.get(label, label)

    def number_for_none(self) -> int:
        """Return a negative number that no reference has, for a label that is none of theirs."""
        return min((0, *(x for x in self.labels if isinstance(x, int)))) - 1


class PredictedLabels:
    """The labels that a system predicts, and the references' labels that they stand for.

    Parameters
    ----------
    name : str
        The argument, for messages.
    references : ReferenceLabels
        The references' labels.
    mapping : mapping
        From the system's labels, or their ids, to the references' labels.
    names : sequence of str
        The names of the system's labels by id, if it has ids.

    Attributes
    ----------
    mapping : dict
        From the names of the system's labels to the references' labels.
    """

    def __init__(
        self,
        name: str,
        references: ReferenceLabels,
        mapping: Mapping[Any, Label],
        names: Sequence[str] = (),
    ) -> None:
        self._name, self._references = name, references
        by_id: dict[Label, Label] = dict(enumerate(names))
        self.mapping = {by_id.get(x, x): references.by_name(y) for x, y in mapping.items()}
        self._wrong = {y for x, y in mapping.items() if by_id.get(x, x) == by_id.get(y, y)}
        self._seen: dict[Label, Label] = {}

    def translated(self, labels: Sequence[Label], names: Sequence[Label]) -> list[Label]:
        """Return the references' labels for these labels, which are called by these names.

        Raises
        ------
        InputError
            If one can be no label of the references: it has another type, or is no name of their
            ClassLabel.
        """
        known = self._references
        own = map(known.by_name, labels if known.is_text is False else names)
        right = {x: self.mapping.get(x, y) for x, y in zip(names, own, strict=True)}
        unknown = {x: y for x, y in right.items() if not known.can_have(y) and y not in self._wrong}
        if unknown:
            raise self._unknown(unknown)
        if len(self._seen) < FREE_TEXT:
            self._seen |= right
        return [right[x] for x in names]

    def check(self) -> Parts | None:
        """Check all predicted labels, once all references are known.

        Returns
        -------
        Parts or None
            A warning about labels that are mapped to labels that no reference has.

        Raises
        ------
        InputError
            If no reference has a label that the mapping leaves out, one that is called like
            LABEL_0, or any of several labels.
        """
        seen = {*self._seen.values()}
        right = {*self._references.labels, *(self._wrong & seen)}
        if max(len(self._seen), len(right)) >= FREE_TEXT:
            return None  # free text
        foreign = {x: y for x, y in self._seen.items() if y not in right}
        left_out = {x: y for x, y in foreign.items() if x not in self.mapping}
        if not self.mapping:  # others are classes that the references lack
            left_out = {x: y for x, y in left_out.items() if NAMELESS.fullmatch(str(x))}
        if not left_out and are_strangers(seen, right):
            left_out = foreign
        if left_out:
            raise self._unknown(left_out)
        if not (foreign and self.mapping):
            return None
        return Parts(
            *(Name(self._name), f" has {named([*foreign])}, which ", Name("label_mapping")),
            f" maps to {named([*foreign.values()])}: no reference has that, so it counts as wrong",
        )

    def _unknown(self, unknown: Mapping[Label, Label]) -> InputError:
        known = self._references.names or self._references.labels.keys()
        labels = {
            x: f" (mapped to {shown(y)})" if x in self.mapping else "" for x, y in unknown.items()
        }
        are_all = unknown == self._seen
        return InputError(strangers(self._name, labels, known, _SETTING, are_all=are_all))
