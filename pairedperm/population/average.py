"""The weighted average of the scores of several tasks in the population.

Task t has the weight w_t; the weights sum to 1. Its examples, or groups, g have the summed
differences d_g over n_g examples, and n_t = Σ n_g. The average is Δ = Σ_t w_t Σ_g E d_g / n_t, for
these tasks and these sizes.

Why the guaranteed interval holds. With a_g = w_t / n_t for the task t of g, Δ = Σ a_g E d_g and
Σ a_g n_g = 1, over the groups of all tasks. So Δ is the mean of groups with the sums a_g d_g and
the sizes a_g n_g, each sum within R times its size. The proof in `guaranteed` asks for independent
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
(`paired_shares`), and p is that of their sign test. The chances of a win may differ by task: then
the number of wins varies less than a binomial one.

Other scores have a studentised bootstrap, whose resamples draw the examples within each task. It is
asymptotic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, Name, NoIntervalError
from pairedperm.population.difference import differences_of, error_of_influences, influences
from pairedperm.population.guaranteed import guaranteed_interval
from pairedperm.population.intervals import (
    BOOTSTRAP,
    EXACT_INTERVAL,
    GUARANTEED,
    ConfidenceInterval,
    Flips,
    Sample,
    bootstrap_interval,
    too_few_examples,
)
from pairedperm.population.paired_shares import exact_interval
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score, simplified

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
    flips = _flips_of_all(weighted)
    kinds = [BOOTSTRAP] + [GUARANTEED] * all(x.has_guarantee for x, _ in weighted)
    kinds += [EXACT_INTERVAL] * (flips is not None)
    if kind not in ("auto", *kinds):
        raise InputError(
            Name("kind"),
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
    if method == EXACT_INTERVAL and flips is not None:
        low, high = exact_interval(flips.wins, flips.losses, flips.n, confidence_level)
        return ConfidenceInterval(flips.size * low, flips.size * high, EXACT_INTERVAL, are_taken)
    # The guaranteed interval: the proof stands at the head of this page.
    parts = [_contributions(x, weight) for x, weight in weighted]
    differences, sizes = (np.concatenate([x[k] for x in parts]) for k in (0, 1))
    counts = np.concatenate([x.rows.how_often for x, _ in weighted])
    bound, widest = max(x.bound for x, _ in weighted), sizes.max()
    low, high = guaranteed_interval(
        differences / widest, counts, bound, confidence_level, sizes / widest
    )
    return ConfidenceInterval(low, high, GUARANTEED, are_taken)


def _flips_of_all(weighted: Sequence[tuple[Sample, Fraction]]) -> Flips | None:
    """Return the wins and losses of all tasks, if all are right and wrong of one weight."""
    parts, kinds = [], set()
    for sample, weight in weighted:
        flips = sample.flips if sample.own_kind == EXACT_INTERVAL else None
        if flips is None or not flips.n:
            return None
        kinds.add((sample.bound, abs(weight) / flips.n))
        turned = flips._replace(wins=flips.losses, losses=flips.wins)
        parts.append((flips if weight > 0 else turned)[1:])
    size, _ = kinds.pop()
    wins, losses, n = map(sum, zip(*parts, strict=True))
    return None if kinds else Flips(size, wins, losses, n)


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
