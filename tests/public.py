"""Write the list of what is public: names, signatures, keys of results, flags, documented paths.

    python tests/public.py

A change of the list is a line in the changelog. The package is that of the environment.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pairedperm.scoring import Metric

CHECKOUT = Path(__file__).resolve().parents[1]
LIST = CHECKOUT / "tests" / "public.txt"
ROOMS = ("", "aggregators", "hf", "model_card", "plots", "readers", "scoring")
DOCUMENTS = ("README.md", "examples/**/*.md", "metrics/**/*.md", ".github/*.md")
A, B, RIGHT = [1, 1, 0, 1, 0, 1], [0, 1, 0, 0, 0, 1], [1, 1, 0, 1, 0, 0]


def names_of(module: Any) -> list[str]:
    """What a module shows: its `__all__`, or the public things that the package defines."""
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    return sorted(
        name
        for name, x in vars(module).items()
        if not name.startswith("_") and getattr(x, "__module__", "").startswith(module.__name__)
    )


def documented() -> Iterator[str]:
    """Dotted paths of the package in README, guides and cards."""
    for pattern in DOCUMENTS:
        for path in CHECKOUT.glob(pattern):
            text = path.read_text(encoding="utf-8")
            yield from re.findall(r"(?<![\w./-])pairedperm(?:\.[A-Za-z_]\w*)+(?![\w/-]|\.\w)", text)
            for module, names in re.findall(r"from (pairedperm[\w.]*) import ([\w, ]+)", text):
                yield from (f"{module}.{name.split()[0]}" for name in names.split(","))


def found(path: str) -> Any:
    """The object of a dotted path."""
    parts = path.split(".")
    for k in range(len(parts), 0, -1):
        try:
            x = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for name in parts[k:]:
            x = getattr(x, name)
        return x
    raise ModuleNotFoundError(path)


def signature(x: Any) -> str:
    """Names, kinds and defaults; of types a type checker asks."""
    try:
        whole = inspect.signature(x)
    except (TypeError, ValueError):
        return ""
    parameters = [p.replace(annotation=p.empty) for p in whole.parameters.values()]
    parameters = [
        p if isinstance(p.default, (type(None), bool, int, float, str, type)) else _shortened(p)
        for p in parameters
    ]
    return str(whole.replace(parameters=parameters, return_annotation=whole.empty))


def _shortened(parameter: inspect.Parameter) -> inspect.Parameter:
    return parameter.replace(default=...)


def members(path: str, kind: type) -> Iterator[str]:
    """Fields, properties and methods of a class that the package defines."""
    own = [x for x in kind.__mro__ if x.__module__.split(".")[0] == "pairedperm"]
    fields = {name for x in own for name in getattr(x, "__annotations__", {})}
    for name in sorted({name for x in own for name in vars(x)} | fields):
        if not name.startswith("_"):
            x = inspect.getattr_static(kind, name, None)
            x = getattr(x, "__func__", x)
            yield f"{path}.{name}{signature(x) if inspect.isfunction(x) else ''}"


def names() -> Iterator[str]:
    """Every public name, with its signature and members."""
    paths = {*documented()}
    for room in ROOMS:
        path = f"pairedperm.{room}".rstrip(".")
        paths |= {f"{path}.{name}" for name in names_of(found(path))}
    for path in sorted(paths):
        x = found(path)
        is_made = getattr(x, "__module__", "").startswith("pairedperm.results")  # by the package
        yield path + (signature(x) if callable(x) and not is_made else "")
        if inspect.isclass(x) and (x is Metric or not issubclass(x, Metric)):  # their options
            yield from members(path, x)


def keys(x: Any, path: str) -> Iterator[str]:
    """The keys of a dict, and those of the dicts in it."""
    if isinstance(x, list) and x and isinstance(x[0], dict):
        yield from keys(x[0], f"{path}[]")
    elif isinstance(x, dict):
        for key, value in x.items():
            yield f"{path}[{key!r}]"
            yield from keys(value, f"{path}[{key!r}]")


def results() -> Iterator[tuple[str, Any]]:
    """A result of each kind, by the call that made it."""
    import pairedperm as p

    found = p.compare(A, B, RIGHT, confidence_level=0.9)
    yield "compare", found.to_dict()
    yield "compare test='bootstrap'", p.compare(A, B, RIGHT, test="bootstrap", rng=0).to_dict()
    yield "compare_many", p.compare_many({"a": A, "b": B}, RIGHT).to_dict()
    boards = {"t": ({"a": A, "b": B}, RIGHT), "u": ({"a": A, "b": B}, RIGHT)}
    yield "compare_suites", p.compare_suites(boards).to_dict()
    yield "compare_suite", p.compare_suite({"t": (A, B, RIGHT), "u": (A, B, RIGHT)}).to_dict()
    yield "equivalence_test", p.equivalence_test(p.compare(A, B, RIGHT), margin=0.1).to_dict()
    yield "gate", p.gate(found, margin=0.1).to_dict()
    yield "power", p.power((0.2, 0.1), 50).to_dict()
    yield "examples_needed", p.examples_needed((0.2, 0.1)).to_dict()
    yield "minimum_detectable_difference", p.minimum_detectable_difference((0.1, 0.2), 90).to_dict()
    yield "pvalue_bounds", p.pvalue_bounds(5, 3, 8).to_dict()
    yield "PairedCounts.to_json", json.loads(p.paired_counts(A, B, RIGHT).to_json())


def flags() -> Iterator[str]:
    """The commands with their arguments and options."""
    from pairedperm.commands.app import cli

    for name, command in sorted(cli.commands.items()):
        for parameter in command.params:
            yield f"$ pairedperm {name} {' '.join([*parameter.opts, *parameter.secondary_opts])}"


def listed() -> str:
    """The whole list, a thing a line."""
    lines = [*names(), *(line for name, x in results() for line in keys(x, name)), *flags()]
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    LIST.write_text(listed(), encoding="utf-8")
