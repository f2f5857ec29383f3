"""Axes of any size for a picture: all its texts are whole, and no text covers another.

A picture is tried with texts of ever smaller styles in a figure of its own, as large as its room.
The first style that fits is drawn. At each drawing the axes then leave room for their texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np

from pairedperm.errors import extra, warn
from pairedperm.errors.wording import Name

_SIZES = ((9.0, 5), (8.0, 4), (7.0, 3), (6.0, 2))  # tuned: points of a text, and marks of an axis
_LENGTHS = 24, 14  # tuned: characters of a name
LETTER = 0.075  # tuned: inches, of a character of 9 points
LINE_LETTERS = 48  # tuned: most characters of a line
_PITCH = 1.15 / 72.0  # tuned: inches, of a row of one point
_AROUND = 4  # tuned: rows that the texts around take
_FEWER = 0.9  # tuned: share of the rows that are tried next
_PAD = 0.03  # tuned: inches, from the edge of the room, and between texts
_LEAST_PLOT = 0.25  # tuned: inches, of what is not text
_WIDEST = 3  # tuned: longest texts, one of which is the widest
_NEAR = 1.0  # tuned: pixels, by which a text may leave its room

Draw = Callable[[Any, "Style"], Any]  # returns points that the legend must not cover, if any


class Style(NamedTuple):
    """How to draw: points of the texts, and numbers of characters, marks, rows and inches.

    Names have up to `n_letters` characters, an axis up to `n_marks` numbers, a board up to
    `n_rows` systems. The whole room is `width` inches wide.
    """

    size: float
    n_marks: int
    n_letters: int
    n_rows: int
    width: float

    @property
    def line(self) -> int:
        """The number of characters that fit into a line."""
        return min(LINE_LETTERS, int(self.width / self.letters("x")))

    def letters(self, text: str) -> float:
        """Return about how many inches a text takes."""
        return LETTER * self.size / 9.0 * len(text)


def drawn_to_fit(ax: Any, draw: Draw, height: float, width: float, n_rows: int = 1) -> Any:
    """Draw into the axes, or into those of a new figure of this size, and return the axes.

    Warns
    -----
    UserWarning
        If the axes are too small for the least texts.
    """
    with extra("plot", "a picture"):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

    if ax is None:
        ax = Figure(figsize=(width, height), layout="constrained").add_subplot()
    figure = ax.figure
    if (
        isinstance(figure, Figure)
        and (engine := figure.get_layout_engine())
        and figure.axes == [ax]
    ):
        is_on = ax.axison
        ax.set_axis_off()
        engine.execute(figure)  # gives the axes all room; with others it is not yet known
        ax.axison = is_on
    room = _room(ax)
    width, height = room.width * figure.bbox.width, room.height * figure.bbox.height
    inches = width / figure.dpi, height / figure.dpi
    for style in _styles(*inches, n_rows):
        trial = Figure(inches, figure.dpi).add_axes((0.0, 0.0, 1.0, 1.0))
        renderer = FigureCanvasAgg(trial.figure).get_renderer()
        points = draw(trial, style)
        trial.apply_aspect(_inside(trial, renderer))
        if _fits(trial, renderer, points):
            break
    else:
        warn(
            Name("ax"),
            f" has a room of {inches[0]:.2g} × {inches[1]:.2g} inches, too small for texts of "  # noqa: RUF001
            f"{style.size:g} points",
            remedy="they are cut or overlap. Give larger axes, or none",
        )
    draw(ax, style)
    ax.set_axes_locator(_Inside(ax))
    return ax


def _styles(width: float, height: float, n_rows: int) -> Iterator[Style]:
    """Yield styles with ever smaller texts, then with shorter names, then with fewer rows."""
    for size, n_marks in _SIZES:
        if n_rows * size * _PITCH < height:
            yield Style(size, n_marks, _LENGTHS[0], n_rows, width)
    n_shown = min(n_rows, max(int(height / (size * _PITCH)) - _AROUND, 1))
    while n_shown > 0:
        for n_letters in _LENGTHS:
            yield Style(size, n_marks, n_letters, n_shown, width)
        n_shown = int(_FEWER * n_shown)


def _room(ax: Any) -> Any:
    """Return the box, in the figure, that the axes may fill with their texts.

    A layout engine has made it. Otherwise it reaches to the next axes, or the figure's edge, at
    the left and below, where axes have their numbers; and at the right if there are no others.
    """
    from matplotlib.transforms import Bbox

    box = ax.get_position(original=True)
    if ax.figure.get_layout_engine() is not None:
        return box
    others = [x.get_position(original=True) for x in ax.figure.axes if x is not ax]
    beside = [x for x in others if x.y0 < box.y1 and x.y1 > box.y0]
    below = [x.y1 for x in others if x.x0 < box.x1 and x.x1 > box.x0 and x.y1 <= box.y0]
    left = max((x.x1 for x in beside if x.x1 <= box.x0), default=0.0)
    right = box.x1 if any(x.x0 >= box.x1 for x in beside) else 1.0
    return Bbox.from_extents(left, max(below, default=0.0), right, box.y1)


def _inside(ax: Any, renderer: Any = None) -> Any:
    """Return the box of the axes that leaves room for the texts around it."""
    from matplotlib.transforms import Bbox

    to_pixels = ax.figure.transSubfigure
    pad = 0.0 if ax.figure.get_layout_engine() else _PAD * ax.figure.dpi
    room = to_pixels.transform_bbox(_room(ax)).padded(-pad)
    for _ in range(2):  # some texts move with the box
        texts = _texts(ax, renderer)
        left, _, right, _ = _beyond(ax.bbox, [x.box for x in texts if x.is_beside])
        _, bottom, _, top = _beyond(ax.bbox, [x.box for x in texts if x.is_above])
        ends = room.x1 - right, room.y1 - top
        starts = min(room.x0 + left, ends[0] - 1.0), min(room.y0 + bottom, ends[1] - 1.0)
        box = to_pixels.inverted().transform_bbox(Bbox([starts, ends]))
        ax.apply_aspect(box)
    inner, label = ax.bbox, ax.xaxis.label
    half = label.get_window_extent(renderer).width / 2.0
    centre = max(min((inner.x0 + inner.x1) / 2.0, room.x1 - half), room.x0 + half)
    label.set_x((centre - inner.x0) / inner.width)
    return box


class _Inside:
    """`_inside` as an axes locator, in a form that the layout "tight" understands."""

    def __init__(self, ax: Any) -> None:
        self.get_subplotspec = ax.get_subplotspec

    def __call__(self, ax: Any, renderer: Any) -> Any:
        return _inside(ax, renderer)


class _Text(NamedTuple):
    """The box of a text, and whether the axes leave room for it beside them, and above or below."""

    box: Any
    is_beside: bool
    is_above: bool


def _texts(ax: Any, renderer: Any) -> list[_Text]:
    """Return the boxes of all texts that are drawn, and of the legend."""
    from matplotlib.text import Text

    texts = [(x, True, True) for x in ax.texts]
    for axis, is_y in ((ax.xaxis, False), (ax.yaxis, True)) if ax.axison else ():
        axis.get_tightbbox(renderer)  # places the label
        texts.append((axis.label, is_y, not is_y))
        low, high = sorted(axis.get_view_interval())
        marks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
        texts += [(label, True, True) for place, label in marks if low <= place <= high]
    titles = [x for x in ax.get_children() if isinstance(x, Text) and x not in ax.texts]
    texts += [(x, False, True) for x in titles]
    texts = [x for x in texts if x[0].get_visible() and x[0].get_text().strip()]
    texts += [(x, False, True) for x in (ax.get_legend(),) if x]
    return [_Text(x.get_window_extent(renderer), *where) for x, *where in texts]


def _beyond(box: Any, others: list[Any]) -> tuple[float, float, float, float]:
    """Return by how many pixels others leave a box: at the left, below, at the right, above."""
    x0, y0, x1, y1 = np.array([x.extents for x in (box, *others)]).T
    return box.x0 - x0.min(), box.y0 - y0.min(), x1.max() - box.x1, y1.max() - box.y1


def _fits(ax: Any, renderer: Any, points: Any) -> bool:
    """Tell whether all texts lie in the figure, none covers another, and the rest has room.

    The legend covers none of the points. Texts beside each other have a gap.
    """
    boxes, dpi, legend = [x.box for x in _texts(ax, renderer)], ax.figure.dpi, ax.get_legend()
    if min(ax.bbox.size) < _LEAST_PLOT * dpi or max(_beyond(ax.figure.bbox, boxes)) > _NEAR:
        return False
    if (
        legend
        and points is not None
        and legend.get_window_extent().count_contains(ax.transData.transform(points))
    ):
        return False
    x0, y0, x1, y1 = np.array([x.extents for x in boxes]).T
    x1 = x1 + np.where(x1 - x0 > y1 - y0, _PAD * dpi, 0.0)
    covers = (x0[:, None] < x1) & (x1[:, None] > x0) & (y0[:, None] < y1) & (y1[:, None] > y0)
    return bool(covers.sum() == len(boxes))


def legend(
    ax: Any, style: Style, colours: Sequence[str], labels: Sequence[str], **options: Any
) -> None:
    """Draw a square of each colour and its meaning; names with dollar signs are no formulas."""
    from matplotlib.patches import Patch

    options |= {"frameon": False, "fontsize": style.size, "handlelength": 1.0}
    squares = [Patch(color=colour) for colour in colours]
    legend = ax.legend(squares, labels, borderaxespad=0.2, handletextpad=0.5, **options)
    for text in legend.get_texts():
        text.set_parse_math(False)


def column(ax: Any, style: Style, head: str, texts: Sequence[str], place: float) -> float:
    """Write a text right of each row, `place` points away, and return the next place."""
    from matplotlib.textpath import TextPath

    longest = sorted(dict.fromkeys(texts), key=len)[-_WIDEST:]
    widths = [TextPath((0, 0), x, size=style.size).get_extents().width for x in (head, *longest)]
    place += style.size + max(widths)
    options = {"textcoords": "offset points", "ha": "right", "fontsize": style.size}
    ax.annotate(head, (1.0, 1.0), (place, 2.0), "axes fraction", va="bottom", **options)
    for y, text in enumerate(texts):
        rows = ax.get_yaxis_transform()
        ax.annotate(text, (1.0, y), (place, 0.0), rows, va="center_baseline", **options)
    return place


def axis_numbers(ax: Any, style: Style, which: str) -> None:
    """Write the numbers of these axes in full: a power of ten would be over the label."""
    ax.locator_params(axis=which, nbins=style.n_marks)
    ax.tick_params(labelsize=style.size)
    for axis in (ax.xaxis, ax.yaxis) if which == "both" else (ax.xaxis,):
        axis.set_major_formatter(_in_full)


def _in_full(x: float, _: int) -> str:
    return f"{x:,.6g}".replace("-", "\N{MINUS SIGN}")


def in_lines(text: str, line: int) -> str:
    """Break a text into lines, first before a parenthesis."""
    parts = [text] if len(text) <= line else text.replace(" (", "\n(").splitlines()
    return "\n".join(fill(part, line) for part in parts)
