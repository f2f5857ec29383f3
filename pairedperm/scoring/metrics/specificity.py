"""Specificity of labels: the recall of all labels but the one that counts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Setting
from pairedperm.inputs.labels import Columns
from pairedperm.scoring.call_options import Average
from pairedperm.scoring.metrics.label_scores import LabelScore
from pairedperm.scoring.ratio import Ratio
from pairedperm.scoring.rows import Rows, repeated
from pairedperm.scoring.scores import Score
from pairedperm.scoring.vocabulary import labels_to_check


@dataclass(frozen=True, kw_only=True, repr=False)
class Specificity(LabelScore):
    """True negatives / (true negatives + false positives) of the label `pos_label`.

    For two classes this is scikit-learn's recall of the other class.

    Reported as a share; higher is better. p is exact (one sum, since swaps keep the right labels):
    6 ms for a million examples.

    Parameters
    ----------
    pos_label : int, str or None
        The label that counts as positive; all others are negative. None is 1 if all labels are 0 or
        1.
    zero_division : float
        The score where no right label is negative, from 0 to 1.
    multilabel : bool
        Whether each example has a set of labels. A set is negative if it lacks `pos_label`.
    ignore_label : int or None
        The integer that stands for no label in sequences of references; None if no integer does.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = ["ill", "well", "well", "well"]
    >>> one, two = ["ill", "well", "well", "well"], ["well", "ill", "well", "ill"]
    >>> result = compare(one, two, right, metric="specificity", pos_label="ill")
    >>> result.score1, result.score2
    (1.0, 0.3333333333333333)
    """

    name = "specificity"
    aliases = ("tnr", "selectivity")
    one_label = "it", ""
    average: Average = field(init=False, default="binary")
    labels: Collection[int | str] | None = field(init=False, default=None)

    def following(self) -> dict[str, Any]:
        if self.pos_label is None and self.multilabel:
            raise InputError(
                *(Name("pos_label"), " is missing: with ", Setting("multilabel", "True")),
                " say which label is positive",
            )
        return super().following()

    def count(self, columns: Columns) -> Rows:
        """Return true negatives, and all negatives of the references."""
        rows = super().count(columns)
        lengths = None if self.has_sets else columns[2].lengths
        n_labels: Any = 1 if lengths is None else lengths
        negatives = []
        for correct, predicted, right in (rows.rows1.T, rows.rows2.T):
            n_right = n_labels - right
            negatives.append(np.array((n_right - predicted + correct, n_right)).T)
        to_check = labels_to_check(columns, self.selected or (), sets=self.has_sets)
        return repeated(negatives[0], negatives[1], rows.multiplicities).noting(to_check=to_check)

    def score(self, rows: Rows) -> Score:
        """Return the share of all negative labels that are predicted so."""
        return Ratio((1, 0), (0, 1), zero_division=self.without)
