"""Time logs that are read, matched by id and tested, beside other readers of the same files.

    python -m pip install ".[test]"  # for pandas
    python examples/reading_benchmark.py [--quick] [--seed SEED] [--json FILE]

csv, jsonl, parquet  two systems answered the same million questions, in two different orders:
                     `read_runs(log1, log2).compare()` beside `read_json`, `read_csv` or
                     `read_parquet`, `merge` on the id, and McNemar's exact test by
                     `scipy.stats.binomtest`, which gives the same p-value
suite                `compare` of two systems on 58 tasks of lm-evaluation-harness, 14,842 lines
                     each, beside `json.loads` of the same lines
old suite            the same of older versions, whose logs hold no hashes of documents
board                `read_folder` of 60 systems, 5,000 lines each, beside `json.loads`
one task             `read_runs` of each task of the suite alone, beside `json.loads` of all lines

`read_runs` also checks that references and documents agree, that no id is missing or repeated, and
that each example has a score.

Methods take turns in one process. A time is a median over the rounds; a ratio is the median of the
rounds' ratios. Memory is the peak of a process that runs this method alone, its imports included.
`--quick` takes a hundredth of the lines, and measures the memory of the first case only.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pandas as pd
from datasets import disable_progress_bars
from scipy import stats
from timing import Cell, Table, apart, in_turn, ratio, run

from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.comparisons import compare_all
from pairedperm.readers.read import read_tasks
from pairedperm.readers.read_options import ReadOptions

N_ROWS, N_TASKS, N_LINES, N_SYSTEMS, N_BOARD = 1_000_000, 58, 14_842, 60, 5_000
ROUNDS = 3
ACCURACIES = {"system1": 0.8, "system2": 0.799}
DATE = "2026-11-24T15-05-50.227925"
PANDAS: dict[str, Any] = {
    "jsonl": lambda path: pd.read_json(path, lines=True),
    "csv": pd.read_csv,
    "parquet": pd.read_parquet,
}


class Case(NamedTuple):
    """Files of n lines, and what reads them: this package and another; both return the same."""

    n: int
    write: Callable[[Path, int, int], None]
    ours: Callable[[Path], Any]
    other: Callable[[Path], Any]


def write_tables(folder: Path, n: int, seed: int) -> None:
    """Write the tables of two systems in each format."""
    rng = random.Random(seed)
    for name, accuracy in ACCURACIES.items():
        scores = [int(rng.random() < accuracy) for _ in range(n)]
        table = pd.DataFrame(
            {
                "id": [f"question-{k}" for k in rng.sample(range(n), n)],
                "prediction": ["yes" if x else "no" for x in scores],
                "reference": ["yes"] * n,
                "score": scores,
            }
        )
        table.to_json(folder / f"{name}.jsonl", orient="records", lines=True)
        table.to_csv(folder / f"{name}.csv", index=False)
        table.to_parquet(folder / f"{name}.parquet", index=False)


def digest(text: str) -> str:
    """Return the hash of a text, as lm-evaluation-harness writes it."""
    return hashlib.sha256(text.encode()).hexdigest()


def write_log(
    folder: Path, task: str, scores: list[float], n_words: int, hashed: bool = True
) -> None:
    """Write a log of lm-evaluation-harness."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for k, score in enumerate(scores):
        question = f"{task}, question {k}: " + "some words " * n_words
        line = {
            "doc_id": k,
            "doc": {"question": question, "choices": [*"abcd"], "answer": k % 4},
            "target": k % 4,
            "arguments": [[question, x] for x in "abcd"[: n_words // 10]],
            "resps": [[[f"-{k}.{j}", "False"]] for j in range(n_words // 10)],
            "filter": "none",
            "metrics": ["acc"],
            "acc": score,
        }
        if hashed:
            line["doc_hash"] = digest(json.dumps(line["doc"], indent=2, ensure_ascii=False))
            line |= {"prompt_hash": digest(question), "target_hash": digest(str(line["target"]))}
        lines.append(json.dumps(line))
    (folder / f"samples_{task}_{DATE}.jsonl").write_text("\n".join(lines), "utf-8")


def write_suite(folder: Path, n: int, seed: int, hashed: bool = True) -> None:
    """Write the logs of two systems on all tasks."""
    rng = random.Random(seed)
    for system, accuracy in ACCURACIES.items():
        for task in range(N_TASKS):
            scores = [float(rng.random() < accuracy) for _ in range(task, n, N_TASKS)]
            write_log(folder / system, f"task-{task}", scores, 40, hashed)


def write_board(folder: Path, n: int, seed: int) -> None:
    """Write the logs of many systems on one task."""
    rng = random.Random(seed)
    for system in range(N_SYSTEMS):
        scores = [float(rng.random() < 0.5 + system / 200) for _ in range(n)]
        write_log(folder / f"system{system}", "task", scores, 9)


def paths(folder: Path, kind: str) -> list[Path]:
    """Return the paths of the tables of a kind."""
    return [folder / f"{system}.{kind}" for system in ACCURACIES]


def by_read_runs(kind: str, folder: Path) -> float:
    """Return p of two tables of a kind."""
    return float(f"{read_runs(*paths(folder, kind)).compare('score').pvalue:.9g}")


def by_pandas(kind: str, folder: Path) -> float:
    """Return p of McNemar's test of two tables, merged by pandas."""
    one, two = map(PANDAS[kind], paths(folder, kind))
    both = one.merge(two, on="id", suffixes=("1", "2"), validate="one_to_one")
    wins, losses = (both.score1 > both.score2).sum(), (both.score1 < both.score2).sum()
    return float(f"{stats.binomtest(int(wins), int(wins + losses)).pvalue:.9g}")


def lines_parsed(folder: Path) -> int:
    """Return the number of lines that `json.loads` parses."""
    n = 0
    for path in sorted(folder.rglob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            n += sum(json.loads(line) is not None for line in lines)
    return n


def suite(folder: Path) -> int:
    """Compare two systems on all tasks; return the number of lines."""
    one, two = (folder / x for x in ACCURACIES)
    tasks = read_tasks(one, two, ReadOptions())
    compare_all([*tasks.values()])
    return sum(2 * len(runs.ids) for runs in tasks.values())


def board(folder: Path) -> int:
    """Read all systems and what is compared; return the number of lines."""
    return sum(map(len, read_folder(folder).examples("acc").systems.values()))


def one_by_one(folder: Path) -> int:
    """Read each task alone; return the number of lines."""
    logs = [folder / x for x in ACCURACIES]
    return sum(2 * len(read_runs(*logs, task=f"task-{x}").ids) for x in range(N_TASKS))


def alone(call: Callable[[Path], Any], folder: Path) -> tuple[Any, float]:
    """Return what a call returns, as `apart` does, without the memory."""
    return call(folder), math.nan


CASES = {
    kind: Case(N_ROWS, write_tables, partial(by_read_runs, kind), partial(by_pandas, kind))
    for kind in PANDAS
}
CASES["suite"] = Case(N_LINES, write_suite, suite, lines_parsed)
CASES["old suite"] = CASES["suite"]._replace(write=partial(write_suite, hashed=False))
CASES["board"] = Case(N_BOARD, write_board, board, lines_parsed)
CASES["one task"] = Case(N_LINES, write_suite, one_by_one, lines_parsed)


def tables(quick: bool, seed: int) -> Iterator[Table]:
    """Yield the table."""
    disable_progress_bars()
    rows: list[list[Cell]] = []
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            case.write(folder, case.n // 100 if quick else case.n, seed)
            call = alone if quick and rows else apart
            found, memory = zip(*(call(x, folder) for x in (case.ours, case.other)), strict=True)
            assert found[0] == found[1], (name, found)
            calls = {"ours": partial(case.ours, folder), "other": partial(case.other, folder)}
            times = in_turn(calls, 1 if quick else ROUNDS)
        medians = median(times["ours"]), median(times["other"])
        rows.append([name, *medians, ratio(times, "ours", "other"), *memory])
    columns = {"": "", "pairedperm": "s", "other": "s", "ratio": "x", "memory": "MB"}
    yield Table("logs", columns | {"memory, other": "MB"}, rows)


if __name__ == "__main__":
    run(tables, __doc__)
