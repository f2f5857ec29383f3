"""The errors that the package raises on purpose, its warnings, and how values are shown.

A message is text, written where it is raised, for a caller from Python: it has arguments in
backticks and options as name=value, and data in quotes. `called` renames arguments for a door that
has other names. `shown`, `describe` and those below them write values, numbers and lists.
"""

from __future__ import annotations

import re
import reprlib
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

MAX_MESSAGE = 2000  # tuned: characters of an error, or of a command in a report
SHOWN = 8  # tuned: how many words of a list a message shows
At = tuple[int | str, ...]
NO_BUDGET = "which no budget allows"
QUOTED = r"""(?<![\w`)\]}])b?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
"""What a message quotes of the data: no name in it is one of ours."""
_NAME = r"[^\W\d]\w*(?:\[[^]`]*\])*"  # x, or paths[0]
_FIRST = re.compile(rf"{QUOTED}|`({_NAME})`((?:\[(?:{QUOTED}|[^]'\"])+\])*)|^(\w+)=")
_Value = TypeVar("_Value")
_Door = tuple[Mapping[str, str], str]
_DOORS: ContextVar[tuple[_Door, ...]] = ContextVar("doors", default=())
_LISTENER: ContextVar[Callable[[str], object] | None] = ContextVar("listener", default=None)


@contextmanager
def during(variable: ContextVar[_Value], value: _Value) -> Iterator[None]:
    """Give a context variable this value inside the block."""
    before = variable.set(value)
    try:
        yield
    finally:
        variable.reset(before)


def shown(value: object) -> str:
    """Return a label or a name as Python writes it, shortened to both ends if long."""
    return printable(_written(value, repr))


def describe(value: object) -> str:
    """Return a value and its type, short enough for an error message."""
    return f"{printable(_written(value, reprlib.repr), 500)} ({type(value).__name__})"


def _written(value: object, write: Callable[[object], str]) -> str:
    """Return what `write` writes of a value, without warnings."""
    import numpy as np  # the help of the command line is read sooner without it

    try:
        with np.errstate(all="ignore"):  # pandas compares a float16 with 10^6 to write it
            return write(value)
    except ValueError:  # Python does not print integers of thousands of digits
        return "a very large integer"


def shown_path(path: str) -> str:
    """Return a path or a name as it is; in quotes if some of it reads like a name of ours."""
    return shown(path) if {*path} & {*"`='\""} else printable(path)


def printable(text: str, limit: int = 200) -> str:
    """Escape unprintable characters of a name or a path, and shorten it to both ends if long."""
    half = limit // 2
    ends = [text] if len(text) <= limit else [text[:half], text[-half:]]
    line = "".join(x if x.isprintable() else ascii(x)[1:-1] for x in "…".join(ends))
    return line if len(line) <= limit + 1 else f"{line[:half]}…{line[-half:]}"


def counted(n: int, word: str) -> str:
    """Return a number and its noun: "1 example", "1,319 examples"."""
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def first_of(words: Sequence[str], n: int = SHOWN) -> str:
    """Return the first of many words, and the number of the rest."""
    more = len(words) - n
    return ", ".join(words[:n]) + (f" and {more:,} more" if more > 0 else "")


def backticked(name: str) -> str:
    """Return the name of an argument as messages have it; words that name one stay."""
    return name if "`" in name else f"`{name}`"


def in_brackets(at: Sequence[int | str]) -> str:
    """Return the place of an entry of an argument, or of an entry of an entry: "[3]['a']"."""
    return "".join(f"[{shown(x)}]" for x in at)


def message(argument: str, what: str = "", **facts: Any) -> str:
    """Return what an error or a warning says; see `InputError`."""
    return str(InputError(argument, what, **facts))


def _said(argument: str, what: str, must: str = "", got: str = "", at: str = "") -> str:
    """Return a message without its remedies."""
    if re.fullmatch(_NAME, argument):
        argument = f"`{argument}`{' ' * (what[:1] not in ' ,:;.[')}"
    text = f"{argument}{what}"
    if must:
        text += f" must {must}"
    if got:
        text += f": {at} is {got}" if at else f", got {got}"
    return text


def advised(*sentences: str) -> str:
    """Join sentences: one that begins with a small letter follows the one before after a colon."""
    text = ""
    for sentence in filter(None, sentences):
        end = ":" if sentence[0].islower() else "."
        text += f"{end if text and not _is_ended(text) else ''} {sentence}"
    return f"{text[1:]}{'' if _is_ended(text) else '.'}" if text else ""


def clause(text: str) -> str:
    """Return a message without its full stop, as a part of a sentence."""
    return text.rstrip(".")


def _is_ended(text: str) -> bool:
    """Tell whether a sentence has its stop, perhaps within brackets."""
    return text.endswith((".", "?", "!")) or (text.endswith(".)") and not text.endswith("...)"))


def _first_name(text: str) -> tuple[str, str]:
    """Return the first argument that a text names, and the place of the entry; "" without one."""
    found = next((x for x in _FIRST.finditer(text) if x[1] or x[3]), None)
    return (found[1] or found[3], found[2] or "") if found else ("", "")


def _renamed(text: str, names: Mapping[str, str], place: str) -> str:
    """Return a message in which arguments have other names; `place` begins one without any."""
    words = {backticked(x): y for x, y in names.items()}
    longest_first = sorted(words, key=len, reverse=True)
    pattern = re.compile("|".join([QUOTED, *map(re.escape, longest_first)]))
    if any(x[0] in words for x in pattern.finditer(text)):
        return pattern.sub(lambda x: words.get(x[0], x[0]), text)
    return f"{place}: {text}" if place else text


@contextmanager
def called(names: Mapping[str, str], place: str = "") -> Iterator[None]:
    """Name arguments in errors and warnings as the caller knows them.

    A key is an argument, `x`, or an entry of one, "`x`['a']". Its value are words, which may hold
    a name that is known further out. A message that names none of them begins with `place`, such
    as the task.
    """
    with during(_DOORS, ((names, place), *_DOORS.get())):
        try:
            yield
        except (InputError, BudgetError) as error:
            error._rename(names, place)
            raise


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


class _PlainError(Exception):
    """What `InputError` and `BudgetError` share."""

    argument = must = got = at = remedy = ""

    def __init__(
        self,
        argument: str,
        what: str = "",
        *,
        must: str = "",
        got: str = "",
        at: str = "",
        remedy: str | Sequence[str] = (),
    ) -> None:
        said = _said(argument, what, must, got, at)
        remedies = [remedy] if isinstance(remedy, str) else remedy
        super().__init__(advised(said, *remedies))
        self.argument, self._entry = _first_name(said)
        self.at = _first_name(at)[1] or self._entry
        self.must, self.got = must, got
        ends = (x.end() for x in re.finditer(rf"{QUOTED}|\. ", said) if x[0] == ". ")
        self.remedy = advised(*remedies) or said[next(ends, len(said)) :]

    def _rename(self, names: Mapping[str, str], place: str = "") -> None:
        """Give arguments the names that a caller has for them; see `called`."""
        words, name = {backticked(x): y for x, y in names.items()}, f"`{self.argument}`"
        self.args = (_renamed(str(self), names, place),)
        self.at = ", ".join(filter(None, (place, self.at)))
        self.must, self.remedy = (_renamed(x, names, "") for x in (self.must, self.remedy))
        if new := words.get(name + self._entry) or words.get(name):
            self.argument, self._entry = _first_name(new)
            self.argument = self.argument or new


class InputError(_PlainError, ValueError):
    """An argument cannot be used; the message says what arrived and what is accepted.

    Parameters
    ----------
    argument : str
        The name of an argument; or words that name one in backticks, or none.
    what : str
        What there is to say of it.
    must : str
        What it must be, or hold: "be a positive integer".
    got : str
        What arrived: `describe(value)`, and not the value.
    at : str
        The entry that has arrived, if it is one of many: ``"`predictions1`[3]"``.
    remedy : str or sequence of str
        Sentences on what can be done. One that begins with a small letter follows after a colon.

    Attributes
    ----------
    argument, must, got, remedy : str
        The argument as the outermost caller knows it, and the words of the message; "" for none.
    at : str
        Where it is: what a caller works on, such as the task, and the entry, "[3]".

    Examples
    --------
    >>> from pairedperm.errors import InputError
    >>> error = InputError("alpha", must="be below 1", got="2 (int)", remedy="Give 0.05")
    >>> print(error)
    `alpha` must be below 1, got 2 (int). Give 0.05.
    >>> error.remedy
    'Give 0.05.'
    """


class NoLatticeError(InputError):
    """The scores are real numbers and no decimals, which some methods need.

    `fact` is the part of the message that says why.
    """

    def __init__(self, argument: str, what: str = "", *, fact: str = "", **facts: Any) -> None:
        super().__init__(argument, what, **facts)
        self.fact = fact or _said(argument, what)
        for names, _ in _DOORS.get():
            self.fact = _renamed(self.fact, names, "")


class NoIntervalError(InputError):
    """The examples are too few, or too much alike, for an interval of the difference."""


class BudgetError(_PlainError, RuntimeError):
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


def other_ways(why: str, *ways: str) -> str:
    """Add ways out to a message; they begin with "Or" if the message names one already."""
    first, *others = ways
    has_one = "coarser units" in why or "Raise it" in why
    either = f"Or {first}" if has_one else f"{first[:1].upper()}{first[1:]}"
    return advised(why, either, *(f"Or {x}" for x in others))


def warn(argument: str, what: str = "", **facts: Any) -> None:
    """Warn at the line that called the package, directly or through another library.

    The arguments are those of `message`.
    """
    text = message(argument, what, **facts)
    for names, place in _DOORS.get():
        text = _renamed(text, names, place)
    if listener := _LISTENER.get():
        listener(text)
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _INSIDE:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, UserWarning, stacklevel=level)


@contextmanager
def heard_by(listener: Callable[[Any], object]) -> Iterator[None]:
    """Give the warnings of the package to a function instead; other threads are not heard.

    Callers' names for arguments come with what is told again.
    """
    with during(_LISTENER, listener), during(_DOORS, ()):
        yield
