"""The result of recomputing a published p-value from its table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from pairedperm.errors.wording import shown
from pairedperm.results.figures import Figures, unit_of
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import versioned, without_version
from pairedperm.results.sentence import ends_of_p, format_pvalue, groups_in_words, metric_in_words
from pairedperm.results.table import Number, Table, Tabular

Status = Literal["confirmed", "consistent", "refuted"]
_WORDS: dict[Status, str] = {
    "confirmed": "p as recomputed lies in the stated interval.",
    "consistent": "the interval of p as recomputed meets the stated one, and is wider.",
    "refuted": "the table does not give what was stated.",
}
_LONG = 40  # tuned: a fraction of more characters is not printed


@dataclass(frozen=True, slots=True, repr=False)
class Verification(Tabular):
    """The result of `verify`; print it.

    Attributes
    ----------
    status : {"confirmed", "consistent", "refuted"}
        "confirmed": the recomputed p lies in the stated interval. "consistent": the recomputed p is
        less exact, and its interval overlaps the stated one. "refuted": p, or another number, is
        not what the table gives.
    differing : tuple of str
        The numbers that differ, such as "score1 is 0.9 and was stated as 0.95".
    unchecked : tuple of str
        The keys of the published result that the table does not tell, such as "seed". Others are
        recomputed and compared.
    stated : dict
        The published result.
    result : PairedPermutationResult
        The recomputed result; its `method` is the engine.
    same_engine : bool
        p was recomputed by the engine that gave the stated p, because no other fits the budget.
    sha256 : str
        The SHA-256 digest of the table, in hexadecimal.
    fraction : fractions.Fraction or None
        The true p, if the engine gives it as a fraction.
    exit_code : int
        1 for "refuted", otherwise 0.
    """

    status: Status
    differing: tuple[str, ...]
    unchecked: tuple[str, ...]
    stated: dict[str, Any] = field(hash=False)
    result: PairedPermutationResult
    same_engine: bool
    sha256: str

    @property
    def fraction(self) -> Fraction | None:
        """The true p, if the engine gives it as a fraction; otherwise None."""
        return self.result.fraction

    @property
    def exit_code(self) -> int:
        """The exit code: 1 for "refuted", otherwise 0."""
        return int(self.status == "refuted")

    def to_dict(self) -> dict[str, Any]:
        """Return the verification as a dict, ready for JSON.

        Returns
        -------
        dict
            - "status": str; "differing", "unchecked": lists of str;
            - "stated": dict, the published result;
            - "recomputed": dict, `PairedPermutationResult.to_dict` of the recomputed result;
            - "fraction": the true p as text such as "5/8", or None;
            - "same_engine": bool; "sha256": str; "schema_version": 1.
        """
        keys = {
            "status": self.status,
            "differing": [*self.differing],
            "unchecked": [*self.unchecked],
            "stated": self.stated,
            "recomputed": without_version(self.result.to_dict()),
            "fraction": None if self.fraction is None else str(self.fraction),
            "same_engine": self.same_engine,
            "sha256": self.sha256,
        }
        return versioned(keys)

    def _table(self) -> Table:
        rows = []
        for name, kept in (("stated", self.stated), ("recomputed", self.result.to_dict())):
            scores = Figures(unit_of(kept["metric"]), kept["score1"], kept["score2"], kept["stat"])
            p = Number(format_pvalue(kept["log_p"]), kept["p"])
            ends = " to ".join(format_pvalue(kept[x], 6) for x in ("log_p_low", "log_p_high"))
            interval = Number(ends, (kept["p_low"], kept["p_high"]))
            rows.append([name, *scores.row, p, interval, kept["method"]])
        header = ["", "system 1", "system 2", "difference", "p", "interval of p", "method"]
        return Table(header, rows, "\n".join([self._outcome, *self.differing, *self._doubts()]))

    @property
    def _outcome(self) -> str:
        return f"{self.status.upper()}: {_WORDS[self.status]}"

    def _doubts(self) -> Iterator[str]:
        """Yield what the recomputed numbers do not show."""
        if self.same_engine:
            seed = "" if self.result.seed is None else ", with another seed"
            yield f"No other engine fits the budget: this is the one that gave the stated p{seed}."
        if self.unchecked:
            yield f"Not checked: {', '.join(map(shown, self.unchecked))}."

    def _lines(self) -> Iterator[str]:
        result = self.result
        yield self._outcome
        yield from self.differing
        score1, score2, _ = result._scores.in_words
        yield f"{metric_in_words(result)}: {score1} against {score2}"
        yield f"{result.n:,} examples{groups_in_words(result)}, {result.n_differing:,} differ"
        ends = " to ".join(
            format_pvalue(self.stated[key], 13) for key in ("log_p_low", "log_p_high")
        )
        kind = "certified" if self.stated["interval"] == "certified" else "99% interval"
        stated = format_pvalue(self.stated["log_p"])
        yield f"stated by {self.stated['method']!r}: p = {stated} ({kind}: {ends})"
        if n_resamples := self.stated["n_resamples"]:
            yield f"The stated p is an estimate from {n_resamples:,} samples."
        recomputed = f"recomputed by {result.method!r}: p = {format_pvalue(result.log_pvalue, 13)}"
        if self.fraction is not None and len(str(self.fraction)) <= _LONG:
            yield f"{recomputed} = {self.fraction}"
        elif self.fraction is not None:
            yield f"{recomputed} (as a fraction of integers)"
        else:
            yield f"{recomputed} ({ends_of_p(result, 13)})"
        yield from self._doubts()
        yield f"SHA-256 of the table: {self.sha256}"
