"""The mean of given scores of the examples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python
from pairedperm.inputs.labels import COLUMNS, check_lengths
from pairedperm.options import Range
from pairedperm.options.constraints import Text
from pairedperm.scoring.merging import check_range, near_ends, rows_of_scores
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.metrics.log_likelihood import read_given_scores
from pairedperm.scoring.rows import Rows


@dataclass(frozen=True, kw_only=True, repr=False)
class MeanScore(Metric):
    """The mean of one score for each example, which a judge or another program gave.

    Predictions are the scores, and references None. Decimals and fractions are exact.

    Reported as a number; higher is better. p is exact (one sum): 3 ms for a million integers, 30 ms
    for 10,000 scores of six decimals. For numbers of more than 13 digits an interval bounds p.

    Parameters
    ----------
    of : str or None
        The name of the scores, for reports: "acc" is reported as "mean acc".
    lower_is_better : bool
        Whether the scores count errors, or are losses.
    score_range : (float, float) or None
        The least and the greatest score that there may be, if you know them beforehand. The
        guaranteed interval needs them. If all scores are one of these two, as right and wrong are,
        the exact interval is used. None: also if all scores are 0 or 1.

    Examples
    --------
    >>> from pairedperm import compare
    >>> large, small = [0.61, 0.48, 0.95, 0.72], [0.55, 0.50, 0.91, 0.64]
    >>> result = compare(large, small, None, "mean_score", of="chrF")
    >>> round(result.score1, 2), round(result.score2, 2), result.pvalue
    (0.69, 0.65, 0.25)
    """

    name = "mean_score"
    words = "mean score"
    aliases: ClassVar[tuple[str, ...]] = ("mean", "mean_scores", "scores", "score")
    unit = "number"
    has_references = False
    limits = -math.inf, math.inf
    of: Annotated[str | None, Text(words="the name of the scores, as text")] = None
    lower_is_better: bool = False
    score_range: Annotated[tuple[float, float] | None, Range()] = None

    def following(self) -> dict[str, Any]:
        of = None if self.of is None else " ".join(self.of.split())
        return {"of": of, "limits": self.score_range or self.limits}

    @property
    def in_words(self) -> str:
        return self.words if self.of is None else f"mean {self.of}"

    @staticmethod
    def read_column(name: str, column: Any, start: int) -> NDArray[Any] | None:
        """Read scores; there must be no references."""
        if name != COLUMNS[2]:
            return read_given_scores(name, column, start, "a score for each example", "example")
        if column is not None:
            none = Python("None", "left out")
            raise InputError(
                Name("references"),
                must=Parts("be ", none, " for metric 'mean_score', whose predictions are scores"),
                remedy="they say already how good each example is",
            )
        return None

    def rows(
        self, predictions1: NDArray[Any], predictions2: NDArray[Any], references: None
    ) -> Rows:
        """Return the scores."""
        one, two = COLUMNS[:2]
        check_lengths(one, len(predictions1), two, len(predictions2))
        rows = rows_of_scores(one, predictions1, two, predictions2).owned()
        if self.score_range is not None:
            check_range(one, rows.rows1, self.score_range, rows.unit)
            check_range(two, rows.rows2, self.score_range, rows.unit)
            if rows.no_lattice:  # 0.1 + 0.2 is 0.3
                scores1, scores2 = (np.clip(x, *self.score_range) for x in (rows.rows1, rows.rows2))
                rows = rows.having(rows1=scores1, rows2=scores2)
        return rows

    def is_right_or_wrong(self, rows: Rows) -> bool:
        """Tell whether all scores are the least or the greatest that there may be."""
        if self.score_range is None:
            return False
        (low, high), near = self.score_range, near_ends(self.score_range)
        columns = (x / rows.unit for x in (rows.rows1, rows.rows2))
        return all((np.minimum(abs(x - low), abs(x - high)) <= near).all() for x in columns)
