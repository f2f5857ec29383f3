"""Texts of the pictures: none is cut, and none lies over another, in a column and on a slide."""

from __future__ import annotations

import io
from functools import cache, partial
from unittest import mock

import numpy as np
import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.text import Text

from pairedperm import compare, compare_many, compare_suite
from pairedperm.plots import plot_leaderboard, plot_null_distribution, plot_p_matrix, plot_suite

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
def suite(k, name=SHORT):
    """Of k tasks, with ever more differences."""
    rows = np.arange(300) >= 3 * np.arange(k)[:, None]
    tasks = {name.format(n): ([1] * 300, row.astype(int), [1] * 300) for n, row in enumerate(rows)}
    return compare_suite(tasks)


@cache
def result(**options):
    return compare(*RIGHT.astype(int), [1] * 1000, **options)


NULL = {
    "null": result,
    "sampled": partial(result, method="monte_carlo", rng=1),
    "two values": partial(compare, [1], [0], [1]),
    "no difference": partial(compare, [1, 0], [1, 0], [1, 1]),
}
PLOTS = {name: (plot_null_distribution, given) for name, given in NULL.items()}
PLOTS["baseline"] = plot_leaderboard, partial(board, 7, SHORT, True)
PLOTS["baseline of 20, long"] = plot_leaderboard, partial(board, 20, LONG, True)
for k in (2, 20, 61):
    for name in (SHORT, LONG):
        what = f"{k}{', long' if name == LONG else ''}"
        PLOTS[f"leaderboard of {what}"] = plot_leaderboard, partial(board, k, name)
        PLOTS[f"matrix of {what}"] = plot_p_matrix, partial(board, k, name)
        PLOTS[f"suite of {what}"] = plot_suite, partial(suite, k, name)


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
    x0, y0, x1, y1 = np.array([box.extents for _, box in found]).T
    across = np.minimum.outer(x1, x1) - np.maximum.outer(x0, x0)
    up = np.minimum.outer(y1, y1) - np.maximum.outer(y0, y0)
    over = np.argwhere(np.triu(np.minimum(across, up) >= 1.0, 1))
    assert [(found[k][0], found[m][0]) for k, m in over] == []


MANY = [x for x in PLOTS if " 61" in x]
DAILY = "sampled", "baseline", "matrix of 2", "suite of 2, long"


@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=() if x in DAILY else pytest.mark.thorough) for x in PLOTS]
)
def test_all_texts_are_whole(name):
    """In a column in letters of 8 points, on a slide of 18, or less where rows need it."""
    plot, given = PLOTS[name]
    figure = plot(given())
    assert figure.get_figwidth() == 3.3
    assert min(text.get_fontsize() for text in figure.axes[0].texts or [figure.axes[0].title]) > 6
    check(figure)
    if name in MANY:
        return  # letters of 2 points
    with rc_context({"font.size": 18, "axes.labelsize": "medium"}):
        slide = Figure(figsize=(10, 5.6), layout="constrained")
        plot(given(), slide.subplots())
    check(slide)
    if "20" not in name:
        assert slide.axes[0].xaxis.label.get_size() >= (9.9 if "long" in name else 17.0)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("RandomForestClassifier", "RandomForest\nClassifier"),
        ("x" * 30, f"{'x' * 18}\n{'x' * 12}"),
        ("日本語" * 5, f"{'日本語' * 3}\n{'日本語' * 2}"),
        ("organisation/model-7b-tuned", "organisation/\nmodel-7b-tuned"),
        ("a line\nbreak", "a line break"),
        ("x" * 100, f"{'x' * 18}\n{'x' * 18}\n…{'x' * 17}\n{'x' * 18}\nx"),
    ],
)
def test_how_names_are_broken(name, expected):
    """One of more than 72 letters is cut in its middle."""
    one = [[1, 1], [1, 0], [1, 1]]
    assert (
        plot_suite(compare_suite({name: one})).axes[0].get_yticklabels()[0].get_text() == expected
    )
