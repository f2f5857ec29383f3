"""Scores of the entity spans in sequences of tags, as in seqeval."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import Annotated, Any, ClassVar, Literal

from pairedperm.errors import InputError
from pairedperm.errors.wording import Advice, Name, Parts, Setting, describe
from pairedperm.inputs.columns import is_sequence, materialise
from pairedperm.inputs.labels import Columns, Labels, check_fit
from pairedperm.options import IGNORE_LABEL
from pairedperm.options.constraints import OneOf, is_whole, printed_fraction
from pairedperm.scoring.label_counts import without_ignored
from pairedperm.scoring.metric import CountsLabels
from pairedperm.scoring.metrics.label_scores import CountWeights, read_selected
from pairedperm.scoring.metrics.tags import DEFAULT, SCHEMES, read_tags, span_counts
from pairedperm.scoring.ratio import Ratio, ZeroDivision
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score
from pairedperm.scoring.vocabulary import LabelsToCheck

_ONE = Setting("labels", "['PER']")
_STRICT = Setting("mode", "'strict'")
_MICRO = OneOf(
    ("micro",),
    words="'micro', the only average of spans",
    remedy=Advice("For one type of entity: ", _ONE, "."),
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
    instead_of_option = Advice(" (one type of entity: ", _ONE, ")")
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
            raise InputError(Name("labels"), must=must, got=f"{number}")
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
            *(Name("scheme"), " is missing: ", _STRICT, " counts the spans of one scheme, "),
            f"{', '.join(map(repr, SCHEMES))} (seqeval uses its default mode then)",
        )
    name = scheme.__name__ if isinstance(scheme, type) else scheme
    name = str(OneOf(tuple(SCHEMES)).read("scheme", name))
    if mode is None:
        raise InputError(
            *(Name("scheme"), " is for ", _STRICT),
            got=f"{name!r} without it",
            remedy=Parts(
                *("add ", _STRICT, ", or leave ", Name("scheme"), " out, as the default mode has "),
                "none (seqeval ignores it then)",
            ),
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
                Name("label_names"),
                must="have the ids from 0, without gaps, as its keys, like the id2label of "
                "transformers",
                got=describe(label_names),
            )
        names = [name for _, name in sorted(zip(ids, names, strict=True), key=itemgetter(0))]
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
                Name("label_names", (number,)), must="be a tag, such as 'B-PER'", got=describe(name)
            )
    return tuple(map(str.__str__, names))
