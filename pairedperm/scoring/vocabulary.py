"""The labels that occur: whether predictions meet references, and the labels an option selects.

Arrays, datasets and pipelines are all judged here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import islice
from operator import eq
from typing import Any, NamedTuple

from pairedperm.errors import SHOWN, InputError, first_of, message, shown, warn
from pairedperm.inputs.columns import OF_MATRICES
from pairedperm.inputs.labels import COLUMNS, Columns, Labels, check_not_one_hot, one_hot

FREE_TEXT = 2**12  # tuned: so many distinct labels are free text
NAMELESS = re.compile(r"LABEL_\d+")  # transformers' names for labels without a name
_FEW_SELECTED = 8  # tuned: up to so many selected labels are looked for one by one
_OF_SETS = (
    "If they are indicators of sets, choose a metric with multilabel=True (for a module, "
    f"in load). {OF_MATRICES}"
)
LabelSet = frozenset[Any]


class LabelsToCheck(NamedTuple):
    """The labels of some examples, kept where a selected label or a right prediction is missing.

    Attributes
    ----------
    absent : frozenset
        The selected labels that do not occur.
    labels : tuple of frozenset
        The labels of both systems' predictions and of the references; of free text only some.
    mapped : str
        The code that maps predictions "{name}" by a dict "{labels}"; "" if there is none.
    one_hot : int
        The length of the rows if all look one-hot (`one_hot` of `inputs`); otherwise 0.
    has_descending : bool
        Whether some of these rows are lists of the labels 1 and 0 in this order.
    """

    absent: LabelSet = frozenset()
    labels: tuple[LabelSet, LabelSet, LabelSet] = (frozenset(),) * 3
    mapped: str = ""
    one_hot: int = 0
    has_descending: bool = False


def labels_to_check(
    columns: Columns, selected: Iterable[Any], *, sets: bool
) -> LabelsToCheck | None:
    """Return the labels to check when all examples are there; None if nothing is suspicious.

    This costs little: most often each label, and a right prediction, is found at once.
    """
    absent, every = frozenset(selected), columns[2].every
    if every is not None:  # empty columns of a matrix are labels too
        strange = ordered(absent.difference(every))
        if strange:
            raise InputError(
                "references",
                f"is an indicator matrix without a column {shown(strange[0])}, which is selected",
                remedy=f"its labels are {named(every)}",
            )
        return None
    for column in columns:
        if len(absent) > _FEW_SELECTED:
            absent -= column.distinct
        else:
            absent = frozenset(label for label in absent if not column.has(label))
    length = one_hot(columns)
    if not (absent or length) and all(_agree(x, columns[2], sets) for x in columns[:2]):
        return None
    one, two, three = (frozenset(islice(x.distinct, FREE_TEXT)) for x in columns)
    three |= (one & columns[0].declared) | (two & columns[1].declared)
    mapped = "[{labels}[x] for x in {name}]"
    if columns[2].lengths is not None:
        row = "{{{labels}[x] for x in row}}" if sets else "[{labels}[x] for x in row]"
        mapped = f"[{row} for row in {{name}}]"
    has_descending = length == 2 and any(x.are(1)[0::2].any() for x in columns)
    return LabelsToCheck(absent, (one, two, three), mapped, length, has_descending)


def to_check_in_all(parts: Sequence[LabelsToCheck | None]) -> LabelsToCheck | None:
    """Join the labels of all parts; None if nothing is suspicious in one of them."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    one, two, three = (
        frozenset(islice(frozenset().union(*column), FREE_TEXT))
        for column in zip(*(part.labels for part in known), strict=True)
    )
    return LabelsToCheck(
        frozenset.intersection(*(part.absent for part in known)),
        (one, two, three),
        known[0].mapped,
        known[0].one_hot if len({part.one_hot for part in known}) == 1 else 0,
        any(part.has_descending for part in known),
    )


def check_no_indicators(to_check: LabelsToCheck, n: int, sets: bool) -> None:
    """Raise InputError for `n` rows of indicators in place of labels or of `sets` of labels."""
    if sets and to_check.one_hot and to_check.has_descending:
        raise InputError(
            f"`{COLUMNS[0]}`, `{COLUMNS[1]}` and `{COLUMNS[2]}` have the labels 0 and 1 in every "
            "example, some as [1, 0]",
            remedy=(
                "these look like rows of an indicator matrix",
                "Give sets of labels",
                OF_MATRICES,
            ),
        )
    if not sets:
        flatten = (
            "flatten all columns, np.ravel(...), with groups=np.repeat(np.arange(n), "
            f"{to_check.one_hot}), all in one call"
        )
        others = f"If they are sequences of the labels 0 and 1, {flatten}. {_OF_SETS}"
        check_not_one_hot(COLUMNS, to_check.one_hot, n, others)


def check_meant(to_check: LabelsToCheck, selected: Sequence[Any], option: str, hint: str) -> None:
    """Raise InputError for selected labels that cannot be meant; warn of doubtful ones.

    `option` selected the labels. `hint` says what else an absent label may mean.
    """
    _check_selected(to_check, selected, option, hint)
    *predicted, right = to_check.labels
    for name, labels in zip(COLUMNS[:2], predicted, strict=True):
        if are_strangers(labels, right):
            warn(strangers(name, dict.fromkeys(labels, ""), right, to_check.mapped, are_all=True))


def _check_selected(
    to_check: LabelsToCheck, selected: Sequence[Any], option: str, hint: str
) -> None:
    """Raise InputError for selected labels that are absent.

    A warning is enough if another selected label occurs, or a single class does.
    """
    if not to_check.absent:
        return
    absent = [label for label in selected if label in to_check.absent]
    there = to_check.labels[0].union(*to_check.labels[1:])
    what = f": {named(absent)} occurs neither in the predictions nor in the references"
    are_texts = {isinstance(x, str) for x in there}
    is_other_type = are_texts.isdisjoint(isinstance(x, str) for x in absent)
    is_one_class = option == "pos_label" and len(there) == 1 and not is_other_type
    if len(absent) < len(selected) or not there or is_one_class:
        warn(f"`{option}`{what}", remedy=hint)
        return
    remedy = hint or "Name labels that occur"
    if is_other_type:
        kind = "strings" if are_texts == {True} else "integers"
        meant = [x for x in there if str(x) in {*map(str, absent)}] or [next(iter(there))]
        value = shown(meant[0]) if option == "pos_label" else f"[{named(ordered(meant))}]"
        remedy = f"Those are {kind}: {option}={value}"
    raise InputError(f"`{option}`{what}, which have {named(there)}", remedy=remedy)


def are_strangers(labels: Set[Any], right: Set[Any]) -> bool:
    """Tell whether no label is right, in a way that looks like a mistake; free text does not.

    If there is only one right label, others may be classes that no reference has. They are strange
    only if one of them has no name, or differs from the right label just in case or white space.
    """
    if not labels or not right or not labels.isdisjoint(right):
        return False
    there = {*map(_folded, right)}
    is_odd = any(NAMELESS.fullmatch(str(x)) or _folded(x) in there for x in labels)
    return max(len(labels), len(right)) < FREE_TEXT and (len(right) > 1 or is_odd)


def strangers(
    name: str, labels: Mapping[Any, str], right: Collection[Any], code: str, *, are_all: bool
) -> str:
    """Return what is wrong with labels that no reference has.

    Parameters
    ----------
    name : str
        The argument that has the labels.
    labels : mapping
        The labels, each with what there is to say of it.
    right : set or list
        The labels of the references.
    code : str
        The code that maps the labels of "{name}" by a dict "{labels}"; "" if there is none.
    are_all : bool
        Whether the argument has no other labels.
    """
    folded = {_folded(x): shown(x) for x in ordered(right)}
    first = ordered(labels)[:SHOWN]
    pairs = [f"{shown(x)}: {folded.get(_folded(x), '...')}" for x in first]
    mapping = f"{{{', '.join([*pairs, '...'] if len(labels) > SHOWN else pairs)}}}"
    way: str = "rename them in one of the columns"
    if code:
        way = f"map them: {code.format(labels=mapping, name=name)}"
    listed = first_of([f"{shown(x)}{labels[x]}" for x in ordered(labels)])
    return message(
        f"`{name}` has {'only ' * are_all}labels that no reference has: {listed}",
        remedy=(
            f"The references' labels are {named(right) or 'none so far'}",
            f"If these mean the same, {way}",
        ),
    )


def named(labels: Iterable[Any]) -> str:
    """Write labels in words, only the first of many; sets are sorted."""
    return first_of([shown(x) for x in (ordered(labels) if isinstance(labels, Set) else labels)])


def ordered(labels: Iterable[Any]) -> list[Any]:
    """Return labels ascending, integers first."""
    return sorted(labels, key=lambda x: (isinstance(x, str), x))


def _folded(label: Any) -> str:
    return str(label).strip().casefold()


def _agree(predictions: Labels, references: Labels, sets: bool) -> bool:
    """Tell whether some prediction is right; for sets, whether one may be."""
    if sets:
        return not predictions.distinct.isdisjoint(references.distinct)
    if isinstance(predictions.flat, list) or predictions.names is not references.names:
        return any(map(eq, predictions.spelled, references.spelled))
    return bool((predictions.flat == references.flat).any())
