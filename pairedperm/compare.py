"""Two systems' predictions in, the result of a test out."""

from __future__ import annotations

from typing import Any

from pairedperm.contributions import METRICS, Metric, check_denominator
from pairedperm.differences import DifferenceCounts
from pairedperm.labels import read_labels
from pairedperm.options import (
    MAX_BYTES,
    MAX_FREQUENCIES,
    Alternative,
    Method,
    check_option,
    read_options,
)
from pairedperm.result import PairedPermutationResult
from pairedperm.sign_flip import sign_flip_test

__all__ = ["compare"]


def compare(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: Metric = "accuracy",
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    max_frequencies: int = MAX_FREQUENCIES,
    max_bytes: int = MAX_BYTES,
) -> PairedPermutationResult:
    """Does one system really beat another? Exact paired-permutation test on predictions.

    Null hypothesis: on every example the outputs of the two systems are exchangeable. The
    p-value is the share of all 2^n ways of swapping them, example by example, in which the
    difference of the scores is at least as extreme as the observed one; ties count.

    Parameters
    ----------
    predictions1, predictions2 : sequence, length n
        The labels that system 1 and system 2 predict: integers, bools or strings, one an
        example, or a sequence of them an example (tagging). Lists, tuples, arrays (also of
        shape (n, length)), tensors, Series, dataset columns.
    references : sequence, length n
        The right labels, in the same form and of the same type; bools are integers.
    metric : {"accuracy", "exact_match"}
        "accuracy": correct labels / all labels. Where examples are sequences the whole
        sequence is swapped, since its labels are not independent.
        "exact_match": examples that are right as a whole / all examples; a sequence of
        another length than its reference is wrong.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher.
    method : {"auto", "exact"}
    max_frequencies, max_bytes : int
        See `paired_permutation_test`; labels come nowhere near the budget.

    Returns
    -------
    PairedPermutationResult
        Scores lie in [0, 1]. Identical systems have p = 1.

    Raises
    ------
    InputError
        If a column is missing or empty, holds missing labels or anything but integers or
        strings; if lengths differ, of the columns or of a sequence and its reference
        ("accuracy"); if a prediction is an integer and its reference a string; if an option
        is unknown.

    Notes
    -----
    Cost and accuracy are those of `paired_permutation_test`.

    Examples
    --------
    >>> from pairedperm import compare
    >>> result = compare(["a", "b", "b"], ["a", "a", "a"], ["a", "b", "b"])
    >>> result.score1, result.pvalue
    (1.0, 0.5)

    Part-of-speech tags, a list of them a sentence:

    >>> compare([["DET", "NOUN"], ["VERB"]], [["DET", "VERB"], ["VERB"]],
    ...         [["DET", "NOUN"], ["NOUN"]], metric="accuracy").score2
    0.3333333333333333
    """
    metric_name = check_option("metric", metric, tuple(METRICS))
    options = read_options(
        alternative=alternative, method=method, max_frequencies=max_frequencies, max_bytes=max_bytes
    )
    labels = [
        read_labels(name, column)
        for name, column in (
            ("predictions1", predictions1),
            ("predictions2", predictions2),
            ("references", references),
        )
    ]
    scores1, scores2, denominator = METRICS[metric_name](*labels)
    return sign_flip_test(
        DifferenceCounts.from_scores(scores1, scores2),
        check_denominator(denominator),
        metric_name,
        options,
    )
