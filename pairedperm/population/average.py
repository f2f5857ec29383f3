"""The weighted average of the scores of several tasks in the population."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pairedperm.convolution.law import IntArray
from pairedperm.population.difference import error_of_influences, influences
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score, simplified


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
