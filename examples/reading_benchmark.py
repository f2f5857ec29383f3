"""Time logs that are read, matched by id and tested, beside other readers of the same files.

    python -m pip install ".[test]"  # for pandas
    python examples/reading_benchmark.py [--quick] [--repeat R] [CASE ...]

csv, jsonl, parquet  two systems answered the same million questions, in two different orders:
                     `read_runs(log1, log2).compare()` beside `read_json`, `read_csv` or
                     `read_parquet`, `merge` on the id, and McNemar's exact test by
                     `scipy.stats.binomtest`, which gives the same p-value
suite                `compare` of two systems on 58 tasks of lm-evaluation-harness, 14,842 lines
                     each, without hashes of documents, beside `json.loads` of the same lines
board                `read_folder` of 60 systems, 5,000 lines each, beside `json.loads`
one task             `read_runs` of each task of the suite alone, beside `json.loads` of all lines

`read_runs` also checks that references and documents agree, that no id is missing or repeated, and
that each example has a score.

Methods take turns in one process, after its imports. A time is the processor time, a median over
the rounds; a ratio is the median of the rounds' ratios. Memory is the peak of a process that runs
this method alone, its imports included. `--quick` takes a hundredth of the lines.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pandas as pd
from datasets import disable_progress_bars
from scipy import optimize, stats  # noqa: F401, the interval's solver is imported before

from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.comparisons import compare_all
from pairedperm.readers.formats import ReadOptions
from pairedperm.readers.read import read_tasks

N_ROWS, N_TASKS, N_LINES, N_SYSTEMS, N_BOARD = 1_000_000, 58, 14_842, 60, 5_000
ACCURACIES = {"system1": 0.8, "system2": 0.799}
DATE = "2026-11-24T15-05-50.227925"
ROW = "{:<9} {:>10} {:>9} {:>6}  {:>9} {:>9}"
PANDAS: dict[str, Any] = {
    "jsonl": lambda path: pd.read_json(path, lines=True),
    "csv": pd.read_csv,
    "parquet": pd.read_parquet,
}


class Case(NamedTuple):
    """Files, and what reads them: this package and another. Both return what must agree."""

    write: Callable[[Path, int], None]
    ours: Callable[[Path], Any]
    others: Callable[[Path], Any]


def write_tables(folder: Path, n: int) -> None:
    """Write the tables of two systems in each format."""
    rng = random.Random(0)
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


def write_log(folder: Path, task: str, scores: list[float], n_words: int) -> None:
    """Write a log of lm-evaluation-harness, as versions without hashes do."""
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
        lines.append(json.dumps(line))
    (folder / f"samples_{task}_{DATE}.jsonl").write_text("\n".join(lines), "utf-8")


def write_suite(folder: Path, n: int) -> None:
    """Write the logs of two systems on all tasks."""
    rng = random.Random(0)
    for system, accuracy in ACCURACIES.items():
        for task in range(N_TASKS):
            scores = [float(rng.random() < accuracy) for _ in range(task, n, N_TASKS)]
            write_log(folder / system, f"task-{task}", scores, n_words=40)


def write_board(folder: Path, n: int) -> None:
    """Write the logs of many systems on one task."""
    rng = random.Random(0)
    for system in range(N_SYSTEMS):
        scores = [float(rng.random() < 0.5 + system / 200) for _ in range(n)]
        write_log(folder / f"system{system}", "task", scores, n_words=9)


def tables_of(kind: str) -> Case:
    """Return the comparison of two tables of a kind; its p-values must agree."""

    def paths(folder: Path) -> list[Path]:
        return [folder / f"{system}.{kind}" for system in ACCURACIES]

    def ours(folder: Path) -> float:
        return float(f"{read_runs(*paths(folder)).compare('score').pvalue:.9g}")

    def others(folder: Path) -> float:
        one, two = map(PANDAS[kind], paths(folder))
        both = one.merge(two, on="id", suffixes=("1", "2"), validate="one_to_one")
        wins, losses = (both.score1 > both.score2).sum(), (both.score1 < both.score2).sum()
        return float(f"{stats.binomtest(int(wins), int(wins + losses)).pvalue:.9g}")

    return Case(write_tables, ours, others)


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
    paths = [folder / x for x in ACCURACIES]
    return sum(2 * len(read_runs(*paths, task=f"task-{x}").ids) for x in range(N_TASKS))


CASES = {
    **{kind: (tables_of(kind), N_ROWS) for kind in PANDAS},
    "suite": (Case(write_suite, suite, lines_parsed), N_LINES),
    "board": (Case(write_board, board, lines_parsed), N_BOARD),
    "one task": (Case(write_suite, one_by_one, lines_parsed), N_LINES),
}


def alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a process of its own, which begins with little memory."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def write(name: str, folder: Path, n: int) -> None:
    """Write the files of a case."""
    CASES[name][0].write(folder, n)


def peak(name: str, which: str, folder: Path) -> float:
    """Return the peak memory of this process in MiB after a method has run."""
    disable_progress_bars()
    getattr(CASES[name][0], which)(folder)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS
    return most / 2**20 if sys.platform == "darwin" else most / 2**10


def times(name: str, folder: Path, repeat: int) -> list[list[float]]:
    """Return the processor times of both methods in each round."""
    disable_progress_bars()
    rounds = []
    for _ in range(repeat):
        seconds, found = [], []
        for method in CASES[name][0][1:]:
            start = time.process_time()
            found.append(method(folder))
            seconds.append(time.process_time() - start)
        assert found[0] == found[1]
        rounds.append(seconds)
    return rounds


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description="Time the readers beside others.")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    given = parser.parse_args()
    print(ROW.format("", "pairedperm", "other", "ratio", "memory", "other"))
    for name in given.cases or CASES:
        with tempfile.TemporaryDirectory() as place:
            folder, n = Path(place), CASES[name][1]
            alone(write, name, folder, n // 100 if given.quick else n)
            rounds = alone(times, name, folder, given.repeat)
            peaks = [f"{alone(peak, name, x, folder):.0f} MiB" for x in ("ours", "others")]
        seconds = [f"{median(x):.2f} s" for x in zip(*rounds, strict=True)]
        ratio = median(x / y for x, y in rounds)
        print(ROW.format(name, *seconds, f"{ratio:.2f}", *peaks), flush=True)


if __name__ == "__main__":
    main()
