"""A board of systems: which pairs are tested, how they rank, and what is told of each pair."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

from pairedperm.errors import InputError, heard_by, warn
from pairedperm.errors.wording import (
    Advice,
    Name,
    Parts,
    Python,
    Setting,
    called,
    describe,
    first_of,
    shown,
)
from pairedperm.options import CONFIDENCE_LEVEL, Options, read_options
from pairedperm.options.constraints import did_you_mean, printed_fraction
from pairedperm.permutation.choose import problem_of, run
from pairedperm.permutation.shared import shared_patience
from pairedperm.population.evidence import Evidence
from pairedperm.results.correction import Correction, with_adjusted
from pairedperm.results.leaderboard import Leaderboard, Pair, PairTest
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Score

Names = tuple[str, str]  # of two systems


class Contest(ABC):
    """Any two of many systems: their scores, their test, and what is told of them later."""

    metric: Metric | None  # of all systems; None for bare numbers

    @abstractmethod
    def pair(self, names: Names) -> tuple[Rows, Score]:
        """Return what a test of two systems takes."""

    def scores(self, names: Names) -> tuple[Any, Any]:
        """Return the scores of two systems."""
        problem = problem_of(*self.pair(names), "two-sided")
        return problem.score1, problem.score2

    def test(self, names: Names, options: Options) -> PairedPermutationResult:
        """Test two systems."""
        return run(*self.pair(names), self.metric, options)

    def evidence(self, names: Names) -> Evidence:
        """Return the rows and the score of two systems."""
        return Evidence(*self.pair(names), self.metric)


@dataclass(frozen=True, eq=False)
class ContestOfRows(Contest):
    """A contest by the rows of any two systems, and the score of bare numbers."""

    rows_of: Callable[[str, str], Rows]
    metric: Metric | None
    score: Score

    def pair(self, names: Names) -> tuple[Rows, Score]:
        rows = self.rows_of(*names)
        return rows, self.score if self.metric is None else self.metric.score(rows)


@dataclass(frozen=True)
class Board:
    """Which pairs of systems are tested, how, and how their p-values are adjusted."""

    systems: tuple[str, ...]
    baseline: str | None
    correction: Correction | None
    alpha: float
    simultaneous: bool
    options: Options

    @classmethod
    def read(
        cls, systems: Iterable[str], *, baseline: Any, of_test: Mapping[str, Any], **others: Any
    ) -> Board:
        """Read what a board of these systems is asked for.

        Raises
        ------
        InputError
            If the baseline is no system, or the options do not go together.
        """
        systems = tuple(systems)
        _check_baseline(baseline, systems)
        board = cls(systems, baseline, options=read_options(**of_test), **others)
        _check_options(board)
        return board

    def ranked(self, contest: Contest, some_pairs: Iterable[Names]) -> Leaderboard:
        """Rank the systems and test the pairs; `some_pairs` hold each system at least once."""
        scores: dict[str, Any] = {}
        for names in some_pairs:
            if not scores.keys() >= {*names}:
                scores |= zip(names, contest.scores(names), strict=True)
        is_lower = contest.metric is not None and contest.metric.lower_is_better
        best_first = sorted(self.systems, key=scores.__getitem__, reverse=not is_lower)
        pairs = self._pairs(best_first)
        chosen = self.options
        if self.simultaneous:
            level = printed_fraction(chosen.confidence_level or CONFIDENCE_LEVEL)
            chosen = replace(chosen, confidence_level=float(1 - (1 - level) / len(pairs)))
        evidence = lru_cache(maxsize=1)(contest.evidence)  # of the pair that is being told
        results, ignore = [], heard_by(lambda _: None)  # one warning for all pairs follows
        with ignore, shared_patience(pairs, contest.pair, chosen, self.alpha, "pairs") as bar:
            for names in pairs:
                with called({}, _against(*names)):
                    result = contest.test(names, chosen)
                result = replace(result, _evidence=partial(evidence, names), _problem=None)
                results.append((Pair(*names), result))
                bar.update()
        tests = with_adjusted(results, self.correction)
        _warn_of_samples(tests)
        return Leaderboard(
            systems=tuple(best_first),
            scores={name: scores[name] for name in best_first},
            _tests=tests,
            baseline=self.baseline,
            correction=self.correction,
            alpha=self.alpha,
            simultaneous=self.simultaneous,
        )

    def _pairs(self, best_first: Sequence[str]) -> list[Names]:
        """Return the pairs that are tested, each with the better system or the baseline's rival."""
        if self.baseline is None:
            return [*combinations(best_first, 2)]
        return [(name, self.baseline) for name in best_first if name != self.baseline]


def _check_baseline(baseline: Any, systems: Sequence[str]) -> None:
    """Raise InputError unless the baseline is a system, or None."""
    if baseline is not None and not (isinstance(baseline, str) and baseline in systems):
        raise InputError(
            Name("baseline"),
            must=f"be one of the systems, {first_of([*map(shown, systems)])}",
            got=describe(baseline),
            remedy=did_you_mean("baseline", baseline, systems),
        )


def _check_options(board: Board) -> None:
    """Raise InputError for options that do not go together."""
    if board.correction == "discrete" and len(board.systems) > 2:
        what = " 'discrete' is not for pairs of the same systems"
        why = "which of them can be significant depends on which others are alike"
        remedy = why, "Use 'holm', which always holds"
        raise InputError(Name("correction"), what, remedy=remedy)
    if board.simultaneous and board.correction in ("bh", "by"):
        why = "those control the share of false findings, and have no intervals that hold at once"
        raise InputError(
            Name("simultaneous"),
            *(" is not for ", Setting("correction", f"{board.correction!r}")),
            remedy=why,
        )
    if board.baseline is None and board.options.alternative != "two-sided":
        must = "be 'two-sided' where every pair is compared, which has no first system"
        advice = Parts("Name a ", Setting("baseline"))
        raise InputError(Name("alternative"), must=must, remedy=advice)


def _against(one: str, two: str) -> str:
    return f"{shown(one)} against {shown(two)}"


def _warn_of_samples(tests: Sequence[PairTest]) -> None:
    sampled = [_against(*x.of) for x in tests if x.result.interval == "confidence"]
    if sampled:
        more = Advice(", ", Setting("n_resamples"), " for more")
        warn(
            f"{len(sampled):,} of {len(tests):,} p-values are estimated from random swaps "
            f"({first_of(sampled, 3)})",
            remedy=(
                Parts("exact ones would take too much", Python(" (`pairedperm.plan` says why)")),
                Parts("Set ", Setting("rng"), " for other samples", more),
            ),
        )
