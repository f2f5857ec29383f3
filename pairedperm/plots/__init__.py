"""Pictures, with matplotlib (extra ``plot``): of results and leaderboards.

Nothing here touches pyplot: without axes of one's own each function draws into a new
`matplotlib.figure.Figure`, which `savefig` writes and notebooks show. Each raises ImportError
without matplotlib, and warns (UserWarning) if axes are too small for texts of 6 points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pairedperm.options import BudgetLike
from pairedperm.plots.axes import (
    Style,
    axis_numbers,
    column,
    drawn_to_fit,
    in_lines,
    legend,
)
from pairedperm.plots.boards import (
    differences_in_words,
    limits,
    p_matrix,
    row_names,
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
_TIERS = (_BLUE, _ORANGE, _GREEN, "#56B4E9", _RED, "#CC79A7")  # then again
_SHADES = ("#08306B", "#2E7EBC", "#92C5DE")  # of p up to α; they differ in lightness
_PALE = "#E6E6E6"  # of p above α, and of lines that lead the eye
_WIDTH = 4.0  # tuned: inches; texts of 9 points can be read at 350 pixels, and at 800
_TALL, _LINE_HEIGHT = 2.4, 0.15  # tuned: inches, of a distribution, and a line
_ROW, _CELL, _MARGIN = 0.21, 0.36, 0.5  # tuned: inches, of a system and of what is around
_PLOT, _NOTES = 2.0, 0.95  # tuned: inches, of the intervals and of scores and tiers beside them
_SMALL, _LEAST_SIZE = 0.83, 6.0  # tuned: share, and points, of a text whose numbers fit into cells
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
        Where to draw, see `plot_leaderboard`; None: axes of a new figure.
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

    def draw(ax: Any, style: Style) -> Any:
        if law.edges is None:
            for some, colour in ((~is_tail, _BLUE), (is_tail, _RED)):
                ax.vlines(law.values[some], 0.0, law.masses[some], colors=colour, linewidth=3)
        else:
            ax.stairs(law.masses, law.edges, fill=True, color=_BLUE)
            ax.stairs(np.where(is_tail, law.masses, 0.0), law.edges, fill=True, color=_RED)
        ax.axvline(observed, color="black", linestyle="--", linewidth=1)
        ax.set_ylim(0.0, 1.3 * float(law.masses.max()))
        side, shift = ("left", 3) if is_left else ("right", -3)
        options = {"textcoords": "offset points", "ha": side, "va": "top", "fontsize": style.size}
        ax.annotate("observed", (observed, 1.0), (shift, -3), ("data", "axes fraction"), **options)
        place = "upper right" if is_left else "upper left"
        legend(ax, style, [_RED], [tail_in_words(result)], loc=place)
        ax.set_xlabel(in_lines(what, style.line), fontsize=style.size)
        ax.set_ylabel(law.share, fontsize=style.size)
        axis_numbers(ax, style, "both")
        ax.spines[["top", "right"]].set_visible(False)
        return np.stack((law.values, law.masses), axis=1)

    return drawn_to_fit(ax, draw, _TALL, _WIDTH)


def plot_leaderboard(board: Leaderboard, ax: Any = None) -> Any:
    """Draw where each system stands: its difference from the best one, with its interval.

    A hollow dot at 0 is the best system, or the baseline if there is one. Colours show the tiers,
    whose numbers stand at the right. With a baseline, blue systems are significantly better, red
    ones significantly worse, and grey ones neither; the adjusted p stands at the right. An
    infinite end of an interval is an arrow at the edge.

    Parameters
    ----------
    board : Leaderboard
        Of `compare_many`.
    ax : matplotlib.axes.Axes or None
        Where to draw; None: axes of a new figure, whose height grows with the systems. Texts lie
        in the room of these axes, at the left as far as the next axes or the figure's edge. In
        less room texts are smaller, from 9 to 6 points, then names shorter. If the systems still
        have no room, the last row says how many are left out.

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
    every = standings(board)
    shades = _TIERS if board.baseline is None else (_BLUE, _GREY, _RED)

    def draw(ax: Any, style: Style) -> Any:
        rows, names = every[: style.n_rows], row_names(board.systems, style.n_letters, style.n_rows)
        low, high = limits(rows)
        colours = [shades[row.group % len(shades)] for row in rows]
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
        size = style.size**2 / 3.7
        ax.scatter(dots, range(len(rows)), s=size, c=faces, edgecolors=colours, **looks)
        ax.set_xlim(low, high)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_yticks(range(len(names)), names, parse_math=False)
        axis_numbers(ax, style, "x")
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="y", color=_PALE, linewidth=1)
        ax.set_axisbelow(True)
        ax.spines[["left", "top", "right"]].set_visible(False)
        notes = "tier" if board.baseline is None else "adjusted p"
        place = column(ax, style, "score", [row.score for row in rows], 0.0)
        column(ax, style, notes, [row.note for row in rows], place)
        words = differences_in_words(board, style.n_letters, style.line)
        ax.set_xlabel(words, fontsize=style.size, parse_math=False)

    n_lines = len(differences_in_words(board).splitlines())
    height = _MARGIN + _LINE_HEIGHT * n_lines + _ROW * len(every)
    width = width_of_names(board.systems) + _PLOT + _NOTES
    return drawn_to_fit(ax, draw, height, max(width, _WIDTH), len(every))


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
    matrix = p_matrix(board)

    def draw(ax: Any, style: Style) -> Any:
        from matplotlib.colors import ListedColormap

        names, n = row_names(board.systems, style.n_letters, style.n_rows), style.n_rows
        colours = [*_SHADES[-len(matrix.class_names) + 1 :], _PALE]
        edges, palette = np.arange(n + 1) - 0.5, ListedColormap(colours)
        classes = np.ma.masked_less(matrix.classes[:n, :n], 0)
        cells = ax.pcolormesh(edges, edges, classes, cmap=palette, edgecolors="white")
        cells.set_clim(-0.5, len(colours) - 0.5)
        has_numbers = n <= _NUMBERED and style.size > _LEAST_SIZE
        for y, x in np.argwhere(~classes.mask) if has_numbers else ():
            ink = "white" if colours[classes[y, x]] in _SHADES[:2] else "black"
            text, size = short_p(matrix.pvalues[y, x], board.alpha), _SMALL * style.size
            ax.text(x, y, text, ha="center", va="center", color=ink, fontsize=size)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_xticks(range(n), names[:n], parse_math=False, rotation=90)
        ax.set_yticks(range(len(names)), names, parse_math=False)
        ax.tick_params(labelsize=style.size, length=0)
        ax.spines[:].set_visible(False)
        ax.set_title(in_lines(matrix.title, style.line), fontsize=style.size, loc="right")
        legend(ax, style, colours, matrix.class_names, loc="upper right")
        return np.repeat(edges[1:-1, None], 2, axis=1)

    n, longest = len(board.systems), width_of_names(board.systems)
    width = longest + max(_CELL * min(n, _NUMBERED), _ROW * n) + _ROW
    height = longest + max(_ROW * n, _TALL / 2) + _MARGIN
    return drawn_to_fit(ax, draw, height, max(width, _WIDTH), n)
