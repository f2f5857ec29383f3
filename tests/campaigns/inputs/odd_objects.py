"""Objects that calls are made of and people rarely pass: what hostile sources are written with."""

import enum
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np


class HostileError(Exception):
    """What a hostile object raises: it may pass through, since it is the caller's own."""


class Int(int):
    """An integer of a subclass."""


class Str(str):
    """A text of a subclass."""

    __slots__ = ()


class Float(float):
    """A float of a subclass."""


class List(list):
    """A list of a subclass."""


class Word(str, enum.Enum):
    """Texts that are members of an Enum."""

    A = "a"


class Digit(enum.IntEnum):
    """Integers that are members of an Enum."""

    ONE = 1


class _Number:
    def __init__(self, inside):
        self.inside = inside

    def __repr__(self):  # without an address: a text made of it is the same each time
        return f"<odd {self.inside!r}>"


class _Sequence(_Number):
    def __len__(self):
        return len(self.inside)

    def __getitem__(self, index):
        return self.inside[index]

    def __iter__(self):
        return iter(self.inside)


def odd(inside=0, **methods):
    """An object around `inside` whose special methods return these values, or "raise"."""
    body = {f"__{name}__": _method(name, value) for name, value in methods.items()}
    base = _Sequence if hasattr(inside, "__len__") else _Number
    return type("Odd", (base,), body)(inside)


def _method(name, value):
    def method(self, *arguments, **options):
        if isinstance(value, str) and value == "raise":
            raise HostileError(f"{name} of a hostile object")
        return value

    return method


def recursive():
    """A list that holds itself."""
    found: list[Any] = [1]
    found.append(found)
    return found


def deep(n=3000):
    """A list in a list, and so on."""
    found: list[Any] = [1]
    for _ in range(n):
        found = [found]
    return found


# Scores: functions of the sums


def first(sums):
    return sums[..., 0] if sums.ndim > 1 else sums


def quotient(sums):
    with np.errstate(all="ignore"):
        return np.where(sums[..., 1] != 0, sums[..., 0] / sums[..., 1], 0.0)


def largest(sums):
    return sums.max(axis=-1)


def raises(sums):
    raise HostileError("of the caller's function")


def divides_by_zero(sums):
    return 1 // 0


def not_a_number(sums):
    return first(sums) * float("nan")


def infinite(sums):
    return np.log(first(sums) * 0)


def scalar(sums):
    return 1.0


def none(sums):
    return None


def texts(sums):
    return np.array(["a"] * len(sums))


def complex_numbers(sums):
    return first(sums) + 1j


def too_many(sums):
    return np.concatenate((first(sums), first(sums)))


def mutates(sums):
    sums += 1.0
    return first(sums)


def unsteady(sums):
    """Another score each time."""
    return first(sums) + np.random.default_rng().random()


def warns(sums):
    warnings.warn("of the caller's function", stacklevel=1)
    return first(sums)


def of_the_batch(sums):
    return first(sums) - np.mean(first(sums))


def ragged(sums):
    return [[1.0], [1.0, 2.0]]


# Pipelines


class Pipeline:
    """What looks like a pipeline of transformers, and gives these outputs."""

    def __init__(self, outputs, task="text-classification", labels=("neg", "pos"), **config):
        self.task, self.outputs = task, outputs
        id2label = dict(enumerate(labels)) if isinstance(labels, (list, tuple)) else labels
        self.model = SimpleNamespace(config=SimpleNamespace(id2label=id2label, **config))

    def __call__(self, inputs, **options):
        for _, output in zip(inputs, self.outputs, strict=False):
            if output == "raise":
                raise HostileError("of a pipeline")
            yield output


def labelled(*labels):
    """The outputs of a pipeline that classifies texts."""
    return [{"label": label, "score": 0.5} for label in labels]


# Files: in the current directory, which is a temporary one


def file(content, name="file", ending="txt"):
    """The name of a new file with these bytes."""
    folder = Path.cwd()
    number = len(list(folder.iterdir()))
    path = Path(f"{name}{number}.{ending}")
    path.write_bytes(content)
    return str(path)


def card(content, **others):
    """A new folder with a card of these bytes, and files of `.eval_results`."""
    folder = Path(f"card{len(list(Path.cwd().iterdir()))}")
    folder.mkdir()
    (folder / "README.md").write_bytes(content)
    for name, text in others.items():
        (folder / ".eval_results").mkdir(exist_ok=True)
        (folder / ".eval_results" / f"{name}.yaml").write_bytes(text)
    return str(folder)
