"""Figures of one column's width, readable in black and white and by the colour-blind."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pairedperm.errors import extra

# Okabe & Ito's palette, without yellow
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
SIZE, DPI = (3.4, 2.8), 300  # inches
FONT = {"font.size": 7, "figure.titlesize": 7.5, "axes.linewidth": 0.6}
GAP = 0.056  # between labels, in heights of the axes
FEW_DECADES = 200.0  # a range that has ticks at 2 and 5 too
SPACE = 1.9  # between the values of labelled ticks, as a ratio


class Style(NamedTuple):
    """The look of a line."""

    color: str
    marker: str
    dashes: str = "-"


def require_matplotlib() -> None:
    """Exit with a remedy where it is missing."""
    try:
        with extra("plot", "The figure"):
            import matplotlib  # noqa: F401
    except ImportError as error:
        sys.exit(str(error))


def draw_lines(
    path: Path,
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    styles: Sequence[Style],
    title: str,
    axes_labels: tuple[str, str],
) -> None:
    """Lines on logarithmic axes, each with its name at its right end; says where."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullFormatter

    with rc_context(FONT):
        figure = Figure(SIZE, layout="constrained")
        axes = figure.add_subplot()
        for (x, y), (color, marker, dashes) in zip(lines.values(), styles, strict=True):
            axes.loglog(x, y, dashes, color=color, marker=marker, markersize=3, linewidth=1)
        xs = sorted({value for x, _ in lines.values() for value in x})
        axes.set_xticks(xs, tick_labels(xs))
        axes.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)
        ys = [value for _, y in lines.values() for value in y]
        steps = (1.0, 2.0, 5.0) if max(ys) < FEW_DECADES * min(ys) else (1.0,)
        axes.yaxis.set_major_locator(LogLocator(subs=steps))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.grid(axis="y", linewidth=0.3, color="#cccccc")
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel(axes_labels[0])
        axes.set_ylabel(axes_labels[1])
        figure.suptitle(title, x=0.01, horizontalalignment="left")
        ends = [y[-1] for _, y in lines.values()]
        label_ends(axes, ends, list(lines), [style.color for style in styles])
        figure.savefig(path, dpi=DPI)
    print(path)


def tick_labels(values: Sequence[float]) -> list[str]:
    """The last one, and before it those that leave room."""
    labels, last = [], float("inf")
    for value in reversed(values):
        has_room = last >= SPACE * value
        labels.append(f"{value:,}" if has_room else "")
        last = value if has_room else last
    return labels[::-1]


def label_ends(axes: Any, ends: Sequence[float], names: list[str], colors: list[str]) -> None:
    """Names beside the right ends of lines, moved apart where they would overlap."""
    scale = axes.transScale + axes.transLimits  # from data to shares of the axes
    order = sorted(range(len(ends)), key=ends.__getitem__)
    wanted = [float(scale.transform((1.0, ends[k]))[1]) for k in order]
    for k, height in zip(order, apart(wanted, GAP), strict=True):
        axes.text(
            *(1.02, height, names[k]),
            transform=axes.transAxes,
            color=colors[k],
            verticalalignment="center",
        )


def apart(wanted: Sequence[float], gap: float) -> list[float]:
    """Ascending heights at least a gap apart: those too close are spread about their mean."""
    groups: list[list[float]] = []
    for height in wanted:
        groups.append([height])
        while (
            len(groups) > 1
            and middle(groups[-1]) - middle(groups[-2])
            < gap * (len(groups[-1]) + len(groups[-2])) / 2.0
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [
        middle(group) + gap * (k - (len(group) - 1) / 2.0)
        for group in groups
        for k in range(len(group))
    ]


def middle(heights: Sequence[float]) -> float:
    """Return the mean."""
    return sum(heights) / len(heights)
