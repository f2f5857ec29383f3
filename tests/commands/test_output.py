"""What commands write: JSON that all readers take, files that are never half there, cards."""

import os

import pytest

from commands.files import GATED, TEXTS, asked, run
from commands.key_list import LIST, table
from extras import on_posix
from pairedperm import InputError
from pairedperm.commands.output import write_text


def test_lone_surrogates_are_no_characters(here):
    write_text(here / "report.md", "a\ud800b")
    assert (here / "report.md").read_bytes() == b"a?b"


# Places


def test_a_card_in_the_folder_of_its_logs(logs, here):
    """It is no input; twice changes nothing, and `--json` writes it too."""
    (here / "model").mkdir()
    (here / "text1.jsonl").rename(here / "model" / "text1.jsonl")
    card = here / "model" / "README.md"
    card.write_text("# A model\n\nText.\n", "utf-8")
    line = "compare model text2.jsonl --card"
    asked(f"{line} model", "0 of text1 is significantly higher than that of text2")
    once = card.read_text("utf-8")
    assert "The accuracy of text1 is significantly higher than that of text2: " in once
    assert run(f"{line} model/README.md --json").code == 0
    assert card.read_text("utf-8") == once


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
@pytest.mark.parametrize("line", [f"{GATED} --markdown", f"{TEXTS} --card"])
def test_what_is_no_file_to_write(logs, here, line):
    """A pipe was waited for, and a device replaced."""
    os.mkfifo(here / "pipe")
    asked(f"{line} pipe", "2 error: … is a pipe, a socket or a device")
    assert (here / "pipe").is_fifo()
    (here / "loop").symlink_to("loop")
    asked(f"{TEXTS} --card loop", "2 error: … 'loop', cannot be updated: ")


# Keys


def test_the_list_of_keys_is_as_written():
    """With each key that a command prints, and what it means."""
    assert table() == LIST.read_text("utf-8"), "run python tests/commands/key_list.py"
