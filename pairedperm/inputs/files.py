"""Check files that people name."""

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
