"""Files that people name: regular ones, looked at before they are opened."""

import os
from pathlib import Path

import pytest

from extras import on_posix
from pairedperm.inputs.files import check_regular


def test_files_and_folders(tmp_path):
    (tmp_path / "file").touch()
    check_regular(tmp_path / "file")
    check_regular(tmp_path)  # which opening refuses
    with pytest.raises(FileNotFoundError):
        check_regular(tmp_path / "none")


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
