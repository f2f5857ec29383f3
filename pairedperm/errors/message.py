"""What an error or a warning says, as facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from pairedperm.errors.wording import (
    DOORS,
    PYTHON,
    Door,
    MessagePart,
    Name,
    Parts,
    Python,
    Setting,
    Telling,
    Words,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

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
