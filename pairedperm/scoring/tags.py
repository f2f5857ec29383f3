"""Columns of tags, such as "B-PER", or of the ids of tags."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, describe, first_of, shown
from pairedperm.inputs.columns import is_sequence, materialise, place
from pairedperm.inputs.labels import Labels
from pairedperm.options.constraints import is_whole
from pairedperm.scoring.label_counts import numbered
from pairedperm.scoring.schemes import DEFAULT, SCHEMES, Reading

Ignored = NDArray[np.bool_] | None  # True in places where the references have no tag
_NAMED = Python(
    "Say which tag each id is, label_names=['O', 'B-PER', ...], or convert ids to tag names, for "
    "instance with ClassLabel's int2str",
    "Convert ids to tag names",
)
_IN_ONE_SCHEME = Parts(
    "Name the scheme that all tags are in, or leave out ", Name("mode"), " and ", Name("scheme")
)


def read_tags(
    labels: Labels,
    scheme: str | None = None,
    label_names: Sequence[str] | None = None,
    ignored: Ignored = None,
) -> Labels:
    """Return the column as numbers of the tags in its `names`; ignored places may hold anything.

    Raises
    ------
    InputError
        If the column has single labels, an empty tag, or a tag that the scheme or the names lack.
        If it has integers without names, or beyond the names.
    """
    if labels.lengths is None:
        raise InputError(
            Name(labels.name),
            f" has single labels ({labels.first!r})",
            remedy="spans need a list of tags per example, such as ['B-PER', 'I-PER', 'O']",
        )
    if labels.kind == "integers" or (labels.names and isinstance(labels.first, int)):
        tags = _by_name(labels, label_names, ignored)
    else:
        tags = numbered([labels])[0] if labels.names is None else labels
    prefixes = None if scheme is None else SCHEMES[scheme].prefixes
    for number, tag in enumerate(map(str, tags.names or ())):
        is_named = label_names is None or tag in label_names
        if not tag or not is_named or not (prefixes is None or tag[0] in prefixes):
            position = _first(np.equal(tags.flat, number), ignored)
            if position is not None:
                where = Name(tags.name, place(position, tags.lengths, tags.start))
                if not is_named:
                    raise _unnamed(where, tag, label_names or ())
                raise _unknown(where, tag, scheme)
    return tags


def read_label_names(label_names: Any) -> tuple[str, ...] | None:
    """Return the tags of the ids from 0, from a list or from a dict by id.

    Raises
    ------
    InputError
        If it is neither of these, or holds something that is no tag.
    """
    if label_names is None:
        return None
    names: list[Any] = []
    if isinstance(label_names, Mapping):
        names = [*label_names.values()]
        in_json = {str(number): number for number in range(len(names))}
        ids = [int(x) if is_whole(x) else in_json.get(x, -1) for x in label_names]
        if sorted(ids) != [*range(len(ids))]:
            raise InputError(
                Name("label_names"),
                must="have the ids from 0, without gaps, as its keys, like the id2label of "
                "transformers",
                got=describe(label_names),
            )
        names = [names[ids.index(number)] for number in range(len(ids))]
    elif is_sequence(label_names):
        names = [*materialise("label_names", label_names)]
    if not names:
        raise InputError(
            Name("label_names"),
            must="be a list of tags, each at its id, such as ['O', 'B-PER'], or a dict "
            "{0: 'O', 1: 'B-PER'}",
            got=describe(label_names),
        )
    for number, name in enumerate(names):
        if not isinstance(name, str):
            raise InputError(
                Name("label_names", (number,)),
                must="be a tag, such as 'B-PER'",
                got=describe(name),
            )
    return tuple(map(str.__str__, names))


def _by_name(labels: Labels, label_names: Sequence[str] | None, ignored: Ignored) -> Labels:
    """Return a column of ids as numbers of their tags."""
    if label_names is None or any(isinstance(label, str) for label in labels.names or ()):
        raise InputError(
            Name(labels.name),
            f" holds integers ({labels.first!r})",
            remedy=("spans need tags such as 'B-PER'", _NAMED),
        )
    ids = np.asarray(labels.flat)
    if labels.names is not None:
        ids = np.array(labels.names, dtype=np.int64)[ids]
    is_known = (ids >= 0) & (ids < len(label_names))
    position = _first(~is_known, ignored)
    if position is not None:
        raise InputError(
            Name(labels.name, place(position, labels.lengths, labels.start)),
            f" is {ids[position]}, which ",
            Name("label_names"),
            " lacks",
            remedy=f"its ids are 0 to {len(label_names) - 1}",
        )
    names = list(dict.fromkeys(label_names))
    numbers = np.array([names.index(name) for name in label_names], dtype=np.int64)
    flat = numbers[ids if ignored is None else np.where(is_known, ids, 0)]
    return replace(labels, flat=flat, kind="strings", names=names)


def _first(wrong: NDArray[np.bool_], ignored: Ignored) -> int | None:
    """Return the position of the first wrong label that is not ignored, or None."""
    if ignored is not None:
        wrong = wrong & ~ignored
    return int(wrong.argmax()) if wrong.any() else None


def _unnamed(where: Name, tag: str, label_names: Sequence[str]) -> InputError:
    """Return the error for a tag that `label_names` lacks."""
    names = Name("label_names")
    return InputError(
        where,
        f" is {shown(tag)}, which ",
        names,
        " lacks",
        got=first_of([*map(shown, label_names)]),
        remedy=Parts(names, " gives the tags of ids: leave it out if columns hold tags"),
    )


def _unknown(where: Name, tag: str, scheme: str | None) -> InputError:
    """Return the error for a tag that is empty, or that the scheme lacks."""
    if not tag:
        return InputError(where, " is an empty tag", remedy="write 'O' outside of spans")
    *some, last = list(SCHEMES[str(scheme)].prefixes)
    return InputError(
        where,
        f" is {shown(tag)}, which is no tag of scheme {scheme!r}",
        remedy=(f"its tags begin with {', '.join(some)} or {last}", _IN_ONE_SCHEME),
    )


class Spans(NamedTuple):
    """The spans of a column. Tags are numbered; one number is left out after each example."""

    examples: IntArray
    starts: IntArray
    ends: IntArray  # the last tags, ascending: no two spans end at the same tag
    types: IntArray


def read_spans(column: Labels, types: dict[str, int], reading: Reading = DEFAULT) -> Spans:
    """Return the spans of a column that `read_tags` gave, as seqeval finds them in each example.

    `types` holds the numbers of the entity types; new types are added.
    """
    lengths = np.asarray(column.lengths)
    names = column.names or ()
    tags = [str.__str__(name) if isinstance(name, str) else str(name) for name in names]
    tags = [*tags, "O"]  # this tag follows each example, to end its last span
    codes = np.insert(np.asarray(column.flat), np.cumsum(lengths), len(tags) - 1)
    prefixes = np.array([*map(reading.prefix_of, tags)], dtype=np.uint8)[codes]
    numbers = [types.setdefault(reading.type_of(tag), len(types)) for tag in tags]
    of_type = np.array(numbers, dtype=np.int32)[codes]
    borders = np.cumsum(lengths + 1)
    starts, ends = reading.spans(prefixes, of_type, borders - lengths - 1)
    rows = np.searchsorted(borders, ends, side="right")
    return Spans(rows, starts, ends, of_type[ends].astype(np.int64))


def span_counts(
    predictions: Labels,
    references: Labels,
    selected: Collection[str] | None = None,
    reading: Reading = DEFAULT,
) -> tuple[IntArray, tuple[frozenset[str], frozenset[str]]]:
    """Count the correct, the predicted and the right spans of each example, shape (n, 3).

    A span is correct if the reference has one with the same start, end and entity type. No span
    crosses examples. `selected` limits the counts to some types.

    The columns are those of `read_tags`, with the same number of tags in each example. The second
    result has all entity types of each column, selected or not.
    """
    types: dict[str, int] = {}
    found, gold = (read_spans(x, types, reading) for x in (predictions, references))
    names = list(types)
    counted = np.array([selected is None or name in selected for name in names])
    # Match by ends, which are distinct: after malformed tags starts may repeat.
    _, i, j = np.intersect1d(found.ends, gold.ends, assume_unique=True, return_indices=True)
    correct = (found.starts[i] == gold.starts[j]) & (found.types[i] == gold.types[j])
    columns = (
        gold.examples[j[correct & counted[gold.types[j]]]],
        found.examples[counted[found.types]],
        gold.examples[counted[gold.types]],
    )
    rows = np.array([np.bincount(examples, minlength=references.n) for examples in columns]).T
    of_found, of_gold = (frozenset(names[k] for k in np.unique(x.types)) for x in (found, gold))
    return rows, (of_found, of_gold)
