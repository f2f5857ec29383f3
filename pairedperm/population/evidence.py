"""The rows and the score that a result keeps, and what they say of the two systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError
from pairedperm.population.difference import (
    SummedRows,
    Term,
    difference_of,
    error_of_influences,
    influences,
)
from pairedperm.population.intervals import ConfidenceInterval, IntervalKind, Sample
from pairedperm.population.laws import OutcomesLaw
from pairedperm.scoring.function import Checked, Statistic
from pairedperm.scoring.merging import drawn
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metrics.given import MeanScore
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, MeanOfRatios, Ratio, Score

_NUMBERS = 2**20  # tuned: numbers of the sums that are scored in one call
_ROUNDING = 1e-12  # proof: relative to the largest score; rounding moves a difference less
_NEAR = 1e-9  # proof: scores so near to a number are that number
_FEW = 64  # tuned: scores that mostly tell that a column is not constant


class WonExamples(NamedTuple):
    """The numbers of examples that system 1 and system 2 win."""

    first: int
    second: int


@dataclass(frozen=True, eq=False)
class Evidence:
    """The rows of both systems, their score, and the metric that gave them, if one did.

    `largest_group` is the largest size that a group may have, if a caller fixed it. `intervals`
    keeps those that were computed, by level, seed and kind.
    """

    rows: Rows
    score: Score
    metric: Metric | None = None
    largest_group: int | None = None
    intervals: dict[tuple[float, int, str], ConfidenceInterval] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rows counted, and without the labels that occur."""
        rows = self.rows.counted().noting(to_check=None)
        return Evidence, (rows, self.score, self.metric, self.largest_group)

    @property
    def tested(self) -> tuple[Rows, Score]:
        """What a test takes."""
        return self.rows, self.score

    @property
    def bound(self) -> float:
        """The largest difference that two scores can have."""
        low, high = self.limits
        return high - low

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest score that there may be."""
        if self.is_of_0_or_1:
            return 0.0, 1.0
        return (-math.inf, math.inf) if self.metric is None else self.metric.limits

    @property
    def _are_given(self) -> bool:
        """Whether the score is the mean of given scores."""
        is_given = self.metric is None or isinstance(self.metric, MeanScore)
        return is_given and isinstance(self.score, Mean)

    @property
    def _range(self) -> tuple[float, float] | None:
        """The range of given scores that the caller knows."""
        return getattr(self.metric, "score_range", None)

    @cached_property
    def is_of_0_or_1(self) -> bool:
        """Whether all given scores are 0 or 1, which are taken for wrong and right.

        Their range is not known then. Sums over groups do not tell their scores.
        """
        rows = self.rows
        if not self._are_given or self._range is not None or rows.sizes is not None:
            return False
        return all(((x == 0) | (x == rows.unit)).all() for x in (rows.rows1, rows.rows2))

    @cached_property
    def constant(self) -> float | None:
        """The number that one column of given scores is throughout, if it may be no system's.

        A system may well be always wrong, always right, or tie with the other in all that neither
        wins. The mean of scores is an end of their known range only if all are: p is right there.
        Of two such columns it is the one that is no integer.
        """
        if not self._are_given:
            return None
        each = [_number_of(x, self.rows) for x in (self.rows.rows2, self.rows.rows1)]
        ends = 0.0, *(self._range or ())
        numbers = [x for x in each if x is not None and all(abs(x - y) > _NEAR for y in ends)]
        if not numbers or _are_steps(self.rows, 1):
            return None
        is_half = any(abs(x - 0.5) <= _NEAR for x in numbers)
        if is_half and _are_steps(self.rows, 2):
            return None
        return max(numbers, key=lambda x: x % 1.0 > 0.0)

    @property
    def range_to_give(self) -> str:
        """The range of which the doubted number would be an end; "" if it can be none."""
        number, rows = self.constant, self.rows
        is_open = isinstance(self.metric, MeanScore) and self._range is None
        if number is None or not is_open or number % 1.0 or rows.sizes is not None:
            return ""
        columns = rows.rows1 / rows.unit, rows.rows2 / rows.unit
        if number >= max(x.max() for x in columns) - _NEAR:
            return f"(…, {number:.12g})"
        return f"({number:.12g}, …)" if number <= min(x.min() for x in columns) + _NEAR else ""

    @cached_property
    def drawn(self) -> tuple[Rows, Score]:
        """The rows of examples or of groups, and the score in its form for draws."""
        return drawn(self.rows, self.score)

    @cached_property
    def standard_error(self) -> float | None:
        """The standard error of the difference, by the delta method for scores that are no means.

        None for one example or group, for a statistic, and if the score has no derivatives.
        """
        if isinstance(self.score, Statistic):
            return None
        moves = influences(*self.drawn)
        return None if moves is None else error_of_influences(moves, self.drawn[0].how_often)

    @cached_property
    def law(self) -> OutcomesLaw | None:
        """The shares of wins and losses, if all differences but 0 have one size; otherwise None."""
        rows, outcomes = self.drawn[0], self.sample.outcomes
        if outcomes is None or not rows.n_differing:
            return None
        size, wins, losses, n = outcomes
        shares, seen = (wins / rows.n, losses / rows.n), (wins, losses, rows.n)
        return OutcomesLaw(*shares, size * rows.n / n, seen, n / rows.n)

    @cached_property
    def sample(self) -> Sample:
        """The rows that were drawn, and what the metric says of their scores."""
        is_mean = _is_mean(self.score)
        is_known = is_mean and self.metric is not None and self.metric.is_right_or_wrong(self.rows)
        return Sample(
            *(*self.drawn, self.bound, is_mean, is_known, self.is_of_0_or_1),
            largest_group=self.largest_group,
        )

    def check_largest_group(self) -> None:
        """Raise InputError if the largest size of a group is given, and too small or of no use."""
        if self.largest_group is None:
            return
        simple, name = self.sample.simple, "`largest_group`"
        if not self.sample.has_range or not isinstance(simple, Mean):
            raise InputError(
                f"{name} is for the guaranteed interval, of the mean of scores in a known range",
                remedy="Leave it out, or give `score_range` of metric 'mean_score'",
            )
        largest = 1 if simple.sizes is None else int(simple.sizes.max())
        if largest > self.largest_group:
            raise InputError(
                name,
                must="be the largest size that a group may have",
                got=f"{self.largest_group:,}",
                remedy=f"one that was drawn has the size {largest:,}",
            )

    def interval(
        self, confidence_level: float, seed: int = 0, kind: IntervalKind = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of the difference in the population, see `Sample.interval`."""
        key = confidence_level, seed, kind
        if key not in self.intervals:
            self.intervals[key] = self.sample.interval(*key)
        return self.intervals[key]

    @cached_property
    def won(self) -> WonExamples | None:
        """The numbers of examples that each system wins, the rest are ties; None for groups' sums.

        A system wins an example if swapping the example would make the difference worse for it. For
        a mean this is a better score on the example. For other scores it depends on all examples.
        """
        if self.rows.sizes is not None:
            return None
        alone = self
        if self.rows.groups is not None:
            alone = replace(self, rows=self.rows.having(groups=None))
        signs, counts = leads(*alone.drawn, self.metric), alone.drawn[0].how_often
        return WonExamples(int(counts[signs > 0].sum()), int(counts[signs < 0].sum()))


def _number_of(column: NDArray[Any], rows: Rows) -> float | None:
    """Return the number that all scores of a column are; None if they differ."""
    low = high = 0.0
    for n in (_FEW, len(column)):
        scores = column[:n] / (rows.unit if rows.sizes is None else rows.unit * rows.sizes[:n])
        low, high = float(scores.min()), float(scores.max())
        if high - low > 2.0 * _NEAR:
            return None
    return low + (high - low) / 2.0


def _are_steps(rows: Rows, n: int) -> bool:
    """Tell whether all scores are among 0, 1/n … 1; sums of scores, whether they may."""
    sizes = 1 if rows.sizes is None else rows.sizes
    for sums in (rows.rows1 / rows.unit, rows.rows2 / rows.unit):
        whole = np.rint(n * sums)
        is_step = (np.abs(n * sums - whole) <= _NEAR) & (whole >= 0) & (whole <= n * sizes)
        if not is_step.all():
            return False
    return True


def _is_mean(score: Score) -> bool:
    """Tell whether a metric's score is a mean over examples, or labels, that the references fix.

    The rows of labels are (correct, predicted, right): if predictions are in the denominator, both
    systems may have the same one only by chance.
    """
    if isinstance(score, Ratio):
        return len(score.denominator) < 3 or not any(score.denominator[:2])
    return isinstance(score, (Mean, MeanOfRatios))


def leads(rows: Rows, simple: Score, metric: Metric | None) -> IntArray:
    """Return who wins each row: 1 for system 1, -1 for system 2, 0 for a tie.

    The score is in its form for draws.
    """
    if isinstance(simple, Mean):
        more, less = rows.rows1 > rows.rows2, rows.rows1 < rows.rows2
    else:
        changes = _changes(rows, simple)
        more, less = changes < 0.0, changes > 0.0
    signs = more.astype(np.int64) - less
    return -signs if metric is not None and metric.lower_is_better else signs


def _changes(rows: Rows, score: Any) -> FloatArray:
    """Return the change of the difference if a row is swapped; 0 if it is mere rounding."""
    one, two = (np.asarray(x, dtype=np.float64) for x in rows.tables)
    if isinstance(score, Statistic):
        sums, moves = np.asarray(rows.how_often @ one, dtype=np.float64), two - one
        checked = Checked(score, rows, sums[None], "swaps", rows.unit)
        terms: Sequence[Term] = [Term(checked, np.s_[:], 1.0)]
    else:
        summed = SummedRows.of(rows, score)
        sums = np.asarray(rows.how_often @ summed.table, dtype=np.float64)
        terms, moves = summed.terms, np.concatenate((two - one, one - two), axis=1)
    changes = np.zeros(len(one))
    differs = np.flatnonzero(moves.any(axis=1))
    observed = difference_of(terms, sums[None])[0]
    largest = max(float(np.abs(score(sums[None, columns])).max()) for score, columns, _ in terms)
    n_rows = max(_NUMBERS // moves.shape[1], 1)
    for start in range(0, differs.size, n_rows):
        some = differs[start : start + n_rows]
        changes[some] = difference_of(terms, sums + moves[some]) - observed
    is_rounding = np.abs(changes) <= _ROUNDING * max(largest, abs(observed))
    return np.where(is_rounding, 0.0, changes)


def without_rows(what: str) -> InputError:
    """Return the error for a request that needs the rows, which a result does not keep."""
    return InputError(
        f"this result keeps no rows of its own, and so there is no {what}",
        remedy="Compare two systems by themselves, on one task, by a score of sums over examples",
    )
