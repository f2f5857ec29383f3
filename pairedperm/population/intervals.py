"""The confidence intervals of a difference in the population, and which of them a score has.

- "exact": wins, losses and ties of one known size (`shares`). It keeps its level for every
  number of examples, and never contradicts p.
- "guaranteed": the mean of scores of a known range [1]_ [2]_. It keeps its level too, for any
  law within the range, and is wider. Groups must have one size, or a known largest one.
- "studentised bootstrap": any other score (`studentised`). It is asymptotic.
- "differing share": no example differs, and the score is of another kind.

Which of them is used without a name depends on the metric. Given scores are right or wrong if all
are at the ends of a range that the caller knows, or are 0 or 1 where no range is known; a score
between them counts as a coin that says which end, so that the exact interval then errs in no more
than α of all samples.

The guaranteed interval of a mean of differences within a known range, from counts
----------------------------------------------------------------------------------
Each of G examples or groups has a sum of differences d_g over n_g examples. All differences lie in
[-R, R], and Δ is their mean in the population. Somebody bets against Δ that the mean is larger,
with the share c of the capital at each group. No group has more than N examples. The wealth is

    K(Δ) = mean over bets c of Π_g (1 + c (d_g - Δ n_g) / (N (R + Δ))).

Why it is valid. As d_g ≥ -R n_g, a factor is at least 1 - c > 0. Let Δ be the true mean,
Σ E d_g / Σ E n_g. Groups are independent; their laws may differ. The factors' expectations have the
mean 1. By the inequality of means their product is at most 1, so E K(Δ) ≤ 1, and by Markov's
inequality K(Δ) reaches 2 / α with a probability of at most α / 2. The bets depend on G and α alone,
not on the data.

Why N must be known. The expectations are of a factor with this N. The largest size that was drawn
is no such N: it is smaller just where the large groups, which may all be losses, were not drawn.
So N is the size of all groups, where all have one, or a limit that was fixed beforehand. Some may
have the size 0: their factor is 1, and the others are as many as they are.

Why it is an interval. The derivative of (d - Δ n) / (R + Δ) is -(d + R n) / (R + Δ)² ≤ 0. So K
falls in Δ, and K(R) ≤ 1. The Δ with K(Δ) < 2 / α lie above one number, the lower limit. The upper
limit is minus the lower one of -d. No factor depends on the order, so merged counts suffice.

Rounding. A limit is where K is 2 / α plus a bound of its rounding error, on the outer side.
Distinct differences are sorted first, so that any order gives the same bits.

The weighted average of the scores of several tasks in the population
---------------------------------------------------------------------
Task t has the weight w_t; the weights sum to 1. Its examples, or groups, g have the summed
differences d_g over n_g examples, and n_t = Σ n_g. The average is Δ = Σ_t w_t Σ_g E d_g / n_t, for
these tasks and these sizes.

Why the guaranteed interval holds. With a_g = w_t / n_t for the task t of g, Δ = Σ a_g E d_g and
Σ a_g n_g = 1, over the groups of all tasks. So Δ is the mean of groups with the sums a_g d_g and
the sizes a_g n_g, each sum within R times its size. The proof above asks for independent
groups, whose laws may differ, and for sizes that are known beforehand, which need not be whole. So
all groups of a task must have one size. Were sizes drawn too, n_t would depend on them, and a limit
of each size would not do. The factors are

    1 + c a_g (d_g - Δ n_g) / (max a_g n_g (R + Δ)).

They are at least 1 - c, and their expectations have the mean 1. R is the largest range of a task.
Groups with examples in several tasks are not independent parts, and have no such interval here.

A negative weight turns the scores of its task: above, d_g is turned, and w_t is the size of the
weight.

If all tasks are right and wrong, and a_g is the same for all examples, such as with weights by
size, the average is that of one list of wins, losses and ties. It has the exact interval of these
(`shares`), and p is that of their sign test. The chances of a win may differ by task: then
the number of wins varies less than a binomial one.

Other scores have a studentised bootstrap, whose resamples draw the examples within each task. It is
asymptotic.

References
----------
.. [1] I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting",
   Journal of the Royal Statistical Society B 86, 2024.
.. [2] J. J. Ryu, A. Bhatt, "On confidence sequences for bounded random processes via universal
   gambling strategies", 2022.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.convolution.root import crossing
from pairedperm.errors import InputError, NoIntervalError
from pairedperm.options import printed_fraction
from pairedperm.population.difference import (
    SummedRows,
    differences_of,
    error_of_influences,
    influences,
)
from pairedperm.population.shares import (
    exact_interval,
    fewest_without_loss,
)
from pairedperm.population.studentised import (
    intervals_of_means,
    studentised_interval,
)
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score, check_sums, simplified

IntervalKind = Literal["auto", "exact", "guaranteed", "studentised bootstrap"]
EXACT_INTERVAL, GUARANTEED = "exact", "guaranteed"  # methods of an interval
BOOTSTRAP, SHARE, PERCENTILE = "studentised bootstrap", "differing share", "percentile"
EXTENDED = BOOTSTRAP, GUARANTEED  # to contain 0 where p does not exclude it
FEWEST_DIFFERING = 30  # tuned: from here on a bootstrap keeps 95 % by 2 %, if sizes are alike
MOST_MEASURED = 0.99  # tuned: up to this level it was measured what a bootstrap keeps
_SAME = 1e-12  # proof: relative to the largest score; rounding moves differences less


def is_doubtful(method: str, n_differing: int, confidence_level: float) -> bool:
    """Tell whether an asymptotic interval is beyond where it was measured."""
    is_beyond = n_differing < FEWEST_DIFFERING or confidence_level > MOST_MEASURED
    return method in (BOOTSTRAP, SHARE) and is_beyond


class _Ends(NamedTuple):
    low: float
    high: float


class ConfidenceInterval(_Ends):
    """A confidence interval (low, high), and its method.

    Attributes
    ----------
    low, high : float
        Both ends, in units of the score.
    method : str
        "exact", "guaranteed", "studentised bootstrap" or "differing share"; of a bootstrap test
        "percentile".
    of_0_or_1 : bool
        Whether it holds if scores are 0 or 1, which is taken for right and wrong since all are.
    """

    method: str = ""
    of_0_or_1: bool = False

    def __new__(
        cls, low: float, high: float, method: str = "", of_0_or_1: bool = False
    ) -> ConfidenceInterval:
        """Make an interval of the two ends."""
        interval = super().__new__(cls, low, high)
        interval.method, interval.of_0_or_1 = method, of_0_or_1
        return interval

    def __repr__(self) -> str:
        return f"ConfidenceInterval(low={self.low!r}, high={self.high!r}, method={self.method!r})"

    @property
    def is_extended(self) -> bool:
        """Whether it was extended to contain 0, since p does not exclude 0 at this level."""
        return self.method in EXTENDED and 0.0 in self

    @property
    def includes_0(self) -> bool:
        """Whether 0 is in it; the exact one is open at an end of 0."""
        is_end = 0.0 in self and self.method != EXACT_INTERVAL
        return self.low < 0.0 < self.high or is_end

    def extended_to_0(self) -> ConfidenceInterval:
        """Return the least interval that contains this one and 0."""
        ends = min(self.low, 0.0), max(self.high, 0.0)
        return ConfidenceInterval(*ends, self.method, self.of_0_or_1)


class Outcomes(NamedTuple):
    """Examples that are wins, losses or ties of one size; n counts those with a size."""

    size: float
    wins: int
    losses: int
    n: int


@dataclass(frozen=True)
class Sample:
    """The rows that were drawn, and what is known of the score apart from them.

    Attributes
    ----------
    rows : Rows
        The rows of examples, or their sums over groups.
    simple : Score
        The score of two systems, no `Statistic`, simplified for draws of these rows.
    bound : float
        The largest difference that two scores can have, such as 1 for scores from 0 to 1.
    is_mean : bool
        Whether the score is a mean of examples' scores for any predictions, not only for these.
    is_right_or_wrong : bool
        Whether every example is right or wrong by what the metric is.
    is_of_0_or_1 : bool
        Whether every example is right or wrong because all given scores are 0 or 1.
    largest_group : int or None
        The largest size that a group, or a sequence, may have; None if all have one.
    """

    rows: Rows
    simple: Score
    bound: float = math.inf
    is_mean: bool = True
    is_right_or_wrong: bool = False
    is_of_0_or_1: bool = False
    largest_group: int | None = None

    @cached_property
    def own_kind(self) -> str:
        """The method of the interval that has no name."""
        if self.largest_group not in (None, 1):
            return GUARANTEED
        sizes = self.simple.sizes if isinstance(self.simple, Mean) else None
        outcomes, is_single = self.outcomes, sizes is None or sizes.max() <= 1
        is_known = is_single and (self.is_right_or_wrong or self.is_of_0_or_1)
        if outcomes and is_known and math.isclose(outcomes.size, self.bound, rel_tol=_SAME):
            return EXACT_INTERVAL
        if not self.rows.n_differing:
            return SHARE
        are_alike = outcomes is not None and outcomes.n in (outcomes.wins, outcomes.losses)
        return GUARANTEED if are_alike and self.has_guarantee else BOOTSTRAP  # none would vary

    @property
    def has_range(self) -> bool:
        """Whether the score is a mean of examples' scores in a known range."""
        return self.is_mean and isinstance(self.simple, Mean) and math.isfinite(self.bound)

    @property
    def has_guarantee(self) -> bool:
        """Whether a mean in a known range also has groups of one size, or of a known largest."""
        sizes = self.simple.sizes if isinstance(self.simple, Mean) else None
        if sizes is None or self.largest_group is not None:
            return self.has_range
        return self.has_range and not np.ptp(sizes[sizes > 0])

    @cached_property
    def outcomes(self) -> Outcomes | None:
        """The wins and losses of a mean, if all differences but 0 have one size; otherwise None.

        If examples, or groups, have sizes, these must be equal or 0. Only examples with a size are
        counted. If no example differs, the size is the largest that there can be.
        """
        rows, simple = self.rows, self.simple
        if not isinstance(simple, Mean):
            return None
        differences, counts = differences_of(rows), rows.how_often
        sizes = np.ones(1, dtype=np.int64) if simple.sizes is None else simple.sizes
        has_size = np.broadcast_to(sizes > 0, differences.shape)
        differs = differences != 0.0
        if np.ptp(sizes[sizes > 0]) or differences[~has_size].any():
            return None
        numbers = (counts[x].sum() for x in (differences > 0.0, differences < 0.0, has_size))
        wins, losses, n = map(int, numbers)
        if not differs.any():
            return Outcomes(self.bound, 0, 0, n) if math.isfinite(self.bound) else None
        of_differing = np.abs(differences[differs])
        rounding = 0.0
        if rows.no_lattice:
            rounding = _SAME * max(np.abs(x[differs]).max() for x in (rows.rows1, rows.rows2))
        if np.ptp(of_differing) > rounding:
            return None
        unit = float(sizes.max()) * simple.unit
        return Outcomes(float(of_differing.max()) / unit, wins, losses, n)

    @property
    def _kinds(self) -> tuple[str, ...]:
        """The methods that one may ask for."""
        is_of_one_size = self.outcomes is not None and self.largest_group in (None, 1)
        of_outcomes = (EXACT_INTERVAL,) if is_of_one_size else ()
        of_range = (GUARANTEED,) if self.has_guarantee else ()
        return (BOOTSTRAP, *of_outcomes, *of_range)

    def interval(
        self, confidence_level: float, seed: int = 0, kind: str = "auto"
    ) -> ConfidenceInterval:
        """Return the interval of the difference in the population that the examples are drawn from.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.
        seed : int
            The seed of the resamples of a studentised bootstrap.
        kind : {"auto", "exact", "guaranteed", "studentised bootstrap"}
            The method; "auto" is `own_kind`.

        Returns
        -------
        ConfidenceInterval

        Raises
        ------
        InputError
            If there is only one example. If the score has no interval of this kind. If scores are
            beyond floats. If a function gives no finite number for some resamples.
        """
        if self.rows.n < 2:
            raise too_few_examples()
        method = self.own_kind if kind == "auto" else kind
        if kind not in ("auto", *self._kinds):
            raise InputError(
                "kind",
                must=f"be one of {', '.join(map(repr, ('auto', *self._kinds)))} for this score",
                got=repr(kind),
                remedy=(
                    "'exact' is of wins, losses and ties of one size",
                    "'guaranteed' is of the mean of scores in a known range, which has "
                    "`score_range` of metric 'mean_score', of groups of one size, or with "
                    "`largest_group`, the largest size that one may have",
                ),
            )
        if method == EXACT_INTERVAL:
            low, high = self._of_outcomes(confidence_level)
        elif method == GUARANTEED:
            low, high = self._guaranteed(confidence_level)
        else:
            return bootstrap_interval([(self, 1.0)], confidence_level, seed)
        return ConfidenceInterval(low, high, method, self.is_of_0_or_1)

    def fewest_without_loss(self, margin: float, alpha: float) -> int | None:
        """Return how many examples, none of them a loss or a win, show a loss below the margin.

        They show it at the level α. Fewer show it only if more are won than lost. As many of them
        as here have a size. None if no more than a million show it, or if the exact interval
        does not test the score's margin.
        """
        if self.own_kind != EXACT_INTERVAL or self.outcomes is None:
            return None
        fewest, counted = fewest_without_loss(margin / self.bound, alpha), self.outcomes.n
        return None if fewest is None or not counted else -(-fewest * self.rows.n // counted)

    def _of_outcomes(self, level: float) -> tuple[float, float]:
        """Return the interval of wins, losses and ties."""
        outcomes = self.outcomes
        assert outcomes is not None
        size, wins, losses, n = outcomes
        low, high = (size * x for x in exact_interval(wins, losses, n, level))
        return max(low, -self.bound), min(high, self.bound)

    def _guaranteed(self, level: float) -> tuple[float, float]:
        """Return the interval of the mean of differences within the known range."""
        simple = self.simple
        assert isinstance(simple, Mean)
        differences = differences_of(self.rows) / float(simple.unit)
        return guaranteed_interval(
            *(differences, self.rows.how_often, self.bound, level),
            simple.sizes,
            self.largest_group,
        )

    def stratum(self, level: float, weight: float = 1.0) -> tuple[SummedRows, float]:
        """Return what a bootstrap draws, and where the metric's range cuts its interval.

        It is cut at the largest change that one example makes times the share of examples that may
        differ. This keeps it finite if few of many examples differ. If the observed difference
        exceeds this limit, it is cut at `bound` alone: the score jumps, such as where a denominator
        is 0. If no example differs, this limit is all that is known.
        """
        summed = SummedRows.of(self.rows, self.simple)
        systems = SummedRows.of_systems(self.rows, self.simple)
        for x in (summed, *systems):
            check_sums(x.table, self.rows.n)
        reach = math.inf
        if math.isfinite(self.bound) or not self.rows.n_differing:
            reach = self._reach(systems, level)
        if abs(summed.value) > reach:
            reach = self.bound
        return summed._replace(weight=weight), reach

    def _reach(self, systems: Sequence[SummedRows], level: float) -> float:
        """Return how far all examples that may differ can move the score.

        Their share has the exact upper limit. An example moves the score by the larger of `bound`
        and the largest contribution of a seen example. Without a bound it is the contribution
        alone, or infinite if all scores are 0. The contribution to a mean is the score, and that to
        other scores the linear part.
        """
        _, share = exact_interval(self.rows.n_differing, 0, self.rows.n, level)
        change = max(x.largest_change for x in systems)
        if math.isfinite(self.bound):
            return min(share * max(change, self.bound), self.bound)
        return share * (change or math.inf)


def bootstrap_interval(
    samples: Sequence[tuple[Sample, float]], level: float, seed: int
) -> ConfidenceInterval:
    """Return the interval of Σ weight · difference; examples are drawn within each sample.

    Its limits are the sums of those of the samples. If no example differs, it lies between them:
    where the differences are larger together, some sample's limit is too small, and that has a
    probability of at most 1 - level.
    """
    drawn = [(x, weight, *x.stratum(level, weight)) for x, weight in samples]
    reach = math.fsum(abs(weight) * limit for _, weight, _, limit in drawn)
    strata = [stratum for x, _, stratum, _ in drawn if x.rows.n_differing]
    if not strata:
        are_taken = any(x.is_of_0_or_1 for x, _ in samples)
        return ConfidenceInterval(-reach, reach, SHARE, are_taken)
    return _within(reach, studentised_interval(strata, level, seed))


def intervals_of_many(
    samples: Sequence[Sample], level: float, seed: int
) -> list[ConfidenceInterval | None]:
    """Return `bootstrap_interval` of each mean that shares its resamples with others, or None."""
    strata = {}
    for k, sample in enumerate(samples):
        if sample.rows.n_differing:
            with suppress(InputError):  # which its own interval raises
                strata[k] = sample.stratum(level)
    ends = intervals_of_means([stratum for stratum, _ in strata.values()], level, seed)
    intervals: list[ConfidenceInterval | None] = [None] * len(samples)
    for (k, (_, reach)), some in zip(strata.items(), ends, strict=True):
        intervals[k] = some and _within(reach, some)
    return intervals


def _within(reach: float, ends: tuple[float, float]) -> ConfidenceInterval:
    """Return the interval of a bootstrap, cut where the range of the scores cuts it."""
    return ConfidenceInterval(max(ends[0], -reach), min(ends[1], reach), BOOTSTRAP)


def too_few_examples(where: str = "") -> NoIntervalError:
    """Return the error for a single example, which has no interval."""
    return NoIntervalError(
        f"an interval needs at least two examples or groups{where}, some dozens to be of use",
        got="one",
        remedy="it does not tell how they vary",
    )


AverageIntervalKind = Literal["auto", "exact", "guaranteed", "studentised bootstrap"]


def average_error(
    tasks: Sequence[tuple[Rows, Score]],
    weights: Sequence[Fraction],
    places: Sequence[IntArray] | None = None,
) -> float | None:
    """Return the standard error of the average of several tasks; None if one has none.

    Tasks are independent, except for groups with examples in several tasks: `places` has the
    numbers of each task's groups over all tasks then.
    """
    errors, moves_of_tasks = [], []
    for (rows, score), weight in zip(tasks, weights, strict=True):
        counted, simple = simplified(rows.counted(), score, "draws")
        moves = influences(counted, simple)
        if moves is None:
            return None
        moves_of_tasks.append(float(weight) * moves)
        if places is None:
            error = error_of_influences(moves, counted.how_often)
            if error is None:
                return None
            errors.append(float(weight) * error)
    if places is None:
        return math.hypot(*errors)
    of_groups = np.zeros(1 + max(int(x.max()) for x in places))
    for numbers, moves in zip(places, moves_of_tasks, strict=True):
        np.add.at(of_groups, numbers, moves)
    return error_of_influences(of_groups, np.ones(of_groups.size, dtype=np.int64))


def average_interval(
    samples: Sequence[Sample],
    weights: Sequence[Fraction],
    confidence_level: float,
    seed: int = 0,
    kind: AverageIntervalKind = "auto",
    *,
    are_shared: bool = False,
) -> ConfidenceInterval:
    """Return the interval of the average of tasks that share no groups.

    Parameters
    ----------
    samples : sequence of Sample
        What was drawn for each task; those of weight 0 do not matter.
    weights : sequence of Fraction
        Their sizes sum to 1; a negative one turns the scores of its task.
    confidence_level : float
        Between 0 and 1.
    seed : int
        The seed of the resamples of a studentised bootstrap.
    kind : {"auto", "exact", "guaranteed", "studentised bootstrap"}
        The method; "auto" is "exact" if all examples are right or wrong and have one weight. Else
        it is "guaranteed" if all scores are means of scores in a known range, and
        the groups of each task have one size. Otherwise it is "studentised bootstrap".
    are_shared : bool
        Whether tasks share groups.

    Returns
    -------
    ConfidenceInterval
        Of the method "differing share" if no example differs, and a bootstrap was to draw them.

    Raises
    ------
    InputError
        If the average has no interval of this kind. If scores are beyond floats.
    NoIntervalError
        If tasks share groups. If there is only one example or group; for a bootstrap, if a task has
        only one.
    """
    if are_shared:
        raise NoIntervalError(
            "tasks that share groups have no interval of their average",
            remedy="each task has one of its own",
        )
    weighted = [(x, weight) for x, weight in zip(samples, weights, strict=True) if weight]
    outcomes = _outcomes_of_all(weighted)
    kinds = [BOOTSTRAP] + [GUARANTEED] * all(x.has_guarantee for x, _ in weighted)
    kinds += [EXACT_INTERVAL] * (outcomes is not None)
    if kind not in ("auto", *kinds):
        raise InputError(
            "kind",
            must=f"be one of {', '.join(map(repr, ('auto', *kinds)))} for these scores",
            got=repr(kind),
            remedy=(
                "'guaranteed' is of means of scores in a known range, of groups of one size",
                "'exact' is of right and wrong, where all examples have one weight",
            ),
        )
    method = kinds[-1] if kind == "auto" else kind
    if method == BOOTSTRAP:
        if any(x.rows.n < 2 for x, _ in weighted):
            raise too_few_examples(" of each task")
        drawn = [(x, float(weight)) for x, weight in weighted]
        return bootstrap_interval(drawn, confidence_level, seed)
    if sum(x.rows.n for x, _ in weighted) < 2:
        raise too_few_examples()
    are_taken = any(x.is_of_0_or_1 for x, _ in weighted)
    if method == EXACT_INTERVAL and outcomes is not None:
        low, high = exact_interval(outcomes.wins, outcomes.losses, outcomes.n, confidence_level)
        return ConfidenceInterval(
            outcomes.size * low, outcomes.size * high, EXACT_INTERVAL, are_taken
        )
    # The guaranteed interval: the proof stands at the head of this page.
    parts = [_contributions(x, weight) for x, weight in weighted]
    differences, sizes = (np.concatenate([x[k] for x in parts]) for k in (0, 1))
    counts = np.concatenate([x.rows.how_often for x, _ in weighted])
    bound, widest = max(x.bound for x, _ in weighted), sizes.max()
    low, high = guaranteed_interval(
        differences / widest, counts, bound, confidence_level, sizes / widest
    )
    return ConfidenceInterval(low, high, GUARANTEED, are_taken)


def _outcomes_of_all(weighted: Sequence[tuple[Sample, Fraction]]) -> Outcomes | None:
    """Return the wins and losses of all tasks, if all are right and wrong of one weight."""
    parts, kinds = [], set()
    for sample, weight in weighted:
        outcomes = sample.outcomes if sample.own_kind == EXACT_INTERVAL else None
        if outcomes is None or not outcomes.n:
            return None
        kinds.add((sample.bound, abs(weight) / outcomes.n))
        turned = outcomes._replace(wins=outcomes.losses, losses=outcomes.wins)
        parts.append((outcomes if weight > 0 else turned)[1:])
    size, _ = kinds.pop()
    wins, losses, n = map(sum, zip(*parts, strict=True))
    return None if kinds else Outcomes(size, wins, losses, n)


def _contributions(sample: Sample, weight: Fraction) -> tuple[FloatArray, FloatArray]:
    """Return a_g d_g and a_g n_g of each row, each rounded twice."""
    simple, counts = sample.simple, sample.rows.how_often
    assert isinstance(simple, Mean)
    sizes = np.ones(counts.size) if simple.sizes is None else simple.sizes.astype(np.float64)
    total = math.fsum((counts * sizes).tolist())
    if not total:
        raise NoIntervalError(
            "a task has no example that its score counts",
            remedy="Leave the task out, or give it the weight 0",
        )
    share = float(weight / Fraction(total))
    return share * (differences_of(sample.rows) / float(simple.unit)), abs(share) * sizes


_LARGEST_BET = 0.97  # proof: below 1, so that no factor is 0
_INEXACT = 2.0**-46  # proof: 64 of 2^-52: 8 of a factor, 50 of numpy's sum by halves, 6 of weights


def guaranteed_interval(
    differences: NDArray[np.float64],
    counts: NDArray[np.int64],
    largest: float,
    confidence_level: float,
    sizes: NDArray[Any] | None = None,
    largest_size: float | None = None,
) -> tuple[float, float]:
    """Return limits of the mean difference that hold for any law within the range.

    Parameters
    ----------
    differences : float array, shape (k,)
        The differences of examples, or the sums of groups.
    counts : int array, shape (k,)
        How often each occurs.
    largest : float
        R, the largest absolute difference that one example can have.
    confidence_level : float
        Between 0 and 1. It is read as the decimal that it prints as.
    sizes : array, shape (k,), or None
        The number of examples of each group, not all 0; None for single examples. They may have
        weights, and be no integers; see `average_interval`.
    largest_size : float or None
        N, the largest size that a group can have. None: the largest of these, which is fixed.

    Returns
    -------
    tuple of float, length 2
        Both limits, from -largest to largest.
    """
    sizes = np.ones(counts.size, dtype=np.int64) if sizes is None else sizes
    most = float(sizes.max() if largest_size is None else largest_size)
    half = float((1 - printed_fraction(confidence_level)) / 2)
    bets = _bets(float(counts.sum()), half)
    low, high = (
        largest * _lower_mean(*distinct_groups(x, sizes, counts), most, bets, half)
        for x in (differences / largest, -differences / largest)
    )
    low, high = (max(math.nextafter(x, -math.inf), -largest) for x in (low, high))
    return low + 0.0, 0.0 - high  # no -0.0


def distinct_groups(
    sums: FloatArray, sizes: NDArray[Any], counts: NDArray[Any]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the distinct sums of differences with their sizes, sorted, and their counts."""
    keys, where = np.unique(sums + 1j * sizes, return_inverse=True)
    return keys.real, keys.imag, np.bincount(where.ravel(), weights=counts).astype(np.float64)


def _bets(n: float, half: float) -> FloatArray:
    """Return √(-2 log(half) / n) and its doubles below 0.97, and 0.97."""
    least = math.sqrt(-2.0 * math.log(half) / n)
    n_doubles = max(math.ceil(math.log2(_LARGEST_BET / least)), 0)
    return np.append(least * 2.0 ** np.arange(n_doubles), _LARGEST_BET)


def _lower_mean(
    scaled: FloatArray,
    sizes: FloatArray,
    counts: FloatArray,
    most: float,
    bets: FloatArray,
    half: float,
) -> float:
    """Return the root of K(Δ) = 1 / half in units of R, rounded down."""
    target = -math.log(half)

    def lack(mean: float) -> float:
        """Return log(1 / half) - log K, at most, plus its rounding error."""
        log, inexact = _log_wealth(mean, scaled, sizes, counts, most, bets)
        return target * (1.0 + _INEXACT) - log + inexact

    n = float(counts.sum())
    size = float(counts @ sizes) / n
    mean = float(counts @ scaled) / n / size
    variance = float(counts @ (scaled - mean * sizes) ** 2) / n
    needed = target + math.log(bets.size)
    distance = (math.sqrt(2.0 * needed * variance / n) + needed * (1.0 + mean) / n) / size
    if not distance > 0.0:
        return -1.0  # all differences are there, and no bet wins
    return crossing(lack, -1.0, 1.0, mean - distance, 2.0 * needed / distance)


def _log_wealth(
    mean: float,
    scaled: FloatArray,
    sizes: FloatArray,
    counts: FloatArray,
    most: float,
    bets: FloatArray,
) -> tuple[float, float]:
    """Return log K(Δ) of a mean in units of R, and a bound of its rounding error."""
    room = most * (1.0 + mean)
    steps = np.multiply.outer(bets, (scaled - mean * sizes) / room)
    parts = (np.abs(scaled) + (1.0 + abs(mean)) * sizes) / room
    inexact = np.multiply.outer(bets / (1.0 - bets), parts)
    logs = np.log1p(steps)
    errors = counts * (np.abs(logs) + inexact)
    wealth = (counts * logs).sum(axis=1) - _INEXACT * errors.sum(axis=1)
    top = float(wealth.max())
    log = top + math.log(float(np.exp(wealth - top).mean()))
    return log, _INEXACT * (1.0 + abs(top))


def guaranteed_pvalue(
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    largest: float,
    number: float,
    alpha: float,
    sizes: NDArray[Any] | None = None,
    largest_size: float | None = None,
) -> float:
    """Return a p-value of a mean of at most this number, 1 / K by the bets of the level alpha.

    It is at most alpha where the lower limit of `guaranteed_interval` at 1 - 2 alpha exceeds the
    number. The other parameters are those of `guaranteed_interval`.
    """
    sizes = np.ones(counts.size, dtype=np.int64) if sizes is None else sizes
    if not -largest < number < largest:  # a mean beyond the range is not
        return float(number >= largest or not (values > number * sizes).any())
    most = float(sizes.max() if largest_size is None else largest_size)
    half = float(printed_fraction(alpha))
    groups = distinct_groups(values / largest, sizes, counts)
    bets = _bets(float(counts.sum()), half)
    log, inexact = _log_wealth(number / largest, *groups, most, bets)
    return min(math.exp(inexact - log), 1.0)
