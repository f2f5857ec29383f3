"""Spans in columns of tags, such as "B-PER", or of the ids of tags, as seqeval finds them.

By default or by a scheme, each tag is read with the one before it: the prefixes of both, and
whether their types differ. The tags of all examples form one sequence, with an "O" after each
example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, first_of, shown
from pairedperm.inputs.columns import place
from pairedperm.inputs.labels import Columns, Labels
from pairedperm.scoring.label_counts import numbered

_CLOSES, _OPENS, _INSIDE = 1, 2, 4  # proof: distinct bits for what a tag does after another


class TagReading(ABC):
    """A way to read tags.

    Parameters
    ----------
    prefixes : str
        The prefixes with rules of their own.
    event : callable
        The function of two prefixes, and whether their types differ, that returns the bits of what
        the second does.
    """

    def __init__(self, prefixes: str, event: Callable[[str, str, bool], int]) -> None:
        self.prefixes = prefixes
        cases = product((False, True), prefixes, prefixes)
        table = [event(one, two, change) for change, one, two in cases]
        self._events = np.array(table, dtype=np.uint8)

    @abstractmethod
    def type_of(self, tag: str) -> str:
        """Return the type of entity, "_" for none."""

    def prefix_of(self, tag: str) -> int:
        """Return the number of the tag's prefix, or 0 for an unknown prefix."""
        return max(self.prefixes.find(tag[:1]), 0)

    def spans(
        self, prefixes: NDArray[np.uint8], types: IntArray, firsts: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Return the first and last tags of all spans; `firsts` are the first tags of examples."""
        n, change = np.uint8(len(self.prefixes)), types != np.roll(types, 1)  # before the first: O
        events = self._events[(change * n + np.roll(prefixes, 1)) * n + prefixes]
        return self._bounds(events, firsts)

    @abstractmethod
    def _bounds(self, events: NDArray[np.uint8], firsts: IntArray) -> tuple[IntArray, IntArray]:
        """Return the first and last tags of all spans, from the bits of each tag."""


class Default(TagReading):
    """The reading of conlleval, which takes malformed tags too.

    "I-PER" starts a span at the beginning, after "O" and after another type. "B-" and "S-" always
    start a span; "E-" and "S-" end one. The first letter is the prefix, and the type follows the
    first "-" after it ("ER" in "PER", "_" in "B"). Any other prefix ("b-PER") continues a span of
    its type, or starts one. "O" and "." are outside.
    """

    def __init__(self) -> None:
        super().__init__("?OBIES.", _default_event)

    def type_of(self, tag: str) -> str:
        """Return the text after the prefix letter, and after the first "-" behind it if any."""
        head, dash, tail = tag[1:].partition("-")
        return (tail if dash else head) or "_"

    def _bounds(self, events: NDArray[np.uint8], firsts: IntArray) -> tuple[IntArray, IntArray]:
        """Return first and last tags; a span may end where none began, after an "x" alone.

        As in seqeval it then starts at the last start, but not before its example's first tag.
        """
        ends = np.flatnonzero(events & _CLOSES) - 1
        opens = events & _OPENS != 0
        opens[firsts] = True
        starts = np.flatnonzero(opens)
        return starts[np.searchsorted(starts, ends, side="right") - 1], ends


def _default_event(one: str, two: str, change: bool) -> int:
    """Tell whether a span ends before `two`, and whether one starts at it."""
    closes = one in "ES" or (one in "BI" and two in "BSO") or (change and one not in "O.")
    opens = two in "BS" or (one in "ESO" and two in "EI") or (change and two not in "O.")
    return _CLOSES * closes + _OPENS * opens


class Strict(TagReading):
    """The reading of a scheme, in which malformed tags make no span.

    A span starts where a pattern of `starts` fits, unless the tag is inside a span. It continues
    while a pattern of `inside` fits. It counts if a pattern of `ends` fits its last tag and the tag
    after it.

    Parameters
    ----------
    prefixes : str
        The prefixes that a tag may have.
    starts, inside, ends : str
        Patterns of a prefix, the next prefix, and the types: "=" for the same, "!" for others. "*"
        fits all.
    """

    def __init__(self, prefixes: str, starts: str, inside: str, ends: str) -> None:
        def event(one: str, two: str, change: bool) -> int:
            case = one, two, "!" if change else "="
            closes, opens, goes_on = (_fits(case, x.split()) for x in (ends, starts, inside))
            return _CLOSES * closes + _OPENS * opens + _INSIDE * goes_on

        super().__init__(prefixes, event)

    def type_of(self, tag: str) -> str:
        """Return the text after the prefix letter, without "-" around it."""
        return tag[1:].strip("-") or "_"

    def _bounds(self, events: NDArray[np.uint8], firsts: IntArray) -> tuple[IntArray, IntArray]:
        """Return first and last tags; in each run of inside tags only the first start counts."""
        runs, starts = np.flatnonzero(events & _INSIDE == 0), np.flatnonzero(events & _OPENS)
        run = np.searchsorted(runs, starts, side="right")  # the number of the next run
        is_first = np.diff(run, prepend=0) > 0
        starts, after = starts[is_first], runs[run[is_first]]  # the last run is an "O"
        counts = events[after] & _CLOSES != 0
        return starts[counts], after[counts] - 1


def _fits(case: tuple[str, str, str], patterns: list[str]) -> bool:
    """Tell whether one of the patterns fits."""
    return any(
        all(x in (y, "*") for x, y in zip(pattern, case, strict=True)) for pattern in patterns
    )


DEFAULT = Default()
SCHEMES = {  # with seqeval's patterns: in IOE1 "E-X" before "O" ends no span
    "IOB1": Strict("IOB", "OI* II! BI* IB= BB=", "BI= II=", "II! IO* IB* BO* BI! BB="),
    "IOB2": Strict("IOB", "*B*", "BI= II=", "IO* II! IB* BO* BI! BB*"),
    "IOE1": Strict("IOE", "OI* II! EI* EE=", "II= IE=", "II! IO* IE! EI= EE="),
    "IOE2": Strict("IOE", "OI* OE* EI* EE* II! IE!", "II= IE=", "E**"),
    "IOBES": Strict("IOBES", "*B* *S*", "BI= BE= II= IE=", "S** E**"),
    "BILOU": Strict("BILOU", "*B* *U*", "BI= BL= II= IL=", "U** L**"),
}


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
    number: dict[str, int] = {}
    each = [number.setdefault(name, len(number)) for name in label_names]
    numbers, names = np.array(each, dtype=np.int64), [*number]
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


class TagSpans(NamedTuple):
    """The spans of a column. Tags are numbered; one number is left out after each example."""

    examples: IntArray
    starts: IntArray
    ends: IntArray  # the last tags, ascending: no two spans end at the same tag
    types: IntArray


def read_spans(column: Labels, types: dict[str, int], reading: TagReading = DEFAULT) -> TagSpans:
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
    return TagSpans(rows, starts, ends, of_type[ends].astype(np.int64))


def span_counts(
    columns: Columns, selected: Collection[str] | None, reading: TagReading
) -> tuple[list[IntArray], list[frozenset[str]]]:
    """Count the correct, the predicted and the right spans of each example, shape (n, 3).

    A span is correct if the reference has one with the same start, end and entity type. No span
    crosses examples. `selected` limits the counts to some types.

    The columns are those of `read_tags`, with the same number of tags in each example. The counts
    are those of both systems. The second result has all entity types of each column, selected or
    not.
    """
    types: dict[str, int] = {}
    *systems, gold = (read_spans(x, types, reading) for x in columns)
    names, n = list(types), columns[2].n
    counted = np.array([selected is None or name in selected for name in names])
    n_right = np.bincount(gold.examples[counted[gold.types]], minlength=n)
    tables = []
    for given in systems:
        # Match by ends, which are distinct: after malformed tags starts may repeat.
        _, i, j = np.intersect1d(given.ends, gold.ends, assume_unique=True, return_indices=True)
        correct = (given.starts[i] == gold.starts[j]) & (given.types[i] == gold.types[j])
        found = gold.examples[j[correct & counted[gold.types[j]]]]
        predicted = given.examples[counted[given.types]]
        n_found, n_predicted = (np.bincount(x, minlength=n) for x in (found, predicted))
        tables.append(np.array((n_found, n_predicted, n_right)).T)
    return tables, [frozenset(names[k] for k in np.unique(x.types)) for x in (*systems, gold)]
