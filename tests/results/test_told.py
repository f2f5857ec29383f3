"""Tables in each form: every cell is there as it is, and text has as many columns as asked."""

import copy
import math
import pickle
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpora.results import RESULTS, result
from pairedperm.errors import InputError, during
from pairedperm.results.told import (
    WIDTH,
    Number,
    Told,
    frame,
    in_html,
    markdown,
    text,
)
from properties import cases
from results.said import ANY
from results.shown import of_html, of_markdown, references

CELLS = st.text(
    st.sampled_from("ab1 .-–_*[]|<>&%#${}\\~^`'\"\n\t\u2028é語αβγδωΔΣµ∞≤≥≈√→×±·−e\u0301\u200bﬁ")
)
TABLES = st.integers(3, 4).flatmap(
    lambda k: st.builds(
        Told,
        st.lists(CELLS.filter(str.strip), min_size=k, max_size=k),
        st.lists(st.lists(CELLS, min_size=k, max_size=k), min_size=1, max_size=4),
        CELLS.map(lambda x: [f"So {in_a_line(x).strip()}.", "Is it?"]),
    )
)
NAMES = st.text(st.sampled_from("aB_-語\u0301 "), max_size=100)


def columns(text):
    """Of a terminal."""
    return sum(
        1 + (unicodedata.east_asian_width(x) == "W") - (unicodedata.category(x) in ("Mn", "Cf"))
        for x in text
    )


def in_a_line(text):
    return re.sub(r"[\n\t\u2028]", " ", text)


def cells_of(table):
    """As LaTeX and browsers show them."""
    return [[in_a_line(str(x)).strip() for x in row] for row in (table.header, *table.rows)]


@cases(1.5)
@given(TABLES)
@example(ANY)
def test_all_cells_are_shown_as_they_are(told):
    cells, said = cells_of(told), [*filter(None, (told.title, *told.sentences))]
    for rows, notes in (of_html(in_html(told)), of_markdown(markdown(told))):
        assert rows == cells
        assert re.sub(r"\s", "", notes) == re.sub(r"\s", "", "".join(said))
    assert references(markdown(told)) == []
    table = frame(told)
    assert [*table.columns] == [*told.header]
    assert table.to_numpy().tolist() == [[*row] for row in told.rows]


@cases(0.5)
@given(st.lists(NAMES, min_size=2), CELLS, st.integers(60, 132))
def test_text_has_a_width(names, note, size):
    """Numbers end in one column, whatever the names are; the words of sentences are whole."""
    rows = [
        [name, *(Number(f"{cell}.{k}", 0) for cell in ("12", "345"))]
        for k, name in enumerate(names)
    ]
    said = f"{in_a_line(note)} {'語' * 25} so {'語' * 25} it is {'long ' * 20}"
    with during(WIDTH, size):
        lines = text(Told(["task", "n", "p"], rows)).splitlines()
        below = text(Told(["a", "b"], [["", ""]], [said]))
    numbers = [line for line in lines if "." in line]
    assert [x.split()[-2:] for x in numbers] == [[f"12.{k}", f"345.{k}"] for k in range(len(rows))]
    assert len({columns(x) for x in (lines[0], *numbers)}) == 1
    flat = "".join(lines).replace(" ", "")
    assert all(name.replace(" ", "") in flat for name in names)
    longest = max(map(columns, note.split()), default=0) + 2
    assert max(map(columns, below.splitlines())) <= max(size, longest)
    assert below.split() == said.split()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_number_is_copied_with_its_value(copied):
    number = copied(Number("50%", 0.5))
    assert (number, number.value) == ("50%", 0.5)
    table = frame(Told(["task", "n"], [["a", number], ["b", Number("", None)]]))
    assert table["n"][0] == 0.5
    assert table["n"].isna()[1]


def parsed(text):
    """The number that a text begins with, and half a unit of its last digit."""
    number, sign = re.match(r"([-\d,.∞]+(?:e-?\d+)?)(%?)", text).groups()
    number = number.replace(",", "").replace("∞", "inf")
    digits, _, exponent = number.partition("e")
    decimals = len(digits.partition(".")[2]) - int(exponent or 0)
    scale = 0.01 if sign else 1.0
    return scale * float(number), 0.5 * scale * 10.0**-decimals


def is_shown(text, value):
    """Whether a number, or both ends of an interval, are printed as they are."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return text in ("", "baseline", "nan")
    is_interval = isinstance(value, tuple)
    texts, values = (text.split(" to "), value) if is_interval else ([text], [value])
    return all(
        number == pytest.approx(exact, rel=1e-9, abs=1.001 * half)
        for (number, half), exact in zip(map(parsed, texts), values, strict=True)
    )


@pytest.mark.parametrize("name", sorted(RESULTS.keys() - {"hardly any power"}))
def test_results_in_every_form(name):
    """In notebooks, papers and pandas, with the numbers that it prints; no scripts, no formulas."""
    shown, told = result(name), result(name).told()
    page, cells, table = shown._repr_html_(), cells_of(told), shown.to_frame()
    assert page.startswith('<div class="tex2jax_ignore mathjax_ignore">\n<')
    assert of_html(page)[0] == cells
    assert [*table.columns] == cells[0]
    numbers = [
        (cell, value)
        for row, values in zip(told.rows, table.to_numpy().tolist(), strict=True)
        for cell, value in zip(row, values, strict=True)
        if isinstance(cell, Number)
    ]
    assert numbers
    assert all(is_shown(*x) for x in numbers)


def test_names_and_a_level_reach_every_form():
    """Where a result has none of its own."""
    found = result("exact")
    for written in (found.to_markdown, found.to_latex, lambda *x: str(found.to_frame(*x))):
        assert "large" in written(("large", "small"))
    assert "is significantly higher" in found.to_markdown(alpha=0.2)
    assert "is significantly higher" not in found.to_markdown()


@pytest.mark.parametrize("names", ["ab", ("a",), ("a", "a"), ("a", 1), ("a", "b", "c")])
def test_names_that_cannot_be(names):
    with pytest.raises(InputError, match="name"):
        result("exact").told(names)


@pytest.mark.parametrize("given", [{"names": ("a", "b")}, {"alpha": 0.1}])
def test_names_and_levels_of_its_own(given):
    with pytest.raises(InputError, match=f"`{next(iter(given))}` is that of the result"):
        result("board").told(**given)
