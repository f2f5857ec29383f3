"""The words by which messages name a value that arrived."""

import numpy as np
import pandas as pd
import pytest

from pairedperm.errors import describe, printable, shown


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
