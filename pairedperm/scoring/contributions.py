"""Metrics: what each example contributes to the score of each system, in integers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.inputs.labels import Labels
from pairedperm.scoring.class_counts import count_classes
from pairedperm.scoring.counts import of_units
from pairedperm.scoring.label_counts import LabelCounts, count_labels
from pairedperm.scoring.matching import exact_matches, matches
from pairedperm.scoring.metric import MetricSpec
from pairedperm.scoring.spans import span_counts
from pairedperm.scoring.tally import Tally, added

__all__ = ["Contributions", "contributions", "join_contributions", "tallied"]

IntArray = NDArray[np.int64]


class Contributions(NamedTuple):
    """What is summed over the examples, as rows of shape (n,) or (n, 2).

    A system's score is Σ rows / Σ sizes where both have the same denominator, otherwise
    Σ rows[:, 0] / (Σ sizes + Σ rows[:, 1]). `sizes`, shape (n,), are what both have of it in each
    example, an integer if that is the same for all. Those of a part of a corpus may have the
    denominator 0. `seen` are those of the labels that the metric selects that occur.
    """

    rows1: IntArray
    rows2: IntArray
    sizes: IntArray | int
    seen: frozenset[Hashable] = frozenset()

    @property
    def shared(self) -> int:
        """Σ sizes: what no swap changes."""
        if isinstance(self.sizes, int):
            return self.sizes * len(self.rows1)
        return int(self.sizes.sum())


def contributions(
    spec: MetricSpec, predictions1: Labels, predictions2: Labels, references: Labels
) -> Contributions | Tally:
    """Of each example to the metric; counted, for one that averages over classes.

    With tp labels correct, p predicted and g right ones, over the whole corpus: accuracy
    tp / g, precision tp / p, recall tp / g, F-beta (1 + β²) tp / (β² g + p), Jaccard index
    tp / (p + g - tp). No swap changes g.

    Raises
    ------
    InputError
        If the columns do not fit each other, or the metric.
    """
    columns = (predictions1, predictions2, references)
    if spec.name == "accuracy":
        right = matches(predictions1, references), matches(predictions2, references)
        return Contributions(*right, 1 if references.lengths is None else references.lengths)
    if spec.name == "exact_match":
        right = exact_matches(predictions1, references), exact_matches(predictions2, references)
        return Contributions(*right, 1)
    if spec.averages_classes:
        return count_classes(*columns, spec)
    if spec.name == "span_f1":
        return _f_beta(_count_spans(spec, *columns), 1, 1)
    counts = count_labels(*columns, spec)
    if spec.name == "recall":
        return Contributions(counts.correct1, counts.correct2, counts.gold, counts.seen)
    if spec.name == "precision":
        return _ratio(counts, 1, counts.predicted1, counts.predicted2, 0)
    if spec.name == "jaccard":
        others = counts.predicted1 - counts.correct1, counts.predicted2 - counts.correct2
        return _ratio(counts, 1, *others, counts.gold)
    if spec.beta is None:
        return _f_beta(counts, 1, 1)
    return _f_beta(counts, spec.beta.numerator**2, spec.beta.denominator**2)


def join_contributions(parts: Sequence[Contributions | Tally]) -> Contributions | Tally:
    """Those of a corpus from those of its parts, all of one kind."""
    tallies = [part for part in parts if isinstance(part, Tally)]
    if tallies:
        return added(tallies)
    plain = [part for part in parts if isinstance(part, Contributions)]
    sizes = [part.sizes for part in plain]
    same = sizes[0] if isinstance(sizes[0], int) else None  # of all, for all are of one kind
    return Contributions(
        np.concatenate([part.rows1 for part in plain]),
        np.concatenate([part.rows2 for part in plain]),
        np.concatenate(sizes) if same is None else same,
        frozenset().union(*(part.seen for part in plain)),
    )


def tallied(found: Contributions | Tally) -> Tally:
    """Contributions, counted, each with its whole denominator."""
    if isinstance(found, Tally):
        return found
    rows1, rows2, sizes, seen = found
    if rows1.ndim == 1 and not isinstance(sizes, int):
        rows1, rows2 = (np.stack((rows, sizes), axis=1) for rows in (rows1, rows2))
    elif rows1.ndim == 2:
        rows1, rows2 = (
            np.stack((rows[:, 0], sizes + rows[:, 1]), axis=1) for rows in (rows1, rows2)
        )
    return Tally(of_units(rows1, rows2, None, 0), seen)


def _f_beta(counts: LabelCounts, a: int, b: int) -> Contributions:
    """With β² = a / b: (a + b) tp / (a g + b p)."""
    denominators = b * counts.predicted1, b * counts.predicted2
    return _ratio(counts, a + b, *denominators, a * counts.gold)


def _ratio(
    counts: LabelCounts,
    weight: int,
    denominator1: IntArray,
    denominator2: IntArray,
    sizes: IntArray | int,
) -> Contributions:
    return Contributions(
        np.stack((weight * counts.correct1, denominator1), axis=1),
        np.stack((weight * counts.correct2, denominator2), axis=1),
        sizes,
        counts.seen,
    )


def _count_spans(
    spec: MetricSpec, predictions1: Labels, predictions2: Labels, references: Labels
) -> LabelCounts:
    selected = None if spec.selected is None else list(map(str, spec.selected))
    one, two = (span_counts(p, references, selected) for p in (predictions1, predictions2))
    seen = frozenset(selected or ()) & (one.types | two.types)
    return LabelCounts(one.correct, one.predicted, two.correct, two.predicted, one.gold, seen)
