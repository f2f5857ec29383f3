"""The examples on which one system is better, and those on which the other is."""

from __future__ import annotations

import numpy as np

from pairedperm.inputs.ids import Id
from pairedperm.readers.examples import Examples
from pairedperm.results.evidence import leads
from pairedperm.scoring.groups import rows_in_order, simplified

Ids = tuple[Id, ...]


def flips(examples: Examples) -> tuple[Ids, Ids] | None:
    """Return the ids on which the first system is better, and those on which the second is.

    Return None if an example has several predictions (repeated runs).
    """
    one, two = examples.systems.values()
    metric = examples.metric
    rows = rows_in_order(metric, metric.read((one, two, examples.references)))
    if rows.n != len(examples.ids):
        return None
    alone = rows.having(groups=np.arange(rows.n))  # one group per row keeps equal rows apart
    signs = leads(*simplified(alone, metric.score(rows), "draws"), metric)
    for_first, for_second = (
        tuple(x for x, sign in zip(examples.ids, signs.tolist(), strict=True) if sign == wanted)
        for wanted in (1, -1)
    )
    return for_first, for_second
