"""Files that fsspec reads: at a URL, such as hf://…, https://… or s3://…."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import IO, Any

STANDARD_INPUT = "standard input"  # the path of its copy, as messages show it
_PASSWORD = re.compile(r"(://)[^/?\s'\"@]*@")
_QUERY = re.compile(r"(://[^?\s]*)\?[^\s'\"]*")
_IS_URL = re.compile(r"[a-z][a-z0-9+.-]+://", re.I)


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
    """

    shown: str
    system: Any = field(compare=False)
    path: str = field(compare=False)

    def __str__(self) -> str:
        return self.shown

    @property
    def name(self) -> str:
        """The last part of the path, without the query of a URL."""
        return PurePosixPath(self.path.partition("?")[0]).name

    @property
    def parent(self) -> RemotePath:
        """The folder that it is in; itself if messages show none."""
        if "/" not in self.shown:
            return self
        shown, path = (x.rpartition("/")[0] for x in (self.shown, self.path))
        return replace(self, shown=shown, path=path)

    def with_name(self, name: str) -> RemotePath:
        """Return another file in the same folder."""
        folder = self.parent
        return replace(self, shown=f"{folder.shown}/{name}", path=f"{folder.path}/{name}")

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


def without_keys(text: str) -> str:
    """Return a text in which URLs have no queries, users and passwords, which may hold keys."""
    return _PASSWORD.sub(r"\1", _QUERY.sub(r"\1", text))


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
    return RemotePath(without_keys(given), system, path)
