"""The house: which rooms there are, and that imports go only downwards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from pairedperm.scoring.metric import METRICS
from trees import sources_of, tree_of

ROOT = "pairedperm"
STOREYS = (  # from the ground up; those of one storey do not import each other
    {"errors"},
    {"options"},
    {"inputs", "convolution"},
    {"scoring"},
    {"population"},
    {"results"},
    {"nulls"},
    {"comparison"},
    {"readers", "hf"},
    {"model_card", "plots"},
    {"commands"},
    {"plugins"},
    {"__main__"},
)
HEIGHTS = {entry: height for height, storey in enumerate(STOREYS) for entry in storey}
CORE = "convolution"
HUGGING_FACE = {"datasets", "evaluate", "huggingface_hub", "tokenizers", "transformers"}
FOREIGN_WORDS = {"label", "labels", "metric", "metrics"}

Sources = Mapping[str, str]  # by path in the package


@dataclass(frozen=True)
class Import:
    """A file names a module, and perhaps what it takes from it."""

    path: str
    line: int
    module: str
    name: str
    is_of_types_alone: bool

    @property
    def where(self) -> str:
        return f"{self.path}:{self.line}"


def module_of(path: str) -> str:
    """`a/b.py` is ROOT.a.b, and `a/__init__.py` ROOT.a."""
    return ".".join([ROOT, *path.removesuffix(".py").split("/")]).removesuffix(".__init__")


def entry_of(module: str) -> str:
    """The room, or file, of the package that a module is in; "" for the package itself."""
    return module.split(".")[1] if "." in module else ""


@cache
def imports_of(path: str, text: str) -> list[Import]:
    """All imports at any depth, relative ones resolved."""
    return list(_imports(tree_of(text), path, of_types=False))


def _imports(node: ast.AST, path: str, *, of_types: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(path, node.lineno, alias.name, "", of_types)
    elif isinstance(node, ast.ImportFrom):
        package = [ROOT, *path.split("/")[:-1]]
        base = package[: len(package) - node.level + 1] if node.level else []
        module = ".".join([*base, *([node.module] if node.module else [])])
        for alias in node.names:
            yield Import(path, node.lineno, module, alias.name, of_types)
    elif isinstance(node, ast.If) and re.fullmatch(
        r"(\w+\.)?TYPE_CHECKING", ast.unparse(node.test)
    ):
        for child in node.body:
            yield from _imports(child, path, of_types=True)
        for child in node.orelse:
            yield from _imports(child, path, of_types=of_types)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _imports(child, path, of_types=of_types)


def own_imports(sources: Sources) -> list[tuple[Import, str]]:
    """The imports of the package's own modules, each with the module that it is of."""
    modules = {*map(module_of, sources)}
    found = []
    for path, text in sources.items():
        for x in imports_of(path, text):
            if x.module.split(".")[0] == ROOT:
                submodule = f"{x.module}.{x.name}"
                found.append((x, submodule if submodule in modules else x.module))
    return found


def strangers(sources: Sources) -> list[str]:
    """Entries of the package that are not in the list, or that it lacks."""
    entries = {path.split("/")[0].removesuffix(".py") for path in sources} - {"__init__"}
    return sorted(entries ^ set(HEIGHTS))


def climbing(sources: Sources) -> list[str]:
    """Imports of what stands above, or beside on the same storey."""
    found = []
    for x, module in own_imports(sources):
        here, there = entry_of(module_of(x.path)), entry_of(module)
        if here and there and here != there and HEIGHTS[here] <= HEIGHTS[there]:
            found.append(f"{x.where} imports {module}")
    return found


def from_the_root(sources: Sources) -> list[str]:
    """Imports from the package's root, which __main__ alone may."""
    return [
        f"{x.where} imports {x.name or ROOT} from the root"
        for x, module in own_imports(sources)
        if module == ROOT and entry_of(module_of(x.path)) not in ("", "__main__")
    ]


def cycle(sources: Sources) -> list[str]:
    """Files that import each other, also inside functions, the first again as the last."""
    graph: dict[str, set[str]] = {module_of(path): set() for path in sources}
    for x, module in own_imports(sources):
        if not x.is_of_types_alone:
            graph[module_of(x.path)].add(module)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def foreign_to_the_core(sources: Sources) -> list[str]:
    """Names of metrics, labels and of Hugging Face in the core's code."""
    found = []
    for path, text in sources.items():
        if entry_of(module_of(path)) != CORE:
            continue
        found += [
            f"{x.where} imports {x.module}"
            for x in imports_of(path, text)
            if x.module.split(".")[0] in HUGGING_FACE
        ]
        for line, name in _names(tree_of(text)):
            words = set(re.findall(r"[A-Z]?[a-z]+", name))
            if name in METRICS or FOREIGN_WORDS & {word.lower() for word in words}:
                found.append(f"{path}:{line} names {name}")
    return found


def _names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Identifiers and strings of one word: no docstrings, whose words are mathematics."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for field in ("id", "attr", "arg", "name", "asname"):
            if isinstance(name := getattr(node, field, None), str):
                yield line, name
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and text.isidentifier():
            yield line, text


def unexplained(sources: Sources) -> list[str]:
    """Numbers with a name that do not say whether a proof depends on them, or only speed."""
    found = []
    for path, text in sources.items():
        lines = text.splitlines()
        for node in tree_of(text).body:
            value = getattr(node, "value", None)
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and value and _is_numeric(value):
                written = " ".join(lines[node.lineno - 1 : node.end_lineno])
                if not re.search(r"# (proof|tuned): \S", written):
                    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                    found.append(f"{path}:{node.lineno} {ast.unparse(target)}")
    return found


def _is_numeric(value: ast.expr) -> bool:
    """Written in numbers: alone, several together, or given to a function of math."""
    if isinstance(value, (ast.Tuple, ast.List, ast.Dict)):
        elements = value.values if isinstance(value, ast.Dict) else value.elts
        return bool(elements) and all(map(_is_numeric, elements))
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).startswith("math.") and all(map(_is_numeric, value.args))
    if isinstance(value, ast.BinOp):
        return _is_numeric(value.left) or _is_numeric(value.right)
    if isinstance(value, ast.UnaryOp):
        return _is_numeric(value.operand)
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


RULES = (strangers, climbing, from_the_root, cycle, foreign_to_the_core, unexplained)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_house(rule):
    assert rule(sources_of()) == []
