"""Files that are never half written."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write all beside their targets, then replace those: a reader never sees half a file.

    If one cannot be written, none is replaced. A file that is there keeps its permissions and its
    owner; through a link its target is replaced. One with several names (hard links), or whose
    owner cannot be given to another, is overwritten, while the whole is still beside it. Folders
    are made, and removed again on failure.
    """
    written: list[tuple[Path, Path, bool]] = []
    with ExitStack() as undo:  # on failure, the last first
        for path, content in contents.items():
            target = path.resolve()
            if not target.parent.exists():
                target.parent.mkdir()
                undo.callback(_remove_empty, target.parent)
            beside = target.parent / f".{uuid.uuid4().hex}.tmp"
            undo.callback(beside.unlink, missing_ok=True)
            with beside.open("xb") as file:
                file.write(content)
            written.append((beside, target, not target.exists() or _takes_after(beside, target)))
        for beside, target, replaces in written:
            before = target.read_bytes() if target.exists() else None
            if replaces:
                os.replace(beside, target)
            if before is None:
                undo.callback(target.unlink)
            else:
                undo.callback(_overwrite, target, before)
            if not replaces:
                _overwrite(target, beside.read_bytes())
                beside.unlink()
        undo.pop_all()


def _takes_after(beside: Path, target: Path) -> bool:
    """Whether the file could be given all that a replaced target's name stands for."""
    old, new = target.stat(), beside.stat()
    if old.st_nlink > 1:
        return False
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        try:
            os.chown(beside, old.st_uid, old.st_gid)
        except OSError:  # only root gives files away
            return False
    shutil.copymode(target, beside)
    return True


def _overwrite(path: Path, content: bytes) -> None:
    with path.open("r+b") as file:  # without giving up its room first
        file.write(content)
        file.truncate()


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # somebody else has put something there
        folder.rmdir()
