"""Pictures, with matplotlib (extra ``plot``): of results and leaderboards.

Nothing here touches pyplot: without axes of one's own each function draws into a new
`matplotlib.figure.Figure`, which `savefig` writes and notebooks show. Each raises ImportError
without matplotlib. A new figure has matplotlib's constrained layout, which makes room for texts.
"""

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
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray, IntArray
from pairedperm.errors import InputError, Name, Parts, Setting, describe, extra, printable
from pairedperm.options import BudgetLike
from pairedperm.results.result import PairedPermutationResult
from pairedperm.results.several import CORRECTED, Leaderboard, PairTest, worse_of
from pairedperm.results.words import (
    Figures,
    adjusted_in_words,
    metric_in_words,
    p_in_words,
    unit_of,
)

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


DRAWN = 10**6  # tuned: most sampled swaps that are drawn once more
_STEMS = 60  # tuned: points that are seen one by one
_BINS = 160  # tuned: most bins
_IN_A_BIN = 40  # tuned: points in a bin on average, if they lie on no lattice
_FEWEST = 20  # tuned: least bins
_HOLES = 1.5  # tuned: points of a lattice for each value that some swaps gave
_FAINT = 1e-5  # tuned: share of the largest mass, below which nothing is seen
_SAME = 1e-9  # tuned: share of the observed difference by which a point may differ from it
_FAR = {  # what the differences of a tail are
    "two-sided": "at least as\nfar from 0",
    "greater": "at least as\nhigh",
    "less": "at most as\nhigh",
}


@dataclass(frozen=True, slots=True)
class VisiblePoints:
    """The visible part of a null distribution, in the unit of printed differences.

    Attributes
    ----------
    values, masses : float64 array, shape (k,)
        The differences, ascending, and their probabilities.
    is_tail : bool array, shape (k,)
        Which values are at least as extreme as the observed one.
    edges : float64 array, shape (k + 1,), or None
        The edges of bins around the values; None if each value is a point of the distribution.
    observed : float
        The observed difference.
    share : str
        What the masses are: "probability", or "share of the samples".
    """

    values: FloatArray
    masses: FloatArray
    is_tail: NDArray[np.bool_]
    edges: FloatArray | None
    observed: float
    share: str


def visible_points(result: Any, budget: BudgetLike = None) -> VisiblePoints:
    """Return up to 60 points one by one, and more points in bins; of the samples if p is sampled.

    Raises
    ------
    InputError
        If it is no result of a permutation test, or was pickled without its score function.
    BudgetError
        If the null distribution of an exact p has more points than the budget allows.
    """
    if not isinstance(result, PairedPermutationResult):
        must = "be that of a paired-permutation test"
        raise InputError(Name("result"), must=must, got=describe(result))
    if result.n_resamples is None:
        null = result.null_distribution(budget)
    else:
        null = result._sampled_distribution(min(result.n_resamples, DRAWN), budget)
    factor, edges = unit_of(result.metric).factor, None
    observed = factor * result.statistic
    values, masses = _seen(factor * null.support, null.pmf)
    if values.size > _STEMS:
        values, masses = _even(values, masses, observed)
        half = (values[1] - values[0]) / 2.0
        edges = np.append(values - half, values[-1] + half)
    is_tail = _is_extreme(values, observed, result.alternative)
    share = "probability" if result.n_resamples is None else "share of the samples"
    return VisiblePoints(values, masses, is_tail, edges, observed, share)


def swaps_in_words(result: PairedPermutationResult) -> str:
    """Return the label of the axis: "difference by 9,999 random swaps (percentage points)"."""
    what, unit = "statistic" if result.score1 is None else "difference", unit_of(result.metric).name
    n = result.n_resamples or 0
    first = f"the first {DRAWN:,} of " if n > DRAWN else ""
    swaps = f"{first}{n:,} random swaps" if n else "random swaps"
    return f"{what} by {swaps}{f' ({unit})' if unit else ''}"


def tail_in_words(result: PairedPermutationResult) -> str:
    """Return p and a description of the tail, in three lines."""
    return f"{p_in_words(result).partition(' (')[0]}:\n{_FAR[result.alternative]}"


def _seen(values: FloatArray, masses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the values between the outermost ones whose mass can be seen."""
    visible = np.flatnonzero(masses >= _FAINT * masses.max())
    span = slice(visible[0], visible[-1] + 1)
    return values[span], masses[span]


def _even(values: FloatArray, masses: FloatArray, observed: float) -> tuple[FloatArray, FloatArray]:
    """Return as many evenly spaced values as an eye can tell, and the mass at each."""
    above, gaps = values - values[0], np.diff(values)
    n_gaps = np.rint(gaps / gaps.min())
    unit = above[-1] / n_gaps.sum()
    if n_gaps.sum() > _HOLES * gaps.size or np.abs(gaps - unit * n_gaps).max() > unit / 4.0:
        return _binned(values, masses, observed)
    places = np.rint(above / unit).astype(np.int64)
    lattice = np.linspace(values[0], values[-1], places[-1] + 1)
    every = np.zeros(lattice.size)
    lattice[places], every[places] = values, masses
    return _smoothed(lattice, every)


def _is_extreme(values: FloatArray, observed: float, alternative: str) -> NDArray[np.bool_]:
    """Tell which values are at least as extreme as the observed one, apart from rounding."""
    margin = _SAME * abs(observed)
    if alternative == "greater":
        return values >= observed - margin
    if alternative == "less":
        return values <= observed + margin
    return np.abs(values) >= abs(observed) - margin


def _smoothed(values: FloatArray, masses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return some of the values, each with the mass of its neighbours."""
    n_each = -(-values.size // _BINS)
    return values[::n_each], np.convolve(masses, np.ones(n_each), "same")[::n_each]


def _binned(
    values: FloatArray, masses: FloatArray, observed: float
) -> tuple[FloatArray, FloatArray]:
    """Return bins of one width; no bin is partly in a tail."""
    edge = abs(observed) * (1.0 - _SAME)
    width = float(values[-1] - values[0]) / min(_BINS, max(_FEWEST, values.size // _IN_A_BIN))
    if edge > width:
        width = edge / round(edge / width)
    numbers = np.floor(np.abs(values) / width) + 0.5
    last = int(numbers.max())
    places = (np.copysign(numbers, values) + last + 0.5).astype(np.int64)
    heights = np.zeros(2 * last + 2)
    np.add.at(heights, places, masses)
    centres = np.asarray((np.arange(heights.size) - last - 0.5) * width, np.float64)
    return centres, heights


__all__ = [
    "plot_leaderboard",
    "plot_null_distribution",
    "plot_p_matrix",
]

# Okabe and Ito's colours, which colour-blind people tell apart.
_BLUE, _ORANGE, _GREY, _GREEN, _RED = "#0072B2", "#E69F00", "#BBBBBB", "#009E73", "#D55E00"
_TIERS = (_BLUE, _ORANGE, _GREEN, "#56B4E9", _RED, "#CC79A7")  # and then grey
_SHADES = ("#08306B", "#2E7EBC", "#92C5DE")  # of p up to α; they differ in lightness
_PALE = "#E6E6E6"  # of p above α, and of lines that lead the eye
_SIZE = 9.0  # tuned: points of a text, which can be read at 350 pixels, and at 800
_OF_CELLS = 7.5  # tuned: points of a text in a cell
_WIDTH = 4.0  # tuned: inches
_TALL, _LINE_HEIGHT = 2.4, 0.15  # tuned: inches, of a distribution, and a line
_ROW, _CELL, _MARGIN = 0.21, 0.36, 0.5  # tuned: inches, of a system and of what is around
_PLOT, _NOTES = 2.0, 0.95  # tuned: inches, of the intervals and of scores and tiers beside them
_MARKS = 5  # tuned: most numbers of an axis
_ABOVE = 1.45  # tuned: how high an axis is over the largest mass, with room for words
_NUMBERED = 10  # tuned: systems, up to which the cells of a matrix have room for numbers


def plot_null_distribution(
    result: PairedPermutationResult, ax: Any = None, *, budget: BudgetLike = None
) -> Any:
    """Draw the null distribution, the observed difference, and the tails whose share is p.

    If p was sampled, the picture shows these samples, up to the first million of them.

    Parameters
    ----------
    result : PairedPermutationResult
        The result of a permutation test, with its score function.
    ax : matplotlib.axes.Axes or None
        Where to draw; None: axes of a new figure.
    budget : Budget, dict or None
        Upper limits of the points and the memory, as of a test.

    Returns
    -------
    matplotlib.axes.Axes
        Its ``figure`` is to save. Up to 60 values are stems, more are an area.

    Raises
    ------
    InputError
        If it is no result of a permutation test, or was pickled without its score function.
    BudgetError
        If p is exact, and the distribution has more points than the budget allows.

    Examples
    --------
    >>> from pairedperm import compare
    >>> from pairedperm.plots import plot_null_distribution
    >>> result = compare([1] * 8 + [0], [0] * 8 + [1], [1] * 9)
    >>> ax = plot_null_distribution(result)
    >>> ax.get_xlabel()
    'difference by random swaps (percentage points)'
    """
    law = visible_points(result, budget)
    observed, is_tail, what = law.observed, law.is_tail, swaps_in_words(result)
    is_left = observed < float(law.values[0] + law.values[-1]) / 2.0
    ax = _axes(ax, _WIDTH, _TALL)
    if law.edges is None:
        for some, colour in ((~is_tail, _BLUE), (is_tail, _RED)):
            ax.vlines(law.values[some], 0.0, law.masses[some], colors=colour, linewidth=3)
    else:
        ax.stairs(law.masses, law.edges, fill=True, color=_BLUE)
        ax.stairs(np.where(is_tail, law.masses, 0.0), law.edges, fill=True, color=_RED)
    ax.axvline(observed, color="black", linestyle="--", linewidth=1)
    ax.set_ylim(0.0, _ABOVE * float(law.masses.max()))
    side, shift = ("left", 3) if is_left else ("right", -3)
    options = {"textcoords": "offset points", "ha": side, "va": "top", "fontsize": _SIZE}
    ax.annotate("observed", (observed, 1.0), (shift, -3), ("data", "axes fraction"), **options)
    _legend(ax, [_RED], [tail_in_words(result)], "upper right" if is_left else "upper left")
    ax.set_xlabel(in_lines(what), fontsize=_SIZE)
    ax.set_ylabel(law.share, fontsize=_SIZE)
    _write_numbers(ax, ax.xaxis, ax.yaxis)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_leaderboard(board: Leaderboard, ax: Any = None) -> Any:
    """Draw where each system stands: its difference from the best one, with its interval.

    A hollow dot at 0 is the best system, or the baseline if there is one. Colours show the first
    six tiers; later ones are grey. The number of each tier stands at the right. With a baseline,
    blue systems are significantly better, red ones significantly worse, and grey ones neither; the
    adjusted p stands at the right. An infinite end of an interval is an arrow at the edge.

    Parameters
    ----------
    board : Leaderboard
        Of `compare_many`.
    ax : matplotlib.axes.Axes or None
        Where to draw; None: axes of a new figure, whose height grows with the systems. In axes of
        one's own each system needs some 0.2 inches. Names and scores stand outside the axes:
        ``Figure(layout="constrained")`` makes room for them.

    Returns
    -------
    matplotlib.axes.Axes
        Its rows are at y = 0, 1, …, the best system first. Without intervals there are dots only.

    Raises
    ------
    InputError
        If it is no leaderboard.

    Examples
    --------
    >>> from pairedperm import compare_many
    >>> from pairedperm.plots import plot_leaderboard
    >>> board = compare_many({"large": [1] * 9, "small": [1] * 3 + [0] * 6}, [1] * 9)
    >>> ax = plot_leaderboard(board)
    >>> [name.get_text() for name in ax.get_yticklabels()]
    ['large', 'small']
    >>> print(ax.get_xlabel())
    difference in accuracy from large
    (percentage points), 95% interval
    """
    rows = standings(board)
    words = differences_in_words(board)
    height = _MARGIN + _LINE_HEIGHT * len(words.splitlines()) + _ROW * len(rows)
    ax = _axes(ax, max(width_of_names(board.systems) + _PLOT + _NOTES, _WIDTH), height)
    shades = _TIERS if board.baseline is None else (_BLUE, _GREY, _RED)
    colours = [shades[row.group] if row.group < len(shades) else _GREY for row in rows]
    low, high = limits(rows)
    ax.axvline(0.0, color="black", linestyle="--", linewidth=1, zorder=1)
    for y, (row, colour) in enumerate(zip(rows, colours, strict=True)):
        if row.interval is None:
            continue
        ax.hlines(y, *np.clip(row.interval, low, high), colors=colour, linewidth=2)
        for x, edge, mark in ((row.interval[0], low, "<"), (row.interval[1], high, ">")):
            if np.isinf(x):
                ax.plot(edge, y, mark, color=colour, clip_on=False)
    dots, looks = [row.difference for row in rows], {"linewidths": 1.5, "zorder": 3}
    faces = ["white" if row.is_reference else x for row, x in zip(rows, colours, strict=True)]
    ax.scatter(dots, range(len(rows)), s=_SIZE**2 / 3.7, c=faces, edgecolors=colours, **looks)
    ax.set_xlim(low, high)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_yticks(range(len(rows)), short_names(board.systems), parse_math=False)
    ax.tick_params(axis="y", length=0, labelsize=_SIZE)
    _write_numbers(ax, ax.xaxis)
    ax.grid(axis="y", color=_PALE, linewidth=1)
    ax.set_axisbelow(True)
    ax.spines[["left", "top", "right"]].set_visible(False)
    place = _write_column(ax, "score", [row.score for row in rows], 0.0)
    notes = "tier" if board.baseline is None else "adjusted p"
    _write_column(ax, notes, [row.note for row in rows], place)
    ax.set_xlabel(words, fontsize=_SIZE, parse_math=False)
    return ax


def plot_p_matrix(board: Leaderboard, ax: Any = None) -> Any:
    """Draw the adjusted p of each pair of systems, the best ones first, in classes.

    Parameters
    ----------
    board : Leaderboard
        Of `compare_many`, without a baseline.
    ax : matplotlib.axes.Axes or None
        Where to draw, see `plot_leaderboard`; None: axes of a new figure, which grows as well.

    Returns
    -------
    matplotlib.axes.Axes
        The x of a cell is the number of the better system, y that of the other. Up to 10 systems
        have p in the cells, without its leading 0, if it can be read there.

    Raises
    ------
    InputError
        If it is no leaderboard, or has a baseline.

    Examples
    --------
    >>> from pairedperm import compare_many
    >>> from pairedperm.plots import plot_p_matrix
    >>> board = compare_many({"large": [1] * 9, "small": [1] * 3 + [0] * 6}, [1] * 9)
    >>> ax = plot_p_matrix(board)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['p ≤ 0.001', 'p ≤ 0.01', 'p ≤ 0.05', 'p > 0.05']
    >>> [text.get_text() for text in ax.texts]
    ['.031']
    """
    matrix, n = p_matrix(board), len(board.systems)
    names, longest = short_names(board.systems), width_of_names(board.systems)
    width = longest + max(_CELL * min(n, _NUMBERED), _ROW * n) + _ROW
    ax = _axes(ax, max(width, _WIDTH), longest + max(_ROW * n, _TALL / 2) + _MARGIN)
    from matplotlib.colors import ListedColormap

    colours = [*_SHADES[-len(matrix.class_names) + 1 :], _PALE]
    edges, palette = np.arange(n + 1) - 0.5, ListedColormap(colours)
    classes = np.ma.masked_less(matrix.classes, 0)
    cells = ax.pcolormesh(edges, edges, classes, cmap=palette, edgecolors="white")
    cells.set_clim(-0.5, len(colours) - 0.5)
    for y, x in np.argwhere(~classes.mask) if n <= _NUMBERED else ():
        ink = "white" if colours[classes[y, x]] in _SHADES[:2] else "black"
        text = short_p(matrix.pvalues[y, x], board.alpha)
        ax.text(x, y, text, ha="center", va="center", color=ink, fontsize=_OF_CELLS)
    ax.set_ylim(n - 0.5, -0.5)
    ax.set_xticks(range(n), names, parse_math=False, rotation=90)
    ax.set_yticks(range(n), names, parse_math=False)
    ax.tick_params(labelsize=_SIZE, length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(in_lines(matrix.title), fontsize=_SIZE, loc="right")
    _legend(ax, colours, matrix.class_names, "upper right")
    return ax


def _axes(ax: Any, width: float, height: float) -> Any:
    """Return the axes, or those of a new figure of this size, which makes room for their texts."""
    with extra("plot", "a picture"):
        from matplotlib.figure import Figure

    if ax is not None:
        return ax
    return Figure(figsize=(width, height), layout="constrained").add_subplot()


def _legend(ax: Any, colours: Sequence[str], labels: Sequence[str], place: str) -> None:
    """Draw a square of each colour and its meaning."""
    from matplotlib.patches import Patch

    squares = [Patch(color=colour) for colour in colours]
    options = {"frameon": False, "fontsize": _SIZE, "handlelength": 1.0, "handletextpad": 0.5}
    ax.legend(squares, labels, loc=place, borderaxespad=0.2, **options)


def _write_column(ax: Any, head: str, texts: Sequence[str], place: float) -> float:
    """Write a text right of each row, `place` points away, and return the next place."""
    place += _SIZE + 72.0 * LETTER * max(map(len, (head, *texts)))
    options = {"textcoords": "offset points", "ha": "right", "fontsize": _SIZE}
    ax.annotate(head, (1.0, 1.0), (place, 2.0), "axes fraction", va="bottom", **options)
    for y, text in enumerate(texts):
        rows = ax.get_yaxis_transform()
        ax.annotate(text, (1.0, y), (place, 0.0), rows, va="center_baseline", **options)
    return place


def _write_numbers(ax: Any, *axes: Any) -> None:
    """Write the numbers of these axes in full: a power of ten would be over the label."""
    for axis in axes:
        ax.locator_params(axis=axis.axis_name, nbins=_MARKS)
        axis.set_tick_params(labelsize=_SIZE)
        axis.set_major_formatter(_in_full)


def _in_full(x: float, _: int) -> str:
    return f"{x:,.6g}".replace("-", "\N{MINUS SIGN}")
