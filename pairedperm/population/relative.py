"""The loss of a candidate beside a share of the baseline's score.

Where higher is better, z = s1 - (1 - r) s2 is what a candidate has above the share 1 - r of the
baseline's score. Where lower is better it is z = (1 + r) s2 - s1. A lower confidence limit of z
above 0 shows that the candidate loses less than r of the baseline's score.

- Right and wrong: a limit of d = s1 - s2 at the level 1 - 0.9 α, plus r times the lower limit of
  Clopper and Pearson of s2 at the level 1 - α / 10. Both hold in at least 1 - α of all cases.
- Scores in a known range: the guaranteed limit of z, about the middle of its range.
- Other scores: the studentised bootstrap of z, if 30 examples or groups differ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

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
    guaranteed_interval,
)
from pairedperm.population.one import Trials
from pairedperm.population.studentised import studentised_interval
from pairedperm.scoring.scores import Mean


class LossLimit(NamedTuple):
    """A lower confidence limit of z, in units of the score, and its method."""

    low: float
    method: str


def limit_of_loss(evidence: Evidence, share: float, alpha: float, seed: int = 0) -> LossLimit:
    """Return the lower limit of z at the level 1 - alpha, of a margin of this share.

    Raises
    ------
    NoIntervalError
        If there are too few examples that differ, and the range of the scores is not known.
    """
    sample = evidence.sample
    if sample.own_kind == EXACT_INTERVAL:
        return LossLimit(_proven(evidence, share, alpha), EXACT_INTERVAL)
    if sample.has_guarantee:
        return LossLimit(_guaranteed(evidence, share, alpha), GUARANTEED)
    n = sample.rows.n_differing
    level = float(1 - 2 * printed_fraction(alpha))
    if n < FEWEST_DIFFERING or level > MOST_MEASURED:
        what = "example" if evidence.rows.n_groups is None else "group"
        told = f"{counted(n, what)} of {sample.rows.n:,} differ, at a level of {level:.12g}"
        raise NoIntervalError(
            f"{told}: an asymptotic limit takes {FEWEST_DIFFERING}, and {MOST_MEASURED:g} at most"
        )
    one = _z(evidence, share)
    return LossLimit(studentised_interval([one], level, seed)[0], BOOTSTRAP)


def _is_lower_better(evidence: Evidence) -> bool:
    return evidence.metric is not None and evidence.metric.lower_is_better


def _proven(evidence: Evidence, share: float, alpha: float) -> float:
    """Return the sum of two limits, for examples that are right or wrong."""
    sample, simple, exact = evidence.sample, evidence.sample.simple, printed_fraction(alpha)
    assert isinstance(simple, Mean)
    assert sample.outcomes is not None
    low, high, *_ = sample.interval(float(1 - exact * 9 / 5))
    k = round(float(sample.rows.how_often @ sample.rows.rows2) / float(simple.unit))
    least, _ = Trials(k, sample.outcomes.n).interval(float(1 - exact / 5))
    return (-high if _is_lower_better(evidence) else low) + share * least


def _guaranteed(evidence: Evidence, share: float, alpha: float) -> float:
    """Return the limit for any law of scores in the known range."""
    rows, simple = evidence.drawn
    assert isinstance(simple, Mean)
    (low, high), sizes = evidence.limits, simple.sizes
    most = 2.0 + share if _is_lower_better(evidence) else 2.0 - share
    middle, half = share * (low + high) / 2.0, most * (high - low) / 2.0
    values = _z(evidence, share).table[:, 0] / float(simple.unit)
    values = values - middle * (1 if sizes is None else sizes)
    level = float(1 - 2 * printed_fraction(alpha))
    ends = guaranteed_interval(values, rows.how_often, half, level, sizes, evidence.largest_group)
    return middle + ends[0]


def _z(evidence: Evidence, share: float) -> SummedRows:
    """Return z of rows that are drawn, whose mean or score of sums it is."""
    rows, simple = evidence.drawn
    one, two = (1.0, share - 1.0) if not _is_lower_better(evidence) else (-1.0, 1.0 + share)
    if not isinstance(simple, Mean):
        summed = SummedRows.of(rows, simple)
        signs = zip(summed.terms, (one, two), strict=True)
        return summed._replace(terms=[term._replace(sign=sign) for term, sign in signs])
    first, second = SummedRows.of_systems(rows, simple)
    table = first.table.copy()
    table[:, 0] = one * first.table[:, 0] + two * second.table[:, 0]
    return first._replace(table=np.asarray(table))
