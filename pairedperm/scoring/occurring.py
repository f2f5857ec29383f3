"""The labels that occur, where something suggests that they are not those that are meant."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence, Set
from itertools import islice
from operator import eq
from typing import Any, NamedTuple

from pairedperm.errors import InputError, shown, warn
from pairedperm.inputs.labels import Columns, Labels

MANY = 2**12  # tuned: distinct labels; where there are as many, they are free text
NAMELESS = re.compile(r"LABEL_\d+")  # what transformers calls labels that have no name
_SHOWN = 8  # tuned: labels in a message
_NAMES = ("predictions1", "predictions2")
_PAIRS, _INDICATORS = 1, 2  # proof: sets of 0 and 1 that ascend, and some that do not
LabelSet = frozenset[Hashable]


class Occurring(NamedTuple):
    """Of examples of which a selected label is absent, or a system has none right.

    Attributes
    ----------
    absent : frozenset
        The labels that the metric selects and that do not occur.
    labels : tuple of frozenset
        Those of both systems' predictions and of the references; of free text some.
    pairs : int
        Whether all sets of labels are 0 and 1 (1), some in the order 1, 0 (2); otherwise 0.
    """

    absent: LabelSet = frozenset()
    labels: tuple[LabelSet, LabelSet, LabelSet] = (frozenset(),) * 3
    pairs: int = 0


def occurring(columns: Columns, selected: Iterable[Hashable], *, sets: bool) -> Occurring | None:
    """What to look at when all examples are there; None if all is as one expects.

    That costs little: most often each label is found at once, and so is a right prediction.
    """
    pairs = _pairs(columns) if sets else 0
    absent = frozenset(x for x in selected if not any(column.has(x) for column in columns))  # type: ignore[arg-type]
    if not (pairs or absent) and all(_agree(x, columns[2], sets) for x in columns[:2]):
        return None
    one, two, three = (frozenset(islice(x.distinct, MANY)) for x in columns)
    return Occurring(absent, (one, two, three), pairs)


def joined(parts: Sequence[Occurring | None]) -> Occurring | None:
    """Of all parts together, which are as one expects if one of them is."""
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return None
    pairs = [part.pairs for part in found]
    one, two, three = (
        frozenset(islice(frozenset().union(*column), MANY))
        for column in zip(*(part.labels for part in found), strict=True)
    )
    absent = frozenset.intersection(*(part.absent for part in found))
    return Occurring(absent, (one, two, three), max(pairs) if min(pairs) else 0)


def check_meant(found: Occurring, selected: Sequence[Hashable], option: str, hint: str) -> None:
    """Raise InputError for labels that cannot be meant; warn of those that may not be.

    `option` selected these, and `hint` is what else an absent one may mean.
    """
    if found.pairs == _INDICATORS:
        raise InputError(
            "`multilabel`: every example of all columns has the labels 0 and 1, some as [1, 0]: "
            "these look like rows of an indicator matrix. Give sets of labels, of such a matrix "
            "[np.flatnonzero(row) for row in matrix]."
        )
    if found.absent:
        _check_absent(found, selected, option, hint)


def warn_of_strangers(found: Occurring) -> None:
    """Warn of a system that has no label of the references."""
    *predicted, right = found.labels
    for name, labels in zip(_NAMES, predicted, strict=True):
        is_free_text = max(len(labels), len(right)) >= MANY
        if (
            labels
            and right
            and labels.isdisjoint(right)
            and not (is_free_text or _may_be_other_classes(labels, right))
        ):
            warn(
                f"`{name}` holds no label that `references` has, so none of it is right: it has "
                f"{listed(labels)}, they have {listed(right)}. If these mean the same, map them: "
                f"[{_mapping(labels, right)}[x] for x in {name}]."
            )


def listed(labels: Iterable[object]) -> str:
    """Labels in words, the first of many; those of a set in order."""
    return cut([shown(x) for x in (_ordered(labels) if isinstance(labels, Set) else labels)])


def cut(found: Sequence[str]) -> str:
    """The first of many words, and how many more there are."""
    shown, more = ", ".join(found[:_SHOWN]), len(found) - _SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown


def _ordered(labels: Iterable[Hashable]) -> list[Any]:
    return sorted(labels, key=lambda x: (isinstance(x, str), x))


def _check_absent(found: Occurring, selected: Sequence[Hashable], option: str, hint: str) -> None:
    """An absent label may be meant beside one that occurs, or where a single class does."""
    absent = [label for label in selected if label in found.absent]
    there = found.labels[0].union(*found.labels[1:])
    what = f"`{option}`: {listed(absent)} occurs neither in the predictions nor in the references"
    kinds = {*map(_is_text, there)}
    is_other_type = kinds.isdisjoint(map(_is_text, absent))
    is_one_class = option == "pos_label" and len(there) == 1 and not is_other_type
    if len(absent) < len(selected) or not there or is_one_class:
        warn(f"{what}.{hint}")
        return
    remedy = "Name labels that occur"
    if is_other_type:
        remedy = f"Those are {'strings' if kinds == {True} else 'integers'}: give them as such"
    raise InputError(f"{what}, which have {listed(there)}. {remedy}.{hint}")


def _is_text(label: Hashable) -> bool:
    return isinstance(label, str)


def _may_be_other_classes(labels: LabelSet, right: LabelSet) -> bool:
    """Whether a system may have predicted classes that no reference happens to be of."""
    there = {*map(_plain, right)}
    is_odd = any(NAMELESS.fullmatch(str(x)) or _plain(x) in there for x in labels)
    return len(right) == 1 and not is_odd


def _plain(label: Hashable) -> Hashable:
    return label.strip().casefold() if isinstance(label, str) else label


def _mapping(labels: LabelSet, right: LabelSet) -> str:
    """A dict from one to the other, as far as they differ in case and white space only."""
    plain = {_plain(x): x for x in _ordered(right)}
    first = _ordered(labels)[:_SHOWN]
    meant = [shown(plain[_plain(x)]) if _plain(x) in plain else "..." for x in first]
    pairs = [f"{shown(x)}: {y}" for x, y in zip(first, meant, strict=True)]
    return f"{{{', '.join([*pairs, '...'] if len(labels) > _SHOWN else pairs)}}}"


def _pairs(columns: Columns) -> int:
    """See `Occurring`, of sets of labels as lists."""
    descend = False
    for column in columns:
        if column.lengths is None or (column.lengths != 2).any() or not column.distinct <= {0, 1}:
            return 0
        first, second = column.spelled[0::2], column.spelled[1::2]
        descend = descend or any(x > y for x, y in zip(first, second, strict=True))
    return _INDICATORS if descend else _PAIRS


def _agree(predictions: Labels, references: Labels, sets: bool) -> bool:
    """Whether some prediction is right; of sets, may be."""
    if sets:
        return not predictions.distinct.isdisjoint(references.distinct)
    if isinstance(predictions.flat, list) or predictions.names is not references.names:
        return any(map(eq, predictions.spelled, references.spelled))
    return bool((predictions.flat == references.flat).any())
