"""What a predicted label means among the references' labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pairedperm.errors import InputError, describe, first_of, shown
from pairedperm.inputs.columns import plain_label
from pairedperm.scoring.occurring import MANY, NAMELESS, are_strangers, named

Label = int | str
Mappings = tuple[Mapping[Any, Label], Mapping[Any, Label]]


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
    plain = plain_label(label)
    if plain is None:
        raise InputError(
            "`label_mapping` must map labels to labels, strings or integers, got "
            f"{describe(label)} in it."
        )
    return plain


class Meaning(NamedTuple):
    """What a predicted label, or its name, means."""

    name: Label
    label: Label  # in the references' terms
    is_mapped: bool
    is_itself: bool  # mapped to itself: it need not be a label that references have


class Vocabulary:
    """The references' labels: all names of a ClassLabel, or strings or integers as they come.

    Parameters
    ----------
    names : list of str, or None
        Of the ClassLabel.
    is_text : bool or None
        Whether labels that come are strings, if that is known.

    Attributes
    ----------
    names : list of str, or None
        Of the ClassLabel.
    labels : dict
        The labels so far, and the names, as its keys; not more than are remembered.
    is_text : bool or None
        Whether they are names or strings; None while it is not known.
    is_empty : bool
        Whether no reference has come yet.
    """

    def __init__(self, names: list[str] | None, is_text: bool | None = None) -> None:
        self.names = names
        self.labels: dict[Label, None] = dict.fromkeys(names or ())
        self.is_text = is_text if names is None else True
        self.is_empty = True

    @property
    def is_of_0_and_1(self) -> bool:
        """Whether no reference has another label than 0 and 1."""
        return self.is_text is False and set(self.labels) <= {0, 1}

    def add(self, label: Label) -> Label:
        """A reference's label, which is returned."""
        self.is_empty = False
        if self.is_text is None:
            self.is_text = isinstance(label, str)
        if len(self.labels) < MANY:
            self.labels[label] = None
        return label

    def can_have(self, label: object) -> bool:
        """Whether it is a name of the ClassLabel, or without one of the references' type."""
        if self.names is not None:
            return label in self.labels
        return self.is_text is None or isinstance(label, str) is self.is_text

    def number_for_none(self) -> int:
        """A negative number that no reference has, for what is not one of their numbers."""
        return min((-1, *(x - 1 for x in self.labels if isinstance(x, int))))


class Predicted:
    """The labels that a system predicts, and what they mean among the references'.

    Parameters
    ----------
    who : str
        Has them, for messages.
    vocabulary : Vocabulary
    mapping : mapping
        What the system means by a label, given by name or not.
    """

    def __init__(self, who: str, vocabulary: Vocabulary, mapping: Mapping[Any, Label]) -> None:
        self._who, self._vocabulary, self.mapping = who, vocabulary, mapping
        self._seen: dict[Meaning, None] = {}

    def meant(self, labels: Sequence[Label], names: Sequence[Label]) -> Sequence[Label]:
        """The references' labels that these mean, given with their names, or again without any.

        Raises
        ------
        InputError
            If one can be no label of the references: of the other type, or no name of theirs.
        """
        known = self._vocabulary
        is_plain = known.is_text is True and known.names is None and not self.mapping
        if is_plain and len(self._seen) >= MANY and set(map(type, names)) == {str}:
            return names  # free text, whose meaning need not be kept
        found = []
        for label, name in zip(labels, names, strict=True):
            mapped = self.mapping.get(name, self.mapping.get(label))
            target = (label if known.is_text is False else name) if mapped is None else mapped
            if known.names is not None and target in range(len(known.names)):
                target = known.names[int(target)]
            found.append(Meaning(name, target, mapped is not None, mapped in (name, label)))
        unknown = [x for x in found if not x.is_itself and not known.can_have(x.label)]
        if unknown:
            raise self._unknown(unknown)
        if len(self._seen) < MANY:
            self._seen.update(dict.fromkeys(found))
        return [x.label for x in found]

    def check(self) -> str | None:
        """Check what all labels mean that were predicted, when all references are known.

        Returns
        -------
        str or None
            What to warn of: labels that are mapped to some that no reference has.

        Raises
        ------
        InputError
            If no reference has a label that a mapping leaves out, or that is called LABEL_0 or
            so; or if no reference has any of them, though there are several labels.
        """
        known = self._vocabulary.labels
        if max(len(self._seen), len(known)) >= MANY:
            return None  # free text
        foreign = [x for x in self._seen if x.label not in known and not x.is_itself]
        unknown = [
            x
            for x in foreign
            if not x.is_mapped and (self.mapping or NAMELESS.fullmatch(str(x.name)))
        ]
        if not unknown and len(foreign) == len(self._seen):
            is_all = are_strangers({x.label for x in foreign}, known.keys())
            unknown = foreign if is_all else []
        if unknown:
            raise self._unknown(unknown)
        stray = [x for x in foreign if x.is_mapped]
        if not stray:
            return None
        return (
            f"{self._who} {named([x.name for x in stray])}, which `label_mapping` takes for "
            f"{named([x.label for x in stray])}: no reference has that, so it counts as wrong."
        )

    def _unknown(self, unknown: Iterable[Meaning]) -> InputError:
        unknown = sorted(unknown, key=lambda x: str(x.name))
        found = [
            f"{shown(x.name)} (mapped to {shown(x.label)})" if x.is_mapped else shown(x.name)
            for x in unknown
        ]
        known: Sequence[Label] = self._vocabulary.names or sorted(self._vocabulary.labels, key=str)
        target = shown(known[0] if known else "...")
        return InputError(
            f"{self._who} labels that no reference has: {first_of(found)}. The references' labels "
            f"are {named(known) or 'none so far'}. Say which are meant: "
            f"label_mapping={{{shown(unknown[0].name)}: {target}, ...}}. A label that is "
            "mapped to itself counts as wrong."
        )
