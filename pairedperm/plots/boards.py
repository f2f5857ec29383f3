"""The difference of each system of a leaderboard from the best one, or from the baseline."""

from __future__ import annotations

import math
import os
import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, Name, Parts, Setting, describe, printable
from pairedperm.results.correction import CORRECTED
from pairedperm.results.figures import Figures, unit_of
from pairedperm.results.leaderboard import Leaderboard, PairTest, worse_of
from pairedperm.results.sentence import adjusted_in_words, metric_in_words

NAME_LENGTH = 24  # tuned: characters of a name
LETTER = 0.075  # tuned: inches, of a character of 9 points
_LINE = 48  # tuned: characters of a line


def short_names(names: Sequence[str]) -> list[str]:
    """Return each name in about 24 characters: its two ends, or its end if ends are alike.

    >>> short_names(["small", "organisation/model-large-tuned-for-x"])
    ['small', 'organisation…-tuned-for-x']
    >>> short_names([f"organisation/model-{n}b-tuned-for-x" for n in (7, 70)])
    ['…7b-tuned-for-x', '…70b-tuned-for-x']
    """
    short = [printable(name, NAME_LENGTH) for name in names]
    for text, n in Counter(short).items():
        alike = [name for name, x in zip(names, short, strict=True) if x == text]
        if n > 1 and len({*alike}) == n:
            longer = iter(_apart(alike))
            short = [next(longer) if x == text else x for x in short]
    return short


def width_of_names(names: Sequence[str]) -> float:
    """Return about how many inches the longest short name takes, in letters of 9 points."""
    return LETTER * max(map(len, short_names(names)))


def in_lines(text: str) -> str:
    """Break a text into lines, first before a parenthesis."""
    parts = [text] if len(text) <= _LINE else text.replace(" (", "\n(").splitlines()
    return "\n".join(textwrap.fill(part, _LINE) for part in parts)


def _apart(names: Sequence[str]) -> list[str]:
    """Cut the words that all names begin with, and keep enough to tell the names apart."""
    shared = os.path.commonprefix(names)  # noqa: RUF071, characters are meant
    start = max([match.end() for match in re.finditer(r"[\W_]", shared)], default=len(shared))
    ends, short = [name[start:] for name in names], []
    for limit in range(NAME_LENGTH - 1, max(map(len, ends)) + NAME_LENGTH):
        short = [f"…{printable(end, limit)}" for end in ends]
        if len({*short}) == len(names):
            break
    return short


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
    sign, pairs = 1.0 if has_baseline else -1.0, _against_reference(board)
    rows = []
    for name, score in zip(board.systems, board.score_texts(), strict=True):
        note, group = f"{tiers[name]}", len({x for x in tiers.values() if x < tiers[name]})
        if name == reference:
            note, group = ("baseline", 1) if has_baseline else (note, group)
            rows.append(Standing(score, note, group, is_reference=True))
            continue
        pair = pairs[name]
        if has_baseline:
            note = adjusted_in_words(pair.p_adjusted, board.alpha)
            group = 1 if not board._is_apart(pair) else 2 if worse_of(pair) == name else 0
        figures = pair.result.figures()
        factor = sign * figures.unit.factor
        difference, interval = factor * pair.result.statistic, _interval(figures, factor)
        rows.append(Standing(score, note, group, difference, interval))
    return rows


def differences_in_words(board: Leaderboard) -> str:
    """Return the label of the axis: "difference in accuracy from large (percentage points), …"."""
    one = board._tests[0].result
    metric, unit = printable(metric_in_words(one)), unit_of(one.metric).name
    name = printable(_reference(board))  # whole, as the rows may cut it
    every = [pair.result.figures() for pair in _against_reference(board).values()]
    levels = {figures.level_in_words for figures in every if figures.interval}
    more = [f"{level} interval" for level in levels]
    more += ["lower is better"] if one.lower_is_better() else []
    rest = ", ".join([f"({unit})", *more] if unit else more)
    first = f"difference in {metric} from {name}{',' if rest and not unit else ''}"
    return "\n".join(textwrap.fill(x, _LINE) for x in (first, rest) if x)


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


def _against_reference(board: Leaderboard) -> dict[str, PairTest]:
    """Return the test of each other system against the baseline, or the best system."""
    if board.baseline is not None:
        return {x.of.system1: x for x in board._tests}
    return {x.of.system2: x for x in board._tests if x.of.system1 == board.systems[0]}


def _interval(figures: Figures, factor: float) -> tuple[float, float] | None:
    """Return the interval of `factor` times the difference."""
    if figures.interval is None:
        return None
    low, high = figures.interval
    return (factor * low, factor * high) if factor > 0.0 else (factor * high, factor * low)


_BOUNDS = 0.001, 0.01  # tuned: of classes of p, where they are below α
_LEAST_P = 1e-9  # tuned: p, below which its size says nothing more


@dataclass(frozen=True, slots=True)
class PMatrix:
    """p of each pair of systems, in the better system's column and the other's row.

    Attributes
    ----------
    pvalues : float64 array, shape (k, k)
        The adjusted p; NaN on and above the diagonal.
    classes : int64 array, shape (k, k)
        The class of each p; -1 on and above the diagonal.
    class_names : list of str
        The bounds of each class; the last one is p > α.
    title : str
        "p of each pair, adjusted (Holm)".
    """

    pvalues: FloatArray
    classes: IntArray
    class_names: list[str]
    title: str


def p_matrix(board: Any) -> PMatrix:
    """Return p of all pairs, and the classes that a picture shows.

    Raises
    ------
    InputError
        If it is no leaderboard, or has a baseline.
    """
    board = read_board(board)
    if board.baseline is not None:
        raise InputError(
            Name("board"),
            " has a baseline, so only pairs with the baseline were compared; a matrix needs every "
            "pair",
            remedy=Parts("Leave out ", Setting("baseline"), ", or draw `plot_leaderboard`"),
        )
    place = {name: k for k, name in enumerate(board.systems)}
    pvalues = np.full((len(place), len(place)), np.nan)
    for pair in board._tests:
        column, row = sorted((place[pair.of.system1], place[pair.of.system2]))
        pvalues[row, column] = pair.p_adjusted
    bounds = [*(bound for bound in _BOUNDS if bound < board.alpha), board.alpha]
    classes = np.where(np.isnan(pvalues), -1, np.searchsorted(bounds, pvalues, side="left"))
    words = [*(f"p ≤ {bound:g}" for bound in bounds), f"p > {board.alpha:g}"]
    how = f"adjusted ({CORRECTED[board.correction]})" if board.correction else "not adjusted"
    return PMatrix(pvalues, classes, words, f"p of each pair, {how}")


def short_p(pvalue: float, alpha: float) -> str:
    """Return a p-value in at most five characters, without its leading 0.

    A p that exceeds the level, and would be written like it, is only said to exceed it.

    >>> [short_p(p, 0.05) for p in (1.0, 0.9996, 0.0503, 0.0463, 0.00231, 8.4e-5, 1e-300)]
    ['1', '1', '>.05', '.046', '.002', '8e-5', '<1e-9']
    """
    if pvalue < _LEAST_P:
        return f"<{_LEAST_P:.0e}".replace("e-0", "e-")
    if pvalue < 0.001:
        return f"{pvalue:.0e}".replace("e-0", "e-")
    text = f"{pvalue:.3f}" if pvalue < 0.0995 else f"{pvalue:.2f}"
    if float(text) <= alpha < pvalue:
        text = f">{alpha:.2g}".replace("0.", ".")
    return "1" if text == "1.00" else text.removeprefix("0")
