"""What a call may raise and warn of: the contract of the package's docstrings."""

from __future__ import annotations

import linecache
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pairedperm
from campaigns.inputs.odd_objects import HostileError

_PACKAGE = Path(pairedperm.__file__).parent
_METRICS = ("paired_perm.py", "paired_bootstrap.py")
_CAMPAIGN = Path(__file__).parent
_LONGEST = 2000
_UNKNOWN_OPTION = (
    "unexpected keyword argument",
    "missing 1 required",
    "missing 2 required",
    "missing 3 required",
    "required positional argument",
    "required keyword-only argument",
    "takes no keyword arguments",
    "multiple values for argument",
    "positional arguments but",
    "positional argument but",
    "unexpected option ",
    "taken for the arguments of ",
    "plan takes the arguments of a test",
    "give a Ratio by name",
)


class Leak(Exception):  # noqa: N818 - a warning
    """A warning that is not the package's own."""


def frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The frames of a traceback that stand in the package."""
    found = traceback.extract_tb(error.__traceback__)
    return [x for x in found if _is_ours(x.filename)]


def place(error: BaseException) -> str:
    """The innermost frame inside the package, as file:function."""
    if isinstance(error, Leak):
        return str(error.args[1])
    found = frames(error)
    return f"{_short(found[-1].filename)}:{found[-1].name}" if found else "outside"


def _is_ours(filename: str) -> bool:
    path = Path(filename)
    return path.is_relative_to(_PACKAGE) or path.name in _METRICS


def _short(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(_PACKAGE)) if path.is_relative_to(_PACKAGE) else path.name


def broken_by_error(function: str, error: BaseException) -> str | None:
    """What is wrong about an exception; None if the contract has it."""
    if isinstance(error, pairedperm.InputError | pairedperm.BudgetError):
        return _broken_by_message(str(error))
    if isinstance(error, HostileError):
        return None
    if isinstance(error, TypeError) and any(x in str(error) for x in _UNKNOWN_OPTION):
        innermost = traceback.extract_tb(error.__traceback__)[-1]
        is_outside = Path(innermost.filename).is_relative_to(_CAMPAIGN)
        if is_outside or (_is_ours(innermost.filename) and _raises(innermost)):
            return None
    if isinstance(error, ImportError) and "pip install" in str(error):
        return None
    return type(error).__name__


def _raises(frame: traceback.FrameSummary) -> bool:
    """Whether the line raises itself, or is one that calls evaluate's own."""
    return "raise" in (frame.line or "") or "super().__init__" in (frame.line or "")


def _broken_by_message(message: str) -> str | None:
    if not message.strip():
        return "an empty message"
    if len(message) > _LONGEST:
        return "a message of more than 2,000 characters"
    try:
        message.encode()
    except UnicodeEncodeError:
        return "a message that cannot be printed, with a lone surrogate"
    if not message.replace("\n", "").isprintable():
        return "a message that cannot be printed, with control characters"
    return None


@contextmanager
def recorded_warnings() -> Iterator[list[Leak]]:
    """Warnings that are not the package's own, nor of the caller's own functions."""
    leaks: list[Leak] = []

    def show(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and Path(frame.f_code.co_filename).name == "warnings.py":
            frame = frame.f_back
        if frame is None or issubclass(category, ResourceWarning):
            return
        code, line = frame.f_code, ""
        if _is_ours(code.co_filename):
            line = linecache.getline(code.co_filename, frame.f_lineno)
            if category is UserWarning and "warn" in line:
                return
        elif Path(code.co_filename).is_relative_to(_CAMPAIGN):
            return  # of a caller's function
        while frame is not None and not _is_ours(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is not None:
            where = f"{_short(frame.f_code.co_filename)}:{frame.f_code.co_name}"
            leaks.append(Leak(f"{category.__name__}: {str(message)[:200]}", where))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield leaks
