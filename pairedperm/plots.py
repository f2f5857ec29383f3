"""Pictures, with matplotlib (extra ``plot``): of results, suites and leaderboards.

Nothing here touches pyplot. Without axes of one's own each function draws into a new
`matplotlib.figure.Figure`, 3.3 inches wide with letters of 8 points, for a column of a paper. A
notebook shows it once, and `savefig` writes it. In axes of one's own, letters have the size of
their label, or less where the rows have no room otherwise. Constrained layout makes room for all
texts. Without matplotlib the import of this module raises ImportError.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError, describe, extra, printable
from pairedperm.options import ALPHA, BudgetLike
from pairedperm.results.result import PairedResult
from pairedperm.results.several import CORRECTED, Leaderboard, TableOfTests
from pairedperm.results.suite import SuiteResult
from pairedperm.results.told import display_width
from pairedperm.results.words import UNITS, Figures, adjusted_in_words, p_beside, pair_of_names

with extra("plot", "a picture"):
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

__all__ = ["plot_leaderboard", "plot_null_distribution", "plot_p_matrix", "plot_suite"]

# Okabe and Ito's colours, which colour-blind people tell apart, and greys of another lightness.
_BLUE, _RED, _GREY, _PALE = "#0072B2", "#D55E00", "#767676", "#D9D9D9"
_SHADES = ("#08306B", "#2E7EBC", "#92C5DE")  # of p up to α; they differ in lightness
_WIDTH = 3.3  # tuned: inches, a column of a paper
_SIZE = 8.0  # tuned: points of a letter in it
_SHARE = 0.77  # tuned: of the width and height of a panel, which its axes fill at first
_DOTS = 150  # tuned: of an inch, where a notebook shows it
_NAME, _LINE = 18, 40  # tuned: columns of a name, and of a label, beyond which it is broken
_LETTER = 0.66  # tuned: width of a digit, as a share of the letters' size
_TALL, _AROUND = 1.9, 0.35  # tuned: inches, of a distribution, and above and below rows
_HEIGHT, _GAP = 0.135, 0.065  # tuned: inches, of a line of text, and between rows
_BREAK = re.compile(r"(?<=[ /_:-])|(?<=[\u2e80-\uffff])|(?<=[a-z])(?=[A-Z])")


class _Picture(Figure):
    """A figure that notebooks show without pyplot."""

    def _repr_png_(self) -> bytes:
        drawn = io.BytesIO()
        self.savefig(drawn)
        return drawn.getvalue()


_STEMS = 60  # tuned: points that are seen one by one
_BINS, _FEWEST, _IN_A_BIN = 120, 20, 120  # tuned: most and least bins, and points in one on average
_HOLES = 1.5  # tuned: points of a lattice for each value that some swaps gave
_FAINT = 1e-5  # tuned: share of the largest mass, below which nothing is seen
_SAME = 1e-9  # tuned: share of the observed difference by which a point may differ from it
_DRAWN = 10**6  # tuned: most sampled swaps that are drawn once more
_FAR = {  # what the differences of a tail are
    "two-sided": "at least as far from 0",
    "greater": "at least as high",
    "less": "at most as high",
}


def plot_null_distribution(
    result: PairedResult, ax: Any = None, *, budget: BudgetLike = None
) -> Any:
    """Draw the null distribution, the observed difference, and the tails whose share is p.

    If p was sampled, the picture shows these samples, up to the first million of them.

    Parameters
    ----------
    result : PairedResult
        The result of a permutation test, with its score function.
    ax : matplotlib.axes.Axes or None
        Where to draw; None: a new figure.
    budget : Budget, dict or None
        Upper limits of the points and the memory, as of a test.

    Returns
    -------
    matplotlib.figure.Figure
        The new figure, or that of `ax`. Up to 60 values are stems, more are an area of bins.

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
    >>> figure = plot_null_distribution(result)
    >>> print(figure.axes[0].get_xlabel())
    difference (percentage points)
    by random swaps
    """
    if not isinstance(result, PairedResult) or result.test != "permutation":
        must = "be that of a paired-permutation test"
        raise InputError("result", must=must, got=describe(result))
    if result.n_resamples is None:
        null, share = result.null_distribution(budget), "probability"
    else:
        null = result.sampled_distribution(min(result.n_resamples, _DRAWN), budget)
        share = "share of the samples"
    factor = UNITS[result.unit].factor
    observed = factor * result.statistic
    values, masses = _seen(factor * null.support, null.pmf)
    ax, size = _axes(ax, _TALL)
    if values.size <= _STEMS:
        is_tail = _is_extreme(values, observed, result.alternative, _SAME * abs(observed))
        for these, colour in ((~is_tail, _GREY), (is_tail, _RED)):
            looks = {"colors": colour, "linewidth": size / 4.0, "zorder": 3}
            ax.vlines(values[these], 0.0, masses[these], **looks)
    else:
        heights, edges, is_tail = _bins(values, masses, observed, result.alternative)
        ax.stairs(heights, edges, fill=True, color=_PALE)
        ax.stairs(np.where(is_tail, heights, 0.0), edges, fill=True, color=_RED)
    line = ax.axvline(observed, color="black", linestyle="--", linewidth=size / 8.0)
    ax.set_ylim(0.0)
    p = p_beside(ALPHA, result.pvalue, result.log_pvalue)
    tail = f"{_FAR[result.alternative]}: p = {p}"
    _legend(ax, size, [line, Patch(color=_RED)], ["observed", tail])
    ax.set_xlabel(swaps_in_words(result), fontsize=size)
    ax.set_ylabel(share, fontsize=size)
    ax.set_yticks([])
    _write_numbers(ax, size, 6)
    ax.spines[["left", "top", "right"]].set_visible(False)
    return ax.figure.figure


def swaps_in_words(result: PairedResult) -> str:
    """Return the label of the axis: "difference (percentage points)", "by 9,999 random swaps"."""
    what, unit = "statistic" if result.score1 is None else "difference", UNITS[result.unit].name
    n = result.n_resamples or 0
    first = f"the first {_DRAWN:,} of " if n > _DRAWN else ""
    swaps = f"{first}{n:,} random swaps" if n else "random swaps"
    return f"{what}{f' ({unit})' if unit else ''}\nby {swaps}"


def _seen(values: FloatArray, masses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the values between the outermost ones whose mass can be seen."""
    visible = np.flatnonzero(masses >= _FAINT * masses.max())
    span = slice(visible[0], visible[-1] + 1)
    return values[span], masses[span]


def _is_extreme(
    values: FloatArray, observed: float, alternative: str, margin: float
) -> NDArray[np.bool_]:
    """Tell which values are at least as extreme as the observed one, but for a margin."""
    beyond = {"greater": values - observed, "less": observed - values}
    return beyond.get(alternative, np.abs(values) - abs(observed)) >= -margin


def _bins(
    values: FloatArray, masses: FloatArray, observed: float, alternative: str
) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Return heights, edges and which are in a tail; each bin holds equally much of a lattice."""
    gap = float(np.diff(values).min())
    n_points = round(float(values[-1] - values[0]) / gap) + 1
    is_lattice = n_points <= _HOLES * values.size
    n_bins = _BINS if is_lattice else min(_BINS, max(_FEWEST, values.size // _IN_A_BIN))
    each = -(-n_points // n_bins)  # points in a bin
    edges = values[0] + gap * (each * np.arange(-(-n_points // each) + 1.0) - 0.5)
    heights, _ = np.histogram(values, edges, weights=masses)
    tails = np.add.outer([observed, -observed], [-gap / 2.0, gap / 2.0])  # they may cut a bin
    cuts = np.union1d(edges, np.clip(tails, edges[0], edges[-1]))
    centres = (cuts[1:] + cuts[:-1]) / 2.0
    of_bins = heights[np.searchsorted(edges, centres) - 1]
    return of_bins, cuts, _is_extreme(centres, observed, alternative, gap / 2.0)


class _Row(NamedTuple):
    """A system or a task: its difference and its interval, both in the unit of printed ones."""

    name: str
    difference: float
    interval: Sequence[float] | None
    is_significant: bool
    texts: Sequence[str]
    mark: str = "o"


def _row(name: str, figures: Figures, sign: float, is_significant: bool, *texts: str) -> _Row:
    """Return the row of a difference, or of its opposite if the sign is negative."""
    factor = sign * figures.unit.factor
    interval = figures.interval and sorted(factor * x for x in figures.interval[:2])
    difference = sign * figures.difference.value
    return _Row(name, difference, interval, is_significant, texts)


def plot_leaderboard(board: Leaderboard, ax: Any = None) -> Any:
    """Draw where each system stands: its difference from the best one, with its interval.

    A diamond at 0 is the best system, or the baseline if there is one. A filled dot is a system
    that differs significantly from it, by the adjusted p; a hollow dot is one that does not. The
    scores stand at the right, with the tiers, or with a baseline the adjusted p. An infinite end of
    an interval is an arrow at the edge.

    Parameters
    ----------
    board : Leaderboard
        Of `compare_many`.
    ax : matplotlib.axes.Axes or None
        Where to draw; None: a new figure, whose height grows with the systems. In axes of one's own
        each system needs the height of its name. Names and scores stand outside the axes:
        ``Figure(layout="constrained")`` makes room for them.

    Returns
    -------
    matplotlib.figure.Figure
        The new figure, or that of `ax`. The best system is above. Without intervals there are dots
        only.

    Raises
    ------
    InputError
        If it is no leaderboard.

    Examples
    --------
    >>> from pairedperm import compare_many
    >>> from pairedperm.plots import plot_leaderboard
    >>> board = compare_many({"large": [1] * 9, "small": [1] * 3 + [0] * 6}, [1] * 9)
    >>> ax = plot_leaderboard(board).axes[0]
    >>> [name.get_text() for name in ax.get_yticklabels()]
    ['large', 'small']
    >>> print(ax.get_xlabel())
    difference in accuracy from large
    (percentage points), 95% interval
    filled: p ≤ 0.05, adjusted (Holm)
    """
    _check(board, "board", Leaderboard, "compare_many")
    reference, tiers, rows = board.baseline or board.systems[0], board.tiers, []
    results: list[PairedResult] = []
    others = {frozenset(x.of): x for x in board._tests}
    for name, score in ((str(row[0]), row[1]) for row in board.told().rows):
        note = f"{tiers[name]}" if board.baseline is None else "baseline"
        if name == reference:
            rows.append(_Row(name, 0.0, None, False, (score, note), "D"))
            continue
        pair = others[frozenset((name, reference))]
        if board.baseline is not None:
            note = adjusted_in_words(pair.p_adjusted, board.alpha)
        sign, is_apart = 1.0 if pair.of.system1 == name else -1.0, pair.p_adjusted <= board.alpha
        results.append(board._whole(pair))
        rows.append(_row(name, results[-1].figures(), sign, is_apart, score, note))
    one = board._tests[0].result
    what = f"difference in {one.metric_words} from {reference}"
    filled = f"filled: p ≤ {board.alpha:g}, {_adjusted(board)}"
    label = _label(what, results, filled)
    heads = "score", "tier" if board.baseline is None else "p"
    return _draw_rows(ax, rows, heads, label)


def plot_suite(
    suite: SuiteResult, ax: Any = None, *, name1: str | None = None, name2: str | None = None
) -> Any:
    """Draw the difference on each task with its interval, and that of the average below.

    A filled mark is a significant difference, a hollow one is none: of a task by its adjusted p,
    which stands at the right, and of the average by its own p. The average is a diamond. If lower
    is better only on some tasks, these have an arrow, and their differences the opposite sign, as
    in the average. An infinite end of an interval is an arrow at the edge.

    Parameters
    ----------
    suite : SuiteResult
        Of `compare_suite`.
    ax : matplotlib.axes.Axes or None
        Where to draw, see `plot_leaderboard`; None: a new figure, whose height grows with the
        tasks.
    name1, name2 : str or None
        The names of the two systems. None: those of the suite.

    Returns
    -------
    matplotlib.figure.Figure
        The new figure, or that of `ax`. The tasks stand in their order.

    Raises
    ------
    InputError
        If it is no suite, or its tasks have scores of several units, which have no axis in common.
        If a name is no text or is empty, or both systems have the same name.

    Examples
    --------
    >>> from pairedperm import compare_suite
    >>> from pairedperm.plots import plot_suite
    >>> new, old = [1] * 90 + [0] * 10, [0] * 8 + [1] * 82 + [1] * 2 + [0] * 8
    >>> suite = compare_suite({"logic": (new, old, [1] * 100), "law": (new, new, [1] * 100)})
    >>> ax = plot_suite(suite, name1="new", name2="old").axes[0]
    >>> [name.get_text() for name in ax.get_yticklabels()]
    ['logic', 'law', 'average']
    >>> [text.get_text() for text in ax.texts]
    ['p', '0.109', '1', '0.109']
    >>> print(ax.get_xlabel())
    accuracy, new − old
    (percentage points), 95% interval
    filled: p ≤ 0.05, tasks adjusted (Holm)
    """
    _check(suite, "suite", SuiteResult, "compare_suite")
    results = [x.result for x in suite._tests]
    if len({x.unit for x in results}) > 1:
        what, remedy = " has tasks in several units", "Compare the tasks of each in a suite"
        raise InputError(f"`suite`{what}", remedy=remedy)
    rows = []
    for x in suite._tests:
        p, is_apart = adjusted_in_words(x.p_adjusted, suite.alpha), x.p_adjusted <= suite.alpha
        name, sign = (f"{x.of.task} ↓", -1.0) if x.of.turned else (x.of.task, 1.0)
        rows.append(_row(name, x.result.figures(), sign, is_apart, p))
    if (average := suite.average) is not None:
        name = "average of all tasks" if "average" in suite.results else "average"
        p = p_beside(suite.alpha, average.pvalue, average.log_pvalue)
        row = _row(name, average.figures(), 1.0, average.pvalue <= suite.alpha, p)
        rows.append(row._replace(mark="D"))
    metrics = {x.metric_words for x in results}
    metric = metrics.pop() if len(metrics) == 1 else "score"
    first, second = pair_of_names((name1, name2), (suite.name1, suite.name2))
    notes = ["↓ lower is better, sign turned"] if any(x.of.turned for x in suite._tests) else []
    filled = f"filled: p ≤ {suite.alpha:g}, tasks {_adjusted(suite)}"
    label = _label(f"{metric}, {first} \N{MINUS SIGN} {second}", results, *notes, filled)
    return _draw_rows(ax, rows, ["p"], label, has_average=suite.average is not None)


def _label(what: str, results: Sequence[PairedResult], *notes: str) -> str:
    """Return the label of the axis of differences."""
    unit, every = UNITS[results[0].unit].name, [x.figures() for x in results]
    levels = {x.level_in_words for x in every if x.interval}
    more = [f"({unit})"] if unit else []
    more += [f"{level} interval" for level in sorted(levels)]
    more += ["lower is better"] if all(x.lower_is_better for x in results) else []
    return "\n".join(_lines(x) for x in (what, ", ".join(more), *notes) if x)


def _adjusted(table: TableOfTests) -> str:
    """Say how p was adjusted."""
    return f"adjusted ({CORRECTED[table.correction]})" if table.correction else "not adjusted"


def _edges(names: Sequence[str]) -> FloatArray:
    """Return where the rows of these names begin and end; one of one line has the height 1."""
    heights = [1.0 + _HEIGHT / (_HEIGHT + _GAP) * name.count("\n") for name in names]
    return np.cumsum([0.0, *heights])


def _draw_rows(
    ax: Any, rows: Sequence[_Row], heads: Sequence[str], label: str, *, has_average: bool = False
) -> Any:
    """Draw a mark and a line in each row, and write its texts; an average is set apart."""
    names = [_lines(row.name, _NAME) for row in rows]
    edges = _edges(names)
    places = (edges[1:] + edges[:-1]) / 2.0
    if has_average:
        edges[-1], places[-1] = edges[-1] + 0.5, places[-1] + 0.5
    below = _HEIGHT * (2 + label.count("\n"))
    ax, size = _axes(ax, _AROUND + below + (_HEIGHT + _GAP) * float(edges[-1]))
    if has_average:
        ax.axhline(edges[-2] + 0.25, color="black", linewidth=size / 16.0)
    ends = [0.0, *(x for row in rows for x in (row.difference, *(row.interval or ())))]
    finite = [x for x in ends if math.isfinite(x)]
    room = 0.06 * (max(finite) - min(finite)) or 1.0
    low, high = min(finite) - room, max(finite) + room
    ax.axvline(0.0, color="black", linestyle="--", linewidth=size / 8.0, zorder=1)
    for y, row in zip(places, rows, strict=True):
        colour = _BLUE if row.is_significant else _GREY
        if row.interval is not None:
            ax.plot(np.clip(row.interval, low, high), (y, y), color=colour, linewidth=size / 5.0)
            for x, edge, mark in zip(row.interval, (low, high), "<>", strict=True):
                if math.isinf(x):
                    ax.plot(edge, y, mark, color=colour, markersize=size / 1.6, clip_on=False)
        face = colour if row.is_significant else "white"
        options = {"color": colour, "markerfacecolor": face, "markersize": size / 1.6}
        ax.plot(row.difference, y, row.mark, **options)
    ax.set_xlim(low, high)
    ax.set_ylim(edges[-1], 0.0)
    ax.set_yticks(places, names, parse_math=False, fontsize=size)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color=_PALE, linewidth=size / 16.0)
    ax.set_axisbelow(True)
    ax.spines[["left", "top", "right"]].set_visible(False)
    place = 0.0
    for head, texts in zip(heads, zip(*(row.texts for row in rows), strict=True), strict=True):
        place += size * (1.0 + _LETTER * max(map(len, (head, *texts))))
        options = {"textcoords": "offset points", "ha": "right", "fontsize": size}
        ax.annotate(head, (1.0, 1.0), (place, 2.0), "axes fraction", va="bottom", **options)
        for y, text in zip(places, texts, strict=True):
            at = ax.get_yaxis_transform()
            ax.annotate(text, (1.0, y), (place, 0.0), at, va="center_baseline", **options)
    ax.set_xlabel(label, fontsize=size, parse_math=False)
    _write_numbers(ax, size, 4)
    return ax.figure.figure


_BOUNDS = 0.001, 0.01  # tuned: of classes of p, where they are below α
_LEAST_P = 1e-9  # tuned: p, below which its size says nothing more
_NUMBERED = 7  # tuned: systems, up to which the cells of a matrix have room for numbers


def plot_p_matrix(board: Leaderboard, ax: Any = None) -> Any:
    """Draw the adjusted p of each pair of systems, the best ones first, in classes.

    A name stands at the end of its row, above its column: a cell is the pair of the better system
    above it, and the other one right of it.

    Parameters
    ----------
    board : Leaderboard
        Of `compare_many`, without a baseline.
    ax : matplotlib.axes.Axes or None
        Where to draw, see `plot_leaderboard`; None: a new figure, which grows as well.

    Returns
    -------
    matplotlib.figure.Figure
        The new figure, or that of `ax`. Up to 7 systems have p in the cells, without its leading 0.

    Raises
    ------
    InputError
        If it is no leaderboard, or has a baseline.

    Examples
    --------
    >>> from pairedperm import compare_many
    >>> from pairedperm.plots import plot_p_matrix
    >>> board = compare_many({"large": [1] * 9, "small": [1] * 3 + [0] * 6}, [1] * 9)
    >>> ax = plot_p_matrix(board).axes[0]
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['p ≤ 0.001', 'p ≤ 0.01', 'p ≤ 0.05', 'p > 0.05']
    >>> [text.get_text() for text in ax.texts]
    ['large', 'small', '.031']
    """
    _check(board, "board", Leaderboard, "compare_many")
    if board.baseline is not None:
        raise InputError(
            "board",
            "has a baseline, so only pairs with the baseline were compared; a matrix needs every "
            "pair",
            remedy="Leave out `baseline`, or draw `plot_leaderboard`",
        )
    n = len(board.systems)
    pvalues = np.full((n, n), np.nan)
    for pair in board._tests:
        column, row = sorted(map(board.systems.index, pair.of))
        pvalues[row, column] = pair.p_adjusted
    bounds = [*(bound for bound in _BOUNDS if bound < board.alpha), board.alpha]
    classes = np.ma.masked_where(np.isnan(pvalues), np.searchsorted(bounds, pvalues))
    colours = [*_SHADES[-len(bounds) :], _PALE]
    names = [_lines(name, _NAME) for name in board.systems]
    edges = _edges(names)
    ax, size = _axes(ax, 2.0 * _AROUND + (_HEIGHT + _GAP) * float(edges[-1]))
    looks = {"cmap": ListedColormap(colours), "edgecolors": "white", "linewidth": size / 16.0}
    cells = ax.pcolormesh(np.arange(n + 1) - 0.5, edges, classes, **looks)
    cells.set_clim(-0.5, len(colours) - 0.5)
    heights = (edges[1:] + edges[:-1]) / 2.0
    for x, name in enumerate(names):
        ax.text(x - 0.4, heights[x], name, va="center", fontsize=size, parse_math=False)
    for y, x in np.argwhere(~np.isnan(pvalues)) if n <= _NUMBERED else ():
        ink = "white" if colours[classes[y, x]] in _SHADES[:2] else "black"
        options = {"ha": "center", "va": "center", "color": ink, "fontsize": 0.8 * size}
        ax.text(x, heights[y], short_p(pvalues[y, x], board.alpha), **options)
    ax.set_ylim(edges[-1], 0.0)
    ax.set_axis_off()
    words = [*(f"p ≤ {bound:g}" for bound in bounds), f"p > {board.alpha:g}"]
    squares = [Patch(color=x) for x in colours]
    _legend(ax, size, squares, words, ncols=2, title=_lines(f"p of each pair, {_adjusted(board)}"))
    return ax.figure.figure


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


def _check(given: Any, argument: str, kind: type, function: str) -> None:
    """Raise InputError for anything but what this function returns."""
    if not isinstance(given, kind):
        must = f"be what `{function}` returns"
        raise InputError(argument, must=must, got=describe(given))


def _axes(ax: Any, height: float) -> tuple[Any, float]:
    """Return the axes, or those of a new figure of this height, and the size of their letters."""
    if ax is None:
        figure = _Picture(figsize=(_WIDTH, height), dpi=_DOTS, layout="constrained")
        return figure.add_subplot(), _SIZE
    inches = ax.get_window_extent().size / ax.figure.dpi / _SHARE
    return ax, min(ax.xaxis.label.get_size(), *(_SIZE * inches / (_WIDTH, height)))


def _lines(text: str, width: int = _LINE) -> str:
    """Break a text into lines, after signs, between wide letters or before a capital."""
    lines = [""]
    for part in _BREAK.split(printable(text, 4 * width)):
        for piece in re.findall(f".{{1,{width}}}", part):
            if display_width((lines[-1] + piece).rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def _legend(ax: Any, size: float, marks: Sequence[Any], labels: Sequence[str], **more: Any) -> None:
    """Write the meaning of each mark above the axes."""
    options = {"frameon": False, "fontsize": size, "handlelength": 1.2, "handletextpad": 0.5}
    place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "borderaxespad": 0.2}
    ax.legend(marks, labels, title_fontsize=size, alignment="left", **options, **place, **more)


def _write_numbers(ax: Any, size: float, n_steps: int) -> None:
    """Write the numbers below the axes in full: a power of ten would be over the label."""
    ax.locator_params(axis="x", nbins=n_steps)
    ax.xaxis.set_tick_params(labelsize=size)
    ax.xaxis.set_major_formatter(_in_full)


def _in_full(x: float, _: int) -> str:
    return f"{x:,.6g}".replace("-", "\N{MINUS SIGN}")
