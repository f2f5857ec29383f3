"""The bar that shows how far a large file is read."""

from __future__ import annotations

import sys
from typing import Any

from tqdm import tqdm

_LARGE = 2**25  # tuned: bytes, which take a second or more


def reading(path: str, n_bytes: int) -> Any:
    """A progress bar for a large file, unless the switch of `datasets` hides all bars."""
    shown = {"unit": "B", "unit_scale": True, "leave": False}
    is_hidden = n_bytes < _LARGE
    if not is_hidden and "datasets" in sys.modules:  # nobody else has turned the switch
        from datasets.utils import is_progress_bar_enabled

        is_hidden = not is_progress_bar_enabled()
    return tqdm(total=n_bytes, desc=f"Reading {path[-30:]}", disable=is_hidden, **shown)
