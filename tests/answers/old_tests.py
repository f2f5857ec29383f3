"""The old tests that use public names only, and what stands for their helpers that use others.

A test is run on today's package if what it imports itself is public in the old public.txt. Five
helpers reach behind the public names: `PUT` and `STAND_INS` say what replaces them. The list `GONE`
has the tests that fail on purpose, each with its row.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

GONE = Path(__file__).with_name("gone_tests.txt")
OF_FILES = '\n\nplan = publish = verify = neighbour_bounds = "is gone"\n'
"""Names that went, so that files which import them are collected: only tests that use them fail."""
APART = {  # folders of tests that are not of the package, or that have a judge of their own
    "answers": "frozen.py asks these calls",
    "campaigns": "they change the core's constants",
    "space": "the page is not public",
}
READ_METRIC = """
import pairedperm.scoring


def read_metric(name, **options):
    if not isinstance(name, str):
        return name
    kinds = [x for x in vars(pairedperm.scoring).values() if isinstance(x, type)]
    return next(x for x in kinds if getattr(x, "name", "") == name)(**options)
"""
IN_BATCHES = """
class Told(dict):
    def __getattr__(self, name):
        return self[{"pvalue": "p", "statistic": "stat"}.get(name, name)]

    def to_dict(self):
        return dict(self)


def in_batches(*columns, metric="accuracy", size=1, **options):
    return Told(of_module(*columns, metric=metric, size=size, **options))


"""
PUT = {  # whole files
    "tests/results/result_schema.py": '''"""A result is JSON."""

import json

DRAFT = PATH = written = None


def check(kind, found):
    json.dumps(found, allow_nan=False)
''',
    "tests/hf/conftest.py": '''"""How many rows come at once is the package's own affair."""

import pytest


@pytest.fixture(params=["batches", "one batch"])
def batches(request):
    return request.param


@pytest.fixture
def hold():
    return lambda n: None
''',
}
STAND_INS = {  # by file: a pattern, and what replaces it once
    "tests/refusals.py": [
        (
            "from pairedperm import InputError, errors",
            "from pairedperm import BudgetError, InputError",
        ),
        (r"errors\.BudgetError", "BudgetError"),
    ],
    "tests/scoring/contract.py": [
        ("from pairedperm.scoring.metric import read_metric\n", READ_METRIC),
    ],
    "tests/doors.py": [
        ("from pairedperm.hf.accumulator import new_accumulator\n", ""),
        ("from pairedperm.options import read_options\n", ""),
        ("from pairedperm.scoring.metric import read_metric\n", ""),
        (r"(?s)def in_batches.*?(?=def of_module)", IN_BATCHES),
    ],
}


def laid(source: Path, checkout: Path, folder: Path) -> list[str]:
    """Lay the old tests beside today's package in a folder, and return those to run."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("tests", "examples", ".github"):
        shutil.copytree(source / name, folder / name)
    for name in ("README.md", "pyproject.toml", "LICENSE"):
        shutil.copy(source / name, folder / name)
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("pairedperm", "metrics"):
        shutil.copytree(checkout / name, folder / name, ignore=ignored)
    with (folder / "pairedperm" / "__init__.py").open("a", encoding="utf-8") as root:
        root.write(OF_FILES)
    for name, text in PUT.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, several in STAND_INS.items():
        text = (folder / name).read_text(encoding="utf-8")
        for pattern, new in several:
            text, n = re.subn(pattern, lambda _, new=new: new, text, count=1)  # type: ignore[misc]
            if n != 1:
                raise LookupError(f"{name} of the old tests has no {pattern!r}")
        (folder / name).write_text(text, encoding="utf-8")
    return [x.relative_to(folder).as_posix() for x in chosen(folder)]


def chosen(folder: Path) -> Iterator[Path]:
    """Tests in folders that import public names only."""
    tests = folder / "tests"
    lines = (source_of(tests / "public.txt")).splitlines()
    public = {m[0] for m in map(re.compile(r"pairedperm[\w.]*").match, lines) if m}
    public |= {"pairedperm", "pairedperm.__main__.main"}
    for path in sorted(tests.glob("*/**/test_*.py")):
        if path.relative_to(tests).parts[0] not in APART:
            names = {x for x in imported(path) if x.split(".")[0] == "pairedperm"}
            if names <= public:
                yield path


def imported(path: Path) -> Iterator[str]:
    """Return the dotted names of what a file imports."""
    for node in ast.walk(ast.parse(source_of(path))):
        if isinstance(node, ast.Import):
            yield from (x.name for x in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{x.name}" for x in node.names)


def source_of(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text(encoding="utf-8")


def gone() -> list[str]:
    """Return the tests, or files, that fail on purpose; a line has one of them, and the row."""
    lines = source_of(GONE).splitlines()
    rows = [re.fullmatch(r"(.+?) \d+: .+", line) for line in lines if not line.startswith("#")]
    return [row[1] for row in rows if row is not None]
