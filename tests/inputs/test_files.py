"""Files that people name are looked at before they are opened; files are written whole or not."""

import os
import stat
from pathlib import Path

import pytest

from extras import on_posix
from pairedperm.inputs.files import (
    check_regular,
    url_without_keys,
    without_keys,
    write_whole,
)


@on_posix
def test_pipes_and_devices(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for path, kind in (
        (tmp_path / "pipe", "pipe"),
        (tmp_path / "link", "pipe"),
        (Path(os.devnull), "device"),
    ):
        message = f"it is a {kind}, no regular file: save its content as a file, and name that"
        with pytest.raises(OSError, match=message):
            check_regular(path)


@on_posix
def test_a_pipe_is_not_replaced(tmp_path):
    """Nor would a device be, which root could replace."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="it is a pipe, no regular file"):
        write_whole({tmp_path / "first": b"one", pipe: b"two"})
    assert pipe.is_fifo()
    assert [*tmp_path.iterdir()] == [pipe]


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@on_posix
def test_new_and_replaced(tmp_path):
    path = tmp_path / "card.md"
    before = os.umask(0o027)
    try:
        write_whole({path: b"one"})
    finally:
        os.umask(before)
    assert mode(path) == 0o640
    path.chmod(0o664)
    write_whole({path: b"two"})
    assert path.read_bytes() == b"two"
    assert mode(path) == 0o664
    assert list(tmp_path.iterdir()) == [path]


@on_posix
def test_links(tmp_path):
    """They stay."""
    path, link = tmp_path / "blob", tmp_path / "README.md"
    path.write_bytes(b"one")
    link.symlink_to(path)
    write_whole({link: b"two"})
    assert link.is_symlink()
    assert path.read_bytes() == b"two"


@pytest.mark.parametrize("theirs", [[], ["theirs"]])
def test_nothing_half_written(tmp_path, monkeypatch, theirs):
    """A folder that others use too stays."""

    def fail(*_):
        for name in theirs:
            (tmp_path / "new" / name).touch()
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_whole({tmp_path / "new" / "script.py": b"content"})
    assert [x.name for x in tmp_path.rglob("*") if x.is_file()] == theirs
    assert (tmp_path / "new").exists() == bool(theirs)


def test_what_was_replaced_is_restored(tmp_path, monkeypatch):
    path, new, last = tmp_path / "a", tmp_path / "b", tmp_path / "c"
    path.write_bytes(b"old")
    replace = os.replace

    def fail_at_last(beside, target):
        if target == last:
            raise OSError("in use")
        replace(beside, target)

    monkeypatch.setattr(os, "replace", fail_at_last)
    with pytest.raises(OSError, match="in use"):
        write_whole({path: b"1", new: b"2", last: b"3"})
    with pytest.raises(OSError, match="directory"):
        write_whole({path: b"1", path / "no folder" / "b": b"2"})
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


SAFE = {  # what is shown of each URL, whose keys are all secret
    "https://me:secret@h/x.csv": "https://h/x.csv",
    "https://me:'secret'@secret@h:8080/x@y?a=b::secret": "https://h:8080/x@y",
    "simplecache::https://me:secret@h/x.csv?sig=secret": "simplecache::https://h/x.csv",
    "zip://x.csv::simplecache::https://me:secret@h/x.zip?secret": (
        "zip://x.csv::simplecache::https://h/x.zip"
    ),
    "zip://x.csv?secret::s3://KEY:se/secret@bucket/x.zip": "zip://x.csv::s3://bucket/x.zip",
    "https:/me:secret@h/x?secret": "https:/h/x",
    "--baseline=https://me:secret@h?secret": "--baseline=https://h",
    "https://h?": "https://h",
    "C:/a@b/x.csv": "C:/a@b/x.csv",
    "a?b@c": "a?b@c",
    "": "",
}


@pytest.mark.parametrize("url", SAFE)
def test_keys_of_urls_are_not_shown(url):
    """Nor where an error quotes a part of the URL."""
    assert url_without_keys(url) == SAFE[url]
    for text in (url, *url.partition("://")[::2], f"no host in '{url}'; is it there?"):
        assert "secret" not in without_keys(text, [url])
    assert without_keys("What? Who@where?", [url]) == "What? Who@where?"


def test_urls_in_a_text():
    text = "from 'https://me:x@h/a?b' to s3://k:y@h?c, not C:/a@b? Or?"
    assert without_keys(text) == "from 'https://h/a' to s3://h not C:/a@b? Or?"
