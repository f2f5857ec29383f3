"""The errors that the package raises on purpose, and its warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pairedperm.errors.message import Facts, Message
from pairedperm.errors.wording import MessagePart, Parts, Python, Telling, Words, during

if TYPE_CHECKING:
    from typing_extensions import Unpack

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
    "plot": ("matplotlib",),
    "inspect": ("inspect_ai>=0.3.112",),
    "space": ("gradio>=6", "matplotlib"),
}


class _ToldError(Exception):
    """An error that holds facts, which `str` words.

    Attributes
    ----------
    message : Message
        The facts; `worded` gives them in the words of another reader.
    argument, got, accepted, remedy, place : str
        The argument, what arrived, what is accepted, what can be done and where it is, each in the
        words of a caller from Python. "" stands for what the message has no word on.
    """

    def __init__(self, *what: Words, **facts: Unpack[Facts]) -> None:
        self.message = Message.of(*what, **facts)
        super().__init__(str(self.message))

    argument = property(lambda self: self.message.argument)
    got = property(lambda self: str(self.message.got))
    accepted = property(lambda self: str(self.message.accepted))
    remedy = property(lambda self: self.message.advice)
    place = property(lambda self: self.message.place)


class InputError(_ToldError, ValueError):
    """An argument cannot be used; the message says what arrived and what is accepted."""


class NoLatticeError(InputError):
    """The scores are real numbers and no decimals, which some methods need.

    `fact` is the part of the message that says why.
    """

    def __init__(self, *what: Words, fact: Words = "", **facts: Unpack[Facts]) -> None:
        super().__init__(*what, **facts)
        self.fact = self.message.named(fact or self.message.what)


class NoIntervalError(InputError):
    """The examples are too few, or too much alike, for an interval of the difference."""


class BudgetError(_ToldError, RuntimeError):
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


def raised(
    seconds: float = 0.0, n_bytes: float = 0.0, *, to: str = "", otherwise: str = ""
) -> MessagePart:
    """Advise to raise a limit, unless that takes more than an hour or than 64 GB of memory."""
    return _Raised(seconds, n_bytes, to, otherwise)


@dataclass(frozen=True, repr=False)
class _Raised(MessagePart):
    """The advice as numbers; it is made before it is known whether a limit is exceeded."""

    seconds: float
    n_bytes: float
    to: str
    otherwise: str

    def told(self, telling: Telling) -> str:
        memory = f"{two_digits(1e-9 * self.n_bytes)} GB" if self.n_bytes >= 1e9 else ""
        takes = " and ".join(x for x in (_duration(self.seconds), memory) if x)
        would, otherwise = f"It would take {takes}" if takes else "", self.otherwise
        if self.seconds > HOUR or self.n_bytes > MOST_BYTES:
            return ": ".join(x for x in (would, otherwise) if x)
        raises = f"Raise it{self.to}{takes and f' (it takes {takes})'}"
        raises += f", or {otherwise}" if otherwise else ""
        return telling.tell(Python(raises, otherwise[:1].upper() + otherwise[1:] or would))


def _duration(seconds: float) -> str:
    """Return a rough duration in words, in two digits: "about 3.8 hours"."""
    if seconds < 1.5:
        return "about a second" if seconds else ""
    for unit, length, most in _UNITS:
        if seconds < most * length:
            return f"about {two_digits(seconds / length)} {unit}"
    return "years"


def two_digits(x: float) -> str:
    """Write a number in two significant digits, without an exponent if it is 10 or more."""
    rounded = float(f"{x:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10.0 else f"{rounded:g}"


def other_ways(why: Message, *ways: Parts) -> Message:
    """Add ways out to a message; they begin with "Or" if the message names one already."""
    said, (first, *others) = str(why), ways
    either: Words = first.capital()
    if "coarser units" in said:
        either = Parts("Or ", first)
    elif "Raise it" in said:
        either = Python(Parts("Or ", first), either)
    return why.advised(either, *(Parts("Or ", x) for x in others))


def warn(*what: Words, **facts: Unpack[Facts]) -> None:
    """Warn at the line that called the package, directly or through another library.

    The facts are those of a `Message`.
    """
    message = Message.of(*what, **facts)
    if listener := _LISTENER.get():
        listener(message)
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warning = UserWarning(str(message))
    vars(warning)["facts"] = message  # for a door that has other words
    warnings.warn(warning, stacklevel=level)


_LISTENER: ContextVar[Callable[[Message], object] | None] = ContextVar("listener", default=None)


def heard_by(listener: Callable[[Message], object]) -> AbstractContextManager[None]:
    """Give the warnings of the package to a function instead; other threads are not heard."""
    return during(_LISTENER, listener)


def _is_inside(module: str) -> bool:
    return module.partition(".")[0] in _INSIDE
