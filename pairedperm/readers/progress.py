"""The progress bar for reading a large file."""

from __future__ import annotations

import sys
from typing import Any

from tqdm import tqdm

_LARGE = 2**25  # tuned: bytes that take a second or more to read


def reading(path: str, n_bytes: int) -> Any:
    """Return a progress bar for a file, hidden if it is small or `datasets` hides its bars."""
    shown = {"unit": "B", "unit_scale": True, "leave": False}
    is_hidden = n_bytes < _LARGE
    if not is_hidden and "datasets" in sys.modules:  # its switch exists only once it is imported
        from datasets.utils import is_progress_bar_enabled

        is_hidden = not is_progress_bar_enabled()
    return tqdm(total=n_bytes, desc=f"Reading {path[-30:]}", disable=is_hidden, **shown)
