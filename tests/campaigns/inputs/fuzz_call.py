"""A call as Python source: a function and its arguments, of which some are hostile."""

from __future__ import annotations

import contextlib
import shutil
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from campaigns.inputs.hostile import Slot, anything

_LONGEST = 400
_ENDLESS, _OF_ARROW = ("recursive()", "deep()"), ("pa.", "Dataset", "streamed", "splits")


class Unbuilt(Exception):  # noqa: N818 - no error of the campaign
    """The sources of the arguments have no value, such as a set of lists."""


CHECKS = ("again", "mirror", "plan", "law", "said", "published")  # further calls, of each answer


@dataclass(frozen=True)
class Argument:
    """An argument's source, and a valid one."""

    name: str
    source: str
    plain: str = ""

    def __str__(self) -> str:
        return f"{self.name}={self.source}" if self.name else self.source


@dataclass(frozen=True)
class Call:
    """A function's name and its arguments; `checks` are the further calls that are made of it."""

    function: str
    arguments: tuple[Argument, ...]
    checks: frozenset[str] = frozenset()

    @classmethod
    def of(cls, function: str, *arguments: str, **options: str) -> Call:
        """The call with these sources."""
        given = [Argument("", source) for source in arguments]
        named = [Argument(name, source) for name, source in options.items()]
        return cls(function, (*given, *named), frozenset(CHECKS))

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"

    @property
    def is_valid(self) -> bool:
        """Whether nothing in it is hostile."""
        return all(x.source == x.plain for x in self.arguments)

    def source(self, name: str) -> str:
        """The source of the named argument, or "" if there is none."""
        return next((x.source for x in self.arguments if x.name == name), "")

    def given(self) -> tuple[Any, list[Any], dict[str, Any]]:
        """The function and fresh values of its arguments."""
        _tidy()
        if any(x in str(self) for x in _ENDLESS) and any(x in str(self) for x in _OF_ARROW):
            raise Unbuilt("pyarrow crashes on such lists")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                values = [(x.name, _value(x.source)) for x in self.arguments]
            except Exception as error:
                raise Unbuilt(f"{type(error).__name__}: {error}") from error
        return (
            _value(self.function),
            [value for name, value in values if not name],
            {name: value for name, value in values if name},
        )

    def simplified(self) -> list[Call]:
        """The same with one argument less hostile, or left out."""
        found = []
        for k, argument in enumerate(self.arguments):
            others = self.arguments[:k], self.arguments[k + 1 :]
            if argument.plain and argument.source != argument.plain:
                found.append((*others[0], replace(argument, source=argument.plain), *others[1]))
            if argument.name:
                found.append((*others[0], *others[1]))
        return [replace(self, arguments=arguments) for arguments in found]

    def shortened(self) -> str:
        text = str(self)
        if len(text) <= _LONGEST * 4:
            return text
        return f"{text[: _LONGEST * 2]} ... {text[-_LONGEST:]}"


@dataclass(frozen=True)
class Failure:
    """A call that breaks the contract; failures with the same `group` are one."""

    call: Call
    kind: str  # an exception's type, or what is broken
    place: str  # innermost frame inside the package
    message: str
    trace: str

    @property
    def group(self) -> tuple[str, str, str]:
        return self.call.function, self.kind, self.place

    def said(self) -> str:
        """Its group in words."""
        return f"{self.call.function}: {self.kind} in {self.place}"


def _value(source: str) -> Any:
    from campaigns.inputs.fuzz_names import NAMES  # takes seconds, and reads the environment

    return eval(source, NAMES)  # of this grammar's own


def _tidy() -> None:
    """Remove what earlier calls left in the current directory, a temporary one."""
    for path in list(Path.cwd().iterdir()):
        if path.name[:4] in ("file", "card"):
            with contextlib.suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def build(rng: Random, function: str, slots: list[Slot]) -> Call:
    """A call in which none, one or two of the slots are hostile."""
    n_hostile = rng.choices((0, 1, 2), (35, 45, 20))[0]
    chosen = set(rng.sample(range(len(slots)), min(n_hostile, len(slots))))
    arguments = [
        Argument(slot.name, slot.hostile(rng) if k in chosen else slot.plain, slot.plain)
        for k, slot in enumerate(slots)
    ]
    if n_hostile and rng.random() < 0.03:  # an unknown keyword, or none where one must be
        if rng.random() < 0.5:
            arguments.append(Argument("alternatve", anything(rng)))
        elif named := [x for x in arguments if x.name]:
            arguments.remove(rng.choice(named))
        arguments.sort(key=lambda x: bool(x.name))
    checks = frozenset(x for x in CHECKS if rng.random() < 0.3)
    return Call(function, tuple(arguments), checks)
