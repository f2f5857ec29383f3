"""The parts of messages, the words that a reader knows for them, and how values are shown.

A message names arguments and settings by `Name` and `Setting`. A door such as a command, which has
other names for what it passes on, says so by `called`; `str` words a message for a caller from
Python, and `worded` for another `Reader`. Nothing is ever replaced in a text. `shown`, `describe`
and those below them write values, numbers and lists in messages.
"""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

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
