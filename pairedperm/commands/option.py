"""An option of a command: it follows from a declaration, and is given once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

import click

from pairedperm.errors.wording import first_of, shown
from pairedperm.options.constraints import (
    Interval,
    OneOf,
    Text,
    Whole,
    YesNo,
    declared,
    did_you_mean,
)

Command = Callable[..., Any]
_TYPES = {Whole: int, Interval: float, Text: str}


def option(*names: str, **attributes: Any) -> Callable[[Command], Command]:
    """Return a decorator that gives a command an option, as `click.option` does."""
    return click.option(*names, cls=_Once, **attributes)


def declared_option(
    of: Any, name: str, *short: str, **attributes: Any
) -> Callable[[Command], Command]:
    """Return the option of this name that a function or a class declares: its type and default."""
    constraint = declared(getattr(of, "__wrapped__", of))[name]
    default = signature(of).parameters[name].default
    given: dict[str, Any] = {"default": default, "show_default": default not in (None, False)}
    if isinstance(constraint, OneOf):
        nothing = ["none"] * (constraint.or_none and default is not None)
        given["type"] = Choice([*constraint.choices, *nothing])
    elif isinstance(constraint, YesNo):
        given["is_flag"] = True
    else:
        given["type"] = next(x for kind, x in _TYPES.items() if isinstance(constraint, kind))
    return option(*short, f"--{name.replace('_', '-')}", **given | attributes)


class Choice(click.Choice):  # type: ignore[type-arg]  # older versions of click take no type
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
