"""The errors that the package raises on purpose, its warnings, and how they are worded.

A message names arguments and settings by `Name` and `Setting`. A door such as a command, which has
other names for what it passes on, says so by `called`; `str` words a message for a caller from
Python, and `worded` for another `Reader`. Nothing is ever replaced in a text. `shown`, `describe`
and those below them write values, numbers and lists in messages.
"""

from __future__ import annotations

import reprlib
import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Unpack


MAX_MESSAGE = 2000  # tuned: characters of an error, or of a command in a report
SHOWN = 8  # tuned: how many words of a list a message shows
At = tuple[int | str, ...]
_Value = TypeVar("_Value")


class Reader:
    """Who reads a message; this one calls the package from Python."""

    def name(self, argument: str) -> str:
        """Return the name of an argument."""
        return f"`{argument}`"

    def entry(self, words: str, at: Sequence[int | str]) -> str:
        """Return the name of an entry of an argument, or of an entry of an entry."""
        return words + "".join(f"[{shown(x)}]" for x in at)

    def has(self, option: str) -> bool:
        """Return whether the reader can give the option."""
        return True

    def setting(self, option: str, value: str) -> str:
        """Return how an option is given; "" as its value stands for the option itself."""
        return f"{option}={value}" if value else self.name(option)

    def file(self, path: str) -> str:
        """Return the path of a file as a message shows it."""
        return printable(path)

    def python(self, part: Python) -> Words:
        """Return what is said of that which only Python has."""
        return part.text


PYTHON = Reader()


class MessagePart(ABC):
    """A part of a message that has other words for other readers."""

    @abstractmethod
    def told(self, telling: Telling) -> str:
        """Return the words."""

    def options(self, reader: Reader) -> Iterator[str]:
        """Yield the options that the reader would have to give."""
        yield from ()

    def __str__(self) -> str:
        return worded(self)

    def __repr__(self) -> str:
        return repr(str(self))


Words = str | MessagePart


class Parts(MessagePart):
    """Parts that follow each other without a space."""

    def __init__(self, *parts: Words) -> None:
        self.parts = parts

    def told(self, telling: Telling) -> str:
        return "".join(map(telling.tell, self.parts))

    def capital(self) -> Parts:
        """Return the parts with a capital letter at the start."""
        first, *rest = self.parts
        return Parts(f"{first}"[:1].upper() + f"{first}"[1:], *rest)

    def options(self, reader: Reader) -> Iterator[str]:
        for x in self.parts:
            if isinstance(x, MessagePart):
                yield from x.options(reader)


class Advice(Parts):
    """Parts that are left out for a reader who cannot give the options in it."""

    def told(self, telling: Telling) -> str:
        reader = telling.reader
        is_possible = all(map(reader.has, super().options(reader)))
        return super().told(telling) if is_possible else ""

    def options(self, reader: Reader) -> Iterator[str]:
        yield from ()  # what is around it can be said without it


@dataclass(frozen=True)
class Name(MessagePart):
    """An argument, or an entry of it: `predictions1`[3]."""

    argument: str
    at: At = ()

    def told(self, telling: Telling) -> str:
        return telling.name(self)


@dataclass(frozen=True)
class Setting(MessagePart):
    """An option, with the value to give it as Python writes it, or without one."""

    option: str
    value: str = ""

    def told(self, telling: Telling) -> str:
        reader = telling.reader if telling.reader.has(self.option) else PYTHON
        return reader.setting(self.option, self.value)

    def options(self, reader: Reader) -> Iterator[str]:
        yield self.option


@dataclass(frozen=True)
class File(MessagePart):
    """A file or a folder that a person gave, or that is beside one or in one."""

    path: str

    def told(self, telling: Telling) -> str:
        return telling.reader.file(self.path)


@dataclass(frozen=True)
class Python(MessagePart):
    """What only a caller from Python has use for, and what stands in its place for others."""

    text: Words
    elsewhere: Words = ""

    def told(self, telling: Telling) -> str:
        return telling.tell(telling.reader.python(self))

    def options(self, reader: Reader) -> Iterator[str]:
        part = reader.python(self)
        if isinstance(part, MessagePart):
            yield from part.options(reader)


NO_BUDGET = Python("which no budget allows", "more than any machine holds")


class Door(NamedTuple):
    """How a caller calls arguments of what it calls, and where in its own data they are."""

    names: Mapping[Name, Words]
    place: Words


DOORS: ContextVar[tuple[Door, ...]] = ContextVar("doors", default=())


@contextmanager
def during(variable: ContextVar[_Value], value: _Value) -> Iterator[None]:
    """Give a context variable this value inside the block."""
    before = variable.set(value)
    try:
        yield
    finally:
        variable.reset(before)


@contextmanager
def called(names: Mapping[str, Words] | Mapping[Name, Words], place: Words = "") -> Iterator[None]:
    """Name arguments in errors and warnings as the caller knows them.

    A text stands for itself; a `Name` may have yet another name further out. A message that names
    none of them begins with `place`, such as the task.
    """
    keys = (Name(x) if isinstance(x, str) else x for x in names)
    door = Door(dict(zip(keys, names.values(), strict=True)), place)
    with during(DOORS, (*DOORS.get(), door)):
        yield


class Telling:
    """The wording of one message: who reads it, and which doors have named anything in it."""

    def __init__(self, reader: Reader, doors: Sequence[Door] = ()) -> None:
        self.reader, self.doors = reader, doors
        self.used: set[int] = set()

    def tell(self, part: Words) -> str:
        """Return the words of a part."""
        return part if isinstance(part, str) else part.told(self)

    def name(self, name: Name) -> str:
        """Return the words for an argument or an entry of it."""
        words, known = self._known(name)
        words = self.reader.name(known.argument) if words is None else words
        return self.reader.entry(words, known.at) if known.at else words

    def argument(self, name: Name) -> str:
        """Return the argument as the outermost door calls it."""
        words, known = self._known(name)
        return known.argument if words is None else words

    def _known(self, name: Name) -> tuple[str | None, Name]:
        """Return the outermost name, and the words of a door that stand for its argument."""
        for k in reversed(range(len(self.doors))):
            names = self.doors[k].names
            for n in reversed(range(len(name.at) + 1)):
                other = names.get(Name(name.argument, name.at[:n]))
                if other is not None:
                    self.used.add(k)
                    if not isinstance(other, Name):
                        return self.further_out(k, other), Name(name.argument, name.at[n:])
                    name = Name(other.argument, other.at + name.at[n:])
                    break
        return None, name

    def further_out(self, k: int, part: Words) -> str:
        """Return the words of what the k-th door says, in which only those outside it rename."""
        outer = Telling(self.reader, self.doors[:k])
        words = outer.tell(part)
        self.used |= outer.used
        return words


def worded(part: Words, reader: Reader = PYTHON) -> str:
    """Return a message or a part of one in the words of its reader."""
    return Telling(reader).tell(part)


def shown(value: object) -> str:
    """Return a label or a name as Python writes it, shortened to both ends if long."""
    return printable(_written(value, repr))


def describe(value: object) -> Parts:
    """Return a value and its type, short enough for an error message."""
    text = printable(_written(value, reprlib.repr), 500)
    return Parts(text, Python(f" ({type(value).__name__})"))


def _written(value: object, write: Callable[[object], str]) -> str:
    """Return what `write` writes of a value, without warnings."""
    import numpy as np  # the help of the command line is read sooner without it

    try:
        with np.errstate(all="ignore"):  # pandas compares a float16 with 10^6 to write it
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


def counted(n: int, word: str) -> str:
    """Return a number and its noun: "1 example", "1,319 examples"."""
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def first_of(words: Sequence[str], n: int = SHOWN) -> str:
    """Return the first of many words, and the number of the rest."""
    return str(joined(words, n=n))


def joined(words: Sequence[Words], by: Words = ", ", n: int | None = None) -> Parts:
    """Return the first of many parts, with `by` between two, and the number of the rest."""
    n = len(words) if n is None else n
    listed, more = [y for x in words[:n] for y in (by, x)], len(words) - n
    return Parts(*listed[1:], f" and {more:,} more" if more > 0 else "")


_STOPS = (".", "?", "!")


class Facts(TypedDict, total=False):
    """The facts of a message by name; see `Message`."""

    must: Words
    got: Words
    at: Name | None
    remedy: Words | Sequence[Words]


class Message(MessagePart):
    """What an error or a warning says.

    Attributes
    ----------
    what : Parts
        The subject, most often the `Name` of an argument, and what there is to say of it.
    accepted : str or MessagePart
        What it must be, or hold: "be a positive integer".
    got : str or MessagePart
        What arrived: `describe(value)`, and not the value.
    at : Name or None
        The entry that has arrived, if it is one of many.
    remedy : tuple of str or MessagePart
        Sentences on what can be done. One that begins with a small letter follows after a colon.
    doors : tuple of Door
        The names that callers had for arguments, the outermost first.
    """

    def __init__(
        self,
        *what: Words,
        must: Words = "",
        got: Words = "",
        at: Name | None = None,
        remedy: Words | Sequence[Words] = (),
    ) -> None:
        self.what, self.accepted, self.got, self.at = Parts(*what), must, got, at
        sentences = (remedy,) if isinstance(remedy, (str, MessagePart)) else remedy
        self.remedy = tuple(x for x in sentences if x != "")
        self.doors = DOORS.get()

    @property
    def argument(self) -> str:
        """The argument that the message is about, as the outermost door calls it; "" if none."""
        first = next(_names_in(self.what), None)
        if isinstance(first, Setting):
            return first.option
        return Telling(PYTHON, self.doors).argument(first) if first else ""

    @property
    def advice(self) -> str:
        """What can be done, in the words of a caller from Python."""
        return _in_sentences([Telling(PYTHON, self.doors).tell(x) for x in self.remedy])

    @property
    def place(self) -> str:
        """Where it is: the part that a door names, and the entry of the argument."""
        entry = self.at or next((x for x in self.what.parts if isinstance(x, Name)), None)
        at = PYTHON.entry("", entry.at) if entry else ""
        return ", ".join([str(x.place) for x in self.doors if x.place] + [at] * bool(at))

    @staticmethod
    def of(*what: Words, **facts: Unpack[Facts]) -> Message:
        """Return the message of these facts, or the one that is given."""
        is_known = len(what) == 1 and isinstance(what[0], Message) and not facts
        return what[0] if is_known else Message(*what, **facts)  # type: ignore[return-value]

    def advised(self, *remedy: Words) -> Message:
        """Return the message with further remedies."""
        longer = copy(self)
        longer.remedy += remedy
        return longer

    def named(self, part: Words) -> MessagePart:
        """Return a part that is told elsewhere, with the names that callers had here."""
        return _Named(part, self.doors)

    def clause(self) -> MessagePart:
        """Return the message without its full stop, as a part of a sentence."""
        return _Clause(self)

    def told(self, telling: Telling) -> str:
        inner = Telling(telling.reader, self.doors)
        text = self._sentences(inner)
        for k in reversed(range(len(self.doors))):
            if k < len(telling.doors) and telling.doors[k] is self.doors[k]:
                telling.used |= inner.used & {k}
            elif self.doors[k].place and k not in inner.used:
                text = f"{inner.further_out(k, self.doors[k].place)}: {text}"
        return text

    def _sentences(self, telling: Telling) -> str:
        text = telling.tell(self.what)
        if self.accepted:
            text += f" must {telling.tell(self.accepted)}"
        if self.got:
            at = f": {telling.tell(self.at)} is " if self.at else ", got "
            text += f"{at}{telling.tell(self.got)}"
        return _in_sentences([text, *map(telling.tell, self.remedy)])


def _is_ended(text: str) -> bool:
    """Tell whether a sentence has its stop, perhaps within brackets."""
    return text.endswith(_STOPS) or (text.endswith(".)") and not text.endswith("...)"))


def _in_sentences(sentences: Sequence[str]) -> str:
    """Join sentences: one that begins with a small letter follows the one before after a colon."""
    text = ""
    for sentence in filter(None, sentences):
        end = ":" if sentence[0].islower() else "."
        text += f"{end if text and not _is_ended(text) else ''} {sentence}"
    return f"{text[1:]}{'' if _is_ended(text) else '.'}" if text else ""


def _names_in(part: Words) -> Iterator[Name | Setting]:
    """Yield the arguments and the options that a part names; those of messages within it last."""
    if isinstance(part, (Name, Setting)):
        yield part
    elif isinstance(part, Parts):
        for x in sorted(part.parts, key=lambda x: isinstance(x, (Message, _Clause))):
            yield from _names_in(x)
    elif isinstance(part, Python):
        yield from _names_in(part.text)
    elif isinstance(part, (Message, _Clause)):
        yield from _names_in(part.what if isinstance(part, Message) else part.message)


@dataclass(frozen=True)
class _Named(MessagePart):
    """A part of a message that is told in another one."""

    part: Words
    doors: tuple[Door, ...]

    def told(self, telling: Telling) -> str:
        return Telling(telling.reader, self.doors).tell(self.part)


@dataclass(frozen=True)
class _Clause(MessagePart):
    """A message as a part of a sentence."""

    message: Message

    def told(self, telling: Telling) -> str:
        return telling.tell(self.message).rstrip(".")


_INSIDE = {  # the package, and what stands between a caller and the package
    *("pairedperm", "evaluate", "evaluate_modules", "datasets", "contextlib")
}
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
