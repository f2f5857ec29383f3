"""An option of a command: one that takes one value is given once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from pairedperm.errors import first_of, shown

Command = Callable[..., Any]


def option(*names: str, **attributes: Any) -> Callable[[Command], Command]:
    """Return a decorator that gives a command an option, as `click.option` does."""
    return click.option(*names, cls=_Once, **attributes)


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
