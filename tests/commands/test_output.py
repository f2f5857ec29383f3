"""What every command writes: JSON that all readers take, and files that are never half there."""

import math

import pytest

from extras import on_posix
from pairedperm import InputError
from pairedperm.commands.output import as_json, as_list, write_text


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_json_has_no_other_numbers(number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"p": number})


def test_a_list():
    assert as_list(["*a*", "<b>"]) == "- \\*a\\*\n- &lt;b>"
    assert as_list([]) == ""


def test_lone_surrogates_are_no_characters(here):
    write_text(here / "report.md", "a\ud800b")
    assert (here / "report.md").read_bytes() == b"a?b"


@on_posix
def test_through_a_link(here):
    """An input stays one by another name; another file is replaced where it is."""
    (here / "log").write_text("log", "utf-8")
    (here / "other").write_text("before", "utf-8")
    for name, target in (("a", "log"), ("b", "other")):
        (here / name).symlink_to(here / target)
    with pytest.raises(InputError, match=r"a is an input, or in an input folder\. Name another"):
        write_text(here / "a", "report", (str(here / "log"),))
    write_text(here / "b", "report", (str(here / "log"),))
    assert ((here / "log").read_text(), (here / "other").read_text()) == ("log", "report")
    assert (here / "b").is_symlink()


@on_posix
def test_nothing_is_left_where_it_cannot_be_written(here):
    (here / "file").write_text("file", "utf-8")
    with pytest.raises(InputError, match=r"report\.md cannot be written: Not a directory\."):
        write_text(here / "file" / "report.md", "report")
    assert [x.name for x in here.iterdir()] == ["file"]
