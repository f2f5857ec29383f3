"""What commands print, each on small logs, as a transcript.

`words.txt` has the commands, as lines of a shell: to ask another one, write such a line, and run
`python tests/snapshots.py commands`, which writes what is below each.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pairedperm
from commands.files import (
    PAIR,
    SECONDS,
    SOME,
    TABLES,
    TASKS,
    run,
    write_runs,
    write_table,
    write_tasks,
)
from corpora.logs import lm_eval_groups, lm_eval_log
from folders import inside
from snapshots import stored_of

PROMPT = "$ "
LEADS = {"one": [1] * 50 + [0] * 10, "two": [1] * 44 + [0] * 16}
LONG = "leaderboard_bbh_logical_deduction_{}_objects"
SETTINGS = {"COLUMNS": "80"}
_LOG: Any = lm_eval_log
_GROUPS: Any = lm_eval_groups


@cache
def made() -> tempfile.TemporaryDirectory[str]:
    """A folder of logs, made once; no command writes there."""
    folder = tempfile.TemporaryDirectory()
    with in_shell(folder.name):
        for name, columns in TABLES.items():
            write_table(name, columns)
        write_runs()
        write_tasks(TASKS)
        write_tasks(PAIR, "zeal", root="zeal")
        write_tasks(PAIR, root="units")
        write_tasks({"d": SECONDS}, "server/latency", root="units")
        write_tasks({LONG.format(x): LEADS for x in ("five", "seven")}, root="long")
        write_tasks(SOME, root="some")
        write_tasks({"a": {"x": [1, 0], "y": [0, 1]}, "b": {"x": [1, 1], "z": [0, 1]}}, root="each")
        write_tasks(dict.fromkeys(("one", "three"), TASKS["a"]), "acc7", root="left")
        write_tasks({"two": dict.fromkeys(TASKS["a"], [[]] * 6)}, "metrics", root="left")
        write_tasks(dict.fromkeys(("five", "four"), TASKS["a"]), root="left")
        write_tasks(SOME, root="documents")
        for k, path in enumerate(sorted(Path("documents").rglob("samples_a_*"))):
            path.write_text(path.read_text("utf-8").replace('"doc": ', f'"doc": {k}.'), "utf-8")
        write_odd_files()
        write_what_results_say_otherwise()
        write_directions()
        write_groups()
    return folder


def write_odd_files() -> None:
    """Files that are no logs, and columns that few metrics take."""
    Path("empty").mkdir()
    write_table("inputs/new", TABLES["new"])
    for name, text in (
        ("bad.jsonl", '{"id": 1, "score": 1}\n{"id": 2, "sco'),
        ("empty.jsonl", ""),
        ("x.foo", "x"),
        ("model.md", "# A model\n"),
        ("left/.x.jsonl", ""),
        ("inputs/.new.jsonl", ""),
    ):
        Path(name).write_text(text, "utf-8")
    for k in (1, 2):
        roots = [(x * k % 7) / 7**0.5 for x in range(60)]
        halves = [x // 2 for x in range(60)]
        write_table(f"sevens{k}", {"score": roots, "root": roots, "half": halves})
        write_table(f"roots{k}", {"score": [(x + k) ** 0.5 for x in range(60)]})
        write_table(f"fine{k}", {"score": [1e6 / (x + k * k) // 1e-6 / 1e6 for x in range(60)]})
        numbers = [x * 0.5 for x in range(9)]
        hot = [[[0, 1, 0], [0, 0, 1], [0, 0, 0]][x % (k + 1)] for x in range(9)]
        for name, prediction, reference in (
            ("numbers", numbers, numbers),
            ("rows", [[0, 1, 1]] * 9, [[1, 0, 1]] * 9),
            ("shares", [[0.5, 0.25]] * 9, [[1, 0]] * 9),
            ("hot", hot, [1, 2, 0] * 3),
            ("hots", hot, [[0, 0, 1]] * 9),
        ):
            write_table(f"{name}{k}", {"prediction": prediction, "reference": reference})


def write_what_results_say_otherwise() -> None:
    """Scores of which the results report another number, or none: a gate decides by neither."""
    f1 = {x: [[1, 1]] * n + [[1, 0]] * (12 - n) + [[0, 0]] for x, n in (("new", 10), ("old", 2))}
    write_tasks({"t": f1}, "f1", "average", {key: {"f1": 0.123} for key in f1})
    mine = {x: [mean - 0.1, mean, mean + 0.1] * 4 for x, mean in (("new", -0.9), ("old", -2.3))}
    told = {"new": {"mine": 0.4}, "old": {"mine": 0.2}}
    write_tasks({"t": mine}, "mine", "other", told, is_lower=True)
    # 35 and 45 of 50 are right, and 150 documents of another length are logged as -1
    right = {x: [1] * n + [0] * (50 - n) + [-1] * 150 for x, n in (("new", 35), ("old", 45))}
    for root, reported in (
        ("without", {"new": {"4096": 0.7}, "old": {"4096": 0.9}}),
        ("with", {"new": {"4096": 0.875}, "old": {"4096": 1.125}}),
        ("unreported", None),
        ("elsewhere", {key: {"8192": 0.5} for key in right}),
    ):
        write_tasks({"t": right}, "4096", root, reported)
    few = {x: [1] * n + [0] * (12 - n) for x, n in (("new", 9), ("old", 11))}
    write_tasks(dict.fromkeys("tu", few), "acc", "twice", {key: {"acc": 0.5} for key in few})
    means = {x: {"4096": y.count(1) / 12} for x, y in few.items()}
    lengths = {x: [*y, -1, -1, -1] for x, y in few.items()}
    write_tasks(dict.fromkeys("tu", lengths), "4096", "beside", means)


def write_directions() -> None:
    """Scores that are better if lower by their name, by their log, or by nobody's word."""
    means = {"new": -0.91, "old": -2.29}
    for system, mean in means.items():
        around = [round(mean + x / 20, 2) for x in (-1, 0, 1)] * 4
        small = [k % 3 / 10 + 0.1 * (system == "old") for k in range(30)]
        columns = {"wer": small, "non_toxicity": [round(1 - x, 1) for x in small]}
        write_table(f"way/{system}", columns)
        write_table(f"logarithm/{system}", dict.fromkeys(("val/token_perplexity", "loss"), around))
        reported = {"perplexity": math.exp(-mean)}
        for name, told, logged in (
            ("bare", None, {"perplexity": around}),
            ("perplexity", reported, {"perplexity": around}),
            ("both", reported | {"mine": mean}, {"perplexity": around, "mine": around}),
            ("said", {"acc": sum(small) / 30}, {"acc": small}),
        ):
            Path(name).mkdir(exist_ok=True)
            _LOG(Path(name, system), logged, told, lower=("perplexity", "acc"))


def write_groups() -> None:
    """Tasks with the average of their group, weighted by size or not."""
    scores = {"g_a": [1, 0, 1, 1], "g_b": [0, 1]}
    turned = {task: [1 - x for x in y] for task, y in scores.items()}
    for weights in ("size", "equal"):
        Path(f"by_{weights}").mkdir()
        for name, own in (("x", scores), ("y", turned)):
            _GROUPS(Path(f"by_{weights}", name), own, {"g": [*own]}, weights == "size")


@contextmanager
def in_shell(folder: str, **settings: str) -> Iterator[None]:
    """In this folder, with a terminal of 80 columns."""
    with inside(folder), patch.dict(os.environ, SETTINGS | settings):
        yield


def told(lines: list[str]) -> str:
    """Each command, with what it warns of and prints, and an exit code that is not 0.

    One that is refused says so in one line, and writes nothing.
    """
    texts = []
    before = there()
    for line in lines:
        setting, _, arguments = line.partition("pairedperm ")
        width = setting.rpartition("=")[2].strip() or "80"
        with in_shell(made().name, COLUMNS=width):
            code, out, err = run(arguments)
        ends = f"exit code {code}\n" if code % 2 else ""
        texts.append(f"{PROMPT}{line}\n{err}{out}{ends}")
        if code == 2:
            assert (out, err.count("\n"), there()) == ("", 1, before), texts[-1]
    return shown("\n".join(texts))


def shown(text: str) -> str:
    """The same on every machine, and of every version."""
    text = text.replace(f"pairedperm {pairedperm.__version__}", "pairedperm VERSION")
    return text.replace("\\", "/") if os.name == "nt" else text


def there() -> dict[Path, float]:
    """The files of the folder, and when each was written."""
    return {x: x.stat().st_mtime for x in Path(made().name).rglob("*")}


SAID = {
    name: partial(told, [x.removeprefix(PROMPT) for x in lines if x.startswith(PROMPT)])
    for name, lines in ((x, y.splitlines()) for x, y in stored_of("commands").items())
}
