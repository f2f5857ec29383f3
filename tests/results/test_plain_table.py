"""Tables as plain text: each name and number is there, in as many columns as a terminal has."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import compare_many, compare_suite
from pairedperm.results.table import WIDTH, plain_table

BBH = [f"leaderboard_bbh_logical_deduction_{n}_objects" for n in ("three", "five", "seven")]
WIDE = "日本語の読解タスク_とても長い名前のベンチマーク"
NUMBERS = ["1,000", "system 1", "system 2", "difference", "0.000132", "adjusted p"]


def columns(line):
    """Of a terminal; letters of the tests are wide, or plain."""
    return sum(1 + (unicodedata.east_asian_width(x) == "W") for x in line)


@pytest.fixture(params=[80, 66, 132])
def width(request):
    before = WIDTH.set(request.param)
    yield request.param
    WIDTH.reset(before)


def test_names_that_fit():
    assert plain_table(["task", "n"], [["a", "12"], ["long name", "3"]]) == (
        "task        n\na          12\nlong name   3"
    )


def test_wide_letters_take_two_columns():
    assert plain_table(["task", "n"], [["日本", "12"], ["e\u0301\u200b", "語"]]) == (
        "task   n\n日本  12\ne\u0301\u200b     語"
    )


def test_a_long_name_has_a_line_of_its_own():
    """Once for the rows of one task."""
    rows = [[BBH[0], "acc"], [BBH[0], "loss"], ["arc", "acc"], [BBH[0], "acc"]]
    table = plain_table(["task", "metric", *NUMBERS], [[*x, *NUMBERS] for x in rows], 2)
    numbers = "  ".join(NUMBERS)
    assert table.splitlines() == [
        f"task  metric  {numbers}",
        BBH[0],
        f"         acc  {numbers}",
        f"        loss  {numbers}",
        f"arc      acc  {numbers}",
        BBH[0],
        f"         acc  {numbers}",
    ]


def test_names_are_joined_if_both_are_long():
    row = [BBH[0], "exact_match,strict-match", *NUMBERS]
    table = plain_table(["task", "metric", *NUMBERS], [row], 2)
    numbers = "  ".join(NUMBERS)
    assert table.splitlines() == [
        f"task  metric  {numbers}",
        f"{BBH[0]}  exact_match,strict-match",
        f"              {numbers}",
    ]


def test_a_name_longer_than_a_line_is_broken():
    table = plain_table(["task", "n"], [["語" * 50, "1"]])
    assert table.splitlines() == ["task  n", "語" * 40, "語" * 10, "      1"]
    table = plain_table(["task", "n"], [[f"{'long' * 10}  {'name' * 12}", "1"]])
    assert table.splitlines() == ["task  n", "long" * 10, "name" * 12, "      1"]


NAMES = st.text(st.sampled_from("aB_-語"), max_size=100)


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1), st.integers(60, 132))
def test_nothing_is_lost(names, size):
    rows = [[*x, *(f"{cell}.{k}" for cell in ("12", "345"))] for k, x in enumerate(names)]
    before = WIDTH.set(size)
    table = plain_table(["task", "metric", "n", "p"], rows, 2)
    WIDTH.reset(before)
    lines = table.splitlines()
    assert max(map(columns, lines)) <= size
    numbers = [line.split()[-2:] for line in lines if "." in line]
    assert numbers == [[f"12.{k}", f"345.{k}"] for k in range(len(rows))]
    flat = "".join(lines)
    assert all(name in flat for pair in names for name in pair)


def test_a_suite_and_a_leaderboard(width):
    """Of tasks and systems as they are called; long lines below a table are wrapped."""
    n = 40
    right, wrong = [1] * n, [1] * (n - 12) + [0] * 12
    names = [*BBH, WIDE, "arc"]
    suite = str(compare_suite(dict.fromkeys(names, (right, wrong, right))))
    models = [f"organisation/{x}" for x in names]
    systems = dict(zip(models, (right, wrong, wrong, wrong, right), strict=True))
    boards = [str(compare_many(systems, right, baseline=x)) for x in (None, models[2])]
    for text, listed in ((suite, names), *((board, models) for board in boards)):
        lines = text.splitlines()
        assert max(map(columns, lines)) <= width
        for name in listed:
            assert sum(x == name or x.startswith(f"{name} ") for x in lines) == 1


def test_letters_stay_beside_long_names():
    text = str(compare_many({"m" * 70: [1] * 20, "n" * 70: [0] * 20}, [1] * 20))
    assert text.splitlines()[:5] == [
        "system    score  tier  letters",
        "m" * 70,
        "        100.00%     1        a",
        "n" * 70,
        "          0.00%     2        b",
    ]
