"""Progress of a long computation, reported to a watcher."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_WATCHER: ContextVar[Callable[[float], object] | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Callable[[float], object]) -> Iterator[None]:
    """Report all work done meanwhile to the watcher, in the nanoseconds that it should take."""
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def advance(nanoseconds: float) -> None:
    """Report work of so many nanoseconds as done; they are known from counts, not from a clock."""
    watcher = _WATCHER.get()
    if watcher is not None:
        watcher(nanoseconds)
