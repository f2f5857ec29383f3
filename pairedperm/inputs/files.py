"""Files that people name."""

from __future__ import annotations

import stat
from pathlib import Path

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def check_regular(path: Path) -> None:
    """Look before it is opened: a pipe or a device may never end.

    Raises
    ------
    OSError
        If it is no regular file, nor a link to one, nor a folder, which opening refuses.
    """
    if kind := _KINDS.get(stat.S_IFMT(path.stat().st_mode)):
        raise OSError(f"it is {kind}, no regular file: save its content as a file, and name that")


def why(error: Exception) -> str:
    """What was wrong, without the path, which may be long."""
    return getattr(error, "strerror", None) or str(error)
