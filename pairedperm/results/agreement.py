"""The numbers of examples on which both systems are right, only one is, or neither."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.results.result import PairedResult
from pairedperm.shown import shown
from pairedperm.wording import Name, describe


def agreement(
    result: PairedResult, name1: str = "system 1", name2: str = "system 2"
) -> dict[str, int]:
    """Return the number of examples of each part of `plot_agreement`, by the part's name."""
    if name1 == name2:
        what, remedy = f" are both {shown(name1)}", "name the systems apart"
        raise InputError(Name("name1"), " and ", Name("name2"), what, remedy=remedy)
    if not isinstance(result, PairedResult) or result.score1 is None:
        raise InputError(Name("result"), must="be that of a comparison", got=describe(result))
    if (pairs := _pairs(result)) is None:
        return {
            f"{name1} better": result.n_wins,
            "ties": result.n_ties,
            f"{name2} better": result.n_losses,
        }
    is_right1, is_right2, counts = pairs
    return {
        "both right": int(counts[is_right1 & is_right2].sum()),
        f"only {name1}": int(counts[is_right1 & ~is_right2].sum()),
        f"only {name2}": int(counts[~is_right1 & is_right2].sum()),
        "neither": int(counts[~is_right1 & ~is_right2].sum()),
    }


def _pairs(result: PairedResult) -> tuple[Any, Any, Any] | None:
    """Return pairs of right and wrong with their counts; None if scores are not 0 and 1."""
    evidence = result.evidence_for("number of examples that both get right")
    rows, metric = evidence.rows, evidence.metric
    one, two = rows.tables
    right = rows.unit
    both = np.concatenate((one, two))
    if metric is None or both.shape[1] != 1 or not np.isin(both, (0, right)).all():
        return None
    wanted = 0 if metric.lower_is_better else right
    return one[:, 0] == wanted, two[:, 0] == wanted, rows.how_often
