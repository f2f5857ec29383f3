"""Files that people name: what is elsewhere is copied to this machine; files are written whole.

A file is on this machine, on standard input, or at a URL that fsspec reads, such as hf://… or
https://….
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
import uuid
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import is_zipfile

from pairedperm.errors import shown

WAIT = 30.0  # tuned: seconds that a writer waits for another
DASH = "-"  # the path of standard input
STANDARD_INPUT = "standard input"  # as messages show it
_SLASHES = re.compile(r"(?<=[a-z0-9+.-]{2}:)/+", re.I)  # of a URL; in C:/x there are none
# A password may have a slash, where no port is.
_USER = re.compile(r"[^/?]*@|[^/?:]+:(?!\d+/)[^?]*@")
_PASSWORD = re.compile(rf"({_SLASHES.pattern})[^/?\s]*@", re.I)
_QUERY = re.compile(rf"({_SLASHES.pattern}[^?\s]*)(\?[^\s'\"]*)?", re.I)
_CHAIN = re.compile(r"::(?=[a-z][a-z0-9+.-]*:[:/])", re.I)
_IS_URL = re.compile(r"([a-z][a-z0-9+.-]*::)*[a-z][a-z0-9+.-]+://", re.I)
MAX_BYTES = 2**34  # tuned: bytes of a file once it is decompressed, unless a caller says otherwise
_BLOCK = 2**16  # tuned: bytes that are copied at once
_COMPRESSION = re.compile(r"\.(gz|bz2|zst)$", re.I)  # the ending of a name
COMPRESSED = re.compile(  # no text in UTF-8 begins so, but for the first three bytes of bzip2
    rb"(?P<gzip>\x1f\x8b)|(?P<zstd>\x28\xb5\x2f\xfd)|(?P<bz2>BZh[1-9](?:1AY&SY|\x17rE8P\x90))"
)
_IN_FOLDERS = re.compile(  # what a log may be called in a folder by URL; the others are not copied
    r"[^.]*|.*\.(jsonl?|ndjson|csv|tsv|parquet|eval|txt|log)(\.(gz|bz2|zst))?", re.I
)


class TooLargeError(OSError):
    """A file holds more bytes than are read of it."""


class Copies:
    """A folder of copies, which is removed with this object.

    Attributes
    ----------
    folder : Path
        The folder on this machine.
    source : Path
        The copy of what was fetched: a file, or a folder.
    shown : str
        What messages call it, without the keys of a URL.
    """

    def __init__(self, shown: str = "") -> None:
        self.folder = self.source = Path(tempfile.mkdtemp())
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.shown = shown

    def add(self, opened: Any, name: str, most: int) -> Path:
        """Copy what a stream holds into a file of this name.

        Raises
        ------
        OSError
            If the stream cannot be read, or holds more than `most` bytes: a TooLargeError. If the
            name leads out of the folder.
        """
        copy = self.folder / name
        if not copy.resolve().is_relative_to(self.folder.resolve()):
            raise OSError("a file in it has a path that leads out of it")
        copy.parent.mkdir(parents=True, exist_ok=True)
        with copy.open("wb") as written:
            while block := opened.read(_BLOCK):
                written.write(block)
                if written.tell() > most:
                    raise TooLargeError("it is larger than the limit")
        return copy

    def fetch(self, given: str, most: int) -> None:
        """Copy standard input, or the file or the folder at a URL: of each file `most` bytes.

        Of a folder only what may be a log is copied, as its name tells.

        Raises
        ------
        Exception
            Of any class, as fsspec's errors are.
        """
        if given == DASH:
            copy = self.add(sys.stdin.buffer, "stdin.jsonl", most)
            self.source = copy.rename(copy.with_suffix(".eval")) if is_zipfile(copy) else copy
            return
        from fsspec.core import url_to_fs

        system, path = url_to_fs(given)
        is_web = path.startswith(("http://", "https://"))  # there paths are whole URLs
        if is_web and path.endswith("/"):
            raise OSError("the web does not list the files of a folder: name each file")
        how = {"block_size": 0} if is_web else {}  # from start to end, as not all servers seek
        if is_web or system.info(path)["type"] != "directory":
            with system.open(path, "rb", **how) as opened:
                name = PurePosixPath(without_keys(path, [given])).name
                self.source = self.add(opened, name, most)
            return
        for file in system.find(path):
            own = file.removeprefix(path).lstrip("/")
            if _IN_FOLDERS.fullmatch(PurePosixPath(own).name):
                with system.open(file, "rb") as opened:
                    self.add(opened, own, most)

    def shown_as(self, path: Path) -> str:
        """Return what messages call a copy; the whole, if it is no part of a folder."""
        if path == self.source or not path.is_relative_to(self.source):
            return self.shown
        return f"{self.shown.rstrip('/')}/{path.relative_to(self.source).as_posix()}"


def is_elsewhere(given: str) -> bool:
    """Tell whether a path is a URL, or stands for standard input."""
    return given == DASH or _IS_URL.match(given) is not None


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


def without_compression(path: str) -> str:
    """Return a path or a name without the ending of a compression: x.csv of x.csv.gz."""
    return _COMPRESSION.sub("", path)


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


def leads_out(path: Path, folder: Path) -> bool:
    """Tell whether what is in a folder is a link to what is not.

    Links of the Hub's cache, ``snapshots/<commit>/<file>``, lead to the ``blobs`` beside it.
    """
    if not (path.is_symlink() and path.exists()):
        return False
    target, inside = path.resolve(), folder.resolve()
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
