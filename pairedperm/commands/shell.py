"""Who reads a message in a shell: arguments are options of a command, `-o` of a metric."""

from __future__ import annotations

from collections.abc import Iterable

from pairedperm.errors.wording import Part, Python, Reader
from pairedperm.scoring.call_options import metric_options

_OTHERS = {  # arguments that have another name on the command line
    "rng": "seed",
    "path": "card",
    "groups": "group",
}
_WORDS = {"pilot": "the pilot"}


class Shell(Reader):
    """The reader of a command's messages, who can give its options and those of metrics."""

    def __init__(self, options: Iterable[str]) -> None:
        flags = {name: f"--{name.replace('_', '-')}" for name in options}
        flags |= {x: flags[y] for x, y in _OTHERS.items() if x not in flags and y in flags}
        of_metrics = {name: f"-o {name}" for name in metric_options() if name not in flags}
        self._flags = flags | of_metrics

    def name(self, argument: str) -> str:
        """See `Reader`."""
        if argument in self._flags:
            return f"`{self._flags[argument]}`"
        return _WORDS.get(argument) or _OTHERS.get(argument) or super().name(argument)

    def has(self, option: str) -> bool:
        """See `Reader`."""
        return option in self._flags

    def setting(self, option: str, value: str) -> str:
        """See `Reader`."""
        if not value:
            return self.name(option)
        if option == "lower_is_better":
            return "--lower-is-better" if value == "True" else "--higher-is-better"
        plain = value[1:-1] if value[:1] == value[-1:] == "'" and " " not in value else value
        flag = self._flags[option]
        return f"{flag}{'=' if flag.startswith('-o') else ' '}{plain}"

    def python(self, part: Python) -> str | Part:
        """See `Reader`."""
        return part.elsewhere
