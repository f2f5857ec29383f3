"""Files that people name: looked at before they are read, and written whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import uuid
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def check_regular(path: Path) -> None:
    """Refuse a pipe, socket or device before it is opened, because reading may never end.

    A folder passes, because opening refuses it.

    Raises
    ------
    OSError
        If the path, or the target of the link, is a pipe, socket or device.
    """
    if kind := _KINDS.get(stat.S_IFMT(path.stat().st_mode)):
        raise OSError(f"it is {kind}, no regular file: save its content as a file, and name that")


def why(error: Exception) -> str:
    """Return the reason of an error, without the path, which may be long."""
    return getattr(error, "strerror", None) or str(error)


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write all files beside their targets, then replace the targets.

    So a reader never sees half a file, and if one cannot be written, none is replaced. An existing
    file keeps its permissions and owner; of a link, the target is replaced. A file with several
    hard links, or whose owner cannot be kept, is overwritten in place, while a full copy is beside
    it. Missing folders are made, and removed again on failure.
    """
    written: list[tuple[Path, Path]] = []
    with ExitStack() as undo:  # on failure, steps are undone in reverse order
        for path, content in contents.items():
            target = path.resolve()
            if not target.parent.exists():
                target.parent.mkdir()
                undo.callback(_remove_empty, target.parent)
            beside = target.parent / f".{uuid.uuid4().hex}.tmp"
            undo.callback(beside.unlink, missing_ok=True)
            with beside.open("xb") as file:
                file.write(content)
            written.append((beside, target))
        for beside, target in written:
            if not target.exists():
                os.replace(beside, target)
                undo.callback(target.unlink)
                continue
            before = target.read_bytes()
            if _takes_after(beside, target):
                os.replace(beside, target)
                undo.callback(_overwrite, target, before)
            else:
                undo.callback(_overwrite, target, before)
                _overwrite(target, beside.read_bytes())
                beside.unlink()
        undo.pop_all()


def _takes_after(beside: Path, target: Path) -> bool:
    """Give the new file the target's owner and permissions; False if it must not replace it."""
    old, new = target.stat(), beside.stat()
    if old.st_nlink > 1:
        return False
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        try:
            os.chown(beside, old.st_uid, old.st_gid)
        except OSError:  # only root may change owners
            return False
    shutil.copymode(target, beside)
    return True


def _overwrite(path: Path, content: bytes) -> None:
    with path.open("r+b") as file:  # "wb" would give up the disk space first
        file.write(content)
        file.truncate()


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # another process may have written a file there
        folder.rmdir()
