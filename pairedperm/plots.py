"""Pictures, with matplotlib: a result's null distribution and agreement, and leaderboards.

It needs the extra ``plot``. Nothing here touches pyplot: without axes of one's own each
function draws into a new `matplotlib.figure.Figure`, which `savefig` writes and notebooks show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairedperm.errors import InputError, counted, describe, extra
from pairedperm.options import BudgetLike
from pairedperm.results.agreement import agreement as agreement
from pairedperm.results.leaderboard import Leaderboard
from pairedperm.results.p_matrix import p_matrix, short_p
from pairedperm.results.permutation_result import PairedPermutationResult
from pairedperm.results.result import PairedResult
from pairedperm.results.short_names import short_names
from pairedperm.results.standings import differences_in_words, limits, standings
from pairedperm.results.visible_points import swaps_in_words, tail_in_words, visible_points

# Okabe and Ito's colours, which colour-blind people tell apart.
_BLUE, _ORANGE, _GREY, _GREEN, _RED = "#0072B2", "#E69F00", "#BBBBBB", "#009E73", "#D55E00"
_TIERS = (_BLUE, _ORANGE, _GREEN, "#56B4E9", _RED, "#CC79A7")  # then again
_SHADES = ("#08306B", "#2E7EBC", "#92C5DE")  # of p up to α; they differ in lightness
_PALE = "#E6E6E6"  # of p above α, and of lines that lead the eye
_WIDTH = 4.0  # tuned: inches; texts of 9 points can be read at 350 pixels, and at 800
_TALL, _FLAT = 2.4, 0.5  # tuned: inches, of a distribution and of a bar
_ROW, _CELL, _MARGIN = 0.21, 0.36, 0.45  # tuned: inches, of a system and of what is around
_LINE = 0.15  # tuned: inches, of a line of text
_PLOT, _NOTES = 2.0, 0.95  # tuned: inches, of the intervals and of scores and tiers beside them
_LETTERS, _SMALL = 9, 7.5  # tuned: points of a text, and of a number in a cell
_LETTER = 0.075  # tuned: inches, of a character
_SHORT = 20  # tuned: characters of half a legend
_LEAST = 0.07  # tuned: share of the bar that has room for its number
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
    ImportError
        Without matplotlib.

    Examples
    --------
    >>> from pairedperm import compare
    >>> from pairedperm.plots import plot_null_distribution
    >>> result = compare([1] * 8 + [0], [0] * 8 + [1], [1] * 9)
    >>> ax = plot_null_distribution(result)
    >>> ax.get_xlabel()
    'difference by random swaps (percentage points)'
    """
    if not isinstance(result, PairedPermutationResult):
        raise InputError(
            f"`result` must be that of a paired-permutation test, got {describe(result)}."
        )
    found = visible_points(result, budget)
    observed, is_tail = found.observed, found.is_tail
    ax = _axes(ax, _TALL)
    if found.edges is None:
        for some, colour in ((~is_tail, _BLUE), (is_tail, _RED)):
            ax.vlines(found.values[some], 0.0, found.masses[some], colors=colour, linewidth=3)
    else:
        ax.stairs(found.masses, found.edges, fill=True, color=_BLUE)
        ax.stairs(np.where(is_tail, found.masses, 0.0), found.edges, fill=True, color=_RED)
    ax.axvline(observed, color="black", linestyle="--", linewidth=1)
    ax.set_ylim(0.0, 1.3 * float(found.masses.max()))
    is_left = observed < float(found.values[0] + found.values[-1]) / 2.0
    side, shift = ("left", 3) if is_left else ("right", -3)
    options = {"textcoords": "offset points", "ha": side, "va": "top", "fontsize": _LETTERS}
    ax.annotate("observed", (observed, 1.0), (shift, -3), ("data", "axes fraction"), **options)
    _legend(ax, [_RED], [tail_in_words(result)], loc="upper right" if is_left else "upper left")
    ax.set_xlabel(swaps_in_words(result), fontsize=_LETTERS)
    ax.set_ylabel(found.share, fontsize=_LETTERS)
    ax.locator_params(axis="both", nbins=5)
    ax.xaxis.set_major_formatter(_tick)
    ax.tick_params(labelsize=_LETTERS)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_agreement(
    result: PairedResult, ax: Any = None, *, name1: str = "system 1", name2: str = "system 2"
) -> Any:
    """Draw as one bar how many examples both systems, only one, or neither got right.

    A bracket marks the flips: the examples on which exactly one system is right. If scores are not
    right or wrong, the parts are the examples on which either system is better, and ties.

    Parameters
    ----------
    result : PairedPermutationResult or PairedBootstrapResult
        The result of a comparison.
    ax : matplotlib.axes.Axes or None
        Where to draw; None: axes of a new figure.
    name1, name2 : str
        The names of the systems.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If it is no result of `compare`, or was pickled without its score function.
    ImportError
        Without matplotlib.

    Examples
    --------
    >>> from pairedperm import compare
    >>> from pairedperm.plots import agreement, plot_agreement
    >>> result = compare([1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1])
    >>> agreement(result, "large", "small")
    {'both right': 1, 'only large': 2, 'only small': 0, 'neither': 1}
    >>> ax = plot_agreement(result, name1="large", name2="small")
    """
    parts = agreement(result, *short_names((name1, name2)))
    has_flips = len(parts) == 4
    colours = (_GREEN, _BLUE, _ORANGE, _GREY) if has_flips else (_BLUE, _GREY, _ORANGE)
    n_columns = 2 if max(map(len, parts)) < _SHORT else 1
    n_lines = -(-len(parts) // n_columns) + has_flips
    ax = _axes(ax, _FLAT + _ROW * (n_lines + 1))
    ends = [sum([*parts.values()][:k]) for k in range(len(parts) + 1)]
    for n, start, colour in zip(parts.values(), ends, colours, strict=False):
        ax.barh(0.0, n, left=start, height=1.0, color=colour)
        if n >= _LEAST * ends[-1]:
            ink, place = "white" if colour in (_GREEN, _BLUE) else "black", (start + n / 2.0, 0.0)
            ax.annotate(f"{n:,}", place, ha="center", va="center", color=ink, fontsize=_LETTERS + 1)
    ax.set_xlim(0, ends[-1])
    ax.set_ylim(-1.1 if has_flips else -0.5, 0.5)
    ax.set_axis_off()
    if has_flips:
        _bracket(ax, ends[1], ends[3], ends[-1])
    labels = [f"{what}: {n:,}" for what, n in parts.items()]
    _legend(ax, colours, labels, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=n_columns)
    return ax


def plot_leaderboard(board: Leaderboard, ax: Any = None) -> Any:
    """Draw where each system stands: its difference from the best one, with its interval.

    A hollow dot at 0 is the best system, or the baseline if there is one. Colours show the tiers,
    whose numbers stand at the right. With a baseline, blue systems are significantly better, red
    ones significantly worse, and grey ones neither; the adjusted p stands at the right. An
    infinite end of an interval is an arrow at the edge.

    Parameters
    ----------
    board : Leaderboard
        Of `compare_many`, with up to 60 systems.
    ax : matplotlib.axes.Axes or None
        Where to draw; None: axes of a new figure, whose height grows with the systems.

    Returns
    -------
    matplotlib.axes.Axes
        Its rows are at y = 0, 1, …, the best system first. Without intervals there are dots only.

    Raises
    ------
    InputError
        If it is no leaderboard, or has more than 60 systems.
    ImportError
        Without matplotlib.

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
    width = _LETTER * max(len(row.name) for row in rows) + _PLOT + _NOTES
    words = differences_in_words(board)
    height = _MARGIN + _LINE * len(words.splitlines()) + _ROW * len(rows)
    ax = _axes(ax, height, max(width, _WIDTH))
    low, high = limits(rows)
    shades = _TIERS if board.baseline is None else (_BLUE, _GREY, _RED)
    colours = [shades[row.group % len(shades)] for row in rows]
    ax.axvline(0.0, color="black", linestyle="--", linewidth=1, zorder=1)
    for y, (row, colour) in enumerate(zip(rows, colours, strict=True)):
        if row.interval is None:
            continue
        start, end = max(row.interval[0], low), min(row.interval[1], high)
        ax.hlines(y, start, end, colors=colour, linewidth=2)
        for x, edge, mark in ((row.interval[0], low, "<"), (row.interval[1], high, ">")):
            if np.isinf(x):
                ax.plot(edge, y, mark, color=colour, clip_on=False)
    dots = [row.difference for row in rows]
    faces = ["white" if row.is_reference else x for row, x in zip(rows, colours, strict=True)]
    ax.scatter(dots, range(len(rows)), s=22, c=faces, edgecolors=colours, linewidths=1.5, zorder=3)
    ax.set_xlim(low, high)
    ax.locator_params(axis="x", nbins=4)
    ax.xaxis.set_major_formatter(_tick)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_yticks(range(len(rows)), [row.name for row in rows], parse_math=False)
    ax.tick_params(labelsize=_LETTERS)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color=_PALE, linewidth=1)
    ax.set_axisbelow(True)
    ax.spines[["left", "top", "right"]].set_visible(False)
    place = _column(ax, "score", [row.score for row in rows], 0.0)
    _column(ax, "tier" if board.baseline is None else "adjusted p", [x.note for x in rows], place)
    ax.set_xlabel(words, fontsize=_LETTERS, parse_math=False)
    return ax


def plot_p_matrix(board: Leaderboard, ax: Any = None) -> Any:
    """Draw the adjusted p of each pair of systems, the best ones first, in classes.

    Parameters
    ----------
    board : Leaderboard
        Of `compare_many`, without a baseline, with up to 60 systems.
    ax : matplotlib.axes.Axes or None
        Where to draw; None: axes of a new figure, whose size grows with the systems.

    Returns
    -------
    matplotlib.axes.Axes
        The x of a cell is the number of the better system, y that of the other. With up to 10
        systems the cells show p, without its leading 0.

    Raises
    ------
    InputError
        If it is no leaderboard, has a baseline, or more than 60 systems.
    ImportError
        Without matplotlib.

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
    found = p_matrix(board)
    with extra("plot", "a picture"):
        from matplotlib.colors import ListedColormap

    n, longest = len(found.names), _LETTER * max(map(len, found.names))
    width = longest + max(_CELL * min(n, _NUMBERED), _ROW * n) + _ROW
    ax = _axes(ax, longest + max(_ROW * n, _TALL / 2.0) + _MARGIN, max(width, _WIDTH))
    colours = [*_SHADES[-len(found.class_names) + 1 :], _PALE]
    edges, looks = np.arange(n + 1) - 0.5, {"cmap": ListedColormap(colours), "edgecolors": "white"}
    cells = ax.pcolormesh(edges, edges, np.ma.masked_less(found.classes, 0), **looks)
    cells.set_clim(-0.5, len(colours) - 0.5)
    for y, x in np.argwhere(found.classes >= 0) if n <= _NUMBERED else ():
        ink = "white" if colours[found.classes[y, x]] in _SHADES[:2] else "black"
        text = short_p(found.pvalues[y, x])
        ax.text(x, y, text, ha="center", va="center", color=ink, fontsize=_SMALL)
    ax.set_ylim(n - 0.5, -0.5)
    ax.set_xticks(range(n), found.names, parse_math=False, rotation=90)
    ax.set_yticks(range(n), found.names, parse_math=False)
    ax.tick_params(labelsize=_LETTERS, length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(found.title, fontsize=_LETTERS, loc="right")
    _legend(ax, colours, found.class_names, loc="upper right")
    return ax


def _axes(ax: Any, height: float, width: float = _WIDTH) -> Any:
    """Return the axes that were given, or those of a new figure."""
    if ax is not None:
        return ax
    with extra("plot", "a picture"):
        from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained").add_subplot()


def _legend(ax: Any, colours: Sequence[str], labels: Sequence[str], **options: Any) -> None:
    """Draw a square of each colour and its meaning; names with dollar signs are no formulas."""
    from matplotlib.patches import Patch

    options |= {"frameon": False, "fontsize": _LETTERS, "handletextpad": 0.5, "handlelength": 1.0}
    squares = [Patch(color=colour) for colour in colours]
    legend = ax.legend(squares, labels, borderaxespad=0.2, **options)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _tick(x: float, _: int) -> str:
    """Write a number of an axis in full: a power of ten would be written over the label."""
    return f"{x:,.6g}".replace("-", "\N{MINUS SIGN}")


def _bracket(ax: Any, start: int, end: int, total: int) -> None:
    """Mark below the bar the flips: the parts where exactly one is right."""
    ax.plot([start, start, end, end], [-0.55, -0.65, -0.65, -0.55], color="black", linewidth=1)
    centre = (start + end) / 2.0
    x, side = (start, "left") if centre < 0.3 * total else (centre, "center")
    x, side = (end, "right") if centre > 0.7 * total else (x, side)
    text = f"{counted(end - start, 'flip')}: exactly one is right"
    ax.annotate(text, (x, -0.7), ha=side, va="top", fontsize=_LETTERS)


def _column(ax: Any, head: str, texts: Sequence[str], place: float) -> float:
    """Write a text right of each row, `place` points away, and return the next place."""
    from matplotlib.textpath import TextPath

    widths = [TextPath((0, 0), x, size=_LETTERS).get_extents().width for x in (head, *texts) if x]
    place += _LETTERS + max(widths)
    options = {"textcoords": "offset points", "ha": "right", "fontsize": _LETTERS}
    ax.annotate(head, (1.0, 1.0), (place, 2.0), "axes fraction", va="bottom", **options)
    for y, text in enumerate(texts):
        rows = ax.get_yaxis_transform()
        ax.annotate(text, (1.0, y), (place, 0.0), rows, va="center_baseline", **options)
    return place
