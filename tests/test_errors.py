"""The words by which messages name a value that arrived."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pairedperm import compare, compare_many
from pairedperm.errors import EXTRAS, describe, extra, other_ways, printable, raised, shown
from pairedperm.plots import plot_agreement, plot_leaderboard, plot_null_distribution, plot_p_matrix

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
RESULT = compare([1, 1, 0], [0, 1, 0], [1, 1, 1])
BOARD = compare_many({"a": [1, 1, 0], "b": [0, 1, 0]}, [1, 1, 1])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a name", "a name"),
        ("é, 中", "é, 中"),
        ("a\0b\x1b[31m\n", r"a\x00b\x1b[31m\n"),
        ("a\ud800", r"a\ud800"),
        ("ab" * 400, f"{'ab' * 50}…{'ab' * 50}"),
        ("\x1b" * 150, r"\x1b" * 25 + "…" + r"\x1b" * 25),
        ("\U0001d173" * 400, r"\U0001d173" * 10 + "…" + r"\U0001d173" * 10),
    ],
)
def test_a_name_is_shown_in_one_short_line(text, wanted):
    assert printable(text) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (1.5, "1.5 (float)"),
        ("x" * 1000, "'xxxxxxxxxxxx...xxxxxxxxxxxxx' (str)"),
        pytest.param(10**5000, "a very large integer (int)", id="digits"),
        (np.array(["a\nb"]), r"array(['a\nb'], dtype='<U3') (ndarray)"),
    ],
)
def test_what_arrived_is_described(value, wanted):
    assert describe(value) == wanted


def test_no_warning_of_pandas_gets_out():
    assert describe(pd.Series([np.float16(0.1)])).endswith("(Series)")


def test_what_is_not_printable_in_a_repr_is_escaped():
    class Column:
        def __repr__(self):
            return "Column(\x1b[31m)"

    assert describe(Column()) == r"Column(\x1b[31m) (Column)"


@pytest.mark.parametrize(
    ("label", "wanted"),
    [
        ("a name", "'a name'"),
        ("a\ud800", r"'a\ud800'"),
        (7, "7"),
        pytest.param(10**5000, "a very large integer", id="digits"),
        ("ab" * 400, f"'{'ab' * 49}a…{'b' + 'ab' * 49}'"),
    ],
)
def test_a_label_is_shown_as_it_is_written(label, wanted):
    assert shown(label) == wanted


@pytest.mark.parametrize(
    ("seconds", "n_bytes", "more", "wanted"),
    [
        (0, 0, {}, "Raise it."),
        (0.5, 10**6, {}, "Raise it (it takes about a second)."),
        (1.6, 2**36, {}, "Raise it (it takes about 1.6 seconds and 69 GB)."),
        (40.4, 1.6e9, {}, "Raise it (it takes about 40 seconds and 1.6 GB)."),
        (0, 1.6e9, {"otherwise": "rest"}, "Raise it (it takes 1.6 GB), or rest."),
        (3600, 0, {"to": " to 9"}, "Raise it to 9 (it takes about 60 minutes)."),
        (9450, 378e9, {"to": " to 9"}, "It would take about 2.6 hours and 380 GB."),
        (3e5, 0, {"otherwise": "rest"}, "It would take about 3.5 days: rest."),
        (1, 7.2e16, {}, "It would take about a second and 72,000,000 GB."),
        (float("inf"), 0, {}, "It would take years."),
    ],
)
def test_a_limit_is_to_be_raised_where_a_person_would_wait(seconds, n_bytes, more, wanted):
    assert raised(seconds, n_bytes, **more) == wanted


def test_other_ways():
    assert other_ways("Raise it.", "use x", "sample") == "Raise it. Or use x. Or sample."
    assert other_ways("It would take years.", "use x") == "It would take years. Use x."
    assert other_ways("No budget allows it.", "use x", "sample").endswith(". Use x. Or sample.")


@pytest.mark.parametrize("name", EXTRAS)
def test_the_packages_of_an_extra(name):
    listed = re.search(rf"(?m)^{name} = (.*)$", PROJECT.read_text("utf-8"))
    assert json.loads(listed[1]) == [*EXTRAS[name]]


def test_how_to_get_what_an_extra_brings():
    """From anywhere; `.[space]` alone would install the project of the caller."""
    message = (
        'The page needs gradio and matplotlib: pip install "gradio>=6" "matplotlib" (or, in the '
        'checkout of pairedperm, pip install ".[space]").'
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"), extra("space", "The page"):
        raise ModuleNotFoundError("No module named 'gradio'")


@pytest.mark.parametrize(
    ("draw", "found"),
    [
        (plot_agreement, RESULT),
        (plot_null_distribution, RESULT),
        (plot_leaderboard, BOARD),
        (plot_p_matrix, BOARD),
    ],
)
def test_pictures_without_matplotlib(draw, found, monkeypatch):
    for module in ("colors", "figure"):
        monkeypatch.setitem(sys.modules, f"matplotlib.{module}", None)
    with pytest.raises(ImportError, match=r'^a picture needs matplotlib: pip install "matplotlib"'):
        draw(found)
