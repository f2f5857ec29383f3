"""A metric on a whole corpus: from what its examples contribute to the test."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pairedperm.bootstrap.problem import (
    BootstrapProblem,
    check_several,
    of_classes,
    of_means,
    of_ratios,
    of_shares,
)
from pairedperm.bootstrap.run import run_bootstrap
from pairedperm.convolution import exact_dot
from pairedperm.errors import InputError, warn
from pairedperm.options import Options
from pairedperm.permutation.class_problem import class_problem
from pairedperm.permutation.mean_problem import mean_problem
from pairedperm.permutation.means import DifferenceCounts
from pairedperm.permutation.problem import Problem
from pairedperm.permutation.ratio_differences import RatioDifferences
from pairedperm.permutation.ratio_problem import ratio_problem
from pairedperm.permutation.run import run
from pairedperm.permutation.share_problem import share_problem
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.results.result import PairedPermutationResult
from pairedperm.scoring.contributions import Contributions, tallied
from pairedperm.scoring.counts import PairedCounts, of_units
from pairedperm.scoring.metric import MetricSpec
from pairedperm.scoring.tally import Tally

__all__ = ["compare_contributions", "read_bootstrap", "read_problem"]

_NO_WORD = "`references` holds no word: a rate needs one."
_SAME_DENOMINATOR = ("accuracy", "exact_match", "recall", "word_error_rate", "squad_exact_match")
_EMPTY = "`references` holds no label: every sequence is empty."


def compare_contributions(
    found: Contributions | Tally, spec: MetricSpec, options: Options
) -> PairedPermutationResult | PairedBootstrapResult:
    """The test of a whole corpus; see `read_problem`."""
    if options.test == "bootstrap":
        return run_bootstrap(read_bootstrap(tallied(found), spec), spec, options)
    return run(read_problem(found, spec, options.alternative), spec, options)


def read_bootstrap(tally: Tally, spec: MetricSpec) -> BootstrapProblem:
    """The difference of a metric on a whole corpus, for a bootstrap.

    Raises
    ------
    InputError
        If there is no label at all, or one example.

    Warns
    -----
    UserWarning
        If a label that the metric selects does not occur.
    """
    _warn_of_absent(tally, spec)
    counts = tally.counts
    check_several("references", counts.n)
    rows1, rows2, multiplicities = counts.rows1, counts.rows2, counts.multiplicities
    if spec.averages_classes:
        _check_some_right(_of_classes(tally)[1], spec)
        return of_classes(counts, spec)
    if spec.name == "squad_f1":
        return of_shares(counts)
    if rows1.ndim == 1:
        return of_means(rows1, rows2, multiplicities, 1)
    if spec.name in _SAME_DENOMINATOR and not rows1[:, 1].any():
        _check_divisor(spec)
    pairs1, pairs2 = (rows1[:, 0], rows1[:, 1]), (rows2[:, 0], rows2[:, 1])
    return of_ratios(pairs1, pairs2, multiplicities, spec.zero_division)


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
    _warn_of_absent(found, spec)
    if spec.averages_classes:
        counts, gold = _of_classes(tallied(found))
        _check_some_right(gold, spec)
        return class_problem(counts, gold, spec, alternative)
    if spec.name == "squad_f1":
        return share_problem(tallied(found).counts, alternative)
    if isinstance(found, Tally):
        return _ratio_of_counts(found.counts, spec, alternative)
    rows1, rows2, _, _ = found
    if rows1.ndim == 1 and found.shared:
        differences = DifferenceCounts.from_scores(rows1, rows2)
        return mean_problem(differences, found.shared, alternative)
    if rows1.ndim == 1:
        _check_divisor(spec)
        rows1, rows2 = (np.stack((rows, np.zeros_like(rows)), axis=1) for rows in (rows1, rows2))
    pairs = rows1[:, 0], rows1[:, 1], rows2[:, 0], rows2[:, 1]
    ratios = RatioDifferences.from_pairs(pairs, None, found.shared, spec.zero_division)
    return ratio_problem(ratios, alternative)


def _ratio_of_counts(counts: PairedCounts, spec: MetricSpec, alternative: str) -> Problem:
    """Of rows (numerator, denominator), or of numerators whose denominator is 1."""
    rows1, rows2, multiplicities = counts.rows1, counts.rows2, counts.multiplicities
    if rows1.ndim == 1:
        return mean_problem(DifferenceCounts.from_counts(counts), counts.n, alternative)
    if spec.name in _SAME_DENOMINATOR:
        denominator = exact_dot(multiplicities, rows1[:, 1])
        if denominator:
            numerators = of_units(rows1[:, 0], rows2[:, 0], multiplicities, 0)
            differences = DifferenceCounts.from_counts(numerators)
            return mean_problem(differences, denominator, alternative)
        _check_divisor(spec)
    pairs = rows1[:, 0], rows1[:, 1], rows2[:, 0], rows2[:, 1]
    ratios = RatioDifferences.from_pairs(pairs, multiplicities, 0, spec.zero_division)
    return ratio_problem(ratios, alternative)


def _warn_of_absent(found: Contributions | Tally, spec: MetricSpec) -> None:
    """Where a label that the metric selects does not occur."""
    absent = [label for label in spec.selected or () if label not in found.seen]
    if absent:
        hint = " These are types of entities: 'PER', not 'B-PER'." if spec.name == "span_f1" else ""
        warn(
            f"`{spec.choice}`: {', '.join(map(repr, absent))} "
            f"occurs neither in the predictions nor in the references.{hint}"
        )


def _check_some_right(gold: NDArray[np.int64], spec: MetricSpec) -> None:
    """Where all classes count there must be some."""
    if not gold.any() and spec.selected is None:
        raise InputError(_EMPTY)


def _check_divisor(spec: MetricSpec) -> None:
    """Where nothing is there to divide by: recall may have no label that is right."""
    if not spec.counts_labels:
        raise InputError(_NO_WORD if spec.name == "word_error_rate" else _EMPTY)


def _of_classes(tally: Tally) -> tuple[PairedCounts, NDArray[np.int64]]:
    """Rows (correct, predicted) of the classes, and how many labels of each there are."""
    counts, n = tally.counts, 2 * len(tally.classes)
    if not n:
        return counts, np.zeros(0, dtype=np.int64)
    gold = [exact_dot(counts.multiplicities, column) for column in counts.rows1[:, n:].T]
    rows1, rows2 = counts.rows1[:, :n], counts.rows2[:, :n]
    trimmed = of_units(rows1, rows2, counts.multiplicities, 0)
    return trimmed, np.array(gold, dtype=np.int64)
