"""Precision, recall, F-scores and Jaccard index of labels, as in scikit-learn."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Set, Sized
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np

from pairedperm.errors import InputError
from pairedperm.errors.wording import Advice, Name, Parts, Python, Setting, Words, describe, shown
from pairedperm.inputs.columns import materialise, read_label
from pairedperm.inputs.labels import Columns
from pairedperm.options.constraints import printed_fraction
from pairedperm.scoring.call_options import Average
from pairedperm.scoring.class_score import ClassAverage
from pairedperm.scoring.label_counts import coded, count_classes, counted_early, right_labels
from pairedperm.scoring.metric import LabelMetric
from pairedperm.scoring.ratio import Ratio, ZeroDivision
from pairedperm.scoring.rows import Rows, check_some_right, repeated
from pairedperm.scoring.scores import MeanOfRatios, Score

CountWeights = tuple[int, int, int]  # of correct, predicted and right labels
_BINARY = Setting("average", "'binary'")
_OF_ALL = Parts(Setting("average", "'micro'"), " or 'macro'")
_AVERAGES_IN_WORDS = {
    "micro": "micro-averaged",
    "macro": "macro-averaged",
    "weighted": "weighted",
    "samples": "sample-averaged",
}


@dataclass(frozen=True, kw_only=True, repr=False)
class LabelScore(LabelMetric):
    """A ratio of numbers of chosen labels, (numerator · counts) / (denominator · counts).

    The counts are of correct, predicted and right labels; right labels are those of the references.

    Parameters
    ----------
    average : {"binary", "micro", "macro", "weighted", "samples"}
        "binary": one label, `pos_label`, against the rest. "micro": all labels, or those in
        `labels`, counted together. "macro": the mean of the scores of all classes, or of those in
        `labels`. "weighted": the same, weighted by the numbers of right labels, or "macro" if there
        are none. Swaps do not change these weights, resamples do. "samples", with multilabel=True:
        the mean of the scores of the examples' own sets.
    pos_label : int, str or None
        The label that counts with average="binary"; None is 1 if all labels are 0 or 1.
    labels : collection of labels or None
        The labels that count with other averages than "binary"; None for all. Without names,
        "macro" counts a class if the references or the system's own predictions have it, also after
        swaps, as in scikit-learn. For sets a class counts if any column has it; in indicator
        matrices every class counts.
    zero_division : float
        The score of a system whose denominator is 0, from 0 to 1, observed or after swaps. If
        classes or examples are averaged, it is the score of such a class or example.
    multilabel : bool
        Whether each example has a set of labels, given as a set or a list. The set is swapped
        as a whole.
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.
    """

    numerator = (1, 0, 0)
    denominator: ClassVar[CountWeights]
    by_class: ClassVar[tuple[Average, ...]] = ("macro", "weighted")
    """The averages over classes."""
    one_label: ClassVar[tuple[Words, Words]] = (
        Parts("with ", _BINARY, " it"),
        Parts(", or count all, ", _OF_ALL),
    )
    """Words of messages about a missing label: when one label counts, and the alternatives."""
    always_told = ("average", "pos_label")
    average: Average = "binary"
    pos_label: int | str | None = None
    labels: Collection[int | str] | None = None
    zero_division: ZeroDivision = 0.0
    multilabel: bool = False
    without: Fraction = field(init=False, compare=False)

    def following(self) -> dict[str, Any]:
        average, sets = self.average, self.multilabel
        is_binary = average == "binary"
        labels = _read_selected(average, self.pos_label, self.labels, sets)
        if average == "samples" and not sets:
            raise InputError(
                Name("average"),
                " is 'samples', which averages over examples with sets of labels",
                remedy=Parts(
                    "give sets with ",
                    Setting("multilabel", "True"),
                    ", or choose another average, such as 'micro'",
                ),
            )
        without = printed_fraction(self.zero_division)
        return {
            "is_binary": is_binary,
            "pos_label": labels[0] if is_binary and labels else None,
            "labels": None if is_binary else labels,
            "selected": labels,
            "has_sets": sets,
            "zero_division": float(without),
            "without": without,
        }

    @property
    def options(self) -> dict[str, Any] | None:
        """The options that matter: either the average, or the one label that counts."""
        chosen = super().options or {}
        if self.is_binary and self.pos_label is None:
            chosen["pos_label"] = 1
        chosen.pop("average" if self.is_binary else "pos_label", None)
        return chosen or None

    @property
    def in_words(self) -> str:
        words, labels = super().in_words, self.selected
        if self.is_binary:
            labels = labels or (1,)
        else:
            words = f"{_AVERAGES_IN_WORDS[self.average]} {words}"
        if labels is not None:
            named = ", ".join(map(shown, labels))
            words += f" for label{'s' if len(labels) > 1 else ''} {named}"
        return words

    def count(self, columns: Columns) -> Rows:
        """Return numbers of labels (correct, predicted, right), in all or by class, or ratios."""
        if self.average in self.by_class:
            return count_classes(
                columns, self.selected, sets=self.has_sets, options=("labels", "average")
            )
        is_of_0_and_1 = self.is_binary and self.selected is None
        selected = (1,) if is_of_0_and_1 else self.selected
        codes, numbers, labels = coded(columns, selected or ())
        codes, how_often = counted_early(columns[2], codes)
        rights = right_labels(columns, codes, sets=self.has_sets)
        if is_of_0_and_1:
            for column, code in zip(columns, codes, strict=True):
                self._check_binary(column.name, np.unique(code).tolist(), labels)
        if selected is None:
            chosen = [np.ones(len(code), dtype=np.bool_) for code in codes]
        else:
            values = np.array([x for x in numbers if x is not None], dtype=np.int64)
            chosen = [np.isin(code, values, kind="sort") for code in codes]  # mostly one value
        rows, gold = [], columns[2].sums(chosen[2])
        for column, right, counted in zip(columns[:2], rights, chosen[:2], strict=True):
            rows.append(np.array((column.sums(right & counted), column.sums(counted), gold)).T)
        if self.average == "samples":
            weights = np.array((self.numerator, self.denominator)).T
            rows = [row @ weights for row in rows]
        return repeated(rows[0], rows[1], how_often)

    def score(self, rows: Rows) -> Score:
        """Return the score of all chosen labels, or the mean over classes or over examples."""
        if self.average == "samples":
            return MeanOfRatios(self._share)
        if self.average not in self.by_class:
            return Ratio(self.numerator, self.denominator, zero_division=self.without)
        if self.selected is None:
            check_some_right(rows)
        # scikit-learn averages over the classes that occur, or those that are named
        is_named = self.selected is not None or self.multilabel
        over: Literal["seen", "all"] = "all" if is_named else "seen"
        right = rows.rows1[:, 2 * len(rows.classes) :]
        is_weighted = self.average == "weighted" and bool(right.any())
        return ClassAverage(over, self.numerator, self.denominator, self.without, is_weighted)

    def _check_binary(self, name: str, distinct: list[int], labels: list[Any] | None) -> None:
        """Raise InputError unless the distinct labels of a column, coded, are 0 or 1, or bools."""
        spelled = distinct if labels is None else [labels[k] for k in distinct]
        other = next((label for label in spelled if label not in (0, 1)), None)
        if other is not None:
            missing, others = self.one_label
            raise InputError(
                *(Name("pos_label"), " is missing: ", missing, " is 1 where all labels are 0 or "),
                *("1, but ", Name(name), " holds ", describe(other)),
                remedy=Parts("Say which label counts, ", Setting("pos_label", "..."), others),
            )

    def _share(self, numerator: int, denominator: int) -> Fraction:
        """Return the score of an example."""
        return Fraction(numerator, denominator) if denominator else self.without


class Precision(LabelScore):
    """Correct / predicted, of chosen labels, as in scikit-learn.

    A label is correct if predictions and references have it. The options are those of `F1`.

    Reported as a share; higher is better. p is exact (two sums): 30 ms for a million examples.
    Macro and weighted averages of more than two classes, or of sets, are exact up to 10^7 sums,
    then sampled.
    """

    name = "precision"
    denominator = (0, 1, 0)


class Recall(LabelScore):
    """Correct / right, of chosen labels, as in scikit-learn.

    Right labels are those of the references. The options are those of `F1`.

    Reported as a share; higher is better. p is exact (one sum, since swaps keep the right labels):
    6 ms for a million examples. The macro average of more than two classes may be bounded by an
    interval instead.
    """

    name = "recall"
    denominator = (0, 0, 1)
    by_class = ("macro",)  # the weighted mean equals the recall of all labels together


class F1(LabelScore):
    """2 correct / (predicted + right), of chosen labels, as in scikit-learn.

    This is the harmonic mean of precision and recall. Right labels are those of the references.

    Reported as a share; higher is better. p is exact (two sums): 30 ms for a million examples.
    Macro and weighted averages of more than two classes, or of sets, are exact up to 10^7 sums,
    then sampled.

    Parameters
    ----------
    average : {"binary", "micro", "macro", "weighted", "samples"}
        "binary" counts one label, "micro" all labels together. "macro" and "weighted" average the
        scores of the classes, "samples" those of examples with sets. `LabelScore` has the details.
    pos_label : int, str or None
        The label that counts with "binary"; None is 1 if all labels are 0 or 1.
    labels : collection of labels or None
        The labels that count with other averages; None for all.
    zero_division : float
        The score where the denominator is 0, from 0 to 1.
    multilabel : bool
        Whether each example has a set of labels. The set is swapped as a whole.
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large, small = ["a", "b", "b", "b"], ["a", "b", "b", "a"], ["b", "b", "a", "a"]
    >>> result = compare(large, small, right, metric="f1", pos_label="b")
    >>> result.score1, result.score2, result.pvalue
    (0.8, 0.4, 0.5)
    """

    name = "f1"
    words = "F1"
    numerator = (2, 0, 0)
    denominator = (0, 1, 1)


class Jaccard(LabelScore):
    """Correct / (predicted + right - correct), of chosen labels, as in scikit-learn.

    Right labels are those of the references. The options are those of `F1`.

    Reported as a share; higher is better. p is exact (two sums): 30 ms for a million examples.
    Macro and weighted averages of more than two classes, or of sets, are exact up to 10^7 sums,
    then sampled.
    """

    name = "jaccard"
    words = "Jaccard index"
    aliases = ("iou",)
    denominator = (-1, 1, 1)


def _read_selected(
    average: str, pos_label: Any, labels: Any, multilabel: bool
) -> tuple[Hashable, ...] | None:
    """Return the labels that count; None for all, or with "binary" for 1 among 0 and 1."""
    if average == "binary":
        if labels is not None:
            raise InputError(
                *(Name("labels"), " is for ", _OF_ALL),
                got=Parts(describe(labels), " with ", _BINARY, ", which counts one label"),
                remedy=Parts(
                    "Name it, ", Setting("pos_label", "..."), ", or choose another average"
                ),
            )
        if pos_label is None and multilabel:
            raise InputError(
                *(Name("pos_label"), " is missing: with ", Setting("multilabel", "True"), " and "),
                *(_BINARY, " say which label counts"),
                remedy=Parts("All do with ", _OF_ALL),
            )
        return None if pos_label is None else (read_label("pos_label", pos_label),)
    if pos_label is not None:
        raise InputError(
            *(Name("pos_label"), " is for ", _BINARY),
            got=Parts(describe(pos_label), " with ", Setting("average", repr(average))),
            remedy=(
                Advice("For one label: ", Setting("labels", f"[{shown(pos_label)}]")),
                Python("", "Or give only one of the two"),
            ),
        )
    return read_selected(labels)


def read_selected(labels: Any) -> tuple[Hashable, ...] | None:
    """Return the labels that the option `labels` selects, in one order; None for all."""
    return None if labels is None else tuple(sorted({*listed_labels(labels)}, key=repr))


def listed_labels(labels: Any) -> list[Hashable]:
    """Return the labels that the option `labels` lists, as they stand there.

    Raises
    ------
    InputError
        If it is no collection of labels, or empty.
    """
    is_listed = isinstance(labels, Sized) and not isinstance(labels, (str, bytes, Mapping))
    if not is_listed or (isinstance(labels, np.ndarray) and labels.ndim != 1):
        raise InputError(
            Name("labels"),
            must="be a list of the labels that count, such as ['a']",
            got=describe(labels),
        )
    values = list(labels if isinstance(labels, Set) else materialise("labels", labels))
    if not values:
        remedy = "name the labels that count, or leave it out for all"
        raise InputError(Name("labels"), " is empty", remedy=remedy)
    return [read_label("labels", x, k) for k, x in enumerate(values)]
