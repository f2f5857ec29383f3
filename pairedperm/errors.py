"""The errors that the package raises on purpose, and the wording of messages."""

from __future__ import annotations

import reprlib
import sys
import warnings
from collections.abc import Callable, Sequence

SHOWN = 8  # tuned: how many words of a list a message shows


class InputError(ValueError):
    """An argument cannot be used; the message says what arrived and what is accepted."""


class NoLatticeError(InputError):
    """The scores are real numbers and no decimals, which some methods need.

    `fact` is the part of the message that says why.
    """

    def __init__(self, message: str, fact: str = "") -> None:
        super().__init__(message)
        self.fact = fact


class NoIntervalError(InputError):
    """The examples are too few, or too much alike, for an interval of the difference."""


class BudgetError(RuntimeError):
    """The answer would cost more than the budget allows; the message says how much."""


def describe(value: object) -> str:
    """Return a value and its type, short enough for an error message."""
    return f"{printable(_written(value, reprlib.repr), 500)} ({type(value).__name__})"


def shown(value: object) -> str:
    """Return a label or a name as Python writes it, shortened to both ends if long."""
    return printable(_written(value, repr))


def _written(value: object, write: Callable[[object], str]) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pandas warns when it writes a float16
            return write(value)
    except ValueError:  # Python does not print integers of thousands of digits
        return "a very large integer"


def printable(text: str, limit: int = 200) -> str:
    """Escape unprintable characters of a name or a path, and shorten it to both ends if long."""
    half = limit // 2
    ends = [text] if len(text) <= limit else [text[:half], text[-half:]]
    line = "…".join(x if x.isprintable() else _escaped(x) for x in ends)
    return line if len(line) <= limit + 1 else f"{line[:half]}…{line[-half:]}"


def _escaped(text: str) -> str:
    return "".join(x if x.isprintable() else ascii(x)[1:-1] for x in text)


def first_of(words: Sequence[str], n: int = SHOWN) -> str:
    """Return the first of many words, and the number of the rest."""
    listed, more = ", ".join(words[:n]), len(words) - n
    return f"{listed} and {more:,} more" if more > 0 else listed


def counted(n: int, word: str) -> str:
    """Return a number and its noun: "1 example", "1,319 examples"."""
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def warn(message: str) -> None:
    """Warn at the line that called the package, directly or through `evaluate`."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def _is_inside(module: str) -> bool:
    return module.partition(".")[0] in ("pairedperm", "evaluate", "evaluate_modules")
