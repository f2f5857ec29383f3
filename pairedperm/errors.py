"""The errors that the package raises on purpose, and the wording of messages."""

from __future__ import annotations

import reprlib
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

SHOWN = 8  # tuned: how many words of a list a message shows
HOUR = 3600.0  # tuned: seconds that a person would wait for an answer
MOST_BYTES = 2**36  # tuned: more memory than most machines have
_INSIDE = {  # the package, and what stands between a caller and the package
    *("pairedperm", "evaluate", "evaluate_modules", "datasets", "contextlib")
}
_UNITS = (  # tuned: each with its length in seconds, and up to how many of it are told
    ("seconds", 1.0, 90.0),
    ("minutes", 60.0, 90.0),
    ("hours", HOUR, 48.0),
    ("days", 24.0 * HOUR, 700.0),
)
EXTRAS = {  # what pyproject.toml lists for those that are imported here
    "wer": ("rapidfuzz",),
    "mt": ("sacrebleu>=2.4",),
    "rational": ("python-flint",),
    "plot": ("matplotlib",),
    "card": ("markdown-it-py>=4",),
    "inspect": ("inspect_ai>=0.3.100",),
    "space": ("gradio>=6", "matplotlib"),
}


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


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Import packages of an extra, or say what needs them and how to get them.

    Raises
    ------
    ImportError
        If one is not installed.
    """
    try:
        yield
    except ImportError as error:
        packages = " and ".join(x.partition(">")[0] for x in EXTRAS[name])
        install = " ".join(f'"{x}"' for x in EXTRAS[name])
        raise ImportError(
            f"{what} needs {packages}: pip install {install} (or, in the checkout of pairedperm, "
            f'pip install ".[{name}]").'
        ) from error


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


def raised(seconds: float = 0.0, n_bytes: float = 0.0, *, to: str = "", otherwise: str = "") -> str:
    """Advise to raise a limit, unless that takes more than an hour or than 64 GB of memory."""
    memory = f"{_two_digits(1e-9 * n_bytes)} GB" if n_bytes >= 1e9 else ""
    takes = " and ".join(x for x in (_duration(seconds), memory) if x)
    if seconds <= HOUR and n_bytes <= MOST_BYTES:
        raises = f"Raise it{to}{takes and f' (it takes {takes})'}"
        return f"{raises}, or {otherwise}." if otherwise else f"{raises}."
    would = f"It would take {takes}"
    return f"{would}: {otherwise}." if otherwise else f"{would}."


def _duration(seconds: float) -> str:
    """Return a rough duration in words, in two digits: "about 3.8 hours"."""
    if seconds < 1.5:
        return "about a second" if seconds else ""
    for unit, length, most in _UNITS:
        if seconds < most * length:
            return f"about {_two_digits(seconds / length)} {unit}"
    return "years"


def _two_digits(x: float) -> str:
    rounded = float(f"{x:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10.0 else f"{rounded:g}"


def other_ways(why: str, *ways: str) -> str:
    """Add ways out to a message; they begin with "Or" if the message names one already."""
    has_one = any(x in why for x in ("Raise it", "coarser units"))
    or_ = ("Or " if has_one else "", *["Or "] * (len(ways) - 1))
    said = (x + way for x, way in zip(or_, ways, strict=True))
    return " ".join([why, *(f"{x[0].upper()}{x[1:]}." for x in said)])


def warn(message: str) -> None:
    """Warn at the line that called the package, directly or through another library."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def _is_inside(module: str) -> bool:
    return module.partition(".")[0] in _INSIDE
