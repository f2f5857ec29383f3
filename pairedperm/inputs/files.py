"""Files that people name: how they are opened, and written whole or not at all."""

from __future__ import annotations

import io
import os
import re
import shutil
import stat
import uuid
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any

from pairedperm.inputs.remote import AnyPath, RemotePath

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_COMPRESSION = re.compile(r"\.(gz|bz2|zst)$", re.I)  # the ending of a name
_STARTS = re.compile(  # no text in UTF-8 begins so, but for the first three bytes of bzip2
    rb"(?P<gzip>\x1f\x8b)|(?P<zstd>\x28\xb5\x2f\xfd)|(?P<bz2>BZh[1-9](?:1AY&SY|\x17rE8P\x90))"
)


def without_compression(path: str) -> str:
    """Return a path or a name without the ending of a compression: x.csv of x.csv.gz."""
    return _COMPRESSION.sub("", path)


def open_plain(path: AnyPath) -> IO[bytes]:
    """Open a file to be read; it is decompressed if its first bytes are those of a compression.

    Reading raises OSError if what is compressed is cut off or altered. What is not compressed is an
    `io.BufferedReader`.

    Raises
    ------
    OSError
        If the file cannot be opened, or is no regular file.
    """
    if isinstance(path, Path):
        check_regular(path)
    given: Any = path.open("rb")
    raw = given if isinstance(given, io.BufferedReader) else io.BufferedReader(given)
    start = _STARTS.match(raw.peek(10))
    if start is None:
        return raw
    import pyarrow as pa

    decompressed: IO[bytes] = pa.input_stream(raw, compression=start.lastgroup)
    return decompressed


def size_of(path: AnyPath) -> int | None:
    """Return the size of a file in bytes; None if its file system does not know it.

    Raises
    ------
    OSError
        If there is no such file, or it is no regular one.
    """
    if isinstance(path, RemotePath):
        return path.n_bytes
    check_regular(path)
    return path.stat().st_size


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
    reason = getattr(error, "strerror", None)
    if reason is None and isinstance(error, FileNotFoundError):  # of fsspec: its text is the path
        cause = error.__cause__
        reason = why(cause) if isinstance(cause, Exception) else "No such file or directory"
    return reason or str(error) or type(error).__name__


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
