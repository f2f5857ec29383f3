"""What an option accepts, as data: its check and message follow, its flag, and what tests refuse.

    average: Literal["micro", "macro"] = "micro"
    k: Annotated[int, Whole()] = 1
    level: Annotated[float | None, Interval(0.0, 1.0, "neither")] = None

A type says what it can: a Literal, or bool. None is accepted where the type has it.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, wraps
from inspect import get_annotations, signature
from types import NoneType, SimpleNamespace
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from pairedperm.errors import At, InputError, Name, Parts, Python, Words, describe

Closed = Literal["both", "left", "right", "neither"]
_Function = TypeVar("_Function", bound=Callable[..., Any])
_CHOICES_ELSEWHERE: dict[str, dict[str, str | None]] = {  # choices' names in other tools, by option
    "correction": {
        **dict.fromkeys(("fdr", "fdr_bh", "fdr_i", "fdr_p", "benjamini-hochberg"), "bh"),
        **dict.fromkeys(("fdr_by", "fdr_n", "fdr_c", "benjamini-yekutieli"), "by"),
        **dict.fromkeys(("b", "bonf"), "bonferroni"),
        "h": "holm",
        "none": None,
    },
    "alternative": {"larger": "greater", "smaller": "less", "two.sided": "two-sided"},
    "weights": {"squared": "quadratic"},
    "method": {"approximate": "monte_carlo", "simulation": "monte_carlo"},
}


def is_number(value: Any) -> bool:
    """Return whether the value is a Python or numpy number; no bool, and no numpy time span."""
    is_derived = isinstance(value, (bool, np.timedelta64))
    return isinstance(value, (int, float, np.integer, np.floating)) and not is_derived


def is_whole(value: Any) -> bool:
    """Return whether the value is a Python or numpy integer; no bool, and no numpy time span."""
    return isinstance(value, (int, np.integer)) and is_number(value)


def printed_fraction(number: float | Fraction) -> Fraction:
    """Return the fraction that a number prints as: a float of 0.1 is one tenth."""
    return Fraction(str(number))


@dataclass(frozen=True, kw_only=True)
class Constraint(ABC):
    """What an option accepts.

    Attributes
    ----------
    words : str or Part
        What is accepted, as it stands after "must be"; "" is what the kind says by itself.
    remedy : str or Part
        What the message adds, a sentence.
    or_none : bool
        Whether None is accepted; the type of the option says so.
    """

    refused: ClassVar[object] = object()
    """What `kept` returns for a value that is not accepted."""
    words: Words = ""
    remedy: Words = ""
    or_none: bool = False

    @abstractmethod
    def kept(self, value: Any) -> Any:
        """Return an accepted value in its plain form, `refused` for any other."""

    @property
    def own_words(self) -> str:
        """What is accepted, where a kind says that by itself."""
        return ""

    def hint(self, name: str, value: Any) -> str:
        """Return what else the message says about this value: a guess what is meant."""
        return ""

    def read(self, name: str, value: Any, at: At = ()) -> Any:
        """Return the value of an option, or of an entry of it, in its plain form.

        Raises
        ------
        InputError
            If it is not accepted.
        """
        if value is None and self.or_none:
            return None
        kept = self.kept(value)
        if kept is not self.refused:
            return kept
        words = self.words or self.own_words
        has_comma = bool(self.words) or "," in self.own_words
        or_none = (", or {}" if has_comma else " or {}") * self.or_none
        in_json = or_none.format("null") if at else ""  # commands read stored values, no Nones
        raise InputError(
            Name(name, at),
            must=Parts("be ", words, Python(or_none.format("None"), in_json)),
            got=describe(value),
            remedy=(self.hint(name, value), self.remedy),
        )


@dataclass(frozen=True)
class OneOf(Constraint):
    """One of some words."""

    choices: tuple[str, ...]

    def kept(self, value: Any) -> Any:
        """Return a plain string; an Enum has a `__str__` of its own."""
        is_one = isinstance(value, str) and value in self.choices
        return str.__str__(value) if is_one else self.refused

    @property
    def own_words(self) -> str:
        return f"{'one of ' * (len(self.choices) > 1)}{', '.join(map(repr, self.choices))}"

    def hint(self, name: str, value: Any) -> str:
        return did_you_mean(name, value, self.choices) if len(self.choices) > 1 else ""


@dataclass(frozen=True)
class Interval(Constraint):
    """A number between two ends, which `closed` includes; Fractions are numbers."""

    low: float
    high: float
    closed: Closed = "both"
    example: str = field(default="", kw_only=True)
    is_exact: bool = field(default=False, kw_only=True)

    def kept(self, value: Any) -> Any:
        """Return a plain float, or with `is_exact` the number as it is given."""
        if not is_number(value) and not isinstance(value, Fraction):
            return self.refused
        with suppress(OverflowError):  # a number that rounds to an open end is refused
            exact = float(str(value)) if isinstance(value, np.floating) else value  # as it prints
            number = float(exact)
            is_low, is_high = (self.closed in ("both", x) for x in ("left", "right"))
            is_above = number > self.low or (is_low and exact == self.low)
            if is_above and (number < self.high or (is_high and exact == self.high)):
                return value if self.is_exact else number
        return self.refused

    @property
    def own_words(self) -> str:
        example = f", {self.example}" if self.example else ""
        if self.high == math.inf:
            return f"a {'positive ' * (self.closed != 'both')}number{example}"
        if self.closed == "neither":
            return f"between {self.low:g} and {self.high:g}{example}"
        below = "below " * (self.closed == "left")
        return f"a number from {self.low:g} to {below}{self.high:g}{example}"


@dataclass(frozen=True)
class Whole(Constraint):
    """An integer; a float such as 1e9, or a Fraction, too, unless the number is a name."""

    least: int = 1
    most: int | None = None
    is_name: bool = field(default=False, kw_only=True)

    def kept(self, value: Any) -> Any:
        """Return a plain integer."""
        is_one = is_whole(value) if self.is_name else is_number(value) or type(value) is Fraction
        if not is_one or value % 1 != 0:  # inf % 1 is NaN
            return self.refused
        number = int(value)
        is_in = number >= self.least and (self.most is None or number <= self.most)
        return number if is_in else self.refused

    @property
    def own_words(self) -> str:
        if self.most is not None:
            return f"an integer from {self.least:,} to {self.most:,}"
        return "a positive integer" if self.least == 1 else f"an integer from {self.least:,}"


@dataclass(frozen=True)
class YesNo(Constraint):
    """True or False."""

    def kept(self, value: Any) -> Any:
        """Return a plain bool."""
        return bool(value) if isinstance(value, (bool, np.bool_)) else self.refused

    @property
    def own_words(self) -> str:
        return "True or False"


@dataclass(frozen=True)
class Text(Constraint):
    """A text, which is not blank unless it may be."""

    may_be_blank: bool = field(default=False, kw_only=True)

    def kept(self, value: Any) -> Any:
        """Return a plain string."""
        is_one = isinstance(value, str) and (self.may_be_blank or value.strip())
        return str.__str__(value) if is_one else self.refused

    @property
    def own_words(self) -> str:
        return "a text"


@dataclass(frozen=True)
class Texts(Text):
    """A text, or a list of some."""

    def kept(self, value: Any) -> Any:
        """Return a plain string, or a tuple of some."""
        if not (isinstance(value, (list, tuple)) and value):
            return super().kept(value)
        kept = tuple(map(super().kept, value))
        return self.refused if self.refused in kept else kept


@dataclass(frozen=True)
class RecordOf(Constraint):
    """An object of a dataclass, or a dict of its fields; None stands for `default`."""

    default: Any

    def kept(self, value: Any) -> Any:
        kind = type(self.default)
        if value is None or isinstance(value, kind):
            return value or self.default
        is_dict = isinstance(value, Mapping) and {*value} <= {x.name for x in fields(kind)}
        return kind(**value) if is_dict else self.refused


@cache
def declared(of: Any) -> dict[str, Constraint]:
    """Return the constraints on the fields of a dataclass, or on the parameters of a function.

    A type that is known to type checkers only says nothing here.
    """
    if isinstance(of, type):
        names = [x.name for x in fields(of) if x.init]
        told = [(vars(sys.modules[x.__module__]), get_annotations(x)) for x in of.__mro__]
    else:
        names = [x.name for x in signature(of).parameters.values() if x.kind != x.VAR_KEYWORD]
        told = [(of.__globals__, of.__annotations__)]
    constraints = {}
    for name in names:
        for space, hints in [x for x in told if name in x[1]][:1]:
            with suppress(NameError):
                one = SimpleNamespace(__annotations__={name: hints[name]})
                hint = get_type_hints(one, space, include_extras=True)[name]
                constraints[name] = _constraint(hint)
    return {name: constraint for name, constraint in constraints.items() if constraint is not None}


def _constraint(hint: Any) -> Constraint | None:
    """Return what a type says about the values that are accepted."""
    extras: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        extras = tuple(more)
    alternatives = get_args(hint) if NoneType in get_args(hint) else (hint,)
    or_none = NoneType in alternatives
    given = next((x for x in extras if isinstance(x, Constraint)), None)
    if given is not None:
        return replace(given, or_none=or_none)
    kinds = [x for x in alternatives if x is not NoneType]
    if len(kinds) != 1:
        return None
    kind = kinds[0]
    if get_origin(kind) is Annotated:
        inner = _constraint(kind)
        return None if inner is None else replace(inner, or_none=or_none)
    if get_origin(kind) is Literal and all(isinstance(x, str) for x in get_args(kind)):
        return OneOf(get_args(kind), or_none=or_none)
    return YesNo(or_none=or_none) if kind is bool else None


def read_fields(of: Any) -> None:
    """Read the fields of a frozen dataclass as they are declared."""
    kind: Any = type(of)
    for name, constraint in declared(kind).items():
        object.__setattr__(of, name, constraint.read(name, getattr(of, name)))


def reads_options(function: _Function) -> _Function:
    """Read the declared options of every call before it begins."""
    parameters = signature(function).parameters
    positional = [name for name, x in parameters.items() if x.kind is x.POSITIONAL_OR_KEYWORD]

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        constraints, given = declared(function), list(arguments)
        for k, name in enumerate(positional[: len(given)]):
            if name in constraints:
                given[k] = constraints[name].read(name, given[k])
        for name in constraints:
            if name in options:
                options[name] = constraints[name].read(name, options[name])
        return function(*given, **options)

    return call  # type: ignore[return-value]


def did_you_mean(option: str, value: object, accepted: Iterable[str]) -> str:
    """Return the guess which accepted value of the option is meant; "" if none is like it."""
    known: dict[str, str | None] = {x.lower(): x for x in accepted}
    others = _CHOICES_ELSEWHERE.get(option, {})
    known = {x: y for x, y in others.items() if y is None or y in known.values()} | known
    word = value.lower() if isinstance(value, str) else ""
    return "".join(f"Did you mean {known[x]!r}?" for x in get_close_matches(word, known, 1))
