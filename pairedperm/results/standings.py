"""The difference of each system of a leaderboard from the best one, or from the baseline."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pairedperm.errors import InputError
from pairedperm.results.figures import Figures, unit_of
from pairedperm.results.leaderboard import Leaderboard, worse_of
from pairedperm.results.sentence import adjusted_in_words, metric_in_words
from pairedperm.results.short_names import LONGEST, short_names
from pairedperm.shown import printable
from pairedperm.wording import Name, describe

_LINE = 48  # tuned: most characters of a line
_METRIC = 40  # tuned: characters of a metric's name in a picture
_ROOM = 0.06  # tuned: of the axis, beside the outermost of what is drawn


@dataclass(frozen=True, slots=True)
class Standing:
    """A system beside the one that all systems are shown against.

    Attributes
    ----------
    score : str
        The score as in the leaderboard's table.
    note : str
        The tier. With a baseline: the adjusted p, or "baseline".
    group : int
        The number of better tiers that occur. With a baseline: 0 if the system is significantly
        better, 2 if it is significantly worse, 1 otherwise.
    difference : float
        The score minus that of the best system, or of the baseline, in the unit of printed
        differences.
    interval : (float, float) or None
        The interval of this difference, whose ends may be infinite; None if there is none.
    is_reference : bool
        Whether this is the best system, or the baseline, itself.
    """

    score: str
    note: str
    group: int
    difference: float = 0.0
    interval: tuple[float, float] | None = None
    is_reference: bool = False


def standings(board: Any) -> list[Standing]:
    """Return a row for each system, the best first.

    Raises
    ------
    InputError
        If it is no leaderboard.
    """
    board = read_board(board)
    reference, tiers, has_baseline = _reference(board), board.tiers, board.baseline is not None
    if has_baseline:  # "system2"; otherwise the best system is "system1"
        sign, pairs = 1.0, {x.of.system1: x for x in board._tests}
    else:
        sign, pairs = -1.0, {x.of.system2: x for x in board._tests if x.of.system1 == reference}
    found = []
    for name, score in zip(board.systems, board.score_texts(), strict=True):
        note, group = f"{tiers[name]}", len({x for x in tiers.values() if x < tiers[name]})
        if name == reference:
            note, group = ("baseline", 1) if has_baseline else (note, group)
            found.append(Standing(score, note, group, is_reference=True))
            continue
        pair = pairs[name]
        if has_baseline:
            note = adjusted_in_words(pair.p_adjusted, board.alpha)
            group = 1 if not board._is_apart(pair) else 2 if worse_of(pair) == name else 0
        figures = pair.result.figures()
        factor = sign * figures.unit.factor
        difference, interval = factor * pair.result.statistic, _interval(figures, factor)
        found.append(Standing(score, note, group, difference, interval))
    return found


def differences_in_words(board: Leaderboard, n_letters: int = LONGEST, line: int = _LINE) -> str:
    """Return the label of the axis: "difference in accuracy from large (percentage points), …"."""
    one = board._tests[0].result
    metric, unit = printable(metric_in_words(one), _METRIC), unit_of(one.metric).name
    name = short_names(board.systems, n_letters)[board.systems.index(_reference(board))]
    every = [pair.result.figures() for pair in board._tests]
    levels = {figures.level_in_words for figures in every if figures.interval}
    more = [f"{level} interval" for level in levels]
    more += ["lower is better"] if one.lower_is_better() else []
    rest = ", ".join([f"({unit})", *more] if unit else more)
    first = f"difference in {metric} from {name}{',' if rest and not unit else ''}"
    return "\n".join(textwrap.fill(x, line, break_on_hyphens=False) for x in (first, rest) if x)


def limits(rows: Sequence[Standing]) -> tuple[float, float]:
    """Return the ends of an axis with 0, all differences and all finite ends, and some room."""
    ends = [0.0, *(row.difference for row in rows)]
    ends += [x for row in rows for x in row.interval or () if math.isfinite(x)]
    low, high = min(ends), max(ends)
    room = _ROOM * (high - low) or 1.0
    return low - room, high + room


def read_board(board: Any) -> Leaderboard:
    """Return the leaderboard; raise InputError for anything else."""
    if not isinstance(board, Leaderboard):
        must = "be what `compare_many` returns"
        raise InputError(Name("board"), must=must, got=describe(board))
    return board


def _reference(board: Leaderboard) -> str:
    """Return the baseline, or the best system."""
    return board.systems[0] if board.baseline is None else board.baseline


def _interval(figures: Figures, factor: float) -> tuple[float, float] | None:
    """Return the interval of `factor` times the difference."""
    if figures.interval is None:
        return None
    low, high, _ = figures.interval
    return (factor * low, factor * high) if factor > 0.0 else (factor * high, factor * low)
