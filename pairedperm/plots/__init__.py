"""Pictures, with matplotlib (extra ``plot``): of results and leaderboards.

Nothing here touches pyplot: without axes of one's own each function draws into a new
`matplotlib.figure.Figure`, which `savefig` writes and notebooks show. Each raises ImportError
without matplotlib. A new figure has matplotlib's constrained layout, which makes room for texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairedperm.errors import extra
from pairedperm.options import BudgetLike
from pairedperm.plots.boards import (
    LETTER,
    differences_in_words,
    in_lines,
    limits,
    p_matrix,
    short_names,
    short_p,
    standings,
    width_of_names,
)
from pairedperm.plots.points import swaps_in_words, tail_in_words, visible_points
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.permutation_result import PairedPermutationResult

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
