"""Files that people name: where they are, how they are opened, and written whole or not at all.

A file is on this machine, or at a URL that fsspec reads, such as hf://…, https://… or s3://….
"""

from __future__ import annotations

import io
import os
import re
import shutil
import stat
import uuid
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import IO, Any

from pairedperm.errors import shown

WAIT = 30.0  # tuned: seconds that a writer waits for another
STANDARD_INPUT = "standard input"  # the path of its copy, as messages show it
_SLASHES = re.compile(r"(?<=[a-z0-9+.-]{2}:)/+", re.I)  # of a URL; in C:/x there are none
# A password may have a slash, where no port is.
_USER = re.compile(r"[^/?]*@|[^/?:]+:(?!\d+/)[^?]*@")
_PASSWORD = re.compile(rf"({_SLASHES.pattern})[^/?\s]*@", re.I)
_QUERY = re.compile(rf"({_SLASHES.pattern}[^?\s]*)(\?[^\s'\"]*)?", re.I)
_CHAIN = re.compile(r"::(?=[a-z][a-z0-9+.-]*:[:/])", re.I)
_IS_URL = re.compile(r"([a-z][a-z0-9+.-]*::)*[a-z][a-z0-9+.-]+://", re.I)
MAX_BYTES = 2**34  # tuned: bytes of a file once it is decompressed, unless a caller says otherwise
_BLOCK = 2**16  # tuned: bytes that are read and counted at once
_COMPRESSION = re.compile(r"\.(gz|bz2|zst)$", re.I)  # the ending of a name
_STARTS = re.compile(  # no text in UTF-8 begins so, but for the first three bytes of bzip2
    rb"(?P<gzip>\x1f\x8b)|(?P<zstd>\x28\xb5\x2f\xfd)|(?P<bz2>BZh[1-9](?:1AY&SY|\x17rE8P\x90))"
)


class TooLargeError(OSError):
    """A file holds more bytes than are read of it."""


class _Counted(io.RawIOBase):
    """A stream that raises TooLargeError once it has given more than `most` bytes."""

    def __init__(self, given: Any, most: int) -> None:
        self.given, self._left = given, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        n_bytes: int = self.given.readinto(buffer)
        self._left -= n_bytes
        if self._left < 0:
            raise TooLargeError("it is larger than the limit")
        return n_bytes

    def close(self) -> None:
        self.given.close()
        super().close()


@dataclass(frozen=True, order=True)
class RemotePath:
    """A file or a folder that fsspec reads, with what is used of `pathlib.Path`.

    Attributes
    ----------
    shown : str
        The path as messages show it.
    system : fsspec.AbstractFileSystem
        The file system.
    path : str
        The path in this file system.
    given : str
        The URL as it was given, whose keys are in no message.
    """

    shown: str
    system: Any = field(compare=False, repr=False)
    path: str = field(compare=False, repr=False)
    given: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return self.shown

    @property
    def name(self) -> str:
        """The last part of the path, without the keys of a URL."""
        return PurePosixPath(without_keys(self.path, [self.given])).name

    @property
    def parent(self) -> RemotePath:
        """The folder that it is in; itself if messages show none."""
        if "/" not in self.shown:
            return self
        shown, path = (x.rpartition("/")[0] for x in (self.shown, self.path))
        return replace(self, shown=shown, path=path)

    @property
    def n_bytes(self) -> int | None:
        """The size of the file, if the file system knows it."""
        size: int | None = self.system.size(self.path)
        return size

    def open(self, mode: str) -> IO[bytes]:
        """Open the file; from the web it is read from start to end, as not all servers seek."""
        how = {"block_size": 0} if self._is_on_web else {}
        opened: IO[bytes] = self.system.open(self.path, mode, **how)
        return opened

    def is_dir(self) -> bool:
        """Tell whether it is a folder.

        Raises
        ------
        OSError
            If there is nothing, or a folder on the web, whose files nothing lists.
        """
        if not self._is_on_web:
            return bool(self.system.info(self.path)["type"] == "directory")
        if self.path.endswith("/"):
            raise OSError("the web does not list the files of a folder: name each file")
        return False

    def is_file(self) -> bool:
        """Tell whether it is a file."""
        return not self.is_dir()

    def iterdir(self) -> Iterator[RemotePath]:
        """Yield what is in the folder; nothing on the web."""
        return map(self._within, () if self._is_on_web else self.system.ls(self.path, detail=False))

    def rglob(self, pattern: str) -> Iterator[RemotePath]:
        """Yield all files in the folder and its subfolders; `pattern` is "*"."""
        return map(self._within, self.system.find(self.path))

    def relative_to(self, folder: RemotePath) -> PurePosixPath:
        """Return the path from the folder to what is in it."""
        return PurePosixPath(self.path.removeprefix(folder.path).lstrip("/"))

    def _within(self, path: str) -> RemotePath:
        """Return what is at this path in the folder."""
        own = path.removeprefix(self.path).lstrip("/")
        return replace(self, shown=f"{self.shown.rstrip('/')}/{own}", path=path)

    @property
    def _is_on_web(self) -> bool:  # there fsspec's paths are whole URLs
        return self.path.startswith(("http://", "https://"))


AnyPath = Path | RemotePath


def without_keys(text: str, urls: Iterable[str] = ()) -> str:
    """Return a text in which URLs have no queries, users and passwords, which may hold keys.

    What is said of these URLs may quote a part of one: their keys are nowhere in the text.
    """
    for key in (key for url in urls for key in _parted(url)[1]):
        text = text.replace(key, "")
    return _PASSWORD.sub(r"\1", _QUERY.sub(r"\1", text))


def url_without_keys(given: str) -> str:
    """Return one URL, which may be a chain of several, without queries, users and passwords."""
    return _parted(given)[0]


def _parted(given: str) -> tuple[str, list[str]]:
    """Return a URL without its keys, and these; any other text is whole."""
    links, keys = _CHAIN.split(given), []
    for k, link in enumerate(links):
        if slashes := _SLASHES.search(link):
            start = slashes.end()
            user = match[0] if (match := _USER.match(link, start)) else ""
            path, mark, query = link[start + len(user) :].partition("?")
            links[k] = f"{link[:start]}{path}"
            keys += [user, f"{mark}{query}"]
    return "::".join(links), [x for x in keys if len(x) > 2]


def located(given: str | os.PathLike[str] | RemotePath) -> AnyPath:
    """Return what a path or a URL stands for.

    Raises
    ------
    ImportError
        If the package that reads such URLs is missing.
    OSError, ValueError
        If there is none for them, or the archive in which they are cannot be read.
    """
    if not (isinstance(given, str) and _IS_URL.match(given)):
        return given if isinstance(given, RemotePath) else Path(given)
    from fsspec.core import url_to_fs
    from fsspec.implementations.local import LocalFileSystem

    system, path = url_to_fs(given)
    if isinstance(system, LocalFileSystem):
        return Path(path)
    return RemotePath(url_without_keys(given), system, path, given)


def without_compression(path: str) -> str:
    """Return a path or a name without the ending of a compression: x.csv of x.csv.gz."""
    return _COMPRESSION.sub("", path)


def open_plain(path: AnyPath, most: int) -> io.BufferedReader:
    """Open a file to be read; it is decompressed if its first bytes are those of a compression.

    Reading raises OSError if what is compressed is cut off or altered, and TooLargeError beyond
    `most` bytes, before or after it is decompressed: what the file claims is never asked.

    Raises
    ------
    OSError
        If the file cannot be opened, or is no regular file.
    """
    if isinstance(path, Path):
        check_regular(path)
    given = path.open("rb", 0) if isinstance(path, Path) else path.open("rb")
    with ExitStack() as on_failure:
        raw: io.BufferedReader = io.BufferedReader(_Counted(given, most), _BLOCK)
        on_failure.callback(raw.close)
        start = _STARTS.match(raw.peek(10))
        if start is not None:
            pa = pyarrow_for("a compressed file")
            unpacked = pa.input_stream(raw, compression=start.lastgroup)
            raw = io.BufferedReader(_Counted(unpacked, most), _BLOCK)
        on_failure.pop_all()
    return raw


def pyarrow_for(what: str) -> Any:
    """Import pyarrow, which a gate in CI need not have, or say what needs it.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError(f"{what} needs pyarrow: pip install pyarrow.") from error
    return pyarrow


def is_as_stored(opened: io.BufferedReader) -> bool:
    """Tell whether what `open_plain` has opened is a file of this machine, not compressed."""
    return isinstance(getattr(opened.raw, "given", None), io.FileIO)


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
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        what = "it is a pipe, a socket or a device"
        raise OSError(f"{what}: save its content as a file, and name that")


def leads_out(path: AnyPath, folder: AnyPath) -> bool:
    """Tell whether what is in a folder is a link to what is not.

    Links of the Hub's cache, ``snapshots/<commit>/<file>``, lead to the ``blobs`` beside it.
    """
    if not (isinstance(path, Path) and path.is_symlink() and path.exists()):
        return False
    target, inside = path.resolve(), Path(str(folder)).resolve()
    blobs = (x.parent / "blobs" for x in inside.parents if x.name == "snapshots")
    return not any(target.is_relative_to(x) for x in (inside, *blobs))


def why(error: Exception) -> str:
    """Return the reason of an error, without the path, which may be long."""
    reason = getattr(error, "strerror", None)
    if reason is None and isinstance(error, FileNotFoundError):  # of fsspec: its text is the path
        cause = error.__cause__
        reason = why(cause) if isinstance(cause, Exception) else "No such file or directory"
    return reason or str(error) or type(error).__name__


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its target, then replace the target: a reader never sees half of it.

    An existing file keeps its permissions; of a link, the target is replaced. A missing folder is
    made. A pipe, a socket or a device is never replaced, which root could do.

    Raises
    ------
    OSError
        If the file cannot be written, or the target is no regular file.
    """
    target = Path(os.path.realpath(path))
    if os.path.lexists(target):
        check_regular(target)
    target.parent.mkdir(exist_ok=True)
    beside = target.parent / f".{uuid.uuid4().hex}.tmp"
    try:
        beside.write_bytes(content)
        if target.exists():
            shutil.copymode(target, beside)
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let one process at a time read, change and replace a file: a lock file lies beside it.

    Raises
    ------
    OSError
        If the lock cannot be made, or another process keeps it.
    """
    from filelock import SoftFileLock, Timeout

    target = Path(os.path.realpath(path))
    lock = SoftFileLock(target.with_name(f".{target.name}.lock"), timeout=WAIT)
    try:
        lock.acquire()
    except Timeout:
        of_other = f"another process changes it: if none does, remove {shown(lock.lock_file)}"
        raise OSError(of_other) from None
    try:
        yield
    finally:
        lock.release()
