"""Files are written whole, or not at all."""

import os
import stat

import pytest

from pairedperm.files import write_whole


def test_new_and_replaced(tmp_path):
    path = tmp_path / "card.md"
    write_whole(path, b"one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o664)
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o664
    assert list(tmp_path.iterdir()) == [path]


def test_link_stays_a_link(tmp_path):
    path, link = tmp_path / "blob", tmp_path / "README.md"
    path.write_bytes(b"one")
    link.symlink_to(path)
    write_whole(link, b"two")
    assert link.is_symlink()
    assert path.read_bytes() == b"two"


def test_nothing_half_written(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_whole(tmp_path / "script.py", b"content")
    assert list(tmp_path.iterdir()) == []
