"""Scores of labels: accuracy, precision, recall, F-scores, the Jaccard index and others.

As in scikit-learn: of labels, of sequences of labels, or of sets of labels.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Set, Sized
from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import eq
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import IntArray
from pairedperm.errors import InputError, describe, shown
from pairedperm.inputs.columns import materialise, read_label
from pairedperm.inputs.labels import Columns, Labels
from pairedperm.options import Interval, printed_fraction
from pairedperm.scoring.classes import (
    ClassAverage,
    coded,
    count_classes,
    counted_early,
    right_labels,
)
from pairedperm.scoring.metric import Average, CountsLabels, LabelMetric
from pairedperm.scoring.rows import CACHED_ROWS, LEAST, Rows, check_some_right, repeated
from pairedperm.scoring.scores import Mean, MeanOfRatios, Null, Ratio, Score, ZeroDivision
from pairedperm.scoring.vocabulary import labels_to_check

CountWeights = tuple[int, int, int]  # of correct, predicted and right labels
_BINARY = "average='binary'"
_OF_ALL = "average='micro' or 'macro'"
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
    one_label: ClassVar[tuple[str, str]] = (
        f"with {_BINARY} it",
        f", or count all, {_OF_ALL}",
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
                "average",
                "is 'samples', which averages over examples with sets of labels",
                remedy="give sets with multilabel=True, or choose another average, such as 'micro'",
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
                "pos_label",
                f"is missing: {missing} is 1 where all labels are 0 or 1, but `{name}` holds "
                f"{describe(other)}",
                remedy=f"Say which label counts, pos_label=...{others}",
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
                "labels",
                f"is for {_OF_ALL}",
                got=f"{describe(labels)} with {_BINARY}, which counts one label",
                remedy="Name it, pos_label=..., or choose another average",
            )
        if pos_label is None and multilabel:
            raise InputError(
                "pos_label",
                f"is missing: with multilabel=True and {_BINARY} say which label counts",
                remedy=f"All do with {_OF_ALL}",
            )
        return None if pos_label is None else (read_label("pos_label", pos_label),)
    if pos_label is not None:
        raise InputError(
            "pos_label",
            f"is for {_BINARY}",
            got=f"{describe(pos_label)} with average={average!r}",
            remedy=(f"For one label: labels=[{shown(pos_label)}]", ""),
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
            "labels", must="be a list of the labels that count, such as ['a']", got=describe(labels)
        )
    values = list(labels if isinstance(labels, Set) else materialise("labels", labels))
    if not values:
        remedy = "name the labels that count, or leave it out for all"
        raise InputError("labels", "is empty", remedy=remedy)
    return [read_label("labels", x, k) for k, x in enumerate(values)]


_LARGEST_TERM = 1000  # tuned: numerator and denominator of beta


@dataclass(frozen=True, kw_only=True, repr=False)
class FBeta(LabelScore):
    """(1 + beta^2) correct / (beta^2 right + predicted), of chosen labels, as in scikit-learn.

    Right labels are those of the references.

    Reported as a share; higher is better. p is exact (two sums): 30 ms for a million examples.
    Macro and weighted averages of more than two classes, or of sets, are exact up to 10^7 sums,
    then sampled.

    Parameters
    ----------
    beta : float
        The weight of recall relative to precision: a ratio of integers up to 1000, such as 0.5 or
        2.
    average, pos_label, labels, zero_division, multilabel, ignore_label
        See `F1`.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, one, two = [1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1]
    >>> result = compare(one, two, right, metric="fbeta", beta=2)
    >>> round(result.score1, 4), round(result.score2, 4)
    (0.7143, 0.3571)
    """

    name = "fbeta"
    words = "F-beta"
    beta: Annotated[float, Interval(0.0, _LARGEST_TERM, is_exact=True)]
    ratio: Fraction = field(init=False, compare=False)

    def following(self) -> dict[str, Any]:
        ratio = _read_beta(self.beta)
        beta = int(ratio) if ratio.denominator == 1 else float(ratio)
        return super().following() | {"ratio": ratio, "beta": beta}

    @property
    def in_words(self) -> str:
        return super().in_words.replace("F-beta", f"F{self.beta}")

    @property
    def numerator(self) -> CountWeights:  # type: ignore[override]
        """The weight of correct labels, a + b, where beta² = a / b."""
        return self.ratio.numerator**2 + self.ratio.denominator**2, 0, 0

    @property
    def denominator(self) -> CountWeights:  # type: ignore[override]
        """The weights of predicted labels, b, and of right labels, a."""
        return 0, self.ratio.denominator**2, self.ratio.numerator**2


def _read_beta(beta: Any) -> Fraction:
    value = float(str(beta)) if isinstance(beta, np.floating) else float(beta)  # as it prints
    fraction = Fraction(value).limit_denominator(_LARGEST_TERM)
    if float(fraction) != value:
        raise InputError(
            "beta",
            must=f"be a ratio of integers up to {_LARGEST_TERM}, such as 0.5, 2 or 1/3",
            got=describe(beta),
            remedy="the test counts in integers",
        )
    return fraction


class Accuracy(LabelMetric):
    """Correct labels / all labels.

    If examples are sequences, a swap moves the whole sequence, since its labels are not
    independent.

    Reported as a share; higher is better. p is exact (one sum): 3 ms for a million examples.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large, small = ["a", "b", "b", "b"], ["a", "b", "b", "a"], ["b", "b", "a", "a"]
    >>> result = compare(large, small, right)
    >>> result.score1, result.score2, result.pvalue
    (0.75, 0.25, 0.5)
    """

    name = "accuracy"
    aliases = ("acc",)

    def count(self, columns: Columns) -> Rows:
        """Return correct labels; for sequences rows (correct, all)."""
        references = columns[2]
        if references.lengths is None:
            return _counted_hits(columns)
        rows = []
        for predictions in columns[:2]:
            correct = references.sums(_equal(predictions, references))
            rows.append(np.array((correct, references.lengths)).T)
        return Rows(rows[0], rows[1])

    def score(self, rows: Rows) -> Score:
        """Return correct / all."""
        return share_of_labels(rows)


class ExactMatch(LabelMetric):
    """Examples that are right as a whole / all examples.

    A sequence of another length than its reference is wrong.

    Reported as a share; higher is better. p is exact (one sum): 3 ms for a million examples.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large = [["A", "B"], ["B"]], [["A", "B"], ["B"]]
    >>> result = compare(large, [["A", "A"], ["B"]], right, "exact_match")
    >>> result.score1, result.score2, result.pvalue
    (1.0, 0.5, 1.0)
    """

    name = "exact_match"
    aliases = ("em",)
    may_be_text = True

    def count(self, columns: Columns) -> Rows:
        """Return 1 for each example that is right, else 0."""
        if columns[2].lengths is None:
            return _counted_hits(columns)
        one, two = (_exact_matches(x, columns[2]) for x in columns[:2])
        return Rows(one, two)


class BalancedAccuracy(LabelMetric):
    """The mean of the recalls of all classes that the references have, as in scikit-learn.

    Reported as a share; higher is better. p is exact (two sums) for two classes: 0.2 s for a
    million examples. For more classes it is exact (one sum), or bounded by an interval if the class
    sizes have no small common multiple.

    Parameters
    ----------
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right, large, small = ["a", "b", "b", "b"], ["a", "b", "b", "a"], ["b", "b", "a", "a"]
    >>> result = compare(large, small, right, "balanced_accuracy")
    >>> result.score1, result.score2, result.pvalue
    (0.8333333333333333, 0.16666666666666666, 0.5)
    """

    name = "balanced_accuracy"
    aliases = ("bacc", "uar")

    def count(self, columns: Columns) -> Rows:
        """Return the numbers of labels (correct, predicted, right) of each class."""
        return count_classes(columns)

    def score(self, rows: Rows) -> Score:
        """Return the mean of the classes' recalls."""
        check_some_right(rows)
        return ClassAverage("right", (1, 0, 0), (0, 0, 1), Fraction(0))


def share_of_labels(rows: Rows) -> Score:
    """Return the score of 1 or 0 for each example, or of rows (some of the labels, all labels)."""
    if rows.rows1.ndim == 1:
        return Mean()
    check_some_right(rows)
    return Ratio((1, 0), (0, 1))


def _counted_hits(columns: Columns) -> Rows:
    """Return 1 for each example whose label is right, else 0; many examples are counted at once."""
    n, of_first, of_second, of_both = len(columns[2].flat), 0, 0, 0
    if n < LEAST or columns[2].in_order:
        hit1, hit2 = _equal(columns[0], columns[2]), _equal(columns[1], columns[2])
        return Rows(hit1.astype(np.int64), hit2.astype(np.int64))
    for start in range(0, n, CACHED_ROWS):
        one, two, right = columns
        if n > CACHED_ROWS:
            one, two, right = (
                replace(x, flat=x.flat[start : start + CACHED_ROWS]) for x in columns
            )
        hit1, hit2 = _equal(one, right), _equal(two, right)
        of_first += int(np.count_nonzero(hit1))
        of_second += int(np.count_nonzero(hit2))
        of_both += int(np.count_nonzero(hit1 & hit2))
    others = n - of_first - of_second + of_both, of_second - of_both, of_first - of_both
    how_often = np.array((*others, of_both), dtype=np.int64)
    there = np.flatnonzero(how_often)  # index: 2 · right of system 1 + right of system 2
    return Rows(there >> 1, there & 1, how_often[there])


def _exact_matches(predictions: Labels, references: Labels) -> IntArray:
    """Return 1 for each sequence that is right as a whole, else 0, shape (n,).

    A sequence of another length than its reference is not right.
    """
    same_length = np.asarray(predictions.lengths == references.lengths)
    given, right = (x.where(x.spread(same_length)) for x in (predictions, references))
    all_agree = right.sums(_equal(given, right)) == right.lengths
    return np.asarray(same_length & all_agree, dtype=np.int64)


def _equal(one: Labels, other: Labels) -> NDArray[np.bool_]:
    """Return which labels are the same."""
    if one.names is other.names and not (
        isinstance(one.flat, list) or isinstance(other.flat, list)
    ):
        return np.asarray(one.flat == other.flat)
    # Compare strings one by one: an array of them would be as wide as the longest string.
    return np.fromiter(map(eq, one.spelled, other.spelled), dtype=np.bool_, count=len(one.flat))


@dataclass(frozen=True, kw_only=True, repr=False)
class HammingLoss(LabelMetric):
    """Wrong labels / all labels; for sets, labels in only one of both / (examples · all labels).

    The value is that of scikit-learn; for sets, that for their indicator matrices.

    Reported as a share; lower is better. p is exact (one sum): 7 ms for a million examples, 0.8 s
    for sets.

    Parameters
    ----------
    multilabel : bool
        Whether each example has a set of labels, given as a set or a list.
    labels : collection of labels or None
        With multilabel=True, the labels that count; None for all that occur in any column.
        Resamples keep the number of labels.
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [{"news"}, {"news", "sport"}, set()]
    >>> one, two = [{"news"}, {"sport"}, set()], [{"news"}, {"sport"}, {"sport"}]
    >>> result = compare(one, two, right, metric="hamming_loss", multilabel=True)
    >>> result.score1, result.score2
    (0.16666666666666666, 0.3333333333333333)
    """

    name = "hamming_loss"
    words = "Hamming loss"
    aliases = ("hamming",)
    lower_is_better = True
    multilabel: bool = False
    labels: Collection[int | str] | None = None

    def following(self) -> dict[str, Any]:
        labels = read_selected(self.labels)
        if labels is not None and not self.multilabel:
            raise InputError(
                "labels",
                "names the labels that sets may have",
                remedy="give sets, with multilabel=True, or leave it out",
            )
        return {"has_sets": self.multilabel, "labels": labels, "selected": labels}

    @property
    def in_words(self) -> str:
        if self.labels is None:
            return self.words
        return f"{self.words} for labels {', '.join(map(shown, self.labels))}"

    def count(self, columns: Columns) -> Rows:
        """Return wrong labels; for sequences (wrong, all); for sets the numbers of each class."""
        if self.has_sets:
            return count_classes(columns, self.selected, sets=self.has_sets, options=("labels",))
        codes, _, _ = coded(columns)
        references, to_check = columns[2], labels_to_check(columns, (), sets=False)
        # rows of bits score as matrices of them do
        to_check = to_check and to_check._replace(one_hot=0)
        one, two = (references.sums(~x) for x in right_labels(columns, codes, sets=False))
        if references.lengths is not None:
            one, two = (np.array((x, references.lengths)).T for x in (one, two))
        return Rows(one, two).noting(to_check=to_check)

    def score(self, rows: Rows) -> Score:
        """Return wrong / all."""
        if self.has_sets:
            return _OfSets()
        return share_of_labels(rows)


class _OfSets(Score):
    """The share of wrong labels of sets, from rows (correct, predicted, right) of each label."""

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return a mean, since the number of labels is the same in all examples."""
        n_labels = len(rows.classes) or 1  # without any nothing is wrong
        parts = (np.hsplit(x, 3) for x in (rows.rows1, rows.rows2))
        one, two = (
            predicted.sum(axis=1) + right.sum(axis=1) - 2 * correct.sum(axis=1)
            for correct, predicted, right in parts
        )
        return Mean(n_labels).simplify(rows.having(rows1=one, rows2=two), null)


@dataclass(frozen=True, kw_only=True, repr=False)
class Specificity(LabelScore):
    """True negatives / (true negatives + false positives) of the label `pos_label`.

    For two classes this is scikit-learn's recall of the other class.

    Reported as a share; higher is better. p is exact (one sum, since swaps keep the right labels):
    6 ms for a million examples.

    Parameters
    ----------
    pos_label : int, str or None
        The label that counts as positive; all others are negative. None is 1 if all labels are 0 or
        1.
    zero_division : float
        The score where no right label is negative, from 0 to 1.
    multilabel : bool
        Whether each example has a set of labels. A set is negative if it lacks `pos_label`.
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = ["ill", "well", "well", "well"]
    >>> one, two = ["ill", "well", "well", "well"], ["well", "ill", "well", "ill"]
    >>> result = compare(one, two, right, metric="specificity", pos_label="ill")
    >>> result.score1, result.score2
    (1.0, 0.3333333333333333)
    """

    name = "specificity"
    aliases = ("tnr", "selectivity")
    one_label = "it", ""
    average: Average = field(init=False, default="binary")
    labels: Collection[int | str] | None = field(init=False, default=None)

    def following(self) -> dict[str, Any]:
        if self.pos_label is None and self.multilabel:
            raise InputError(
                "pos_label", "is missing: with multilabel=True say which label is positive"
            )
        return super().following()

    def count(self, columns: Columns) -> Rows:
        """Return true negatives, and all negatives of the references."""
        rows = super().count(columns)
        lengths = None if self.has_sets else columns[2].lengths
        n_labels: Any = 1 if lengths is None else lengths
        negatives = []
        for correct, predicted, right in (rows.rows1.T, rows.rows2.T):
            n_right = n_labels - right
            negatives.append(np.array((n_right - predicted + correct, n_right)).T)
        to_check = labels_to_check(columns, self.selected or (), sets=self.has_sets)
        return repeated(negatives[0], negatives[1], rows.multiplicities).noting(to_check=to_check)

    def score(self, rows: Rows) -> Score:
        """Return the share of all negative labels that are predicted so."""
        return Ratio((1, 0), (0, 1), zero_division=self.without)


class SubsetAccuracy(CountsLabels):
    """Examples whose set of labels is right as a whole / all examples.

    This is scikit-learn's `accuracy_score` of indicator matrices, and 1 minus its `zero_one_loss`.
    Each example has a set or a list of labels.

    Reported as a share; higher is better. p is exact (one sum): 0.2 s for a million examples.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [{"news"}, {"news", "sport"}, set()]
    >>> one, two = [{"news"}, {"sport"}, set()], [{"news"}, {"sport"}, {"sport"}]
    >>> result = compare(one, two, right, metric="subset_accuracy")
    >>> result.score1, result.score2
    (0.6666666666666666, 0.3333333333333333)
    """

    name = "subset_accuracy"
    has_sets = True

    def count(self, columns: Columns) -> Rows:
        """Return 1 for each set that is right, else 0."""
        codes, _, _ = coded(columns)
        rows = []
        for column, right in zip(columns, right_labels(columns, codes, sets=True), strict=False):
            n_right = column.sums(right)
            is_right = (n_right == column.lengths) & (n_right == columns[2].lengths)
            rows.append(is_right.astype(np.int64))
        return Rows(rows[0], rows[1])

    def is_right_or_wrong(self, rows: Rows) -> bool:
        return True
