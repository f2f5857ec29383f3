"""A folder that one is in for a while."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def inside(folder: str | Path) -> Iterator[None]:
    """In this folder, then back, as `contextlib.chdir` of Python 3.11."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
