"""The result of `preference`: which system a judge prefers, and whether it likes a place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from pairedperm.errors import counted
from pairedperm.options import ALPHA
from pairedperm.population.intervals import ConfidenceInterval
from pairedperm.results.result import PairedResult, attributes, versioned, without_version
from pairedperm.results.told import GivenNames, Telling, Told
from pairedperm.results.words import ends_in_words, p_without_log, pair_of_names

Order = Literal["both", "random", "balanced", "unknown"]
_ORDERS: dict[Order, str] = {
    "both": "Each item was judged in both orders.",
    "random": "Which system stood first was drawn by a coin.",
    "balanced": (
        "Each system stood first on a random half of the items: p is approximate if the judge's "
        "liking for a place differs between items."
    ),
    "unknown": (
        "It is unknown which system stood first, or one always did: p, the win rate and its "
        "interval may be the judge's liking for a place."
    ),
}


@dataclass(frozen=True, repr=False)
class PreferenceResult(Telling):
    """The result of `preference`; print it.

    Attributes
    ----------
    test : PairedResult
        The paired test of the two win rates.
    names : tuple of str, length 2
        The names of the two systems.
    order : {"both", "random", "balanced", "unknown"}
        How the places of the answers were chosen.
    n_verdicts : int
        The number of verdicts; `test.n` is that of items.
    n_first, n_second : int or None
        The numbers of verdicts that the answer shown first wins, or the one shown second. None if
        it is not known who stood where, or if the order is unknown.
    pvalue_place : float or None
        The exact two-sided p-value that the verdicts do not depend on places; None as above.
    """

    test: PairedResult
    names: tuple[str, str]
    order: Order
    n_verdicts: int
    n_first: int | None = None
    n_second: int | None = None
    pvalue_place: float | None = None

    @property
    def pvalue(self) -> float:
        """The p-value of the paired test."""
        return self.test.pvalue

    @property
    def win_rate(self) -> float:
        """The mean over items of system 1's share of the verdicts, with a tie as half a win."""
        return float(self.test.score1)

    @property
    def interval(self) -> ConfidenceInterval | None:
        """The interval of the win rate; None of one item, and of a one-sided test."""
        return self.test.score1_interval

    def to_dict(self) -> dict[str, Any]:
        """Return the keys of `test.to_dict()` and the other attributes, ready for JSON.

        Returns
        -------
        dict of str to float, int, str, dict or None
            "system1" and "system2" are the names. The win rate is "score1", the ends of its
            interval are "score1_low" and "score1_high". "schema_version" is the last key.
        """
        systems = dict(zip(("system1", "system2"), self.names, strict=True))
        own = systems | attributes(self, "test", "names")
        return versioned(without_version(self.test.to_dict()) | own)

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`."""
        told = self.test.told(pair_of_names(names, self.names), alpha)
        return replace(told, sentences=[*told.sentences, *self._sentences(alpha or ALPHA)])

    def _sentences(self, alpha: float) -> Iterator[str]:
        text = f"{counted(self.n_verdicts, 'verdict')} on {counted(self.test.n, 'item')}; a tie is "
        text += "half a win"
        if self.interval is not None:
            ends = ends_in_words([100.0 * x for x in self.interval], 100.0 * self.win_rate, [50.0])
            level = f"{100.0 * (self.test.confidence_level or 0.0):.12g}%"
            text += f"; {level} {self.interval.method} confidence interval of the win rate {ends}%"
        yield f"{text}."
        yield _ORDERS[self.order]
        if self.pvalue_place is not None and self.n_first is not None and self.n_second is not None:
            is_found = self.pvalue_place <= alpha
            finding = "the judge likes a place" if is_found else "no liking for a place was found"
            n, p = self.n_first + self.n_second, p_without_log(self.pvalue_place, alpha)
            text = f"The answer shown first wins {self.n_first:,} of {counted(n, 'verdict')} that "
            yield f"{text}are no ties: {finding} (exact, by items; p = {p})."
