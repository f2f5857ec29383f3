"""What p can be, given only how many examples each system has right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pairedperm.errors import counted
from pairedperm.results.figures import Figures, unit_of
from pairedperm.results.result import attributes, versioned
from pairedperm.results.sentence import p_beside, significance
from pairedperm.results.table import Number, Table, Tabular


@dataclass(frozen=True, slots=True, repr=False)
class PvalueBounds(Tabular):
    """The result of `pvalue_bounds`: the ends of p over all data with two accuracies; print it.

    Attributes
    ----------
    correct1, correct2 : tuple of int, length 2
        The least and the greatest number of right answers that the score of system 1, and of system
        2, stands for.
    n : int
        The number of examples.
    p_low, p_high : float
        The smallest and the largest p that these data can have.
    log_p_low, log_p_high : float
        Their natural logarithms.
    is_significant : bool or None
        True if all these data show a significant difference, False if none do. None if it depends
        on how many examples differ: on how many only one of the systems is right.
    most_differing : int or None
        If at most so many examples differ, all these data are significant. If more differ, none
        are, provided that the numbers of right answers are known. None if no number is so small,
        and unless `is_significant` is None.
    alternative : str
        "two-sided", "greater" (system 1 is better) or "less".
    alpha : float
        The level: a difference with p ≤ alpha is significant.
    """

    correct1: tuple[int, int]
    correct2: tuple[int, int]
    n: int
    p_low: float
    p_high: float
    log_p_low: float
    log_p_high: float
    is_significant: bool | None
    most_differing: int | None
    alternative: str
    alpha: float

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, bool, str, list or None
            The attributes under their names; tuples are lists. "schema_version" is the last key.
        """
        return versioned(attributes(self))

    @property
    def _ends(self) -> tuple[Number, Number]:
        """Both ends of p as they are printed."""
        return (
            p_beside(self.alpha, self.p_low, self.log_p_low),
            p_beside(self.alpha, self.p_high, self.log_p_high),
        )

    def _lines(self) -> Iterator[str]:
        yield f"{_right(self.correct1)} against {_right(self.correct2)} of {self._scores}"
        low, high = self._ends
        p = f"p = {low}" if self.p_low == self.p_high else f"p from {low} to {high}"
        is_two_sided = self.alternative == "two-sided"
        yield f"{p}, {'' if is_two_sided else 'one-sided, '}{self.alternative}"
        yield self._verdict

    def _table(self) -> Table:
        right = [*map(_right, (self.correct1, self.correct2))]
        header = ["n", "system 1 right", "system 2 right", "least p", "largest p"]
        row = [Number(f"{self.n:,}", self.n), *right, *self._ends]
        return Table(header, [row], f"{self._verdict[0].upper()}{self._verdict[1:]}.", n_names=0)

    @property
    def _scores(self) -> str:
        """The number of examples, and both accuracies if they are known."""
        (one, last1), (two, last2), n = self.correct1, self.correct2, self.n
        text = f"{counted(n, 'example')} {'is' if n == 1 else 'are'} right"
        if one != last1 or two != last2:
            return text
        figures = Figures(unit_of("accuracy"), one / n, two / n, (one - two) / n)
        return f"{text}: {figures.in_words[0]} against {figures.in_words[1]}"

    @property
    def _verdict(self) -> str:
        """Whether the difference is significant, or with how many differing examples."""
        if self.is_significant is not None:
            verdict = significance(self.is_significant, self.alpha)
            return verdict if self.p_low == self.p_high else f"{verdict}, whichever are right"
        verdict = significance(True, self.alpha)
        if self.most_differing is None:
            return f"{verdict} for some of these data only"
        share = 100.0 * (self.n - self.most_differing) / self.n
        few = f"if at most {self.most_differing:,} examples differ"
        return f"{verdict} {few}, an agreement of {share:.4g}% or more"


def _right(ends: tuple[int, int]) -> Number:
    """Write a number of right answers, or the ends of several."""
    low, high = ends
    return Number(f"{low:,}", low) if low == high else Number(f"{low:,} to {high:,}", ends)
