"""Texts of the pictures in figures of their own: none is cut, and none lies over another."""

from __future__ import annotations

import io
from functools import cache
from itertools import combinations
from unittest import mock

import numpy as np
import pytest
from matplotlib.text import Text

from pairedperm import compare, compare_many
from pairedperm.plots import plot_leaderboard, plot_null_distribution, plot_p_matrix
from properties import one_in

RIGHT = np.random.default_rng(0).random((2, 1000)) < [[0.85], [0.83]]
SHORT, LONG = "$\\frac$ {}", "organisation/model-{}b-instruct-tuned-on-something"  # no formula


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


def of_board(plot, *args):
    return lambda: plot(board(*args))


PLOTS = {
    "null": lambda: plot_null_distribution(result()),
    "sampled": lambda: plot_null_distribution(result(method="monte_carlo", rng=1)),
    "two values": lambda: plot_null_distribution(compare([1], [0], [1])),
    "no difference": lambda: plot_null_distribution(compare([1, 0], [1, 0], [1, 1])),
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


MANY = [x for x in PLOTS if " 61" in x]


@one_in(7)
@pytest.mark.parametrize("plot", [x for x in PLOTS if x not in MANY] + MANY)
def test_own_figures_are_whole(plot):
    """All systems are drawn, in texts of 9 points."""
    ax = PLOTS[plot]()
    check(ax.figure)
    if " of " in plot:
        labels = [x.get_text() for x in ax.get_yticklabels()]
        assert len(labels) == int(plot.split()[2].strip(","))
        assert {x.get_fontsize() for x in ax.get_yticklabels()} == {9.0}
        assert max(map(len, labels)) <= 26
        assert ax.get_ylim() == (len(labels) - 0.5, -0.5)
        height = ax.get_window_extent().height / ax.figure.dpi
        assert height / len(labels) > 0.17  # inches: letters of 9 points are 0.125 high
        if "matrix" in plot:
            n_pairs = len(labels) * (len(labels) - 1) // 2
            assert len(ax.texts) == (n_pairs if len(labels) <= 10 else 0)
