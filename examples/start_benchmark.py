"""Time what people wait for before the first line: an import, a call and a command, by process.

Every process starts anew, with a compiled copy of the package such as an installation makes. The
ratio is to a process that imports numpy alone.

    python examples/start_benchmark.py [--quick] [--seed SEED] [--json FILE]
"""

from __future__ import annotations

import compileall
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from timing import Cell, Table, in_turn, ratio, run

import pairedperm

LABELS, LOGGED, ROUNDS = 240, 200, 15
NUMPY = "`import numpy`"
COMPARE = "from pairedperm import compare\nprint(compare(one, two, right))"
COMMAND = ("-m", "pairedperm")


def labels(rng: np.random.Generator) -> str:
    """Return code that names two systems' labels and the right ones; most agree."""
    right = rng.integers(0, 3, LABELS)
    systems = (np.where(rng.random(LABELS) < share, right, (right + 1) % 3) for share in (0.8, 0.7))
    one, two = (system.tolist() for system in systems)
    return f"one, two, right = {one}, {two}, {right.tolist()}\n"


def logs(folder: Path, rng: np.random.Generator) -> list[str]:
    """Write two small logs of scores 0 and 1, and return their names."""
    names = ["one.jsonl", "two.jsonl"]
    for name, share in zip(names, (0.8, 0.7), strict=True):
        scores = (rng.random(LOGGED) < share).astype(int).tolist()
        rows = (json.dumps({"id": number, "score": x}) for number, x in enumerate(scores))
        (folder / name).write_text("\n".join(rows), encoding="utf-8")
    return names


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield the table of times."""
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(Path(pairedperm.__file__).parent, folder / "pairedperm")
        compileall.compile_dir(folder / "pairedperm", quiet=1)
        commands = {
            NUMPY: ("-c", "import numpy"),
            "`import pairedperm`": ("-c", "import pairedperm"),
            f"`compare` of {LABELS} labels, printed": ("-c", labels(rng) + COMPARE),
            f"`pairedperm compare` of two logs of {LOGGED}": (
                *COMMAND,
                "compare",
                *logs(folder, rng),
            ),
            "`pairedperm --help`": (*COMMAND, "--help"),
        }
        started = partial(
            subprocess.run,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": name},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        calls: dict[str, Callable[[], object]] = {
            what: partial(started, [sys.executable, *command]) for what, command in commands.items()
        }
        times = in_turn(calls, 1 if quick else ROUNDS)
    columns = {"a new process": "", "time": "s", "beside numpy": "x"}
    rows: list[list[Cell]] = [[x, median(times[x]), ratio(times, x, NUMPY)] for x in commands]
    yield Table("start", columns, rows)


if __name__ == "__main__":
    run(tables, __doc__)
