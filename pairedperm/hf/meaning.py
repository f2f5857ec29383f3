"""Translate predicted labels into the references' labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pairedperm.errors import InputError
from pairedperm.inputs.columns import plain_label
from pairedperm.scoring.occurring import MANY, NAMELESS, are_strangers, named
from pairedperm.shown import first_of, shown
from pairedperm.wording import Name, Parts, Setting, describe

Label = int | str
Mappings = tuple[Mapping[Any, Label], Mapping[Any, Label]]


def read_label_mapping(label_mapping: Any) -> Mappings:
    """Return a mapping for each system, given one for both, a pair, or None.

    Raises
    ------
    InputError
        For anything else, and for a mapping with an entry that is no label.
    """
    given = label_mapping if isinstance(label_mapping, (tuple, list)) else (label_mapping,) * 2
    mappings: list[Any] = [{} if mapping is None else mapping for mapping in given]
    if len(mappings) != 2 or not all(isinstance(mapping, Mapping) for mapping in mappings):
        raise InputError(
            Name("label_mapping"),
            must="be a dict from predicted labels to the references' labels, or a pair of them, "
            "one for each system",
            got=describe(label_mapping),
        )
    first, second = (
        {_plain(key): _plain(label) for key, label in mapping.items()} for mapping in mappings
    )
    return first, second


def _plain(label: Any) -> Label:
    plain = plain_label(label)
    if plain is None:
        accepted, got = "map labels to labels, strings or integers", describe(label)
        raise InputError(Name("label_mapping"), must=accepted, got=Parts(got, " in it"))
    return plain


class Meaning(NamedTuple):
    """A predicted label's name, and the references' label that it means."""

    name: Label
    label: Label  # in the references' terms
    is_mapped: bool
    is_itself: bool  # mapped to itself, so that no reference need have it


class Vocabulary:
    """The references' labels: all names of a ClassLabel, or strings or integers as they come.

    Parameters
    ----------
    names : list of str, or None
        The names of the ClassLabel, if there is one.
    is_text : bool or None
        True if the labels are strings, False if integers, None if not known yet.

    Attributes
    ----------
    names : list of str, or None
        The names of the ClassLabel, if there is one.
    labels : dict
        The names and the labels so far, as keys; none is added beyond 4,096.
    is_text : bool or None
        True if the labels are names or strings, False if integers, None if not known yet.
    is_empty : bool
        True until the first reference has come.
    """

    def __init__(self, names: list[str] | None, is_text: bool | None = None) -> None:
        self.names = names
        self.labels: dict[Label, None] = dict.fromkeys(names or ())
        self.is_text = is_text if names is None else True
        self.is_empty = True

    @property
    def is_of_0_and_1(self) -> bool:
        """True if the references' labels so far are integers, and all are 0 or 1."""
        return self.is_text is False and set(self.labels) <= {0, 1}

    def add(self, label: Label) -> Label:
        """Remember a reference's label, and return it."""
        self.is_empty = False
        if self.is_text is None:
            self.is_text = isinstance(label, str)
        if len(self.labels) < MANY:
            self.labels[label] = None
        return label

    def can_have(self, label: object) -> bool:
        """Tell whether references can have the label: by the ClassLabel's names, or by type."""
        if self.names is not None:
            return label in self.labels
        return self.is_text is None or isinstance(label, str) is self.is_text

    def number_for_none(self) -> int:
        """Return a negative number that no reference has, for a label that is none of theirs."""
        return min((-1, *(x - 1 for x in self.labels if isinstance(x, int))))


class Predicted:
    """The labels that a system predicts, and the references' labels that they mean.

    Parameters
    ----------
    name, verb : str
        The argument, for messages, and that it "has" or "holds" labels.
    vocabulary : Vocabulary
        The references' labels.
    mapping : mapping
        From the system's labels, or their names, to the references' labels.
    """

    def __init__(
        self, name: str, verb: str, vocabulary: Vocabulary, mapping: Mapping[Any, Label]
    ) -> None:
        self._name, self._verb, self._vocabulary, self.mapping = name, verb, vocabulary, mapping
        self._seen: dict[Meaning, None] = {}

    def meant(self, labels: Sequence[Label], names: Sequence[Label]) -> Sequence[Label]:
        """Return the references' labels that these labels, called by these names, mean.

        Raises
        ------
        InputError
            If one can be no label of the references: it has another type, or is no name of their
            ClassLabel.
        """
        known = self._vocabulary
        is_plain = known.is_text is True and known.names is None and not self.mapping
        if is_plain and len(self._seen) >= MANY and set(map(type, names)) == {str}:
            return names  # free text: meanings are not remembered
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

    def check(self) -> Parts | None:
        """Check the meanings of all predicted labels, once all references are known.

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
        found, meant = (named([x[k] for x in stray]) for k in (0, 1))
        return Parts(
            *(Name(self._name), f" {self._verb} {found}, which ", Name("label_mapping")),
            f" maps to {meant}: no reference has that, so it counts as wrong",
        )

    def _unknown(self, unknown: Iterable[Meaning]) -> InputError:
        unknown = sorted(unknown, key=lambda x: str(x.name))
        found = [
            f"{shown(x.name)} (mapped to {shown(x.label)})" if x.is_mapped else shown(x.name)
            for x in unknown
        ]
        known: Sequence[Label] = self._vocabulary.names or sorted(self._vocabulary.labels, key=str)
        target = shown(known[0] if known else "...")
        mapping = Setting("label_mapping", f"{{{shown(unknown[0].name)}: {target}, ...}}")
        return InputError(
            Name(self._name),
            f" {self._verb} labels that no reference has: {first_of(found)}",
            remedy=(
                f"The references' labels are {named(known) or 'none so far'}",
                Parts("Say which are meant: ", mapping),
                "A label that is mapped to itself counts as wrong",
            ),
        )
