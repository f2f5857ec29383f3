"""Columns that are pasted, and the lines of Python that repeat their answer."""

import re
from pathlib import Path

import pytest
from answer import Asked
from pasted import of_columns


@pytest.mark.parametrize(
    ("columns", "asked"),
    [
        (("1\n" * 300, "0\n1\n" * 150, ""), Asked()),  # many lines are read from files
        (("a\tb\ta\nb\tb\tb\na\tb\ta", "", ""), Asked(metric="f1", average="macro")),
        (("0.25\t0.5\n1\t3\n2\t2.5", "", ""), Asked(better="lower")),
    ],
)
def test_the_lines_repeat_it(folder, columns, asked, capsys):
    answer = of_columns(*columns, asked)
    for name, column in zip("ab", columns, strict=False):
        Path(f"{name}.txt").write_text(column, "utf-8")
    exec(answer.command, {})
    printed = re.search(r"\bp = ([\d.e-]+)", capsys.readouterr().out)[1]
    assert f"p = {printed} " in answer.p


def test_line_1_may_be_a_header():
    """It is compared, and said, where other lines repeat."""
    table = "model_a\tmodel_b\tgold\nyes\tno\tyes\nyes\tno\tno\nno\tno\tyes"
    said = [x.text for x in of_columns(table, "", "", Asked()).checks if x.is_good is False]
    assert said[0].startswith("Line 1 holds 'model_a', 'model_b', 'gold': if these are names of")
    rest = table.partition("\n")[2]
    assert all("Line 1 holds" not in x.text for x in of_columns(rest, "", "", Asked()).checks)


QUOTED = ['"He said', "nothing", 'more."', '"yes"', "no"]


@pytest.mark.parametrize(
    ("columns", "n", "score"),
    [
        # A quotation that runs over several lines takes no line away.
        (("\n".join(f"{x}\tno\t{x}" for x in QUOTED), "", ""), 5, 1.0),
        (('"say ""hi"""\tno\tsay "hi"\nno\tyes\tyes', "", ""), 2, 0.5),
        (("\ufeff0,5\r\n1", "0\u2028\r\n2", "0,5\n2"), 2, 0.5),  # other ends of lines are text
    ],
)
def test_cells(columns, n, score):
    """Of spreadsheets, with their quotes; commas are characters."""
    result = of_columns(*columns, Asked()).result
    assert (result.n, result.score1) == (n, score)
