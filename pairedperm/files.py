"""Files that are never half written."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(target: Path, content: bytes) -> None:
    """Write beside and replace: a reader never sees half a file, nor does one stay.

    A file that is there keeps its permissions; through a link its target is replaced.
    """
    target = target.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        if target.exists():
            shutil.copymode(target, name)
        else:
            os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
