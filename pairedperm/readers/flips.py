"""Which examples one system does better, and which the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pairedperm.inputs.ids import Id
from pairedperm.readers.examples import Examples
from pairedperm.results.evidence import leads
from pairedperm.scoring.groups import rows_in_order, simplified

Ids = tuple[Id, ...]


def flips(examples: Examples) -> tuple[Ids, Ids] | None:
    """The ids of the examples that speak for the first of two systems, and for the second.

    None where an example is several runs of predictions.
    """
    one, two = examples.systems.values()
    metric = examples.metric
    rows = rows_in_order(metric, metric.read((one, two, examples.references)))
    if rows.n != len(examples.ids):
        return None
    alone = replace(rows, groups=np.arange(rows.n))  # rows that are alike stay apart
    signs = leads(*simplified(alone, metric.score(rows), "draws"), metric)
    for_first, for_second = (
        tuple(x for x, sign in zip(examples.ids, signs.tolist(), strict=True) if sign == wanted)
        for wanted in (1, -1)
    )
    return for_first, for_second
