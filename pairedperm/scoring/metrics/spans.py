"""Scores of spans in columns of tags, such as "B-PER", or of the ids of tags, as in seqeval.

By default or by a scheme, each tag is read with the one before it: the prefixes of both, and
whether their types differ. The tags of all examples form one sequence, with an "O" after each
example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from operator import itemgetter
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError, describe, first_of, in_brackets, shown
from pairedperm.inputs.columns import is_sequence, materialise, place
from pairedperm.inputs.labels import Columns, Labels, check_fit
from pairedperm.options import OneOf, is_whole, printed_fraction
from pairedperm.scoring.classes import numbered, without_ignored
from pairedperm.scoring.metric import IGNORE_LABEL, CountsLabels
from pairedperm.scoring.metrics.labels import CountWeights, read_selected
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Ratio, Score, ZeroDivision
from pairedperm.scoring.vocabulary import LabelsToCheck

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
_NAMED = (
    "Say which tag each id is, label_names=['O', 'B-PER', ...], or convert ids to tag "
    "names, for instance with ClassLabel's int2str"
)
_IN_ONE_SCHEME = "Name the scheme that all tags are in, or leave out `mode` and `scheme`"


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
            f"`{labels.name}` has single labels ({labels.first!r})",
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
                where = f"`{tags.name}`{in_brackets(place(position, tags.lengths, tags.start))}"
                if not is_named:
                    raise _unnamed(where, tag, label_names or ())
                raise _unknown(where, tag, scheme)
    return tags


def _by_name(labels: Labels, label_names: Sequence[str] | None, ignored: Ignored) -> Labels:
    """Return a column of ids as numbers of their tags."""
    if label_names is None or any(isinstance(label, str) for label in labels.names or ()):
        raise InputError(
            f"`{labels.name}` holds integers ({labels.first!r})",
            remedy=("spans need tags such as 'B-PER'", _NAMED),
        )
    ids = np.asarray(labels.flat)
    if labels.names is not None:
        ids = np.array(labels.names, dtype=np.int64)[ids]
    is_known = (ids >= 0) & (ids < len(label_names))
    position = _first(~is_known, ignored)
    if position is not None:
        raise InputError(
            f"`{labels.name}`{in_brackets(place(position, labels.lengths, labels.start))} is "
            f"{ids[position]}, which `label_names` lacks",
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


def _unnamed(where: str, tag: str, label_names: Sequence[str]) -> InputError:
    """Return the error for a tag that `label_names` lacks."""
    names = "`label_names`"
    return InputError(
        f"{where} is {shown(tag)}, which {names} lacks",
        got=first_of([*map(shown, label_names)]),
        remedy=f"{names} gives the tags of ids: leave it out if columns hold tags",
    )


def _unknown(where: str, tag: str, scheme: str | None) -> InputError:
    """Return the error for a tag that is empty, or that the scheme lacks."""
    if not tag:
        return InputError(f"{where} is an empty tag", remedy="write 'O' outside of spans")
    *some, last = list(SCHEMES[str(scheme)].prefixes)
    return InputError(
        f"{where} is {shown(tag)}, which is no tag of scheme {scheme!r}",
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


_ONE = "labels=['PER']"
_STRICT = "mode='strict'"
_MICRO = OneOf(
    ("micro",),
    words="'micro', the only average of spans",
    remedy=f"For one type of entity: {_ONE}.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class SpanScore(CountsLabels):
    """A ratio of numbers of entity spans, (numerator · counts) / (denominator · counts).

    Sequences of tags (B-PER, I-PER, O) hold the spans; none crosses examples. A span is correct if
    the reference has one with the same start, end and type. The counts are of correct, predicted
    and right spans; right spans are those of the references.

    Parameters
    ----------
    average : {"micro"}
        All types of entities, or those in `labels`, are counted together.
    labels : collection of str, or None
        The types of entities that count, such as "PER"; None for all.
    zero_division : float
        The score of a system whose denominator is 0, observed or after swaps; from 0 to 1.
    mode : {"strict"} or None
        None: malformed tags make spans too, as in conlleval. "strict": only the spans of `scheme`
        count.
    scheme : {"IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU"} or None
        The meaning of tags with mode="strict"; or the class of `seqeval.scheme` of this name.
    label_names : list of str, dict from int to str, or None
        The tags of the ids from 0, if columns hold ids: ``["O", "B-PER"]`` or ``{0: "O", 1:
        "B-PER"}``. Ids may be strings, as in JSON. Places where references hold -100 are left out.
    """

    numerator: ClassVar[CountWeights] = (1, 0, 0)  # of correct, predicted and right spans
    denominator: ClassVar[CountWeights]
    is_of_spans = True
    instead_of_option = f" (one type of entity: {_ONE})"
    hint_of_absent = "These are types of entities: 'PER', not 'B-PER'"
    average: Annotated[Literal["micro"], _MICRO] = "micro"
    labels: Collection[str] | None = None
    zero_division: ZeroDivision = 0.0
    mode: Literal["strict"] | None = None
    scheme: str | None = None
    label_names: Sequence[str] | Mapping[int, str] | None = None
    without: Fraction = field(init=False, compare=False)

    def following(self) -> dict[str, Any]:
        without = printed_fraction(self.zero_division)
        labels = read_selected(self.labels)
        number = next((x for x in labels or () if isinstance(x, int)), None)
        if number is not None:
            must = "be types of entities, such as 'PER'"
            raise InputError("labels", must=must, got=str(number))
        return {
            "labels": labels,
            "selected": labels,
            "zero_division": float(without),
            "without": without,
            "scheme": _read_scheme(self.mode, self.scheme),
            "label_names": read_label_names(self.label_names),  # a tuple
        }

    @property
    def ignored(self) -> int | None:
        return IGNORE_LABEL

    @property
    def in_words(self) -> str:
        strict = "" if self.scheme is None else f"strict {self.scheme} "
        of_types = f" for {', '.join(self.labels)}" if self.labels else ""
        return f"{strict}{super().in_words}{of_types}"

    def rows(self, predictions1: Labels, predictions2: Labels, references: Labels) -> Rows:
        """Return what each example contributes; ids are read as tags."""
        columns: Columns = predictions1, predictions2, references
        check_fit(columns, sets=False, aligned=True)
        names: Any = self.label_names
        ignored = None
        if names is not None and references.lengths is not None:
            ignored = references.ignored(self.ignored)
        one, two, three = (read_tags(column, self.scheme, names, ignored) for column in columns)
        columns = one, two, three
        return super().rows(*(columns if ignored is None else without_ignored(columns, ignored)))

    def count(self, columns: Columns) -> Rows:
        """Return numbers of spans (correct, predicted, right)."""
        reading = DEFAULT if self.scheme is None else SCHEMES[self.scheme]
        (rows1, rows2), (types1, types2, right) = span_counts(columns, self.labels, reading)
        absent = frozenset(self.labels or ()) - types1 - types2 - right
        labels = LabelsToCheck(absent, (types1, types2, right))
        return Rows(rows1, rows2).noting(to_check=labels)

    def score(self, rows: Rows) -> Score:
        """Return the score of all types that count."""
        return Ratio(self.numerator, self.denominator, zero_division=self.without)


class SpanPrecision(SpanScore):
    """Correct / predicted, of entity spans in sequences of tags, as in seqeval.

    The options are those of `SpanF1`.

    Reported as a share; higher is better. p is exact (two sums): 80 ms for a million sentences.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG"]]
    >>> large = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC"]]
    >>> small = [["B-PER", "O", "O", "B-LOC"], ["O", "O"]]
    >>> result = compare(large, small, right, "span_precision")
    >>> result.score1, result.score2, result.pvalue
    (0.6666666666666666, 0.5, 1.0)
    """

    name = "span_precision"
    aliases = ("entity_precision", "ner_precision")
    denominator = (0, 1, 0)


class SpanRecall(SpanScore):
    """Correct / right, of entity spans in sequences of tags, as in seqeval.

    Right spans are those of the references. The options are those of `SpanF1`.

    Reported as a share; higher is better. p is exact (one sum, since swaps keep the right spans):
    10 ms for a million sentences.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG"]]
    >>> large = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC"]]
    >>> small = [["B-PER", "O", "O", "B-LOC"], ["O", "O"]]
    >>> result = compare(large, small, right, "span_recall")
    >>> result.score1, result.score2, result.pvalue
    (0.6666666666666666, 0.3333333333333333, 1.0)
    """

    name = "span_recall"
    aliases = ("entity_recall", "ner_recall")
    denominator = (0, 0, 1)


class SpanF1(SpanScore):
    """2 correct / (predicted + right), of entity spans in sequences of tags, as in seqeval.

    A span is correct if the reference has one with the same start, end and type.

    Reported as a share; higher is better. p is exact (two sums): 80 ms for a million sentences.

    Parameters
    ----------
    average : {"micro"}
        All types of entities, or those in `labels`, are counted together.
    labels : collection of str, or None
        The types of entities that count, such as "PER"; None for all.
    zero_division : float
        The score of a system whose denominator is 0, from 0 to 1.
    mode : {"strict"} or None
        None: malformed tags make spans too, as in conlleval. "strict": only the spans of `scheme`
        count.
    scheme : {"IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU"} or None
        The meaning of tags with mode="strict".
    label_names : list of str, dict from int to str, or None
        The tags of the ids from 0, if columns hold ids. Places where references hold -100 are left
        out.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG"]]
    >>> large = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC"]]
    >>> small = [["B-PER", "O", "O", "B-LOC"], ["O", "O"]]
    >>> result = compare(large, small, right, "span_f1")
    >>> result.score1, result.score2, result.pvalue
    (0.6666666666666666, 0.4, 1.0)
    """

    name = "span_f1"
    words = "span F1"
    aliases = ("seqeval", "entity_f1", "ner_f1")
    numerator = (2, 0, 0)
    denominator = (0, 1, 1)


def _read_scheme(mode: str | None, scheme: Any) -> str | None:
    """Return the name of the scheme, which may be given as seqeval's class; None by default."""
    if mode is None and scheme is None:
        return None
    if scheme is None:
        raise InputError(
            "scheme",
            f"is missing: {_STRICT} counts the spans of one scheme, "
            f"{', '.join(map(repr, SCHEMES))} (seqeval uses its default mode then)",
        )
    name = scheme.__name__ if isinstance(scheme, type) else scheme
    name = str(OneOf(tuple(SCHEMES)).read("scheme", name))
    if mode is None:
        raise InputError(
            "scheme",
            f"is for {_STRICT}",
            got=f"{name!r} without it",
            remedy=f"add {_STRICT}, or leave `scheme` out, as the default mode has none (seqeval "
            "ignores it then)",
        )
    return name


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
                "label_names",
                must="have the ids from 0, without gaps, as its keys, like the id2label of "
                "transformers",
                got=describe(label_names),
            )
        names = [name for _, name in sorted(zip(ids, names, strict=True), key=itemgetter(0))]
    elif is_sequence(label_names):
        names = [*materialise("label_names", label_names)]
    if not names:
        raise InputError(
            "label_names",
            must="be a list of tags, each at its id, such as ['O', 'B-PER'], or a dict {0: 'O', "
            "1: 'B-PER'}",
            got=describe(label_names),
        )
    for number, name in enumerate(names):
        if not isinstance(name, str):
            raise InputError(
                "label_names", f"[{number}]", must="be a tag, such as 'B-PER'", got=describe(name)
            )
    return tuple(map(str.__str__, names))
