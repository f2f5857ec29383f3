"""Metrics: what each example contributes to the score of each system, in integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.labels import Labels, exact_matches, matches

__all__ = ["METRICS", "Contributions", "Metric"]

Metric = Literal["accuracy", "exact_match"]


class Contributions(NamedTuple):
    """A system's score is Σ scores / denominator; no swap changes the denominator."""

    scores1: NDArray[np.int64]
    scores2: NDArray[np.int64]
    denominator: int


def accuracy(predictions1: Labels, predictions2: Labels, references: Labels) -> Contributions:
    """Correct labels among all labels; a sequence contributes all of its labels at once."""
    n_labels = len(references.flat)
    scores1, scores2 = matches(predictions1, references), matches(predictions2, references)
    if n_labels == 0:
        raise InputError("`references` holds no label: every sequence is empty.")
    return Contributions(scores1, scores2, n_labels)


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
