"""F1 of the entity spans in sequences of tags, counted as seqeval does in its default mode."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError
from pairedperm.inputs.codes import renumbered
from pairedperm.inputs.columns import place
from pairedperm.inputs.labels import Columns, Labels, check_lengths
from pairedperm.options import IGNORE_LABEL, check_option
from pairedperm.scoring.metric import Average, CountsLabels
from pairedperm.scoring.metrics.label_scores import read_labels_chosen
from pairedperm.scoring.occurring import Occurring
from pairedperm.scoring.ratio import Ratio, read_zero_division
from pairedperm.scoring.waist import Rows, Score

_PREFIXES = "?OBIES."  # those with rules of their own, and "?" for others: 7
_CLOSES, _OPENS = 1, 2  # proof: bits of what a tag does


@dataclass(frozen=True, kw_only=True, repr=False)
class SpanF1(CountsLabels):
    """F1 of the entity spans in sequences of tags (B-PER, I-PER, O), as seqeval's.

    In its default mode, malformed tags included, but no span crosses examples; of all types or
    of those in `labels`.
    """

    name = "span_f1"
    words = "span F1"
    aliases = ("seqeval", "entity_f1", "ner_f1")
    is_of_spans = True
    instead_of_option = " (one type of entity: labels=['PER'])"
    hint_of_absent = " These are types of entities: 'PER', not 'B-PER'."
    average: Literal["micro"] = "micro"
    labels: Collection[str] | None = None
    zero_division: float = 0.0
    without: Fraction = field(init=False, compare=False)

    def __post_init__(self) -> None:
        average = check_option("average", self.average, get_args(Average))
        if average != "micro":
            raise InputError(
                f"`average` must be 'micro' for metric 'span_f1', got {average!r}. For one type of "
                "entity: labels=['PER']."
            )
        labels = read_labels_chosen(average, None, self.labels)
        number = next((x for x in labels or () if isinstance(x, int)), None)
        if number is not None:
            raise InputError(f"`labels` must be types of entities, such as 'PER', got {number}.")
        without = read_zero_division(self.zero_division)
        self._set(
            average=average,
            labels=labels,
            selected=labels,
            ignored=IGNORE_LABEL,
            without=without,
            zero_division=float(without),
        )

    @property
    def options(self) -> dict[str, Any] | None:
        """See `Metric`."""
        labels = {} if self.labels is None else {"labels": list(self.labels)}
        without = {"zero_division": self.zero_division} if self.zero_division else {}
        return labels | without or None

    @property
    def in_words(self) -> str:
        """See `Metric`."""
        return super().in_words + (f" for {', '.join(self.labels)}" if self.labels else "")

    def count(self, columns: Columns) -> Rows:
        """Numbers of spans (correct, predicted, right)."""
        (rows1, (types1, right)), (rows2, (types2, _)) = (
            span_counts(predictions, columns[2], self.labels) for predictions in columns[:2]
        )
        absent = frozenset(self.labels or ()) - types1 - types2 - right
        return Rows(rows1, rows2, occurring=Occurring(absent, (types1, types2, right)))

    def score(self, rows: Rows) -> Score:
        """2 correct / (predicted + right)."""
        return Ratio((2, 0, 0), (0, 1, 1), zero_division=self.without)


class Spans(NamedTuple):
    """All spans of a column; tags have numbers, one is left out after each example."""

    examples: IntArray
    starts: IntArray
    ends: IntArray  # the last tags, ascending: no two spans end at the same
    types: IntArray


def read_spans(labels: Labels, types: dict[str, int]) -> Spans:
    """The spans of a column, as seqeval finds them in each example on its own.

    `types` holds the numbers of the entity types; those it has not yet are added.

    Raises
    ------
    InputError
        For single labels, for integers, and for an empty tag.
    """
    lengths = _tag_lengths(labels)
    flat, names = labels.flat, labels.names
    if isinstance(flat, list) or names is None:
        numbers: dict[str, int] = {}
        flat, names = renumbered(labels, numbers), list(numbers)
    tags = [str.__str__(name) if isinstance(name, str) else str(name) for name in names]
    if "" in tags and (empty := flat == tags.index("")).any():
        where = place(int(empty.argmax()), lengths, labels.start)
        raise InputError(f"`{labels.name}`{where} is an empty tag: write 'O' outside of spans.")
    tags = [*tags, "O"]  # the last after each example, to end its last span
    codes = np.insert(flat, np.cumsum(lengths), len(tags) - 1)
    prefixes = np.array([max(_PREFIXES.find(tag[:1]), 0) for tag in tags], dtype=np.uint8)[codes]
    of_type = np.array([types.setdefault(_type(tag), len(types)) for tag in tags], np.int32)[codes]
    change = of_type[:-1] != of_type[1:]
    events = _EVENTS[change * np.uint8(49) + prefixes[:-1] * np.uint8(7) + prefixes[1:]]
    ends = np.flatnonzero(events & _CLOSES)
    # A span may end where none began, after a tag such as "x" alone: as in seqeval it reaches
    # back to the last start, but here no further than to its example's first tag.
    borders = np.cumsum(lengths + 1)
    opens = np.append(False, events & _OPENS != 0)
    opens[borders - lengths - 1] = True
    starts = np.flatnonzero(opens)
    starts = starts[np.searchsorted(starts, ends, side="right") - 1]
    rows = np.searchsorted(borders, ends, side="right")
    return Spans(rows, starts, ends, of_type[ends].astype(np.int64))


def span_counts(
    predictions: Labels, references: Labels, selected: Collection[str] | None = None
) -> tuple[IntArray, tuple[frozenset[str], frozenset[str]]]:
    """How many spans of each example are correct, predicted and in the reference, shape (n, 3).

    And all entity types of each column, selected or not.

    A span is correct if the reference has one with the same start, end and entity type;
    `selected` limits the counts to some types. Spans are those of seqeval in its default mode,
    malformed tags included: "I-PER" at the beginning, after "O" or after another type starts a
    span, "B-" and "S-" always do; "E-" and "S-" end one. The first letter is the prefix, the type
    follows the first "-" after it ("ER" in "PER", "_" in "B"). Any other prefix ("b-PER") goes on
    with a span of its type, or starts one; "O" and "." are outside. No span crosses examples.

    Raises
    ------
    InputError
        If the columns, or a prediction and its reference, differ in length or in kind, and for
        what `read_spans` does not take.
    """
    check_lengths(predictions, references)
    types: dict[str, int] = {}
    found, gold = read_spans(predictions, types), read_spans(references, types)
    names = list(types)
    counted = np.array([selected is None or name in selected for name in names])
    # By ends, which are distinct: starts need not be, after malformed tags.
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


def _tag_lengths(labels: Labels) -> IntArray:
    """The lengths of tag sequences; InputError for labels that are none."""
    if labels.lengths is None:
        raise InputError(
            f"`{labels.name}` has single labels ({labels.first!r}): spans need a list of tags per "
            "example, such as ['B-PER', 'I-PER', 'O']."
        )
    if labels.kind == "integers" or (labels.names and isinstance(labels.first, int)):
        raise InputError(
            f"`{labels.name}` holds integers ({labels.first!r}): spans need tags such as 'B-PER'. "
            "Convert ids to tag names, for instance with ClassLabel's int2str."
        )
    return labels.lengths


def _type(tag: str) -> str:
    """What follows the prefix letter, and the first "-" after it if any; "_" for nothing."""
    head, dash, tail = tag[1:].partition("-")
    return (tail if dash else head) or "_"


def _event(change: bool, one: str, two: str) -> int:
    """Whether a span ends at prefix `one`, and one starts at `two` after it (of another type?)."""
    closes = one in "ES" or (one in "BI" and two in "BSO") or (change and one not in "O.")
    opens = two in "BS" or (one in "ESO" and two in "EI") or (change and two not in "O.")
    return _CLOSES * closes + _OPENS * opens


_CASES = product((False, True), _PREFIXES, _PREFIXES)
_EVENTS = np.array([_event(*case) for case in _CASES], dtype=np.uint8)
