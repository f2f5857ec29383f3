"""Pictures of boards and suites: each mark, line, colour and number is that of the result."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
from matplotlib.colors import to_hex

from pairedperm import compare_many, compare_suite
from pairedperm.plots import plot_leaderboard, plot_p_matrix, plot_suite

RNG = np.random.default_rng(3)
GOLD = RNG.integers(0, 2, 400)
SAME = {"a": GOLD, "b": GOLD, "c": GOLD}
DARKEST, PALE = "#08306b", "#d9d9d9"


def systems(k):
    """Some that get ever less right."""
    right = RNG.random((k, 400)) < np.linspace(0.95, 0.6, k)[:, None]
    return {f"system {x}": np.where(row, GOLD, 1 - GOLD) for x, row in enumerate(right)}


BOARD = compare_many(systems(5), GOLD)


def drawn(plot, result):
    """The axes of a picture that was drawn: any warning of matplotlib is an error here."""
    figure = plot(result)
    figure.draw_without_rendering()
    return figure.axes[0]


def one_line(text):
    return " ".join(text.split("\n"))


class Row(NamedTuple):
    """What is drawn at a name, and the texts right of it."""

    difference: float
    mark: str
    is_filled: bool
    interval: tuple[float, float] | None
    texts: list[str]
    arrows: str


def rows(ax):
    """What is drawn in each row."""
    found = {}
    for y, label in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True):
        here = [x for x in ax.lines if x.get_ydata()[0] == y and x.get_linestyle() != "--"]
        (mark,) = (x for x in here if x.get_marker() in "oD")
        ends = [tuple(x.get_xdata()) for x in here if len(x.get_xdata()) == 2]
        texts = [text.get_text() for text in ax.texts if text.xy[1] == y and text.xy != (1.0, 1.0)]
        arrows = "".join(x.get_marker() for x in here if x.get_marker() in "<>")
        colour, face = to_hex(mark.get_color()), to_hex(mark.get_markerfacecolor())
        assert face in (colour, "#ffffff")
        is_filled = face == colour
        (x,) = mark.get_xdata()
        interval = ends[0] if ends else None
        row = Row(float(x), mark.get_marker(), is_filled, interval, texts, arrows)
        found[one_line(label.get_text())] = row
    return found


def heads(ax):
    return [text.get_text() for text in ax.texts if text.xy == (1.0, 1.0)]


@pytest.mark.thorough
def test_standings_are_those_of_the_board():
    """A dot is the score minus that of the best, in percentage points; a line its interval."""
    ax = drawn(plot_leaderboard, BOARD)
    best, *others = BOARD.systems
    found = rows(ax)
    assert [*found] == [*BOARD.systems]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the best above
    assert found[best][:4] == (0.0, "D", False, None)
    of_best = {x["system2"]: x for x in BOARD.to_dict()["pairs"] if x["system1"] == best}
    for name in others:
        pair, row = of_best[name], found[name]
        assert row.difference == pytest.approx(100 * (BOARD.scores[name] - BOARD.scores[best]))
        assert row.interval == pytest.approx((-100 * pair["stat_high"], -100 * pair["stat_low"]))
        assert (row.mark, row.is_filled) == ("o", pair["p_adjusted"] <= 0.05)
        assert row.interval[0] < row.difference < row.interval[1] < ax.get_xlim()[1]
    assert {row.is_filled for row in found.values()} == {True, False}
    table = [line.split() for line in str(BOARD).splitlines()[1:6]]
    assert [row.texts for row in found.values()] == [cells[2:4] for cells in table]
    assert heads(ax) == ["score", "tier"]
    assert ax.get_xlabel().split("\n") == [
        "difference in accuracy from system 0",
        "(percentage points), 95% interval",
        "filled: p ≤ 0.05, adjusted (Holm)",
    ]


def test_baseline():
    """Differences are from it, and the adjusted p is printed."""
    three = {"good": GOLD, "base": GOLD.copy(), "same": GOLD.copy(), "bad": 1 - GOLD}
    three["base"][:40] = three["same"][:40] = 1 - GOLD[:40]
    board = compare_many(three, GOLD, baseline="base", correction=None)
    ax = drawn(plot_leaderboard, board)
    found = rows(ax)
    assert [*found] == ["good", "base", "same", "bad"]
    assert [row.difference for row in found.values()] == pytest.approx([10.0, 0.0, 0.0, -90.0])
    assert [row.mark for row in found.values()] == ["o", "D", "o", "o"]
    assert [row.is_filled for row in found.values()] == [True, False, False, True]
    pair = board.to_dict()["pairs"][0]
    assert found["good"].interval == pytest.approx(
        (100 * pair["stat_low"], 100 * pair["stat_high"])
    )
    assert heads(ax) == ["score", "p"]
    assert found["base"].texts == ["90.0%", "baseline"]
    assert found["same"].texts == ["90.0%", "1"]
    assert "from base\n" in ax.get_xlabel()
    assert ax.get_xlabel().endswith("\nfilled: p ≤ 0.05, not adjusted")


@pytest.mark.parametrize("baseline", [None, "slow"])
def test_where_less_is_better(baseline):
    """The best system is the lowest; the others lie right of it, in the score's own unit."""
    seconds = RNG.random(60)
    times = {"slow": seconds + 2.0, "fast": seconds, "middle": seconds + RNG.random(60)}
    board = compare_many(times, None, "mean_score", lower_is_better=True, baseline=baseline)
    ax = drawn(plot_leaderboard, board)
    found = rows(ax)
    assert [*found] == ["fast", "middle", "slow"]
    zero = board.scores[baseline or "fast"]
    expected = [x - zero for x in board.scores.values()]
    assert [row.difference for row in found.values()] == pytest.approx(expected)
    intervals = [(row.difference, *row.interval) for row in found.values() if row.interval]
    assert all(low <= x <= high for x, low, high in intervals)
    assert f"from {baseline or 'fast'}\n95% interval, lower is better\n" in ax.get_xlabel()


def test_alike():
    """Systems, p = 1; and p that no float holds."""
    found = rows(drawn(plot_leaderboard, compare_many(SAME, GOLD)))
    assert [row.texts[1] for row in found.values()] == ["1"] * 3
    assert not any(row.is_filled for row in found.values())
    many = np.ones(3000, dtype=int)
    ax = drawn(plot_p_matrix, compare_many({"a": many, "b": 1 - many}, many))
    assert ax.texts[-1].get_text() == "<1e-9"


TASKS = {
    "logic": (GOLD, systems(2)["system 1"], GOLD),
    "law": (GOLD, GOLD, GOLD),
    "average": (systems(9)["system 6"], systems(9)["system 5"], GOLD),
}


def test_a_suite_is_its_tasks_and_their_average():
    """In their order, the average below, with its own p; filled where p is at most alpha."""
    suite = replace(compare_suite(TASKS), name1="large")
    ax = drawn(partial(plot_suite, name2="small"), suite)
    *tasks, average = rows(ax).items()
    for (name, row), task in zip(tasks, suite.to_dict()["tasks"], strict=True):
        assert name == task["task"]
        assert row.difference == pytest.approx(100 * task["stat"])
        assert row.interval == pytest.approx((100 * task["stat_low"], 100 * task["stat_high"]))
        assert (row.mark, row.is_filled) == ("o", task["p_adjusted"] <= suite.alpha)
        assert float(row.texts[0]) == pytest.approx(task["p_adjusted"], rel=0.01)
    name, row = average
    assert name == "average of all tasks"  # a task has the short name
    assert row.interval == pytest.approx([100 * x for x in suite.average.confidence_interval()])
    assert (row.mark, row.is_filled) == ("D", suite.average.pvalue <= suite.alpha)
    assert float(row.texts[0]) == pytest.approx(suite.average.pvalue, rel=0.01)
    assert {row.is_filled for _, row in tasks} == {True, False}
    *_, before, last = ax.get_yticks()
    (line,) = (x.get_ydata()[0] for x in ax.lines if [*x.get_xdata()] == [0, 1])
    assert before < line < last
    assert ax.get_xlabel().split("\n") == [
        "accuracy, large \N{MINUS SIGN} small",
        "(percentage points), 95% interval",
        "filled: p ≤ 0.05, tasks adjusted (Holm)",
    ]


def test_a_suite_of_several_metrics():
    """Where lower is better the sign is that of the average; right of 0 system 1 is better."""
    one, two = TASKS["logic"], TASKS["average"]
    suite = compare_suite({"right": one, "wrong": two}, {"right": "f1", "wrong": "hamming_loss"})
    ax = drawn(plot_suite, suite)
    found = rows(ax)
    assert [*found] == ["right", "wrong ↓", "average"]
    assert found["wrong ↓"].difference == pytest.approx(-100 * suite.results["wrong"].statistic)
    assert found["average"].difference == pytest.approx(
        (found["right"].difference + found["wrong ↓"].difference) / 2
    )
    assert ax.get_xlabel().startswith("score, system 1")
    assert "\n↓ lower is better, sign turned\n" in ax.get_xlabel()


def test_intervals_that_are_infinite_or_missing():
    """To the edge, with an arrow; without an interval there is a dot only."""
    few = {"a": ([1.0, 2, 3], [1.0, 2, 2]), "b": ([1.0, 2, 7], [0.0, 2, 2])}
    ax = drawn(plot_suite, compare_suite(few, "mean_score"))
    found = rows(ax)
    assert found["a"].interval is None
    assert found["average"].interval[1] == ax.get_xlim()[1]
    assert found["average"].arrows == ">"
    one_sided = drawn(plot_suite, compare_suite(TASKS, alternative="greater"))
    assert {row.interval for row in rows(one_sided).values()} == {None}
    assert "interval" not in one_sided.get_xlabel()


def classes(ax):
    """The colour of each cell, and None where there is none."""
    (mesh,) = ax.collections
    colours = mesh.to_rgba(mesh.get_array())
    is_empty = np.ma.getmaskarray(mesh.get_array())
    n = len(is_empty)
    return [[None if is_empty[y, x] else to_hex(colours[y, x]) for x in range(n)] for y in range(n)]


def legend(ax):
    """The colour of each class."""
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    colours = [to_hex(patch.get_facecolor()) for patch in ax.get_legend().get_patches()]
    return dict(zip(texts, colours, strict=True))


def test_cells_are_the_adjusted_p():
    """A name stands in its row above its column."""
    ax = drawn(plot_p_matrix, BOARD)
    names, numbers = ax.texts[:5], ax.texts[5:]
    assert [one_line(text.get_text()) for text in names] == [*BOARD.systems]
    found, shades = classes(ax), legend(ax)
    at = {text.get_position(): text.get_text() for text in numbers}
    for pair, p in BOARD.p_adjusted.items():
        x, y = map(BOARD.systems.index, pair)
        assert found[x][y] is found[x][x] is None
        bound = next((b for b in (0.001, 0.01, 0.05) if p <= b), None)
        assert found[y][x] == shades["p > 0.05" if bound is None else f"p ≤ {bound:g}"]
        number = at[x, names[y].get_position()[1]]
        assert number == "<1e-9" if p < 1e-9 else float(number) == pytest.approx(p, abs=0.005)
    assert len(numbers) == len(BOARD.pairs)
    assert ax.get_legend().get_title().get_text() == "p of each pair, adjusted (Holm)"
    assert (shades["p ≤ 0.001"], shades["p > 0.05"]) == (DARKEST, PALE)


@pytest.mark.parametrize(
    ("alpha", "expected"),
    [
        (0.1, ["p ≤ 0.001", "p ≤ 0.01", "p ≤ 0.1", "p > 0.1"]),
        (0.0005, ["p ≤ 0.0005", "p > 0.0005"]),
    ],
)
def test_classes_end_at_alpha(alpha, expected):
    """What is pale is what the board does not tell apart."""
    board = replace(BOARD, alpha=alpha)
    ax = plot_p_matrix(board).axes[0]
    assert [*legend(ax)] == expected
    assert len({*legend(ax).values()}) == len(expected)
    n_apart = sum(p <= alpha for p in board.p_adjusted.values())
    cells = [cell for row in classes(ax) for cell in row if cell]
    assert len(cells) - cells.count(PALE) == n_apart
    largest = max(board.p_adjusted.values())
    on_the_edge = classes(plot_p_matrix(replace(board, alpha=largest)).axes[0])
    assert PALE not in {cell for row in on_the_edge for cell in row}  # a p that is alpha


SAME_LENGTH = """
import hashlib
from pairedperm import compare_many
from pairedperm.plots import plot_leaderboard
right = [1] * 50
systems = {f"m{k}": [1] * (42 - 3 * k) + [0] * (8 + 3 * k) for k in range(7)}
print(hashlib.sha256(plot_leaderboard(compare_many(systems, right))._repr_png_()).hexdigest())
"""


@pytest.mark.thorough
def test_a_picture_is_the_same_in_every_process():
    """It does not depend on the order of a set."""
    pictures = {
        subprocess.run(
            [sys.executable, "-c", SAME_LENGTH],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(pictures) == 1
