"""A card as a file: links, pipes, and what cannot be written."""

import os
from concurrent.futures import ThreadPoolExecutor

from filelock import SoftFileLock

from corpora.cards import PROSE, RESULT, refused, write
from extras import on_posix
from pairedperm.inputs import files
from pairedperm.model_card import START, update


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


@on_posix
def test_no_regular_file(tmp_path):
    """It is neither read, which might not end, nor replaced."""
    os.mkfifo(tmp_path / "README.md")
    refused(tmp_path, r"`path`, '.*', cannot be updated: it is a pipe, a socket or a dev")


def test_a_read_only_card(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)
    monkeypatch.setattr(os, "access", lambda *_: False)
    refused(path, "README.md', cannot be updated: it is read-only. Nothing was changed")


def test_several_writers_at_once(tmp_path):
    """No result is lost, and nothing is left beside the card."""
    path = write(tmp_path, PROSE)
    with ThreadPoolExecutor(6) as pool:
        [*pool.map(lambda k: update(path, RESULT, key=f"run {k}"), range(12))]
    text = path.read_text("utf-8")
    assert all(text.count(f'comparison "run {k}" -->') == 1 for k in range(12))
    assert [*tmp_path.iterdir()] == [path]


def test_a_writer_that_does_not_end(tmp_path, monkeypatch):
    path = write(tmp_path, PROSE)
    monkeypatch.setattr(files, "WAIT", 0.01)
    with SoftFileLock(tmp_path / ".README.md.lock"):
        said = r"cannot be updated: another process changes it: if none does, remove '.*lock'"
        refused(path, said)
    update(path, RESULT)
