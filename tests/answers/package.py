"""The public names of the package that runs: one that is gone is told where a call uses it.

The calls are those of the frozen package, and the package of today runs them too. A name that it
has no more must not stop the calls of other names, so these are taken from here.
"""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

import pairedperm

ROOMS = ("aggregators", "hf", "model_card", "plots", "readers", "scoring")


class GoneError(AttributeError):
    """A name of the frozen package is used that this one has not."""


class Gone:
    """Stands for a name that is gone, and fails when it is used."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *_: object, **__: object) -> Any:
        raise GoneError(f"{self.name} is gone")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Gone(f"{self.name}.{name}")


class Room:
    """The names of a public module, each a `Gone` if it is not there."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        with contextlib.suppress(ImportError):
            importlib.import_module(f"{pairedperm.__name__}.{self._name}")
        return _named(getattr(pairedperm, self._name, None), f"{self._name}.{name}")


def _named(owner: Any, path: str) -> Any:
    return getattr(owner, path.rpartition(".")[2], Gone(f"{pairedperm.__name__}.{path}"))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # of the module itself, for the machinery of imports
        raise AttributeError(name)
    return Room(name) if name in ROOMS else _named(pairedperm, name)
