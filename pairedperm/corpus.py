"""A metric on a whole corpus: from what its examples contribute to the test."""

from __future__ import annotations

import numpy as np

from pairedperm.class_problem import class_problem
from pairedperm.contributions import Contributions, tallied
from pairedperm.decision import run
from pairedperm.differences import DifferenceCounts
from pairedperm.errors import InputError, warn
from pairedperm.mean_problem import mean_problem
from pairedperm.metric import MetricSpec
from pairedperm.options import Options
from pairedperm.problem import Problem
from pairedperm.ratio_differences import RatioDifferences
from pairedperm.ratio_problem import ratio_problem
from pairedperm.result import PairedPermutationResult
from pairedperm.share_problem import share_problem
from pairedperm.tally import Tally

__all__ = ["compare_contributions", "read_problem"]

_NO_WORD = "`references` holds no word: a rate needs one."
_EMPTY = "`references` holds no label: every sequence is empty."


def compare_contributions(
    found: Contributions | Tally, spec: MetricSpec, options: Options
) -> PairedPermutationResult:
    """The test of a whole corpus; see `read_problem`."""
    return run(read_problem(found, spec, options.alternative), spec, options)


def read_problem(found: Contributions | Tally, spec: MetricSpec, alternative: str) -> Problem:
    """The difference of a metric on a whole corpus.

    Raises
    ------
    InputError
        If there is no label at all.

    Warns
    -----
    UserWarning
        If a label that the metric selects does not occur.
    """
    absent = [label for label in spec.selected or () if label not in found.seen]
    if absent:
        hint = " These are types of entities: 'PER', not 'B-PER'." if spec.name == "span_f1" else ""
        warn(
            f"`{spec.choice}`: {', '.join(map(repr, absent))} "
            f"occurs neither in the predictions nor in the references.{hint}"
        )
    if spec.averages_classes:
        tally = tallied(found)
        if not sum(tally.shared) and spec.selected is None:
            raise InputError(_EMPTY)
        return class_problem(tally.counts, np.array(tally.shared), spec, alternative)
    if spec.name == "squad_f1":
        return share_problem(tallied(found).counts, alternative)
    counts = found.counts if isinstance(found, Tally) else None
    shared = found.shared[0] if isinstance(found, Tally) else found.shared
    rows = found.counts if isinstance(found, Tally) else found
    rows1, rows2 = rows.rows1, rows.rows2
    if rows1.ndim == 1 and shared:
        if counts is None:
            differences = DifferenceCounts.from_scores(rows1, rows2)
        else:
            differences = DifferenceCounts.from_counts(counts)
        return mean_problem(differences, shared, alternative)
    if rows1.ndim == 1:  # nothing to divide by: recall where nothing is right, or no labels
        if not spec.counts_labels:
            raise InputError(_NO_WORD if spec.name == "word_error_rate" else _EMPTY)
        rows1, rows2 = (np.stack((rows, np.zeros_like(rows)), axis=1) for rows in (rows1, rows2))
    ratios = RatioDifferences.from_pairs(
        (rows1[:, 0], rows1[:, 1], rows2[:, 0], rows2[:, 1]),
        None if counts is None else counts.multiplicities,
        shared,
        spec.zero_division,
    )
    return ratio_problem(ratios, alternative)
