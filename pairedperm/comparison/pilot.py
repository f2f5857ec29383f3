"""The pilot of a planned test, and the population that it stands for."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from pairedperm.comparison.population import Population
from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, Parts, Python, Setting, describe
from pairedperm.options import CONFIDENCE_LEVEL
from pairedperm.options.constraints import is_number
from pairedperm.population.difference import difference_interval, of_one_size
from pairedperm.population.evidence import Evidence
from pairedperm.population.flips import Flips, Planned, Power
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import PairedResult
from pairedperm.scoring.arguments import read_counts
from pairedperm.scoring.counts import PairedCounts
from pairedperm.scoring.scores import Mean

_IN_A_SHELL = Parts(Setting("wins", "0.06"), " ", Setting("losses", "0.03"))
_SHARES = Python(Setting("pilot", "(0.06, 0.03)"), _IN_A_SHELL)
_TOO_MUCH = 1e-12  # proof: rounding lets two shares exceed 1 by less


class Law(Protocol):
    """The population of examples: `Flips`, or a `Population`."""

    @property
    def difference(self) -> float:
        """The difference of the scores."""

    @property
    def share_differing(self) -> float:
        """The share of examples, or groups, that differ."""

    @property
    def shares(self) -> tuple[float, float] | None:
        """The shares of wins and losses, if all differences have one size; otherwise None."""

    def power(self, n: int, test: Planned) -> Power:
        """Return the power of a test of n examples."""

    def n_needed(self, power: float, test: Planned) -> int | None:
        """Return the least n such that n to 1.1 n have this power, or about; None above `MOST`."""

    def detectable(self, n: int, power: float, test: Planned) -> Law | None:
        """Return the law with the least difference that n examples detect, or None."""

    def at(self, difference: float) -> Law | None:
        """Return the most similar law with this difference; None if there is none."""

    def led(self, lead: float) -> Law:
        """Return these examples, some swapped: (1 + lead) / 2 that differ speak for system 1."""


class Pilot(NamedTuple):
    """The population of examples, and the pilot that it comes from, if there is one."""

    law: Law
    evidence: Evidence | None = None
    result: PairedResult | None = None

    @property
    def metric(self) -> str | None:
        """The name of the pilot's metric."""
        metric = None if self.evidence is None else self.evidence.metric
        return None if metric is None else metric.name

    @property
    def n(self) -> int | None:
        """Number of examples, or of groups."""
        return None if self.evidence is None else self.evidence.drawn[0].n

    @property
    def in_groups(self) -> bool:
        """True if the pilot has groups of examples."""
        return self.evidence is not None and self.evidence.rows.n_groups is not None

    def interval(self) -> tuple[float, float] | None:
        """Return the 95 % interval of the difference, as the result prints it."""
        if self.evidence is None:
            return None
        if (
            isinstance(self.result, PairedPermutationResult)
            and self.result.alternative == "two-sided"
        ):
            found = self.result.confidence_interval(CONFIDENCE_LEVEL)
        else:
            rows, score = self.evidence.drawn
            found = difference_interval(rows, score, CONFIDENCE_LEVEL, 0, self.evidence.bound)
        return found.low, found.high


def read_pilot(pilot: Any) -> Pilot:
    """Read the pilot.

    Raises
    ------
    InputError
        If it is no pilot, has only one example, or has no example that differs.
    """
    if isinstance(pilot, PairedCounts):
        if pilot.metric is None and pilot.rows1.ndim != 1:
            must, why = "count one number per example", "rows have no score of their own"
            instead = Parts("Pass the result of `paired_permutation_test` with its ", Name("score"))
            raise InputError(Name("pilot"), must=must, got=repr(pilot), remedy=(why, instead))
        return _of_evidence(Evidence(*read_counts("pilot", pilot)))
    if isinstance(pilot, PairedResult):
        if pilot.score1 is None:
            must, remedy = "be a comparison of scores", "a statistic has none"
            raise InputError(Name("pilot"), must=must, remedy=remedy)
        return _of_evidence(pilot.evidence_for("pilot"), pilot)
    return Pilot(_read_flips(pilot))


def _of_evidence(evidence: Evidence, result: PairedResult | None = None) -> Pilot:
    rows, simple = evidence.drawn
    what = "examples" if evidence.rows.n_groups is None else "groups"
    if rows.n < 2:
        one, why = f" has only one of the {what}", "it does not tell how they vary"
        raise InputError(Name("pilot"), one, remedy=(why, "Some dozens do"))
    if not rows.n_differing:
        raise no_difference(
            f"on all of its {rows.n:,} {what} both systems score the same",
            "Say which shares you expect to differ, such as ",
        )
    if isinstance(simple, Mean) and (found := of_one_size(rows, simple)):
        size, wins, losses, n = found  # n counts the examples with a size
        seen = wins, losses, rows.n
        flips = Flips(wins / rows.n, losses / rows.n, size * rows.n / n, seen)
        return Pilot(flips, evidence, result)
    return Pilot(Population.of(evidence), evidence, result)


def _read_flips(pilot: Any) -> Flips:
    is_pair = isinstance(pilot, (tuple, list)) and len(pilot) == 2
    if not is_pair or not all(map(is_number, pilot)):
        raise InputError(
            Name("pilot"),
            must="be a result of `compare` or `paired_permutation_test`, a PairedCounts, or the "
            "shares of examples that speak for system 1 and for system 2, such as (0.06, 0.03)",
            got=describe(pilot),
        )
    are_shares = all(0.0 <= x <= 1.0 + _TOO_MUCH for x in pilot)
    if not are_shares or sum(map(float, pilot)) > 1.0 + _TOO_MUCH:
        raise InputError(
            Python(Name("pilot"), Parts(Name("wins"), " and ", Name("losses"))),
            must="be two shares of at least 0 and together at most 1, such as (0.06, 0.03) for 6 % "
            "and 3 % of all examples",
            got=describe(pilot),
        )
    better, worse = map(float, pilot)
    if better + worse == 0.0:
        raise no_difference("both of its shares are 0")
    return Flips(better, worse)


def no_difference(why: str, before_shares: str = "") -> InputError:
    """Return the error for a pilot whose two systems score the same."""
    advice = Parts(before_shares, _SHARES) if before_shares else ""
    return InputError(Name("pilot"), " has no difference", remedy=(why, advice))
