"""Bars of progress, which people see on a terminal or in a notebook, and no program reads."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any

HIDDEN: ContextVar[bool] = ContextVar("hidden", default=False)  # by --quiet
_SWITCH = "HF_DATASETS_DISABLE_PROGRESS_BARS"  # read by `datasets` when it is imported


class NoBar(AbstractContextManager["NoBar"]):
    """A progress bar that nobody sees: tqdm's takes as long to import as a small test."""

    n = 0.0

    def __exit__(self, *_: object) -> None:
        """Close nothing."""

    def update(self, n: float = 1) -> None:
        """Count nothing."""


def progress_bar(total: float | None, what: str, **shown: Any) -> Any:
    """Return a bar that goes when it is closed, or one that nobody sees.

    Only a terminal and a notebook show it, unless `datasets.disable_progress_bars()` was called.
    """
    if HIDDEN.get() or not (is_terminal() or _is_notebook()) or _is_switched_off():
        return NoBar()
    from tqdm.auto import tqdm

    return tqdm(total=total, desc=what, leave=False, **shown)


def is_terminal() -> bool:
    """Tell whether somebody sees what is written to stderr."""
    return sys.stderr is not None and sys.stderr.isatty()


def _is_notebook() -> bool:
    """Tell whether the code runs in a kernel of Jupyter, whose stderr is no terminal."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def _is_switched_off() -> bool:
    if "datasets" not in sys.modules:  # its switch exists only once it is imported
        return os.environ.get(_SWITCH, "").upper() in ("1", "ON", "YES", "TRUE")
    from datasets.utils import is_progress_bar_enabled

    return not is_progress_bar_enabled()
