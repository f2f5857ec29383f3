"""A card as a file: what is no card, and what cannot be written."""

import os

import pytest

from corpora.cards import PROSE, RESULT, refused, write
from extras import on_posix
from pairedperm import InputError
from pairedperm.model_card import card as card_module
from pairedperm.model_card import update
from pairedperm.model_card.markdown import END, START


@on_posix
def test_folder_link_and_mode(tmp_path):
    target = tmp_path / "blobs"
    target.mkdir()
    path = write(target, PROSE)
    path.chmod(0o640)
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "README.md").symlink_to(path)
    assert update(str(folder), RESULT) == folder / "README.md"
    assert (folder / "README.md").is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert START in path.read_text("utf-8")


# Cards that cannot be used: nothing is written


@pytest.mark.parametrize(
    ("card", "message"),
    [
        (f"a\n{START}\n{END}\n{START}\n{END}\n", "one section .* in line 2, .* line 3, .* line 5"),
        (f"{START}\n", f"there is {START} in line 1. Delete all but one pair"),
        (f"---\na: 1\n---\n\n{END}\n", f"there is {END} in line 5"),
        (f"{END}\n{START}\n", f"{END} in line 1, {START} in line 2"),
        (f"{START}\n{START}\n{END}\n", "one section"),
        (f"{START}\n" * 99, f"{START} in line 4, {START} in line 5 and 94 more. Delete all but"),
        (f"{START} {'x' * 5000}", "line 1 of the card must hold a marker and .*…x{9,200}'. Put"),
        (f"> {START}\n> {END}\n", "line 1 of the card must hold a marker and nothing else, got '>"),
        (f"a\n\n{START}{END}\n", "line 3 of the card must hold a marker and nothing else, got"),
        ("---\na: &a [*a]\n---\n", "the YAML of the card cannot be read"),
        ("---\na: !!bool foo\n---\n", "the YAML of the card cannot be read"),
        ("---\na: b: c\n---\n", "the YAML of the card cannot be read, line 2: mapping values are"),
        ("---\na: [1\n---\n", r"the YAML of the card cannot be read, line \d: "),
        ("---\na: !!python/object/apply:numpy.float64 [1]\n---\n", "cannot be read, line 2: could"),
        ("---\n- a\n- b\n---\n", r"the YAML of the card must be a mapping, got \['a', 'b'\]"),
        ("# Größe".encode("latin-1"), r"is not UTF-8 \(invalid .* at byte 4\): save it as UTF-8"),
        ("# Größe".encode("utf-16"), r"is not UTF-8 \(invalid start byte at byte 0\)"),
    ],
)
def test_unreadable_cards(card, message, tmp_path):
    refused(write(tmp_path, card), message)


def test_no_card(tmp_path):
    for path in (tmp_path, tmp_path / "card.md", tmp_path / "no" / "README.md"):
        refused(path, r"there is no card at .*: `path` must be a README.md, or a folder with one")
    (tmp_path / "README.md").mkdir()
    refused(tmp_path / "README.md", "there is no card at")


@on_posix
def test_no_regular_file(tmp_path):
    """It is neither read, which might not end, nor replaced."""
    pipe, link = tmp_path / "pipe", tmp_path / "README.md"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link, tmp_path):
        refused(path, r"`path`, '.*', cannot be read: it is a pipe, no regular file: save its con")
    assert pipe.is_fifo()
    assert link.is_symlink()


@pytest.mark.parametrize("path", ["x" * 5000, "x/" * 3000, "\x1b[31m", "\ud800", "a\0b"])
def test_messages_show_any_path(path):
    with pytest.raises(InputError) as caught:
        update(path, RESULT)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("path", [None, 5, "a\0b"])
def test_no_path(path):
    with pytest.raises(InputError, match=r"`path`, .*, cannot be read"):
        update(path, RESULT)


def test_a_card_that_cannot_be_opened(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)

    def fail(*_):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(type(path), "read_bytes", fail)
        with pytest.raises(InputError, match=r"`path`, .*, cannot be read: Permission denied"):
            update(path, RESULT)


def test_a_read_only_card(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)
    monkeypatch.setattr(os, "access", lambda *_: False)
    refused(path, "README.md' cannot be written: .* is read-only")


def test_a_disk_that_is_full(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    refused(path, "README.md' cannot be written: disk full. Nothing was changed")


def test_nothing_of_two_files_if_one_cannot_be_written(tmp_path, monkeypatch):
    """The entry's folder is checked before the card is written."""
    path = write(tmp_path, PROSE)
    (tmp_path / ".eval_results").write_text("no folder", "utf-8")
    entry = {"dataset_id": "a/b", "task_id": "c", "value": 83.3}
    refused(path, "is no folder", eval_results=entry)


def test_only_what_differs_is_written(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)
    update(path, RESULT)
    monkeypatch.setattr(card_module, "write_whole", None)
    assert update(path, RESULT) == path
