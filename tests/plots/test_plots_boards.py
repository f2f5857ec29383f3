"""Pictures of leaderboards: each dot, line, colour and number is that of the board."""

import math
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_hex

from pairedperm import compare_many
from pairedperm.plots import plot_leaderboard, plot_p_matrix, short_names, standings
from properties import one_in

RNG = np.random.default_rng(3)
GOLD = RNG.integers(0, 2, 400)
BLUE, ORANGE, GREEN, GREY, RED = "#0072b2", "#e69f00", "#009e73", "#bbbbbb", "#d55e00"
DARKEST, PALE = "#08306b", "#e6e6e6"


def systems(k):
    """Some that get ever less right."""
    right = RNG.random((k, 400)) < np.linspace(0.95, 0.6, k)[:, None]
    return {f"system {x}": np.where(row, GOLD, 1 - GOLD) for x, row in enumerate(right)}


BOARD = compare_many(systems(5), GOLD)


def drawn(ax, path):
    """The picture, saved: any warning of matplotlib is an error here."""
    ax.figure.savefig(path / "picture.png")
    return ax


def dots(ax):
    """Place, row, face and edge of each."""
    (found,) = (
        x for x in ax.collections if len(x.get_offsets()) and not hasattr(x, "get_segments")
    )
    colours = zip(found.get_facecolors(), found.get_edgecolors(), strict=True)
    places = zip(found.get_offsets().tolist(), colours, strict=True)
    return [(x, round(y), to_hex(face), to_hex(edge)) for (x, y), (face, edge) in places]


def lines(ax):
    """The ends of the line in each row that has one, and its colour."""
    found = {}
    for x in ax.collections:
        if hasattr(x, "get_segments"):
            ((low, y), (high, _)) = x.get_segments()[0]
            found[round(y)] = (low, high, to_hex(x.get_colors()[0]))
    return found


def column(ax, head):
    """The texts below this one, in the order of the rows."""
    texts = [text.get_text() for text in ax.texts]
    start = texts.index(head) + 1
    return texts[start : start + len(ax.get_yticks())]


def names(ax):
    return [x.get_text() for x in ax.get_yticklabels()]


def words(ax):
    return " ".join(ax.get_xlabel().split())


@pytest.mark.thorough
def test_standings_are_those_of_the_board(tmp_path):
    """A dot is the score minus that of the best, in percentage points; a line its interval."""
    ax = drawn(plot_leaderboard(BOARD), tmp_path)
    best, *others = BOARD.systems
    assert names(ax) == [*BOARD.systems]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the best above
    expected = [100.0 * (BOARD.scores[x] - BOARD.scores[best]) for x in BOARD.systems]
    assert [(x, y) for x, y, _, _ in dots(ax)] == [
        (pytest.approx(x, abs=1e-9), y) for y, x in enumerate(expected)
    ]
    found = lines(ax)
    assert 0 not in found
    of_best = {x["system2"]: x for x in BOARD.pairs if x["system1"] == best}
    for y, name in enumerate(others, 1):
        pair = of_best[name]
        assert found[y][:2] == pytest.approx((-100 * pair["stat_high"], -100 * pair["stat_low"]))
        assert found[y][0] < dots(ax)[y][0] < found[y][1] <= ax.get_xlim()[1]
    assert words(ax) == ("difference in accuracy from system 0 (percentage points), 95% interval")


def test_colours_are_tiers():
    """In the order of the tiers that occur, which are printed; the best system's dot is hollow."""
    tiers = BOARD.tiers
    ax = plot_leaderboard(BOARD)
    edges = [edge for _, _, _, edge in dots(ax)]
    colour = dict(zip(sorted({*tiers.values()}), (BLUE, ORANGE, GREEN), strict=False))
    assert len(colour) == 3
    assert [
        colour.get(tiers[x], edge) for x, edge in zip(BOARD.systems, edges, strict=True)
    ] == edges
    assert [face for _, _, face, _ in dots(ax)] == ["#ffffff", *edges[1:]]
    assert [lines(ax)[y][2] for y in range(1, 5)] == edges[1:]
    table = [line.split() for line in str(BOARD).splitlines()[1:6]]
    assert column(ax, "score") == [row[2] for row in table]
    assert column(ax, "tier") == [row[3] for row in table]


def test_tiers_beyond_the_colours(tmp_path):
    """No colour stands for two tiers: further ones are grey, and their numbers tell them apart.

    The label names the system whole, which the rows cut.
    """
    long = "organisation/model-{}b-instruct-tuned-on-something"
    rows = np.arange(300) >= 15 * np.arange(9)[:, None]
    board = compare_many({long.format(k): x.astype(int) for k, x in enumerate(rows)}, [1] * 300)
    ax = drawn(plot_leaderboard(board), tmp_path)
    edges = [edge for _, _, _, edge in dots(ax)]
    assert len({*edges[:6]} - {GREY}) == 6
    assert {*edges[6:]} == {GREY}
    assert column(ax, "tier") == [*"123456789"]
    assert long.format(0) in ax.get_xlabel().replace("\n", "")
    assert long.format(0) not in names(ax)


def test_baseline(tmp_path):
    """Differences are from it; better, worse and alike have their colours, and p is printed."""
    three = {"good": GOLD, "base": GOLD.copy(), "same": GOLD.copy(), "bad": 1 - GOLD}
    three["base"][:40] = three["same"][:40] = 1 - GOLD[:40]
    board = compare_many(three, GOLD, baseline="base")
    ax = drawn(plot_leaderboard(board), tmp_path)
    assert names(ax) == ["good", "base", "same", "bad"]
    assert [x for x, *_ in dots(ax)] == pytest.approx([10.0, 0.0, 0.0, -90.0])
    assert [edge for *_, edge in dots(ax)] == [BLUE, GREY, GREY, RED]
    assert [face for *_, face, _ in dots(ax)] == [BLUE, "#ffffff", GREY, RED]
    pair = board.pairs[0]
    assert lines(ax)[0][:2] == pytest.approx((100 * pair["stat_low"], 100 * pair["stat_high"]))
    assert column(ax, "adjusted p")[1:3] == ["baseline", "1"]
    assert column(ax, "score") == ["100.00%", "90.00%", "90.00%", "0.00%"]
    assert "from base (percentage points)" in words(ax)


@one_in(2)
@pytest.mark.parametrize("baseline", [None, "slow", "fast"])
def test_where_less_is_better(baseline):
    """The best system is the lowest; the others lie right of it, in the score's own unit."""
    seconds = RNG.random(60)
    times = {"slow": seconds + 2.0, "fast": seconds, "middle": seconds + RNG.random(60)}
    board = compare_many(times, None, "mean_score", lower_is_better=True, baseline=baseline)
    ax = plot_leaderboard(board)
    assert names(ax) == ["fast", "middle", "slow"]
    zero = board.scores[baseline or "fast"]
    assert [x for x, *_ in dots(ax)] == pytest.approx([x - zero for x in board.scores.values()])
    assert all(low <= dots(ax)[y][0] <= high for y, (low, high, _) in lines(ax).items())
    assert words(ax).endswith(f"from {baseline or 'fast'}, 95% interval, lower is better")
    if baseline:
        others = [edge for *_, face, edge in dots(ax) if face != "#ffffff"]
        assert others == ([BLUE, BLUE] if baseline == "slow" else [RED, RED])


def test_ends_that_are_infinite_or_missing(tmp_path, monkeypatch):
    """To the edge, with an arrow; without an interval there is a dot only."""
    rows = standings(BOARD)
    (low, _), (_, high) = rows[1].interval, rows[2].interval
    ends = {1: (low, math.inf), 2: (-math.inf, high), 3: None}
    rows = [replace(row, interval=ends.get(k, row.interval)) for k, row in enumerate(rows)]
    monkeypatch.setattr("pairedperm.plots.standings", lambda _: rows)
    ax = drawn(plot_leaderboard(BOARD), tmp_path)
    low, high = ax.get_xlim()
    assert lines(ax)[1][1] == high
    assert lines(ax)[2][0] == low
    assert {*lines(ax)} == {1, 2, 4}
    markers = {line.get_marker(): line.get_ydata()[0] for line in ax.lines}
    assert (markers[">"], markers["<"]) == (1, 2)


def classes(ax):
    """The colour of each cell, and None where there is none."""
    (mesh,) = ax.collections
    colours = mesh.to_rgba(mesh.get_array())
    is_empty = np.ma.getmaskarray(mesh.get_array())
    n = len(is_empty)
    return [[None if is_empty[y, x] else to_hex(colours[y, x]) for x in range(n)] for y in range(n)]


def test_cells_are_the_adjusted_p(tmp_path):
    ax = drawn(plot_p_matrix(BOARD), tmp_path)
    assert names(ax) == [x.get_text() for x in ax.get_xticklabels()] == [*BOARD.systems]
    found = classes(ax)
    numbers = {text.get_position(): text.get_text() for text in ax.texts}
    shades = dict(zip([x.get_text() for x in ax.get_legend().get_texts()], legend(ax), strict=True))
    for pair in BOARD.pairs:
        x, y = (BOARD.systems.index(pair[key]) for key in ("system1", "system2"))
        p = pair["p_adjusted"]
        assert found[x][y] is None
        assert found[x][x] is None
        bound = next((b for b in (0.001, 0.01, 0.05) if p <= b), None)
        assert found[y][x] == shades["p > 0.05" if bound is None else f"p ≤ {bound:g}"]
        if p >= 1e-9:
            assert float(numbers[x, y]) == pytest.approx(p, abs=0.005)
        else:
            assert numbers[x, y] == "<1e-9"
    assert len(numbers) == len(BOARD.pairs)
    assert (shades["p ≤ 0.001"], shades["p > 0.05"]) == (DARKEST, PALE)


def legend(ax):
    return [to_hex(patch.get_facecolor()) for patch in ax.get_legend().get_patches()]


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
    ax = plot_p_matrix(board)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == expected
    assert len({*legend(ax)}) == len(expected)
    n_apart = sum(pair["p_adjusted"] <= alpha for pair in board.pairs)
    cells = [cell for row in classes(ax) for cell in row if cell]
    assert len(cells) - cells.count(PALE) == n_apart
    largest = max(pair["p_adjusted"] for pair in board.pairs)
    on_the_edge = classes(plot_p_matrix(replace(board, alpha=largest)))
    assert PALE not in {cell for row in on_the_edge for cell in row}  # a p that is alpha


def test_title_says_how_p_was_adjusted():
    for correction, said in (("holm", "adjusted (Holm)"), (None, "not adjusted")):
        ax = plot_p_matrix(replace(BOARD, correction=correction))
        assert " ".join(ax.get_title("right").split()) == f"p of each pair, {said}"


def test_extreme_p(tmp_path):
    """Identical systems, p = 1; and p that no float holds."""
    same, many = {"a": GOLD, "b": GOLD, "c": GOLD}, np.ones(3000, dtype=int)
    ax = drawn(plot_leaderboard(compare_many(same, GOLD)), tmp_path)
    assert column(ax, "tier") == ["1"] * 3
    ax = drawn(plot_p_matrix(compare_many(same, GOLD)), tmp_path)
    assert [text.get_text() for text in ax.texts] == ["1"] * 3
    ax = plot_p_matrix(compare_many({"a": many, "b": 1 - many}, many))
    assert ax.texts[0].get_text() == "<1e-9"


SAME_LENGTH = """
import hashlib, io
from pairedperm import compare_many
from pairedperm.plots import plot_leaderboard
right = [1] * 50
systems = {f"m{k}": [1] * (42 - 3 * k) + [0] * (8 + 3 * k) for k in range(7)}
file = io.BytesIO()
plot_leaderboard(compare_many(systems, right)).figure.savefig(file)
print(hashlib.sha256(file.getvalue()).hexdigest())
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


# Names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["x" * 12 + "yyy" + "z" * 12], ["x" * 12 + "…" + "z" * 12]),
        (["line\nbreak"], ["line\\nbreak"]),
        (["A", "A"], ["A", "A"]),  # as two arguments may be; who asked for names says so
        (  # a number is not cut in two
            [f"a-name-that-is-long-{k}-until-the-end" for k in (1, 10)],
            ["…1-until-the-end", "…10-until-the-end"],
        ),
        (["p-" + "x" * 20 + middle + "y" * 20 for middle in ("a", "b", "c")], None),
        (["x" * 50, "x" * 60], None),
    ],
)
def test_short_names(names, expected):
    """Short, and apart whenever the names are."""
    assert len({*short_names(names)}) == len({*names})
    assert expected in (None, short_names(names))
