"""Files that are never half written."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Mapping
from pathlib import Path


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write all beside their targets, then replace those: a reader never sees half a file.

    If one cannot be written, none is replaced. A file that is there keeps its permissions;
    through a link its target is replaced. Folders are made, and removed again on failure.
    """
    written: list[tuple[Path, Path]] = []
    replaced: list[tuple[Path, bytes | None]] = []
    made: list[Path] = []
    try:
        for path, content in contents.items():
            target = path.resolve()
            if not target.parent.exists():
                target.parent.mkdir()
                made.append(target.parent)
            beside = target.parent / f".{uuid.uuid4().hex}.tmp"
            written.append((beside, target))
            with beside.open("xb") as file:
                file.write(content)
            if target.exists():
                shutil.copymode(target, beside)
        for beside, target in written:
            before = target.read_bytes() if target.exists() else None
            os.replace(beside, target)
            replaced.append((target, before))
    except BaseException:
        for target, before in replaced:
            if before is None:
                target.unlink()
            else:
                target.write_bytes(before)
        for beside, _ in written:
            beside.unlink(missing_ok=True)
        for folder in made:
            if not any(folder.iterdir()):
                folder.rmdir()
        raise
