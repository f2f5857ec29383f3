"""Messages of the package, rewritten in the words of a shell."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pairedperm.scoring.metric import metric_options

_OTHERS = {  # arguments that have another name on the command line
    "rng": "seed",
    "path": "card",
    "pilot": "the pilot",
}
_TYPES = r" \((?:int|float|str|bool|list|tuple|dict|NoneType)\)"  # the type of what arrived
_OBJECT = ", or an object such as pairedperm.scoring.F1(average='macro')"
_SHARES = "pilot=(0.06, 0.03)"


def as_flags(message: str, names: Iterable[str] = ()) -> str:
    """Return a message with the options of a command and of metrics as a shell has them."""
    flags = {name: f"--{name.replace('_', '-')}" for name in names}
    flags |= {name: f"-o {name}" for name in metric_options() if name not in flags}
    flags |= {x: f"--{y}" if y in flags else y for x, y in _OTHERS.items() if x not in flags}
    text = message.replace(_OBJECT, "").replace(_SHARES, "--wins 0.06 --losses 0.03")
    text = re.sub(_TYPES, "", text)
    words = "|".join(map(re.escape, flags))

    def assigned(found: re.Match[str]) -> str:
        name, quoted, other = found.groups()
        if name == "lower_is_better":
            return "--higher-is-better" if other == "False" else "--lower-is-better"
        value = other if quoted is None else f"'{quoted}'" if " " in quoted else quoted
        return f"{flags[name]}{'=' if flags[name].startswith('-o') else ' '}{value}"

    text = re.sub(rf"(?<![\w/=.])({words})=(?:'([^']*)'|(\S+?))(?=[\s,.;:?)]|$)", assigned, text)
    return re.sub(rf"`({words})`", lambda found: _named(flags[found[1]]), text)


def _named(flag: str) -> str:
    return f"`{flag}`" if flag.startswith("-") else flag
