"""Tables in each form: every cell is there as it is, and text has as many columns as asked."""

import copy
import pickle
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pairedperm import compare_many, compare_suite
from pairedperm.errors.wording import during
from pairedperm.results.table import WIDTH, Number, Table
from properties import cases
from results.shown import of_html, of_latex, of_markdown, references

BBH = [f"leaderboard_bbh_logical_deduction_{n}_objects" for n in ("three", "five", "seven")]
WIDE = "日本語の読解タスク_とても長い名前のベンチマーク"
NUMBERS = ["1,000", "system 1", "system 2", "difference", "0.000132", "adjusted p"]


@pytest.fixture(params=[80, 66, 132])
def width(request):
    with during(WIDTH, request.param):
        yield request.param


def test_names_that_fit():
    assert Table(["task", "n"], [["a", "12"], ["long name", "3"]]).text() == (
        "task        n\na          12\nlong name   3"
    )


def test_wide_letters_take_two_columns():
    assert Table(["task", "n"], [["日本", "12"], ["e\u0301\u200b", "語"]]).text() == (
        "task   n\n日本  12\ne\u0301\u200b     語"
    )


def test_a_long_name_has_a_line_of_its_own():
    """Once for the rows of one task."""
    rows = [[BBH[0], "acc"], [BBH[0], "loss"], ["arc", "acc"], [BBH[0], "acc"]]
    table = Table(["task", "metric", *NUMBERS], [[*x, *NUMBERS] for x in rows], n_names=2).text()
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
    table = Table(["task", "metric", *NUMBERS], [row], n_names=2).text()
    numbers = "  ".join(NUMBERS)
    assert table.splitlines() == [
        f"task  metric  {numbers}",
        f"{BBH[0]}  exact_match,strict-match",
        f"              {numbers}",
    ]


def test_a_name_longer_than_a_line_is_broken():
    table = Table(["task", "n"], [["語" * 50, "1"]]).text()
    assert table.splitlines() == ["task  n", "語" * 40, "語" * 10, "      1"]
    table = Table(["task", "n"], [[f"{'long' * 10}  {'name' * 12}", "1"]]).text()
    assert table.splitlines() == ["task  n", "long" * 10, "name" * 12, "      1"]


CELLS = st.text(st.sampled_from("ab1 .-–_*[]|<>&%#${}\\~^`'\"\n\t\u2028é語α∞≤e\u0301\u200bﬁ"))
TABLES = st.integers(2, 4).flatmap(
    lambda k: st.builds(
        Table,
        st.lists(CELLS.filter(str.strip), min_size=k, max_size=k),
        st.lists(st.lists(CELLS, min_size=k, max_size=k), max_size=4),
        CELLS.map(lambda x: f"So {in_a_line(x).strip()}.\nIs it?"),
    )
)


def columns(text):
    """Of a terminal."""
    return sum(
        1 + (unicodedata.east_asian_width(x) == "W") - (unicodedata.category(x) in ("Mn", "Cf"))
        for x in text
    )


def in_a_line(text):
    return re.sub(r"[\n\t\u2028]", " ", text)


def plain(text):
    """What LaTeX and browsers show in the same way as this text."""
    return in_a_line(text).strip()


MARKUP = "*a* \\* <b> &amp; [x](y) `c` ~~d~~ $e$ _f_ | g @h/i j/k#12 gh-3 https://l www.m"


@cases(2)
@given(TABLES)
@example(Table([MARKUP, "n"], [[MARKUP, MARKUP], ["[1]", "* 2"]], f"So {MARKUP}."))
def test_all_cells_are_shown_as_they_are(table):
    cells = [[plain(x) for x in row] for row in (table.header, *table.rows)]
    for rows, notes in (of_html(table.html()), of_markdown(table.markdown())):
        assert rows == cells
        assert notes.split() == table.notes.split()
    assert references(table.markdown()) == []
    rows, caption = of_latex(table.latex())
    assert rows == [[x.replace("µ", "μ") for x in row] for row in cells]
    assert caption.split() == table.notes.split()
    frame = table.frame()
    assert [*frame.columns] == [*table.header]
    assert frame.to_numpy().tolist() == [[*row] for row in table.rows]


NAMES = st.text(st.sampled_from("aB_-語\u0301 "), max_size=100)


@cases(1)
@given(st.lists(st.tuples(NAMES, NAMES), min_size=1), st.integers(60, 132))
def test_text_has_a_width(names, size):
    """Numbers end in one column, whatever the names are."""
    rows = [[*x, *(f"{cell}.{k}" for cell in ("12", "345"))] for k, x in enumerate(names)]
    with during(WIDTH, size):
        lines = Table(["task", "metric", "n", "p"], rows, n_names=2).text().splitlines()
    assert max(map(columns, lines)) <= size
    numbers = [line for line in lines if "." in line]
    assert [x.split()[-2:] for x in numbers] == [[f"12.{k}", f"345.{k}"] for k in range(len(rows))]
    assert len({columns(x) for x in (lines[0], *numbers)}) == 1
    flat = "".join(lines).replace(" ", "")
    assert all(name.replace(" ", "") in flat for pair in names for name in pair)


@cases(1)
@given(CELLS, st.integers(60, 132))
def test_notes_have_a_width(text, size):
    """Their words are whole."""
    notes = f"{text} {'語' * 25} so {'語' * 25} it is {'long ' * 20}"
    with during(WIDTH, size):
        lines = Table(["a", "b"], [], notes).text().splitlines()
    assert max(map(columns, lines)) <= max(size, *map(columns, text.split()), 0)
    assert " ".join(lines[2:]).split() == notes.split()


@pytest.mark.parametrize("name", ["a name", "日本語 e\u0301"])
def test_a_table_fits_its_width(name):
    table = Table(["task", "n", "p"], [[name, "1,000", "0.0001"]])
    size = columns(table.text().splitlines()[1])
    for width, n_lines in ((size, 2), (size - 1, 3)):
        with during(WIDTH, width):
            assert table.fits() is (n_lines == 2)
            assert len(table.text().splitlines()) == n_lines


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_number_is_copied_with_its_value(copied):
    number = copied(Number("50%", 0.5))
    assert (number, number.value) == ("50%", 0.5)


def test_numbers_are_kept():
    frame = Table(["task", "n"], [["a", Number("1,000", 1000)], ["b", Number("", None)]]).frame()
    assert frame["n"][0] == 1000
    assert frame["n"].isna()[1]


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
