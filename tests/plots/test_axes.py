"""Texts of pictures in axes of any size: none is cut, and none lies over another."""

from __future__ import annotations

import io
from functools import cache
from itertools import combinations
from unittest import mock

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from pairedperm import compare, compare_many
from pairedperm.plots import (
    plot_leaderboard,
    plot_null_distribution,
    plot_p_matrix,
)
from properties import one_in

RIGHT = np.random.default_rng(0).random((2, 1000)) < [[0.85], [0.83]]
SHORT, LONG = "m{}", "organisation/model-{}b-instruct-tuned-on-something"
SIZES = {"wide": (9.0, 4.0), "small": (2.7, 2.7), "flat": (9.0, 2.7)}


@cache
def board(k, name=SHORT, baseline=False):
    """Of k systems, each told apart from those far from it."""
    rows = np.arange(300) >= 3 * np.arange(k)[:, None]
    systems = {name.format(n): row.astype(int) for n, row in enumerate(rows)}
    reference = [*systems][k // 2] if baseline else None
    return compare_many(systems, [1] * 300, baseline=reference, method="exact")


@cache
def result(**options):
    return compare(*RIGHT.astype(int), [1] * 1000, **options)


def sampled(ax=None):
    return plot_null_distribution(result(method="monte_carlo", rng=1), ax)


def exact(ax=None):
    return plot_null_distribution(result(), ax)


def of_board(plot, *args):
    return lambda ax=None: plot(board(*args), ax)


PLOTS = {
    "null": exact,
    "sampled": sampled,
    "baseline": of_board(plot_leaderboard, 7, SHORT, True),
    "baseline, long": of_board(plot_leaderboard, 20, LONG, True),
}
for k in (2, 7, 20, 61):
    for name in (SHORT, LONG):
        what = f"{k}{', long' if name == LONG else ''}"
        PLOTS[f"leaderboard of {what}"] = of_board(plot_leaderboard, k, name)
        PLOTS[f"matrix of {what}"] = of_board(plot_p_matrix, k, name)


def texts(figure):
    """The boxes of the texts that were really drawn, by their words; each once."""
    found, draw = {}, Text.draw

    def drawing(self, renderer):
        if self.get_visible() and self.get_text().strip():
            found[self] = self.get_window_extent(renderer)
        draw(self, renderer)

    with mock.patch.object(Text, "draw", drawing):
        figure.savefig(io.BytesIO(), dpi=figure.dpi)
    return [(text.get_text(), box) for text, box in found.items()]


def check(figure):
    found, (width, height) = texts(figure), figure.bbox.size
    assert len(found) > 4
    for words, box in found:
        assert -1.0 < box.x0 < box.x1 < width + 1.0, words
        assert -1.0 < box.y0 < box.y1 < height + 1.0, words
    for (one, box), (two, other) in combinations(found, 2):
        across = min(box.x1, other.x1) - max(box.x0, other.x0)
        up = min(box.y1, other.y1) - max(box.y0, other.y0)
        assert min(across, up) < 1.0, (one, two)


@one_in(67)
@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("plot", PLOTS)
def test_texts_are_whole(plot, size, layout):
    figure = Figure(SIZES[size], layout=layout)
    PLOTS[plot](figure.subplots())
    check(figure)


@one_in(16)
@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("shape", [(1, 2), (2, 1)])
@pytest.mark.parametrize(
    "plots",
    [
        ("null", "baseline, long"),
        ("leaderboard of 7, long", "matrix of 7"),
        ("matrix of 20", "leaderboard of 20"),
        ("leaderboard of 61, long", "sampled"),
    ],
)
def test_subplots_do_not_meet(plots, shape, layout):
    figure = Figure((9.0, 4.0), layout=layout)
    for plot, ax in zip(plots, figure.subplots(*shape), strict=True):
        PLOTS[plot](ax)
    check(figure)


@one_in(14)
@pytest.mark.parametrize("plot", [x for x in PLOTS if " 61" not in x])
def test_own_figures_are_whole(plot):
    """All systems are drawn, in texts of 9 points."""
    check_own(PLOTS[plot](), plot)


@pytest.mark.thorough
@pytest.mark.parametrize("plot", [x for x in PLOTS if " 61" in x])
def test_own_figures_of_many_are_whole(plot):
    check_own(PLOTS[plot](), plot)


def check_own(ax, plot):
    check(ax.figure)
    if " of " in plot:
        labels = [x.get_text() for x in ax.get_yticklabels()]
        assert len(labels) == int(plot.split()[2].strip(","))
        assert {x.get_fontsize() for x in ax.get_yticklabels()} == {9.0}


@pytest.mark.parametrize("plot", [plot_leaderboard, plot_p_matrix])
def test_what_has_no_room_is_counted(plot):
    """The best systems are drawn, and the last row says how many there are more."""
    ax = plot(board(40), Figure((9.0, 2.7)).subplots())
    *shown, last = [x.get_text() for x in ax.get_yticklabels()]
    assert shown == [SHORT.format(n) for n in range(len(shown))]
    assert last == f"and {40 - len(shown)} more"
    assert 10 < len(shown) < 40
    assert ax.get_ylim()[0] > len(shown)


def test_the_title_given_later_is_whole():
    """The axes make room for it, and again after the figure grew."""
    figure = Figure((2.7, 2.7))
    ax = exact(figure.subplots())
    ax.set_title("two taggers\nof English")
    check(figure)
    figure.set_size_inches(4.0, 3.0)
    figure.set_dpi(200)
    check(figure)


def test_too_small():
    """Nothing can be whole there, which is said."""
    with pytest.warns(UserWarning, match=r"`ax` has a room of .* inches, too small for texts of 6"):
        plot_leaderboard(board(7), Figure((0.8, 0.8)).subplots())
