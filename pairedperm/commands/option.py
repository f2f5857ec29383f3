"""The flags of a command: declared once, read into a typed record, and named in messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from inspect import signature
from typing import Any, TypeVar, get_type_hints

import click

from pairedperm.errors import MessagePart, Python, Reader, first_of, shown
from pairedperm.options import (
    Interval,
    OneOf,
    Options,
    Text,
    Whole,
    YesNo,
    declared,
    did_you_mean,
)
from pairedperm.scoring.metric import metric_options

_Record = TypeVar("_Record", bound="Flags")
_TYPES = {Whole: int, Interval: float, Text: str}
_OTHER_NAMES = {  # arguments that have another name on the command line
    "rng": "seed",
    "path": "card",
    "groups": "group",
    "name1": "name",
    "name2": "name",
}


@dataclass(frozen=True, kw_only=True)
class Flags:
    """What a command was given: a field is declared by its option, or is a record itself.

    seed: int = option("--seed", default=0)
    """

    @classmethod
    def parameters(cls) -> Iterator[click.Parameter]:
        """Yield the parameters of click that are these flags, in their order."""
        kinds = get_type_hints(cls)
        for x in fields(cls):
            if "parameter" in x.metadata:
                yield x.metadata["parameter"]
            elif hasattr(kinds[x.name], "parameters"):
                yield from kinds[x.name].parameters()

    @classmethod
    def of(cls: type[_Record], given: Mapping[str, Any]) -> _Record:
        """Make the record of the values that click has read; another record makes itself."""
        records = {x: kind for x, kind in get_type_hints(cls).items() if hasattr(kind, "of")}
        values = {x.name: given[x.name] for x in fields(cls) if x.name in given}
        return cls(**values, **{x: kind.of(given) for x, kind in records.items()})


LOG = click.Path(readable=False)  # of logs, or their URL: its reader says what is wrong


def argument(name: str, **attributes: Any) -> Any:
    """Return a field of `Flags` that is an argument of a command, as of `click.Argument`."""
    return field(metadata={"parameter": click.Argument([name], **attributes)})


def option(*names: str, **attributes: Any) -> Any:
    """Return a field of `Flags` that is an option of a command, as of `click.Option`."""
    return field(metadata={"parameter": _Once(names, **attributes)})


def declared_option(of: Any, name: str, *short: str, **attributes: Any) -> Any:
    """Return the field of an option that a function or a class declares: its type and default."""
    constraint = declared(getattr(of, "__wrapped__", of))[name]
    default = signature(of).parameters[name].default
    given: dict[str, Any] = {"default": default, "show_default": default not in (None, False)}
    if isinstance(constraint, OneOf):
        given["type"] = HintedChoice(constraint.choices)
        if constraint.or_none and default is not None:
            given["type"] = HintedChoice([*constraint.choices, "none"])
            given["callback"] = lambda _, __, word: None if word == "none" else word
    elif isinstance(constraint, YesNo):
        given["is_flag"] = True
    else:
        given["type"] = next(x for kind, x in _TYPES.items() if isinstance(constraint, kind))
    return option(*short, f"--{name.replace('_', '-')}", **given | attributes)


def constant_option() -> Any:
    """Return the field of the option that says that a constant column is a system."""
    words = "With system: a log whose scores are all one number is that of a system."
    return declared_option(Options, "constant", help=words)


def largest_group_option() -> Any:
    """Return the field of the largest size that a group may have."""
    words = "The largest size that a group may have, fixed beforehand: the interval is guaranteed."
    return declared_option(Options, "largest_group", metavar="N", help=words)


class HintedChoice(click.Choice):  # type: ignore[type-arg]  # older versions of click take no type
    """A choice whose error says what may be meant."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the chosen word."""
        try:
            return super().convert(value, param, ctx)
        except click.UsageError as error:
            hint = did_you_mean(str(param.name), value, self.choices)
            raise click.BadParameter(
                f"{error.message.rstrip('.')}.{hint and f' {hint}'}", ctx, param
            ) from None


class _Once(click.Option):
    """An option that is refused if it is given again; click would take the last value."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let click's parser keep every value that is given."""
        is_multiple, self.multiple = self.multiple, True
        super().add_to_parser(parser, ctx)
        self.multiple = is_multiple

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the one value.

        Raises
        ------
        click.UsageError
            If there are several, and the option takes one.
        """
        name = str(self.name)
        if self.multiple or not opts.get(name):
            return super().consume_value(ctx, opts)
        values = opts[name]
        if len(values) > 1:
            given = self._shown(values)
            name = "/".join(dict.fromkeys(given)) if self.is_flag else self.opts[0]
            raise click.UsageError(
                f"`{name}` is given {len(values)} times: {first_of(given)}. Give one, or run the "
                "command once for each."
            )
        return super().consume_value(ctx, {**opts, name: values[0]})

    def _shown(self, values: list[Any]) -> list[str]:
        if not self.is_flag:
            return [*map(shown, values)]
        return [self.opts[-1] if value else self.secondary_opts[-1] for value in values]


class Shell(Reader):
    """The reader of a command's messages: arguments are its flags, or `-o` of a metric."""

    def __init__(self, options: Iterable[str]) -> None:
        flags = {name: f"--{name.replace('_', '-')}" for name in options}
        flags |= {x: flags[y] for x, y in _OTHER_NAMES.items() if x not in flags and y in flags}
        of_metrics = {name: f"-o {name}" for name in metric_options() if name not in flags}
        self._flags = flags | of_metrics

    def name(self, argument: str) -> str:
        if argument in self._flags:
            return f"`{self._flags[argument]}`"
        if argument == "pilot":
            return "the pilot"
        return _OTHER_NAMES.get(argument) or super().name(argument)

    def has(self, option: str) -> bool:
        return option in self._flags

    def setting(self, option: str, value: str) -> str:
        if not value:
            return self.name(option)
        if option == "lower_is_better":
            return "--lower-is-better" if value == "True" else "--higher-is-better"
        plain = value[1:-1] if value[:1] == value[-1:] == "'" and " " not in value else value
        if value[:1] == "(":  # which a shell would read
            plain = f"[{value[1:-1].replace(' ', '')}]"
        flag = self._flags[option]
        if value == "True" and not flag.startswith("-o"):
            return flag
        return f"{flag}{'=' if flag.startswith('-o') else ' '}{plain}"

    def python(self, part: Python) -> str | MessagePart:
        return part.elsewhere
