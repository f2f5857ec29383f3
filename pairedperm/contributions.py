"""Metrics: what each example contributes to the score of each system, in integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.labels import Labels
from pairedperm.matching import exact_matches, matches

__all__ = ["METRICS", "Contributions", "Metric", "check_denominator"]

Metric = Literal["accuracy", "exact_match"]


class Contributions(NamedTuple):
    """A system's score is Σ scores / denominator; no swap changes the denominator.

    Those of a part of a corpus may have the denominator 0, the whole may not.
    """

    scores1: NDArray[np.int64]
    scores2: NDArray[np.int64]
    denominator: int


def accuracy(predictions1: Labels, predictions2: Labels, references: Labels) -> Contributions:
    """Correct labels among all labels; a sequence contributes all of its labels at once."""
    return Contributions(
        matches(predictions1, references),
        matches(predictions2, references),
        len(references.flat),
    )


def exact_match(predictions1: Labels, predictions2: Labels, references: Labels) -> Contributions:
    """Examples that are right as a whole among all examples."""
    return Contributions(
        exact_matches(predictions1, references),
        exact_matches(predictions2, references),
        references.n,
    )


METRICS: dict[str, Callable[[Labels, Labels, Labels], Contributions]] = {
    "accuracy": accuracy,
    "exact_match": exact_match,
}


def check_denominator(denominator: int) -> int:
    """The denominator of a whole corpus.

    Raises
    ------
    InputError
        If it is 0.
    """
    if denominator == 0:
        raise InputError("`references` holds no label: every sequence is empty.")
    return denominator
