"""The weighted average of the scores of several tasks in the population.

Task t has the weight w_t; the weights sum to 1. Its examples, or groups, g have the summed
differences d_g over n_g examples, and n_t = Σ n_g. The average is Δ = Σ_t w_t Σ_g E d_g / n_t, for
these tasks and these sizes.

Why the guaranteed interval holds. With a_g = w_t / n_t for the task t of g, Δ = Σ a_g E d_g and
Σ a_g n_g = 1, over the groups of all tasks. So Δ is the mean of groups with the sums a_g d_g and
the sizes a_g n_g, each sum within R times its size. The proof in `guaranteed` asks for independent
groups, whose laws may differ, and for given sizes, which need not be whole. Its factors are

    1 + c a_g (d_g - Δ n_g) / (max a_g n_g (R + Δ)).

They are at least 1 - c, and their expectations have the mean 1. R is the largest range of a task.
Groups with examples in several tasks are not independent parts, and have no such interval here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.population.difference import differences_of, error_of_influences, influences
from pairedperm.population.guaranteed import guaranteed_interval
from pairedperm.population.intervals import GUARANTEED, ConfidenceInterval, Sample
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score, simplified


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
    samples: Sequence[Sample], weights: Sequence[Fraction], confidence_level: float
) -> ConfidenceInterval | None:
    """Return the guaranteed interval of the average of tasks that share no groups.

    None if a score is no mean of scores in a known range, if there are no sizes, or if there is
    only one example or group.
    """
    weighted = [(x, weight) for x, weight in zip(samples, weights, strict=True) if weight]
    parts = [_contributions(x, weight) for x, weight in weighted if x.has_range]
    known = [x for x in parts if x is not None]
    if len(known) < len(weighted) or sum(x.rows.n for x, _ in weighted) < 2:
        return None
    differences, sizes = (np.concatenate([x[k] for x in known]) for k in (0, 1))
    counts = np.concatenate([x.rows.how_often for x, _ in weighted])
    bound, widest = max(x.bound for x, _ in weighted), sizes.max()
    low, high = guaranteed_interval(
        differences / widest, counts, bound, confidence_level, sizes / widest
    )
    return ConfidenceInterval(low, high, GUARANTEED)


def _contributions(sample: Sample, weight: Fraction) -> tuple[FloatArray, FloatArray] | None:
    """Return a_g d_g and a_g n_g of each row, each rounded twice; None without any size."""
    simple, counts = sample.simple, sample.rows.how_often
    assert isinstance(simple, Mean)
    sizes = np.ones(counts.size) if simple.sizes is None else simple.sizes.astype(np.float64)
    total = math.fsum((counts * sizes).tolist())
    if not total:
        return None
    share = float(weight / Fraction(total))
    return share * (differences_of(sample.rows) / float(simple.unit)), share * sizes
