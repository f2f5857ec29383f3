"""A metric on a whole corpus: from what its examples contribute to the test."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from pairedperm.contributions import Contributions
from pairedperm.counts import PairedCounts
from pairedperm.decision import run
from pairedperm.differences import DifferenceCounts
from pairedperm.errors import InputError, warn
from pairedperm.mean_test import mean_problem
from pairedperm.metric import MetricSpec
from pairedperm.options import Options
from pairedperm.problem import Problem
from pairedperm.ratio_differences import RatioDifferences
from pairedperm.ratio_test import ratio_problem
from pairedperm.result import PairedPermutationResult

__all__ = ["NOTHING", "Tally", "compare_contributions", "read_problem"]


class Tally(NamedTuple):
    """What the examples of a corpus contribute, counted; parts are added."""

    counts: PairedCounts
    shared: int
    seen: frozenset[Hashable]

    def with_contributions(self, found: Contributions) -> Tally:
        """The tally with those of further examples."""
        counts = PairedCounts.from_rows(found.rows1, found.rows2)
        return Tally(self.counts + counts, self.shared + found.shared, self.seen | found.seen)


NOTHING = Tally(PairedCounts.from_rows([], []), 0, frozenset())


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
    counts = found.counts if isinstance(found, Tally) else None
    rows = found.counts if isinstance(found, Tally) else found
    rows1, rows2 = rows.rows1, rows.rows2
    if rows1.ndim == 1 and found.shared:
        if counts is None:
            differences = DifferenceCounts.from_scores(rows1, rows2)
        else:
            differences = DifferenceCounts.from_counts(counts)
        return mean_problem(differences, found.shared, alternative)
    if rows1.ndim == 1:  # nothing to divide by: recall where nothing is right, or no labels
        if not spec.counts_labels:
            raise InputError("`references` holds no label: every sequence is empty.")
        rows1, rows2 = (np.stack((rows, np.zeros_like(rows)), axis=1) for rows in (rows1, rows2))
    ratios = RatioDifferences.from_pairs(
        (rows1[:, 0], rows1[:, 1], rows2[:, 0], rows2[:, 1]),
        None if counts is None else counts.multiplicities,
        found.shared,
        spec.zero_division,
    )
    return ratio_problem(ratios, alternative)
