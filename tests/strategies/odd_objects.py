"""Objects that people rarely pass: what the sources of hostile values are written with."""

import enum
from functools import reduce
from pathlib import Path
from types import SimpleNamespace
from typing import Any

Int, Float, Str, List = (type(x.__name__.title(), (x,), {}) for x in (int, float, str, list))
Word = enum.Enum("Word", {"A": "a"}, type=str)
Digit = enum.IntEnum("Digit", {"ONE": 1})


class HostileError(Exception):
    """What a hostile object raises: it may pass through, since it is the caller's own."""


def raises(*_, **__):
    raise HostileError("of the caller's own")


def odd(inside=0, **methods):
    """An object around `inside` whose special methods give these values, or are `raises`."""
    body: dict[str, Any] = {"__repr__": lambda _: f"<odd {inside!r}>"}
    if hasattr(inside, "__len__"):
        body |= {"__len__": lambda _: len(inside), "__getitem__": lambda _, k: inside[k]}
        body |= {"__iter__": lambda _: iter(inside)}
    for name, value in methods.items():
        body[f"__{name}__"] = value if value is raises else lambda *_, x=value, **__: x
    return type("Odd", (), body)()


def recursive():
    """A list that holds itself."""
    found: list[Any] = [1]
    found.append(found)
    return found


def deep():
    """A list in a list, and so on."""
    start: Any = []
    return reduce(lambda inside, _: [inside], range(3000), start)


class Pipeline:
    """What looks like a pipeline of transformers, and gives these outputs."""

    def __init__(self, outputs, task="text-classification", labels=("neg", "pos")):
        self.task, self.outputs = task, list(outputs)
        id2label = dict(enumerate(labels)) if isinstance(labels, list | tuple) else labels
        self.model = SimpleNamespace(config=SimpleNamespace(id2label=id2label))

    def __call__(self, inputs, **_):
        given = zip(inputs, self.outputs, strict=False)
        return (raises() if isinstance(y, str) and y == "raise" else y for _, y in given)


def labelled(*labels):
    """The outputs of a pipeline that classifies texts."""
    return [{"label": label, "score": 0.5} for label in labels]


def file(content, ending="txt"):
    """The name of a new file with these bytes, in the current directory, a temporary one."""
    path = Path(f"file{len(list(Path.cwd().iterdir()))}.{ending}")
    path.write_bytes(content)
    return str(path)


def card(content):
    """The name of a new folder with a card of these bytes."""
    folder = Path(f"card{len(list(Path.cwd().iterdir()))}")
    folder.mkdir()
    (folder / "README.md").write_bytes(content)
    return str(folder)
