"""How far a long computation is, told to whoever watches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_WATCHER: ContextVar[Callable[[float], object] | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Callable[[float], object]) -> Iterator[None]:
    """Meanwhile the watcher is told of all work, in the nanoseconds that it should take."""
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def advance(nanoseconds: float) -> None:
    """Tell that so much work is done, by counts and not by a clock."""
    watcher = _WATCHER.get()
    if watcher is not None:
        watcher(nanoseconds)
