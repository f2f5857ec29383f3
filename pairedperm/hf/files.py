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

    If one cannot be written, none is replaced. A file that is there keeps its permissions;
    through a link its target is replaced. Folders are made, and removed again on failure.
    """
    written: list[tuple[Path, Path]] = []
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
            if target.exists():
                shutil.copymode(target, beside)
            written.append((beside, target))
        for beside, target in written:
            before = target.read_bytes() if target.exists() else None
            os.replace(beside, target)
            if before is None:
                undo.callback(target.unlink)
            else:
                undo.callback(target.write_bytes, before)
        undo.pop_all()


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # somebody else has put something there
        folder.rmdir()
