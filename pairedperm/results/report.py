"""The report of a test: its examples, their differences, and why its method was chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pairedperm.population.evidence import Evidence
from pairedperm.results.sentence import format_pvalue, groups_in_words
from pairedperm.results.table import Number, Table, Tabular


@dataclass(frozen=True, slots=True, repr=False)
class Report(Tabular):
    """A check list to read before you trust a result; print it.

    Attributes
    ----------
    paired_by : str
        How the outputs of the two systems were paired: by "position" or by "id".
    n : int
        Number of examples.
    n_ignored : int
        Number of labels of the references that were left out.
    n_differing : int
        Number of examples, or of groups, on which the two systems' contributions differ. Only
        these carry evidence.
    n_groups : int or None
        Number of groups; None without `groups`.
    n_wins, n_losses, n_ties : int or None
        Numbers of examples that speak for system 1, for system 2 and for neither. For a mean, an
        example speaks for the system that scores better on it. For other scores, it speaks for a
        system if swapping it would change the difference against this system. If lower is better,
        as for an error rate, the lower score is the better one. None for counts of groups.
    log_smallest_pvalue : float or None
        The natural logarithm of the smallest p that this number of differing examples can give:
        p = 2^(1 - n_differing) if two-sided, 2^-n_differing if one-sided. None for a bootstrap.
    method : str
        The method that ran.
    reason : str
        Why this method ran.
    """

    paired_by: str
    n: int
    n_ignored: int
    n_differing: int
    n_groups: int | None
    n_wins: int | Any  # None for counts of groups
    n_losses: int | Any
    n_ties: int | Any
    log_smallest_pvalue: float | None
    method: str
    reason: str

    @classmethod
    def of(cls, result: Any, log_smallest: float | None) -> Report:
        """Make the report of a result from its evidence."""
        evidence: Evidence = result.evidence_for("report")
        tells_wins = evidence.rows.sizes is None
        return cls(
            paired_by=evidence.rows.provenance.paired_by,
            n=result.n,
            n_ignored=result.n_ignored,
            n_differing=result.n_differing,
            n_groups=result.n_groups,
            n_wins=result.n_wins if tells_wins else None,
            n_losses=result.n_losses if tells_wins else None,
            n_ties=result.n_ties if tells_wins else None,
            log_smallest_pvalue=log_smallest,
            method=result.method,
            reason=result.plan.reason,
        )

    def _table(self) -> Table:
        counts = {
            "examples": self.n,
            "groups": self.n_groups,
            "labels ignored": self.n_ignored or None,
            "differ": self.n_differing,
            "wins": self.n_wins,
            "losses": self.n_losses,
            "ties": self.n_ties,
        }
        cells = {name: Number(f"{x:,}", x) for name, x in counts.items() if x is not None}
        if (log_least := self.log_smallest_pvalue) is not None:
            cells["smallest p"] = Number(format_pvalue(log_least), math.exp(log_least))
        row = [self.paired_by, *cells.values(), self.method]
        return Table(["paired by", *cells, "method"], [row], self._reasoned)

    def __str__(self) -> str:
        differ = f"{self.n_differing:,} {'' if self.n_groups is None else 'groups '}differ"
        lines = [
            f"{self.n:,} examples{groups_in_words(self)}, paired by {self.paired_by}; {differ}"
        ]
        if self.n_ignored:
            lines.append(f"labels ignored: {self.n_ignored:,}")
        if self.n_wins is not None:
            wins = f"wins {self.n_wins:,}, losses {self.n_losses:,}, ties {self.n_ties:,}"
            lines.append(f"of system 1: {wins}")
        if self.log_smallest_pvalue is not None:
            lines.append(f"smallest possible p: {format_pvalue(self.log_smallest_pvalue)}")
        return "\n".join([*lines, self._reasoned])

    @property
    def _reasoned(self) -> str:
        """The method and the reason for it."""
        return f"method {self.method!r}: {self.reason}" if self.reason else self.method


@dataclass(frozen=True, slots=True)
class Plan:
    """The method that a test will use, or has used, and its cost.

    Attributes
    ----------
    method : str
        The method that will run, never "auto".
    rank : int
        The number of sums that the swaps move independently: the dimension of the lattice that the
        differences span. 0 if no example differs. An upper bound if sampling was asked for. For a
        bootstrap, the number of sums that are drawn.
    grid : tuple of int or None
        The approximate number of points of the exact p in each dimension. There may be fewer
        dimensions than `rank` if p is already known, and more if differences are taken one by one.
        None if there are too many points to lay out, and for "bracket", which finds out how many
        frequencies it needs. None also if sampling was asked for.
    n_points : int
        The number of points of the grid; a lower bound if `grid` is None. If sampling was asked
        for, the number of sums of all swaps. For the ideal bootstrap, the points of the law of the
        difference; 0 if resamples are drawn.
    n_bytes : int
        The approximate memory for the exact p, or for the sampling that was asked for. 0 for the
        ideal bootstrap, which finds out while it runs.
    seconds : float
        The approximate time of the method without reading the input. It is estimated from counts
        of work, so it is the same on every machine. If "auto" samples, it is the time for a small
        p; a large p takes fewer samples and far less. 0 for the ideal bootstrap.
    reason : str
        Why this method was chosen.
    """

    method: str
    rank: int
    grid: tuple[int, ...] | None
    n_points: int
    n_bytes: int
    seconds: float
    reason: str


def asked_for(method: str) -> str:
    """Return the reason for sampling that the caller asked for."""
    return f"asked for with method={method!r}"
