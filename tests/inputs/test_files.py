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
    for path in (tmp_path / "pipe", tmp_path / "link", Path(os.devnull)):
        message = "it is a pipe, a socket or a device: save its content as a file, and name that"
        with pytest.raises(OSError, match=message):
            check_regular(path)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@on_posix
def test_new_and_replaced(tmp_path):
    path = tmp_path / "card.md"
    before = os.umask(0o027)
    try:
        write_whole(path, b"one")
    finally:
        os.umask(before)
    assert mode(path) == 0o640
    path.chmod(0o664)
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert mode(path) == 0o664
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_half_written(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_whole(path, b"new")
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
