"""The confidence interval of one system's score in the population, and its place beside a number.

- "exact": k of m examples are right, and k ~ Bin(m, J). The limits of J are Clopper and Pearson's
  [1]_. So it is with accuracy and recall, and with precision, Jaccard index and F1 of one class:
  given the m labels that system or references have, J is the share that both have. Precision counts
  the labels that the system has. F1 is 2 J / (1 + J), which rises with J.
- "studentised bootstrap": any other score of at least 30 examples, or groups, that are not at the
  commonest one (`studentised`). It is asymptotic.
- "guaranteed": the mean of scores in a known range, below 30 of these. It is the interval of the
  bets (`intervals`) about the middle of the range, which is up to half as wide as about its end.

The unit is the example, or the group: runs of an item are averaged first.

References
----------
.. [1] C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the
   case of the binomial", Biometrika 26, 1934.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import NoIntervalError, counted
from pairedperm.options import printed_fraction
from pairedperm.population.difference import SummedRows
from pairedperm.population.evidence import Evidence
from pairedperm.population.intervals import (
    BOOTSTRAP,
    EXACT_INTERVAL,
    FEWEST_DIFFERING,
    GUARANTEED,
    MOST_MEASURED,
    ConfidenceInterval,
    guaranteed_interval,
    guaranteed_pvalue,
    too_few_examples,
)
from pairedperm.population.studentised import (
    intervals_of_means,
    pvalues_of,
    studentised_interval,
)
from pairedperm.scoring.metrics.labels import LabelScore
from pairedperm.scoring.scores import Mean, Ratio

_GIVE_RANGE = "If you know the range of a score, give it: metric='mean_score', score_range=(…, …)"


class Trials(NamedTuple):
    """k successes among m trials; the score is their share J, or 2 J / (1 + J) if it is F1."""

    k: int
    m: int
    is_f1: bool = False

    def interval(self, confidence_level: float) -> tuple[float, float]:
        """Return the limits of Clopper and Pearson, as scores."""
        from scipy.special import betaincinv

        half, k, m = float((1 - printed_fraction(confidence_level)) / 2), self.k, self.m
        low = float(betaincinv(k, m - k + 1, half)) if k else 0.0
        high = float(betaincinv(k + 1, m - k, 1.0 - half)) if k < m else 1.0
        return (_f1(low), _f1(high)) if self.is_f1 else (low, high)

    def pvalues(self, score: float) -> tuple[float, float]:
        """Return P(Bin(m, J) ≥ k) and P(Bin(m, J) ≤ k), of J with this score.

        Where no float is left, the least one is returned.
        """
        from scipy.special import betainc

        share, k, m = score / (2.0 - score) if self.is_f1 else score, self.k, self.m
        above = float(betainc(k, m - k + 1, share)) if k else 1.0
        below = float(betainc(m - k, k + 1, 1.0 - share)) if k < m else 1.0
        return max(above, math.ulp(0.0)), max(below, math.ulp(0.0))

    def fewest(self, score: float, alpha: float, *, is_best: bool) -> int:
        """Return the fewest trials that tell, all of them successes, or none if not `is_best`."""
        share = score / (2.0 - score) if self.is_f1 else score
        if share == (0.0 if is_best else 1.0):
            return 1
        return math.ceil(math.log(alpha) / (math.log(share) if is_best else math.log1p(-share)))


def _f1(share: float) -> float:
    return 2.0 * share / (1.0 + share)


_TRIALS: dict[tuple[int, ...], tuple[int, int, int]] = {  # proof: by denominators, what is a trial
    (0, 1, 0): (0, 1, 0),  # precision
    (0, 0, 1): (0, 0, 1),  # recall
    (-1, 1, 1): (-1, 1, 1),  # Jaccard index
    (0, 1, 1): (-1, 1, 1),  # F1
}


def trials_of(evidence: Evidence) -> Trials | None:
    """Return the right and the wrong examples or labels that make a score; None for other scores.

    Both systems of the evidence are the one.
    """
    whole, metric, score = evidence.rows, evidence.metric, evidence.score
    if whole.groups is not None or whole.sizes is not None:
        return None
    if isinstance(score, Ratio) and isinstance(metric, LabelScore):
        known, table = _TRIALS.get(tuple(score.denominator)), whole.tables[0]
        if known and metric.is_binary and not metric.has_sets and table.max() <= 1:
            sums = whole.how_often @ table
            return Trials(int(sums[0]), int(sums @ known), tuple(score.denominator) == (0, 1, 1))
    rows, simple = evidence.drawn
    is_known = metric is not None and metric.is_right_or_wrong(whole)
    if not (isinstance(simple, Mean) and (is_known or evidence.is_of_0_or_1)):
        return None
    sizes = np.ones(rows.how_often.size) if simple.sizes is None else simple.sizes
    if sizes.max() != 1:
        return None
    n_right = float(rows.how_often @ rows.rows1) / float(simple.unit)
    return Trials(round(n_right), int(rows.how_often @ sizes))


def interval_of_score(
    evidence: Evidence, confidence_level: float, seed: int = 0
) -> ConfidenceInterval:
    """Return the interval of a score, of evidence in which both systems are the one.

    Raises
    ------
    NoIntervalError
        If there is only one example; if too few are not at the commonest score, and the range of
        the scores is not known.
    """
    method, (rows, simple) = _method(evidence, confidence_level), evidence.drawn
    if method == EXACT_INTERVAL:
        trials = trials_of(evidence)
        assert trials is not None
        return ConfidenceInterval(*trials.interval(confidence_level), method)
    if method == BOOTSTRAP:
        one, _ = SummedRows.of_systems(rows, simple)
        quickly = intervals_of_means([one], confidence_level, seed)[0]
        ends = quickly or studentised_interval([one], confidence_level, seed)
        low, high = evidence.limits
        return ConfidenceInterval(max(ends[0], low), min(ends[1], high), method)
    x = _Centred.of(evidence)
    ends = guaranteed_interval(x.values, rows.how_often, x.half, confidence_level, *x.sizes)
    return ConfidenceInterval(x.middle + ends[0], x.middle + ends[1], method)


def _method(evidence: Evidence, confidence_level: float) -> str:
    """Return how a score has its interval; NoIntervalError if it has none."""
    rows, simple = evidence.drawn
    if rows.n < 2:
        raise too_few_examples()
    if (trials := trials_of(evidence)) is not None and trials.m:
        return EXACT_INTERVAL
    n_telling = n_apart(evidence)
    if n_telling >= FEWEST_DIFFERING and confidence_level <= MOST_MEASURED:
        return BOOTSTRAP
    if evidence.sample.has_guarantee and isinstance(simple, Mean):
        return GUARANTEED
    what = "group" if evidence.rows.n_groups else "example"
    raise NoIntervalError(
        f"only {counted(n_telling, what)} of {rows.n:,} are not at the commonest score, too "
        f"few for an asymptotic interval, which needs {FEWEST_DIFFERING}",
        remedy=(f"Collect more {what}s", _GIVE_RANGE if evidence.sample.is_mean else ""),
    )


def interval_of_average(
    tasks: Sequence[Evidence], weights: Sequence[Fraction], confidence_level: float, seed: int = 0
) -> ConfidenceInterval:
    """Return the interval of the average of a system's scores on tasks without common groups.

    It is studentised if the scores of each task vary enough, or else guaranteed.

    Raises
    ------
    NoIntervalError
        If too few examples of a task are not at the commonest score, and a range is not known.
    """
    weighted = [(x, w) for x, w in zip(tasks, weights, strict=True) if w]
    is_measured = confidence_level <= MOST_MEASURED
    if is_measured and all(n_apart(x) >= FEWEST_DIFFERING for x, _ in weighted):
        strata = [SummedRows.of_systems(*x.drawn)[0]._replace(weight=float(w)) for x, w in weighted]
        return ConfidenceInterval(*studentised_interval(strata, confidence_level, seed), BOOTSTRAP)
    if not all(x.sample.has_guarantee and x.largest_group is None for x, _ in weighted):
        raise NoIntervalError(
            "some tasks have too few examples for an asymptotic interval, and no known range"
        )
    parts, middle, half = [], 0.0, 0.0
    for x, w in weighted:
        centred = _Centred.of(x)
        sizes = np.ones(centred.values.size) if centred.sizes[0] is None else centred.sizes[0]
        share = float(w) / float(x.drawn[0].how_often @ sizes)
        parts.append((share * centred.values, share * sizes, x.drawn[0].how_often))
        middle, half = middle + float(w) * centred.middle, max(half, centred.half)
    values, sizes, counts = (np.concatenate([x[k] for x in parts]) for k in range(3))
    widest = sizes.max()
    ends = guaranteed_interval(values / widest, counts, half, confidence_level, sizes / widest)
    return ConfidenceInterval(middle + ends[0], middle + ends[1], GUARANTEED)


class _Centred(NamedTuple):
    """Scores, or sums of groups, about the middle of their range, and the largest distance."""

    values: FloatArray
    half: float
    middle: float
    sizes: tuple[Any, int | None]
    """Those of groups, and the largest that there may be."""

    @classmethod
    def of(cls, evidence: Evidence) -> _Centred:
        rows, simple = evidence.drawn
        assert isinstance(simple, Mean)
        low, high = evidence.limits
        middle, sizes = (low + high) / 2.0, 1 if simple.sizes is None else simple.sizes
        values = rows.rows1 / float(simple.unit) - middle * sizes
        return cls(values, (high - low) / 2.0, middle, (simple.sizes, evidence.largest_group))


def n_apart(evidence: Evidence) -> int:
    """Return how many examples, or groups, are not at the commonest score."""
    rows, simple = evidence.drawn
    values = rows.tables[0].astype(np.float64)
    if isinstance(simple, Mean) and simple.sizes is not None:
        values = values / np.where(simple.sizes == 0, 1, simple.sizes)[:, None]
    _, which = np.unique(values, axis=0, return_inverse=True)
    return rows.n - int(np.bincount(which.ravel(), weights=rows.how_often).max())


def standard_error(evidence: Evidence) -> float | None:
    """Return the standard error of a score; None if it has none."""
    one, _ = SummedRows.of_systems(*evidence.drawn)
    error = one.standard_error
    return error if error is None or math.isfinite(error) else None


class PvaluesBeside(NamedTuple):
    """p of "the score is not above this number", and of "it is not below"."""

    above: float
    below: float


def pvalues_beside(evidence: Evidence, number: float, alpha: float) -> PvaluesBeside | None:
    """Return the p-values of a score beside a number; None if the score has no interval.

    Each is at most alpha where the interval of the level 1 - 2 alpha lies on that side.
    """
    rows, simple = evidence.drawn
    if (trials := trials_of(evidence)) is not None and trials.m:
        return PvaluesBeside(*trials.pvalues(number))
    try:
        method = _method(evidence, 1.0 - 2.0 * alpha)
    except NoIntervalError:
        return None
    if method == BOOTSTRAP:
        one, _ = SummedRows.of_systems(rows, simple)
        return PvaluesBeside(*pvalues_of(one, number, 0))
    x = _Centred.of(evidence)
    above, below = (
        guaranteed_pvalue(
            sign * x.values, rows.how_often, x.half, sign * (number - x.middle), alpha, *x.sizes
        )
        for sign in (1.0, -1.0)
    )
    return PvaluesBeside(above, below)
